"""What every answer changes, in the drill and at a table: the history, tallies, memory, the daily goal."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from trainer.drill import timing
from trainer.drill.memory import recall_of, remember
from trainer.service.preferences import Preferences
from trainer.storage.decisions import DecisionRow, NewDecision, add_decision
from trainer.storage.goals import count_for_goal
from trainer.storage.memories import find_memory, save_memory
from trainer.storage.tallies import count
from trainer.storage.transaction import Connection


def keep(connection: Connection, new: NewDecision, daily_goal: int) -> DecisionRow:
    """Store an answer with all that is summed up over it; the transaction must hold the user's lock."""
    strategy_hash = new.situation.rules.strategy_hash
    count(connection, new, strategy_hash)
    _remember(connection, new, strategy_hash)
    if daily_goal:
        count_for_goal(connection, new.user_id, new.day, daily_goal)
    return add_decision(connection, new)


def paces_after(paces: Mapping[str, list[int]], new: NewDecision) -> dict[str, list[int]]:
    """A user's paces once an answer is in: of right ones whose time counts."""
    if new.seconds is None or not new.grade.is_right:
        return dict(paces)
    return {**paces, new.category: timing.with_pace(paces.get(new.category, []), new.seconds)}


def local_day(now: datetime, preferences: Preferences) -> date:
    """The user's own date."""
    zone = ZoneInfo(preferences.time_zone) if preferences.time_zone else UTC
    return now.astimezone(zone).date()


def _remember(connection: Connection, new: NewDecision, strategy_hash: str) -> None:
    if new.cell is None:
        return
    recall = recall_of(is_right=new.grade.is_right, is_slow=new.is_slow, is_hinted=new.is_hinted)
    memory = remember(find_memory(connection, new.user_id, strategy_hash, new.cell), recall, new.created_at)
    if memory:
        save_memory(connection, new.user_id, strategy_hash, new.cell, memory)
