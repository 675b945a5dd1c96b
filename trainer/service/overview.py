"""Where a user stands on one chart: heat maps, what is due, what was kept, what present play costs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from trainer.drill.mastery import CellMastery, Kept, PlayCost, cost_of_play, kept_overnight, mastery_of
from trainer.drill.mix import due
from trainer.engine.chart import Cell
from trainer.engine.strategy import Strategy
from trainer.service.dealing import practice_with
from trainer.storage.cells import records_of_chart
from trainer.storage.goals import Day, goal_days
from trainer.storage.memories import count_due
from trainer.storage.sums import Sums
from trainer.storage.transaction import transaction
from trainer.storage.users import find_user

# So many days a streak of days is followed back.
_MOST_GOAL_DAYS = 3_660


@dataclass(frozen=True)
class Overview:
    """One user on one chart; ``cost`` is an estimate, none before the first answer.

    ``records`` and ``mastery`` are by cell, of those that were ever answered.
    """

    records: Mapping[Cell, Sums] = field(default_factory=dict)
    mastery: Mapping[Cell, CellMastery] = field(default_factory=dict)
    cost: PlayCost | None = None
    kept: Kept = field(default_factory=Kept)
    due: int = 0


@dataclass(frozen=True)
class GoalStanding:
    """The daily goal: hands answered today, and on how many days running it was reached, today's if it is."""

    goal: int
    hands: int
    days: int


def load_overview(visitor: str | None, strategy: Strategy, now: datetime) -> Overview:
    """A visitor's standing on a strategy's chart at a time."""
    with transaction() as connection:
        user = find_user(connection, visitor) if visitor else None
        if user is None:
            return Overview()
        asked = records_of_chart(connection, user.id, strategy.rules.strategy_hash)
        practice = practice_with(connection, user.id, strategy, asked)
    records = {cell: sums for cell, sums in asked.items() if sums.decisions}
    if not records:
        return Overview()
    memories = [memory for memory in practice.memories if memory]
    return Overview(
        records, {each.cell: each for each in mastery_of(practice, now)}, cost_of_play(practice, now),
        kept_overnight(memories), int(due(practice, now).sum()),
    )


def count_reviews(visitor: str | None, strategy_hash: str, now: datetime) -> int:
    """How many cells of a chart are due for a visitor's review."""
    if visitor is None:
        return 0
    with transaction() as connection:
        user = find_user(connection, visitor)
        return count_due(connection, user.id, now).get(strategy_hash, 0) if user else 0


def load_goal(visitor: str | None, goal: int, today: date) -> GoalStanding | None:
    """How the daily goal stands; none where none is set. Past days count by the goal that they had."""
    if not goal:
        return None
    with transaction() as connection:
        user = find_user(connection, visitor) if visitor else None
        days = goal_days(connection, user.id, _MOST_GOAL_DAYS) if user else []
    by_day = {day.day: day for day in days}
    hands = by_day[today].hands if today in by_day else 0
    return GoalStanding(goal, hands, _days_running(by_day, today, is_reached=hands >= goal))


def _days_running(by_day: Mapping[date, Day], today: date, *, is_reached: bool) -> int:
    """Days up to yesterday without a gap, and today."""
    count, day = int(is_reached), today - timedelta(days=1)
    while day in by_day and by_day[day].is_reached:
        count, day = count + 1, day - timedelta(days=1)
    return count
