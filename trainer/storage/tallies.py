"""Running sums, kept with every answer, so that pages need not read the history."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import numpy as np
from sqlalchemy import (
    Connection,
    Executable,
    RowMapping,
    Select,
    Table,
    bindparam,
    func,
    literal,
    select,
    tuple_,
    union_all,
)
from sqlalchemy.dialects import postgresql, sqlite

from trainer.drill import timing
from trainer.drill.situation import CATEGORIES
from trainer.engine.chart import Cell
from trainer.storage.decisions import NewDecision
from trainer.storage.models import (
    ALL_DAYS,
    ALL_MODES,
    ALL_ROWS,
    CATEGORY,
    CATEGORY_DAY,
    CATEGORY_MONTH,
    CELL,
    CELL_DAY,
    Tally,
    table_of,
)

_TALLIES = table_of(Tally)
KEY = ("user_id", "scope", "strategy_hash", "category", "row", "upcard_rank", "mode", "day")
_KEYS_AT_A_TIME = 200
_SUMS = ("decisions", "right", "hinted", "ev_lost", "ev_cost", "times")
# What the tallies of one answer have in common, and what each has of its own beside, from which value.
_COMMON = ("user_id", "strategy_hash", "category")
_OWN: Mapping[int, Mapping[str, str]] = {
    CELL_DAY: {"row": "row", "upcard_rank": "upcard_rank", "mode": "mode", "day": "day"},
    CELL: {"row": "row", "upcard_rank": "upcard_rank"},
    CATEGORY_DAY: {"day": "day"},
    CATEGORY_MONTH: {"day": "month"},
    CATEGORY: {},
}
_OPEN: Mapping[str, object] = {"row": ALL_ROWS, "upcard_rank": ALL_ROWS, "mode": ALL_MODES, "day": ALL_DAYS}


def _times_of(scope: int) -> Select[*tuple[Any, ...]]:
    """The times of one answer's tally of this scope, by its whole key."""
    own = {name: bindparam(_OWN[scope][name]) if name in _OWN[scope] else literal(value)
           for name, value in _OPEN.items()}
    return select(_TALLIES.c.scope, _TALLIES.c.times).where(
        _TALLIES.c.scope == scope, *(_TALLIES.c[name] == bindparam(name) for name in _COMMON),
        *(_TALLIES.c[name] == value for name, value in own.items()))


def _adding(insert: Callable[[Table], sqlite.Insert | postgresql.Insert]) -> Executable:
    """A statement that adds to the sums with the same key; of times it takes the text that it is given."""
    statement = insert(_TALLIES)
    return statement.on_conflict_do_update(index_elements=KEY, set_={"times": statement.excluded.times} | {
        name: _TALLIES.c[name] + statement.excluded[name] for name in _SUMS if name != "times"})


# One look-up each: of alternatives in one condition SQLite would read all of a user's tallies.
_FIND_TIMES = union_all(*map(_times_of, _OWN))
_SUM_ALL = select(
    _TALLIES.c.category, *(func.sum(_TALLIES.c[name]).label(name) for name in _SUMS if name != "times"),
    func.aggregate_strings(_TALLIES.c.times, " ").label("times"),
).where(
    _TALLIES.c.user_id == bindparam("user_id"), _TALLIES.c.scope == bindparam("scope"),
    _TALLIES.c.strategy_hash.in_(bindparam("strategies", expanding=True)), _TALLIES.c.category.in_(CATEGORIES),
    *(_TALLIES.c[name] == _OPEN[name] for name in ("row", "upcard_rank", "mode")),
).group_by(_TALLIES.c.category)
_SUM_SINCE = _SUM_ALL.where(_TALLIES.c.day >= bindparam("since"))
_SUM_CELL = select(*(_TALLIES.c[name] for name in _SUMS)).where(
    _TALLIES.c.scope == CELL, *(_TALLIES.c[name] == bindparam(name) for name in (*_COMMON, *_OWN[CELL])),
    *(_TALLIES.c[name] == _OPEN[name] for name in ("mode", "day")),
)
_PRACTISED = select(_TALLIES.c.strategy_hash).where(
    _TALLIES.c.user_id == bindparam("user_id"), _TALLIES.c.scope == CATEGORY).distinct()
