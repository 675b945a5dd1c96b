"""Progress by category, period and rule set; over time, and on the chart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date
from zoneinfo import ZoneInfo

from flask import Blueprint, Response, current_app
from htmx_flask import request

from trainer.drill.parameters import one_of
from trainer.drill.plan import Mode, Plan
from trainer.drill.situation import CATEGORIES
from trainer.drill.words import signed
from trainer.engine.presets import RULE_SETS
from trainer.engine.rule_key import rules_for
from trainer.service.overview import GoalStanding, load_goal, load_overview
from trainer.service.progress import PERIODS, load_progress, strategy_hash_of
from trainer.service.rule_sets import keys_of_strategies
from trainer.service.strategies import StrategyCache
from trainer.service.trend import load_trend
from trainer.web import visitor as who
from trainer.web.figures import percent_text, query_url
from trainer.web.heat_view import LEADS, MEASURES, HeatSection, heat_sections
from trainer.web.htmx import render
from trainer.web.plan_view import Choice
from trainer.web.rule_address import chosen_rules
from trainer.web.rule_choice import saved, strategy_title
from trainer.web.summary_view import CATEGORY_TITLES, LineView, line_view
from trainer.web.trend_view import TrendView, trend_view

blueprint = Blueprint("progress", __name__)

_PERIOD_TITLES = {"7": "7 days", "30": "30 days", "90": "90 days", "all": "All time"}


@dataclass(frozen=True)
class ChartStanding:
    """Where the user stands on one chart, in words; the heat map's tables and the choice of what it shows."""

    title: str
    due: int
    review_url: str
    kept: str
    cost: str
    measures: tuple[Choice, ...]
    lead: str
    sections: tuple[HeatSection, ...]


@dataclass(frozen=True)
class ProgressPage:
    """Everything the progress template reads."""

    lines: tuple[LineView, ...]
    total: LineView
    periods: tuple[Choice, ...]
    rule_sets: tuple[Choice, ...]
    categories: tuple[Choice, ...]
    trend: TrendView | None
    standing: ChartStanding | None
    goal: GoalStanding | None
    is_empty: bool
    is_empty_here: bool


@blueprint.get("/progress")
def progress() -> Response:
    """Accuracy, EV lost and time by category, over time, and on the chart, for a period and a rule set."""
    here = {
        "period": one_of(request.args, "period", tuple(PERIODS), "all"), "rules": chosen_rules(),
        "line": one_of(request.args, "line", ("", *CATEGORIES)),
        "heat": one_of(request.args, "heat", tuple(MEASURES)),
    }
    visitor, today = who.known_visitor(), _today()
    found = load_progress(visitor, here["rules"], here["period"], today)
    lines = tuple(line_view(line) for line in found.lines)
    page = ProgressPage(
        lines,
        line_view(found.total),
        _choices(here, "period", _PERIOD_TITLES),
        (*_choices(here, "rules", {"": "All rule sets"}),
         *(Choice(strategy_title(rules_for(key)), query_url("/progress", **{**here, "rules": key}),
                  strategy == strategy_hash_of(here["rules"])) for strategy, key in _by_strategy(found.practised))),
        _choices(here, "line", {"": "All but insurance"} | {key: CATEGORY_TITLES[key] for key in CATEGORIES}),
        trend_view(load_trend(visitor, here["rules"], here["period"], here["line"], today)),
        _standing(here) if found.practised else None,
        load_goal(visitor, who.preferences().daily_goal, today),
        not found.practised,
        not any(line.decisions or line.hinted for line in lines),
    )
    return render("progress/page.html", "progress/_figures.html", page=page)


def _standing(here: Mapping[str, str]) -> ChartStanding | None:
    """On the chosen chart, else on the one that is being practised; none before the first answer there."""
    rules_key = here["rules"] or who.remembered_plan().rules_key
    strategies: StrategyCache = current_app.extensions["strategies"]
    strategy = strategies.get(rules_for(rules_key))
    found = load_overview(who.known_visitor(), strategy, who.now())
    if found.cost is None:
        return None
    kept, cost = found.kept, found.cost
    return ChartStanding(
        strategy_title(strategy.rules), found.due,
        f"/?{Plan(rules_key, Mode.REVIEW).to_query()}",
        f"{percent_text(kept.share)} of {kept.asked}" if kept.asked else "",
        f"about {cost.per_100:.2f} bets per 100 rounds (with 90% confidence {cost.low:.2f} to {cost.high:.2f}), beside "
        f"the {signed(100 * strategy.by_chart.edge, 2)} that the chart itself is worth",
        _choices(here, "heat", MEASURES), LEADS[here["heat"]],
        heat_sections(strategy.rules, found, here["heat"], rules_key),
    )


def _choices(here: Mapping[str, str], name: str, titles: Mapping[str, str]) -> tuple[Choice, ...]:
    return tuple(Choice(title, query_url("/progress", **{**here, name: key}), key == here[name])
                 for key, title in titles.items())


def _by_strategy(practised: Sequence[str]) -> list[tuple[str, str]]:
    """Every strategy that was practised with a rule set that has it: one that ships, one's own, else any."""
    known: dict[str, str] = {}
    for key, rules in RULE_SETS.items():
        known.setdefault(rules.strategy_hash, key)
    for each in saved():
        known.setdefault(each.strategy_hash, each.key)
    known |= keys_of_strategies(set(practised) - set(known))
    return [(strategy, key) for strategy, key in known.items() if strategy in practised]


def _today() -> date:
    zone = who.preferences().time_zone
    return who.now().astimezone(ZoneInfo(zone) if zone else UTC).date()
