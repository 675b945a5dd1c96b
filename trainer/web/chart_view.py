"""A whole chart as tables of cells."""

from dataclasses import dataclass

from trainer.drill.plan import row_name
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
    return tuple(
        SectionView(_SECTION_TITLES[section],
                    tuple(_row_view(strategy, section, row) for row in _rows(section)))
        for section in SECTIONS
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


def _rows(section: str) -> tuple[int, ...]:
    """High totals first, pairs from aces down; hard 4 is a pair of twos and has its row there."""
    rows = [row for row in ROWS[section] if (section, row) != ("hard", 4)]
    return (1, *reversed(rows[1:])) if section == "pair" else tuple(reversed(rows))
