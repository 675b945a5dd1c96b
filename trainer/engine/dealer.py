"""Where the dealer ends: exact, by counting the orders in which each finished hand can come.

Every finished dealer hand that did not bust and is not a natural is enumerated once for each
soft-17 rule, as a composition that includes the upcard, together with the number of orders in which its
cards can come for a given upcard. The chance of one composition is that number times a product
of falling factorials, so a whole table of shoes is evaluated as products along a trie, in
which a composition is its parent times one factor. Nothing recurses over the shoe.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from trainer.engine.cards import ACE, RANKS, TEN, Composition
from trainer.engine.hands import is_natural, is_soft, total_of
from trainer.engine.lattice import FloatArray, IntArray

FINAL_TOTALS = range(17, 22)

# Shoes evaluated together; wide enough for the loops, narrow enough that a block stays in cache.
_BLOCK = 640


def draws(composition: Composition, hits_soft_17: bool) -> bool:
    """Whether the dealer takes another card on this hand."""
    total = total_of(composition)
    return total < 17 or (hits_soft_17 and total == 17 and is_soft(composition))


@lru_cache(maxsize=2)
def finished_hands(hits_soft_17: bool) -> Mapping[Composition, tuple[int, ...]]:
    """Every finished hand but busts and naturals, with its number of orders by upcard.

    Keys are compositions with the upcard in them, 1,676 where the dealer stands on soft 17
    and 1,739 where it hits; values are ten counts of orders, one for each upcard rank.

    >>> len(finished_hands(False)), len(finished_hands(True))
    (1676, 1739)
    """
    finished: dict[Composition, list[int]] = defaultdict(lambda: [0] * 10)
    for upcard in RANKS:
        level = {_with_card((0,) * 10, upcard): 1}
        while level:
            following: dict[Composition, int] = defaultdict(int)
            for hand, orders in level.items():
                for rank in RANKS:
                    following[_with_card(hand, rank)] += orders
            level = {}
            for hand, orders in following.items():
                if draws(hand, hits_soft_17):
                    level[hand] = orders
                elif total_of(hand) <= FINAL_TOTALS[-1] and not is_natural(hand):
                    finished[hand][upcard - 1] += orders
    return {hand: tuple(orders) for hand, orders in finished.items()}


@dataclass(frozen=True)
class _Depth:
    """The trie's nodes of one number of cards, finished hands first and sorted by total."""

    parents: IntArray
    factors: IntArray
    totals: tuple[slice, ...]  # the finished hands of each of FINAL_TOTALS
    orders: tuple[FloatArray, ...]  # for each of FINAL_TOTALS: (upcards, finished hands)


@dataclass(frozen=True)
class _Trie:
    """Compositions as paths of cards from rank ten downwards."""

    depths: tuple[_Depth, ...]
    factors: tuple[IntArray, IntArray]  # rank index, and how many of that rank are already drawn
    width: int
    upcards: int


@lru_cache(maxsize=22)
def _trie(hits_soft_17: bool, upcard: int | None) -> _Trie:
    """The trie of all finished hands, or of what is drawn to one upcard.

    For one upcard its card is left out of the compositions: it is on the table, not drawn.
    """
    finished = finished_hands(hits_soft_17)
    hands: dict[tuple[int, ...], tuple[int, FloatArray]] = {}
    for hand, orders in finished.items():
        path = [rank for rank in reversed(RANKS) for _ in range(hand[rank - 1])]
        if upcard is None:
            hands[tuple(path)] = total_of(hand), np.array(orders, dtype=float)
        elif orders[upcard - 1]:
            path.remove(upcard)
            hands[tuple(path)] = total_of(hand), np.array([orders[upcard - 1]], dtype=float)
    return _build_trie(hands)


