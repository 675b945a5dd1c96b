"""Advice that people are given, as complete strategies to be priced, not believed.

What a piece of advice leaves out is filled in the same way for all: pairs that it does not
mention play as their total, hard 11 or less hits, doubles are on two cards where the rules
allow them and else hit.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from trainer.engine.cards import ACE, RANKS, TEN
from trainer.engine.chart import ROWS, Chart
from trainer.engine.rules import Rules

_LOW = range(2, 7)


def short_version(rules: Rules) -> Chart:
    """Stand on hard 17; 12 to 16 stand v 2-6, hit v 7-A; double 11, and 10 unless v ten or ace; split A-A, 8-8.

    Soft hands, on which it is silent: 17 and less hits, 18 stands.
    """
    del rules

    def hard(total: int, upcard: int) -> str:
        if total == 11 or (total == 10 and upcard not in (TEN, ACE)):
            return "D"
        return "S" if total >= 17 or (total >= 12 and upcard in _LOW) else "H"

    return _build(hard, lambda total, _: "S" if total >= 18 else "H", lambda rank, _: rank in (ACE, 8))


def classic_version(rules: Rules) -> Chart:
    """V 7-A draw to 17, v 4-6 stop at 12, v 2-3 stop at 13; soft: draw to 18; double 11, 10, 9 by the upcard."""
    del rules

    def hard(total: int, upcard: int) -> str:
        if total == 11 or (total == 10 and upcard not in (TEN, ACE)) or (total == 9 and upcard in _LOW):
            return "D"
        stop = 12 if upcard in (4, 5, 6) else 13 if upcard in (2, 3) else 17
        return "S" if total >= stop else "H"

    def splits(rank: int, upcard: int) -> bool:
        if rank in (2, 3, 7):
            return upcard not in (8, 9, TEN, ACE)
        return rank in (ACE, 8) or (rank == 6 and upcard in _LOW)

    return _build(hard, lambda total, _: "S" if total >= 18 else "H", splits)


def mimic_the_dealer(rules: Rules) -> Chart:
    """The dealer's rule, its soft 17 included; no doubles, no splits."""
    stands_soft_from = 18 if rules.dealer_hits_soft_17 else 17
    return _build(
        lambda total, _: "S" if total >= 17 else "H",
        lambda total, _: "S" if total >= stands_soft_from else "H",
        lambda *_: False,
    )


def never_bust(rules: Rules) -> Chart:
    """Stand on hard 12 or more, hit soft 17 or less; no doubles, no splits."""
    del rules
    return _build(
        lambda total, _: "S" if total >= 12 else "H",
        lambda total, _: "S" if total >= 18 else "H",
        lambda *_: False,
    )


ADVICE: Mapping[str, Callable[[Rules], Chart]] = MappingProxyType({
    "short-version": short_version,
    "classic-version": classic_version,
    "mimic-the-dealer": mimic_the_dealer,
    "never-bust": never_bust,
})


def _build(
    hard: Callable[[int, int], str], soft: Callable[[int, int], str], splits: Callable[[int, int], bool]
) -> Chart:
    def pair(rank: int, upcard: int) -> str:
        if splits(rank, upcard):
            return "P"
        return soft(12, upcard) if rank == ACE else hard(2 * rank, upcard)

    sections = {"hard": hard, "soft": soft, "pair": pair}
    return Chart(**{
        name: np.array([[code(row, upcard) for upcard in RANKS] for row in ROWS[name]], dtype="<U2")
        for name, code in sections.items()
    })
