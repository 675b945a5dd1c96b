"""Tables: the choice of tables, and one of them with its visitor at it."""

from collections.abc import Sequence

from flask import Blueprint, Response, abort, current_app, url_for
from htmx_flask import request

from trainer.engine.errors import EngineError, RulesError
from trainer.engine.rule_key import canonical_key, rules_for
from trainer.service.seat import AT_ONCE, VERDICTS
from trainer.service.strategies import StrategyCache
from trainer.service.tables import NotSeatedError, TableService, TableState
from trainer.table.amount import CHIP, read_chips
from trainer.table.errors import BetError
from trainer.table.spec import TABLES
from trainer.web import visitor as who
from trainer.web.errors import Problem, WayOn, show
from trainer.web.figures import query_url
from trainer.web.htmx import go_to, render, wants_fragment
from trainer.web.rule_choice import saved
from trainer.web.table_form import asked, told_preferences, whole
from trainer.web.table_page import SitPage, sit_page, table_card, table_page, table_title
from trainer.web.wording import sentence

blueprint = Blueprint("tables", __name__)

# As many digits as a bet may have; what is typed is shown again as it was.
_LONGEST_TYPED = 20


@blueprint.get("/tables")
def index() -> Response:
    """All tables, those of the visitor's own rule sets among them, and which of them the visitor sits at."""
    purses, seated = _service().purses(who.known_visitor())
    own_rules = [who.remembered_plan().rules_key, *(each.key for each in saved())]
    keys = dict.fromkeys([*TABLES, *seated, *(key for key in own_rules if not _has_table(key))])
    cards = [table_card(key, purses, seated) for key in keys]
    return render("tables/index.html", "tables/index.html", cards=cards)


@blueprint.get("/tables/<key>")
def table(key: str) -> Response:
    """One's own seat at a table, or the way to one."""
    _require_table(key)
    try:
        state = _service().look(who.known_visitor(), key, who.now())
    except NotSeatedError:
        return _sit(key)
    typed = [text[:_LONGEST_TYPED] for text in request.args.getlist("bet")] or None
    return _show(state, bets=typed, is_adjusting=typed is not None)


@blueprint.post("/tables/<key>/sit")
def sit(key: str) -> Response:
    """Sit down."""
    _require_table(key)
    form = request.form
    try:
        own, residents, place = (whole(form.get(name, default)) for name, default in (
            ("own", "1"), ("residents", "0"), ("place", "0")))
        _service().sit_down(who.ensure_visitor(), key, who.now(), own=own, residents=residents,
                            place=min(place, residents), has_clock="clock" in form)
    except EngineError as error:
        return _sit(key, f"{sentence(str(error))} Nothing was changed.", 422)
    return go_to(url_for("tables.table", key=key))


@blueprint.post("/tables/<key>/open")
def begin(key: str) -> Response:
    """Open the next round for bets: its clock begins to run."""
    _require_table(key)
    try:
        state = _service().begin(who.known_visitor(), key, asked().number, who.now())
    except EngineError as error:
        return _refused(key, error)
    return _answered(state)


@blueprint.post("/tables/<key>/bet")
def bet(key: str) -> Response:
    """Put a chip on every own box, or play for what lies there."""
    _require_table(key)
    typed = [text[:_LONGEST_TYPED] for text in request.form.getlist("bet")]
    now = who.now()
    try:
        if "chip" in request.form:
            return _adjust(key, typed, request.form["chip"])
        amounts = [read_chips(text) for text in typed]
        state = _service().bet(who.known_visitor(), key, asked(), amounts, told_preferences(), now)
    except EngineError as error:
        return _refused(key, error, typed)
    return _answered(state)