_BY_DAY = select(
    _TALLIES.c.day, _TALLIES.c.category,
    *(func.sum(_TALLIES.c[name]).label(name) for name in _SUMS if name != "times"),
).where(
    _TALLIES.c.user_id == bindparam("user_id"), _TALLIES.c.scope == bindparam("scope"),
    _TALLIES.c.strategy_hash.in_(bindparam("strategies", expanding=True)), _TALLIES.c.category.in_(CATEGORIES),
    *(_TALLIES.c[name] == _OPEN[name] for name in ("row", "upcard_rank", "mode")),
    _TALLIES.c.day >= bindparam("since"),
).group_by(_TALLIES.c.day, _TALLIES.c.category).order_by(_TALLIES.c.day)
_HANDS = select(func.sum(_TALLIES.c.decisions + _TALLIES.c.hinted)).where(
    _TALLIES.c.user_id == bindparam("user_id"), _TALLIES.c.scope == CATEGORY)
_ADD = {"sqlite": _adding(sqlite.insert), "postgresql": _adding(postgresql.insert)}


@dataclass(frozen=True)
class Sums:
    """Sums over decisions.

    ``decisions``: those that count for accuracy, hinted ones not among them; ``ev_lost``: cost of wrong ones,
    ``ev_cost``: of all that count, in bets; ``times``: histogram of answers that count.
    """

    decisions: int = 0
    right: int = 0
    hinted: int = 0
    ev_lost: float = 0.0
    ev_cost: float = 0.0
    times: timing.Histogram = field(default_factory=dict)

    def __add__(self, other: "Sums") -> "Sums":
        return Sums(
            self.decisions + other.decisions, self.right + other.right, self.hinted + other.hinted,
            self.ev_lost + other.ev_lost, self.ev_cost + other.ev_cost, timing.merge([self.times, other.times]),
        )

    @property
    def accuracy(self) -> float | None:
        """Share of right answers; none without answers."""
        return self.right / self.decisions if self.decisions else None

    @property
    def ev_lost_per_100(self) -> float | None:
        return 100 * self.ev_lost / self.decisions if self.decisions else None


def sums_of(new: NewDecision) -> Sums:
    """What one answer adds to every sum over it."""
    if new.is_hinted:
        return Sums(hinted=1)
    right, cost = int(new.grade.is_right), new.grade.ev_cost
    times = {} if new.seconds is None else timing.add({}, new.seconds)
    return Sums(1, right, 0, 0.0 if right else cost, cost, times)


def count(connection: Connection, new: NewDecision, strategy_hash: str) -> None:
    """Add one answer to its tallies; the transaction must hold the write lock."""
    key = _key_values(new, strategy_hash)
    times = {row.scope: row.times for row in connection.execute(_FIND_TIMES, key)}
    sums = sums_of(new)
    added = {**{name: key[name] for name in _COMMON}, **sum_columns(sums)}
    connection.execute(_ADD[connection.dialect.name], [
        {**added, **_OPEN, **{name: key[source] for name, source in own.items()}, "scope": scope,
         "times": _with_time(times.get(scope, ""), sums.times)}
        for scope, own in _OWN.items()
    ])


def count_many(connection: Connection, news: Iterable[tuple[NewDecision, str]]) -> None:
    """Add many answers of one user, each with its strategy hash; the user must be locked."""
    added: dict[tuple[Any, ...], Sums] = {}
    for new, strategy_hash in news:
        sums = sums_of(new)
        for key in tally_keys(_key_values(new, strategy_hash)):
            added[key] = added[key] + sums if key in added else sums
    if added:
        times = _times_at(connection, list(added))
        connection.execute(_ADD[connection.dialect.name], [
            {**dict(zip(KEY, key, strict=True)), **sum_columns(sums),
             "times": timing.to_text(timing.merge([timing.from_text(times.get(key, "")), sums.times]))}
            for key, sums in added.items()
        ])


