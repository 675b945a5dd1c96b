"""Progress by category, and the list of mistakes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date
from zoneinfo import ZoneInfo

from flask import Blueprint, Response
from htmx_flask import request

from trainer.drill.plan import MistakeFilter, Mode, Plan, PlanError
from trainer.drill.situation import CATEGORIES
from trainer.drill.words import shown_rank
from trainer.engine.cards import label_of
from trainer.engine.chart import UPCARD_ORDER
from trainer.engine.presets import RULE_SETS
from trainer.engine.rule_key import canonical_key, is_key, rules_for
from trainer.service.progress import (
    COSTLIEST,
    NEWEST,
    PERIODS,
    MistakeQuery,
    load_progress,
    page_of_mistakes,
    strategy_hash_of,
)
from trainer.service.rule_sets import keys_of_strategies
from trainer.web import visitor as who
from trainer.web.htmx import render
from trainer.web.plan_view import Choice
from trainer.web.rule_choice import offered, saved, strategy_title
from trainer.web.summary_view import CATEGORY_TITLES, LineView, MistakeView, line_view, mistake_view, query_url

blueprint = Blueprint("progress", __name__)

_PERIOD_TITLES = {"7": "7 days", "30": "30 days", "90": "90 days", "all": "All time"}
_ORDERS = {NEWEST: "Newest", COSTLIEST: "Costliest"}


@dataclass(frozen=True)
class ProgressPage:
    """Everything the progress template reads."""

    lines: tuple[LineView, ...]
    total: LineView
    periods: tuple[Choice, ...]
    rule_sets: tuple[Choice, ...]
    is_empty: bool
    is_empty_here: bool


@dataclass(frozen=True)
class MistakesPage:
    """Everything the mistakes template reads."""

    mistakes: tuple[MistakeView, ...]
    orders: tuple[Choice, ...]
    categories: tuple[tuple[str, str, bool], ...]
    upcards: tuple[tuple[str, str, bool], ...]
    rule_sets: tuple[tuple[str, str, bool], ...]
    order: str
    next_url: str
    drill_url: str
    is_filtered: bool


@blueprint.get("/progress")
def progress() -> Response:
    """Accuracy, EV lost and time by category, for a period and a rule set."""
    period = _choose("period", PERIODS, "all")
    rules_key = _choose_rules()
    found = load_progress(who.known_visitor(), rules_key, period, _today())
    lines = tuple(line_view(line) for line in found.lines)
    page = ProgressPage(
        lines,
        line_view(found.total),
        tuple(Choice(title, query_url("/progress", period=key, rules=rules_key), key == period)
              for key, title in _PERIOD_TITLES.items()),
        (Choice("All rule sets", query_url("/progress", period=period), not rules_key),
         *(Choice(strategy_title(rules_for(key)), query_url("/progress", period=period, rules=key),
                  strategy == strategy_hash_of(rules_key)) for strategy, key in _by_strategy(found.practised))),
        not found.practised,
        not any(line.decisions or line.hinted for line in lines),
    )
    return render("progress/page.html", "progress/_figures.html", page=page)


@blueprint.get("/mistakes")
def mistakes() -> Response:
    """The visitor's own mistakes, newest or costliest first."""
    order = _choose("order", _ORDERS, NEWEST)
    category = _choose("category", {"", *CATEGORIES}, "")
    upcard = _choose("upcard", {"", *map(label_of, UPCARD_ORDER)}, "")
    rules_key = _choose_rules()
    rank = next((each for each in UPCARD_ORDER if label_of(each) == upcard), 0)
    query = MistakeQuery(order, category, rank, strategy_hash_of(rules_key), after=_after())
    found = page_of_mistakes(who.known_visitor(), query)
    here = {"order": order, "category": category, "upcard": upcard, "rules": rules_key}
    again = MistakeFilter(category, upcard, all_rules=not rules_key)
    plan = Plan(rules_key or who.preferences().rules, Mode.MISTAKES, mistakes=again)
    page = MistakesPage(
        tuple(mistake_view(each, strategy_title(each.situation.rules), who.preferences().time_zone)
              for each in found.mistakes),
        tuple(Choice(title, query_url("/mistakes", **{**here, "order": key}), key == order)
              for key, title in _ORDERS.items()),
        (("", "All categories", not category),
         *((key, CATEGORY_TITLES[key], key == category) for key in CATEGORIES)),
        (("", "Any upcard", not upcard),
         *((label_of(each), shown_rank(each), label_of(each) == upcard) for each in UPCARD_ORDER)),
        (("", "All rule sets", not rules_key),
         *((key, title, key == rules_key) for key, title in offered(rules_key))),
        order,
        query_url("/mistakes", **here, after="{!r},{}".format(*found.next_after)) if found.next_after else "",
        f"/?{plan.to_query()}",
        bool(category or upcard or rules_key),
    )
    return render("mistakes/page.html", "mistakes/_list.html", page=page)


def _by_strategy(practised: Sequence[str]) -> list[tuple[str, str]]:
    """Every strategy that was practised with a rule set that has it: one that ships, one's own, else any."""
    known: dict[str, str] = {}
    for key, rules in RULE_SETS.items():
        known.setdefault(rules.strategy_hash, key)
    for each in saved():
        known.setdefault(each.strategy_hash, each.key)
    known |= keys_of_strategies(set(practised) - set(known))
    return [(strategy, key) for strategy, key in known.items() if strategy in practised]


def _choose_rules() -> str:
    """The rule set that is asked for, empty for all."""
    text = request.args.get("rules", "")
    if text and not is_key(text):
        raise PlanError("rules", f"{text[:40]!r} is no rule set that there is")
    return canonical_key(text) if text else ""


def _choose(name: str, allowed: object, default: str) -> str:
    value = request.args.get(name, default)
    if value not in allowed:  # type: ignore[operator]
        raise PlanError(name, f"{value[:40]!r} is no {name} that there is")
    return value


def _after() -> tuple[float, int] | None:
    """Where a page of mistakes begins: behind a cost and an id."""
    text = request.args.get("after", "")
    if not text:
        return None
    cost, comma, key = text.partition(",")
    try:
        place = float(cost), int(key)
    except ValueError:
        place = None
    if len(text) > 60 or not comma or place is None or not (0 <= place[0] < 10) or not 0 < place[1] < 2**53:
        raise PlanError("after", f"{text[:40]!r} is no place in the list")
    return place


def _today() -> date:
    zone = who.preferences().time_zone
    return who.now().astimezone(ZoneInfo(zone) if zone else UTC).date()
