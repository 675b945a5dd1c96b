"""The chart as a heat map of one user: accuracy, EV lost or mastery, in colour, number and words."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from trainer.drill.words import shown_rank
from trainer.engine.chart import SECTIONS, UPCARD_ORDER, Cell, asked_rows
from trainer.engine.rules import Rules
from trainer.service.overview import Overview
from trainer.web.chart_view import SECTION_TITLES
from trainer.web.rule_address import cell_url

# By their name in a URL, which the first needs none for.
MEASURES: Mapping[str, str] = {"": "Accuracy", "lost": "EV lost", "mastery": "Mastery"}
LEADS: Mapping[str, str] = {
    "": "Right answers in each cell, per cent.",
    "lost": "EV lost in each cell so far, in hundredths of a bet.",
    "mastery": "The chance, per cent, that you get the cell right now: an estimate from your answers, from how fast "
               "memories fade (FSRS), and, while a cell has few answers, from how hard it is at first sight.",
}
# Five levels, the last the best; each cell tells its number too.
_LEVELS = 5
# More than so many hundredths of a bet is a level worse; from such a share on it is one better.
_LOST_BOUNDS, _SHARE_BOUNDS = (0.5, 2.0, 8.0, 30.0), (0.5, 0.7, 0.85, 0.95)


@dataclass(frozen=True)
class HeatCell:
    """One cell; ``level`` 1 to 5, worst to best, 0 where it was never answered; ``words`` for who cannot see it."""

    text: str
    level: int
    words: str
    url: str


@dataclass(frozen=True)
class HeatRow:
    """One row: its label and its ten cells."""

    label: str
    cells: tuple[HeatCell, ...]


@dataclass(frozen=True)
class HeatSection:
    """One table of the map."""

    title: str
    upcards: tuple[str, ...]
    rows: tuple[HeatRow, ...]


def heat_sections(rules: Rules, overview: Overview, measure: str, rules_key: str) -> tuple[HeatSection, ...]:
    """The tables of the map, laid out as the chart is."""
    show, upcards = _SHOWN[measure], tuple(map(shown_rank, UPCARD_ORDER))
    return tuple(
        HeatSection(SECTION_TITLES[section], upcards, tuple(
            HeatRow(Cell(section, row, 1).row_label, tuple(
                _cell(overview, Cell(section, row, upcard), show, rules_key) for upcard in UPCARD_ORDER))
            for row in rows))
        for section in SECTIONS if (rows := asked_rows(rules, section)))


def _cell(overview: Overview, cell: Cell, show: Callable[[Overview, Cell], tuple[str, int]], key: str) -> HeatCell:
    url = cell_url(key, cell)
    sums = overview.records.get(cell)
    if sums is None:
        return HeatCell("", 0, f"{cell}: not met yet", url)
    text, level = show(overview, cell)
    known = overview.mastery.get(cell)
    told = [f"{cell}: {sums.right} of {sums.decisions} right", f"{sums.ev_lost:.4f} bets lost"]
    if known and known.mastery is not None:
        told += [f"mastery {100 * known.mastery:.0f}%", str(known.level)]
    return HeatCell(text, level, ", ".join(told), url)


def _accuracy(overview: Overview, cell: Cell) -> tuple[str, int]:
    return _share(overview.records[cell].accuracy or 0.0)


def _lost(overview: Overview, cell: Cell) -> tuple[str, int]:
    lost = 100 * overview.records[cell].ev_lost
    return f"{lost:.0f}", _LEVELS - bisect_left(_LOST_BOUNDS, lost)


def _mastery(overview: Overview, cell: Cell) -> tuple[str, int]:
    known = overview.mastery.get(cell)
    return _share(known.mastery) if known and known.mastery is not None else ("", 0)


def _share(share: float) -> tuple[str, int]:
    return f"{100 * share:.0f}", 1 + bisect_right(_SHARE_BOUNDS, share)


_SHOWN: Mapping[str, Callable[[Overview, Cell], tuple[str, int]]] = {
    "": _accuracy, "lost": _lost, "mastery": _mastery}
