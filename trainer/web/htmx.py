"""The one place that decides between a page and a fragment, and speaks htmx's headers."""

from typing import Any

from flask import Flask, Response, make_response, redirect, render_template
from htmx_flask import Htmx, request

CONFIG = {
    "historyCacheSize": 0,
    "refreshOnHistoryMiss": True,
    "allowEval": False,
    "includeIndicatorStyles": False,
    "selfRequestsOnly": True,
    "allowNestedOobSwaps": False,
    "responseHandling": [
        {"code": "204", "swap": False},
        {"code": "[23]..", "swap": True},
        {"code": "422", "swap": True},
        {"code": "[45]..", "swap": True, "error": True, "target": "#alert", "swapOverride": "innerHTML"},
    ],
}


def init_app(app: Flask) -> None:
    """Make ``request.htmx`` known and the client's settings available to the base template."""
    Htmx(app)
    app.jinja_env.globals["htmx_config"] = CONFIG


def wants_fragment() -> bool:
    """Whether htmx will put the answer into a page that stands already."""
    htmx = request.htmx
    return bool(htmx) and not htmx.history_restore_request and not htmx.boosted and (
        request.headers.get("Sec-Fetch-Mode") != "navigate")


def render(whole: str, partial: str, /, status: int = 200, **context: Any) -> Response:
    """The whole page, or for htmx only the part of it that changes."""
    template = partial if wants_fragment() else whole
    return make_response(render_template(template, is_fragment=wants_fragment(), **context), status)


def go_to(url: str) -> Response:
    """Send the browser to another page: a redirect, or the header that htmx follows."""
    if wants_fragment():
        return Response(status=204, headers={"HX-Redirect": url})
    return make_response(redirect(url, 303))
