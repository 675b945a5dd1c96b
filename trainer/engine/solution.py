"""A solved rule set: what every move is worth on every hand against every upcard."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from trainer.engine.actions import Action, legal_actions
from trainer.engine.cards import ACE, RANKS, TEN, Card, full_shoe
from trainer.engine.dealer import FINAL_TOTALS
from trainer.engine.errors import ImpossibleHandError
from trainer.engine.hands import Hand
from trainer.engine.lattice import FloatArray, Lattice, hands_of, pair_row
from trainer.engine.odds import DealerOdds
from trainer.engine.player import Table, after_peek, best_moves, double_mask
from trainer.engine.rules import Rules
from trainer.engine.split import SplitResult, add_up, play_pairs

SURRENDER_VALUE = -0.5


@dataclass(frozen=True, eq=False)
class Solution:
    """The exact table of one rule set, from a full shoe.

    ``stand``, ``hit``, ``double`` (hands, 10): EVs in original bets, whether or not the rules
    allow the move on the hand; given no dealer's natural where the game peeks, unconditional
    elsewhere. Split hands are played as :mod:`trainer.engine.split` says. ``split`` (11, 10):
    by pair rank, NaN where the rules do not allow it; the last row is for tens of the upcard's own face
    where pairs go by rank. ``dealer_totals`` (hands, 10, 5) and ``natural`` (hands, 10): the dealer's chances
    before any peek. What the shoe cannot deal is NaN. Immutable, shared by all threads.
    """

    rules: Rules
    stand: FloatArray
    hit: FloatArray
    double: FloatArray
    split: FloatArray
    dealer_totals: FloatArray
    natural: FloatArray

    def __post_init__(self) -> None:
        for array in (self.stand, self.hit, self.double, self.split, self.dealer_totals, self.natural):
            array.setflags(write=False)

    @property
    def lattice(self) -> Lattice:
        """The hands, in the order of the rows."""
        return hands_of(full_shoe(self.rules.decks))

    def row(self, hand: Hand, upcard: Card) -> int:
        """The hand's row; ``ImpossibleHandError`` where the shoe cannot deal it with that upcard."""
        row = self.lattice.rows.get(hand.composition)
        if row is None or not np.isfinite(self.stand[row, upcard.rank - 1]):
            raise ImpossibleHandError(f"this shoe cannot deal {hand} against {upcard}")
        return row

    def evs(self, hand: Hand, upcard: Card) -> Mapping[Action, float]:
        """Every legal move's EV on a first hand, in the order of :class:`Action`.

        Conditioned on no dealer's natural where the game peeks, but for the one decision that
        comes before the peek: see :func:`is_before_peek`.

        >>> from trainer.engine.cards import Card
        >>> evs = solve(Rules()).evs(Hand.parse("A7"), Card("6"))
        >>> max(evs, key=evs.get).value, round(evs[Action.DOUBLE], 4)
        ('double', 0.3828)
        """
        row, column = self.row(hand, upcard), upcard.rank - 1
        if hand.is_natural:
            return {Action.STAND: natural_value(self.rules, float(self.natural[row, column]))}
        values = {
            Action.STAND: self.stand[row, column],
            Action.HIT: self.hit[row, column],
            Action.DOUBLE: self.double[row, column],
            Action.SPLIT: self.split[_split_row(hand, upcard), column],
        }
        if is_before_peek(self.rules, len(hand.cards), upcard.rank):
            natural = self.natural[row, column]
            values = {action: before_peek(value, natural) for action, value in values.items()}
        values[Action.SURRENDER] = SURRENDER_VALUE
        return {action: float(values[action]) for action in legal_actions(self.rules, hand.cards)}

    def dealer_outcomes(self, hand: Hand, upcard: Card) -> Mapping[str, float]:
        """The dealer's chances with these cards out: ``bust``, ``17`` to ``21``, ``natural``.

        Conditioned as :meth:`evs` is. They add up to 1.
        """
        row, column = self.row(hand, upcard), upcard.rank - 1
        after_peek = self.rules.is_peek and not is_before_peek(self.rules, len(hand.cards), upcard.rank)
        return outcome_chances(
            self.dealer_totals[row, column], float(self.natural[row, column]), is_after_peek=after_peek)


def solve(rules: Rules, odds: DealerOdds | None = None) -> Solution:
    """Solve a rule set from a full shoe.

    ``odds`` may be kept from another rule set with as many decks and the same soft-17 rule, to save time.
    """
    return solve_table(full_table(rules, odds))


def full_table(rules: Rules, odds: DealerOdds | None = None) -> Table:
    """Every hand of a full shoe against every upcard."""
    shoe = full_shoe(rules.decks)
    if odds is None:
        odds = DealerOdds(shoe, rules.dealer_hits_soft_17)
    return Table(rules, hands_of(shoe), odds)


