"""What standing, hitting and doubling are worth, for every hand of a lattice at once.

Values in this module are *unconditional*: the dealer may still turn out to have a natural,
which takes the original bet. That conditions the player's draws on a peek correctly, with no special
case for the hidden card; :func:`after_peek` converts once, at the end.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from trainer.engine.actions import can_double
from trainer.engine.hands import BLACKJACK
from trainer.engine.lattice import BoolArray, FloatArray, IntArray, Lattice
from trainer.engine.odds import DealerOdds
from trainer.engine.rules import Rules

STAND, HIT, DOUBLE = 0, 1, 2


@dataclass(frozen=True, eq=False)
class Table:
    """Every hand of ``lattice`` against every upcard of ``odds``, from one shoe under one rule set.

    Arrays are (hands, upcards). A pair of hand and upcard that the shoe cannot deal counts as
    not ``possible``; its values are finite and mean nothing.
    """

    rules: Rules
    lattice: Lattice
    odds: DealerOdds

    @property
    def upcards(self) -> IntArray:
        """Upcard ranks, 1 to 10."""
        return self.odds.upcards

    @cached_property
    def left(self) -> FloatArray:
        """(hands, 10): cards left beside the hand, the upcard still among them."""
        return (self.odds.shoe - self.lattice.compositions).astype(float)

    @cached_property
    def cards_left(self) -> FloatArray:
        """(hands,): how many cards are left, the upcard included."""
        return self.left.sum(axis=1)

    @cached_property
    def possible(self) -> BoolArray:
        """Whether the shoe can deal the hand and then the upcard."""
        return self.left[:, self.upcards - 1] > 0

    @cached_property
    def natural(self) -> FloatArray:
        """Chance that the dealer has a natural."""
        return self.odds.naturals(self.lattice.compositions)

    @cached_property
    def stand(self) -> FloatArray:
        return self.odds.stand(self.lattice.compositions, self.lattice.totals)

    @cached_property
    def double(self) -> FloatArray:
        """One card for twice the bet, whether or not the rules allow it on the hand."""
        twice = 2.0 * self.mean_over_next_card(with_bust(self.stand, -1.0), slice(None))
        return twice + self.natural if self.rules.loses_only_original_bets else twice

    def mean_over_next_card(self, values: FloatArray, rows: slice | IntArray) -> FloatArray:
        """The mean of ``values`` (hands + 1, upcards, ...) over the next card, for ``rows``.

        The last row of ``values`` is what a bust is worth.
        """
        following = self.lattice.successors[rows]
        left = self.left[rows]
        extra = (1,) * (values.ndim - 2)
        summed = np.einsum("kc,kc...->k...", left, values[following])
        upcard_drawn = values[following[:, self.upcards - 1], np.arange(len(self.upcards))]
        cards = np.maximum(self.cards_left[rows] - 1.0, 1.0).reshape(-1, 1, *extra)
        return (summed - upcard_drawn) / cards

    def hit(self, doubles: BoolArray | None = None) -> FloatArray:
        """One more card, then the best of stand, hit and, on the hands in ``doubles``, double."""
        hit = np.empty_like(self.stand)
        best = with_bust(self.stand, -1.0)
        for rows in reversed(self.lattice.levels):
            hit[rows] = self.mean_over_next_card(best, rows)
            value = np.maximum(self.stand[rows], hit[rows])
            if doubles is not None and doubles[rows].any():
                value = np.where(doubles[rows, None], np.maximum(value, self.double[rows]), value)
            best[rows] = value  # of a hand of 21 that is its stand: no total beats it
        return hit

    def follow(self, moves: IntArray) -> tuple[FloatArray, FloatArray]:
        """Values of hitting, and of the hand itself, where every later hand is played by ``moves``."""
        hit = np.empty_like(self.stand)
        value = with_bust(self.stand, -1.0)
        for rows in reversed(self.lattice.levels):
            hit[rows] = self.mean_over_next_card(value, rows)
            value[rows] = pick(moves[rows], self.stand[rows], hit[rows], self.double[rows])
        return hit, value[:-1]


def double_mask(rules: Rules, lattice: Lattice, *, is_split: bool) -> BoolArray:
    """(hands,): which hands the rules allow to double, first hands or hands after a split."""
    allowed = np.zeros((BLACKJACK + 1, 2, 4), dtype=bool)
    for total in range(2, BLACKJACK + 1):
        for soft in (False, True):
            for cards in (1, 2, 3):
                allowed[total, int(soft), cards] = can_double(
                    rules, total, is_soft=soft, card_count=cards, is_split=is_split
                )
    return allowed[lattice.totals, lattice.is_soft.astype(int), np.minimum(lattice.sizes, 3)]


def best_moves(table: Table, hit: FloatArray, doubles: BoolArray) -> IntArray:
    """The best of stand, hit and (on the hands in ``doubles``) double, by hand and upcard."""
    moves = np.where(hit > table.stand, HIT, STAND)
    best = np.maximum(hit, table.stand)
    moves = np.where(doubles[:, None] & (table.double > best), DOUBLE, moves)
    return np.where((table.lattice.totals == BLACKJACK)[:, None], STAND, moves)


def pick(moves: IntArray, stand: FloatArray, hit: FloatArray, double: FloatArray) -> FloatArray:
    """The value of the move chosen in each place."""
    return np.where(moves == STAND, stand, np.where(moves == HIT, hit, double))


def after_peek(values: FloatArray, natural: FloatArray) -> FloatArray:
    """Values given that the dealer has no natural; a natural costs exactly one bet in ``values``."""
    return (values + natural) / np.maximum(1.0 - natural, np.finfo(float).tiny)


def with_bust(values: FloatArray, bust: float | Iterable[float]) -> FloatArray:
    """``values`` with one row more, which hands over 21 are linked to."""
    last = np.broadcast_to(np.asarray(bust, dtype=float), values.shape[1:])
    return np.concatenate([values, last[None]])
