"""Where one user stands on one chart: memories and record of every cell, as arrays that dealing reads."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import inf

import numpy as np

from trainer.drill.memory import Memory
from trainer.drill.sheet import Sheet
from trainer.engine.chart import Cell
from trainer.engine.lattice import FloatArray

# A first sight errs half the time where two moves are worth the same, and half as often with every 0.15 bets between
# them: nobody hits 20. It is only where estimates start from; a user's own first answers scale it.
_FIRST_SIGHT, _HALVES = 0.5, 0.15
# So many expected mistakes' worth of belief that a user errs at first sight as often as that says.
_SCALE_WEIGHT = 5.0
# So many answers' worth of belief in the prior, so that three answers do not decide.
PRIOR_ANSWERS = 4.0
# Tallies from before there was a memory count as so many recent answers at most.
_MOST_TALLIED = 5.0
# So many of the user's own mistakes weigh as much as the chart's next best move, when what a mistake costs is judged.
_COST_WEIGHT = 2.0
_MOST_WRONG = 0.95


@dataclass(frozen=True)
class Record:
    """One cell's tally over all time: answers that count, right ones, EV lost by the wrong ones in bets."""

    decisions: int = 0
    right: int = 0
    ev_lost: float = 0.0


@dataclass(frozen=True, eq=False)
class Practice:
    """One user's standing on a sheet; arrays are over its cells, in its order.

    ``columns`` (6, cells) holds, by name: ``recent`` and ``recent_wrong`` as :class:`~trainer.drill.memory.Memory` has
    them; ``run``: right answers in a row; ``due``: when the next review is, in seconds of POSIX time, infinite for a
    cell never answered; ``first`` and ``first_wrong``: 1 where there was a first answer, and where it was wrong.
    ``cost`` (cells,): what this user's typical mistake costs in bets: the chart's next best move, drawn towards the
    mean of their own mistakes.
    """

    sheet: Sheet
    memories: tuple[Memory | None, ...]
    columns: FloatArray
    cost: FloatArray

    @classmethod
    def of(
        cls, sheet: Sheet, memories: Mapping[Cell, Memory] | None = None,
        records: Mapping[Cell, Record] | None = None,
    ) -> "Practice":
        """From the rows that are stored; cells that the sheet does not have are left out."""
        memories, records = memories or {}, records or {}
        kept = tuple(memories.get(cell) for cell in sheet.cells)
        tallied = [records.get(cell, Record()) for cell in sheet.cells]
        columns = np.array([_row(*row) for row in zip(kept, tallied, strict=True)]).T.copy()
        wrong = np.array([record.decisions - record.right for record in tallied])
        lost = np.array([record.ev_lost for record in tallied])
        cost = (_COST_WEIGHT * sheet.stake + lost) / (_COST_WEIGHT + wrong)
        return cls(sheet, kept, columns, cost)

    def with_memory(self, place: int, memory: Memory) -> "Practice":
        """The same but for one cell's memory."""
        columns = self.columns.copy()
        columns[:, place] = _row(memory, Record())
        memories = (*self.memories[:place], memory, *self.memories[place + 1 :])
        return Practice(self.sheet, memories, columns, self.cost)

    def with_record(self, place: int, record: Record) -> "Practice":
        """The same but for what one cell's typical mistake costs."""
        wrong = record.decisions - record.right
        cost = self.cost.copy()
        cost[place] = (_COST_WEIGHT * self.sheet.stake[place] + record.ev_lost) / (_COST_WEIGHT + wrong)
        return replace(self, cost=cost)

    @property
    def recent(self) -> FloatArray:
        return self.columns[0]

    @property
    def recent_wrong(self) -> FloatArray:
        return self.columns[1]

    @property
    def run(self) -> FloatArray:
        return self.columns[2]

    @property
    def due(self) -> FloatArray:
        return self.columns[3]

    @property
    def first(self) -> FloatArray:
        return self.columns[4]

    @property
    def first_wrong(self) -> FloatArray:
        return self.columns[5]

    @cached_property
    def scale(self) -> tuple[float, float]:
        """How many times as often as first assumed this user errs at first sight: estimate and its variance.

        With ``e`` first-sight errors assumed over the cells answered so far and ``w`` made, ``(w + 5) / (e + 5)``,
        a gamma posterior for a Poisson count, prior mean 1; its variance is the estimate over ``e + 5``.
        """
        assumed = float(self.first @ first_sight(self.sheet)) + _SCALE_WEIGHT
        estimate = (float(self.first_wrong.sum()) + _SCALE_WEIGHT) / assumed
        return estimate, estimate / assumed

    @cached_property
    def prior(self) -> FloatArray:
        """This user's chance of a wrong first answer."""
        return np.minimum(self.scale[0] * first_sight(self.sheet), _MOST_WRONG)

    @cached_property
    def error_rate(self) -> FloatArray:
        """This user's chance of a wrong answer: recent answers, and :data:`PRIOR_ANSWERS` more as the prior says."""
        return (self.recent_wrong + PRIOR_ANSWERS * self.prior) / (self.recent + PRIOR_ANSWERS)


@lru_cache(maxsize=32)
def first_sight(sheet: Sheet) -> FloatArray:
    """(cells,): how often a wrong move is assumed to be chosen at first sight."""
    assumed: FloatArray = _FIRST_SIGHT * 0.5 ** (sheet.stake / _HALVES)
    assumed.setflags(write=False)
    return assumed


def _row(memory: Memory | None, record: Record) -> tuple[float, ...]:
    """Recent answers, wrong ones, run, due, first answers, wrong first ones."""
    if memory:
        return (memory.recent, memory.recent_wrong, memory.run, memory.due.timestamp(), 1.0,
                float(not memory.is_first_right))
    # Answers from before memories were kept: how long ago is not known, so few of them count.
    share = min(1.0, _MOST_TALLIED / record.decisions) if record.decisions else 0.0
    return (share * record.decisions, share * (record.decisions - record.right), 0.0, inf, 0.0, 0.0)
