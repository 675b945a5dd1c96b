"""A total-dependent way of playing, spelled out for every hand of a table."""

from dataclasses import dataclass

import numpy as np

from trainer.engine.chart import ROWS, Chart
from trainer.engine.lattice import BoolArray, IntArray, Lattice
from trainer.engine.player import DOUBLE, HIT, STAND, Table, double_mask

# Cell tables are (64, 10): a row for each total, 32 further down for soft ones.
CELL_ROWS = 64
_SOFT = 32


def cell_rows(lattice: Lattice) -> IntArray:
    """(hands,): each hand's row in a cell table."""
    return lattice.totals + _SOFT * lattice.is_soft


def cell_row(section: str, total: int) -> int:
    """The row of one hard or soft total in a cell table."""
    return total + (_SOFT if section == "soft" else 0)


@dataclass(frozen=True, eq=False)
class TotalPolicy:
    """Whether to hit, whether to double where allowed, whether to surrender where allowed.

    Cell tables (64, 10) of booleans; where neither hits nor doubles is set the hand stands.
    """

    hits: BoolArray
    doubles: BoolArray
    surrenders: BoolArray

    @classmethod
    def empty(cls) -> "TotalPolicy":
        """Stand on everything."""
        return cls(*(np.zeros((CELL_ROWS, 10), dtype=bool) for _ in range(3)))

    @classmethod
    def of(cls, chart: Chart) -> "TotalPolicy":
        """The hard and soft sections of a chart."""
        policy = cls.empty()
        for section in ("hard", "soft"):
            codes = chart.section(section)
            rows = slice(cell_row(section, ROWS[section].start), cell_row(section, ROWS[section].stop))
            policy.hits[rows] = np.isin(codes, ("H", "D", "Rh"))
            policy.doubles[rows] = np.isin(codes, ("D", "Ds"))
            policy.surrenders[rows] = np.isin(codes, ("Rh", "Rs"))
        return policy

    def plays_like(self, other: "TotalPolicy") -> bool:
        """Whether both hit, stand and double alike."""
        return np.array_equal(self.hits, other.hits) and np.array_equal(self.doubles, other.doubles)

    def moves(self, table: Table, *, is_split: bool) -> IntArray:
        """(hands, upcards): stand, hit or double on every hand, pairs by their total."""
        rows, columns = cell_rows(table.lattice), table.upcards - 1
        may_double = double_mask(table.rules, table.lattice, is_split=is_split)[:, None]
        plain = np.where(self.hits[rows][:, columns], HIT, STAND)
        return np.where(may_double & self.doubles[rows][:, columns], DOUBLE, plain)
