"""Filling in an empty chart from memory, and how it was done."""

from flask import Blueprint, Response, current_app, make_response, render_template
from htmx_flask import request

from trainer.engine.chart import SECTIONS, Cell, cells
from trainer.engine.rule_key import rules_for
from trainer.service.fill import fill_in
from trainer.service.strategies import StrategyCache
from trainer.web import visitor as who
from trainer.web.errors import Problem, WayOn, show
from trainer.web.fill_view import field_name, fill_page, fill_url
from trainer.web.rule_address import key_in_query

blueprint = Blueprint("fill", __name__)

# Pressed on a marked chart: what was right is kept, the rest is blank again.
AGAIN = "again"


@blueprint.get("/fill")
def empty() -> Response:
    """An empty chart, or a section of it."""
    return _answer()


@blueprint.post("/fill")
def mark() -> Response:
    """Mark what was filled in, or go on with it; whatever cannot be read is told at its cell and all is kept."""
    return _answer(_typed())


def _answer(typed: dict[Cell, str] | None = None) -> Response:
    rules_key, section = key_in_query(who.remembered_plan().rules_key), request.args.get("section", "")
    if section not in ("", *SECTIONS):
        return show(Problem(400, "There is no such part of the chart", "The section is hard, soft or pair.",
                            ways_on=(WayOn("The whole chart", fill_url(rules_key)),)))
    filling = fill_in(_strategies(), rules_for(rules_key), section, typed)
    is_marked = filling.marked is not None and AGAIN not in request.form
    page = fill_page(filling, rules_key, section, is_marked=is_marked)
    return make_response(render_template("fill/page.html", page=page), 422 if filling.faults else 200)


def _typed() -> dict[Cell, str]:
    """What stands in the fields, by cell; fields of no cell are left aside."""
    given = ((cell, request.form.get(field_name(cell), "")) for cell in cells())
    return {cell: text for cell, text in given if text.strip()}


def _strategies() -> StrategyCache:
    strategies: StrategyCache = current_app.extensions["strategies"]
    return strategies
