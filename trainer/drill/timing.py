"""Times to answer, kept as a log-spaced histogram so that medians need no history."""

from collections.abc import Iterable, Mapping, Sequence
from math import log
from statistics import median

MAX_SECONDS = 60.0
_MIN_SECONDS = 0.1
_STEP = 1.05
_SLOW_NEEDS, _PACES_KEPT, _SLOW_AT_LEAST = 20, 50, 3.0

Histogram = dict[int, int]


def capped(seconds: float) -> float:
    """A time as it counts: never below zero, at most a minute."""
    return min(max(seconds, 0.0), MAX_SECONDS)


def bucket_of(seconds: float) -> int:
    """The bucket of a time; each is 5% wider than the one before, bucket 0 ends at 0.1 s.

    >>> bucket_of(0.05), bucket_of(2.1), bucket_of(60.0)
    (0, 63, 132)
    """
    if seconds <= _MIN_SECONDS:
        return 0
    return int(log(capped(seconds) / _MIN_SECONDS) / log(_STEP)) + 1


def seconds_of(bucket: int) -> float:
    """The middle of a bucket, in seconds; no longer than a time can be."""
    return min(_MIN_SECONDS * _STEP ** (bucket - 0.5), MAX_SECONDS) if bucket else _MIN_SECONDS / 2


def add(histogram: Mapping[int, int], seconds: float) -> Histogram:
    """The histogram with one more time."""
    bucket = bucket_of(seconds)
    return {**histogram, bucket: histogram.get(bucket, 0) + 1}


def merge(histograms: Iterable[Mapping[int, int]]) -> Histogram:
    """All times of several histograms."""
    merged: Histogram = {}
    for histogram in histograms:
        for bucket, count in histogram.items():
            merged[bucket] = merged.get(bucket, 0) + count
    return merged


def median_seconds(histogram: Mapping[int, int]) -> float | None:
    """The median, to within a bucket's 5%; ``None`` of no times at all."""
    total = sum(histogram.values())
    passed = 0
    for bucket in sorted(histogram):
        passed += histogram[bucket]
        if 2 * passed >= total:
            return seconds_of(bucket)
    return None


def is_slow(seconds: float, paces: Sequence[int]) -> bool:
    """Whether an answer took long for this user: over twice the median of ``paces``, and 3 seconds or more.

    ``paces`` are the times of the latest right answers in the category, in milliseconds; of fewer than 20
    nothing can be said.
    """
    if len(paces) < _SLOW_NEEDS:
        return False
    return seconds >= _SLOW_AT_LEAST and seconds > 2 * median(paces) / 1000


def with_pace(paces: Sequence[int], seconds: float) -> list[int]:
    """The latest times with one more, the oldest dropped beyond fifty."""
    return [*paces, round(seconds * 1000)][-_PACES_KEPT:]


def to_text(histogram: Mapping[int, int]) -> str:
    """A compact form to store: ``31:2 40:1``."""
    return " ".join(f"{bucket}:{histogram[bucket]}" for bucket in sorted(histogram))


def from_text(text: str) -> Histogram:
    """The inverse of :func:`to_text`."""
    pairs = (entry.split(":") for entry in text.split())
    return {int(bucket): int(count) for bucket, count in pairs}
