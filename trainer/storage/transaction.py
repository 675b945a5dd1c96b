"""Transactions: all or nothing, with storage faults told apart from everything else."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from sqlalchemy import Engine, select
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import Session

from trainer.storage.database import BUSY_TIMEOUT_SECONDS, db
from trainer.storage.models import User
from trainer.storage.turn import turn

__all__ = ["DuplicateError", "Session", "StorageError", "ping", "transaction"]


class StorageError(RuntimeError):
    """The database is locked, full or out of reach; nothing of the transaction was kept."""


class DuplicateError(RuntimeError):
    """Something that may exist once was stored by someone else first; nothing of the transaction was kept."""


@contextmanager
def transaction(*, writes: bool = False) -> Iterator[Session]:
    """One transaction on a session of its own, committed at the end, rolled back on any error.

    ``StorageError`` where the database fails, ``DuplicateError`` where a unique key is taken.
    """
    waiting = turn(db.engine, BUSY_TIMEOUT_SECONDS) if writes else nullcontext(True)
    try:
        with waiting as has_turn:
            if not has_turn:
                raise StorageError("others were writing for too long")
            with Session(_engine(writes), expire_on_commit=False) as session, session.begin():
                session.connection()  # begins at once, with the lock where it will write
                yield session
    except IntegrityError as error:
        raise DuplicateError(str(error.orig)) from error
    except (DBAPIError, PoolTimeoutError, sqlite3.Error) as error:
        raise StorageError(type(error).__name__) from error


def _engine(writes: bool) -> Engine:
    return db.engine.execution_options(writes=True) if writes else db.engine


def ping() -> None:
    """``StorageError`` where the database does not answer, or has no tables."""
    with transaction() as session:
        session.execute(select(User.id).limit(1))