def solve_table(table: Table) -> Solution:
    """The exact table of a full shoe."""
    rules = table.rules
    results = exact_splits(table)
    split = np.full((len(RANKS) + 1, len(table.upcards)), np.nan)
    for (rank, is_upcard_face), result in results.items():
        pair = pair_row(table.lattice, rank)
        shown = np.where(table.possible[pair], as_shown(rules, result.value, table.natural[pair]), np.nan)
        split[10 if is_upcard_face else rank - 1] = shown
    if (TEN, True) not in results:
        split[10] = split[TEN - 1]
    stand, hit, double = (
        np.where(table.possible, as_shown(rules, values, table.natural), np.nan)
        for values in (table.stand, exact_hit(table), table.double)
    )
    # The natural is read from a fresh array: the table's own must stay writable for others.
    return Solution(rules, stand, hit, double, split, table.odds.totals(table.lattice.compositions),
                    table.natural.copy())


def exact_hit(table: Table) -> FloatArray:
    """Hitting and then always making the best move on a hand that came by hitting."""
    return table.hit(double_mask(table.rules, table.lattice, is_split=False))


def exact_splits(table: Table, *, with_counts: bool = False) -> dict[tuple[int, bool], SplitResult]:
    """Splitting each rank that may be split, the hands played as unsplit hands of the same cards would be.

    Unsplit, but under the rules after a split: without doubling there, no later double counts for a hit.

    Keys are (rank, whether the pair is of the upcard's own face); the second is true only
    for tens where pairs go by rank, and then means something against a ten only.
    """
    rules = table.rules
    doubles = double_mask(rules, table.lattice, is_split=True)
    moves = best_moves(table, table.hit(doubles), doubles)
    return split_results(table, moves, with_counts=with_counts)


def split_results(table: Table, moves: np.ndarray, *, with_counts: bool = False) -> dict[tuple[int, bool], SplitResult]:
    """:func:`exact_splits` for any policy ``moves`` (hands, upcards) after a split, from a full shoe."""
    rules = table.rules
    ranks = [rank for rank in RANKS if rules.can_split_rank(rank)]
    results: dict[tuple[int, bool], SplitResult] = {}
    for rank, play in play_pairs(table, ranks, moves, with_counts=with_counts).items():
        if rank == TEN and rules.split_by == "rank":
            of_face = np.full(len(table.upcards), 4.0 * rules.decks - 2.0)
            results[rank, False] = add_up(table, play, of_face)
            results[rank, True] = add_up(table, play, of_face - (table.upcards == TEN))
        else:
            results[rank, False] = add_up(table, play)
    return results


def as_shown(rules: Rules, values: FloatArray, natural: FloatArray) -> FloatArray:
    """Unconditional values as the game shows them: given no natural where the dealer peeks."""
    return after_peek(values, natural) if rules.is_peek else values


def before_peek(values: FloatArray, natural: FloatArray) -> FloatArray:
    """The inverse of :func:`trainer.engine.player.after_peek`: a dealer's natural, which costs one bet, put back."""
    return values * (1.0 - natural) - natural


def is_before_peek(rules: Rules, card_count: int, upcard: int) -> bool:
    """Whether the decision comes before the dealer has looked: early surrender against an ace or a ten."""
    return rules.is_peek and rules.surrender == "early" and card_count == 2 and upcard in (ACE, TEN)


def natural_value(rules: Rules, natural: float) -> float:
    """What the player's natural is worth as the game shows it; it pushes against the dealer's."""
    return float(rules.blackjack_payout) * (1.0 if rules.is_peek else 1.0 - natural)


def outcome_chances(totals: FloatArray, natural: float, *, is_after_peek: bool) -> dict[str, float]:
    """The dealer's outcomes by name, from (5,) chances before the peek and the chance of a natural."""
    seen = 1.0 - natural if is_after_peek else 1.0
    named = {str(total): float(chance) / seen for total, chance in zip(FINAL_TOTALS, totals, strict=True)}
    hidden = 0.0 if is_after_peek else natural
    return {"bust": 1.0 - sum(named.values()) - hidden, **named, "natural": hidden}


def full_shoe_outcomes(rules: Rules) -> Mapping[int, Mapping[str, float]]:
    """The dealer's outcomes by upcard rank from a full shoe of which nothing else is known.

    Given no natural where the game peeks; named and adding up as in :func:`outcome_chances`.
    """
    odds = DealerOdds(full_shoe(rules.decks), rules.dealer_hits_soft_17)
    nothing = np.zeros((1, len(RANKS)), dtype=np.int64)
    totals, naturals = odds.totals(nothing)[0], odds.naturals(nothing)[0].tolist()
    return {rank: outcome_chances(totals[rank - 1], naturals[rank - 1], is_after_peek=rules.is_peek) for rank in RANKS}


def _split_row(hand: Hand, upcard: Card) -> int:
    """The row of ``Solution.split`` that holds for these very cards."""
    first = hand.cards[0]
    return len(RANKS) if first.rank == TEN and first.face == upcard.face else first.rank - 1
