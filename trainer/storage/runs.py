"""Streaks and sprints: the running one, and personal bests."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, insert, select, update

from trainer.storage.models import Run as RunModel
from trainer.storage.models import User, table_of

_RUNS, _USERS = table_of(RunModel), table_of(User)
_OF_KIND = (_RUNS.c.user_id == bindparam("user_id"), _RUNS.c.mode == bindparam("mode"),
            _RUNS.c.strategy_hash == bindparam("strategy_hash"))
# By time: runs that came with an import are newer by number only.
_LATEST = select(_RUNS).where(*_OF_KIND).order_by(_RUNS.c.started_at.desc(), _RUNS.c.id.desc()).limit(1)
_BEST = select(func.max(_RUNS.c.score)).where(*_OF_KIND)
_START = insert(_RUNS).returning(_RUNS.c.id)
_UPDATE = update(_RUNS).where(_RUNS.c.id == bindparam("which"))


@dataclass(frozen=True)
class Run:
    """A streak or a sprint; ``score`` is hands in a row, or points."""

    id: int
    mode: str
    strategy_hash: str
    started_at: datetime
    is_ended: bool
    answers: int
    right: int
    score: float


def latest_run(connection: Connection, user_id: int, mode: str, strategy_hash: str) -> Run | None:
    """The user's newest run of this kind, ended or not."""
    row = connection.execute(_LATEST, _kind(user_id, mode, strategy_hash)).one_or_none()
    return _run(row) if row else None


def start_run(connection: Connection, user_id: int, mode: str, strategy_hash: str, now: datetime) -> Run:
    """A new run; one of the same kind that still goes on is ended."""
    before = latest_run(connection, user_id, mode, strategy_hash)
    if before and not before.is_ended:
        save_run(connection, replace(before, is_ended=True))
    run = Run(0, mode, strategy_hash, now, is_ended=False, answers=0, right=0, score=0.0)
    key = connection.execute(_START, {**_columns(run), "user_id": user_id, "started_at": now, "mode": mode,
                                   "strategy_hash": strategy_hash}).scalar_one()
    return replace(run, id=key)


def save_run(connection: Connection, run: Run) -> None:
    """Keep what a run has come to."""
    connection.execute(_UPDATE, {"which": run.id, **_columns(run)})


def best_score(connection: Connection, user_id: int, mode: str, strategy_hash: str) -> float | None:
    """The user's best score of this kind; none without a run."""
    found: float | None = connection.execute(_BEST, _kind(user_id, mode, strategy_hash)).scalar_one()
    return found


def all_runs(connection: Connection, user_id: int) -> list[Run]:
    """Every run of a user, oldest first."""
    rows = connection.execute(select(_RUNS).where(_RUNS.c.user_id == user_id).order_by(_RUNS.c.started_at, _RUNS.c.id))
    return [_run(row) for row in rows]


def add_runs(connection: Connection, user_id: int, runs: Sequence[Run]) -> None:
    """Store runs as they are, under new ids."""
    if runs:
        connection.execute(insert(_RUNS), [{
            **_columns(run), "user_id": user_id, "started_at": run.started_at, "mode": run.mode,
            "strategy_hash": run.strategy_hash} for run in runs])


def _kind(user_id: int, mode: str, strategy_hash: str) -> dict[str, Any]:
    return {"user_id": user_id, "mode": mode, "strategy_hash": strategy_hash}


def _columns(run: Run) -> dict[str, Any]:
    return {"is_ended": run.is_ended, "answers": run.answers, "right": run.right, "score": run.score}


def _run(row: Row[*tuple[Any, ...]]) -> Run:
    return Run(row.id, row.mode, row.strategy_hash, row.started_at, row.is_ended, row.answers, row.right, row.score)
