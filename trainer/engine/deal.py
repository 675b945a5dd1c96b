"""How often hands come up: as dealt, and as a way of playing leads to them."""

import numpy as np

from trainer.engine.cards import TEN
from trainer.engine.lattice import BoolArray, FloatArray
from trainer.engine.player import Table

FACES_PER_TEN = 4


def upcard_chances(table: Table) -> FloatArray:
    """(upcards,): chance of each upcard from the full shoe."""
    shoe = table.odds.shoe
    return shoe[table.upcards - 1] / shoe.sum()


def deal_chances(table: Table) -> FloatArray:
    """(hands, upcards): chance of each two-card hand given the upcard; 0 for other sizes."""
    chances = np.zeros((len(table.lattice), len(table.upcards)))
    rows = np.flatnonzero(table.lattice.sizes == 2)
    cards = table.lattice.compositions[rows]
    first = np.argmax(cards > 0, axis=1)
    second = 9 - np.argmax(cards[:, ::-1] > 0, axis=1)
    shoe = table.odds.shoe[:, None] - (np.arange(1, 11)[:, None] == table.upcards)  # (10, upcards)
    ordered = shoe[first] * (shoe[second] - (first == second)[:, None])
    total = table.odds.shoe.sum() - 1.0
    chances[rows] = np.maximum(ordered, 0) * np.where(first == second, 1.0, 2.0)[:, None] / (total * (total - 1.0))
    return chances


def reach_chances(table: Table, dealt: FloatArray, hits: BoolArray) -> FloatArray:
    """(hands, upcards): chance of ever holding each hand, before any peek.

    ``dealt``: chance of starting with it; ``hits``: on which hands one more card is taken.
    """
    reached = with_none(dealt)
    hitting = with_none(np.zeros_like(dealt))
    lattice = table.lattice
    drawn_upcard = (np.arange(1, 11)[:, None] == table.upcards).astype(float)
    for rows in lattice.levels:
        before = hitting[lattice.predecessors[rows]]  # (rows, 10, upcards)
        # The predecessor's shoe holds one more card of the rank drawn and one card more in all.
        ways = before * (table.left[rows, :, None] + 1.0 - drawn_upcard)
        reached[rows] += ways.sum(axis=1) / np.maximum(table.cards_left[rows, None], 1.0)
        hitting[rows] = np.where(hits[rows], reached[rows], 0.0)
    return reached[:-1]


def same_face_shares(decks: int, upcard: int) -> tuple[float, float]:
    """Of two-card hands of two tens: the share that pair by face, unlike and like the upcard's face.

    From a full shoe, given the upcard; the rest are two different faces.

    >>> [round(share, 4) for share in same_face_shares(6, 5)]
    [0.2421, 0.0]
    """
    of_face = FACES_PER_TEN * decks
    tens = FACES_PER_TEN * of_face
    if upcard != TEN:
        return (of_face - 1) / (tens - 1), 0.0
    pairs = (tens - 1) * (tens - 2)
    return 3 * of_face * (of_face - 1) / pairs, (of_face - 1) * (of_face - 2) / pairs


def with_none(values: FloatArray) -> FloatArray:
    """``values`` with a row of zeros more, for links that lead to no hand."""
    return np.concatenate([values, np.zeros((1, *values.shape[1:]))])
