"""How the chart is derived from the exact values, by rounds, and what each cell rests on.

Every composition of a cell is weighed by the chance of holding it while playing the current chart:
two-card hands as dealt, longer ones as the chart's hits lead to them. A pair counts in its
total's cell with its dealing chance even where it is split, and plays on from there, since split hands meet
it again when no further split is allowed. All weights and values are unconditional: that
compares moves exactly as values and weights given no dealer's natural would, because such a
natural costs every move the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from trainer.engine.cards import ACE, RANKS, TEN
from trainer.engine.chart import ROWS, Chart
from trainer.engine.deal import deal_chances, reach_chances, same_face_shares
from trainer.engine.lattice import BoolArray, FloatArray, IntArray, pair_row
from trainer.engine.player import HIT, Table, double_mask, pick
from trainer.engine.policy import CELL_ROWS, TotalPolicy, cell_row, cell_rows
from trainer.engine.solution import SURRENDER_VALUE, before_peek, split_results

_MOST_ROUNDS = 20


@dataclass(frozen=True, eq=False)
class Derivation:
    """A derived chart with the values it was judged by.

    ``weights`` (hands, 10): chance of holding each hand, given the upcard, by the chart;
    ``hit`` and ``split``: unconditional values with later hands played by the chart, ``split``
    (10, 10) by rank, tens by face weighed over the upcard's faces, NaN where not allowed.
    ``margins`` by section, shaped like the chart's codes: by how much the cell's first move beats the best
    other move, on average over the hands on which both are open, as the game shows EVs. A pair that
    is played as its total has a margin below zero where another move would be better for
    that one pair. NaN where no hand makes the cell.
    """

    chart: Chart
    weights: FloatArray
    hit: FloatArray
    split: FloatArray
    margins: Mapping[str, FloatArray]
    rounds: int


def derive_chart(table: Table) -> Derivation:
    """The best chart for the rules of a full-shoe table, in one to three rounds as a rule."""
    dealt = deal_chances(table)
    policy = _first_guess(table, dealt)
    rounds, is_settled = 0, False
    while not is_settled and rounds < _MOST_ROUNDS:
        rounds += 1
        weights, hit = _weigh(table, dealt, policy)
        improved = _improve(table, weights, hit)
        is_settled = improved.plays_like(policy)
        policy = improved
    split = mean_splits(table, policy.moves(table, is_split=True))
    draft = _Draft(table, dealt, weights, hit, split, policy)
    return Derivation(draft.chart(), weights, hit, split, draft.margins(), rounds)


def mean_splits(table: Table, moves: IntArray) -> FloatArray:
    """(10, 10): unconditional split values under a policy, tens by face weighed over the upcard's faces."""
    split = np.full((len(RANKS), len(table.upcards)), np.nan)
    results = split_results(table, moves)
    for rank in RANKS:
        if (rank, False) in results:
            split[rank - 1] = results[rank, False].value
    if (TEN, True) in results:
        split[TEN - 1] = [
            np.average([results[TEN, face].value[column] for face in (False, True)],
                       weights=same_face_shares(table.rules.decks, int(upcard)))
            for column, upcard in enumerate(table.upcards)
        ]
    return split


def split_shares(table: Table) -> FloatArray:
    """(10, 10): of two-card hands of two cards of a rank, the share that may be split."""
    shares = np.array([[float(table.rules.can_split_rank(rank))] * len(table.upcards) for rank in RANKS])
    if table.rules.split_by == "rank":
        shares[TEN - 1] *= [sum(same_face_shares(table.rules.decks, int(upcard))) for upcard in table.upcards]
    return shares


def surrender_values(table: Table) -> FloatArray:
    """(hands, upcards): half the bet, unconditional; after a peek the natural has taken a whole one."""
    if table.rules.surrender == "late" and table.rules.is_peek:
        return before_peek(np.full(table.stand.shape, SURRENDER_VALUE), table.natural)
    return np.full(table.stand.shape, SURRENDER_VALUE)


def _first_guess(table: Table, dealt: FloatArray) -> TotalPolicy:
    """Play each total as two-card hands of it would be best, hits going on by each hand's own best."""
    return _improve(table, dealt, table.hit())


def _weigh(table: Table, dealt: FloatArray, policy: TotalPolicy) -> tuple[FloatArray, FloatArray]:
    moves = policy.moves(table, is_split=False)
    hit, _ = table.follow(moves)
    return reach_chances(table, dealt, moves == HIT), hit


def _improve(table: Table, weights: FloatArray, hit: FloatArray) -> TotalPolicy:
    policy = TotalPolicy.empty()
    stand_sum, hit_sum = (_by_cell(table, weights * values) for values in (table.stand, hit))
    policy.hits[...] = hit_sum > stand_sum
    plain = np.where(policy.hits[cell_rows(table.lattice)], hit, table.stand)
    may_double = double_mask(table.rules, table.lattice, is_split=False)[:, None]
    doubling = weights * may_double
    policy.doubles[...] = _by_cell(table, doubling * table.double) > _by_cell(table, doubling * plain)
    return policy


