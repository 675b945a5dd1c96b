"""A brute-force reference for tiny shoes: cards drawn one after another, exact fractions, no formulas.

It shares nothing with the engine but the ``Rules`` object. Every function plays the game out: each card that
can come is drawn without replacement with its own probability, the player decides on what the player can see,
and all hands are settled together against one dealer. States that are met again are remembered; nothing else
is clever here, so it is for shoes of ten to sixteen cards.

A *shoe* is a tuple of ten counts, aces first and ten-value cards last, and includes the player's hand and the
upcard; a *hand* is such a tuple too; an *upcard* is a rank from 1 (ace) to 10. Values are in original bets and
as the game shows them: given that the dealer has no natural where the game peeks (the hole card is dealt
first, makes no natural, and stays hidden from the player), unconditional in ENHC and OBO games.

A draw from an empty shoe raises :class:`RanOutError`. Callers assert first that it cannot happen::

    assert not can_run_out(rules, shoe, hand, upcard, max_hands)

Fixed points that a reader of the numbers should know:

* ``stand``, ``hit``, ``double`` and ``split`` give the value of the move whether or not the rules allow it.
* Tens are a pair by value: ``split`` knows ten ranks only (``split_by``, ``no_split`` and
  ``max_split_hands`` are not read; ``max_hands`` is what counts).
* The fixed policy of a split hand compares the moves' values for the unsplit hand. That hit may lead to a
  later double where ``double_cards`` is "any", even in a game without doubling after splits.
* Where two best moves of that policy are equal, stand goes before hit and hit before double. The value of the
  split can hang on it: :func:`has_policy_tie` tells.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, lru_cache
from random import Random
from typing import Any, NamedTuple

from trainer.engine.rules import Rules

Cards = tuple[int, ...]
Finished = tuple[tuple[int, int], ...]  # (total, stake) of every hand that is done, sorted

ACE, TEN = 1, 10
RANKS = range(ACE, TEN + 1)
BUST = 22  # stands for every total over 21
OUTCOMES: tuple[int | str, ...] = (17, 18, 19, 20, 21, "bust", "natural")
DOUBLE_ON = {"any": range(2, 21), "9-11": range(9, 12), "10-11": range(10, 12), "none": range(0)}


class RanOutError(Exception):
    """A card was needed and the shoe had none (or none that can be the hole card of a peek game)."""


class World(NamedTuple):
    """One thing that may be true of the dealer: the hole card (None: not dealt yet) and what can be drawn."""

    hole: int | None
    pile: Cards
    weight: Fraction


Worlds = tuple[World, ...]


# Cards


def cards_of(*ranks: int) -> Cards:
    """The ten counts of some cards: ``cards_of(8, 8)``."""
    return tuple(ranks.count(rank) for rank in RANKS)


@cache
def plus(cards: Cards, rank: int) -> Cards:
    """The cards with one more."""
    return tuple(count + (at == rank) for at, count in zip(RANKS, cards, strict=True))


def minus(cards: Cards, taken: Cards) -> Cards:
    """The cards without some of them, all of which must be there."""
    left = tuple(have - gone for have, gone in zip(cards, taken, strict=True))
    if min(left) < 0:
        raise ValueError(f"{taken} cannot be taken from {cards}")
    return left


@cache
def total_of(cards: Cards) -> tuple[int, bool]:
    """The total (``BUST`` for anything over 21) and whether an ace counts as 11 in it."""
    hard = sum(rank * count for rank, count in zip(RANKS, cards, strict=True))
    if cards[0] and hard <= 11:
        return hard + 10, True
    return min(hard, BUST), False


def is_natural(cards: Cards) -> bool:
    """Whether these are one ace and one ten-value card."""
    return sum(cards) == 2 and total_of(cards)[0] == 21


@cache
def draws(pile: Cards) -> tuple[tuple[int, Fraction, Cards], ...]:
    """Every rank that can come next, its chance, and the pile without it."""
    size = sum(pile)
    if not size:
        raise RanOutError("a card is needed and none is left")
    return tuple((rank, Fraction(pile[rank - 1], size), minus(pile, cards_of(rank)))
                 for rank in RANKS if pile[rank - 1])


def dealer_draws(rules: Rules, cards: Cards) -> bool:
    """Whether a dealer with these cards takes another."""
    total, soft = total_of(cards)
    return total < 17 or (total == 17 and soft and rules.dealer_hits_soft_17)


# One upcard out of one shoe


class _Table:
    """The moves of unsplit hands, and the dealer, for one shoe and one upcard."""

    def __init__(self, rules: Rules, shoe: Cards, upcard: int) -> None:
        self.rules = rules
        self.upcard = upcard
        self.rest = minus(shoe, cards_of(upcard))
        self.dealer_finishes = cache(self._dealer_finishes)
        self.settle = cache(self._settle)
        self.hit = cache(self._hit)
        self.split_values = cache(self._split_values)

    def worlds(self, hand: Cards) -> Worlds:
        """What the player with this hand must reckon with before the next card."""
        unseen = minus(self.rest, hand)
        if not self.rules.is_peek:
            return (World(None, unseen, Fraction(1)),)
        possible = [World(rank, pile, chance) for rank, chance, pile in draws(unseen)
                    if not is_natural(cards_of(self.upcard, rank))]
        if not possible:
            raise RanOutError("every hole card makes a natural")
        return _normalised(possible)[1]

    # The dealer

    def dealer_hand(self, hole: int | None) -> Cards:
        """The cards the dealer has so far."""
        return cards_of(self.upcard) if hole is None else cards_of(self.upcard, hole)

    def _dealer_finishes(self, pile: Cards, cards: Cards) -> dict[int | str, Fraction]:
        """The dealer with these cards draws from the pile to the end: the chance of every possible outcome."""
        if not dealer_draws(self.rules, cards):
            total, _ = total_of(cards)
            return {"natural" if is_natural(cards) else "bust" if total == BUST else total: Fraction(1)}
        chances: dict[int | str, Fraction] = {}
        for rank, chance, left in draws(pile):
            for outcome, share in self.dealer_finishes(left, plus(cards, rank)).items():
                chances[outcome] = chances.get(outcome, Fraction(0)) + chance * share
        return chances

    def _settle(self, finished: Finished, hole: int | None, pile: Cards) -> Fraction:
        """All hands against one dealer who now plays (if there is anything left to beat)."""
        at_stake = sum(stake for _, stake in finished)
        cards = self.dealer_hand(hole)
        if all(total == BUST for total, _ in finished):
            if self.rules.hole_card != "obo":
                return Fraction(-at_stake)
            return sum((chance * (-1 if is_natural(plus(cards, rank)) else -at_stake)
                        for rank, chance, _ in draws(pile)), Fraction(0))
        value = Fraction(0)
        for outcome, chance in self.dealer_finishes(pile, cards).items():
            if outcome == "natural":
                value -= chance * (1 if self.rules.hole_card == "obo" else at_stake)
            else:
                value += chance * sum(stake * _result(total, outcome) for total, stake in finished)
        return value

    # The player's moves

    def may_double(self, hand: Cards) -> bool:
        """Whether the rules let this hand double, splits aside."""
        total, soft = total_of(hand)
        return (total in DOUBLE_ON[self.rules.double_on]
                and (self.rules.double_soft or not soft)
                and (self.rules.double_cards == "any" or sum(hand) == 2))

    def stand(self, hand: Cards, worlds: Worlds, stake: int = 1) -> Fraction:
        """The hand (bust or not) against the dealer."""
        finished = ((total_of(hand)[0], stake),)
        return sum((world.weight * self.settle(finished, world.hole, world.pile) for world in worlds), Fraction(0))

    def double(self, hand: Cards, worlds: Worlds) -> Fraction:
        """Twice the bet, one card, then stand."""
        return sum((chance * self.stand(plus(hand, rank), after, stake=2)
                    for rank, chance, after in _next_cards(worlds)), Fraction(0))

    def _hit(self, hand: Cards, worlds: Worlds) -> Fraction:
        """One card, then the best move on what the player sees."""
        return sum((chance * self.best(plus(hand, rank), after)
                    for rank, chance, after in _next_cards(worlds)), Fraction(0))

    def best(self, hand: Cards, worlds: Worlds) -> Fraction:
        """The best that can be done after a hit; 21 and more stands by itself."""
        values = [self.stand(hand, worlds)]
        if total_of(hand)[0] < 21:
            values.append(self.hit(hand, worlds))
            if self.rules.double_cards == "any" and self.may_double(hand):
                values.append(self.double(hand, worlds))
        return max(values)

    def _split_values(self, hand: Cards) -> dict[str, Fraction]:
        """What a split hand of this composition may do, as valued for the unsplit hand; ties go to the first."""
        worlds = self.worlds(hand)
        values = {"stand": self.stand(hand, worlds)}
        if total_of(hand)[0] < 21:
            values["hit"] = self.hit(hand, worlds)
            if self.rules.double_after_split and self.may_double(hand):
                values["double"] = self.double(hand, worlds)
        return values


def _result(total: int, dealer: int | str) -> int:
    """What one bet on a hand wins against a dealer's total or "bust"."""
    if total == BUST:
        return -1
    if not isinstance(dealer, int):
        return 1
    return (total > dealer) - (total < dealer)


