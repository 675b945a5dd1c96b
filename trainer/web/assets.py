"""Static files under addresses that change with their content."""

import hashlib
from functools import lru_cache
from importlib import resources
from pathlib import Path

from flask import Blueprint, Flask, Response, abort, current_app, g, url_for

blueprint = Blueprint("assets", __name__)


def init_app(app: Flask) -> None:
    """Give templates ``asset(name)`` and ``htmx_url()``."""
    app.register_blueprint(blueprint)
    app.jinja_env.globals.update(asset=asset, htmx_url=htmx_url)


@blueprint.get("/assets/htmx-<v>.js")
def htmx(v: str) -> Response:
    """htmx itself, out of the package that brings it."""
    if v != _digest(_htmx_source()):
        abort(404)
    return Response(_htmx_source(), mimetype="text/javascript")


def htmx_url() -> str:
    """Where this version of htmx is."""
    return url_for("assets.htmx", v=_digest(_htmx_source()))


def asset(name: str) -> str:
    """The address of a file in ``static``, with a digest of its content; looked up once a request."""
    known: dict[str, str] = g.setdefault("assets", {})
    if name not in known:
        path = Path(str(current_app.static_folder)) / name
        known[name] = url_for("static", filename=name, v=_digest_of_file(path, path.stat().st_mtime_ns))
    return known[name]


@lru_cache(maxsize=1)
def _htmx_source() -> bytes:
    return (resources.files("js_lib_htmx") / "static" / "htmx" / "htmx.min.js").read_bytes()


@lru_cache(maxsize=64)
def _digest_of_file(path: Path, _changed: int) -> str:
    return _digest(path.read_bytes())


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]
