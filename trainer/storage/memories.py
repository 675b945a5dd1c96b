"""What users remember of chart cells; insurance is no cell and has no memory."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Executable, Row, bindparam, delete, func, select, tuple_
from sqlalchemy.dialects import postgresql, sqlite

from trainer.drill.memory import Memory, recall_of, remember
from trainer.engine.chart import Cell
from trainer.storage.cells import cells_met
from trainer.storage.decisions import NewDecision
from trainer.storage.models import CellMemory, Decision, RuleSet, table_of

# A cell of a chart, by strategy hash.
Place = tuple[str, Cell]

_MEMORIES, _DECISIONS, _RULE_SETS = table_of(CellMemory), table_of(Decision), table_of(RuleSet)
_CHUNK = 2_000
_NEWEST = 2**63 - 1
_HISTORY = select(
    _DECISIONS.c.category, _DECISIONS.c.row, _DECISIONS.c.upcard_rank, _DECISIONS.c.is_right, _DECISIONS.c.is_slow,
    _DECISIONS.c.is_hinted, _DECISIONS.c.created_at, _RULE_SETS.c.strategy_hash,
).join(_RULE_SETS, _RULE_SETS.c.id == _DECISIONS.c.rule_set_id).where(
    _DECISIONS.c.user_id == bindparam("user_id"), _DECISIONS.c.category != "insurance",
    _DECISIONS.c.id <= bindparam("last"),
).order_by(_DECISIONS.c.created_at, _DECISIONS.c.id)
_FIELDS = tuple(each.name for each in fields(Memory))
_KEY = ("user_id", "strategy_hash", "category", "row", "upcard_rank")
_OF_CHART = select(_MEMORIES).where(
    _MEMORIES.c.user_id == bindparam("user_id"), _MEMORIES.c.strategy_hash == bindparam("strategy_hash"))
_OF_CELL = _OF_CHART.where(
    _MEMORIES.c.category == bindparam("category"), _MEMORIES.c.row == bindparam("row"),
    _MEMORIES.c.upcard_rank == bindparam("upcard_rank"))
_DUE = select(_MEMORIES.c.strategy_hash, func.count().label("cells")).where(
    _MEMORIES.c.user_id == bindparam("user_id"), _MEMORIES.c.due <= bindparam("now")).group_by(
        _MEMORIES.c.strategy_hash)


def _saving(insert: type[sqlite.Insert] | type[postgresql.Insert]) -> Executable:
    statement = insert(_MEMORIES)
    return statement.on_conflict_do_update(
        index_elements=_KEY, set_={name: statement.excluded[name] for name in _FIELDS})


_SAVE: Mapping[str, Executable] = {"sqlite": _saving(sqlite.Insert), "postgresql": _saving(postgresql.Insert)}


def find_memory(connection: Connection, user_id: int, strategy_hash: str, cell: Cell) -> Memory | None:
    """What a user remembers of one cell; ``None`` where it was never answered."""
    row = connection.execute(_OF_CELL, _key(user_id, strategy_hash, cell)).one_or_none()
    return _memory(row) if row else None


def save_memory(connection: Connection, user_id: int, strategy_hash: str, cell: Cell, memory: Memory) -> None:
    """Keep what a user now remembers of a cell; the transaction must hold the write lock."""
    connection.execute(_SAVE[connection.dialect.name], {**_key(user_id, strategy_hash, cell), **vars(memory)})


def memories_of(connection: Connection, user_id: int, strategy_hash: str) -> dict[Cell, Memory]:
    """Everything a user remembers of one chart."""
    found = connection.execute(_OF_CHART, {"user_id": user_id, "strategy_hash": strategy_hash})
    return {Cell(row.category, row.row, row.upcard_rank): _memory(row) for row in found}


def all_memories(connection: Connection, user_id: int) -> dict[Place, Memory]:
    """Everything a user remembers, of every chart."""
    found = connection.execute(select(_MEMORIES).where(_MEMORIES.c.user_id == user_id))
    return {(row.strategy_hash, Cell(row.category, row.row, row.upcard_rank)): _memory(row) for row in found}


def memories_from_history(
    connection: Connection, user_id: int, only: Collection[Place] | None = None, last: int = _NEWEST
) -> dict[Place, Memory]:
    """What a user's answers up to the id ``last``, in turn, make of all cells or some; reads the whole history."""
    found: dict[Place, Memory] = {}
    for row in connection.execute(_HISTORY, {"user_id": user_id, "last": last}).yield_per(_CHUNK):
        place = row.strategy_hash, Cell(row.category, row.row, row.upcard_rank)
        if only is None or place in only:
            recall = recall_of(is_right=row.is_right, is_slow=row.is_slow, is_hinted=row.is_hinted)
            memory = remember(found.get(place), recall, row.created_at)
            if memory:
                found[place] = memory
    return found


