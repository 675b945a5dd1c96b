"""A user's record on the cells of charts, from the running sums."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select

from trainer.engine.chart import Cell
from trainer.storage.models import CELL, Tally, table_of
from trainer.storage.tallies import Sums

_TALLIES = table_of(Tally)


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

    @property
    def cell(self) -> Cell | None:
        """The cell; none for insurance."""
        return None if self.category == "insurance" else Cell(self.category, self.row, self.upcard_rank)

    @property
    def place(self) -> tuple[str, str, int, int]:
        """What tells the cell from others."""
        return self.strategy_hash, self.category, self.row, self.upcard_rank


def cell_records(connection: Connection, user_id: int, strategies: Sequence[str] | None = None) -> list[CellRecord]:
    """A user's record on every cell that was ever asked, of some strategies or all."""
    wanted = select(
        _TALLIES.c.strategy_hash, _TALLIES.c.category, _TALLIES.c.row, _TALLIES.c.upcard_rank, _TALLIES.c.decisions,
        _TALLIES.c.right, _TALLIES.c.hinted, _TALLIES.c.ev_lost, _TALLIES.c.ev_cost,
    ).where(_TALLIES.c.user_id == user_id, _TALLIES.c.scope == CELL)
    if strategies is not None:
        wanted = wanted.where(_TALLIES.c.strategy_hash.in_(strategies))
    return [CellRecord(row.strategy_hash, row.category, row.row, row.upcard_rank,
                       Sums(row.decisions, row.right, row.hinted, row.ev_lost, row.ev_cost))
            for row in connection.execute(wanted)]


def cells_met(connection: Connection, user_id: int, strategies: Sequence[str] | None = None) -> set[tuple[str, Cell]]:
    """The cells that a user was ever asked, by strategy hash; those only answered with the chart in view among them."""
    return {(record.strategy_hash, record.cell) for record in cell_records(connection, user_id, strategies)
            if record.cell}
