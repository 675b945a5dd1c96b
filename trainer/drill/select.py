"""Dealing the next hand of a plan, as real cards."""

from collections import Counter
from fractions import Fraction
from random import Random

from trainer.drill.plan import Mode, Plan
from trainer.drill.pool import Candidate, NothingToDealError, pool_for, pool_of_cell
from trainer.drill.situation import Situation, UnseenCards
from trainer.engine.actions import Action, legal_actions
from trainer.engine.cards import ACE, CARDS_PER_DECK, FACES, RANKS, SUITS, TEN, Card, full_shoe
from trainer.engine.chart import Cell
from trainer.engine.errors import ImpossibleHandError
from trainer.engine.hands import Hand
from trainer.engine.insurance import BREAK_EVEN_SHARE
from trainer.engine.rules import Rules
from trainer.engine.strategy import Strategy

# How deep into the shoe insurance is asked, as the share of cards that are gone.
_PENETRATION = (0.25, 0.75)
_NATURAL_SHARE = 0.25
_TRIES = 60
_MOST_SHOES = 400


def deal(rules: Rules, strategy: Strategy, plan: Plan, random: Random) -> Situation:
    """The next hand of any mode that needs no history.

    The same generator state gives the same hand. ``NothingToDealError`` where the rules have none.
    """
    if plan.mode is Mode.INSURANCE:
        return _deal_insurance(rules, random)
    return _realise(rules, strategy, pool_for(strategy, plan).pick(random.random()), random)


def deal_cell(rules: Rules, strategy: Strategy, cell: Cell, random: Random) -> Situation:
    """A hand that a cell of the chart decides, by frequency; ``NothingToDealError`` where the rules have none."""
    return _realise(rules, strategy, pool_of_cell(strategy, cell).pick(random.random()), random)


def deal_other(rules: Rules, strategy: Strategy, last: Situation | None, random: Random) -> Situation:
    """Any hand as a real shoe deals it, but not the same ranks and upcard as the last one again."""
    while True:
        situation = deal(rules, strategy, Plan(), random)
        if last is None or not is_same_hand(situation, last):
            return situation


def is_same_hand(one: Situation, other: Situation) -> bool:
    """Whether two decisions are on the same ranks, whatever the suits; tens that pair by face are told apart."""
    return (one.hand.composition, one.upcard.rank, one.category, one.unseen) == (
        other.hand.composition, other.upcard.rank, other.category, other.unseen)


def _realise(rules: Rules, strategy: Strategy, candidate: Candidate, random: Random) -> Situation:
    hand, upcard = _real_cards(rules, candidate, random)
    if len(hand) > 2:
        hand = _order_of_play(strategy, hand, upcard, random)
    return Situation(rules, Hand(hand), upcard)


def _real_cards(rules: Rules, candidate: Candidate, random: Random) -> tuple[tuple[Card, ...], Card]:
    """Faces and suits for ranks, every card of the shoe as likely as another, in a chance order."""
    ranks = [rank for rank in RANKS for _ in range(candidate.composition[rank - 1])]
    while True:
        used: Counter[Card] = Counter()
        upcard = _draw(rules, candidate.upcard, used, random)
        hand = [_draw(rules, rank, used, random) for rank in ranks]
        if candidate.is_pair is None or (hand[0].face == hand[1].face) == candidate.is_pair:
            random.shuffle(hand)
            return tuple(hand), upcard


def _draw(rules: Rules, rank: int, used: Counter[Card], random: Random) -> Card:
    """A card of this rank that is still in the shoe."""
    faces = FACES[TEN - 1 :] if rank == TEN else FACES[rank - 1 : rank]
    while True:
        # Of the decks' copies of a card, those already out cannot come again.
        card = Card(random.choice(faces), random.choice(SUITS))
        if random.randrange(rules.decks) >= used[card]:
            used[card] += 1
            return card


def _order_of_play(strategy: Strategy, cards: tuple[Card, ...], upcard: Card, random: Random) -> tuple[Card, ...]:
    """An order in which the chart's hits lead to these cards, each such order as likely as another.

    Where a few tries find none it is searched for; as dealt where there is none.
    """
    for _ in range(_TRIES):
        order = tuple(random.sample(cards, len(cards)))
        if all(_is_hit(strategy, order[:count], upcard) for count in range(2, len(order))):
            return order
    return _continue(strategy, (), cards, upcard, random) or cards


def _continue(
    strategy: Strategy, held: tuple[Card, ...], rest: tuple[Card, ...], upcard: Card, random: Random
) -> tuple[Card, ...] | None:
    """The cards in ``held`` and then those of ``rest``, each drawn on a hit; ``None`` where that cannot be."""
    if not rest:
        return held
    if len(held) > 1 and not _is_hit(strategy, held, upcard):
        return None
    for place in random.sample(range(len(rest)), len(rest)):
        order = _continue(strategy, (*held, rest[place]), rest[:place] + rest[place + 1 :], upcard, random)
        if order:
            return order
    return None


def _is_hit(strategy: Strategy, cards: tuple[Card, ...], upcard: Card) -> bool:
    legal = legal_actions(strategy.rules, cards)
    return len(legal) > 1 and strategy.chart.move(Hand(cards), upcard, legal) == Action.HIT


def _deal_insurance(rules: Rules, random: Random) -> Situation:
    """A part-used shoe in which insuring is right as often as it is wrong; one hand in four is a natural.

    Where a natural's price leaves one answer out of reach, the other is dealt.
    """
    if rules.insurance == "none":
        raise NothingToDealError("these rules offer no insurance")
    wants_insurance = random.random() < 0.5
    natural = random.random() < _NATURAL_SHARE
    break_even = 1 - 1 / rules.blackjack_payout if natural else BREAK_EVEN_SHARE
    tries = 0
    while True:
        tries += 1
        used: Counter[Card] = Counter()
        upcard = _draw(rules, ACE, used, random)
        ranks = [ACE, TEN] if natural else [_rank(random), _rank(random)]
        hand = [_draw(rules, rank, used, random) for rank in ranks]
        random.shuffle(hand)
        unseen = _unseen(rules, Hand(tuple(hand)), random)
        try:
            situation = Situation(rules, Hand(tuple(hand)), upcard, unseen)
        except ImpossibleHandError:
            continue
        share = Fraction(unseen.tens, unseen.cards)
        is_wanted = (share != break_even and (share > break_even) == wants_insurance) or tries > _MOST_SHOES
        if situation.hand.is_natural == natural and is_wanted:
            return situation


def _unseen(rules: Rules, hand: Hand, random: Random) -> UnseenCards:
    """Deal cards at random from the rest of the shoe and count what is left."""
    shoe = full_shoe(rules.decks)
    tens = shoe[TEN - 1] - hand.composition[TEN - 1]
    cards = rules.decks * CARDS_PER_DECK - len(hand.cards) - 1
    gone = round(rules.decks * CARDS_PER_DECK * random.uniform(*_PENETRATION))
    for _ in range(min(gone, cards - 4)):
        tens -= random.random() * cards < tens
        cards -= 1
    return UnseenCards(tens, cards)


def _rank(random: Random) -> int:
    return min(random.randrange(len(FACES)) + 1, TEN)
