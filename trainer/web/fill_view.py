"""What the page of a chart to be filled in shows: its boxes, or its marks and what was wrong."""

from collections.abc import Callable
from dataclasses import dataclass

from trainer.drill.parameters import row_name
from trainer.drill.plan import Mode, Plan
from trainer.drill.words import shown_rank
from trainer.engine.cards import label_of
from trainer.engine.chart import MEANINGS, SECTIONS, UPCARD_ORDER, Cell, asked_rows
from trainer.engine.rule_key import rules_for
from trainer.service.fill import FilledChart, Filling, Mark
from trainer.web.chart_view import SECTION_TITLES, row_title
from trainer.web.figures import query_url
from trainer.web.hand_view import look_of
from trainer.web.plan_view import Choice
from trainer.web.rule_address import cell_url, rule_choices
from trainer.web.wording import rules_title

# So many mistakes are listed at once, the dearest; the others are folded away.
_LISTED = 12
_SIGNS = {"right": "\N{CHECK MARK}", "wrong": "\N{MULTIPLICATION X}", "blank": "\N{WHITE CIRCLE}"}


@dataclass(frozen=True)
class BoxView:
    """One cell to fill in, or one filled in and marked: ``result`` is then right, wrong or blank, and ``url`` its page.

    ``label`` is its name for who cannot see the table, with the result where there is one.
    """

    name: str
    label: str
    typed: str
    fault: str = ""
    result: str = ""
    sign: str = ""
    expected: str = ""
    look: str = ""
    url: str = ""


@dataclass(frozen=True)
class RowView:
    """One row, ten cells; none where no hand comes to it."""

    label: str
    boxes: tuple[BoxView | None, ...]


@dataclass(frozen=True)
class SectionView:
    """One table."""

    title: str
    rows: tuple[RowView, ...]


@dataclass(frozen=True)
class WrongView:
    """One mistake: what was entered and what the chart has, what it gives up each time and in 100 rounds."""

    title: str
    url: str
    drill_url: str
    entered: str
    entered_meaning: str
    expected: str
    expected_meaning: str
    lost: str
    lost_per_100: str


@dataclass(frozen=True)
class ResultView:
    """How it was done; ``right`` are the boxes that may be kept for another go."""

    headline: str
    figures: tuple[tuple[str, str], ...]
    lost_per_100: str
    listed: tuple[WrongView, ...]
    others: tuple[WrongView, ...]
    drill_url: str
    right: tuple[BoxView, ...]


@dataclass(frozen=True)
class FillPage:
    """Everything the templates read; ``codes`` are those that may be entered, for the script and the legend."""

    title: str
    here: str
    rules_key: str
    choices: tuple[Choice, ...]
    parts: tuple[Choice, ...]
    upcards: tuple[str, ...]
    sections: tuple[SectionView, ...]
    codes: tuple[str, ...]
    legend: tuple[tuple[str, str, str], ...]
    faults: tuple[BoxView, ...]
    count: int
    result: ResultView | None


def field_name(cell: Cell) -> str:
    """What a cell's field is called: ``h16T``."""
    return f"{row_name(cell)}{label_of(cell.upcard)}"


def fill_url(rules_key: str, section: str = "") -> str:
    """The address of an empty chart."""
    return query_url("/fill", rules=rules_key, section=section)


def fill_page(filling: Filling, rules_key: str, section: str, *, is_marked: bool) -> FillPage:
    """The page of a chart, to be filled in or marked."""
    marks = {mark.cell: mark for mark in filling.marked.marks} if filling.marked else {}

    def box(cell: Cell) -> BoxView:
        return _marked(rules_key, marks[cell]) if is_marked else _box(filling, cell)

    views = _sections(filling, rules_key, box)
    codes = filling.codes
    titles = {"": "All", **{name: SECTION_TITLES[name] for name in SECTIONS}}
    return FillPage(
        title=rules_title(rules_key),
        here=fill_url(rules_key, section),
        rules_key=rules_key,
        choices=rule_choices(rules_key, lambda key: fill_url(key, section)),
        parts=tuple(Choice(title, fill_url(rules_key, name), name == section) for name, title in titles.items()),
        upcards=tuple(map(shown_rank, UPCARD_ORDER)),
        sections=views,
        codes=codes,
        legend=tuple((code, MEANINGS[code], look_of(code)) for code in codes),
        faults=tuple(each for view in views for row in view.rows for each in row.boxes if each and each.fault),
        count=len(filling.cells),
        result=_result(filling.marked, rules_key) if filling.marked and is_marked else None,
    )


