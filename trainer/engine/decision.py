"""One decision from any shoe: the cards in front of the player, and any cards already seen."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from trainer.engine.actions import Action, legal_actions
from trainer.engine.cards import CARDS_PER_DECK, TEN, Card, composition_of, full_shoe, label_of
from trainer.engine.distribution import (
    NOT_BUST,
    double_distribution,
    follow_distribution,
    given_no_natural,
    named,
    named_natural,
    stand_distribution,
)
from trainer.engine.errors import ImpossibleHandError
from trainer.engine.hands import Hand
from trainer.engine.lattice import FloatArray, all_hands
from trainer.engine.odds import DealerOdds
from trainer.engine.player import Table, after_peek, best_moves, double_mask
from trainer.engine.rules import Rules
from trainer.engine.solution import SURRENDER_VALUE, is_before_peek, natural_value, outcome_chances
from trainer.engine.split import add_up, play_pairs

_FACES_PER_DECK = 4
# From fewer cards than this the dealer, or a hand that hits, could run out of them, and odds would not be exact.
FEWEST_CARDS_LEFT = 30


@dataclass(frozen=True)
class Decision:
    """Every legal move of one hand.

    ``evs`` in original bets, in the order of ``Action``; ``results``: for stand, hit, double and surrender
    the distribution of the result by name (see ``distribution.RESULT_NAMES``; half a bet lost by a surrender has
    its own); ``busts``: for the same moves the chance that the hand itself goes over 21, which is a part of what is
    lost; ``dealer``: chances of ``bust``, ``17`` to ``21`` and ``natural``. All given that
    the dealer has no natural where ``is_after_peek``, else unconditional.
    """

    hand: Hand
    upcard: Card
    evs: Mapping[Action, float]
    results: Mapping[Action, Mapping[str, float]]
    busts: Mapping[Action, float]
    dealer: Mapping[str, float]
    is_after_peek: bool

    @property
    def best(self) -> Action:
        """The move with the highest EV; of equals the first in the order of ``Action``."""
        return max(self.evs, key=lambda action: self.evs[action])


def decide(rules: Rules, hand: Hand, upcard: Card, seen: Sequence[Card] = (), *, hands: int = 1) -> Decision:
    """Work out a hand exactly, from the full shoe less the cards ``seen`` elsewhere.

    ``hands`` is how many hands the box holds; with more than one the hand comes from a split, its sisters' cards are
    among ``seen``, and its EVs are of this hand alone, for one original bet of its own. What the sisters are worth
    is the same whatever is done here, as long as they are played by a fixed policy, so that the moves differ by
    just that; left out is that a re-split takes the sisters' room for theirs. A dealer's natural counts
    as it does on a first hand: under ``obo`` it takes one bet of this hand, which shifts all moves alike.

    Raises ``ImpossibleHandError`` where the shoe does not hold all of these cards, or so few
    others that the dealer could not finish.

    >>> decision = decide(Rules(), Hand.parse("10 6"), Card("T"))
    >>> decision.best.value, round(decision.evs[Action.HIT], 6)
    ('hit', -0.534676)
    """
    if len(hand.cards) < 2:
        raise ImpossibleHandError(f"{hand} is one card; a hand to decide has two or more")
    require_cards(rules, (*hand.cards, upcard, *seen))
    legal = legal_actions(rules, hand.cards, hands=hands)
    if Action.SPLIT in legal and hands > 1:  # it may become as many hands as the box has room for
        rules = replace(rules, max_split_hands=rules.max_split_hands - hands + 1)
    is_split = hands > 1
    shoe = np.array(full_shoe(rules.decks)) - np.array(composition_of(seen))
    # A split starts from a single card, so the hands that hold one of the pair are needed then.
    base = composition_of(hand.cards[:1]) if Action.SPLIT in legal else hand.composition
    lattice = all_hands().restricted_to(shoe, base)
    table = Table(rules, lattice, DealerOdds(shoe, rules.dealer_hits_soft_17, upcard.rank))
    row = lattice.rows[hand.composition]
    natural = float(table.natural[row, 0])
    sees = rules.is_peek and (is_split or not is_before_peek(rules, len(hand.cards), upcard.rank))
    totals = table.odds.totals(lattice.compositions[row : row + 1])[0, 0]
    dealer = outcome_chances(totals, natural, is_after_peek=sees)
    if hand.is_natural and not is_split:
        return Decision(hand, upcard, {Action.STAND: natural_value(rules, natural)},
                        {Action.STAND: named_natural(0.0 if rules.is_peek else natural)}, {Action.STAND: 0.0},
                        dealer, sees)
    hit = table.hit(double_mask(rules, lattice, is_split=is_split))
    values = _values(table, row, hit, legal, hand, upcard, seen)
    ends = _ends(table, row, hit, is_split=is_split)
    if sees:
        values = {action: float(after_peek(np.array(value), np.array(natural))) for action, value in values.items()}
        ends = {action: given_no_natural(end, natural) for action, end in ends.items()}
    played = 1.0 - natural if rules.is_peek and not sees else 1.0
    busts = {action: max(0.0, played - float(end[NOT_BUST])) for action, end in ends.items()}
    values[Action.SURRENDER] = SURRENDER_VALUE
    results = {action: named(end) for action, end in ends.items()} | {Action.SURRENDER: {"lose half": 1.0}}
    return Decision(
        hand, upcard,
        {action: values[action] for action in legal},
        {action: results[action] for action in legal if action in results},
        {action: (busts | {Action.SURRENDER: 0.0})[action] for action in legal if action in results},
        dealer, sees,
    )


def dealer_outcomes(
    rules: Rules, hand: Hand, upcard: Card, seen: Sequence[Card] = (), *, is_after_peek: bool
) -> Mapping[str, float]:
    """The dealer's chances of ``bust``, ``17`` to ``21`` and ``natural``, with the hand and the cards ``seen`` out.

    Given that the dealer has no natural where ``is_after_peek``, else unconditional.
    """
    odds = DealerOdds(np.array(full_shoe(rules.decks)) - np.array(composition_of(seen)), rules.dealer_hits_soft_17,
                      upcard.rank)
    removed = np.array([hand.composition])
    return outcome_chances(odds.totals(removed)[0, 0], float(odds.naturals(removed)[0, 0]),
                           is_after_peek=is_after_peek)


def countable(rules: Rules, hand: Hand, seen: Sequence[Card]) -> Sequence[Card]:
    """Of the cards ``seen`` elsewhere as many, the latest ones, as leave enough unseen for exact odds.

    The others are taken to be back in the shoe.
    """
    room = rules.decks * CARDS_PER_DECK - len(hand.cards) - 1 - FEWEST_CARDS_LEFT
    return seen[max(len(seen) - room, 0) :]


def _values(
    table: Table, row: int, hit: FloatArray, legal: Sequence[Action], hand: Hand, upcard: Card, seen: Sequence[Card]
) -> dict[Action, float]:
    """Unconditional values of stand, hit, double and, where it is legal, split."""
    values = {
        Action.STAND: float(table.stand[row, 0]),
        Action.HIT: float(hit[row, 0]),
        Action.DOUBLE: float(table.double[row, 0]),
    }
    if Action.SPLIT in legal:
        rank = hand.cards[0].rank
        doubles = double_mask(table.rules, table.lattice, is_split=True)
        moves = best_moves(table, table.hit(doubles), doubles)
        play = play_pairs(table, [rank], moves)[rank]
        left = None
        if rank == TEN and table.rules.split_by == "rank":
            out = sum(card.face == hand.cards[0].face for card in (*hand.cards, upcard, *seen))
            # Tens named T may be of any face, so that there can seem to be more of one than there are tens.
            tens = float(table.odds.shoe[TEN - 1]) - 2.0 - (upcard.rank == TEN)
            left = np.array([min(_FACES_PER_DECK * table.rules.decks - float(out), tens)])
        values[Action.SPLIT] = float(add_up(table, play, left).value[0])
    return values


def _ends(table: Table, row: int, hit: FloatArray, *, is_split: bool) -> dict[Action, FloatArray]:
    """Unconditional measures of stand, hit and double on the hand in ``row``."""
    moves = best_moves(table, hit, double_mask(table.rules, table.lattice, is_split=is_split))
    stand = stand_distribution(table)
    return {
        Action.STAND: stand[row, 0],
        Action.HIT: follow_distribution(table, moves)[0][row, 0],
        Action.DOUBLE: double_distribution(table, stand)[row, 0],
    }


def require_cards(rules: Rules, cards: Sequence[Card]) -> None:
    """``ImpossibleHandError`` where the shoe does not hold the cards, or not enough beside them.

    ``T`` also stands for a ten-value card of any face, so only tens as a whole are limited.
    """
    shoe = "the deck holds" if rules.decks == 1 else f"{rules.decks} decks hold"
    for rank, (held, used) in enumerate(zip(full_shoe(rules.decks), composition_of(cards), strict=True), start=1):
        if used > held:
            raise ImpossibleHandError(f"{shoe} {held} cards of rank {label_of(rank)}, and {used} are named")
    for face, used in Counter(card.face for card in cards if card.face in "JQK").items():
        if used > _FACES_PER_DECK * rules.decks:
            raise ImpossibleHandError(f"{shoe} {_FACES_PER_DECK * rules.decks} of {face}, and {used} are named")
    for card, used in Counter(card for card in cards if card.suit).items():
        if used > rules.decks:
            raise ImpossibleHandError(f"{shoe} {rules.decks} of {card}, and {used} are named")
    left = rules.decks * CARDS_PER_DECK - len(cards)
    if left < FEWEST_CARDS_LEFT:
        raise ImpossibleHandError(
            f"only {left} cards would be left; below {FEWEST_CARDS_LEFT} someone could run out of them")

