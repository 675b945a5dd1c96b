"""How many hands it takes simulated learners to play well, by the way their hands are dealt (docs/practice.md)."""

import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product
from math import inf

import numpy as np

from bench.learner_dealing import DEALERS, SECONDS_A_HAND, Dealer
from bench.learner_model import FORGETTERS, STARTS, Learner, World

MARKS = (0.25, 0.10, 0.03)
HANDS_A_DAY, MOST_DAYS = 100, 365
SEEDS = range(1000, 1200)
_PROCESSES, _CHUNK = 2, 5
_DAY = 86_400


@dataclass(frozen=True)
class Case:
    """What is compared: where the learner starts, how it forgets, how its hands are dealt."""

    start: str
    forgetter: str
    dealer: str


def days_to_marks(case: Case, seed: int, most_days: int = MOST_DAYS) -> tuple[float, ...]:
    """Days of practice until one learner's play costs less than each of :data:`MARKS`; infinite where it never did."""
    dealer = Dealer(case.dealer, seed)
    learner = Learner(World.of(dealer.sheet, case.start), case.forgetter, dealer.random)
    reached: list[float] = []
    for day in range(most_days + 1):
        loss = learner.loss_per_100(float(day))
        reached += [day] * sum(loss < mark for mark in MARKS[len(reached) :])
        if len(reached) == len(MARKS):
            break
        practise(learner, dealer, day)
    return (*reached, *[inf] * (len(MARKS) - len(reached)))


def practise(learner: Learner, dealer: Dealer, day: int) -> None:
    """One day's hands."""
    for hand in range(HANDS_A_DAY):
        now = day + hand * SECONDS_A_HAND / _DAY
        place = dealer.next(day, hand)
        move, is_slow = learner.answer(place, now)
        dealer.note(place, learner.learn(place, move, now), is_slow)


def run(count: int = len(SEEDS)) -> None:
    print(f"{count} learners a line, {HANDS_A_DAY} hands a day, {MOST_DAYS} days at most; "
          "days until the EV lost per 100 rounds is below the mark: median (quartiles), and how many never got there")
    for start, forgetter in product(STARTS, FORGETTERS):
        print(f"\nFrom {start}, {forgetter} forgetting", flush=True)
        print("| dealing | " + " | ".join(f"{mark:.2f} bets" for mark in MARKS) + " |")
        print("|---|" + "---|" * len(MARKS))
        for dealer in DEALERS:
            started = time.perf_counter()
            found = _all_of(Case(start, forgetter, dealer), SEEDS[:count])
            cells = " | ".join(_text([days[mark] for days in found]) for mark in range(len(MARKS)))
            print(f"| {dealer} | {cells} |", flush=True)
            print(f"{time.perf_counter() - started:.0f} s", file=sys.stderr, flush=True)


def _all_of(case: Case, seeds: Sequence[int]) -> list[tuple[float, ...]]:
    chunks = [(case, seeds[first : first + _CHUNK]) for first in range(0, len(seeds), _CHUNK)]
    with ProcessPoolExecutor(_PROCESSES) as pool:
        return [days for found in pool.map(_some_of, chunks) for days in found]


def _some_of(chunk: tuple[Case, Sequence[int]]) -> list[tuple[float, ...]]:
    case, seeds = chunk
    return [days_to_marks(case, seed) for seed in seeds]


def _text(days: Sequence[float]) -> str:
    """Median and quartiles, by nearest rank so that "never" counts as the longest time."""
    low, high = (float(np.quantile(days, part, method="inverted_cdf")) for part in (0.25, 0.75))
    never = sum(each == inf for each in days)
    shown = " ".join((_day(float(np.quantile(days, 0.5, method="inverted_cdf"))), f"({_day(low)} to {_day(high)})"))
    return shown + (f", {never} never" if never else "")


def _day(days: float) -> str:
    return "never" if days == inf else f"{days:.0f}"
