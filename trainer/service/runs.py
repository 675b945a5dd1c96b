"""Streaks and sprints: started by hand, counted answer by answer, with personal bests."""

from dataclasses import dataclass, replace
from datetime import datetime

from trainer.drill.grade import Grade, Judgement
from trainer.drill.plan import RUN_MODES, Mode, Plan
from trainer.drill.sprint import SPRINT_TIME, Sprint, SprintOverError
from trainer.engine.errors import EngineError
from trainer.engine.rule_key import rules_for
from trainer.storage.questions import drop_questions
from trainer.storage.runs import Run, best_score, latest_run, save_run, start_run
from trainer.storage.transaction import Connection, transaction
from trainer.storage.users import ensure_user, find_user

__all__ = ["RUN_MODES", "SPRINT_TIME", "NotRunningError", "Run", "SprintOverError", "Standing"]


class NotRunningError(EngineError):
    """A streak or a sprint has to be started first."""


@dataclass(frozen=True)
class Standing:
    """The newest run of a kind, still going on or not, and the best score ever; none before the first run."""

    latest: Run | None = None
    best: float | None = None

    def is_best(self) -> bool:
        """Whether the newest run is the best so far, and worth the name."""
        return self.latest is not None and self.latest.score == self.best and self.latest.score > 0


def start(visitor: str, plan: Plan, now: datetime) -> None:
    """Start a streak or a sprint; one of the same kind that still goes on is ended, and its open hand taken away."""
    with transaction(writes=True) as connection:
        drop_questions(connection, visitor, plan.to_query())  # hands before users, as everywhere
        user = ensure_user(connection, visitor, now)
        start_run(connection, user.id, str(plan.mode), rules_for(plan.rules_key).strategy_hash, now)


def standing(visitor: str | None, plan: Plan) -> Standing:
    """How a visitor has done in a plan's streaks or sprints."""
    kind = str(plan.mode), rules_for(plan.rules_key).strategy_hash
    if visitor is None:
        return Standing()
    with transaction() as connection:
        user = find_user(connection, visitor)
        if user is None:
            return Standing()
        return Standing(latest_run(connection, user.id, *kind), best_score(connection, user.id, *kind))


def running(connection: Connection, user_id: int | None, mode: Mode, strategy_hash: str, now: datetime) -> Run:
    """The run that goes on; ``NotRunningError`` where none does."""
    run = latest_run(connection, user_id, str(mode), strategy_hash) if user_id is not None else None
    if run is None or run.is_ended or seconds_left(run, now) == 0.0:
        raise NotRunningError(f"no {mode} is running")
    return run


def check_running(connection: Connection, visitor: str, plan: Plan, now: datetime) -> None:
    """``NotRunningError`` where a plan is of a streak or a sprint that does not go on."""
    if plan.mode in RUN_MODES:
        user = find_user(connection, visitor)
        running(connection, user.id if user else None, plan.mode, rules_for(plan.rules_key).strategy_hash, now)


def seconds_left(run: Run, now: datetime) -> float | None:
    """How long a sprint still goes on, 0 once it is over; nothing for a streak, which has no clock."""
    return _sprint(run).seconds_left(now) if run.mode == Mode.SPRINT else None


def count_in_run(connection: Connection, run: Run, judgement: Judgement, grade: Grade, now: datetime) -> Run:
    """The run after one more answer; a streak ends with its first mistake. ``SprintOverError`` after the minute."""
    if run.mode == Mode.SPRINT:
        after = _sprint(run).with_answer(judgement, grade, now)
        changed = replace(run, answers=after.answers, right=after.right, score=after.score)
    else:
        changed = replace(run, answers=run.answers + 1, right=run.right + grade.is_right,
                          score=run.score + grade.is_right, is_ended=not grade.is_right)
    save_run(connection, changed)
    return changed


def _sprint(run: Run) -> Sprint:
    return Sprint(run.started_at, run.answers, run.right, run.score)