def give_memories(connection: Connection, giver: int, taker: int, shared: Collection[Place]) -> None:
    """Add what one user remembers to another, who has their answers already.

    ``shared`` are the cells that both were asked; they are worked out anew from the history.
    """
    given = all_memories(connection, giver)
    anew = memories_from_history(connection, taker, shared) if shared else {}
    connection.execute(delete(_MEMORIES).where(_MEMORIES.c.user_id == giver))
    save_memories(connection, taker, given | anew)


def remember_many(
    connection: Connection, news: Sequence[tuple[NewDecision, str]], stale: Collection[Place]
) -> set[Place]:
    """Fold answers of one user, each with its strategy hash, into what is remembered; before they are counted.

    ``stale`` cells are left alone. Returns the cells that have become so: their answers came out of order, so that
    only the whole history tells what is remembered.
    """
    strategies = {strategy for _, strategy in news}
    user_id = news[0][0].user_id if news else 0
    known = {(strategy, cell): memory for strategy in strategies
             for cell, memory in memories_of(connection, user_id, strategy).items()}
    met = cells_met(connection, user_id, sorted(strategies))
    changed: dict[Place, Memory] = {}
    now_stale: set[Place] = set()
    for new, strategy in news:
        if new.cell is None or (place := (strategy, new.cell)) in stale or place in now_stale:
            continue
        memory = known.get(place)
        # A cell that was only ever seen with the chart in view has no memory, but a past.
        if new.created_at < memory.seen_at if memory else place in met:
            now_stale.add(place)
            continue
        met.add(place)
        recall = recall_of(is_right=new.grade.is_right, is_slow=new.is_slow, is_hinted=new.is_hinted)
        after = remember(memory, recall, new.created_at)
        if after:
            known[place] = changed[place] = after
    save_memories(connection, user_id, changed)
    return now_stale


def save_memories(connection: Connection, user_id: int, memories: Mapping[Place, Memory]) -> None:
    """Keep what a user now remembers of many cells; the transaction must hold the write lock."""
    if memories:
        connection.execute(_SAVE[connection.dialect.name],
                        [{**_key(user_id, *place), **vars(memory)} for place, memory in memories.items()])


def count_due(connection: Connection, user_id: int, now: datetime) -> dict[str, int]:
    """How many cells are due for review, by strategy hash."""
    return {row.strategy_hash: row.cells for row in connection.execute(_DUE, {"user_id": user_id, "now": now})}


def last_right(connection: Connection, user_id: int, places: Collection[Place]) -> dict[Place, datetime]:
    """When those of these cells whose last answer was right had it."""
    columns = tuple(_MEMORIES.c[name] for name in _KEY[1:])
    wanted = select(*columns, _MEMORIES.c.answered_at).where(
        _MEMORIES.c.user_id == user_id, _MEMORIES.c.run > 0, tuple_(*columns).in_(
            [(strategy_hash, cell.section, cell.row, cell.upcard) for strategy_hash, cell in places]))
    return {(row.strategy_hash, Cell(row.category, row.row, row.upcard_rank)): row.answered_at
            for row in connection.execute(wanted)}


def _key(user_id: int, strategy_hash: str, cell: Cell) -> dict[str, Any]:
    return {"user_id": user_id, "strategy_hash": strategy_hash, "category": cell.section, "row": cell.row,
            "upcard_rank": cell.upcard}


def _memory(row: Row[*tuple[Any, ...]]) -> Memory:
    return Memory(*(getattr(row, name) for name in _FIELDS))
