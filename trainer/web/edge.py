"""What the game is worth: the edge, each rule on its own, each way of playing, the bank, and the swings."""

from dataclasses import dataclass

from flask import Blueprint, Response, abort, current_app, make_response, render_template, url_for
from htmx_flask import request

from trainer.engine.rule_key import canonical_key, is_key, rules_for
from trainer.engine.rules import Rules
from trainer.engine.variation import Change, single_changes
from trainer.service.appraisal import Appraisal, Appraiser
from trainer.service.preferences import MAX_BET_UNIT
from trainer.service.strategies import SolverBusyError
from trainer.web import rule_choice
from trainer.web import visitor as who
from trainer.web.betting_view import SwingsView, swings_view
from trainer.web.edge_view import (
    ChangesView,
    FrequencyLine,
    PlayLine,
    UpcardLine,
    change_lines,
    end_names,
    frequency_lines,
    play_lines,
    upcard_lines,
)
from trainer.web.htmx import go_to, render, wants_fragment
from trainer.web.plan_view import Choice
from trainer.web.rules_view import percent_edge
from trainer.web.wording import describe_rules

blueprint = Blueprint("edge", __name__)

MOST_HANDS_PER_HOUR = 1_000
_USUAL_HANDS_PER_HOUR = 70
_CHANGES_AT_A_TIME = 3


@dataclass(frozen=True)
class Stake:
    """What money is reckoned for: texts as sent, numbers where both can be used, a message for each that cannot."""

    bet: str
    hands_per_hour: str
    bet_error: str
    pace_error: str
    most_bet: int = MAX_BET_UNIT
    most_hands: int = MOST_HANDS_PER_HOUR

    @property
    def numbers(self) -> tuple[int, int] | None:
        return None if self.bet_error or self.pace_error else (int(self.bet), int(self.hands_per_hour))


@dataclass(frozen=True)
class EdgePage:
    """Everything the page of the edge reads; ``swings`` and all changes come later unless asked for at once."""

    rules_key: str
    title: str
    told: tuple[str, ...]
    choices: tuple[Choice, ...]
    chart_edge: str
    exact_edge: str
    is_banks: bool
    per_hundred: str
    upcards: tuple[UpcardLine, ...]
    ends: tuple[str, ...]
    frequencies: tuple[FrequencyLine, ...]
    stake: Stake
    plays: tuple[PlayLine, ...]
    changes: ChangesView
    swings: SwingsView | None


@blueprint.get("/edge")
def show() -> Response:
    """The whole page; with ``all`` nothing is left to be loaded later."""
    key, stake = _key(), _stake()
    return make_response(render_template("edge/page.html", page=_page(key, stake)), 200 if stake.numbers else 422)


@blueprint.get("/edge/plays")
def plays() -> Response:
    """Ways of playing in money, for another bet or pace."""
    key, stake = _key(), _stake()
    if not wants_fragment():
        return go_to(url_for("edge.show", rules=key, bet=stake.bet, hands_per_hour=stake.hands_per_hour))
    return render("edge/page.html", "edge/_plays.html", 200 if stake.numbers else 422, page=_page(key, stake))


@blueprint.get("/edge/changes")
def changes() -> Response:
    """Some more of the single changes, with those before."""
    key, done = _key(), request.args.get("done", 0, type=int)
    if not wants_fragment():
        return go_to(url_for("edge.show", rules=key, all="yes", _anchor="changes"))
    found = _changes(key, min(max(done, 0), 99) + _CHANGES_AT_A_TIME)
    return make_response(render_template("edge/_changes.html", changes=found, rules_key=key, is_fragment=True))


@blueprint.get("/edge/swings")
def swings() -> Response:
    """How results spread, and what ways of betting come to."""
    key = _key()
    if not wants_fragment():
        return go_to(url_for("edge.show", rules=key, all="yes", _anchor="swings"))
    try:
        found = _swings(rules_for(key))
    except SolverBusyError:
        found = None
    return make_response(render_template("edge/_swings.html", swings=found, rules_key=key, delay=" delay:1s"))


def _page(key: str, stake: Stake) -> EdgePage:
    rules, appraiser = rules_for(key), _appraiser()
    appraisal = appraiser.appraise(rules)
    edge, at_once = appraisal.by_chart.edge, "all" in request.args
    return EdgePage(
        key, rule_choice.title_of(key), tuple(describe_rules(rules)),
        tuple(Choice(title, url_for("edge.show", rules=each), each == key) for each, title in rule_choice.offered(key)),
        percent_edge(edge), percent_edge(appraisal.exact.edge), edge < 0, f"{abs(100 * edge):.2f}",
        upcard_lines(rules, appraisal), end_names(rules), frequency_lines(appraisal.by_chart), stake,
        play_lines(appraisal, appraiser.price_advice(rules), *stake.numbers) if stake.numbers else (),
        _changes(key, 99 if at_once else 0), _swings(rules) if at_once else None,
    )


def _changes(key: str, wanted: int) -> ChangesView:
    """The first ``wanted`` changes, or as many as can be had now."""
    rules, appraise = rules_for(key), _appraiser().appraise
    every, delay = single_changes(rules), ""
    found: list[tuple[Change, Appraisal]] = []
    try:
        base = appraise(rules)
        found.extend((change, appraise(change.rules)) for change in every[:wanted])  # what came before a fault stays
    except SolverBusyError:
        if not wants_fragment():
            raise
        delay = " delay:1s"
    next_url = url_for("edge.changes", rules=key, done=len(found)) if len(found) < len(every) else ""
    return ChangesView(change_lines(base, found) if found else (), len(every), next_url,
                       url_for("edge.show", rules=key, all="yes", _anchor="changes"), delay)


def _swings(rules: Rules) -> SwingsView:
    return swings_view(_appraiser().swings(rules), _appraiser().appraise(rules).by_chart.edge)


def _key() -> str:
    text = request.args.get("rules", "") or who.preferences().rules
    if not is_key(text):
        abort(404)
    return canonical_key(text)


def _stake() -> Stake:
    bet, bet_error = _number("bet", who.preferences().bet_unit, MAX_BET_UNIT)
    pace, pace_error = _number("hands_per_hour", _USUAL_HANDS_PER_HOUR, MOST_HANDS_PER_HOUR)
    return Stake(bet, pace, bet_error, pace_error)


def _number(name: str, usual: int, most: int) -> tuple[str, str]:
    text = request.args.get(name, str(usual)).strip()
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(most)) and 1 <= int(text) <= most
    return text[:12], "" if is_number else f"Enter a whole number from 1 to {most}."


def _appraiser() -> Appraiser:
    appraiser: Appraiser = current_app.extensions["appraiser"]
    return appraiser
