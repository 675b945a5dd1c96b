"""Running sums, kept with every answer, so that pages need not read the history."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Executable, RowMapping, Select, Table, bindparam, literal, select, tuple_, union_all
from sqlalchemy.dialects import postgresql, sqlite

from trainer.drill import timing
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
from trainer.storage.sums import Sums, sum_columns, sums_of, times_of

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
_ADD = {"sqlite": _adding(sqlite.insert), "postgresql": _adding(postgresql.insert)}


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
        {**row, "user_id": taker, "times": timing.to_text(times_of(f"{own.get(_key_of(row), '')} {row['times']}"))}
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
