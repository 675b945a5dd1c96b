"""The streak: no clock, ever closer calls, over at the first mistake.

Only cells with a look-alike are asked, one that touches it on the chart and is played otherwise, from the first hand
on. They are ordered by margin, widest first, and cut into steps of three; each hand is drawn from the next step. So no
hand's margin is wider than the one before, no two streaks need be alike, and one that was right to the end is complete.
"""

from random import Random

import numpy as np

from trainer.drill.sheet import Sheet
from trainer.engine.chart import Cell
from trainer.engine.lattice import IntArray

_STEP = 3


def streak_cell(sheet: Sheet, position: int, random: Random) -> Cell | None:
    """The cell of a streak's hand, counted from 0; ``None`` where the streak is complete."""
    step = _by_margin(sheet)[_STEP * position : _STEP * (position + 1)]
    return sheet.cells[random.choice(step.tolist())] if len(step) else None


def _by_margin(sheet: Sheet) -> IntArray:
    """The places of the cells that a streak asks, widest margin first."""
    asked = np.array([place for place, alike in enumerate(sheet.lookalikes) if alike], dtype=np.int64)
    return asked[np.argsort(-sheet.margins[asked], kind="stable")]
