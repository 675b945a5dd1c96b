"""What the tallies say: progress by category, the strip of a sitting, its summary."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from trainer.drill import timing
from trainer.drill.situation import CATEGORIES
from trainer.drill.timing import median_seconds
from trainer.engine.rule_key import rules_for
from trainer.storage.decisions import DecisionRow, session_decisions
from trainer.storage.progress import category_sums, strategies_of
from trainer.storage.sittings import Sitting, current_sitting, end_sitting, find_sitting
from trainer.storage.sums import Sums
from trainer.storage.transaction import transaction
from trainer.storage.users import find_user

__all__ = ["DecisionRow", "Sitting", "Sums"]

PERIODS: Mapping[str, int | None] = {"7": 7, "30": 30, "90": 90, "all": None}


@dataclass(frozen=True)
class CategoryLine:
    """One category's sums and its median time; ``category`` is empty for the total, which leaves insurance out."""

    category: str
    sums: Sums

    @property
    def median_seconds(self) -> float | None:
        return median_seconds(self.sums.times)


@dataclass(frozen=True)
class Progress:
    """The lines of one period and the strategies, by hash, that there is anything of."""

    lines: Sequence[CategoryLine]
    total: CategoryLine
    practised: Sequence[str]


@dataclass(frozen=True)
class Summary:
    """A sitting looked back on: lines by category, and the hands missed or slow, costliest first."""

    sitting: Sitting
    lines: Sequence[CategoryLine]
    to_practise: Sequence[DecisionRow]


def strategy_hash_of(rules_key: str) -> str:
    """The strategy hash of a rule set; empty for no key."""
    return rules_for(rules_key).strategy_hash if rules_key else ""


def load_progress(visitor: str | None, rules_key: str, period: str, today: date) -> Progress:
    """Progress on one rule set's strategy, or on all for an empty key; ``period`` is one of :data:`PERIODS`."""
    days = PERIODS[period]
    since = today - timedelta(days=days - 1) if days else None
    by_category: dict[str, Sums] = {}
    practised: list[str] = []
    with transaction() as connection:
        user = find_user(connection, visitor) if visitor else None
        if user:
            practised = strategies_of(connection, user.id)
            wanted = [strategy_hash_of(rules_key)] if rules_key else practised
            by_category = category_sums(connection, user.id, wanted, since)
    lines = [CategoryLine(category, by_category.get(category, Sums())) for category in CATEGORIES]
    total = sum((line.sums for line in lines if line.category != "insurance"), Sums())
    return Progress(lines, CategoryLine("", total), practised)


def running_sitting(visitor: str | None, since: datetime) -> Sitting | None:
    """The visitor's running practice session, if there is one that was active after ``since``."""
    if visitor is None:
        return None
    with transaction() as connection:
        return current_sitting(connection, visitor, since)


def finish_sitting(visitor: str, since: datetime) -> int | None:
    """End the running practice session; its id, none where none is running."""
    with transaction(writes=True) as connection:
        sitting = current_sitting(connection, visitor, since)
        if sitting is None:
            return None
        end_sitting(connection, sitting.id)
        return sitting.id


def summarise(visitor: str, sitting_id: int) -> Summary | None:
    """Look back on one of the visitor's own practice sessions; ``None`` where it is not theirs."""
    with transaction() as connection:
        sitting = find_sitting(connection, visitor, sitting_id)
        if sitting is None:
            return None
        decisions = session_decisions(connection, sitting_id)
    by_category: dict[str, Sums] = {}
    for decision in decisions:
        category = decision.situation.category
        by_category[category] = by_category.get(category, Sums()) + _sums(decision)
    lines = [CategoryLine(category, by_category[category]) for category in CATEGORIES if category in by_category]
    missed = [decision for decision in decisions
              if (not decision.is_right and not decision.is_hinted) or decision.is_slow]
    missed.sort(key=lambda decision: (-decision.ev_cost, -(decision.seconds or 0.0), decision.id))
    return Summary(sitting, lines, missed)


def _sums(decision: DecisionRow) -> Sums:
    if decision.is_hinted:
        return Sums(hinted=1)
    times = {} if decision.seconds is None else timing.add({}, decision.seconds)
    lost = 0.0 if decision.is_right else decision.ev_cost
    return Sums(1, int(decision.is_right), 0, lost, decision.ev_cost, times)
