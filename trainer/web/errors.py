"""Error pages: what went wrong, whether anything was lost, and a way on."""

import errno
from dataclasses import dataclass

from flask import Flask, Response, make_response, render_template
from flask import current_app as app_proxy
from flask_limiter import RateLimitExceeded
from flask_wtf.csrf import CSRFError
from htmx_flask import request
from werkzeug.exceptions import HTTPException

from trainer.drill.parameters import PlanError
from trainer.engine.errors import EngineError
from trainer.service.accounts import WrongCredentialsError
from trainer.service.drill import HandExpiredError, HandNotFoundError, StorageError
from trainer.service.imports import NoImportError
from trainer.service.passwords import HashingBusyError
from trainer.service.rule_sets import NoSuchRuleSetError
from trainer.service.strategies import SolverBusyError
from trainer.service.tables import NotSeatedError
from trainer.web.htmx import wants_fragment
from trainer.web.request_log import request_id

RETRY_AFTER_SECONDS = 2


@dataclass(frozen=True)
class WayOn:
    """A link that leads out of a problem."""

    label: str
    url: str


@dataclass(frozen=True)
class Problem:
    """What a person is told: a title, what it means for them, and the status behind it."""

    status: int
    title: str
    detail: str
    retry_after_seconds: int | None = None
    ways_on: tuple[WayOn, ...] = ()


_BY_STATUS = {
    400: ("That request could not be read", "Nothing was recorded."),
    404: ("Nothing is here", "The address may be old, or belong to somebody else."),
    405: ("That cannot be done here", "Nothing was recorded."),
    413: ("That was too much", "The form was larger than anything this page asks for. Nothing was recorded."),
    414: ("That address is too long", "Nothing was recorded."),
}


def init_app(app: Flask) -> None:
    """Answer every error with a page, or with an alert for htmx."""
    app.register_error_handler(HTTPException, _on_http)
    app.register_error_handler(CSRFError, _on_csrf)
    app.register_error_handler(RateLimitExceeded, _on_limit)
    app.register_error_handler(WrongCredentialsError, _on_changed_account)
    app.register_error_handler(HandNotFoundError, _on_no_hand)
    app.register_error_handler(HandExpiredError, _on_expired)
    app.register_error_handler(NoSuchRuleSetError, _on_no_rule_set)
    app.register_error_handler(NotSeatedError, _on_no_seat)
    app.register_error_handler(NoImportError, _on_no_import)
    app.register_error_handler(PlanError, _on_plan)
    app.register_error_handler(EngineError, _on_engine)
    app.register_error_handler(StorageError, _on_storage)
    app.register_error_handler(SolverBusyError, _on_busy)
    app.register_error_handler(HashingBusyError, _on_hashing)
    app.register_error_handler(OSError, _on_system)
    app.register_error_handler(Exception, _on_anything)


def show(problem: Problem) -> Response:
    """The page, or the alert, of a problem."""
    template = "errors/_alert.html" if wants_fragment() else "errors/page.html"
    response = make_response(render_template(template, problem=problem), problem.status)
    if problem.retry_after_seconds is not None:
        response.headers["Retry-After"] = str(problem.retry_after_seconds)
    return response


def _on_http(error: HTTPException) -> Response:
    if error.code is None or error.code < 400:
        return make_response(error.get_response())
    title, detail = _BY_STATUS.get(error.code, (error.name, "Nothing was recorded."))
    if error.code == 413 and request.endpoint == "imports.upload":
        detail = f"Files of up to {app_proxy.config['IMPORT_MEGABYTES']} MB can be imported. Nothing was imported."
    return show(Problem(error.code, title, detail))


def _on_csrf(_error: CSRFError) -> Response:
    return show(Problem(400, "This page has lost touch with your browser",
                        "Nothing was recorded. Load the page again; if it happens once more, allow cookies for it."))


def _on_limit(error: RateLimitExceeded) -> Response:
    wait = error.limit.limit.get_expiry() if error.limit else 60
    span = "a minute" if wait <= 60 else "an hour"
    return show(Problem(429, "That was too often", f"Nothing was recorded. Try again in {span}.", wait))


def _on_changed_account(_error: WrongCredentialsError) -> Response:
    return show(Problem(409, "Your account has changed meanwhile", "It was changed on another page or device in this "
                        "moment. Nothing was done here. Look at it again, and log in again if you are asked to."))


def _on_hashing(error: HashingBusyError) -> Response:
    return show(Problem(503, "Many people are logging in", "Nothing was changed. Try again in a moment.",
                        error.retry_after_seconds))


def _on_no_hand(_error: HandNotFoundError) -> Response:
    return show(Problem(404, "That hand is not on your table", "It was skipped, is long gone, or was dealt to somebody "
                        "else. Nothing was recorded."))


def _on_no_seat(_error: NotSeatedError) -> Response:
    return show(Problem(404, "You are not sitting at that table", "Nothing was bet or decided.",
                        ways_on=(WayOn("The tables", "/tables"),)))


def _on_expired(_error: HandExpiredError) -> Response:
    return show(Problem(409, "That hand has been taken away", "Open hands are kept for a day. Nothing was recorded."))


def _on_no_rule_set(_error: NoSuchRuleSetError) -> Response:
    return show(Problem(404, "That rule set is not among yours", "It was deleted, or belongs to somebody else. Nothing "
                        "was changed."))


def _on_no_import(_error: NoImportError) -> Response:
    return show(Problem(404, "There is no import to go on with", "It is done, or was stopped. What it had brought is "
                        "kept; import the file again for the rest, nothing will be there twice.",
                        ways_on=(WayOn("Import", "/account/import"),)))


def _on_plan(error: PlanError) -> Response:
    return show(Problem(400, "There is no such practice", f"{str(error)[:300]}."))


def _on_engine(error: EngineError) -> Response:
    return show(Problem(422, "That does not work", f"{str(error)[:300]}."))


def _on_storage(_error: StorageError | OSError) -> Response:
    app_proxy.logger.exception("storage failed on %s %s, request %s", request.method, request.endpoint, request_id())
    lost = "Your answer was not saved. Try it again in a moment." if request.endpoint == "drill.answer" else (
        "Nothing was changed. Try again in a moment.")
    return show(Problem(503, "The table is closed for a moment", lost, RETRY_AFTER_SECONDS))


def _on_busy(error: SolverBusyError) -> Response:
    return show(Problem(503, "Still working out another rule set", "Try again in a moment.",
                        error.retry_after_seconds))


def _on_system(error: OSError) -> Response:
    """A full disk is nothing that a person can help, and may have room again soon."""
    return _on_storage(error) if error.errno in (errno.ENOSPC, errno.EDQUOT) else _on_anything(error)


def _on_anything(_error: Exception) -> Response:
    app_proxy.logger.exception("failed on %s %s, request %s", request.method, request.endpoint, request_id())
    return show(Problem(500, "Something broke here", "It is not your doing. What you had answered before is kept."))
