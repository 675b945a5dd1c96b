"""The rule set that an address names: read, put into its one form, and told what there is where it is none."""

from collections.abc import Callable
from urllib.parse import quote, urlencode

from flask import abort, url_for
from htmx_flask import request

from trainer.drill.parameters import read_rules, row_name
from trainer.engine.cards import label_of
from trainer.engine.chart import Cell
from trainer.engine.errors import RulesError
from trainer.engine.presets import TITLES
from trainer.engine.rule_key import canonical_key, rules_for
from trainer.engine.rules import Rules
from trainer.web.errors import Problem, WayOn, show
from trainer.web.htmx import go_to
from trainer.web.plan_view import Choice
from trainer.web.rule_choice import offered


def rules_in_path(key: str) -> Rules:
    """The rule set of a ``rules_key`` in the path; sends the browser to its canonical address, or a 404."""
    canonical = _canonical(key)
    if canonical != key:
        parts = (request.view_args or {}) | {"rules_key": canonical}
        abort(go_to(url_for(request.endpoint or "", **parts, **request.args.to_dict())))
    return rules_for(key)


def chosen_rules() -> str:
    """The canonical key of ``?rules=`` where a page is about all rule sets without it; ``PlanError`` for nonsense."""
    key = request.args.get("rules", "")
    return read_rules(key) if key else ""


def key_in_query(default: str) -> str:
    """The canonical key of ``?rules=``; an address without it, or with another form of it, is sent on."""
    given = request.args.get("rules", "")
    key = _canonical(given or default)
    if key != given:
        abort(go_to(f"{quote(request.path)}?{urlencode(request.args.to_dict() | {'rules': key})}"))
    return key


def rule_choices(here: str, address: Callable[[str], str]) -> tuple[Choice, ...]:
    """Links to a page's ``address`` on every rule set that the visitor is offered, and on the one in use."""
    return tuple(Choice(title, address(key), key == here) for key, title in offered(here))


def cell_url(rules_key: str, cell: Cell) -> str:
    """The address of a cell's page; hundreds of them are on one page, so that they are not looked up one by one."""
    return f"/charts/{rules_key}/{row_name(cell)}/{label_of(cell.upcard)}"


def _canonical(key: str) -> str:
    try:
        return canonical_key(key)
    except RulesError:
        ways = tuple(WayOn(title, url_for("charts.chart", rules_key=each)) for each, title in TITLES.items())
        abort(show(Problem(404, "There are no such rules", "These are the rule sets that ship; any other is written "
                           "out by its fields, such as decks~2.surrender~late.", ways_on=ways)))
