"""Places at tables, purses, and what rounds came to; whoever writes second starts anew from what the first wrote."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Update, bindparam, delete, insert, select, update

from trainer.storage.models import table_of
from trainer.storage.table_models import TablePurse, TableRound, TableSeat
from trainer.table.purse import Purse

_SEATS, _PURSES, _ROUNDS = table_of(TableSeat), table_of(TablePurse), table_of(TableRound)
_FIND_SEAT = select(_SEATS).where(_SEATS.c.user_id == bindparam("user_id"), _SEATS.c.key == bindparam("key"))
_SEATED = select(_SEATS.c.key).where(_SEATS.c.user_id == bindparam("user_id"), _SEATS.c.is_seated).order_by(
    _SEATS.c.updated_at.desc())
_FIND_PURSE = select(_PURSES).where(_PURSES.c.user_id == bindparam("user_id"), _PURSES.c.key == bindparam("key"))
_ALL_PURSES = select(_PURSES).where(_PURSES.c.user_id == bindparam("user_id"))
_ADD_SEAT, _ADD_PURSE, _ADD_ROUND = insert(_SEATS), insert(_PURSES), insert(_ROUNDS)
_LAST_ROUNDS = select(_ROUNDS).where(
    _ROUNDS.c.user_id == bindparam("user_id"), _ROUNDS.c.key == bindparam("key"),
    _ROUNDS.c.number > bindparam("after")).order_by(_ROUNDS.c.number.desc())


class ConflictError(RuntimeError):
    """Another request changed the same seat or purse in the meantime; nothing of this one may be kept."""


@dataclass(frozen=True)
class SeatRow:
    """A seat as it is stored: the fields of :class:`trainer.storage.models.TableSeat`; version 0 is not stored yet."""

    key: str
    version: int
    is_seated: bool
    state: str
    log: str
    marks: str
    number: int
    first: int
    is_hinting: bool
    hinted_at: int
    verdicts: str


@dataclass(frozen=True)
class PurseRow:
    """A purse and the version it was read in; 0 is not stored yet."""

    key: str
    purse: Purse
    version: int = 0


@dataclass(frozen=True)
class RoundRow:
    """What one round came to, in tenths of a chip."""

    number: int
    hands: int
    wagered: int
    result: int
    ev_given_up: float


def find_seat(connection: Connection, user_id: int, key: str) -> SeatRow | None:
    """A user's place at a table, left or not."""
    row = connection.execute(_FIND_SEAT, {"user_id": user_id, "key": key}).one_or_none()
    if row is None:
        return None
    return SeatRow(row.key, row.version, row.is_seated, row.state, row.log, row.marks, row.number, row.first,
                   row.is_hinting, row.hinted_at, row.verdicts)


def save_seat(connection: Connection, user_id: int, seat: SeatRow, now: datetime) -> None:
    """Store a seat over the version it was read in; ``ConflictError`` where that is no longer the latest."""
    values = {name: getattr(seat, name) for name in (
        "is_seated", "state", "log", "marks", "number", "first", "is_hinting", "hinted_at", "verdicts")}
    _save(connection, _ADD_SEAT, _versioned(_SEATS), seat.version,
          {"user_id": user_id, "key": seat.key}, values | {"updated_at": now})


def seated_at(connection: Connection, user_id: int) -> Sequence[str]:
    """The keys of the tables at which a user sits, the latest first."""
    return connection.execute(_SEATED, {"user_id": user_id}).scalars().all()


def find_purse(connection: Connection, user_id: int, key: str) -> PurseRow | None:
    """A user's purse of that key."""
    row = connection.execute(_FIND_PURSE, {"user_id": user_id, "key": key}).one_or_none()
    return _purse(row) if row else None


def purses_of(connection: Connection, user_id: int) -> dict[str, Purse]:
    """All of a user's purses by key."""
    return {row.key: _purse(row).purse for row in connection.execute(_ALL_PURSES, {"user_id": user_id})}


def save_purse(connection: Connection, user_id: int, row: PurseRow) -> None:
    """Store a purse over the version it was read in; ``ConflictError`` where that is no longer the latest."""
    purse = row.purse
    _save(connection, _ADD_PURSE, _versioned(_PURSES), row.version, {"user_id": user_id, "key": row.key}, {
        "stack": purse.stack, "biggest": purse.biggest, "refills": purse.refills, "table_key": purse.table})


def add_round(connection: Connection, user_id: int, key: str, row: RoundRow) -> None:
    """Store what a round came to."""
    connection.execute(_ADD_ROUND, {
        "user_id": user_id, "key": key, "number": row.number, "hands": row.hands, "wagered": row.wagered,
        "result": row.result, "ev_given_up": row.ev_given_up})


def last_rounds(connection: Connection, user_id: int, key: str, after: int, limit: int) -> Sequence[RoundRow]:
    """Up to ``limit`` of the latest rounds with numbers above ``after``, oldest first."""
    found = connection.execute(_LAST_ROUNDS.limit(limit), {"user_id": user_id, "key": key, "after": after})
    return [RoundRow(row.number, row.hands, row.wagered, row.result, row.ev_given_up) for row in found][::-1]


def _save(
    connection: Connection, adding: Any, updating: Update, version: int, where: dict[str, Any], values: dict[str, Any]
) -> None:
    if version == 0:  # two at once violate the primary key
        connection.execute(adding, where | values | {"version": 1})
        return
    named = {f"which_{name}": value for name, value in where.items()}
    changed = connection.execute(updating, named | {"read": version, "version": version + 1} | values)
    if changed.rowcount != 1:
        raise ConflictError("somebody else was faster")


def _versioned(table: Any) -> Update:
    return update(table).where(
        table.c.user_id == bindparam("which_user_id"), table.c.key == bindparam("which_key"),
        table.c.version == bindparam("read"))


def _purse(row: Any) -> PurseRow:
    return PurseRow(row.key, Purse(row.stack, row.biggest, row.refills, row.table_key), row.version)


def drop_tables(connection: Connection, user_id: int) -> None:
    """Take a user's places, chips and rounds away."""
    for model in (TablePurse, TableSeat, TableRound):
        connection.execute(delete(model).where(model.user_id == user_id))
