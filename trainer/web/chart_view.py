"""A whole chart as tables of cells."""

from dataclasses import dataclass

from trainer.drill.parameters import row_name
from trainer.drill.words import shown_rank
from trainer.engine.chart import MEANINGS, ROWS, SECTIONS, UPCARD_ORDER, Cell
from trainer.engine.strategy import Strategy
from trainer.web.hand_view import ChartCellView, look_of

_SECTION_TITLES = {"hard": "Hard hands", "soft": "Soft hands", "pair": "Pairs"}


@dataclass(frozen=True)
class RowView:
    """One row: its label, the name that a URL gives it, ten cells."""

    label: str
    name: str
    cells: tuple[ChartCellView, ...]


@dataclass(frozen=True)
class SectionView:
    """One table of the chart."""

    title: str
    rows: tuple[RowView, ...]


def section_views(strategy: Strategy) -> tuple[SectionView, ...]:
    """The chart's tables in reading order, aces and high totals first."""
    sections = ((section, _rows(strategy, section)) for section in SECTIONS)
    return tuple(
        SectionView(_SECTION_TITLES[section], tuple(_row_view(strategy, section, row) for row in rows))
        for section, rows in sections if rows
    )


def legend_of(strategy: Strategy) -> tuple[tuple[str, str, str], ...]:
    """Code, meaning and look of every code that the chart uses."""
    used = {cell.code for section in section_views(strategy) for row in section.rows for cell in row.cells}
    return tuple((code, meaning, look_of(code)) for code, meaning in MEANINGS.items() if code in used)


def _row_view(strategy: Strategy, section: str, row: int) -> RowView:
    cells = []
    for upcard in UPCARD_ORDER:
        code = strategy.chart.code(Cell(section, row, upcard))
        cells.append(ChartCellView(shown_rank(upcard), code, MEANINGS[code], look_of(code), is_here=False))
    first = Cell(section, row, UPCARD_ORDER[0])
    return RowView(first.row_label, row_name(first), tuple(cells))


def _rows(strategy: Strategy, section: str) -> tuple[int, ...]:
    """The rows that are ever asked: high totals first, pairs from aces down.

    Two twos and two aces are totals, hard 4 and soft 12, only where they may not be split.
    """
    rules = strategy.rules
    if section == "pair":
        ranks = (1, *reversed(ROWS[section][1:]))
        return tuple(rank for rank in ranks if rules.can_split_rank(rank))
    pairs = {("hard", 4): 2, ("soft", 12): 1}
    return tuple(row for row in reversed(ROWS[section])
                 if (section, row) not in pairs or not rules.can_split_rank(pairs[section, row]))
