"""Transactions: all or nothing, with storage faults told apart from everything else."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import select
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import Session

from trainer.storage.database import db
from trainer.storage.models import User


class StorageError(RuntimeError):
    """The database is locked, full or out of reach; nothing of the transaction was kept."""


class DuplicateError(RuntimeError):
    """Something that may exist once was stored by someone else first; nothing of the transaction was kept."""


@contextmanager
def transaction(*, writes: bool = False) -> Iterator[Session]:
    """One transaction on a session of its own, committed at the end, rolled back on any error.

    ``StorageError`` where the database fails, ``DuplicateError`` where a unique key is taken.
    """
    with Session(db.engine, expire_on_commit=False) as session:
        try:
            session.connection(execution_options={"writes": writes})
            yield session
            session.commit()
        except IntegrityError as error:
            session.rollback()
            raise DuplicateError(str(error.orig)) from error
        except (DBAPIError, PoolTimeoutError, sqlite3.Error) as error:
            session.rollback()
            raise StorageError(type(error).__name__) from error


def ping() -> None:
    """``StorageError`` where the database does not answer, or has no tables."""
    with transaction() as session:
        session.execute(select(User.id).limit(1))
