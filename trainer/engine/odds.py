"""Dealer odds for one shoe less any cards, each set of cards worked out once."""

from collections.abc import Sequence

import numpy as np

from trainer.engine.cards import ACE, RANKS, TEN
from trainer.engine.dealer import FINAL_TOTALS, dealer_totals, natural_chance
from trainer.engine.lattice import FloatArray, IntArray, find_sorted, keys_of

# Standing on a total t is worth 1 - 2 P(natural) - P(t) - 2 P(above t); one row for each of
# 16 or less, 17, ..., 21: how often each dealer total is taken off.
_TAKEN_OFF = np.array([[2 * (final > total) + (final == total) for final in FINAL_TOTALS] for total in range(16, 22)],
                      dtype=float)


class DealerOdds:
    """The dealer's chances after any cards were taken from one shoe; grows as it is asked.

    It depends on the shoe and the soft-17 rule alone, so that rule sets which differ in
    anything else can share it. With an ``upcard`` it knows that one upcard only. Not safe for
    use by two threads at once.
    """

    def __init__(self, shoe: Sequence[int], hits_soft_17: bool, upcard: int | None = None) -> None:
        self.shoe = np.asarray(shoe, dtype=np.int64)
        self.hits_soft_17 = hits_soft_17
        self.upcard = upcard
        self.upcards = np.array([*RANKS] if upcard is None else [upcard])
        # Sorted keys, and for each the row of its chances, which are only ever added to.
        self._keys = np.empty(0, dtype=np.int64)
        self._rows = np.empty(0, dtype=np.int64)
        self._totals = np.empty((0, len(self.upcards), len(FINAL_TOTALS)))

    def __len__(self) -> int:
        return len(self._keys)

    def prepare(self, removed: IntArray) -> None:
        """Work out what is not known yet of ``removed`` (k, 10), all in one go."""
        keys = keys_of(removed)
        missing = find_sorted(self._keys, keys) == len(self._keys)
        if not missing.any():
            return
        new, first = np.unique(keys[missing], return_index=True)
        left = (self.shoe - removed[missing][first]).astype(float)
        totals = dealer_totals(left, self.hits_soft_17, self.upcard)
        keys = np.concatenate([self._keys, new])
        rows = np.concatenate([self._rows, np.arange(len(new)) + len(self._totals)])
        order = np.argsort(keys, kind="stable")
        self._keys, self._rows = keys[order], rows[order]
        self._totals = np.concatenate([self._totals, totals])

    def totals(self, removed: IntArray) -> FloatArray:
        """Chances (k, upcards, 5) of final totals 17 to 21 before any peek; ``removed`` (k, 10)."""
        keys = keys_of(removed)
        places = find_sorted(self._keys, keys)
        if (places == len(self._keys)).any():
            self.prepare(removed)
            places = find_sorted(self._keys, keys)
        return self._totals[self._rows[places]]

    def stand(self, removed: IntArray, player_totals: IntArray) -> FloatArray:
        """What standing on each total is worth (k, upcards), a dealer's natural counted as a loss."""
        taken_off = _TAKEN_OFF[np.clip(player_totals, 16, 21) - 16]
        against: FloatArray = np.einsum("kut,kt->ku", self.totals(removed), taken_off)
        return 1.0 - 2.0 * self.naturals(removed) - against

    def ties(self, removed: IntArray, player_totals: IntArray) -> FloatArray:
        """Chance (k, upcards) that the dealer ends on exactly the player's total, before any peek."""
        same = (np.asarray(FINAL_TOTALS) == player_totals[:, None]).astype(float)
        return np.einsum("kut,kt->ku", self.totals(removed), same)

    def naturals(self, removed: IntArray) -> FloatArray:
        """Chance (..., upcards) of a dealer's natural; ``removed`` (..., 10)."""
        left = self.shoe - removed
        chances = np.zeros((*removed.shape[:-1], len(self.upcards)))
        for column, upcard in enumerate(self.upcards.tolist()):
            if upcard in (ACE, TEN):
                chances[..., column] = natural_chance(left, upcard)
        return chances
