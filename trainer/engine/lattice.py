"""Every hand a shoe can deal, and which hand one more card makes.

Hands are rows, sorted by number of cards; ``successors`` and ``predecessors`` link them. One row beyond the
last stands for a hand that is over 21 or cannot be dealt, so that values gathered along a
link need no special case: the caller gives that row the value of a bust.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from trainer.engine.cards import RANKS, Composition
from trainer.engine.hands import BLACKJACK

IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float64]

# Five bits a rank hold any count of cards taken from a shoe by one hand and the hands split off it.
_KEY_BASE = np.array([1 << (5 * index) for index in range(10)], dtype=np.int64)


def keys_of(compositions: NDArray[np.integer]) -> IntArray:
    """One integer for each composition along the last axis; counts are 0 to 31."""
    return compositions @ _KEY_BASE


def find_sorted(keys: IntArray, wanted: IntArray) -> IntArray:
    """The place of each wanted key among sorted ``keys``, or ``len(keys)`` where it is not there."""
    place = np.searchsorted(keys, wanted)
    found = np.append(keys, -1)[place] == wanted
    return np.where(found, place, len(keys))


@dataclass(frozen=True, eq=False)
class Lattice:
    """Hands of one or more cards with a total of at most 21.

    ``compositions`` (hands, 10), ``sizes`` (cards), ``hard_totals``, ``totals``, ``is_soft``:
    one row a hand, smallest first. ``successors`` and ``predecessors`` (hands, 10): the row
    that one more, or one less, card of each rank makes, or ``len(lattice)`` for none.
    """

    compositions: IntArray
    sizes: IntArray
    hard_totals: IntArray
    totals: IntArray
    is_soft: BoolArray
    successors: IntArray
    predecessors: IntArray

    def __len__(self) -> int:
        return len(self.compositions)

    @classmethod
    def of(cls, compositions: IntArray) -> Self:
        """The lattice of these hands, which must be sorted by number of cards."""
        hard = compositions @ np.arange(1, 11)
        soft = (compositions[:, 0] > 0) & (hard <= BLACKJACK - 10)
        keys = keys_of(compositions)
        return cls(
            compositions,
            compositions.sum(axis=1),
            hard,
            hard + 10 * soft,
            soft,
            _rows_of(keys, keys[:, None] + _KEY_BASE),
            _rows_of(keys, np.where(compositions > 0, keys[:, None] - _KEY_BASE, -2)),
        )

    @cached_property
    def levels(self) -> tuple[slice, ...]:
        """The rows of each number of cards, fewest first; index 0 is the smallest number there is."""
        bounds = np.searchsorted(self.sizes, np.arange(self.sizes[0], self.sizes[-1] + 2))
        return tuple(slice(int(low), int(high)) for low, high in pairwise(bounds))

    @cached_property
    def rows(self) -> dict[Composition, int]:
        """Row by composition."""
        return {tuple(composition): row for row, composition in enumerate(self.compositions.tolist())}

    @cached_property
    def natural_row(self) -> int:
        """The row of ace and ten, or ``len(self)`` where there is none."""
        return self.rows.get((1, 0, 0, 0, 0, 0, 0, 0, 0, 1), len(self))

    def restricted_to(self, shoe: Sequence[int], containing: Sequence[int] | None = None) -> "Lattice":
        """Only the hands that ``shoe`` can deal and, where given, that hold the cards of ``containing``."""
        keep = (self.compositions <= np.asarray(shoe)).all(axis=1)
        if containing is not None:
            keep &= (self.compositions >= np.asarray(containing)).all(axis=1)
        if keep.all():
            return self
        place = np.append(np.where(keep, np.cumsum(keep) - 1, keep.sum()), keep.sum())
        return Lattice(
            self.compositions[keep],
            self.sizes[keep],
            self.hard_totals[keep],
            self.totals[keep],
            self.is_soft[keep],
            place[self.successors[keep]],
            place[self.predecessors[keep]],
        )


def pair_row(lattice: Lattice, rank: int) -> int:
    """The row of two cards of one rank, which the lattice must hold."""
    return lattice.rows[tuple(2 * (index == rank) for index in RANKS)]


@lru_cache(maxsize=64)
def cone_of(lattice: Lattice, row: int) -> tuple[IntArray, ...]:
    """The rows of each number of cards that contain the hand in ``row``, that hand first."""
    inside = (lattice.compositions >= lattice.compositions[row]).all(axis=1)
    found = (np.flatnonzero(inside[level]) + level.start for level in lattice.levels)
    return tuple(rows for rows in found if len(rows))


@lru_cache(maxsize=1)
def all_hands() -> Lattice:
    """Every hand of one or more cards that some shoe can deal: 10 of one card, 3,072 of more."""
    hands = sorted(_compositions(10, BLACKJACK), key=lambda hand: (sum(hand), [-count for count in hand]))
    return Lattice.of(np.array([hand for hand in hands if any(hand)], dtype=np.int64))


@lru_cache(maxsize=16)
def hands_of(shoe: Composition) -> Lattice:
    """Every hand that a full shoe can deal."""
    return all_hands().restricted_to(shoe)


def _compositions(rank: int, points: int) -> Iterator[tuple[int, ...]]:
    """Every way to hold cards of ranks 1 to ``rank`` of at most ``points`` hard points."""
    if rank < RANKS.start:
        yield ()
        return
    for count in range(points // rank + 1):
        for lower in _compositions(rank - 1, points - count * rank):
            yield (*lower, count)


def _rows_of(keys: IntArray, wanted: IntArray) -> IntArray:
    """The row of each wanted key, or ``len(keys)`` where there is none; ``keys`` in row order."""
    order = np.argsort(keys)
    return np.append(order, len(keys))[find_sorted(keys[order], wanted)]
