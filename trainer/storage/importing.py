"""Storing a part of an import with all that is summed up of it, and refolding memories from the history."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from trainer.storage.accounts import lock_users
from trainer.storage.decisions import DECISIONS, NewDecision, add_decisions
from trainer.storage.goals import Day, add_goal_days
from trainer.storage.memories import Place, memories_from_history, remember_many, save_memories
from trainer.storage.sittings import Sitting, add_to_sitting
from trainer.storage.tallies import count_many
from trainer.storage.transaction import transaction

_TRIES = 3


@dataclass(frozen=True)
class Part:
    """Answers of one user to be stored together, with their strategy hashes, and what else they count for."""

    news: Sequence[tuple[NewDecision, str]]
    sittings: Sequence[Sitting]
    goal_days: Sequence[Day]


def store_part(connection: Connection, user_id: int, part: Part, stale: Collection[Place]) -> set[Place]:
    """Store answers and count them everywhere; the user must be locked. The cells whose memories became stale."""
    now_stale = remember_many(connection, part.news, stale)
    count_many(connection, part.news)
    add_decisions(connection, [new for new, _ in part.news])
    by_sitting: dict[int | None, list[NewDecision]] = defaultdict(list)
    for new, _ in part.news:
        by_sitting[new.session_id].append(new)
    for sitting in part.sittings:
        add_to_sitting(connection, sitting, by_sitting[sitting.id])
    add_goal_days(connection, user_id, part.goal_days)
    return now_stale


def refold(visitor: str, user_id: int, places: Collection[Place]) -> None:
    """Work out memories from the whole history and keep them.

    The history is read outside of any write, and again where it changed meanwhile; the last time under the lock.
    """
    for attempt in range(_TRIES):
        with transaction() as connection:
            before = state_of(connection, user_id)
            found = memories_from_history(connection, user_id, places, before[0])
        with transaction(writes=True) as connection:
            lock_users(connection, visitor)
            is_same = state_of(connection, user_id) == before
            if is_same or attempt == _TRIES - 1:
                found = found if is_same else memories_from_history(connection, user_id, places)
                save_memories(connection, user_id, found)
                return


def state_of(connection: Connection, user_id: int) -> tuple[int, int]:
    """What changes whenever a user's history does: its last id and its length."""
    last, length = connection.execute(
        select(func.max(DECISIONS.c.id), func.count()).where(DECISIONS.c.user_id == user_id)).one()
    return last or 0, length


