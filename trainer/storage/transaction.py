"""Transactions: all or nothing, with storage faults told apart from everything else."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import select
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import Session

from trainer.storage.database import BUSY_TIMEOUT_SECONDS, db
from trainer.storage.models import User
from trainer.storage.writers import NotCommittedError, writers_of

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
    try:
        with _begun(writes and db.engine.dialect.name == "sqlite") as session:
            yield session
    except IntegrityError as error:
        raise DuplicateError(str(error.orig)) from error
    except (DBAPIError, PoolTimeoutError, NotCommittedError, sqlite3.Error) as error:
        raise StorageError(type(error).__name__) from error


@contextmanager
def _begun(is_shared: bool) -> Iterator[Session]:
    """A session whose transaction is its own, or a part of one that is shared with other writers."""
    if not is_shared:
        with Session(db.engine, expire_on_commit=False) as session, session.begin():
            yield session
        return
    # The session leaves the transaction alone: to commit it, or to roll its part back, is the writers' business.
    with (
        writers_of(db.engine).part(BUSY_TIMEOUT_SECONDS) as connection,
        Session(connection, expire_on_commit=False, join_transaction_mode="rollback_only") as session,
    ):
        yield session
        session.flush()


def ping() -> None:
    """``StorageError`` where the database does not answer, or has no tables."""
    with transaction() as session:
        session.execute(select(User.id).limit(1))
