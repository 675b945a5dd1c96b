"""From the value of one split hand to the value of all of them, re-splits included.

Every hand after a split is played by one fixed policy, so its expected result depends on the
other hands only through how many pair cards, and how many cards known to be none, have gone. Symbols:
``X(a, b)`` is one hand from a pair card, whatever its second card, when ``a`` more pair cards
and ``b`` others are gone; ``N`` the same given that its second card is no pair card, ``P``
given that it is one and is not split again. Method: E. Farmer's combinatorial analyser.
"""

from dataclasses import dataclass
from functools import cache
from math import comb

import numpy as np

from trainer.engine.lattice import FloatArray


@dataclass(frozen=True, eq=False)
class SplitDeal:
    """What may still come when a pair is split.

    ``pair_cards`` (upcards,): cards left that make a pair with the two in hand; ``cards``: all
    cards left beside the two and the upcard; ``most``: the most hands that the rules allow.
    """

    pair_cards: FloatArray
    cards: float
    most: int

    def ends_with(self, hands: int) -> FloatArray:
        """Chance of exactly this many hands, for 2 up to one less than the most."""
        catalan = comb(2 * (hands - 1), hands - 1) // hands
        others = self.cards - self.pair_cards
        ways = catalan * falling(self.pair_cards, hands - 2) * falling(others, hands)
        return _ratio(ways, falling(self.cards, 2 * hands - 2))

    def reaches_most(self, finished: int) -> FloatArray:
        """Chance of reaching the most hands, ``finished`` of them done before the last pair card."""
        ballots = (1.0 - finished / (self.most - 1)) * comb(self.most + finished - 2, finished)
        others = self.cards - self.pair_cards
        ways = ballots * falling(self.pair_cards, self.most - 2) * falling(others, finished)
        return _ratio(ways, falling(self.cards, self.most - 2 + finished))

    def expected_hands(self) -> FloatArray:
        """Mean number of hands; 2 to ``most``."""
        mean = np.zeros_like(self.pair_cards)
        for hands in range(2, self.most):
            mean += hands * self.ends_with(hands)
        for finished in range(self.most - 1):
            mean += self.most * self.reaches_most(finished)
        return mean

    def add_up(self, x0: FloatArray, p0: FloatArray) -> FloatArray:
        """The sum over all hands of what ``X(a, 0)`` and ``P(a, 0)``, (a, ..., upcards), measure for one."""
        share = self._pair_share
        nothing = np.zeros_like(x0[0])

        @cache
        def any_second(a: int, b: int) -> FloatArray:
            if b == 0:
                return x0[a] if a < len(x0) else nothing
            return _given_no_pair(any_second(a, b - 1), any_second(a + 1, b - 1), share(a, b - 1))

        @cache
        def no_pair_second(a: int, b: int) -> FloatArray:
            if b == 0:
                return _given_no_pair(any_second(a, 0), p0[a] if a < len(p0) else nothing, share(a, 0))
            return _given_no_pair(no_pair_second(a, b - 1), no_pair_second(a + 1, b - 1), share(a, b))

        total = nothing.copy()
        for hands in range(2, self.most):
            total += hands * self.ends_with(hands) * no_pair_second(hands - 2, hands - 1)
        for finished in range(self.most - 1):
            open_hands = (self.most - finished) * any_second(self.most - 2, finished)
            if finished:
                open_hands = open_hands + finished * no_pair_second(self.most - 2, finished - 1)
            total += self.reaches_most(finished) * open_hands
        return total

    def _pair_share(self, a: int, b: int) -> FloatArray:
        """Chance that the next card makes a pair when ``a`` pair cards and ``b`` others are gone."""
        return np.maximum(self.pair_cards - a, 0.0) / max(self.cards - a - b, 1.0)


def gone_limit(most: int) -> int:
    """The largest ``a`` for which ``X(a, 0)`` or ``P(a, 0)`` matters with at most ``most`` hands."""
    return 2 * (most - 2)


def falling(x: FloatArray | float, k: int) -> FloatArray:
    """x (x - 1) ... (x - k + 1), never below zero."""
    value = np.ones_like(np.asarray(x, dtype=float))
    for step in range(k):
        value = value * np.maximum(np.asarray(x) - step, 0.0)
    return value


def _given_no_pair(mean: FloatArray, paired: FloatArray, share: FloatArray) -> FloatArray:
    """Take the case of a pair card, which comes with chance ``share``, out of a mean over all cards.

    Where no pair card is left the mean stays; where nothing else is left the case cannot
    happen, is weighted by zero, and must only be finite.
    """
    rest = 1.0 - share
    known = np.where(share > 0, mean - share * paired, mean)
    return np.divide(known, rest, out=np.zeros_like(mean), where=rest > 1e-12)


def _ratio(ways: FloatArray, of: FloatArray) -> FloatArray:
    return np.divide(ways, of, out=np.zeros_like(ways), where=of > 0)
