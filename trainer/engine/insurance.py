"""Insurance and even money, from every card the player can see."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from trainer.engine.cards import ACE, CARDS_PER_DECK, RANKS, TEN, Card, composition_of, full_shoe, label_of
from trainer.engine.errors import ImpossibleHandError
from trainer.engine.hands import Hand
from trainer.engine.rules import Rules

BREAK_EVEN_SHARE = Fraction(1, 3)
# What people mean by a good hand when they insure one.
GOOD_TOTAL = 19


@dataclass(frozen=True)
class Habit:
    """A way of taking insurance, priced from a full shoe.

    ``often``: chance per round of taking it; ``ev``: what it adds to a round, in original bets. The insurance bet is
    half the original one; on a natural even money is taken.
    """

    often: float
    ev: float

    @property
    def ev_each_time(self) -> float:
        """What it adds each time it is taken, in original bets."""
        return self.ev / self.often


def is_insurance_offered(rules: Rules, upcard: int) -> bool:
    """With an ace up, where the rules have insurance at all."""
    return rules.insurance != "none" and upcard == ACE


def ten_share(rules: Rules, seen: Sequence[Card]) -> float:
    """Chance that the hole card is a ten, given all the ``seen`` cards, the upcard and the hand among them."""
    tens, cards = _unseen(rules, seen)
    return tens / cards


def insurance_ev(rules: Rules, seen: Sequence[Card]) -> float:
    """EV of insurance, per unit of the insurance bet; it pays 2 to 1 on a ten in the hole.

    >>> round(insurance_ev(Rules(), [Card("A")]), 6)
    -0.073955
    """
    return ev_of_share(ten_share(rules, seen))


def ev_of_share(share: float) -> float:
    """EV of a unit of insurance where the hole card is a ten with this chance."""
    return 3.0 * share - 1.0


def even_money_evs(rules: Rules, seen: Sequence[Card]) -> tuple[float, float]:
    """EV of taking even money on a natural, and of declining it, before the dealer looks.

    Even money is insurance of the whole hand: one bet won whatever the dealer has.
    """
    return insurance_evs(rules, *_unseen(rules, seen), is_natural=True)


def insurance_evs(rules: Rules, tens: int, cards: int, *, is_natural: bool) -> tuple[float, float]:
    """EV of insurance and of declining it, in original bets, before the dealer looks under the ace.

    ``tens`` of the ``cards`` that the hole card may be are tens. Insurance is half a bet at 2 to 1, beside the hand; of
    a natural it is even money, priced against what declining wins. Exact to the last digit, so that no tie looks like
    a gain.

    >>> insurance_evs(Rules(), 32, 96, is_natural=False), insurance_evs(Rules(), 95, 309, is_natural=True)[0]
    ((0.0, 0.0), 1.0)
    """
    share = Fraction(tens, cards)
    if is_natural:
        return 1.0, float(rules.blackjack_payout * (1 - share))
    return float((3 * share - 1) / 2), 0.0


def ten_share_left(rules: Rules, tens: int, others: int) -> float:
    """:func:`ten_share` by counts: so many tens and so many other cards are seen, the dealer's ace among the others."""
    tens_left = full_shoe(rules.decks)[TEN - 1] - tens
    others_left = rules.decks * CARDS_PER_DECK - full_shoe(rules.decks)[TEN - 1] - others
    if min(tens_left, others_left) < 0 or not tens_left + others_left:
        raise ImpossibleHandError(f"{rules.decks} decks do not hold {tens} tens and {others} other cards "
                                  "and a hole card beside them")
    return tens_left / (tens_left + others_left)


def price_of_habit(rules: Rules, takes: Callable[[Hand], bool]) -> Habit:
    """Price taking insurance, or even money on a natural, with the hands that ``takes`` is true of.

    Also where the rules offer none. Exact, over all first hands beside the dealer's ace.
    """
    often, ev = 0.0, 0.0
    for hand, chance in _hands_against_ace(rules):
        if takes(hand):
            often += chance
            ev += chance * _gain(rules, hand)
    return Habit(often, ev)


def insures_all(_hand: Hand) -> bool:
    """Insurance on every hand, even money on every natural."""
    return True


def insures_good(hand: Hand) -> bool:
    """Insurance on a hard or soft 19 or 20; naturals are told apart."""
    return hand.total >= GOOD_TOTAL and not hand.is_natural


def insures_naturals(hand: Hand) -> bool:
    """Even money on every natural, no insurance beside."""
    return hand.is_natural


def _unseen(rules: Rules, seen: Sequence[Card]) -> tuple[int, int]:
    """The tens and all the cards that are left of the shoe."""
    left = [held - gone for held, gone in zip(full_shoe(rules.decks), composition_of(seen), strict=True)]
    if min(left) < 0 or not sum(left):
        raise ImpossibleHandError(f"the shoe does not hold all of the {len(seen)} cards seen")
    return left[TEN - 1], sum(left)


def _hands_against_ace(rules: Rules) -> Iterator[tuple[Hand, float]]:
    """Every first hand and its chance per round, together with the dealer's ace."""
    shoe = [held - (rank == ACE) for rank, held in zip(RANKS, full_shoe(rules.decks), strict=True)]
    cards = sum(shoe)
    ace_up = (cards + 1 - sum(shoe[1:])) / (cards + 1)
    for first in RANKS:
        for second in range(first, TEN + 1):
            ways = shoe[first - 1] * (shoe[second - 1] - (first == second)) * (1 if first == second else 2)
            hand = Hand((Card(label_of(first)), Card(label_of(second))))
            yield hand, ace_up * ways / (cards * (cards - 1))


def _gain(rules: Rules, hand: Hand) -> float:
    """What insuring this hand adds, in original bets."""
    seen = (Card("A"), *hand.cards)
    if not hand.is_natural:
        return insurance_ev(rules, seen) / 2.0
    taken, declined = even_money_evs(rules, seen)
    return taken - declined
