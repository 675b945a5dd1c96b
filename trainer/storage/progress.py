"""What a user's tallies come to by category and by day, over all time or from a day on."""

from collections.abc import Collection, Sequence
from datetime import date, timedelta
from typing import Any

from sqlalchemy import Connection, Select, bindparam, func, select, union_all

from trainer.drill.situation import CATEGORIES
from trainer.storage.models import (
    ALL_DAYS,
    ALL_MODES,
    ALL_ROWS,
    CATEGORY,
    CATEGORY_DAY,
    CATEGORY_MONTH,
    Tally,
    table_of,
)
from trainer.storage.sums import Sums, times_of

_TALLIES = table_of(Tally)
_NUMBERS = ("decisions", "right", "hinted", "ev_lost", "ev_cost")
_ADDED = tuple(func.sum(_TALLIES.c[name]).label(name) for name in _NUMBERS)


def _whole_categories(*columns: Any) -> Select[*tuple[Any, ...]]:
    """Of tallies of whole categories, on some strategies; all but the scope and the days in their key."""
    return select(*columns).where(
        _TALLIES.c.user_id == bindparam("user_id"),
        _TALLIES.c.strategy_hash.in_(bindparam("strategies", expanding=True)),
        _TALLIES.c.category.in_(bindparam("categories", expanding=True)),
        _TALLIES.c.row == ALL_ROWS, _TALLIES.c.upcard_rank == ALL_ROWS, _TALLIES.c.mode == ALL_MODES)


_SUM_ALL = _whole_categories(
    _TALLIES.c.category, *_ADDED, func.aggregate_strings(_TALLIES.c.times, " ").label("times"),
).where(_TALLIES.c.scope == CATEGORY).group_by(_TALLIES.c.category)
# Whole months are read as such, so that a long time has few histograms to add up; all that are still to come are whole.
_PARTS = union_all(
    _whole_categories(_TALLIES).where(
        _TALLIES.c.scope == CATEGORY_DAY, _TALLIES.c.day >= bindparam("since"), _TALLIES.c.day < bindparam("month")),
    _whole_categories(_TALLIES).where(_TALLIES.c.scope == CATEGORY_MONTH, _TALLIES.c.day >= bindparam("month")),
).subquery()
_SUM_SINCE = select(
    _PARTS.c.category, *(func.sum(_PARTS.c[name]).label(name) for name in _NUMBERS),
    func.aggregate_strings(_PARTS.c.times, " ").label("times"),
).group_by(_PARTS.c.category)
_BY_DAY = _whole_categories(_TALLIES.c.day, *_ADDED).where(
    _TALLIES.c.scope == bindparam("scope"), _TALLIES.c.day >= bindparam("since"),
).group_by(_TALLIES.c.day).order_by(_TALLIES.c.day)
_PRACTISED = select(_TALLIES.c.strategy_hash).where(
    _TALLIES.c.user_id == bindparam("user_id"), _TALLIES.c.scope == CATEGORY).distinct()
_HANDS = select(func.sum(_TALLIES.c.decisions + _TALLIES.c.hinted)).where(
    _TALLIES.c.user_id == bindparam("user_id"), _TALLIES.c.scope == CATEGORY)


def category_sums(
    connection: Connection, user_id: int, strategies: Sequence[str], since: date | None
) -> dict[str, Sums]:
    """Sums by category over all days, or from the local day ``since`` on."""
    key = {"user_id": user_id, "strategies": strategies, "categories": CATEGORIES}
    found = (connection.execute(_SUM_ALL, key) if since is None else
             connection.execute(_SUM_SINCE, key | {"since": since, "month": _first_month(since)}))
    return {row.category: Sums(row.decisions, row.right, row.hinted, row.ev_lost, row.ev_cost, times_of(row.times))
            for row in found}


def sums_by_day(
    connection: Connection, user_id: int, strategies: Sequence[str], categories: Collection[str], since: date | None
) -> list[tuple[date, Sums]]:
    """(day, sums without times) over categories, in order: from a local day on, or all months by their first days."""
    key = {"user_id": user_id, "strategies": strategies, "categories": categories,
           "scope": CATEGORY_MONTH if since is None else CATEGORY_DAY, "since": since or ALL_DAYS}
    return [(day, Sums(*numbers)) for day, *numbers in connection.execute(_BY_DAY, key)]


def count_hands(connection: Connection, user_id: int) -> int:
    """How many hands a user has ever answered, hinted ones among them."""
    found: int | None = connection.execute(_HANDS, {"user_id": user_id}).scalar_one()
    return found or 0


def strategies_of(connection: Connection, user_id: int) -> list[str]:
    """The strategy hashes that a user has practised."""
    return sorted(connection.execute(_PRACTISED, {"user_id": user_id}).scalars())


def _first_month(since: date) -> date:
    """The first day of the first month that begins on a day or after it."""
    return since if since.day == 1 else (since.replace(day=1) + timedelta(days=31)).replace(day=1)
