"""Imports that are under way: how far each has come, so that any worker can do the next part."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Connection,
    ForeignKey,
    Row,
    String,
    Text,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.orm import Mapped, mapped_column

from trainer.engine.chart import Cell
from trainer.storage.database import Model, UtcDateTime
from trainer.storage.memories import Place
from trainer.storage.models import User, table_of


class ImportJob(Model):
    """A user's import, of which there is one at a time; ``key`` names the folder with what is to be imported.

    ``done`` of ``total`` decisions are dealt with, ``added`` of them were new; the rest begins at the byte ``offset``.
    ``stale`` is JSON of the cells whose memories have yet to be worked out from the whole history.
    """

    __tablename__ = "imports"

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    key: Mapped[str] = mapped_column(String(32), unique=True)
    total: Mapped[int]
    done: Mapped[int] = mapped_column(default=0)
    added: Mapped[int] = mapped_column(default=0)
    offset: Mapped[int] = mapped_column(BigInteger, default=0)
    stale: Mapped[str] = mapped_column(Text, default="[]")
    started_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)


_JOBS, _USERS = table_of(ImportJob), table_of(User)
_ALL = select(_JOBS, _USERS.c.visitor).join(_USERS, _USERS.c.id == _JOBS.c.user_id)
_OWN = _ALL.where(_USERS.c.visitor == bindparam("visitor"))
_OLD = _ALL.where(_JOBS.c.started_at < bindparam("before")).order_by(_JOBS.c.started_at).limit(bindparam("most"))


@dataclass(frozen=True)
class Job:
    """An import under way."""

    user_id: int
    visitor: str
    key: str
    total: int
    done: int
    added: int
    offset: int
    stale: frozenset[Place]
    started_at: datetime

    @property
    def is_read(self) -> bool:
        """Whether every decision has been dealt with."""
        return self.done >= self.total


def find_job(connection: Connection, visitor: str) -> Job | None:
    """A visitor's import, if one is under way."""
    row = connection.execute(_OWN, {"visitor": visitor}).one_or_none()
    return _job(row) if row else None


def old_jobs(connection: Connection, before: datetime, most: int) -> list[Job]:
    """Imports that began earlier and were never finished, oldest first."""
    return [_job(row) for row in connection.execute(_OLD, {"before": before, "most": most})]


def add_job(connection: Connection, user_id: int, key: str, total: int, now: datetime) -> None:
    """Begin an import; ``DuplicateError`` in the end where the user has one."""
    connection.execute(insert(_JOBS), {"user_id": user_id, "key": key, "total": total, "done": 0, "added": 0,
                                    "offset": 0, "stale": "[]", "started_at": now})


def save_job(connection: Connection, job: Job) -> None:
    """Keep how far an import has come."""
    connection.execute(update(_JOBS).where(_JOBS.c.key == job.key).values(
        done=job.done, added=job.added, offset=job.offset, stale=_to_text(job.stale)))


def delete_job(connection: Connection, key: str) -> None:
    """Forget an import."""
    connection.execute(delete(_JOBS).where(_JOBS.c.key == key))


def delete_jobs_of(connection: Connection, user_id: int) -> None:
    """Forget a user's import: its rest is not imported any more."""
    connection.execute(delete(_JOBS).where(_JOBS.c.user_id == user_id))


def stale_places(connection: Connection, user_id: int) -> frozenset[Place]:
    """The cells that a user's import has left to be worked out; none without one."""
    text = connection.execute(select(_JOBS.c.stale).where(_JOBS.c.user_id == user_id)).scalar_one_or_none()
    return _from_text(text or "[]")


def count_jobs(connection: Connection) -> int:
    """How many imports are under way."""
    return connection.execute(select(func.count()).select_from(_JOBS)).scalar_one()


def job_keys(connection: Connection) -> set[str]:
    """The folders that are in use."""
    return set(connection.execute(select(_JOBS.c.key)).scalars())


def _to_text(places: Collection[Place]) -> str:
    return json.dumps(sorted([strategy, cell.section, cell.row, cell.upcard] for strategy, cell in places))


def _from_text(text: str) -> frozenset[Place]:
    return frozenset((strategy, Cell(*cell)) for strategy, *cell in json.loads(text))


def _job(row: Row[*tuple[Any, ...]]) -> Job:
    return Job(row.user_id, row.visitor, row.key, row.total, row.done, row.added, row.offset,
               _from_text(row.stale), row.started_at)