def _build_trie(hands: Mapping[tuple[int, ...], tuple[int, FloatArray]]) -> _Trie:
    nodes = sorted({path[:depth] for path in hands for depth in range(1, len(path) + 1)})
    factors = sorted({(path[-1] - 1, path.count(path[-1]) - 1) for path in nodes})
    factor_row = {factor: row for row, factor in enumerate(factors)}
    depths = []
    above: dict[tuple[int, ...], int] = {(): 0}
    for depth in range(1, max(map(len, nodes)) + 1):
        level = sorted((path for path in nodes if len(path) == depth), key=lambda path: hands.get(path, (99,))[0])
        ends = [hands[path][0] for path in level if path in hands]
        bounds = np.searchsorted(ends, [*FINAL_TOTALS, FINAL_TOTALS[-1] + 1])
        slices = tuple(slice(int(low), int(high)) for low, high in pairwise(bounds))
        depths.append(_Depth(
            np.array([above[path[:-1]] for path in level]),
            np.array([factor_row[path[-1] - 1, path.count(path[-1]) - 1] for path in level]),
            slices,
            tuple(np.array([hands[path][1] for path in level[part]]).T.copy() for part in slices),
        ))
        above = {path: row for row, path in enumerate(level)}
    ranks, drawn = np.array(factors).T
    upcards = len(next(iter(hands.values()))[1])
    return _Trie(tuple(depths), (ranks, drawn), max(len(depth.parents) for depth in depths), upcards)


def dealer_totals(shoes: FloatArray, hits_soft_17: bool, upcard: int | None = None) -> FloatArray:
    """Chance of each final total, before any peek.

    ``shoes``: (k, 10) counts of the cards that the dealer may draw, *the upcard among them*.
    Returns (k, 10, 5), by upcard and by total 17 to 21, or (k, 1, 5) for the one ``upcard``;
    conditioned on the upcard and on nothing else, so naturals and busts are what is missing
    from 1. Rows whose shoe lacks the upcard are 0. Where a shoe is so small that the dealer
    can run out of cards, that too is missing: shoes of 30 cards or more cannot.
    """
    trie = _trie(hits_soft_17, upcard)
    upcards = RANKS if upcard is None else range(upcard, upcard + 1)
    drawn_from = shoes.copy() if upcard is None else shoes - (np.arange(1, 11) == upcard)
    held = shoes[:, upcards.start - 1 : upcards.stop - 1]
    # With every upcard in one trie its card is drawn too, by a chance to be divided out again.
    drawn = held / shoes.sum(axis=1, keepdims=True) if upcard is None else np.ones_like(held)
    given_upcard = np.divide(1.0, drawn, out=np.zeros_like(held), where=held > 0).T
    result = np.empty((len(shoes), len(upcards), len(FINAL_TOTALS)))
    buffers = np.empty((3, trie.width, _BLOCK))
    for start in range(0, len(shoes), _BLOCK):
        block = slice(start, start + _BLOCK)
        sums = _walk(trie, np.maximum(drawn_from[block].T, 0.0), buffers)
        sums *= given_upcard[:, block]
        result[block] = sums.transpose(2, 1, 0)
    return result


def _walk(trie: _Trie, counts: FloatArray, buffers: FloatArray) -> FloatArray:
    """Evaluate the trie for shoes given as (10, k) columns: (5, upcards, k) chances of the final totals."""
    k = counts.shape[1]
    ranks, drawn = trie.factors
    left_of_rank = np.maximum(counts[ranks] - drawn[:, None], 0.0)
    cards = counts.sum(axis=0)
    above = np.ones((1, k))
    sums = np.zeros((len(FINAL_TOTALS), trie.upcards, k))
    for number, depth in enumerate(trie.depths):
        nodes = buffers[number % 2, : len(depth.parents), :k]
        chances = buffers[2, : len(depth.parents), :k]
        # A shoe with fewer cards than this depth has a zero count in every node of it.
        draw = left_of_rank / np.maximum(cards - number, 1.0)
        np.take(above, depth.parents, axis=0, out=nodes, mode="clip")
        np.take(draw, depth.factors, axis=0, out=chances, mode="clip")
        nodes *= chances
        for total, (part, orders) in enumerate(zip(depth.totals, depth.orders, strict=True)):
            if part.stop > part.start:
                sums[total] += orders @ nodes[part]
        above = nodes
    return sums


def natural_chance(shoes: FloatArray | IntArray, upcard: int) -> FloatArray:
    """Chance of a dealer's natural for shoes (..., 10) that still hold the upcard, before any peek."""
    if upcard not in (ACE, TEN):
        return np.zeros(shoes.shape[:-1])
    other = TEN if upcard == ACE else ACE
    return shoes[..., other - 1] / np.maximum(shoes.sum(axis=-1) - 1, 1.0)


def _with_card(hand: Composition, rank: int) -> Composition:
    return (*hand[: rank - 1], hand[rank - 1] + 1, *hand[rank:])
