"""All that is summed up of one user's answers: as it is stored, and as the history has it."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, insert, select, update

from trainer.drill import timing
from trainer.drill.memory import Memory, recall_of, remember
from trainer.engine.chart import Cell
from trainer.storage.imports import stale_places
from trainer.storage.memories import Place, all_memories, save_memories
from trainer.storage.models import Account, CellMemory, Decision, PracticeSession, RuleSet, Tally, User, table_of
from trainer.storage.sums import Sums, sum_columns
from trainer.storage.tallies import KEY, tally_keys

_USERS, _ACCOUNTS, _TALLIES, _MEMORIES = table_of(User), table_of(Account), table_of(Tally), table_of(CellMemory)
_DECISIONS, _SITTINGS, _RULE_SETS = table_of(Decision), table_of(PracticeSession), table_of(RuleSet)
_CHUNK = 2_000
_HISTORY = select(
    *(_DECISIONS.c[name] for name in (
        "user_id", "session_id", "category", "row", "upcard_rank", "mode", "day", "is_right", "is_hinted", "is_slow",
        "ev_cost", "time_ms", "created_at")), _RULE_SETS.c.strategy_hash,
).join(_RULE_SETS, _RULE_SETS.c.id == _DECISIONS.c.rule_set_id).where(
    _DECISIONS.c.user_id == bindparam("user_id")).order_by(_DECISIONS.c.created_at, _DECISIONS.c.id)


@dataclass(frozen=True)
class Figures:
    """What a practice session comes to."""

    sums: Sums
    hands: int
    streak: int


@dataclass(frozen=True)
class Books:
    """Everything summed up of a user's answers; tallies by key, less the user, sittings by id."""

    tallies: Mapping[tuple[Any, ...], Sums]
    memories: Mapping[Place, Memory]
    sittings: Mapping[int, Figures]


@dataclass
class _Count:
    """Sums that grow answer by answer."""

    decisions: int = 0
    right: int = 0
    hinted: int = 0
    ev_lost: float = 0.0
    ev_cost: float = 0.0
    streak: int = 0

    def __post_init__(self) -> None:
        self.times: Counter[int] = Counter()

    def add(self, row: Row[*tuple[Any, ...]], bucket: int | None) -> None:
        if row.is_hinted:
            self.hinted += 1
            return
        self.decisions += 1
        self.right += row.is_right
        self.streak = self.streak + 1 if row.is_right else 0
        self.ev_lost += 0.0 if row.is_right else row.ev_cost
        self.ev_cost += row.ev_cost
        if bucket is not None:
            self.times[bucket] += 1

    @property
    def sums(self) -> Sums:
        return Sums(self.decisions, self.right, self.hinted, self.ev_lost, self.ev_cost, dict(self.times))


def people(connection: Connection, after: int, username_key: str | None, most: int) -> list[tuple[int, str, str]]:
    """(id, visitor, name or empty) of users behind an id, or of the account of that name alone, by id."""
    wanted = select(_USERS.c.id, _USERS.c.visitor, _ACCOUNTS.c.username).join_from(
        _USERS, _ACCOUNTS, isouter=True).where(_USERS.c.id > after)
    if username_key is not None:
        wanted = wanted.where(_ACCOUNTS.c.username_key == username_key)
    return [(row.id, row.visitor, row.username or "") for row in connection.execute(
        wanted.order_by(_USERS.c.id).limit(most))]


def stored_books(connection: Connection, user_id: int) -> Books:
    """A user's sums as they are stored; the figures of a practice session know no cost but that of mistakes."""
    tallies = connection.execute(select(_TALLIES).where(_TALLIES.c.user_id == user_id)).mappings()
    sittings = connection.execute(select(_SITTINGS).where(_SITTINGS.c.user_id == user_id))
    return Books(
        {tuple(row[name] for name in KEY[1:]): Sums(
            row["decisions"], row["right"], row["hinted"], row["ev_lost"], row["ev_cost"],
            timing.from_text(row["times"])) for row in tallies},
        all_memories(connection, user_id),
        {row.id: Figures(Sums(row.hands - row.hinted, row.right, row.hinted, row.ev_lost, 0.0,
                              timing.from_text(row.times)), row.hands, row.streak) for row in sittings},
    )


def counted_books(connection: Connection, user_id: int) -> Books:
    """A user's sums as the history has them, read answer by answer."""
    tallies: dict[tuple[Any, ...], _Count] = {}
    memories: dict[Place, Memory] = {}
    sittings = {key: _Count() for key in connection.execute(
        select(_SITTINGS.c.id).where(_SITTINGS.c.user_id == user_id)).scalars()}
    for row in connection.execute(_HISTORY, {"user_id": user_id}).yield_per(_CHUNK):
        bucket = None if row.time_ms is None else timing.bucket_of(row.time_ms / 1000)
        day: date = row.day
        for key in tally_keys({**row._mapping, "month": day.replace(day=1)}):
            tallies.setdefault(key[1:], _Count()).add(row, bucket)
        if row.session_id is not None:
            sittings[row.session_id].add(row, bucket)
        _remember(memories, row)
    return Books(
        {key: count.sums for key, count in tallies.items()}, memories,
        {key: Figures(_without_cost(count.sums), count.decisions + count.hinted, count.streak)
         for key, count in sittings.items()})


def _remember(memories: dict[Place, Memory], row: Row[*tuple[Any, ...]]) -> None:
    if row.category == "insurance":
        return
    place = row.strategy_hash, Cell(row.category, row.row, row.upcard_rank)
    recall = recall_of(is_right=row.is_right, is_slow=row.is_slow, is_hinted=row.is_hinted)
    memory = remember(memories.get(place), recall, row.created_at)
    if memory:
        memories[place] = memory


def _without_cost(sums: Sums) -> Sums:
    return Sums(sums.decisions, sums.right, sums.hinted, sums.ev_lost, 0.0, sums.times)


def pending(connection: Connection, user_id: int) -> Collection[Place]:
    """The cells that an import under way has yet to work out."""
    return stale_places(connection, user_id)


def replace_books(connection: Connection, user_id: int, books: Books) -> None:
    """Store sums in place of those that there are; the user must be locked."""
    connection.execute(delete(_TALLIES).where(_TALLIES.c.user_id == user_id))
    rows = [{**dict(zip(KEY, (user_id, *key), strict=True)), **sum_columns(sums)}
            for key, sums in books.tallies.items()]
    for first in range(0, len(rows), _CHUNK):
        connection.execute(insert(_TALLIES), rows[first : first + _CHUNK])
    connection.execute(delete(_MEMORIES).where(_MEMORIES.c.user_id == user_id))
    save_memories(connection, user_id, books.memories)
    wanted = update(_SITTINGS).where(_SITTINGS.c.id == bindparam("which"), _SITTINGS.c.user_id == user_id)
    figures = [{
        "which": key, "hands": each.hands, "right": each.sums.right, "hinted": each.sums.hinted,
        "streak": each.streak, "ev_lost": each.sums.ev_lost, "times": timing.to_text(each.sums.times),
    } for key, each in books.sittings.items()]
    if figures:
        connection.execute(wanted, figures)
