"""All cells of a chart at once: what exact play does in each, where single hands differ, how often each comes up."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from trainer.engine.actions import Action
from trainer.engine.cell import CellReport, CompositionReport, hand_chances, report_cell
from trainer.engine.chart import PREFERENCES, ROWS, SECTIONS, Cell, Chart, cells
from trainer.engine.strategy import Strategy


@dataclass(frozen=True, eq=False)
class Survey:
    """A chart looked into.

    ``exact``: the exact table as a chart, each cell with the best move of most of its hands (see :func:`exact_code`).
    ``chart_differs`` and ``exact_differs``: the cells in which some hand that comes up is best played otherwise
    than the chart, or than ``exact``, has it. ``frequencies``: chance per round of each cell, see ``CellReport``.
    """

    exact: Chart
    chart_differs: frozenset[Cell]
    exact_differs: frozenset[Cell]
    frequencies: Mapping[Cell, float]


_PLAIN = (Action.STAND, Action.HIT)
_PLAYED = (*_PLAIN, Action.DOUBLE, Action.SPLIT)
# A strategy that is still in use is surveyed once: it takes longer than a page may.
_SURVEYS: WeakKeyDictionary[Strategy, Survey] = WeakKeyDictionary()


def survey_of(strategy: Strategy) -> Survey:
    """The survey of a strategy, kept as long as the strategy is."""
    found = _SURVEYS.get(strategy)
    return found or _SURVEYS.setdefault(strategy, _survey(strategy))


def exact_code(report: CellReport) -> str:
    """The code that most of a cell's hands are best played by, each counted as often as it comes up.

    A move that not every hand may make, such as doubling, counts among the hands that may; what stands behind it is
    what is best on most of the others. A cell that never comes up keeps the chart's code.
    """
    hands = report.met
    if not hands:
        return report.code
    gives_up = _is_best_on_most([(hand.evs, hand.frequency) for hand in hands], Action.SURRENDER)
    weighed = [(_only(hand.evs, _PLAYED), hand.frequency) for hand in hands]
    splits, doubles = (_is_best_on_most(weighed, action) for action in (Action.SPLIT, Action.DOUBLE))
    others = [(evs, weight) for evs, weight in weighed if Action.DOUBLE not in evs] if doubles else weighed
    hits = _is_best_on_most([(_only(evs, _PLAIN), weight) for evs, weight in others or weighed], Action.HIT)
    plain = "H" if hits else "S"
    if gives_up:
        return "Rp" if splits else f"R{plain.lower()}"
    if splits:
        return "P"
    return {"H": "D", "S": "Ds"}[plain] if doubles else plain


def _only(evs: Mapping[Action, float], actions: Iterable[Action]) -> Mapping[Action, float]:
    return {action: evs[action] for action in actions if action in evs}


def _is_best_on_most(weighed: Iterable[tuple[Mapping[Action, float], float]], action: Action) -> bool:
    """Whether, of the hands that may make a move, more than half by weight are best played by it."""
    able = [(evs, weight) for evs, weight in weighed if action in evs]
    best = sum(weight for evs, weight in able if max(evs, key=lambda each: evs[each]) == action)
    return best > sum(weight for _, weight in able) / 2


def _survey(strategy: Strategy) -> Survey:
    chances = hand_chances(strategy)
    reports = [report_cell(strategy, cell, chances, only_met=True) for cell in cells()]
    codes = {section: np.full((len(ROWS[section]), 10), "S", dtype="<U2") for section in SECTIONS}
    exact_differs = set()
    for report in reports:
        cell, code = report.cell, exact_code(report)
        codes[cell.section][cell.row - ROWS[cell.section].start, cell.upcard - 1] = code
        if any(_move(code, hand) != hand.exact for hand in report.met):
            exact_differs.add(cell)
    return Survey(
        Chart(**codes),
        frozenset(report.cell for report in reports if report.differing),
        frozenset(exact_differs),
        {report.cell: report.frequency for report in reports},
    )


def _move(code: str, hand: CompositionReport) -> Action:
    """What a code means on a hand that may not make every move."""
    return next(action for action in PREFERENCES[code] if action in hand.evs)