def _normalised(worlds: list[World]) -> tuple[Fraction, Worlds]:
    """The worlds' joint weight, and the worlds weighing one together."""
    weight = sum((world.weight for world in worlds), Fraction(0))
    return weight, tuple(world._replace(weight=world.weight / weight) for world in worlds)


def _next_cards(worlds: Worlds) -> Iterator[tuple[int, Fraction, Worlds]]:
    """Draw the player's next card in every world: each rank, its chance, and what is then to be believed."""
    by_rank: dict[int, list[World]] = {}
    for hole, pile, weight in worlds:
        for rank, chance, left in draws(pile):
            by_rank.setdefault(rank, []).append(World(hole, left, weight * chance))
    for rank, after in by_rank.items():
        yield rank, *_normalised(after)


# Splits


class _Split:
    """A pair split to at most ``max_hands`` hands, played one after the other, then the dealer."""

    def __init__(self, table: _Table, rank: int, max_hands: int) -> None:
        self.table = table
        self.first = cards_of(rank)
        self.rank = rank
        self.max_hands = max_hands
        self.one_card_each = rank == ACE and not table.rules.hit_split_aces
        self.hands_seen: set[Cards] = set()
        self.play = cache(self._play)

    def value(self) -> Fraction:
        """The expected sum over all hands."""
        return sum((world.weight * self.play(world.pile, world.hole, (), self.first, 1, self.max_hands - 2)
                    for world in self.table.worlds(plus(self.first, self.rank))), Fraction(0))

    def _play(self, pile: Cards, hole: int | None, finished: Finished, hand: Cards, waiting: int,
              more: int) -> Fraction:
        """Play the hand in front, with ``waiting`` pair cards to its right and ``more`` splits allowed."""
        if sum(hand) == 1:
            return self.second_card(pile, hole, finished, waiting, more)
        move = "stand" if self.one_card_each or total_of(hand)[0] >= 21 else self.move(hand)
        if move == "stand":
            return self.next_hand(pile, hole, _with(finished, hand, 1), waiting, more)
        value = Fraction(0)
        for rank, chance, left in draws(pile):
            longer = plus(hand, rank)
            if move == "double":
                value += chance * self.next_hand(left, hole, _with(finished, longer, 2), waiting, more)
            else:
                value += chance * self.play(left, hole, finished, longer, waiting, more)
        return value

    def second_card(self, pile: Cards, hole: int | None, finished: Finished, waiting: int, more: int) -> Fraction:
        """A second card on a lone pair card: split again if it is another one and that is allowed."""
        value = Fraction(0)
        for rank, chance, left in draws(pile):
            if rank == self.rank and more:
                value += chance * self.play(left, hole, finished, self.first, waiting + 1, more - 1)
            else:
                value += chance * self.play(left, hole, finished, plus(self.first, rank), waiting, more)
        return value

    def next_hand(self, pile: Cards, hole: int | None, finished: Finished, waiting: int, more: int) -> Fraction:
        """Go on to the next hand, or to the dealer."""
        if waiting:
            return self.play(pile, hole, finished, self.first, waiting - 1, more)
        return self.table.settle(finished, hole, pile)

    def move(self, hand: Cards) -> str:
        """The fixed policy: it knows the hand and the upcard, not the other hands."""
        self.hands_seen.add(hand)
        values = self.table.split_values(hand)
        return max(values, key=values.__getitem__)


