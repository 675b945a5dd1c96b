"""A user's record on the cells of charts, from the running sums."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from trainer.drill import timing
from trainer.engine.chart import Cell
from trainer.storage.models import ALL_DAYS, ALL_MODES, CELL, Tally, table_of
from trainer.storage.sums import Sums

_TALLIES = table_of(Tally)
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

    @cached_property
    def cell(self) -> Cell | None:
        """The cell; none for insurance."""
        return None if self.category == "insurance" else Cell(self.category, self.row, self.upcard_rank)

    @property
    def place(self) -> tuple[str, str, int, int]:
        """What tells the cell from others."""
        return self.strategy_hash, self.category, self.row, self.upcard_rank


def cell_records(session: Session, user_id: int, strategies: Sequence[str] | None = None) -> list[CellRecord]:
    """A user's record on every cell that was ever asked, of some strategies or all."""
    wanted = select(
        _TALLIES.c.strategy_hash, _TALLIES.c.category, _TALLIES.c.row, _TALLIES.c.upcard_rank, _TALLIES.c.decisions,
        _TALLIES.c.right, _TALLIES.c.hinted, _TALLIES.c.ev_lost, _TALLIES.c.ev_cost,
    ).where(_TALLIES.c.user_id == user_id, _TALLIES.c.scope == CELL)
    if strategies is not None:
        wanted = wanted.where(_TALLIES.c.strategy_hash.in_(strategies))
    return [CellRecord(row.strategy_hash, row.category, row.row, row.upcard_rank,
                       Sums(row.decisions, row.right, row.hinted, row.ev_lost, row.ev_cost))
            for row in session.execute(wanted)]


def records_of_chart(session: Session, user_id: int, strategy_hash: str) -> dict[Cell, Sums]:
    """A user's record on every cell of one chart that was ever asked, times left out."""
    return {record.cell: record.sums for record in cell_records(session, user_id, [strategy_hash]) if record.cell}


def cell_sums(session: Session, user_id: int, strategy_hash: str, cell: Cell) -> Sums:
    """Sums over a user's decisions in one cell, times as well."""
    found = session.execute(_OF_CELL, {
        "user_id": user_id, "strategy_hash": strategy_hash, "category": cell.section, "row": cell.row,
        "upcard_rank": cell.upcard,
    }).one_or_none()
    if found is None:
        return Sums()
    return Sums(found.decisions, found.right, found.hinted, found.ev_lost, found.ev_cost,
                timing.from_text(found.times))


def cells_met(session: Session, user_id: int, strategies: Sequence[str] | None = None) -> set[tuple[str, Cell]]:
    """The cells that a user was ever asked, by strategy hash; those only answered with the chart in view among them."""
    return {(record.strategy_hash, record.cell) for record in cell_records(session, user_id, strategies)
            if record.cell}
