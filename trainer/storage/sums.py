"""Sums over decisions, as the tallies and the practice sessions keep them."""

from dataclasses import dataclass, field

import numpy as np

from trainer.drill import timing
from trainer.storage.decisions import NewDecision


@dataclass(frozen=True)
class Sums:
    """Sums over decisions.

    ``decisions``: those that count for accuracy, hinted ones not among them; ``ev_lost``: cost of wrong ones,
    ``ev_cost``: of all that count, in bets; ``times``: histogram of answers that count.
    """

    decisions: int = 0
    right: int = 0
    hinted: int = 0
    ev_lost: float = 0.0
    ev_cost: float = 0.0
    times: timing.Histogram = field(default_factory=dict)

    def __add__(self, other: "Sums") -> "Sums":
        return Sums(
            self.decisions + other.decisions, self.right + other.right, self.hinted + other.hinted,
            self.ev_lost + other.ev_lost, self.ev_cost + other.ev_cost,
            timing.merge([self.times, other.times]) if self.times and other.times else self.times or other.times,
        )

    @property
    def accuracy(self) -> float | None:
        """Share of right answers; none without answers."""
        return self.right / self.decisions if self.decisions else None

    @property
    def ev_lost_per_100(self) -> float | None:
        return 100 * self.ev_lost / self.decisions if self.decisions else None


def sums_of(new: NewDecision) -> Sums:
    """What one answer adds to every sum over it."""
    if new.is_hinted:
        return Sums(hinted=1)
    right, cost = int(new.grade.is_right), new.grade.ev_cost
    times = {} if new.seconds is None else timing.add({}, new.seconds)
    return Sums(1, right, 0, 0.0 if right else cost, cost, times)


def sum_columns(sums: Sums) -> dict[str, object]:
    """Sums as their columns have them."""
    return {
        "decisions": sums.decisions, "right": sums.right, "hinted": sums.hinted,
        "ev_lost": sums.ev_lost, "ev_cost": sums.ev_cost, "times": timing.to_text(sums.times),
    }


def times_of(texts: str) -> timing.Histogram:
    """The sum of histograms whose texts stand one after the other; a long time's are too many to read one by one."""
    if not texts.strip():
        return {}
    numbers = np.fromstring(texts.replace(":", " "), dtype=np.int64, sep=" ")
    counts = np.bincount(numbers[::2], weights=numbers[1::2])
    return {bucket: int(counts[bucket]) for bucket in np.flatnonzero(counts).tolist()}