def _with(finished: Finished, hand: Cards, stake: int) -> Finished:
    return tuple(sorted((*finished, (total_of(hand)[0], stake))))


# Running out


class _Lines:
    """Looks for a line of play, whatever anybody chooses, on which a card is needed and none is left."""

    def __init__(self, table: _Table, rank: int = 0) -> None:
        self.table = table
        self.rank = rank  # of the pair; 0: no split
        self.one_card_each = rank == ACE and not table.rules.hit_split_aces
        self.dealer_fails = cache(self._dealer_fails)
        self.hand_fails = cache(self._hand_fails)

    def unsplit_fails(self, hand: Cards) -> bool:
        """Whether standing, or hitting on (even a 21 as the first move), can run out."""
        return self.in_any_world(hand, lambda hole, pile: self.next_fails(pile, hole, True, 0, 0)
                                 or self.draw_fails(pile, hole, hand, False, 0, 0))

    def policy_fails(self) -> bool:
        """Whether a hand that begins with the pair rank can run out while it is valued as an unsplit hand."""
        start = cards_of(self.rank)
        return self.in_any_world(start, lambda hole, pile: self.draw_fails(pile, hole, start, False, 0, 0))

    def split_fails(self, max_hands: int) -> bool:
        """Whether the split itself, to any number of hands up to the limit, can run out."""
        start = cards_of(self.rank)
        return self.in_any_world(cards_of(self.rank, self.rank), lambda hole, pile: self.hand_fails(
            pile, hole, start, False, 1, max_hands - 2))

    def in_any_world(self, hand: Cards, fails: Callable[[int | None, Cards], bool]) -> bool:
        """Whether it fails with any hole card, or there is none to deal."""
        try:
            worlds = self.table.worlds(hand)
        except RanOutError:
            return True
        return any(fails(world.hole, world.pile) for world in worlds)

    def _hand_fails(self, pile: Cards, hole: int | None, hand: Cards, alive: bool, waiting: int, more: int) -> bool:
        """The hand in front may do anything; ``alive``: an earlier hand is not bust."""
        total, size = total_of(hand)[0], sum(hand)
        if total == BUST:
            return self.next_fails(pile, hole, alive, waiting, more)
        if size > 1 and self.next_fails(pile, hole, True, waiting, more):
            return True
        is_pair = size == 2 and self.rank and hand[self.rank - 1] == 2
        if is_pair and more and self.hand_fails(pile, hole, cards_of(self.rank), alive, waiting + 1, more - 1):
            return True
        may_draw = size == 1 or (total < 21 and not self.one_card_each)
        return may_draw and self.draw_fails(pile, hole, hand, alive, waiting, more)

    def draw_fails(self, pile: Cards, hole: int | None, hand: Cards, alive: bool, waiting: int, more: int) -> bool:
        """Whether a card for the hand in front is missing, or anything after it."""
        return not any(pile) or any(self.hand_fails(left, hole, plus(hand, rank), alive, waiting, more)
                                    for rank, _, left in draws(pile))

    def next_fails(self, pile: Cards, hole: int | None, alive: bool, waiting: int, more: int) -> bool:
        """The hand in front is done: the next one, or the dealer."""
        if waiting:
            return self.hand_fails(pile, hole, cards_of(self.rank), alive, waiting - 1, more)
        if alive:
            return self.dealer_fails(pile, self.table.dealer_hand(hole))
        return self.table.rules.hole_card == "obo" and not any(pile)

    def _dealer_fails(self, pile: Cards, cards: Cards) -> bool:
        if not dealer_draws(self.table.rules, cards):
            return False
        return not any(pile) or any(self.dealer_fails(left, plus(cards, rank)) for rank, _, left in draws(pile))


