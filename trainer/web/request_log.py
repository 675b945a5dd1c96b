"""One line of JSON for every request, with nothing in it of the person who made it."""

import json
import logging
import secrets
import sys
import time
from datetime import UTC, datetime

from flask import Flask, Response, g, request

logger = logging.getLogger("trainer.requests")


def init_app(app: Flask) -> None:
    """Give every request an id, told in ``X-Request-Id`` and by the error log; write lines where asked to."""
    app.before_request(_begin)
    app.after_request(_end)
    if app.config["REQUEST_LOG"] and not logger.handlers:
        logger.addHandler(logging.StreamHandler(sys.stderr))
        logger.setLevel(logging.INFO)
        logger.propagate = False


def request_id() -> str:
    """This request's id."""
    if "request_id" not in g:
        g.request_id = secrets.token_hex(8)
    return str(g.request_id)


def _begin() -> None:
    g.started = time.perf_counter()


def _end(response: Response) -> Response:
    response.headers["X-Request-Id"] = request_id()
    if logger.isEnabledFor(logging.INFO):
        logger.info(json.dumps({
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"), "request": request_id(),
            "method": request.method[:10], "route": request.url_rule.rule if request.url_rule else None,
            "status": response.status_code, "ms": round(1000 * (time.perf_counter() - g.started), 1)}))
    return response
