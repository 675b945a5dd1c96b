"""What answers are measured against: a view that stores one row of similar size through the same stack.

Cookie, CSRF check, headers, transaction and commit settings are the application's own. Where the environment has
``BENCH_SYNCHRONOUS``, either application runs with that setting of SQLite instead of its own.
"""

import os
from typing import Any

import sqlalchemy as sa
from flask import Flask, Response, abort, session

from app import create_app
from trainer.storage.database import UtcDateTime
from trainer.storage.transaction import transaction
from trainer.web import visitor as who

# As many bytes as a decision has beside its token, visitor and time.
PAYLOAD = "x" * 260

_metadata = sa.MetaData()
_rows = sa.Table(
    "bench_rows", _metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("token", sa.String(22), unique=True, nullable=False),
    sa.Column("visitor", sa.String(32), nullable=False),
    sa.Column("payload", sa.Text, nullable=False),
    sa.Column("created_at", UtcDateTime, nullable=False),
)


def create_trainer() -> Flask:
    """The application as it is, its limit on answers counted and never reached."""
    _synchronise_as_told()
    return create_app({"RATE_LIMITS": {"answers": "1000000 per minute"}})


def create_bare() -> Flask:
    """The application with the bare view."""
    app = create_trainer()
    app.add_url_rule("/bare/<token:token>", view_func=store, methods=["POST"])
    with app.app_context(), transaction(writes=True) as own:
        own.execute(sa.schema.CreateTable(_rows, if_not_exists=True))
    return app


def store(token: str) -> Response:
    """Store one row."""
    visitor = who.known_visitor()
    if visitor is None:
        abort(404)
    with transaction(writes=True) as own:
        own.execute(sa.insert(_rows).values(token=token, visitor=visitor, payload=PAYLOAD, created_at=who.now()))
    session["next"] = int(session.get("next", 0)) + 1
    return Response("<p>stored</p>")


def _synchronise_as_told() -> None:
    """Only SQLite is told: elsewhere the server's own settings hold."""
    mode = os.environ.get("BENCH_SYNCHRONOUS")
    if mode:
        sa.event.listen(sa.Engine, "connect", lambda connection, _: _pragma(connection, mode))


def _pragma(connection: Any, mode: str) -> None:
    connection.execute(f"PRAGMA synchronous={mode}")