# What the tests call


@lru_cache(maxsize=4)
def _table(rules: Rules, shoe: Cards, upcard: int) -> _Table:
    return _Table(rules, shoe, upcard)


def dealer(rules: Rules, shoe: Cards, hand: Cards, upcard: int) -> dict[int | str, Fraction]:
    """The chance of every dealer outcome (17 to 21, "bust", "natural"), unconditional: as if nobody peeked."""
    table = _table(rules, shoe, upcard)
    chances = table.dealer_finishes(minus(table.rest, hand), cards_of(upcard))
    return {outcome: chances.get(outcome, Fraction(0)) for outcome in OUTCOMES}


def stand(rules: Rules, shoe: Cards, hand: Cards, upcard: int) -> Fraction:
    """The value of standing.

    Three unseen cards, one a nine: the dealer has 19 with the nine in the hole and 20 without it.

    >>> stand(Rules(), cards_of(10, 10, 10, 10, 10, 9), cards_of(10, 10), 10)
    Fraction(1, 3)
    """
    table = _table(rules, shoe, upcard)
    return table.stand(hand, table.worlds(hand))


def hit(rules: Rules, shoe: Cards, hand: Cards, upcard: int) -> Fraction:
    """The value of a card now and the best moves after it (a double too, where any number of cards may)."""
    table = _table(rules, shoe, upcard)
    return table.hit(hand, table.worlds(hand))


def double(rules: Rules, shoe: Cards, hand: Cards, upcard: int) -> Fraction:
    """The value of one card on twice the bet.

    Eleven v ten with two tens and an ace to come. Peek: a ten is in the hole, and the other ten wins as often
    as the ace loses. No hole card: a ten (2/3) meets 20 or a natural, half each; the ace (1/3) meets 20.

    >>> [double(Rules(hole_card=game), cards_of(5, 6, 10, 10, 10, 1), cards_of(5, 6), 10)
    ...  for game in ("peek", "enhc", "obo")]
    [Fraction(0, 1), Fraction(-2, 3), Fraction(-1, 3)]
    """
    table = _table(rules, shoe, upcard)
    return table.double(hand, table.worlds(hand))


def split(rules: Rules, shoe: Cards, rank: int, upcard: int, max_hands: int) -> Fraction:
    """The value of splitting two cards of the rank, to at most ``max_hands`` hands; see the module's text.

    Pass 2 for aces that may not be split again.
    """
    if max_hands < 2:
        raise ValueError(f"max_hands is {max_hands}; a split makes at least 2")
    return _Split(_table(rules, shoe, upcard), rank, max_hands).value()


def has_policy_tie(rules: Rules, shoe: Cards, rank: int, upcard: int, max_hands: int) -> bool:
    """Whether any hand met in the split has two equally good best moves under the fixed policy."""
    table = _table(rules, shoe, upcard)
    tree = _Split(table, rank, max_hands)
    tree.value()
    values = [list(table.split_values(hand).values()) for hand in tree.hands_seen]
    return any(moves.count(max(moves)) > 1 for moves in values)


