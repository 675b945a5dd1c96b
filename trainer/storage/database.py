"""The database: its base class, its column types, and how SQLite is made safe for several workers."""

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import BigInteger, DateTime, Dialect, Engine, Integer, TypeDecorator, event
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.pool import Pool

MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_TIMEOUT_SECONDS = 3.0


class UtcDateTime(TypeDecorator[datetime]):
    """Aware UTC times in and out; SQLite alone would hand back naive ones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is not None and value.tzinfo is None:
            raise ValueError("a time without a time zone cannot be stored")
        return value.astimezone(UTC) if value is not None else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


# SQLite counts rows by its INTEGER only; elsewhere a million decisions a user want 64 bits.
BigId = BigInteger().with_variant(Integer, "sqlite")


class Base(DeclarativeBase):
    """Base of every model."""


db = SQLAlchemy(model_class=Base, session_options={"expire_on_commit": False})

if TYPE_CHECKING:
    Model = Base
else:
    Model = db.Model


def engine_options(url: str) -> dict[str, Any]:
    """What the engine of this database needs."""
    # A logged error names no visitor: parameters are hidden.
    common = {"pool_size": 16, "max_overflow": 16, "hide_parameters": True}
    if url.startswith("sqlite"):
        return {"connect_args": {"timeout": BUSY_TIMEOUT_SECONDS}, **common}
    # Whoever waits for another's lock, or for a server that is away, is told to come back instead of waiting on.
    waits = f"-c lock_timeout={int(BUSY_TIMEOUT_SECONDS * 1000)} -c idle_in_transaction_session_timeout=60000"
    return {"pool_pre_ping": True, "connect_args": {"connect_timeout": 5, "options": waits}, **common}


@event.listens_for(Engine, "connect")
def _prepare_sqlite(connection: Any, record: Any) -> None:
    """Readers beside one writer (WAL), foreign keys kept, waiting instead of failing, commits that survive a crash."""
    if not type(connection).__module__.startswith("sqlite3"):
        return
    cursor = connection.cursor()
    file = cursor.execute("PRAGMA database_list").fetchone()[2]
    record.info.update(file=file, identity=_identity(file))
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "temp_store=MEMORY"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


@event.listens_for(Pool, "checkout")
def _refuse_a_vanished_file(_connection: object, record: Any, _proxy: object) -> None:
    """Connect anew where the file was removed or replaced: writes into the old one would be lost unseen."""
    file = record.info.get("file")
    if file and _identity(file) != record.info["identity"]:
        raise DisconnectionError("the database file is another one now")


def _identity(file: str) -> tuple[int, int] | None:
    """What tells a file from another under the same name; none for a database in memory."""
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def begin(connection: Connection, *, writes: bool) -> None:
    """Begin a transaction on a connection that has none.

    SQLite takes the write lock at once where it will write, so that two never deadlock half-way; its driver alone would
    begin at the first write only. Said here and not by a listener, which would slow down every statement.
    """
    connection.begin()
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
