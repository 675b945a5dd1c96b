"""The drill's mode *play it out*: the hand goes on after each verdict, until it is settled."""

from flask import Blueprint, Response, current_app
from htmx_flask import request

from trainer.drill.plan import INSURANCE_FOCUS, Mode, Plan
from trainer.engine.errors import EngineError
from trainer.engine.rule_key import rules_for
from trainer.service.drill import HandNotFoundError, NothingToDealError
from trainer.service.playout import PlayOutService, seat_key
from trainer.service.seat import AT_ONCE
from trainer.service.strategies import StrategyCache
from trainer.service.tables import NotSeatedError, TableState
from trainer.web import visitor as who
from trainer.web.drill_page import drill_page, drill_url
from trainer.web.htmx import go_to, render, wants_fragment
from trainer.web.plan_view import FOCUS_TITLES, Choice
from trainer.web.table_form import asked, told_preferences, whole
from trainer.web.table_page import table_page
from trainer.web.wording import sentence

blueprint = Blueprint("playout", __name__)


def show(plan: Plan) -> Response:
    """The hand that is being played out under a plan; a first one is dealt."""
    try:
        return _render(plan, _service().open_hand(who.ensure_visitor(), plan, who.now()))
    except NothingToDealError as error:
        return _render(plan, None, sentence(str(error)))


@blueprint.post("/play/next")
def next_hand() -> Response:
    """Deal the next hand."""
    plan = _plan()
    try:
        state = _service().next_hand(who.ensure_visitor(), plan, whole(request.form.get("number", "")), who.now())
    except EngineError as error:
        return _render(plan, _find(plan), sentence(str(error)[:300]), 422)
    return _answered(plan, state)


@blueprint.post("/play/answer")
def answer() -> Response:
    """Decide; the hand goes on with the chosen move, right or wrong."""
    plan, form = _plan(), request.form
    try:
        state = _service().answer(who.known_visitor(), seat_key(plan), asked(), whole(form.get("box", "")),
                                  form.get("action", ""), None, told_preferences(), who.now())
    except NotSeatedError as error:
        raise HandNotFoundError(seat_key(plan)) from error
    except EngineError as error:
        found = _find(plan)
        if found is None:
            raise HandNotFoundError(seat_key(plan)) from error
        return _render(plan, found, f"{sentence(str(error)[:300])} Nothing was changed.", 422)
    return _answered(plan, state)


@blueprint.post("/play/options")
def options() -> Response:
    """Hints on or off."""
    plan = _plan()
    try:
        state = _service().set_options(who.known_visitor(), seat_key(plan), who.now(),
                                       is_hinting="hint" in request.form, verdicts=AT_ONCE)
    except NotSeatedError as error:
        raise HandNotFoundError(seat_key(plan)) from error
    return _answered(plan, state)


def _find(plan: Plan) -> TableState | None:
    return _service().find_hand(who.known_visitor(), plan, who.now())


def _answered(plan: Plan, state: TableState) -> Response:
    return _render(plan, state) if wants_fragment() else go_to(drill_url(plan))


def _render(plan: Plan, state: TableState | None, message: str = "", status: int = 200) -> Response:
    table = None
    if state is not None:
        strategy = _strategies().get(state.seat.spec.terms.rules)
        table = table_page(state, strategy, who.now(), message=message, address="/play", plan=plan)
    page = drill_page(plan, table=table, openings=_openings(plan), message=message)
    return render("drill/play.html", "drill/_play.html", status, page=page)


def _openings(plan: Plan) -> tuple[Choice, ...]:
    """Links that choose the opening hands, of kinds that the rules have."""
    rules, is_any = rules_for(plan.rules_key), not (plan.focus or plan.rows or plan.upcards)
    is_there = {"surrender": rules.surrender != "none", INSURANCE_FOCUS: rules.insurance != "none"}
    titles = {**FOCUS_TITLES, INSURANCE_FOCUS: "Insurance"}
    return (Choice("For you", drill_url(Plan(plan.rules_key, Mode.PLAY_OUT)), is_any), *(
        Choice(title, drill_url(Plan(plan.rules_key, Mode.PLAY_OUT, focus)), plan.focus == focus)
        for focus, title in titles.items() if is_there.get(focus, True)))


def _plan() -> Plan:
    """The plan that the form names; ``PlanError`` for nonsense."""
    plan = Plan.from_text(request.form.get("plan", ""))
    return plan if plan.mode is Mode.PLAY_OUT else Plan(plan.rules_key, Mode.PLAY_OUT)


def _service() -> PlayOutService:
    service: PlayOutService = current_app.extensions["playout"]
    return service


def _strategies() -> StrategyCache:
    strategies: StrategyCache = current_app.extensions["strategies"]
    return strategies
