"""Headers that every answer carries: what may be cached, and what a browser may do with it."""

from flask import Flask, Response, request

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; img-src 'self'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_SECURITY = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
# Once it was reached by HTTPS, a browser does not try without any more.
_HTTPS_ONLY = "max-age=31536000"
_NEVER_STORED_BLUEPRINTS = {"drill", "playout", "tables", "account", "account_change", "own_data", "imports"}
# Pages on which Back must not bring an open question again.
NEVER_STORED = "no-store"
_PRIVATE = "private, no-cache"
_FOREVER = "public, max-age=31536000, immutable"


def init_app(app: Flask) -> None:
    """Set the headers after every request."""
    app.after_request(_finish)


def _finish(response: Response) -> Response:
    for name, value in _SECURITY.items():
        response.headers.setdefault(name, value)
    if request.is_secure:
        response.headers["Strict-Transport-Security"] = _HTTPS_ONLY
    if response.mimetype == "text/html":
        response.headers["Vary"] = "HX-Request, HX-History-Restore-Request, Cookie"
    is_versioned = request.endpoint in ("static", "assets.htmx") and "v" in (request.args | (request.view_args or {}))
    if is_versioned and response.status_code < 400:
        response.headers["Cache-Control"] = _FOREVER
    elif "Cache-Control" not in response.headers or response.mimetype == "text/html":
        is_passing = request.blueprint in _NEVER_STORED_BLUEPRINTS or request.method == "POST"
        response.headers["Cache-Control"] = NEVER_STORED if is_passing else _PRIVATE
    return response
