"""The drill: a hand, an answer, the verdict."""

from flask import Blueprint, Response, current_app, flash, render_template, url_for
from htmx_flask import request

from trainer.drill.plan import Mode, Plan
from trainer.engine.errors import IllegalActionError
from trainer.service.drill import (
    SITTING_GAP,
    DecisionRow,
    DrillService,
    HandNotFoundError,
    NothingToDealError,
    NotRunningError,
    PlanFinishedError,
    QuestionRow,
)
from trainer.service.progress import Sitting, finish_sitting, summarise
from trainer.service.strategies import StrategyCache
from trainer.web import playout
from trainer.web import visitor as who
from trainer.web.drill_page import drill_page, drill_url
from trainer.web.fill_view import fill_url
from trainer.web.hand_view import hand_view
from trainer.web.htmx import go_to, render, wants_fragment
from trainer.web.plan_view import plan_title
from trainer.web.run_view import LastView, last_view
from trainer.web.summary_view import summary_view
from trainer.web.verdict_view import verdict_view
from trainer.web.wording import sentence

blueprint = Blueprint("drill", __name__)


@blueprint.get("/")
def home() -> Response:
    """The hand that is open under the plan in the address, or a new one."""
    plan = _plan_from_address()
    if plan.mode is Mode.FILL:
        return go_to(fill_url(plan.rules_key, plan.focus))
    if not who.is_real_get():
        return render("drill/page.html", "drill/_hand.html", page=drill_page(plan, is_waiting=True))
    visitor = who.ensure_visitor()
    before = who.remembered_plan()
    if plan.mode is Mode.MISTAKES and before.mode is not Mode.MISTAKES:
        who.remember_return(before)
    who.remember_plan(plan)
    if request.path == "/" and not request.args and plan != Plan(mode=Mode.DEFAULT_MIX):
        return go_to(drill_url(plan))
    if plan.mode is Mode.PLAY_OUT:
        return playout.show(plan)
    try:
        question = _service().open_hand(visitor, plan, who.position_in(plan), who.now())
    except NothingToDealError as error:
        return render("drill/page.html", "drill/_hand.html", page=drill_page(plan, message=sentence(str(error))))
    except NotRunningError:
        return render("drill/page.html", "drill/_hand.html", page=drill_page(plan))
    except PlanFinishedError:
        back = who.take_return()
        who.remember_plan(back)
        flash(f"That was all of them. Back to {plan_title(back).lower()}.")
        return go_to(drill_url(back))
    return _show(question, plan)


@blueprint.get("/hand/<token:token>")
def hand(token: str) -> Response:
    """One's own hand: the question while it is open, the verdict after."""
    found = _service().look_up(_visitor(token), token, who.now())
    return _show(found, Plan.from_text(found.plan))


@blueprint.post("/hand/<token:token>")
def answer(token: str) -> Response:
    """Judge a move; the first answer to a hand stands."""
    visitor, now = _visitor(token), who.now()
    try:
        answered = _service().answer(
            visitor, token, request.form.get("action", ""), None, now, request.form.get("time_zone", ""))
    except IllegalActionError as error:
        found = _service().look_up(visitor, token, now)
        chosen = request.form.get("action")
        message = f"Not recorded: {error}." if chosen else "Choose a move first."
        return _show(found, Plan.from_text(found.plan), message=message, status=422)
    except NotRunningError:
        return go_to(drill_url(who.remembered_plan()))
    decision = answered.decision
    if answered.preferences:
        who.learn_preferences(answered.preferences)
    plan = Plan.from_text(decision.plan)
    who.advance(decision.plan, decision.position)
    if plan.mode is Mode.SPRINT:
        return _next_of_sprint(visitor, plan, decision)
    if not wants_fragment():
        return go_to(url_for("drill.hand", token=token))
    return _show(decision, plan, sitting=answered.sitting, due=answered.due)


@blueprint.post("/hand/<token:token>/hint")
def hint(token: str) -> Response:
    """Show the chart's row before the answer."""
    found = _service().hint(_visitor(token), token, who.now())
    if not wants_fragment():
        return go_to(url_for("drill.hand", token=token))
    return _show(found, Plan.from_text(found.plan))


@blueprint.post("/hand/<token:token>/skip")
def skip(token: str) -> Response:
    """Take the hand away unanswered and deal the next."""
    found = _service().skip(_visitor(token), token, who.now())
    who.advance(found.plan, found.position)
    plan = Plan.from_text(found.plan)
    if not wants_fragment():
        return go_to(drill_url(plan))
    try:
        question = _service().open_hand(_visitor(token), plan, who.position_in(plan), who.now())
    except (NothingToDealError, PlanFinishedError):
        return go_to(drill_url(plan))
    return _show(question, plan)


@blueprint.post("/finish")
def finish() -> Response:
    """End the practice session and look back on it."""
    visitor = who.ensure_visitor()
    ended = finish_sitting(visitor, who.now() - SITTING_GAP)
    if ended is None:
        flash("Nothing has been answered yet.")
        return go_to(drill_url(who.remembered_plan()))
    return go_to(url_for("drill.summary", sitting_id=ended))


@blueprint.get("/sessions/<int:sitting_id>")
def summary(sitting_id: int) -> Response:
    """What a practice session came to."""
    visitor = who.known_visitor()
    found = summarise(visitor, sitting_id) if visitor and sitting_id < 2**53 else None
    if found is None:
        raise HandNotFoundError(str(sitting_id))
    plan = who.remembered_plan()
    if plan.mode is Mode.MISTAKES:
        plan = who.default_plan()
    return Response(render_template("drill/summary.html", summary=summary_view(found, plan)))


def _next_of_sprint(visitor: str, plan: Plan, before: DecisionRow) -> Response:
    """The minute runs: the next hand at once, with a line on the one before."""
    last = last_view(before)
    if not wants_fragment():
        flash(last.text)
        return go_to(drill_url(plan))
    try:
        question = _service().open_hand(visitor, plan, who.position_in(plan), who.now())
    except NotRunningError:
        return go_to(drill_url(plan))
    return _show(question, plan, last=last)


def _show(
    found: QuestionRow | DecisionRow, plan: Plan, message: str = "", status: int = 200, sitting: Sitting | None = None,
    last: LastView | None = None, due: int | None = None,
) -> Response:
    strategy = _strategies().get(found.situation.rules)
    preferences = who.preferences()
    if isinstance(found, QuestionRow):
        page = drill_page(plan, hand=hand_view(found, strategy), message=message, last=last)
    else:
        page = drill_page(plan, hand=hand_view(found, strategy, found.chosen),
                     verdict=verdict_view(found, strategy, preferences.bet_unit), message=message, sitting=sitting,
                     due=due)
    return render("drill/page.html", "drill/_hand.html", status, page=page)


def _plan_from_address() -> Plan:
    query = {name: values[-1] for name, values in request.args.lists()}
    for name in ("rows", "upcards"):
        if request.args.getlist(name):
            query[name] = ",".join(request.args.getlist(name))
    return Plan.from_query(query, who.remembered_plan())


def _visitor(token: str) -> str:
    """The visitor, who must be known: nobody else has a hand."""
    visitor = who.known_visitor()
    if visitor is None:
        raise HandNotFoundError(token)
    return visitor


def _service() -> DrillService:
    service: DrillService = current_app.extensions["drill"]
    return service


def _strategies() -> StrategyCache:
    strategies: StrategyCache = current_app.extensions["strategies"]
    return strategies
