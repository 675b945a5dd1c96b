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
}
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
    if response.mimetype == "text/html":
        response.headers["Vary"] = "HX-Request, HX-History-Restore-Request, Cookie"
    is_versioned = request.endpoint in ("static", "assets.htmx") and "v" in (request.args | (request.view_args or {}))
    if is_versioned and response.status_code < 400:
        response.headers["Cache-Control"] = _FOREVER
    elif "Cache-Control" not in response.headers or response.mimetype == "text/html":
        is_drill = request.blueprint in ("drill", "playout", "tables") or request.method == "POST"
        response.headers["Cache-Control"] = NEVER_STORED if is_drill else _PRIVATE
    return response
