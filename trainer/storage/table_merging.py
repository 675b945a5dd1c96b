"""A guest's places at tables, chips and rounds, added to an account's."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, delete, func, select, update

from trainer.storage.models import table_of
from trainer.storage.table_models import TablePurse, TableRound, TableSeat
from trainer.table.errors import StateError
from trainer.table.solo import SoloTable
from trainer.table.spec import PLAY_OUT, purse_key

_PURSES, _SEATS, _ROUNDS = table_of(TablePurse), table_of(TableSeat), table_of(TableRound)


def give_tables(connection: Connection, giver: int, taker: int) -> None:
    """Hand one user's places, chips and rounds on to another, whose own chips stay as they are.

    Where the taker has no purse of a kind, the giver's goes over with all that is played from it, a round in progress
    included. Of one that both have the taker's stack is kept, with the bigger of the biggest stacks and all refills;
    a round in progress from the giver's ends there without a result. A place that both have is the taker's, but for
    hands that are played out: what is in front of the giver goes on. All rounds are kept, the giver's before the
    taker's.
    """
    both = _give_purses(connection, giver, taker)
    _give_seats(connection, giver, taker, both)
    _give_rounds(connection, giver, taker)


def _give_purses(connection: Connection, giver: int, taker: int) -> Collection[str]:
    """The keys of the purses that both had."""
    own = {row.key: row for row in connection.execute(select(_PURSES).where(_PURSES.c.user_id == taker))}
    for row in connection.execute(select(_PURSES).where(_PURSES.c.user_id == giver)).all():
        if row.key not in own:
            connection.execute(_of(_PURSES, giver, row.key).values(user_id=taker))
            continue
        kept = own[row.key]
        connection.execute(_of(_PURSES, taker, row.key).values(
            biggest=max(kept.biggest, row.biggest), refills=kept.refills + row.refills, version=kept.version + 1))
    return own


def _give_seats(connection: Connection, giver: int, taker: int, both: Collection[str]) -> None:
    own = set(connection.execute(select(_SEATS.c.key).where(_SEATS.c.user_id == taker)).scalars())
    for row in connection.execute(select(_SEATS).where(_SEATS.c.user_id == giver)).all():
        is_played_out = row.key.startswith(PLAY_OUT)
        if row.key in own and not is_played_out:
            continue
        if row.key in own:
            connection.execute(delete(_SEATS).where(_SEATS.c.user_id == taker, _SEATS.c.key == row.key))
        ended = {} if is_played_out or purse_key(row.key) not in both else _without_round(row.state)
        connection.execute(_of(_SEATS, giver, row.key).values(user_id=taker, version=row.version + 1, **ended))


def _without_round(state: str) -> dict[str, str]:
    """What a seat becomes whose round in progress ends; nothing changes where there is none."""
    try:
        table = SoloTable.from_json(state)
    except StateError:  # of another version: whoever sits down next begins anew
        return {}
    return {"state": replace(table, round=None).to_json(), "log": "", "marks": "[]"} if table.is_playing else {}


def _give_rounds(connection: Connection, giver: int, taker: int) -> None:
    """Rounds at a table that both have played at are numbered on downwards from the taker's first."""
    own, given = _numbers(connection, taker), _numbers(connection, giver)
    for key, (_, last) in given.items():
        shift = last + 1 - own[key][0] if key in own else 0
        connection.execute(_of(_ROUNDS, giver, key).values(user_id=taker, number=_ROUNDS.c.number - shift))


def _numbers(connection: Connection, user_id: int) -> dict[str, tuple[int, int]]:
    """The first and the last number of a user's rounds at each table."""
    query = select(_ROUNDS.c.key, func.min(_ROUNDS.c.number), func.max(_ROUNDS.c.number))
    found = connection.execute(query.where(_ROUNDS.c.user_id == user_id).group_by(_ROUNDS.c.key))
    return {key: (first, last) for key, first, last in found}


def _of(table: Any, user_id: int, key: str) -> Any:
    return update(table).where(table.c.user_id == user_id, table.c.key == key)