@blueprint.post("/tables/<key>/answer")
def answer(key: str) -> Response:
    """Decide for the box that is asked."""
    _require_table(key)
    form = request.form
    try:
        amount = read_chips(form["amount"]) if "amount" in form else None
        state = _service().answer(who.known_visitor(), key, asked(), whole(form.get("box", "")),
                                  form.get("action", ""), amount, told_preferences(), who.now())
    except EngineError as error:
        return _refused(key, error)
    return _answered(state)


@blueprint.post("/tables/<key>/options")
def options(key: str) -> Response:
    """Hints on or off, and when verdicts are shown."""
    _require_table(key)
    chosen = request.form.get("verdicts", AT_ONCE)
    if chosen not in VERDICTS:
        return _refused(key, BetError(f"verdicts come after each {' or each '.join(VERDICTS)}"))
    return _answered(_service().set_options(who.known_visitor(), key, who.now(), is_hinting="hint" in request.form,
                                            verdicts=chosen))


@blueprint.post("/tables/<key>/leave")
def leave(key: str) -> Response:
    """Get up; the purse stays the visitor's."""
    _require_table(key)
    try:
        _service().leave(who.known_visitor(), key, who.now())
    except EngineError as error:
        return _refused(key, error)
    return go_to(url_for("tables.index"))


def titles_in_play(visitor: str | None) -> list[str]:
    """What the tables are called at which a round of somebody's is in progress."""
    return sorted(table_title(key) for key in _service().rounds_in_play(visitor))


def _adjust(key: str, typed: Sequence[str], chip: str) -> Response:
    """The bets with a chip more on each, nothing being bet yet; ``0`` clears them."""
    worth = read_chips(chip) // CHIP
    bets = [str(read_chips(text or "0") // CHIP + worth if worth else 0) for text in typed]
    if not wants_fragment():
        return go_to(query_url(url_for("tables.table", key=key)) + "?" + "&".join(f"bet={each}" for each in bets))
    return _show(_service().look(who.known_visitor(), key, who.now()), bets=bets, is_adjusting=True)


def _answered(state: TableState) -> Response:
    """The table after something was done; without htmx it is asked for anew, so that a reload repeats nothing."""
    if not wants_fragment():
        return go_to(url_for("tables.table", key=state.seat.key))
    return _show(state)


def _refused(key: str, error: EngineError, typed: Sequence[str] | None = None) -> Response:
    state = _service().look(who.known_visitor(), key, who.now())
    return _show(state, bets=typed, message=f"{sentence(str(error)[:300])} Nothing was changed.", status=422)


def _show(
    state: TableState, *, bets: Sequence[str] | None = None, message: str = "", status: int = 200,
    is_adjusting: bool = False,
) -> Response:
    page = table_page(state, _strategies().get(state.seat.spec.terms.rules), who.now(), bets=bets, message=message,
                      is_adjusting=is_adjusting)
    return render("tables/page.html", "tables/_table.html", status, page=page)


def _sit(key: str, message: str = "", status: int = 200) -> Response:
    _, purse = _service().purse_at(who.known_visitor(), key)
    page: SitPage = sit_page(key, purse, message=message)
    return render("tables/sit.html", "tables/sit.html", status, page=page)


def _require_table(key: str) -> None:
    """A 404 where there is no such table; another form of a rule set's key leads to the one form."""
    if key in TABLES:
        return
    try:
        canonical = canonical_key(key)
    except RulesError:
        abort(show(Problem(404, "There is no such table", "Tables go by name, or by a rule set’s key.",
                           ways_on=(WayOn("The tables", url_for("tables.index")),))))
    if canonical != key:
        abort(go_to(url_for("tables.table", key=canonical)))


def _has_table(rules_key: str) -> bool:
    """Whether a rule set is played at one of the tables that ship."""
    return rules_for(rules_key) in [each.terms.rules for each in TABLES.values()]


def _service() -> TableService:
    service: TableService = current_app.extensions["tables"]
    return service


def _strategies() -> StrategyCache:
    strategies: StrategyCache = current_app.extensions["strategies"]
    return strategies