def can_run_out(rules: Rules, shoe: Cards, hand: Cards, upcard: int, max_hands: int = 1) -> bool:
    """Whether any line of play needs a card that is not there.

    Every choice of the player counts, good or bad: stand and hit (which covers double) on the hand and, if it
    is a pair and ``max_hands`` is 2 or more, its split to any number of hands up to that, with the unsplit
    hands that the split's fixed policy looks at. A hand that is 21 draws only as the first move. The dealer
    plays when a hand is not bust (an OBO dealer takes the second card in any case). True as well where a peek
    game has no hole card to deal that makes no natural: no value is defined then.
    """
    table = _table(rules, shoe, upcard)
    if _Lines(table).unsplit_fails(hand):
        return True
    if max_hands < 2 or sum(hand) != 2 or max(hand) != 2:
        return False
    lines = _Lines(table, hand.index(2) + 1)
    return lines.split_fails(max_hands) or lines.policy_fails()


# Shoes


def tiny_shoes(seed: int, count: int, size_range: tuple[int, int] = (10, 16), *, rules: Rules, hand: Cards,
               upcard: int, max_hands: int = 1) -> list[Cards]:
    """Random different shoes, the hand and the upcard in them, on which no line of play can run out.

    Most other cards are sevens to tens, so that hands are short; a pair finds more of its rank.
    ``ValueError`` where such shoes are too rare to be met.
    """
    random = Random(seed)
    found: dict[Cards, None] = {}
    for _ in range(400 * count):
        shoe = _random_shoe(random, random.randint(*size_range), hand, upcard)
        if shoe not in found and not can_run_out(rules, shoe, hand, upcard, max_hands):
            found[shoe] = None
            if len(found) == count:
                return list(found)
    raise ValueError(f"found {len(found)} of {count} shoes of {size_range} cards for {hand} v {upcard}")


def _random_shoe(random: Random, size: int, hand: Cards, upcard: int) -> Cards:
    shoe = plus(hand, upcard)
    if max(hand) == 2:
        for _ in range(random.randint(0, 2)):
            shoe = plus(shoe, hand.index(2) + 1)
    low_share = random.choice((0.1, 0.25, 0.4))
    while sum(shoe) < size:
        low = random.random() < low_share
        shoe = plus(shoe, random.choice((2, 3, 4, 5, 6) if low else (ACE, 7, 8, 9, TEN, TEN, TEN)))
    return shoe


# Cases: no line of play runs out, no tie in a split hand's policy


class Case(NamedTuple):
    """One position; ``max_hands`` is 1 where there is no pair to split, else the limit of its rules too."""

    rules: Rules
    shoe: Cards
    hand: Cards
    upcard: int
    max_hands: int


_WORDS: dict[str, tuple[str, str | bool]] = {
    "S17": ("dealer_hits_soft_17", False),
    "H17": ("dealer_hits_soft_17", True),
    "peek": ("hole_card", "peek"),
    "enhc": ("hole_card", "enhc"),
    "obo": ("hole_card", "obo"),
    "DAS": ("double_after_split", True),
    "noDAS": ("double_after_split", False),
    "RSA": ("resplit_aces", True),
    "HSA": ("hit_split_aces", True),
    "9-11": ("double_on", "9-11"),
    "10-11": ("double_on", "10-11"),
    "any-cards": ("double_cards", "any"),
    "hard-only": ("double_soft", False),
}


def _case(words: str, shoe: Cards, hand: tuple[int, ...], upcard: int, max_hands: int) -> Case:
    """A case from its rules in words and the ranks in the hand."""
    fields: dict[str, Any] = dict(_WORDS[word] for word in words.split())
    return Case(Rules(max_split_hands=max_hands, **fields), shoe, cards_of(*hand), upcard, max_hands)


