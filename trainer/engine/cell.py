"""What one cell of the chart rests on: its compositions, their weights, and where exact play differs."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from trainer.engine.actions import Action
from trainer.engine.cards import TEN, Card, Composition, full_shoe, label_of
from trainer.engine.chart import ROWS, Cell
from trainer.engine.deal import same_face_shares
from trainer.engine.dealer import natural_chance
from trainer.engine.hands import Hand
from trainer.engine.lattice import pair_row
from trainer.engine.policy import cell_row, cell_rows
from trainer.engine.rules import Rules
from trainer.engine.strategy import Strategy


@dataclass(frozen=True)
class CompositionReport:
    """One hand of a cell.

    ``share``: its part of the cell's weight. ``evs``: every legal move's EV on a first hand of these cards.
    ``exact`` and ``chart``: the best move, and the chart's. ``is_after_split_only``: a pair that is decided in
    its own cell at first and meets this one only when it may not be split any more.
    """

    composition: Composition
    share: float
    evs: Mapping[Action, float]
    exact: Action
    chart: Action
    is_after_split_only: bool

    @property
    def differs(self) -> bool:
        """Whether the exact move is another than the chart's, on a hand that this cell decides first."""
        return self.exact != self.chart and not self.is_after_split_only


@dataclass(frozen=True)
class CellReport:
    """A cell's code, its margin (see ``derivation.Derivation``), how often it comes up, and its hands.

    ``frequency``: chance per round that a hand is decided by this cell, given the upcard and, where the game
    peeks, no dealer's natural. ``compositions``: heaviest first.
    """

    cell: Cell
    code: str
    margin: float
    frequency: float
    compositions: tuple[CompositionReport, ...]

    @property
    def differing(self) -> tuple[CompositionReport, ...]:
        """The hands whose exact play is another than the cell's."""
        return tuple(report for report in self.compositions if report.differs)


def report_cell(strategy: Strategy, cell: Cell) -> CellReport:
    """Look into one cell of a strategy's chart."""
    rules, column = strategy.rules, cell.upcard - 1
    weights = strategy.weights[:, column]
    if rules.is_peek:
        natural = natural_chance(np.array(full_shoe(rules.decks), dtype=float), cell.upcard)
        weights = weights * (1.0 - strategy.solution.natural[:, column]) / (1.0 - natural)
    rows = _rows(strategy, cell)
    rows = rows[(weights[rows] > 0) & np.isfinite(strategy.solution.stand[rows, column])]
    rows = rows[np.argsort(-weights[rows], kind="stable")]
    total = float(weights[rows].sum())
    reports = tuple(_report(strategy, cell, int(row), float(weights[row]) / total) for row in rows)
    frequency = sum(float(weights[row]) * _decided_share(rules, cell, report.composition)
                    for row, report in zip(rows, reports, strict=True))
    margin = strategy.margins[cell.section][cell.row - ROWS[cell.section].start, column]
    return CellReport(cell, strategy.chart.code(cell), float(margin), frequency, reports)


def _rows(strategy: Strategy, cell: Cell) -> np.ndarray:
    lattice = strategy.solution.lattice
    if cell.section == "pair":
        return np.array([pair_row(lattice, cell.row)] if strategy.rules.can_split_rank(cell.row) else [], dtype=int)
    return np.flatnonzero((cell_rows(lattice) == cell_row(cell.section, cell.row)) & (lattice.sizes > 1))


def _decided_share(rules: Rules, cell: Cell, composition: Composition) -> float:
    """The part of a composition's first hands that this cell decides: splittable pairs have their own."""
    rank = _pair_rank(composition)
    if rank is None or not rules.can_split_rank(rank):
        return 1.0
    by_face = rank == TEN and rules.split_by == "rank"
    share = sum(same_face_shares(rules.decks, cell.upcard)) if by_face else 1.0
    return share if cell.section == "pair" else 1.0 - share


def _report(strategy: Strategy, cell: Cell, row: int, share: float) -> CompositionReport:
    rules, solution = strategy.rules, strategy.solution
    composition = tuple(solution.lattice.compositions[row].tolist())
    hand, upcard = Hand.from_composition(composition), Card(label_of(cell.upcard))
    only_after_split = cell.section != "pair" and _decided_share(rules, cell, composition) == 0.0
    if _pair_rank(composition) == TEN and cell.section != "pair":
        hand = Hand((Card("K"), Card("Q")))  # unlike faces are what this cell decides, where it decides any
    evs = solution.evs(hand, upcard)
    if only_after_split:
        evs = {action: ev for action, ev in evs.items() if action not in (Action.SPLIT, Action.SURRENDER)}
    exact = max(evs, key=lambda action: evs[action])
    chart = strategy.chart.move(hand, upcard, tuple(evs))
    return CompositionReport(composition, share, evs, exact, chart, only_after_split)


def _pair_rank(composition: Composition) -> int | None:
    return composition.index(2) + 1 if sum(composition) == 2 and 2 in composition else None
