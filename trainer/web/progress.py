"""Progress by category, period and rule set."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date
from zoneinfo import ZoneInfo

from flask import Blueprint, Response
from htmx_flask import request

from trainer.drill.parameters import one_of
from trainer.engine.presets import RULE_SETS, TITLES
from trainer.service.progress import PERIODS, load_progress
from trainer.web import visitor as who
from trainer.web.figures import query_url
from trainer.web.htmx import render
from trainer.web.plan_view import Choice
from trainer.web.rule_sets import chosen_rules
from trainer.web.summary_view import LineView, line_view

blueprint = Blueprint("progress", __name__)

_PERIOD_TITLES = {"7": "7 days", "30": "30 days", "90": "90 days", "all": "All time"}


@dataclass(frozen=True)
class ProgressPage:
    """Everything the progress template reads."""

    lines: tuple[LineView, ...]
    total: LineView
    periods: tuple[Choice, ...]
    rule_sets: tuple[Choice, ...]
    is_empty: bool
    is_empty_here: bool


@blueprint.get("/progress")
def progress() -> Response:
    """Accuracy, EV lost and time by category, for a period and a rule set."""
    period = one_of(request.args, "period", tuple(PERIODS), "all")
    rules_key = chosen_rules()
    found = load_progress(who.known_visitor(), rules_key, period, _today())
    practised = _by_strategy(found.practised)
    lines = tuple(line_view(line) for line in found.lines)
    page = ProgressPage(
        lines,
        line_view(found.total),
        tuple(Choice(title, query_url("/progress", period=key, rules=rules_key), key == period)
              for key, title in _PERIOD_TITLES.items()),
        (Choice("All rule sets", query_url("/progress", period=period), not rules_key),
         *(Choice(", ".join(TITLES[key] for key in keys), query_url("/progress", period=period, rules=keys[0]),
                  rules_key in keys) for keys in practised)),
        not found.practised,
        not any(line.decisions or line.hinted for line in lines),
    )
    return render("progress/page.html", "progress/_figures.html", page=page)


def _by_strategy(practised: Sequence[str]) -> list[list[str]]:
    """Keys of the rule sets that were practised; those with one and the same chart together, as progress is."""
    return [keys for strategy in dict.fromkeys(rules.strategy_hash for rules in RULE_SETS.values())
            if strategy in practised
            and (keys := [key for key, rules in RULE_SETS.items() if rules.strategy_hash == strategy])]


def _today() -> date:
    zone = who.preferences().time_zone
    return who.now().astimezone(ZoneInfo(zone) if zone else UTC).date()