CASES: list[Case] = [
    _case("H17 enhc DAS HSA 9-11 any-cards", (5, 0, 2, 0, 0, 1, 0, 1, 3, 3), (1, 1), 1, 2),
    _case("S17 obo DAS", (6, 0, 0, 0, 0, 0, 0, 1, 2, 2), (1, 1), 1, 2),
    _case("H17 obo DAS HSA 9-11", (3, 1, 1, 0, 1, 1, 0, 2, 2, 5), (1, 1), 6, 2),
    _case("S17 peek DAS any-cards", (5, 0, 0, 0, 1, 1, 1, 1, 1, 3), (1, 1), 6, 2),
    _case("S17 obo DAS HSA 9-11", (4, 0, 1, 0, 1, 1, 0, 3, 2, 2), (1, 1), 9, 2),
    _case("H17 enhc DAS hard-only", (3, 2, 1, 0, 1, 0, 0, 0, 2, 2), (1, 1), 9, 2),
    _case("S17 peek noDAS HSA", (4, 0, 1, 0, 0, 1, 0, 2, 2, 6), (1, 1), 10, 2),
    _case("H17 enhc DAS hard-only", (4, 0, 0, 0, 0, 0, 0, 2, 1, 3), (1, 1), 10, 2),
    _case("S17 obo noDAS RSA HSA", (5, 0, 1, 0, 0, 0, 1, 2, 3, 4), (1, 1), 1, 3),
    _case("H17 peek DAS RSA", (6, 0, 2, 0, 0, 0, 2, 1, 0, 4), (1, 1), 1, 3),
    _case("S17 obo DAS RSA", (4, 0, 0, 0, 1, 0, 3, 0, 0, 2), (1, 1), 5, 3),
    _case("S17 obo noDAS RSA HSA", (3, 1, 0, 0, 0, 1, 1, 3, 2, 5), (1, 1), 10, 3),
    _case("H17 peek DAS RSA", (3, 0, 1, 0, 1, 0, 0, 1, 1, 5), (1, 1), 10, 3),
    _case("S17 enhc DAS 9-11", (1, 2, 1, 0, 0, 0, 4, 0, 1, 5), (2, 2), 7, 2),
    _case("S17 obo noDAS", (2, 2, 2, 0, 0, 0, 1, 0, 1, 5), (2, 2), 7, 2),
    _case("H17 peek DAS", (1, 3, 0, 0, 0, 1, 0, 1, 2, 7), (2, 2), 6, 3),
    _case("H17 enhc DAS any-cards", (1, 0, 4, 3, 2, 0, 1, 0, 0, 4), (3, 3), 10, 2),
    _case("H17 enhc DAS 9-11", (1, 0, 3, 0, 2, 1, 2, 1, 1, 5), (3, 3), 6, 3),
    _case("H17 obo DAS", (2, 0, 0, 4, 0, 1, 0, 3, 1, 3), (4, 4), 6, 2),
    _case("H17 peek DAS", (0, 1, 0, 4, 1, 0, 2, 2, 0, 4), (4, 4), 10, 2),
    _case("H17 obo DAS 9-11", (0, 0, 0, 4, 2, 0, 1, 0, 1, 8), (4, 4), 5, 3),
    _case("H17 obo DAS 9-11", (1, 1, 0, 3, 0, 1, 1, 0, 3, 5), (4, 4), 10, 3),
    _case("H17 enhc DAS hard-only", (1, 1, 0, 0, 4, 1, 1, 2, 0, 3), (5, 5), 6, 2),
    _case("H17 peek DAS", (0, 0, 0, 1, 4, 2, 1, 1, 2, 5), (5, 5), 10, 2),
    _case("S17 obo DAS", (1, 1, 0, 0, 5, 0, 0, 1, 3, 5), (5, 5), 1, 3),
    _case("H17 peek DAS 9-11 any-cards", (0, 0, 1, 3, 4, 1, 0, 0, 1, 5), (5, 5), 6, 3),
    _case("S17 obo DAS 9-11 hard-only", (4, 0, 1, 0, 1, 4, 0, 1, 0, 4), (6, 6), 1, 2),
    _case("S17 peek DAS", (2, 0, 0, 1, 0, 2, 3, 0, 2, 4), (6, 6), 10, 2),
    _case("S17 obo DAS any-cards", (0, 0, 1, 1, 1, 4, 2, 1, 1, 4), (6, 6), 5, 3),
    _case("S17 obo DAS any-cards", (0, 0, 0, 1, 2, 4, 0, 2, 1, 4), (6, 6), 10, 3),
    _case("S17 obo noDAS", (4, 2, 0, 0, 0, 0, 4, 0, 0, 5), (7, 7), 1, 2),
    _case("S17 obo noDAS", (1, 1, 2, 0, 1, 1, 4, 1, 0, 2), (7, 7), 1, 2),
    _case("H17 peek DAS 9-11", (2, 0, 1, 1, 0, 1, 4, 3, 1, 3), (7, 7), 3, 2),
    _case("S17 obo DAS", (0, 0, 1, 0, 3, 0, 4, 1, 1, 4), (7, 7), 7, 2),
    _case("H17 enhc DAS", (0, 1, 2, 1, 0, 0, 4, 0, 1, 5), (7, 7), 10, 2),
    _case("S17 peek DAS", (1, 0, 0, 1, 0, 0, 5, 2, 1, 3), (7, 7), 1, 3),
    _case("H17 obo DAS", (0, 0, 1, 1, 1, 0, 5, 1, 1, 4), (7, 7), 8, 3),
    _case("S17 peek DAS 9-11", (0, 0, 0, 2, 0, 0, 3, 0, 2, 6), (7, 7), 10, 3),
    _case("S17 enhc noDAS", (2, 0, 0, 0, 1, 0, 3, 0, 4, 6), (7, 7), 10, 3),
    _case("H17 peek DAS 9-11 hard-only", (1, 0, 1, 0, 0, 0, 0, 6, 2, 1), (8, 8), 1, 2),
    _case("H17 obo noDAS", (2, 0, 1, 0, 0, 2, 1, 3, 1, 4), (8, 8), 1, 2),
    _case("H17 obo DAS any-cards", (3, 0, 2, 1, 2, 1, 0, 5, 0, 0), (8, 8), 6, 2),
    _case("H17 obo DAS any-cards", (3, 0, 1, 0, 0, 0, 0, 4, 2, 6), (8, 8), 9, 2),
    _case("S17 enhc DAS", (0, 0, 1, 0, 1, 1, 1, 5, 1, 4), (8, 8), 10, 2),
    _case("S17 peek DAS", (2, 0, 1, 0, 0, 0, 0, 4, 0, 9), (8, 8), 1, 3),
    _case("H17 enhc noDAS", (2, 1, 0, 0, 1, 0, 0, 3, 1, 7), (8, 8), 1, 3),
    _case("H17 enhc DAS", (1, 0, 1, 1, 1, 1, 1, 3, 1, 5), (8, 8), 5, 3),
    _case("H17 enhc DAS", (0, 0, 1, 0, 2, 1, 2, 5, 1, 4), (8, 8), 7, 3),
    _case("H17 obo DAS 9-11", (0, 1, 1, 1, 0, 1, 2, 3, 0, 6), (8, 8), 10, 3),
    _case("H17 obo noDAS", (0, 1, 0, 1, 0, 1, 1, 6, 2, 4), (8, 8), 10, 4),
    _case("H17 obo noDAS", (0, 0, 0, 1, 0, 2, 2, 3, 2, 4), (8, 8), 10, 4),
    _case("H17 peek noDAS", (3, 0, 1, 0, 0, 1, 0, 0, 4, 6), (9, 9), 1, 2),
    _case("H17 peek DAS", (0, 0, 1, 2, 2, 0, 2, 2, 4, 1), (9, 9), 4, 2),
    _case("H17 peek DAS", (1, 1, 1, 0, 1, 0, 1, 0, 6, 4), (9, 9), 9, 2),
    _case("S17 obo DAS hard-only", (0, 0, 1, 0, 0, 1, 2, 0, 7, 2), (9, 9), 10, 2),
    _case("S17 enhc DAS any-cards", (2, 0, 2, 1, 0, 0, 1, 1, 5, 4), (9, 9), 1, 3),
    _case("S17 peek DAS 9-11", (0, 1, 0, 0, 1, 1, 3, 0, 5, 4), (9, 9), 6, 3),
    _case("S17 enhc DAS any-cards", (1, 0, 2, 0, 0, 0, 0, 1, 6, 3), (9, 9), 10, 3),
    _case("H17 peek DAS 9-11", (1, 2, 1, 1, 0, 1, 2, 0, 3, 5), (9, 9), 1, 4),
    _case("S17 peek DAS", (5, 1, 0, 0, 1, 0, 3, 0, 1, 5), (10, 10), 1, 2),
    _case("S17 peek noDAS", (0, 1, 1, 1, 1, 0, 1, 1, 0, 4), (10, 10), 2, 2),
    _case("S17 enhc noDAS hard-only", (1, 0, 0, 1, 5, 2, 2, 0, 1, 2), (10, 10), 6, 2),
    _case("S17 enhc DAS", (2, 2, 0, 2, 3, 1, 1, 0, 0, 5), (10, 10), 10, 2),
    _case("S17 obo DAS", (2, 1, 0, 0, 2, 2, 0, 1, 0, 8), (10, 10), 1, 3),
    _case("S17 peek noDAS", (0, 0, 2, 4, 2, 1, 0, 0, 0, 6), (10, 10), 5, 3),
    _case("S17 obo DAS", (1, 0, 1, 2, 0, 0, 2, 0, 0, 9), (10, 10), 10, 3),
    _case("H17 obo 10-11 any-cards", (4, 1, 0, 2, 0, 3, 0, 0, 0, 2), (1, 2, 4), 4, 1),
    _case("S17 enhc any-cards", (1, 2, 0, 2, 0, 0, 1, 2, 1, 2), (1, 2, 4), 4, 1),
    _case("H17 peek 9-11 any-cards hard-only", (2, 1, 1, 4, 2, 0, 0, 0, 1, 3), (1, 2, 4), 4, 1),
    _case("S17 obo 9-11 any-cards", (1, 2, 1, 0, 0, 1, 2, 0, 1, 4), (1, 2, 10), 2, 1),
    _case("H17 enhc any-cards", (2, 2, 0, 1, 1, 0, 1, 1, 0, 2), (1, 2, 10), 2, 1),
    _case("S17 peek 10-11 any-cards", (1, 3, 0, 0, 1, 1, 1, 1, 0, 3), (1, 2, 10), 2, 1),
    _case("S17 obo any-cards", (2, 2, 0, 0, 1, 1, 3, 1, 0, 5), (1, 6), 5, 1),
    _case("H17 peek 10-11", (2, 0, 0, 0, 2, 1, 0, 1, 1, 4), (1, 6), 5, 1),
    _case("H17 enhc 9-11", (3, 0, 1, 0, 1, 1, 0, 1, 0, 3), (1, 6), 5, 1),
    _case("H17 obo any-cards", (3, 0, 1, 0, 1, 0, 3, 0, 2, 6), (1, 7), 3, 1),
    _case("H17 enhc any-cards hard-only", (3, 0, 1, 1, 0, 0, 2, 1, 0, 8), (1, 7), 3, 1),
    _case("S17 peek 10-11", (2, 0, 1, 0, 1, 0, 3, 0, 1, 3), (1, 7), 3, 1),
    _case("H17 obo any-cards", (3, 1, 1, 0, 0, 2, 2, 1, 2, 2), (1, 8), 6, 1),
    _case("S17 peek 9-11 hard-only", (2, 1, 3, 0, 2, 2, 0, 1, 1, 1), (1, 8), 6, 1),
    _case("S17 enhc 10-11", (1, 0, 4, 1, 2, 2, 0, 2, 1, 1), (1, 8), 6, 1),
    _case("H17 obo any-cards", (2, 0, 1, 1, 2, 0, 1, 0, 1, 6), (4, 5), 3, 1),
    _case("H17 peek any-cards", (3, 0, 1, 1, 1, 0, 2, 0, 1, 4), (4, 5), 3, 1),
    _case("S17 enhc 10-11", (2, 1, 1, 1, 2, 1, 1, 0, 1, 3), (4, 5), 3, 1),
    _case("H17 peek any-cards", (1, 1, 1, 1, 1, 2, 2, 2, 1, 2), (5, 4, 3), 10, 1),
    _case("S17 obo 10-11 any-cards", (1, 0, 1, 2, 1, 1, 2, 2, 2, 3), (5, 4, 3), 10, 1),
    _case("H17 enhc any-cards", (0, 0, 1, 1, 1, 0, 4, 1, 0, 2), (5, 4, 3), 10, 1),
    _case("S17 obo 9-11", (3, 1, 0, 0, 1, 2, 0, 0, 2, 2), (5, 6), 1, 1),
    _case("H17 enhc any-cards hard-only", (1, 0, 1, 0, 1, 2, 2, 1, 4, 2), (5, 6), 1, 1),
    _case("S17 peek 10-11", (1, 1, 0, 0, 1, 1, 1, 1, 1, 3), (5, 6), 1, 1),
    _case("S17 peek any-cards", (0, 1, 0, 1, 1, 2, 2, 2, 2, 5), (5, 6), 10, 1),
    _case("H17 obo 9-11", (2, 0, 1, 0, 2, 1, 0, 2, 1, 2), (5, 6), 10, 1),
    _case("S17 enhc any-cards hard-only", (3, 0, 0, 0, 1, 1, 1, 0, 1, 3), (5, 6), 10, 1),
    _case("S17 peek any-cards", (2, 0, 0, 2, 0, 1, 1, 1, 2, 4), (6, 4), 1, 1),
    _case("H17 obo 9-11", (1, 0, 1, 1, 0, 3, 2, 1, 3, 1), (6, 4), 1, 1),
    _case("S17 enhc any-cards", (1, 0, 0, 3, 0, 1, 2, 2, 0, 4), (6, 4), 1, 1),
    _case("H17 enhc any-cards", (0, 1, 1, 1, 0, 0, 2, 5, 0, 2), (8, 3), 8, 1),
    _case("S17 peek 10-11", (2, 1, 2, 0, 0, 1, 0, 4, 0, 1), (8, 3), 8, 1),
    _case("H17 obo any-cards hard-only", (1, 0, 2, 1, 0, 1, 2, 3, 0, 4), (8, 3), 8, 1),
    _case("S17 enhc 9-11", (0, 1, 1, 0, 2, 1, 3, 0, 2, 4), (9, 2), 6, 1),
    _case("H17 peek any-cards", (1, 1, 0, 0, 1, 1, 4, 1, 2, 3), (9, 2), 6, 1),
    _case("S17 obo 10-11", (2, 1, 2, 0, 0, 1, 1, 1, 2, 3), (9, 2), 6, 1),
    _case("S17 enhc any-cards", (0, 3, 1, 1, 1, 0, 1, 0, 1, 3), (10, 2), 4, 1),
    _case("H17 peek 9-11 hard-only", (1, 2, 2, 3, 0, 1, 0, 0, 0, 2), (10, 2), 4, 1),
    _case("S17 obo any-cards", (1, 1, 2, 1, 1, 2, 0, 0, 2, 2), (10, 2), 4, 1),
    _case("S17 obo any-cards", (1, 0, 0, 0, 2, 2, 0, 2, 1, 3), (10, 6), 9, 1),
    _case("H17 enhc 9-11", (1, 0, 0, 0, 0, 1, 3, 1, 1, 3), (10, 6), 9, 1),
    _case("S17 peek any-cards", (1, 1, 0, 0, 0, 1, 3, 0, 3, 4), (10, 6), 9, 1),
    _case("H17 enhc 10-11", (1, 0, 0, 0, 1, 1, 1, 0, 1, 8), (10, 10), 6, 1),
    _case("S17 peek any-cards", (2, 0, 1, 1, 1, 1, 0, 0, 3, 7), (10, 10), 6, 1),
    _case("H17 obo 9-11", (0, 0, 0, 1, 0, 1, 0, 0, 1, 11), (10, 10), 6, 1),
]
