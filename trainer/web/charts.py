"""The strategy pages: the chart of any rule set, to print, save, look into cell by cell, and pick from to practise."""

from collections.abc import Iterable
from dataclasses import dataclass

from flask import Blueprint, Response, current_app, make_response, render_template, url_for
from htmx_flask import request

from trainer.drill.plan import Plan
from trainer.drill.words import shown_rank, signed
from trainer.engine.cards import label_of
from trainer.engine.chart import SECTIONS, UPCARD_ORDER
from trainer.engine.strategy import Strategy
from trainer.service.charts import look_into
from trainer.service.strategies import StrategyCache
from trainer.web import visitor as who
from trainer.web.cell_view import cell_page, read_cell
from trainer.web.chart_file import chart_rows, csv_response, ev_rows
from trainer.web.chart_view import SECTION_TITLES, SURRENDER, TABLES, ChartView, SectionView
from trainer.web.errors import Problem, WayOn, show
from trainer.web.figures import query_url
from trainer.web.htmx import go_to
from trainer.web.plan_view import Choice
from trainer.web.rule_address import rule_choices, rules_in_path
from trainer.web.rule_choice import title_of
from trainer.web.wording import describe_rules

blueprint = Blueprint("charts", __name__)


@dataclass(frozen=True)
class ChartPage:
    """Everything the chart's templates read; ``upcards`` are (shown, name in a URL)."""

    rules_key: str
    title: str
    rules: tuple[str, ...]
    table: str
    choices: tuple[Choice, ...]
    tables: tuple[Choice, ...]
    parts: tuple[Choice, ...]
    upcards: tuple[tuple[str, str], ...]
    sections: tuple[SectionView, ...]
    legend: tuple[tuple[str, str, str], ...]
    is_marked: bool
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
    """The derived chart of a rule set, or its exact table, with what it is worth."""
    table, section = request.args.get("table", "chart"), request.args.get("section", "")
    if table not in TABLES or section not in {"", *SECTION_TITLES}:
        return show(Problem(400, "There is no such chart", "The table is chart or exact; the section is hard, soft, "
                            "pair or surrender.", ways_on=(_whole_chart(rules_key),)))
    return make_response(render_template("charts/page.html", page=_page(rules_key, table, section)))


@blueprint.get("/charts/<rules_key>/pick")
def pick(rules_key: str) -> Response:
    """Pick rows and upcards of a chart to practise."""
    return make_response(render_template("charts/pick.html", page=_page(rules_key, parts=SECTIONS)))


@blueprint.get("/charts/<rules_key>/<row>/<upcard>")
def cell(rules_key: str, row: str, upcard: str) -> Response:
    """One cell: every hand that makes it, what its moves are worth, and the visitor's own record on it."""
    rules = rules_in_path(rules_key)
    wanted = read_cell(rules, row, upcard)
    if wanted is None:
        return show(Problem(404, "There is no such place on this chart", f"{row[:12]} against {upcard[:12]} is not on "
                            "it. Rows are named h16, s18 or p8, upcards 2 to 9, T and A.",
                            ways_on=(_whole_chart(rules_key),)))
    look = look_into(_strategies(), who.known_visitor(), rules, wanted)
    return make_response(render_template("charts/cell.html", page=cell_page(look, rules_key, rules)))


@blueprint.get("/charts/<rules_key>/chart.csv")
def chart_csv(rules_key: str) -> Response:
    """The chart, or the exact table, as a file."""
    rules = rules_in_path(rules_key)
    table = "exact" if request.args.get("table") == "exact" else "chart"
    return csv_response(f"{table}-{rules_key}.csv", chart_rows(_strategies().get(rules), rules_key, rules, table))


@blueprint.get("/charts/<rules_key>/evs.csv")
def evs_csv(rules_key: str) -> Response:
    """Every move's EV on every hand against every upcard as a file."""
    rules = rules_in_path(rules_key)
    return csv_response(f"evs-{rules_key}.csv", ev_rows(_strategies().get(rules), rules_key, rules))


def _page(
    rules_key: str, table: str = "chart", section: str = "", parts: Iterable[str] = SECTION_TITLES
) -> ChartPage:
    rules = rules_in_path(rules_key)
    strategy: Strategy = _strategies().get(rules)
    view = ChartView(strategy, rules_key, table)
    sections = view.sections([section] if section else parts)
    here, endpoint = {"table": request.args.get("table", ""), "section": section}, request.endpoint or ""
    return ChartPage(
        rules_key=rules_key,
        title=title_of(rules_key),
        rules=tuple(describe_rules(rules)),
        table=table,
        choices=rule_choices(rules_key, lambda key: query_url(url_for(endpoint, rules_key=key), **here)),
        tables=_choices(rules_key, "table", TABLES, table, section=section),
        parts=_choices(rules_key, "section", _parts(rules.surrender), section, table=here["table"]),
        upcards=tuple((shown_rank(upcard), label_of(upcard)) for upcard in UPCARD_ORDER),
        sections=sections,
        legend=view.legend(sections),
        is_marked=any(each.is_marked for part in sections for row in part.rows for each in row.cells),
        exact_edge=f"{signed(100 * strategy.exact.edge)}%",
        chart_edge=f"{signed(100 * strategy.by_chart.edge)}%",
        drill_url=f"/?rules={rules_key}&mode=mixed",
        picked=who.remembered_plan(),
    )


def _parts(surrender: str) -> dict[str, str]:
    return {"": "All", **{name: title for name, title in SECTION_TITLES.items()
                          if name != SURRENDER or surrender != "none"}}


def _choices(rules_key: str, name: str, titles: dict[str, str], chosen: str, **others: str) -> tuple[Choice, ...]:
    path = url_for("charts.chart", rules_key=rules_key)
    return tuple(Choice(title, query_url(path, **others, **{name: value}), value == chosen)
                 for value, title in titles.items())


def _whole_chart(rules_key: str) -> WayOn:
    rules_in_path(rules_key)
    return WayOn("The whole chart", url_for("charts.chart", rules_key=rules_key))


def _strategies() -> StrategyCache:
    strategies: StrategyCache = current_app.extensions["strategies"]
    return strategies
