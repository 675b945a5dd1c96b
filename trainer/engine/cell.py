"""What one cell of the chart rests on: its compositions, how often each comes up, and where exact play differs."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from trainer.engine.actions import Action
from trainer.engine.cards import RANKS, TEN, Card, Composition, full_shoe, label_of
from trainer.engine.chart import ROWS, Cell
from trainer.engine.deal import same_face_shares
from trainer.engine.hands import Hand
from trainer.engine.lattice import FloatArray, pair_row
from trainer.engine.listing import evs_against_rank
from trainer.engine.policy import cell_row, cell_rows
from trainer.engine.rules import Rules
from trainer.engine.solution import is_before_peek
from trainer.engine.strategy import Strategy


@dataclass(frozen=True)
class CompositionReport:
    """One hand of a cell.

    ``frequency``: chance per round that this cell decides this hand; ``share``: its part of the cell's.
    ``evs``: every legal move's EV on a first hand of these cards.
    ``exact`` and ``chart``: the best move, and the chart's. ``is_after_split_only``: a pair that is decided in
    its own cell at first and meets this one only when it may not be split any more.
    """

    composition: Composition
    frequency: float
    share: float
    evs: Mapping[Action, float]
    exact: Action
    chart: Action
    is_after_split_only: bool

    @property
    def ev_cost(self) -> float:
        """What the chart's move gives up on these very cards."""
        return self.evs[self.exact] - self.evs[self.chart]


@dataclass(frozen=True)
class CellReport:
    """A cell's code, its margin (see ``derivation.Derivation``), how often it comes up, and its hands.

    ``frequency``: chance per round, played by the chart, that the cell decides a hand that comes from no split; a
    dealer's natural that ends the round first is taken off. ``compositions``: every hand of the
    cell that the shoe can deal, the most frequent first; hands that the chart's play does not lead to have a
    frequency of 0.
    """

    cell: Cell
    code: str
    margin: float
    frequency: float
    compositions: tuple[CompositionReport, ...]

    @property
    def met(self) -> tuple[CompositionReport, ...]:
        """The hands that do come up; their shares add up to 1."""
        return tuple(report for report in self.compositions if report.frequency > 0)

    @property
    def differing(self) -> tuple[CompositionReport, ...]:
        """Of these, the hands whose exact play is another than the cell's."""
        return tuple(report for report in self.met if report.exact != report.chart)

    @property
    def ev_cost(self) -> float:
        """What playing by the chart gives up each time the cell decides, on average."""
        return sum(report.share * report.ev_cost for report in self.met)


def hand_chances(strategy: Strategy) -> FloatArray:
    """(hands, 10): chance per round of having to decide each hand against each upcard, played by the chart.

    Two-card hands as dealt, longer ones as the chart's hits lead to them; hands after a split are not among them.
    Where the dealer has looked before the decision, there is no natural then. Naturals and 21 are no decision.
    """
    solution, shoe = strategy.solution, np.array(full_shoe(strategy.rules.decks), dtype=float)
    lattice = solution.lattice
    is_first = (lattice.sizes == 2)[:, None]
    given_upcard = np.where(is_first, strategy.weights, strategy.reached)
    chances = np.nan_to_num(given_upcard) * shoe / shoe.sum()
    if strategy.rules.is_peek:
        played = 1.0 - np.nan_to_num(solution.natural)
        before = np.array([is_before_peek(strategy.rules, 2, upcard) for upcard in RANKS])
        chances *= np.where(is_first & before, 1.0, played)
    is_decision = np.isfinite(solution.stand) & ((lattice.sizes > 1) & (lattice.totals < 21))[:, None]
    return np.where(is_decision, chances, 0.0)


def report_cell(
    strategy: Strategy, cell: Cell, chances: FloatArray | None = None, *, only_met: bool = False
) -> CellReport:
    """Look into one cell of a strategy's chart.

    ``chances`` are :func:`hand_chances`, where they are known; ``only_met`` leaves out what never comes up.
    """
    column = cell.upcard - 1
    weights = (hand_chances(strategy) if chances is None else chances)[:, column]
    rows = _rows(strategy, cell)
    rows = rows[np.isfinite(strategy.solution.stand[rows, column])]
    frequencies = {row: weight * _decided_share(strategy, cell, row)
                   for row, weight in zip(rows.tolist(), weights[rows].tolist(), strict=True)}
    if only_met:
        frequencies = {row: frequency for row, frequency in frequencies.items() if frequency > 0}
    total = sum(frequencies.values())
    reports = tuple(_report(strategy, cell, row, frequency, total)
                    for row, frequency in sorted(frequencies.items(), key=lambda pair: (-pair[1], pair[0])))
    margin = strategy.margins[cell.section][cell.row - ROWS[cell.section].start, column]
    return CellReport(cell, strategy.chart.code(cell), float(margin), total, reports)


def _rows(strategy: Strategy, cell: Cell) -> np.ndarray:
    lattice = strategy.solution.lattice
    if cell.section == "pair":
        return np.array([pair_row(lattice, cell.row)] if strategy.rules.can_split_rank(cell.row) else [], dtype=int)
    return np.flatnonzero((cell_rows(lattice) == cell_row(cell.section, cell.row)) & (lattice.sizes > 1))


def _decided_share(strategy: Strategy, cell: Cell, row: int) -> float:
    """The part of a composition's first hands that this cell decides: splittable pairs have their own."""
    rules, lattice = strategy.rules, strategy.solution.lattice
    rank = _pair_rank(lattice.compositions[row].tolist()) if lattice.sizes[row] == 2 else None
    if rank is None or not rules.can_split_rank(rank):
        return 1.0
    by_face = rank == TEN and rules.split_by == "rank"
    share = sum(same_face_shares(rules.decks, cell.upcard)) if by_face else 1.0
    return share if cell.section == "pair" else 1.0 - share


def _report(strategy: Strategy, cell: Cell, row: int, frequency: float, total: float) -> CompositionReport:
    composition = tuple(strategy.solution.lattice.compositions[row].tolist())
    rank = _pair_rank(composition)
    in_total = rank is not None and cell.section != "pair"
    hand, upcard = Hand.from_composition(composition), Card(label_of(cell.upcard))
    only_after_split = in_total and _splits_always(strategy.rules, rank)
    if in_total and rank == TEN:
        hand = Hand((Card("K"), Card("Q")))  # unlike faces are what this cell decides, where it decides any
    evs = evs_against_rank(strategy, hand, cell.upcard)
    if only_after_split:
        evs = {action: ev for action, ev in evs.items() if action not in (Action.SPLIT, Action.SURRENDER)}
    exact = max(evs, key=lambda action: evs[action])
    chart = strategy.chart.move(hand, upcard, tuple(evs))
    share = frequency / total if total else 0.0
    return CompositionReport(composition, frequency, share, evs, exact, chart, only_after_split)


def _splits_always(rules: Rules, rank: int | None) -> bool:
    """Whether every hand of two cards of this rank may be split."""
    return rank is not None and rules.can_split_rank(rank) and (rank != TEN or rules.split_by == "value")


def _pair_rank(composition: Composition) -> int | None:
    return composition.index(2) + 1 if sum(composition) == 2 and 2 in composition else None