class _Draft:
    """Judges splits and surrenders on top of settled totals, and writes codes and margins."""

    def __init__(
        self, table: Table, dealt: FloatArray, weights: FloatArray, hit: FloatArray, split: FloatArray,
        policy: TotalPolicy,
    ) -> None:
        self.table, self.weights, self.hit, self.policy = table, weights, hit, policy
        self.split = np.nan_to_num(split, nan=-np.inf)
        self.played = pick(policy.moves(table, is_split=False), table.stand, hit, table.double)
        self.pair_rows = np.array([pair_row(table.lattice, rank) for rank in RANKS])
        self.surrender = surrender_values(table) if table.rules.surrender != "none" else np.full(hit.shape, -np.inf)
        # A pair that may be split is surrendered in its own cell, so its total's cell is judged without it.
        self.totals_only = dealt.copy()
        self.totals_only[self.pair_rows] *= 1.0 - split_shares(table)
        if table.rules.surrender != "none":
            gain = _by_cell(table, self.totals_only * (self.surrender - self.played))
            policy.surrenders[...] = gain > 0
        self.splits = self.split > self.played[self.pair_rows]

    def chart(self) -> Chart:
        plain = {name: _codes(self.policy, name, with_surrender=False) for name in ("hard", "soft")}
        pair = np.empty(self.splits.shape, dtype="<U2")
        best = np.where(self.splits, self.split, self.played[self.pair_rows])
        gives_up = self.surrender[self.pair_rows] > best
        for index, rank in enumerate(RANKS):
            section, total = total_of_pair(rank)
            fallback = np.where(
                self.splits[index], "Rp", _surrender_codes(self.policy.hits[cell_row(section, total)]))
            kept = np.where(self.splits[index], "P", plain[section][total - ROWS[section].start])
            pair[index] = np.where(gives_up[index], fallback, kept)
        return Chart(_codes(self.policy, "hard"), _codes(self.policy, "soft"), pair)

    def margins(self) -> dict[str, FloatArray]:
        with np.errstate(invalid="ignore", divide="ignore"):
            cell_table = self._total_margins()
        return {"pair": self._pair_margins()} | {
            name: cell_table[cell_row(name, ROWS[name].start) : cell_row(name, ROWS[name].stop)]
            for name in ("hard", "soft")
        }

    def _total_margins(self) -> FloatArray:
        table, policy = self.table, self.policy
        may_double = double_mask(table.rules, table.lattice, is_split=False)[:, None]
        doubling = self.weights * may_double
        plain = np.where(policy.hits[cell_rows(table.lattice)], self.hit, table.stand)
        hit_or_stand = _signed(self._mean_by_cell(self.weights, self.hit - table.stand), policy.hits)
        double = _signed(self._mean_by_cell(doubling, table.double - plain), policy.doubles)
        kept = np.where(policy.doubles, double, np.fmin(hit_or_stand, double))
        if table.rules.surrender == "none":
            return kept
        surrender = _signed(self._mean_by_cell(self.totals_only, self.surrender - self.played), policy.surrenders)
        return np.where(policy.surrenders, surrender, np.fmin(kept, surrender))

    def _pair_margins(self) -> FloatArray:
        table, rows = self.table, self.pair_rows
        may_double = double_mask(table.rules, table.lattice, is_split=False)[rows, None]
        others = [table.stand[rows], self.hit[rows], np.where(may_double, table.double[rows], -np.inf)]
        best_other = np.max(others, axis=0)
        moves = self.policy.moves(table, is_split=False)[rows]
        unplayed = np.max([np.where(moves == move, -np.inf, value) for move, value in enumerate(others)], axis=0)
        kept = np.where(self.splits, self.split - best_other,
                        self.played[rows] - np.maximum(unplayed, self.split))
        best = np.where(self.splits, self.split, self.played[rows])
        given_up = self.surrender[rows]
        margin = np.where(given_up > best, given_up - np.maximum(np.maximum(best_other, self.split), best),
                          np.minimum(kept, best - given_up))
        seen = self._seen()[rows]
        return np.where(table.possible[rows], margin / seen, np.nan)

    def _mean_by_cell(self, weights: FloatArray, gain: FloatArray) -> FloatArray:
        return _by_cell(self.table, weights * gain) / _by_cell(self.table, weights * self._seen())

    def _seen(self) -> FloatArray:
        """What turns an unconditional difference into one as the game shows it."""
        table = self.table
        return 1.0 - table.natural if table.rules.is_peek else np.ones_like(table.natural)


def _signed(gain: FloatArray, is_chosen: BoolArray) -> FloatArray:
    """What a choice gains: ``gain`` is that of making it, its negative that of leaving it."""
    return np.where(is_chosen, gain, -gain)


def total_of_pair(rank: int) -> tuple[str, int]:
    """The section and total as which a pair is played where it is not split."""
    return ("soft", 12) if rank == ACE else ("hard", 2 * rank)


def _surrender_codes(hits: BoolArray) -> np.ndarray:
    return np.where(hits, "Rh", "Rs")


def _codes(policy: TotalPolicy, section: str, *, with_surrender: bool = True) -> np.ndarray:
    """The codes of the hard or soft section."""
    rows = slice(cell_row(section, ROWS[section].start), cell_row(section, ROWS[section].stop))
    hits, doubles, surrenders = policy.hits[rows], policy.doubles[rows], policy.surrenders[rows]
    plain = np.where(hits, "H", "S")
    doubled = np.where(doubles, np.where(hits, "D", "Ds"), plain)
    return np.where(surrenders & with_surrender, _surrender_codes(hits), doubled)


def _by_cell(table: Table, values: FloatArray) -> FloatArray:
    """(64, 10): sums of (hands, 10) over the hands of each total; hands of 21 are no decision and left out."""
    sums = np.zeros((CELL_ROWS, values.shape[1]))
    decisions = (table.lattice.totals < 21) & (table.lattice.sizes > 1)
    np.add.at(sums, cell_rows(table.lattice)[decisions], values[decisions])
    return sums
