"""Days on which a daily goal was set: what it was, and how many hands were answered."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection, Executable, bindparam, delete, select
from sqlalchemy.dialects import postgresql, sqlite

from trainer.storage.models import GoalDay, table_of

_DAYS = table_of(GoalDay)
# More days than anybody lives.
ALL_GOAL_DAYS = 1_000_000
_LATEST = select(_DAYS.c.day, _DAYS.c.goal, _DAYS.c.hands).where(
    _DAYS.c.user_id == bindparam("user_id")).order_by(_DAYS.c.day.desc())


@dataclass(frozen=True)
class Day:
    """One local day: the goal of that day, in hands, and what was done."""

    day: date
    goal: int
    hands: int

    @property
    def is_reached(self) -> bool:
        return self.hands >= self.goal


def _counting(insert: type[sqlite.Insert] | type[postgresql.Insert]) -> Executable:
    statement = insert(_DAYS)
    return statement.on_conflict_do_update(index_elements=("user_id", "day"), set_={
        "goal": statement.excluded.goal, "hands": _DAYS.c.hands + statement.excluded.hands})


_COUNT: Mapping[str, Executable] = {"sqlite": _counting(sqlite.Insert), "postgresql": _counting(postgresql.Insert)}


def count_for_goal(connection: Connection, user_id: int, day: date, goal: int) -> None:
    """One more hand on a day, whose goal this is now; other days stay as they are."""
    connection.execute(_COUNT[connection.dialect.name], {"user_id": user_id, "day": day, "goal": goal, "hands": 1})


def give_goal_days(connection: Connection, giver: int, taker: int) -> None:
    """Add one user's hands to another's days; where both had a goal on a day, the taker's stays."""
    add_goal_days(connection, taker, goal_days(connection, giver, ALL_GOAL_DAYS))
    connection.execute(delete(_DAYS).where(_DAYS.c.user_id == giver))


def add_goal_days(connection: Connection, user_id: int, days: Iterable[Day]) -> None:
    """Add hands to a user's days; a day that the user has keeps its goal."""
    own = {day.day: day.goal for day in goal_days(connection, user_id, ALL_GOAL_DAYS)}
    for day in days:
        connection.execute(_COUNT[connection.dialect.name], {
            "user_id": user_id, "day": day.day, "goal": own.get(day.day, day.goal), "hands": day.hands})


def goal_days(connection: Connection, user_id: int, limit: int) -> Sequence[Day]:
    """The latest days with a goal, newest first."""
    return [Day(row.day, row.goal, row.hands) for row in connection.execute(_LATEST.limit(limit), {"user_id": user_id})]
