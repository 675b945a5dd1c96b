"""Timing helpers: medians over runs, and a yardstick that tells machines apart."""

import statistics
import time
from collections.abc import Callable

import numpy as np
from threadpoolctl import threadpool_limits

YARDSTICK = "2000 x 2000 float64 matrix product, one BLAS thread"


def median_seconds(call: Callable[[], object], runs: int) -> float:
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def yardstick_seconds(runs: int = 5) -> float:
    random = np.random.default_rng(1)
    left, right = random.random((2000, 2000)), random.random((2000, 2000))
    with threadpool_limits(1):
        left @ right
        return median_seconds(lambda: left @ right, runs)


def aim(value: float, limit: float, unit: str = "", *, at_least: bool = False) -> str:
    """A remark on an aim: what it is, and whether a value meets it."""
    is_met = value >= limit if at_least else value <= limit
    return f"   aim {'≥' if at_least else '≤'} {limit:g}{unit}: {'met' if is_met else 'MISSED'}"
