"""What adapts to a user: weak spots, reviews, and the default mix of both with all hands."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from random import Random

import numpy as np

from trainer.drill.plan import Mode
from trainer.drill.practice import Practice
from trainer.drill.weak import draw, pick_weak
from trainer.engine.chart import Cell
from trainer.engine.lattice import BoolArray

WEAK_SHARE, REVIEW_SHARE = 0.4, 0.2
# Before so many hands there is little to adapt to.
MIXED_HANDS = 50


class Kind(StrEnum):
    """Why a hand is dealt."""

    WEAK = "weak spot"
    REVIEW = "review"
    MIXED = "mixed"
    STREAK = "streak"


@dataclass(frozen=True)
class Pick:
    """What to deal: a hand of ``cell``, or where it is none any hand as a shoe deals it."""

    kind: Kind
    cell: Cell | None = None


_MIXED = Pick(Kind.MIXED)


def default_mode(hands: int) -> Mode:
    """The mode of a user who has chosen none, after so many hands.

    >>> default_mode(0).value, default_mode(49).value, default_mode(50).value
    ('mixed', 'mixed', 'default-mix')
    """
    return Mode.MIXED if hands < MIXED_HANDS else Mode.DEFAULT_MIX


def pick(practice: Practice, mode: Mode, now: datetime, random: Random, last: Cell | None = None) -> Pick | None:
    """What to deal next in the default mix, in weak spots or in review.

    The mix draws a weak spot with chance 0.4, a due review with 0.2, else mixed; what is not there falls to mixed.
    Weak spots fall to mixed where none is left. Review is ``None`` where nothing is due. ``last`` is the cell
    just asked: a review alone may ask it again.
    """
    before = practice.sheet.index.get(last) if last else None
    if mode is Mode.WEAK_SPOTS:
        return _weak(practice, random, before) or _MIXED
    if mode is Mode.REVIEW:
        return _review(practice, now, random)
    chance = random.random()
    if chance < WEAK_SHARE:
        return _weak(practice, random, before) or _MIXED
    if chance < WEAK_SHARE + REVIEW_SHARE:
        return _review(practice, now, random) or _MIXED
    return _MIXED


def due(practice: Practice, now: datetime) -> BoolArray:
    """(cells,): which are due for review; their number is what the page shows."""
    return practice.due <= now.timestamp()


def _weak(practice: Practice, random: Random, last: int | None) -> Pick | None:
    place = pick_weak(practice, random, last)
    return None if place is None else Pick(Kind.WEAK, practice.sheet.cells[place])


def _review(practice: Practice, now: datetime, random: Random) -> Pick | None:
    """Of what is due, by what forgetting it would cost: frequency times the typical mistake."""
    worth = practice.sheet.frequency * practice.cost
    place = draw(np.where(due(practice, now), worth, 0.0), random)
    return None if place is None else Pick(Kind.REVIEW, practice.sheet.cells[place])
