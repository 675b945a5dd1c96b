"""How many hands it takes simulated learners to play well, by the way their hands are dealt (docs/practice.md)."""

import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from math import inf

import numpy as np

from bench.learner_dealing import DEALERS, MIX, RANDOM, SECONDS_A_HAND, Dealer
from bench.learner_model import FORGETTERS, STARTS, Learner, World

MARKS = (0.25, 0.10, 0.03)
HANDS_A_DAY, MOST_DAYS = 100, 365
# Even seeds forget exponentially, odd ones by a power law. Seeds below 100 were for tuning.
SEEDS = range(1000, 1200)
_PROCESSES, _CHUNK = 2, 10
_DAY = 86_400


@dataclass(frozen=True)
class Case:
    """One learner: where it starts, how it forgets, how its hands are dealt, and its dice."""

    start: str
    forgetter: str
    dealer: str
    seed: int

    @classmethod
    def of(cls, start: str, dealer: str, seed: int) -> "Case":
        """The learner of a seed, the same person whatever is dealt."""
        return cls(start, FORGETTERS[seed % 2], dealer, seed)


def days_to_marks(
    case: Case, most_days: int = MOST_DAYS, marks: Sequence[float] = MARKS
) -> tuple[float, ...]:
    """Days of practice until a learner's play costs less than each mark, highest first; infinite where it never did."""
    dealer = Dealer(case.dealer, case.seed)
    learner = Learner(World.of(dealer.sheet, case.start), case.forgetter, dealer.random)
    reached: list[float] = []
    for day in range(most_days + 1):
        loss = learner.loss_per_100(float(day))
        reached += [day] * sum(loss < mark for mark in marks[len(reached) :])
        if len(reached) == len(marks):
            break
        practise(learner, dealer, day)
    return (*reached, *[inf] * (len(marks) - len(reached)))


def practise(learner: Learner, dealer: Dealer, day: int) -> None:
    """One day's hands."""
    for hand in range(HANDS_A_DAY):
        now = day + hand * SECONDS_A_HAND / _DAY
        place = dealer.next(day, hand)
        move, is_slow = learner.answer(place, now)
        dealer.note(place, learner.learn(place, move, now), is_slow)


def run(seeds: Sequence[int] = SEEDS) -> None:
    """Print the tables of docs/practice.md."""
    print(f"{len(seeds)} learners a line, {HANDS_A_DAY} hands a day, {MOST_DAYS} days at most. Hands until the EV lost "
          "per 100 rounds is below the mark:\nmedian (days: median, quartiles), and how many never got there.")
    started = time.perf_counter()
    with ProcessPoolExecutor(_PROCESSES) as pool:
        for start in STARTS:
            found: dict[str, dict[Case, tuple[float, ...]]] = {}
            for dealer in DEALERS:
                cases = [Case.of(start, dealer, seed) for seed in seeds]
                found[dealer] = dict(zip(cases, pool.map(days_to_marks, cases, chunksize=_CHUNK), strict=True))
                print(f"{start}, {dealer}: {time.perf_counter() - started:.0f} s", file=sys.stderr, flush=True)
            _print(start, found)


def _print(start: str, found: dict[str, dict[Case, tuple[float, ...]]]) -> None:
    for forgetter in ("either", *FORGETTERS):
        print(f"\nFrom {start}, {forgetter} forgetting:\n")
        print("| dealing | " + " | ".join(f"below {mark:.2f}" for mark in MARKS) + " |")
        print("|---|" + "---|" * len(MARKS))
        medians = {}
        for dealer, days in found.items():
            kept = [each for case, each in days.items() if forgetter in ("either", case.forgetter)]
            columns = list(zip(*kept, strict=True))
            medians[dealer] = _quantile(columns[1], 0.5)
            print(f"| {dealer} | " + " | ".join(map(_text, columns)) + " |")
        print(f"\n{_compared(medians[MIX], medians[RANDOM])}", flush=True)


def _compared(mix: float, random: float) -> str:
    """The default mix beside random dealing at the middle mark."""
    at = f"At {MARKS[1]:.2f} the default mix takes"
    if mix == inf:
        return f"{at} longer than {MOST_DAYS} days."
    if random == inf:
        return f"{at} less than {mix / MOST_DAYS:.2f} of random dealing's hands, whose median learner never got there."
    return f"{at} {mix / random:.2f} of random dealing's hands."


def _text(days: Sequence[float]) -> str:
    middle, low, high = (_quantile(days, part) for part in (0.5, 0.25, 0.75))
    never = sum(each == inf for each in days)
    hands = "never" if middle == inf else f"{middle * HANDS_A_DAY:,.0f}"
    return f"{hands} ({_day(middle)}, {_day(low)} to {_day(high)})" + (f"; {never} never" if never else "")


def _quantile(days: Sequence[float], part: float) -> float:
    """By nearest rank, so that never is the longest time."""
    return float(np.quantile(days, part, method="inverted_cdf"))


def _day(days: float) -> str:
    return "never" if days == inf else f"{days:.0f}"
