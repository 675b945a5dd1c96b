"""Transactions: all or nothing, with storage faults told apart from everything else."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, select
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from trainer.storage.database import BUSY_TIMEOUT_SECONDS, begin, db
from trainer.storage.models import User
from trainer.storage.writers import NotCommittedError, writers_of

__all__ = ["Connection", "DuplicateError", "StorageError", "ping", "transaction"]


class StorageError(RuntimeError):
    """The database is locked, full or out of reach; nothing of the transaction was kept."""


class DuplicateError(RuntimeError):
    """Something that may exist once was stored by someone else first; nothing of the transaction was kept."""


@contextmanager
def transaction(*, writes: bool = False) -> Iterator[Connection]:
    """One transaction on a connection of its own, committed at the end, rolled back on any error.

    ``StorageError`` where the database fails, ``DuplicateError`` where a unique key is taken.
    """
    try:
        is_shared = writes and db.engine.dialect.name == "sqlite"
        with writers_of(db.engine).part(BUSY_TIMEOUT_SECONDS) if is_shared else _alone(writes=writes) as connection:
            yield connection
    except IntegrityError as error:
        raise DuplicateError(str(error.orig)) from error
    except (DBAPIError, PoolTimeoutError, NotCommittedError, sqlite3.Error) as error:
        raise StorageError(type(error).__name__) from error


@contextmanager
def _alone(*, writes: bool) -> Iterator[Connection]:
    """A connection with a transaction that no other writer shares."""
    with db.engine.connect() as connection:
        begin(connection, writes=writes)
        yield connection
        connection.commit()


def ping() -> None:
    """``StorageError`` where the database does not answer, or has no tables."""
    with transaction() as connection:
        connection.execute(select(User.id).limit(1))