def tally_keys(values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """The keys of the tallies that count an answer with these values."""
    common = {name: values[name] for name in _COMMON}
    found = [{**common, **_OPEN, **{name: values[source] for name, source in own.items()}, "scope": scope}
             for scope, own in _OWN.items()]
    return [tuple(each[name] for name in KEY) for each in found]


def _times_at(connection: Connection, keys: Sequence[tuple[Any, ...]]) -> dict[tuple[Any, ...], str]:
    """The stored times of tallies by their keys; nothing where there is no such tally yet."""
    columns = [_TALLIES.c[name] for name in KEY]
    found: dict[tuple[Any, ...], str] = {}
    for first in range(0, len(keys), _KEYS_AT_A_TIME):
        rows = connection.execute(select(*columns, _TALLIES.c.times).where(
            tuple_(*columns).in_(keys[first : first + _KEYS_AT_A_TIME])))
        found |= {tuple(row)[:-1]: row.times for row in rows}
    return found


def _key_values(new: NewDecision, strategy_hash: str) -> dict[str, Any]:
    """What the keys of one answer's tallies are made of."""
    return {
        "user_id": new.user_id, "strategy_hash": strategy_hash, "category": new.category,
        "row": new.cell.row if new.cell else ALL_ROWS, "upcard_rank": new.situation.upcard.rank, "mode": new.mode,
        "day": new.day, "month": new.day.replace(day=1),
    }


def give_tallies(connection: Connection, giver: int, taker: int) -> None:
    """Add all tallies of one user to another's; both users must be locked. The giver's own stay as they are."""
    given = connection.execute(_TALLIES.select().where(_TALLIES.c.user_id == giver)).mappings().all()
    if not given:
        return
    own = {_key_of(row): row["times"] for row in
           connection.execute(_TALLIES.select().where(_TALLIES.c.user_id == taker)).mappings()}
    connection.execute(_ADD[connection.dialect.name], [
        {**row, "user_id": taker, "times": timing.to_text(_merged(f"{own.get(_key_of(row), '')} {row['times']}"))}
        for row in given
    ])


def _key_of(row: RowMapping) -> tuple[object, ...]:
    """What tells the tallies of one user apart."""
    return tuple(row[name] for name in KEY[1:])


def _with_time(times: str, added: timing.Histogram) -> str:
    """A histogram's text with one more time, or none; mostly its bucket is there already and need only be raised."""
    for bucket in added:
        before, found, after = f" {times}".partition(f" {bucket}:")
        if not found:
            return timing.to_text(timing.merge([timing.from_text(times), added]))
        number, space, rest = after.partition(" ")
        return f"{before} {bucket}:{int(number) + 1}{space}{rest}".lstrip()
    return times


def category_sums(
    connection: Connection, user_id: int, strategies: Sequence[str], since: date | None
) -> dict[str, Sums]:
    """Sums by category over all days, or from the local day ``since`` on."""
    key = {"user_id": user_id, "strategies": strategies}
    found = (connection.execute(_SUM_ALL, key | {"scope": CATEGORY}) if since is None else
             connection.execute(_SUM_SINCE, key | {"scope": CATEGORY_DAY, "since": since}))
    return {row.category: Sums(row.decisions, row.right, row.hinted, row.ev_lost, row.ev_cost, _merged(row.times))
            for row in found}


def cell_sums(connection: Connection, user_id: int, strategy_hash: str, cell: Cell) -> Sums:
    """Sums over one user's decisions in one chart cell, over all modes and days."""
    found = connection.execute(_SUM_CELL, {
        "user_id": user_id, "strategy_hash": strategy_hash, "category": cell.section, "row": cell.row,
        "upcard_rank": cell.upcard,
    }).one_or_none()
    if found is None:
        return Sums()
    return Sums(found.decisions, found.right, found.hinted, found.ev_lost, found.ev_cost,
                timing.from_text(found.times))


def _merged(times: str) -> timing.Histogram:
    """The sum of histograms whose texts stand one after the other; a long time's are too many to read one by one."""
    if not times.strip():
        return {}
    numbers = np.fromstring(times.replace(":", " "), dtype=np.int64, sep=" ")
    counts = np.bincount(numbers[::2], weights=numbers[1::2])
    return {bucket: int(counts[bucket]) for bucket in np.flatnonzero(counts).tolist()}


def sums_by_day(
    connection: Connection, user_id: int, strategies: Sequence[str], since: date | None
) -> list[tuple[date, str, Sums]]:
    """(day, category, sums without times) in order: from a local day on, or all months by their first days."""
    key = {"user_id": user_id, "strategies": strategies, "scope": CATEGORY_MONTH if since is None else CATEGORY_DAY,
           "since": since or ALL_DAYS}
    return [(row.day, row.category, Sums(row.decisions, row.right, row.hinted, row.ev_lost, row.ev_cost))
            for row in connection.execute(_BY_DAY, key)]


def count_hands(connection: Connection, user_id: int) -> int:
    """How many hands a user has ever answered, hinted ones among them."""
    found: int | None = connection.execute(_HANDS, {"user_id": user_id}).scalar_one()
    return found or 0


def strategies_of(connection: Connection, user_id: int) -> list[str]:
    """The strategy hashes that a user has practised."""
    return sorted(connection.execute(_PRACTISED, {"user_id": user_id}).scalars())


def sum_columns(sums: Sums) -> dict[str, object]:
    """Sums as their columns have them."""
    return {
        "decisions": sums.decisions, "right": sums.right, "hinted": sums.hinted,
        "ev_lost": sums.ev_lost, "ev_cost": sums.ev_cost, "times": timing.to_text(sums.times),
    }
