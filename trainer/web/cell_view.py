"""What the page of one chart cell shows."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import url_for

from trainer.drill.parameters import row_name
from trainer.drill.plan import Mode, Plan
from trainer.drill.words import gerund, percent, shown_rank, signed
from trainer.engine.actions import Action
from trainer.engine.cards import label_of
from trainer.engine.cell import CellReport, CompositionReport
from trainer.engine.chart import MEANINGS, SECTIONS, UPCARD_ORDER, Cell, asked_rows
from trainer.engine.hands import label
from trainer.engine.rules import Rules
from trainer.service.charts import CellLook, Sums
from trainer.web.chart_view import ChartView, ColumnView, RowView, row_title
from trainer.web.ev_view import condition_of
from trainer.web.figures import percent_text
from trainer.web.hand_view import LABELS, look_of
from trainer.web.rule_address import cell_url
from trainer.web.rule_choice import title_of

# So many hands are shown at once; a cell such as 16 has two hundred more, most of which hardly ever come.
_COMMON = 12


@dataclass(frozen=True)
class Neighbour:
    """A cell beside this one: an arrow, what it is, its page."""

    arrow: str
    label: str
    url: str


@dataclass(frozen=True)
class WorthView:
    """What one move is worth on one hand; empty where it is not allowed."""

    value: str
    is_best: bool


@dataclass(frozen=True)
class HandRowView:
    """One hand of the cell."""

    cards: str
    url: str
    share: str
    worths: tuple[WorthView, ...]
    best: str
    margin: str
    differs: bool
    note: str


@dataclass(frozen=True)
class CellPage:
    """Everything the cell's template reads."""

    title: str
    rules_key: str
    rules_title: str
    chart_url: str
    code: str
    look: str
    meaning: str
    margin: tuple[str, str]
    per_1000: str
    cost: str
    cost_per_1000: str
    agreement: str
    condition: str
    record: tuple[tuple[str, str], ...]
    drill_url: str
    neighbours: tuple[Neighbour, ...]
    row: RowView
    columns: tuple[ColumnView, ...]
    here: str
    moves: tuple[str, ...]
    common: tuple[HandRowView, ...]
    rare: tuple[HandRowView, ...]
    rare_share: str
    never: tuple[HandRowView, ...]


def read_cell(rules: Rules, row: str, upcard: str) -> Cell | None:
    """The cell that a row's name and an upcard stand for; none where this chart has no such place."""
    cells = (Cell(section, each, rank) for section in SECTIONS for each in asked_rows(rules, section)
             for rank in UPCARD_ORDER if label_of(rank) == upcard)
    return next((cell for cell in cells if row_name(cell) == row), None)


def cell_page(look: CellLook, rules_key: str, rules: Rules) -> CellPage:
    """The page of a cell."""
    report, cell = look.report, look.report.cell
    view, moves = ChartView(look.strategy, rules_key, "chart"), _moves(report)
    upcard, name = label_of(cell.upcard), row_name(cell)
    hands = [_hand_row(each, moves, cell, rules_key) for each in report.compositions]
    met = len(report.met)
    return CellPage(
        title=f"{_capital(row_title(cell))} against {shown_rank(cell.upcard)}",
        rules_key=rules_key,
        rules_title=title_of(rules_key),
        chart_url=url_for("charts.chart", rules_key=rules_key),
        code=report.code,
        look=look_of(report.code),
        meaning=MEANINGS[report.code],
        margin=_margin(report.margin),
        per_1000=f"{1000 * report.frequency:.2f}",
        cost=f"{report.ev_cost:.6f}",
        cost_per_1000=f"{1000 * report.frequency * report.ev_cost:.4f}",
        agreement=_agreement(report),
        condition=condition_of(rules, 2, cell.upcard),
        record=_record(look.record),
        drill_url=f"/?{Plan(rules_key, Mode.FOCUS, rows=(name,), upcards=(upcard,)).to_query()}",
        neighbours=_neighbours(rules, rules_key, cell),
        row=view.row_views(cell.section, [cell.row])[0],
        columns=tuple(ColumnView(shown_rank(each), label_of(each), "") for each in UPCARD_ORDER),
        here=cell_url(rules_key, cell),
        moves=tuple(LABELS[move] for move in moves),
        common=tuple(hands[: min(met, _COMMON)]),
        rare=tuple(hands[_COMMON:met]),
        rare_share=_share_text(sum(each.share for each in report.met[_COMMON:])),
        never=tuple(hands[met:]),
    )


