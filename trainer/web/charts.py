"""The strategy pages: the chart of each rule set that ships, and picking a part of it to practise."""

from dataclasses import dataclass

from flask import Blueprint, Response, abort, current_app, make_response, render_template, url_for

from trainer.drill.plan import Plan
from trainer.drill.words import shown_rank, signed
from trainer.engine.cards import label_of
from trainer.engine.chart import UPCARD_ORDER
from trainer.engine.presets import RULE_SETS, TITLES
from trainer.engine.rule_key import is_key, rules_for
from trainer.engine.strategy import Strategy
from trainer.service.strategies import StrategyCache
from trainer.web import visitor as who
from trainer.web.chart_view import SectionView, legend_of, section_views
from trainer.web.htmx import go_to
from trainer.web.plan_view import Choice
from trainer.web.wording import describe_rules, rules_title

blueprint = Blueprint("charts", __name__)


@dataclass(frozen=True)
class ChartPage:
    """Everything the chart's templates read; ``upcards`` are (shown, name in a URL)."""

    rules_key: str
    title: str
    rules: tuple[str, ...]
    choices: tuple[Choice, ...]
    upcards: tuple[tuple[str, str], ...]
    sections: tuple[SectionView, ...]
    legend: tuple[tuple[str, str, str], ...]
    exact_edge: str
    chart_edge: str
    drill_url: str
    picked: Plan


@blueprint.get("/charts")
def index() -> Response:
    """The chart of the rule set that the visitor practises."""
    return go_to(url_for("charts.chart", rules_key=who.remembered_plan().rules_key))


@blueprint.get("/charts/<rules_key>")
def chart(rules_key: str) -> Response:
    """The derived chart of a rule set, with what it is worth."""
    return make_response(render_template("charts/page.html", page=_page(rules_key, "charts.chart")))


@blueprint.get("/charts/<rules_key>/pick")
def pick(rules_key: str) -> Response:
    """Pick rows and upcards of a chart to practise."""
    return make_response(render_template("charts/pick.html", page=_page(rules_key, "charts.pick")))


def _page(rules_key: str, endpoint: str) -> ChartPage:
    if not is_key(rules_key):
        abort(404)
    strategy = _strategy(rules_key)
    return ChartPage(
        rules_key,
        rules_title(rules_key),
        tuple(describe_rules(rules_for(rules_key))),
        tuple(Choice(TITLES[key], url_for(endpoint, rules_key=key), key == rules_key) for key in RULE_SETS),
        tuple((shown_rank(upcard), label_of(upcard)) for upcard in UPCARD_ORDER),
        section_views(strategy),
        legend_of(strategy),
        f"{signed(100 * strategy.exact.edge)}%",
        f"{signed(100 * strategy.by_chart.edge)}%",
        f"/?rules={rules_key}&mode=mixed",
        who.remembered_plan(),
    )


def _strategy(rules_key: str) -> Strategy:
    strategies: StrategyCache = current_app.extensions["strategies"]
    return strategies.get(rules_for(rules_key))
