"""How many orders of cards lead a hand, played by a fixed policy, to each place where it ends."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from trainer.engine.lattice import FloatArray, IntArray, cone_of
from trainer.engine.player import DOUBLE, HIT, STAND, Table


@dataclass(frozen=True, eq=False)
class Orders:
    """Numbers of orders, (hands, upcards) each: the hand comes to this composition ...

    ``stands``: and stands; ``lands``: as the one card of a double; ``enters``: and doubles.
    What comes to neither a stand nor a landing went bust.
    """

    stands: FloatArray
    lands: FloatArray
    enters: FloatArray

    def at(self, rows: IntArray) -> "Orders":
        return Orders(self.stands[rows], self.lands[rows], self.enters[rows])


def count_orders(table: Table, starts: Sequence[int], moves: IntArray) -> list[Orders]:
    """Orders from the hand in each row of ``starts`` on, by ``moves`` (hands, upcards).

    The first start must be part of the others; a hand of one card always draws.
    """
    lattice = table.lattice
    shape = (len(lattice) + 1, len(starts), len(table.upcards))
    ways, hitting, doubling = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    stands, lands = np.zeros(shape), np.zeros(shape)
    for rows in cone_of(lattice, starts[0]):
        before = lattice.predecessors[rows]
        ways[rows] = hitting[before].sum(axis=1)
        lands[rows] = doubling[before].sum(axis=1)
        for number, start in enumerate(starts):
            ways[start, number] += start in rows
        move = moves[rows][:, None] if lattice.sizes[rows[0]] > 1 else HIT
        hitting[rows] = np.where(move == HIT, ways[rows], 0.0)
        doubling[rows] = np.where(move == DOUBLE, ways[rows], 0.0)
        stands[rows] = np.where(move == STAND, ways[rows], 0.0)
        if not (hitting[rows].any() or doubling[rows].any()):
            break
    return [Orders(stands[:, number], lands[:, number], doubling[:, number]) for number in range(len(starts))]


def order_chances(shoes: IntArray, drawn: IntArray, upcards: IntArray) -> FloatArray:
    """Chance of drawing given cards in one given order.

    ``shoes`` (a, 10) hold the cards that may come, the upcard still among them; ``drawn``
    (k, 10) are the cards that come. Returns (a, k, upcards); 0 where it cannot happen.
    """
    falling = _falling_factorials(int(shoes.max()))
    ways = np.prod(falling[np.maximum(shoes, 0)[:, None], drawn[None]], axis=-1)
    cards = drawn.sum(axis=1)
    steps = np.maximum(shoes.sum(axis=1)[:, None] - 1.0 - np.arange(cards.max(initial=0)), 1.0)
    order = np.cumprod(np.concatenate([np.ones((len(shoes), 1)), steps], axis=1), axis=1)[:, cards]
    held = shoes[:, None, upcards - 1].astype(float)
    # The upcard is gone from its rank: falling(x - 1, k) is falling(x, k) (x - k) / x.
    short = np.maximum(held - drawn[:, upcards - 1], 0.0)
    share = np.divide(short, held, out=np.zeros_like(short), where=held > 0)
    return (ways / order)[..., None] * share


@lru_cache(maxsize=32)
def _falling_factorials(most: int) -> FloatArray:
    """Table (x, k) of falling factorials for x up to ``most`` and k up to 21."""
    x = np.arange(most + 1.0)[:, None]
    steps = np.maximum(x - np.arange(21.0), 0.0)
    return np.concatenate([np.ones_like(x), np.cumprod(steps, axis=1)], axis=1)
