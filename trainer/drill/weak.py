"""Weak spots: what it pays most to practise now.

A cell's weight is how often it comes up in real rounds, times what this user's typical mistake there costs, times this
user's own error rate there with its prior (:mod:`trainer.drill.practice`). A cell is out once the last three answers
to it were right, and back when it is missed. Two hands in five are a look-alike of the cell drawn, out or not: what is
confused is learnt side by side. Neither is ever the cell just asked.
"""

from random import Random

import numpy as np

from trainer.drill.memory import KNOWN_RUN
from trainer.drill.practice import Practice
from trainer.engine.lattice import FloatArray

LOOKALIKE_SHARE = 0.4


def weak_weights(practice: Practice) -> FloatArray:
    """(cells,): the weight of each weak spot: bets that a round is expected to lose there; 0 for one that is out."""
    weights = practice.sheet.frequency * practice.cost * practice.error_rate
    return np.where(practice.run < KNOWN_RUN, weights, 0.0)


def pick_weak(practice: Practice, random: Random, last: int | None = None) -> int | None:
    """The place of a cell to be asked, drawn by weight; ``None`` where there is no weak spot but the last one.

    ``last`` is the place of the cell just asked.
    """
    drawn = draw(weak_weights(practice), random, last)
    if drawn is None or random.random() >= LOOKALIKE_SHARE:
        return drawn
    alike = [place for place in practice.sheet.lookalikes[drawn] if place != last]
    return random.choice(alike) if alike else drawn


def draw(weights: FloatArray, random: Random, without: int | None = None) -> int | None:
    """A place by weight, never ``without``; ``None`` where nothing else has any."""
    if without is not None:
        weights = weights.copy()
        weights[without] = 0.0
    running = np.cumsum(weights)
    if not running[-1] > 0:
        return None
    # Rounding must not reach the sum itself, which lies beyond the last place.
    chance = min(random.random() * running[-1], np.nextafter(running[-1], 0.0))
    return int(np.searchsorted(running, chance, side="right"))