def _sections(filling: Filling, rules_key: str, box: Callable[[Cell], BoxView]) -> tuple[SectionView, ...]:
    """The tables that have cells, rows and columns as the chart shows them."""
    rules, present = rules_for(rules_key), frozenset(filling.cells)
    views = []
    for section in SECTIONS:
        rows = []
        for number in asked_rows(rules, section):
            row = [Cell(section, number, upcard) for upcard in UPCARD_ORDER]
            if present.intersection(row):
                rows.append(RowView(row[0].row_label, tuple(box(cell) if cell in present else None for cell in row)))
        if rows:
            views.append(SectionView(SECTION_TITLES[section], tuple(rows)))
    return tuple(views)


def _box(filling: Filling, cell: Cell) -> BoxView:
    return BoxView(field_name(cell), _name(cell), filling.typed.get(cell, ""), filling.faults.get(cell, ""))


def _marked(rules_key: str, mark: Mark) -> BoxView:
    result = "right" if mark.is_right else "wrong" if mark.entered else "blank"
    told = {
        "right": f"right, {mark.entered}",
        "wrong": f"wrong, {mark.entered} in place of {mark.expected}, gives up {mark.ev_lost:.4f} each time",
        "blank": f"left blank, {mark.expected}",
    }[result]
    return BoxView(field_name(mark.cell), f"{_name(mark.cell)}: {told}", mark.entered, "", result, _SIGNS[result],
                   mark.expected, look_of(mark.entered) if mark.is_right else "", cell_url(rules_key, mark.cell))


def _result(filled: FilledChart, rules_key: str) -> ResultView:
    wrong = tuple(_wrong(rules_key, mark) for mark in filled.wrong)
    rows = tuple(dict.fromkeys(row_name(mark.cell) for mark in filled.wrong))
    upcards = tuple(dict.fromkeys(label_of(mark.cell.upcard) for mark in filled.wrong))
    return ResultView(
        headline=_headline(filled),
        figures=(("right", str(filled.right)), ("wrong", str(len(filled.wrong))), ("left blank", str(filled.blank))),
        lost_per_100=f"{filled.ev_lost_per_100:.4f}",
        listed=wrong[:_LISTED],
        others=wrong[_LISTED:],
        drill_url=f"/?{Plan(rules_key, Mode.FOCUS, rows=rows, upcards=upcards).to_query()}" if wrong else "",
        right=tuple(_marked(rules_key, mark) for mark in filled.marks if mark.is_right),
    )


def _headline(filled: FilledChart) -> str:
    count = len(filled.marks)
    if filled.right == count:
        return f"All {count} right"
    if filled.blank == count:
        return "Nothing was filled in"
    return f"{filled.right} of {count - filled.blank} right"


def _wrong(rules_key: str, mark: Mark) -> WrongView:
    cell = mark.cell
    drill = Plan(rules_key, Mode.FOCUS, rows=(row_name(cell),), upcards=(label_of(cell.upcard),))
    name = _name(cell)
    return WrongView(
        f"{name[:1].upper()}{name[1:]}", cell_url(rules_key, cell), f"/?{drill.to_query()}",
        mark.entered, MEANINGS[mark.entered], mark.expected, MEANINGS[mark.expected],
        f"{mark.ev_lost:.4f}", f"{mark.ev_lost_per_100:.4f}",
    )


def _name(cell: Cell) -> str:
    """``hard 16 v 10``."""
    return f"{row_title(cell)} v {shown_rank(cell.upcard)}"
