"""A user's record on the cells of charts, from the running sums."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, bindparam, select

from trainer.drill import timing
from trainer.engine.chart import Cell
from trainer.storage.models import ALL_DAYS, ALL_MODES, CELL, Tally, table_of
from trainer.storage.sums import Sums

_TALLIES = table_of(Tally)
# Records of cells, to be narrowed by whoever asks.
RECORDS = select(*(_TALLIES.c[name] for name in (
    "strategy_hash", "category", "row", "upcard_rank", "decisions", "right", "hinted", "ev_lost", "ev_cost",
))).where(_TALLIES.c.scope == CELL)
_OF_CHART = RECORDS.where(
    _TALLIES.c.user_id == bindparam("user_id"), _TALLIES.c.strategy_hash == bindparam("strategy_hash"),
    _TALLIES.c.category != "insurance")
_OF_CELL = select(_TALLIES).where(
    _TALLIES.c.scope == CELL, _TALLIES.c.mode == ALL_MODES, _TALLIES.c.day == ALL_DAYS,
    *(_TALLIES.c[name] == bindparam(name) for name in ("user_id", "strategy_hash", "category", "row", "upcard_rank")))


@dataclass(frozen=True)
class CellRecord:
    """Sums over one chart cell; insurance is a cell of row 0. Times are left out."""

    strategy_hash: str
    category: str
    row: int
    upcard_rank: int
    sums: Sums

    @property
    def mistakes(self) -> int:
        return self.sums.decisions - self.sums.right


def record_of(row: Row[*tuple[Any, ...]]) -> CellRecord:
    """A row of :data:`RECORDS` as a plain value."""
    return CellRecord(row.strategy_hash, row.category, row.row, row.upcard_rank, Sums(*row[4:]))


def records_of_chart(connection: Connection, user_id: int, strategy_hash: str) -> dict[Cell, Sums]:
    """A user's record on every cell of one chart that was ever asked, times left out."""
    found = connection.execute(_OF_CHART, {"user_id": user_id, "strategy_hash": strategy_hash})
    return {Cell(*row[1:4]): Sums(*row[4:]) for row in found}


def cell_sums(connection: Connection, user_id: int, strategy_hash: str, cell: Cell) -> Sums:
    """Sums over a user's decisions in one cell, times as well."""
    found = connection.execute(_OF_CELL, {
        "user_id": user_id, "strategy_hash": strategy_hash, "category": cell.section, "row": cell.row,
        "upcard_rank": cell.upcard,
    }).one_or_none()
    if found is None:
        return Sums()
    return Sums(found.decisions, found.right, found.hinted, found.ev_lost, found.ev_cost,
                timing.from_text(found.times))


def cells_met(connection: Connection, user_id: int, strategies: Sequence[str] | None = None) -> set[tuple[str, Cell]]:
    """The cells that a user was ever asked, by strategy hash; those only answered with the chart in view among them."""
    wanted = select(_TALLIES.c.strategy_hash, _TALLIES.c.category, _TALLIES.c.row, _TALLIES.c.upcard_rank).where(
        _TALLIES.c.user_id == user_id, _TALLIES.c.scope == CELL, _TALLIES.c.category != "insurance")
    if strategies is not None:
        wanted = wanted.where(_TALLIES.c.strategy_hash.in_(strategies))
    return {(row.strategy_hash, Cell(row.category, row.row, row.upcard_rank)) for row in connection.execute(wanted)}
