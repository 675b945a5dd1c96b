"""The list of mistakes: one by one or by chart cell, narrowed, and drilled again."""

import math
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from flask import Blueprint, Response
from htmx_flask import request

from trainer.drill.mistake_filter import MOVES, MistakeFilter
from trainer.drill.parameters import ROWS_BY_NAME, PlanError, one_of
from trainer.drill.plan import Mode, Plan
from trainer.drill.situation import CATEGORIES, DECLINE
from trainer.drill.words import shown_rank
from trainer.engine.cards import label_of
from trainer.engine.chart import UPCARD_ORDER, Cell
from trainer.service.mistakes import COSTLIEST, NEWEST, Place, page_of_cells, page_of_mistakes, query_of
from trainer.service.progress import strategy_hash_of
from trainer.web import visitor as who
from trainer.web.figures import query_url
from trainer.web.hand_view import LABELS
from trainer.web.htmx import render
from trainer.web.mistake_view import CellView, MistakeView, cell_view, mistake_view
from trainer.web.plan_view import Choice
from trainer.web.rule_address import chosen_rules
from trainer.web.rule_choice import offered, strategy_title
from trainer.web.summary_view import CATEGORY_TITLES

blueprint = Blueprint("mistakes", __name__)

_BY_CELL = "cells"
_VIEWS = {NEWEST: "Newest", COSTLIEST: "Costliest", _BY_CELL: "By cell of the chart"}
# What is declined at a table is insurance or early surrender.
_MOVE_LABELS = {**LABELS, DECLINE: "No insurance, or play on"}
_SECTIONS = {"hard": "Hard", "soft": "Soft", "pair": "Pairs"}
_MOST_PAGES = 10_000

Options = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Select:
    """One drop-down of the filter: groups of (value, label) under titles, an empty one for none."""

    name: str
    label: str
    value: str
    groups: tuple[tuple[str, Options], ...]


@dataclass(frozen=True)
class MistakesPage:
    """Everything the mistakes templates read."""

    mistakes: tuple[MistakeView, ...]
    cells: tuple[CellView, ...]
    views: tuple[Choice, ...]
    order: str
    filter: MistakeFilter
    selects: tuple[Select, ...]
    has_dates: bool
    next_url: str
    drill_url: str
    is_filtered: bool


@blueprint.get("/mistakes")
def show() -> Response:
    """The visitor's own mistakes, in the order and of the kind that the address says."""
    order = one_of(request.args, "order", tuple(_VIEWS), NEWEST)
    wanted = replace(MistakeFilter.from_query(request.args), session=0, all_rules=False)
    rules_key = chosen_rules()
    here = {"order": order, **wanted.to_query(), "rules": rules_key}
    mistakes, cells, more = _listed(order, wanted, rules_key)
    again = Plan(rules_key or who.preferences().rules, Mode.MISTAKES, mistakes=replace(wanted, all_rules=not rules_key))
    page = MistakesPage(
        mistakes, cells,
        tuple(Choice(title, query_url("/mistakes", **{**here, "order": key}), key == order)
              for key, title in _VIEWS.items()),
        order, wanted, _selects(wanted, rules_key, order), order != _BY_CELL,
        query_url("/mistakes", **here, **more) if more else "", f"/?{again.to_query()}",
        bool(wanted.to_query() or rules_key),
    )
    return render("mistakes/page.html", "mistakes/_list.html", page=page)


def _listed(
    order: str, wanted: MistakeFilter, rules_key: str
) -> tuple[tuple[MistakeView, ...], tuple[CellView, ...], dict[str, str]]:
    """Single mistakes or cells, and the parameters of the next page where there is one."""
    strategy_hash, zone = strategy_hash_of(rules_key), who.preferences().time_zone
    if order == _BY_CELL:
        number = _page_number()
        found = page_of_cells(who.known_visitor(), wanted, strategy_hash, number)
        cells = tuple(cell_view(each, found.rules[each.strategy_hash]) for each in found.cells)
        return (), cells, {"page": str(number + 1)} if found.has_more else {}
    page = page_of_mistakes(who.known_visitor(), query_of(wanted, strategy_hash, order, zone, _after()))
    views = tuple(mistake_view(each, strategy_title(each.situation.rules), zone,
                               is_right_since=each.id in page.right_since) for each in page.mistakes)
    return views, (), {"after": _place_text(page.next_after)} if page.next_after else {}


def _selects(wanted: MistakeFilter, rules_key: str, order: str) -> tuple[Select, ...]:
    rows = [(title, tuple((name, Cell(section, row, 1).row_label) for name, (section, row) in ROWS_BY_NAME.items()
                          if section == key)) for key, title in _SECTIONS.items()]
    selects = (
        _select("category", "Category", wanted.category, "All",
                tuple((key, CATEGORY_TITLES[key]) for key in CATEGORIES)),
        Select("row", "Hand", wanted.row, (("", (("", "Any"),)), *rows)),
        _select("upcard", "Dealer", wanted.upcard, "Any",
                tuple((label_of(rank), shown_rank(rank)) for rank in UPCARD_ORDER)),
        _select("move", "Your move", wanted.move, "Any", tuple((move, _MOVE_LABELS[move]) for move in MOVES)),
        _select("rules", "Rule set", rules_key, "All", tuple(offered(rules_key))),
    )
    return tuple(each for each in selects if each.name != "move" or order != _BY_CELL)


def _select(name: str, label: str, value: str, every: str, options: Options) -> Select:
    return Select(name, label, value, (("", (("", every), *options)),))


def _page_number() -> int:
    text = request.args.get("page", "0")
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) <= _MOST_PAGES):
        raise PlanError("page", f"{text[:40]!r} is no page of the list")
    return int(text)


def _place_text(place: Place) -> str:
    cost, at, key = place
    return f"{cost!r},{at.isoformat()},{key}"


def _after() -> Place | None:
    """Where a page of mistakes begins: behind a cost, a time and an id."""
    text = request.args.get("after", "")
    if not text:
        return None
    try:
        cost, at, key = text.split(",")
        moment = datetime.fromisoformat(at)
        # At the ends of the calendar there is no UTC to turn a time into, which is an OverflowError.
        place = float(cost), moment.astimezone(UTC), int(key)
        if not (math.isfinite(place[0]) and moment.tzinfo and 0 < place[2] < 2**53 and len(text) < 80):
            raise ValueError
    except (ValueError, OverflowError):
        raise PlanError("after", f"{text[:40]!r} is no place in the list") from None
    return place
