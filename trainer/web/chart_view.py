"""A whole chart as tables of cells, each cell a link to its page, rows and columns links to drills."""

from collections.abc import Iterable
from dataclasses import dataclass

from trainer.drill.parameters import row_name
from trainer.drill.plan import Mode, Plan
from trainer.drill.words import shown_rank
from trainer.engine.cards import label_of
from trainer.engine.chart import MEANINGS, SECTIONS, UPCARD_ORDER, Cell, Chart, asked_rows
from trainer.engine.strategy import Strategy
from trainer.engine.survey import survey_of
from trainer.web.hand_view import look_of
from trainer.web.rule_address import cell_url

SURRENDER = "surrender"
SECTION_TITLES = {"hard": "Hard hands", "soft": "Soft hands", "pair": "Pairs", SURRENDER: "Surrender"}
TABLES = {"chart": "Chart", "exact": "Exact play"}
_NO_SURRENDER = "\N{EN DASH}"


@dataclass(frozen=True)
class CellView:
    """One cell: what stands in it, the class of its colour, its page, and its name for who cannot see the table."""

    code: str
    meaning: str
    look: str
    url: str
    name: str
    is_marked: bool


@dataclass(frozen=True)
class RowView:
    """One row: its label, the name that a URL gives it, a drill of it, ten cells."""

    label: str
    name: str
    title: str
    drill_url: str
    cells: tuple[CellView, ...]


@dataclass(frozen=True)
class ColumnView:
    """One upcard of a table: as it is shown, as a URL names it, and a drill of the table's hands against it."""

    shown: str
    name: str
    drill_url: str


@dataclass(frozen=True)
class SectionView:
    """One table of the chart, with a drill of all of it."""

    title: str
    drill_url: str
    columns: tuple[ColumnView, ...]
    rows: tuple[RowView, ...]


class ChartView:
    """One of a strategy's two tables, ready to be drawn."""

    def __init__(self, strategy: Strategy, rules_key: str, table: str) -> None:
        self.strategy, self.rules_key, self.table = strategy, rules_key, table
        survey = survey_of(strategy)
        self.chart = chart_of(strategy, table)
        self._marks = survey.exact_differs if table == "exact" else survey.chart_differs

    def sections(self, names: Iterable[str]) -> tuple[SectionView, ...]:
        """The tables of these names that have any rows, aces and high totals first."""
        return tuple(view for view in map(self._section, names) if view.rows)

    def legend(self, sections: tuple[SectionView, ...]) -> tuple[tuple[str, str, str], ...]:
        """Code, meaning and look of every code in these tables."""
        used = {cell.code for section in sections for row in section.rows for cell in row.cells}
        told = [(code, meaning, look_of(code)) for code, meaning in MEANINGS.items() if code in used]
        return (*told, *((_NO_SURRENDER, "no surrender", "") for _ in range(_NO_SURRENDER in used)))

    def row_views(self, section: str, rows: list[int]) -> tuple[RowView, ...]:
        """Rows of the hard, soft or pair section."""
        return tuple(self._row(section, row, only_surrender=False) for row in rows)

    def _section(self, name: str) -> SectionView:
        focus = self._drill(focus=name)
        if name == SURRENDER:
            rows = tuple(self._row(section, row, only_surrender=True) for section in SECTIONS
                         for row in asked_rows(self.strategy.rules, section) if self._gives_up(section, row))
            columns = tuple(ColumnView(shown_rank(upcard), label_of(upcard), "") for upcard in UPCARD_ORDER)
            return SectionView(SECTION_TITLES[name], focus, columns, rows)
        rows = self.row_views(name, list(asked_rows(self.strategy.rules, name)))
        names = tuple(row.name for row in rows)
        columns = tuple(ColumnView(shown_rank(upcard), label_of(upcard),
                                   self._drill(rows=names, upcards=(label_of(upcard),))) for upcard in UPCARD_ORDER)
        return SectionView(SECTION_TITLES[name], focus, columns, rows)

    def _row(self, section: str, row: int, *, only_surrender: bool) -> RowView:
        first = Cell(section, row, UPCARD_ORDER[0])
        name = row_name(first)
        cells = tuple(self._cell(Cell(section, row, upcard), only_surrender) for upcard in UPCARD_ORDER)
        return RowView(first.row_label, name, row_title(first), self._drill(rows=(name,)), cells)

    def _cell(self, cell: Cell, only_surrender: bool) -> CellView:
        code = self.chart.code(cell)
        meaning, look = MEANINGS[code], look_of(code)
        is_marked = cell in self._marks
        if only_surrender and code[0] != "R":
            code, meaning, look, is_marked = _NO_SURRENDER, "no surrender", "none", False
        name = f"{code}: {meaning}, {row_title(cell)} against {shown_rank(cell.upcard)}"
        other = "; some of these hands are better played otherwise" if is_marked else ""
        return CellView(code, meaning, look, cell_url(self.rules_key, cell), name + other, is_marked)

    def _gives_up(self, section: str, row: int) -> bool:
        return any(self.chart.code(Cell(section, row, upcard))[0] == "R" for upcard in UPCARD_ORDER)

    def _drill(self, focus: str = "", rows: tuple[str, ...] = (), upcards: tuple[str, ...] = ()) -> str:
        return f"/?{Plan(self.rules_key, Mode.FOCUS, focus, rows, upcards).to_query()}"


def chart_of(strategy: Strategy, table: str) -> Chart:
    """The derived chart, or the exact table in its form."""
    return survey_of(strategy).exact if table == "exact" else strategy.chart


def row_title(cell: Cell) -> str:
    """``hard 16``, ``soft 18``, ``pair of 8s``."""
    if cell.section != "pair":
        return f"{cell.section} {cell.row}"
    return f"pair of {'aces' if cell.row == 1 else f'{shown_rank(cell.row)}s'}"
