"""Who is asking: a random id in a signed cookie, and what the browser is to remember."""

import secrets
from datetime import UTC, datetime

from flask import flash, g, request, session

from trainer.drill.plan import Mode, Plan
from trainer.engine.errors import EngineError
from trainer.service.accounts import AccountRow, find_account
from trainer.service.preferences import Preferences, load_preferences

_VISITOR, _LOGIN, _PLAN, _NEXT, _RETURN = "visitor", "login", "plan", "next", "return_to"


def known_visitor() -> str | None:
    """The visitor's id: the account's where the browser is logged in, else what the cookie has, if anything."""
    found = account()
    return found.visitor if found else guest()


def guest() -> str | None:
    """The id of a visitor who is not logged in, where the cookie has one."""
    return _text(_VISITOR)


def login() -> str | None:
    """What the cookie of a browser that is logged in shows for it."""
    return _text(_LOGIN)


def account() -> AccountRow | None:
    """The account that this browser is logged in to, looked up once a request; a guest costs no query."""
    key = login()
    if key is None:
        return None
    if "account" not in g:
        g.account = find_account(key, now())
    found: AccountRow | None = g.account
    if found is None:  # ended on another device, or lapsed
        leave("You have been logged out.")
    return found


def browser() -> str | None:
    """What tells this browser from others, without asking the database."""
    return login() or guest()


def enter(key: str) -> None:
    """Log this browser in: a new cookie, with nothing of the old but what is practised."""
    kept = {name: session[name] for name in (_PLAN, _NEXT) if name in session}
    _forget()
    session.update(kept)
    session[_LOGIN] = key
    session.permanent = True


def leave(message: str) -> None:
    """Log this browser out; it goes on as a new guest, who is told."""
    _forget()
    flash(message)


def _forget() -> None:
    session.clear()
    for name in ("account", "preferences", "csrf_token"):
        g.pop(name, None)


def _text(name: str) -> str | None:
    value = session.get(name)
    return value if isinstance(value, str) else None


def ensure_visitor() -> str:
    """The visitor's id, a new one on the first visit; the cookie stays for a year."""
    found = known_visitor()
    if found is None:
        found = session[_VISITOR] = secrets.token_hex(16)
        session.permanent = True
    return found


def preferences() -> Preferences:
    """The visitor's settings, read once a request."""
    if "preferences" not in g:
        g.preferences = load_preferences(known_visitor())
    return g.preferences


def learn_preferences(found: Preferences) -> None:
    """Keep for this request what was read of the visitor's settings on the way."""
    g.preferences = found


def default_plan() -> Plan:
    """What is practised before anything is chosen: at first all hands, then the mix that adapts."""
    return Plan(preferences().rules, Mode.DEFAULT_MIX)


def remembered_plan() -> Plan:
    """What the visitor last chose to practise, else the default on their rule set."""
    try:
        return Plan.from_text(session.get(_PLAN, "")) if session.get(_PLAN) else default_plan()
    except EngineError:
        return default_plan()


def remember_plan(plan: Plan) -> None:
    """Keep a choice of practice; another one starts its hands from the first."""
    query = plan.to_query()
    if session.get(_PLAN) != query:
        session[_PLAN], session[_NEXT] = query, 0


def position_in(plan: Plan) -> int:
    """Which hand of the plan is next, from 0."""
    return int(session.get(_NEXT, 0)) if session.get(_PLAN) == plan.to_query() else 0


def advance(plan_query: str, position: int) -> None:
    """Note that a hand of a plan is done with."""
    if session.get(_PLAN) == plan_query and session.get(_NEXT, 0) <= position:
        session[_NEXT] = position + 1


def remember_return(plan: Plan) -> None:
    """Keep what was practised before a detour that ends by itself."""
    session[_RETURN] = plan.to_query()


def take_return() -> Plan:
    """What to practise after a detour."""
    query = session.pop(_RETURN, "")
    try:
        return Plan.from_text(query) if query else default_plan()
    except EngineError:
        return default_plan()


def now() -> datetime:
    """The server's clock, aware and in UTC."""
    return datetime.now(UTC)


def is_real_get() -> bool:
    """Whether a person's browser asks for a page now, not a HEAD, a prefetch or a robot."""
    purpose = request.headers.get("Sec-Purpose", "") + request.headers.get("Purpose", "")
    agent = request.headers.get("User-Agent", "").lower()
    is_robot = any(word in agent for word in ("bot", "crawl", "spider", "slurp", "preview"))
    return request.method == "GET" and "prefetch" not in purpose and not is_robot
