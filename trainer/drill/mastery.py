"""How well a user knows the chart, cell by cell and in bets, and what of it was kept overnight."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from math import exp, log, sqrt

import numpy as np

from trainer.drill.memory import KNOWN_RUN, Memory, is_due, retrievability
from trainer.drill.practice import PRIOR_ANSWERS, Practice, first_sight
from trainer.engine.chart import Cell
from trainer.engine.lattice import FloatArray

# Of the middle 90% of a normal distribution.
_NINETY = 1.6449


class Level(StrEnum):
    """What a cell's square on the heat map says in words."""

    NEW = "not met yet"
    WEAK = "weak spot"
    DUE = "due for review"
    KNOWN = "known"


@dataclass(frozen=True)
class CellMastery:
    """One cell of the heat map.

    ``mastery``: 0 to 1, the chance of a right answer now: that it is recalled (FSRS) and then not missed (recent
    answers, with the prior), or else chosen at first sight; ``None`` where the cell was never answered.
    """

    cell: Cell
    level: Level
    mastery: float | None


@dataclass(frozen=True)
class PlayCost:
    """What a user's present play is estimated to lose per 100 rounds against the chart, in bets.

    ``low`` and ``high`` bound it with 90%.
    """

    per_100: float
    low: float
    high: float


@dataclass(frozen=True)
class Kept:
    """Answers that came a day or more after the cell was last seen, and how many of them were right."""

    asked: int = 0
    right: int = 0

    @property
    def share(self) -> float | None:
        """Share of right ones; none without answers."""
        return self.right / self.asked if self.asked else None


def mastery_of(practice: Practice, now: datetime) -> tuple[CellMastery, ...]:
    """The heat map, in the sheet's order."""
    right = 1.0 - error_chances(practice, now)
    return tuple(
        CellMastery(cell, _level(memory, now), float(chance) if memory else None)
        for cell, memory, chance in zip(practice.sheet.cells, practice.memories, right, strict=True))


def error_chances(practice: Practice, now: datetime) -> FloatArray:
    """(cells,): chance of a wrong answer now; what is forgotten is answered as at first sight."""
    recalled = _recalled(practice, now)
    return recalled * practice.error_rate + (1.0 - recalled) * practice.prior


def cost_of_play(practice: Practice, now: datetime) -> PlayCost:
    """Estimate what a user's errors cost at the table: frequency x chance of an error x typical mistake, added up.

    An estimate, by the delta method. Each cell's error rate has a beta posterior from its recent answers and
    the prior; all priors share one scale, of gamma posterior (:attr:`Practice.scale`); cells are else independent.
    The two variances add up, and a log-normal of that mean and variance gives the bounds. Frequencies are exact; the
    typical mistake is taken as known, and decisions on split hands are not counted. To be shown beside the chart's
    own edge, ``100 * strategy.by_chart.edge``, which it lowers.
    """
    sheet, recalled = practice.sheet, _recalled(practice, now)
    worth = 100.0 * sheet.frequency * practice.cost
    mean = float(worth @ error_chances(practice, now))
    rate, answers = practice.error_rate, practice.recent + PRIOR_ANSWERS
    own = recalled**2 * rate * (1.0 - rate) / (answers + 1.0)
    # How much of each cell's estimate moves with the common scale of first-sight errors.
    leans = first_sight(sheet) * (recalled * PRIOR_ANSWERS / answers + 1.0 - recalled)
    variance = float(worth**2 @ own) + float(worth @ leans) ** 2 * practice.scale[1]
    spread = sqrt(log(1.0 + variance / mean**2))
    middle = mean * exp(-(spread**2) / 2.0)
    return PlayCost(mean, middle * exp(-_NINETY * spread), middle * exp(_NINETY * spread))


def kept_overnight(memories: Iterable[Memory]) -> Kept:
    """Kept after a day or more, over all cells."""
    asked = right = 0
    for memory in memories:
        asked, right = asked + memory.kept_asked, right + memory.kept_right
    return Kept(asked, right)


def _level(memory: Memory | None, now: datetime) -> Level:
    if memory is None:
        return Level.NEW
    if memory.run < KNOWN_RUN:
        return Level.WEAK
    return Level.DUE if is_due(memory, now) else Level.KNOWN


def _recalled(practice: Practice, now: datetime) -> FloatArray:
    """(cells,): FSRS's chance of recall; 1 where there is no memory, so that tallies count as they are."""
    return np.array([1.0 if memory is None else retrievability(memory, now) for memory in practice.memories])