def _moves(report: CellReport) -> list[Action]:
    """The moves that some hand of the cell may make, in their order."""
    return [action for action in Action if any(action in each.evs for each in report.compositions)]


def _hand_row(each: CompositionReport, moves: Sequence[Action], cell: Cell, rules_key: str) -> HandRowView:
    ordered = sorted(each.evs.values(), reverse=True)
    worths = tuple(WorthView(signed(each.evs[move]), move == each.exact) if move in each.evs
                   else WorthView("", is_best=False) for move in moves)
    cards = label(each.composition)
    return HandRowView(
        cards="-".join("10" if card == "T" else card for card in cards),
        url=url_for("hands.hand", cards=cards, upcard=label_of(cell.upcard), rules=rules_key),
        share=_share_text(each.share),
        worths=worths,
        best=LABELS[each.exact],
        margin=f"{ordered[0] - ordered[1]:.4f}" if len(ordered) > 1 else "",
        differs=each.exact != each.chart,
        note="after a split only" if each.is_after_split_only else "",
    )


def _share_text(share: float) -> str:
    if share == 0:
        return "never"
    return percent(share, 2) if share >= 0.00005 else "under 0.01%"


def _margin(margin: float) -> tuple[str, str]:
    """The cell's margin in words; a pair that is played as its total can be behind a move that only it should make."""
    return "Behind a better move by" if margin < 0 else "Ahead of the next best move by", f"{abs(margin):.4f}"


def _agreement(report: CellReport) -> str:
    """Whether the hands of the cell are best played as the chart has it, in a sentence."""
    differing = report.differing
    if not report.met:
        return "No hand comes to this cell."
    if not differing:
        count = len(report.met)
        who = "The one hand that comes here is" if count == 1 else f"All {count} hands that come here are"
        return f"{who} best played as the chart says."
    first = differing[0]
    if len(report.met) == 1:
        return (f"The one hand that comes here is better played by {gerund(first.exact)}, by {first.ev_cost:.4f}: "
                "the chart plays it as its total.")
    share = percent(sum(each.share for each in differing), 1)
    cards = "-".join("10" if card == "T" else card for card in label(first.composition))
    return (f"Of {len(report.met)} hands that come here, {len(differing)} ({share} of the time) are better played "
            f"otherwise: {cards}, for one, by {gerund(first.exact)}, by {first.ev_cost:.4f}.")


def _record(record: Sums) -> tuple[tuple[str, str], ...]:
    """The visitor's own figures; none before the first answer."""
    if not record.decisions and not record.hinted:
        return ()
    figures = [("Decisions", str(record.decisions)), ("Right", percent_text(record.accuracy)),
               ("EV lost", f"{record.ev_lost:.4f}")]
    return (*figures, *((("With the chart in view", str(record.hinted)),) if record.hinted else ()))


def _neighbours(rules: Rules, rules_key: str, cell: Cell) -> tuple[Neighbour, ...]:
    """The cells to the left and right, above and below, as the chart has them."""
    rows, column = asked_rows(rules, cell.section), UPCARD_ORDER.index(cell.upcard)
    place = rows.index(cell.row)
    found = []
    for arrow, upcards, others in (("←", UPCARD_ORDER[max(column - 1, 0) : column], (cell.row,)),
                                   ("→", UPCARD_ORDER[column + 1 : column + 2], (cell.row,)),
                                   ("↑", (cell.upcard,), rows[max(place - 1, 0) : place]),
                                   ("↓", (cell.upcard,), rows[place + 1 : place + 2])):
        found += [(arrow, Cell(cell.section, row, upcard)) for upcard in upcards for row in others]
    return tuple(Neighbour(arrow, f"{_capital(row_title(each))} against {shown_rank(each.upcard)}",
                           cell_url(rules_key, each)) for arrow, each in found)


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
