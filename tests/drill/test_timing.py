from math import isclose
from statistics import median_low

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import examples
from trainer.drill.timing import (
    MAX_SECONDS,
    add,
    bucket_of,
    capped,
    from_text,
    is_slow,
    median_seconds,
    merge,
    seconds_of,
    to_text,
    with_pace,
)

LAST = bucket_of(MAX_SECONDS)
answers = st.floats(0.1, 60.0, exclude_min=True)
histograms = st.dictionaries(st.integers(0, LAST), st.integers(1, 10**6))


def histogram_of(times):
    kept = {}
    for seconds in times:
        kept = add(kept, seconds)
    return kept


@pytest.mark.parametrize(
    ("seconds", "counted"), [(-3.0, 0.0), (0.0, 0.0), (2.5, 2.5), (60.0, 60.0), (60.1, 60.0), (1e9, 60.0)]
)
def test_a_time_counts_from_nothing_to_a_minute(seconds, counted):
    assert capped(seconds) == counted


@pytest.mark.parametrize("bucket", range(1, LAST + 1))
def test_a_bucket_ends_5_per_cent_above_its_start(bucket):
    start, end = 0.1 * 1.05 ** (bucket - 1), 0.1 * 1.05**bucket
    assert bucket_of(start * 1.000001) == bucket
    assert bucket_of(min(end * 0.999999, MAX_SECONDS)) == bucket
    assert start < seconds_of(bucket) < end


def test_what_is_over_a_minute_falls_into_the_last_bucket():
    assert {bucket_of(seconds) for seconds in (60.0, 61.0, 3600.0)} == {LAST}


def test_what_is_under_a_tenth_of_a_second_falls_into_the_first():
    assert {bucket_of(seconds) for seconds in (-1.0, 0.0, 0.05, 0.1)} == {0}
    assert 0 < seconds_of(0) < 0.1


@examples(200)
@given(answers, answers)
def test_a_longer_time_never_falls_into_an_earlier_bucket(one, other):
    assert (one <= other) <= (bucket_of(one) <= bucket_of(other))


@examples(200)
@given(st.lists(answers, min_size=1, max_size=60))
def test_the_median_is_within_5_per_cent_of_the_true_one(times):
    """Of an even number of times, the lower of the two in the middle."""
    assert isclose(median_seconds(histogram_of(times)), median_low(times), rel_tol=0.05)


def test_no_median_is_longer_than_a_time_can_be():
    assert median_seconds(histogram_of([60.0] * 5)) <= MAX_SECONDS


def test_no_times_have_no_median():
    assert median_seconds({}) is None


def test_adding_a_time_leaves_the_histogram_as_it_was():
    before = histogram_of([1.0])
    assert add(before, 1.0) == {bucket_of(1.0): 2}
    assert before == {bucket_of(1.0): 1}


@examples(100)
@given(st.lists(st.lists(answers, max_size=10), max_size=5))
def test_merged_histograms_hold_all_times(groups):
    assert merge(map(histogram_of, groups)) == histogram_of([seconds for group in groups for seconds in group])


@examples(100)
@given(histograms)
def test_a_histogram_is_read_back_from_its_text(histogram):
    assert from_text(to_text(histogram)) == histogram


def test_a_histogram_is_written_in_the_order_of_its_buckets():
    assert to_text({40: 1, 7: 2}) == "7:2 40:1"
    assert to_text({}) == ""


def test_nothing_is_slow_before_there_are_20_times():
    assert not is_slow(60.0, [1000] * 19)
    assert is_slow(60.0, [1000] * 20)


def test_nothing_under_3_seconds_is_slow():
    assert not is_slow(2.999, [500] * 50)
    assert is_slow(3.0, [500] * 50)


def test_slow_is_over_twice_the_median():
    assert not is_slow(3.999, [2000] * 20)
    assert is_slow(4.001, [2000] * 20)


def test_exactly_twice_the_median_is_not_over_it():
    assert not is_slow(4.0, [2000] * 20)


def test_a_few_long_times_do_not_make_the_others_quick():
    assert is_slow(5.0, [2000] * 26 + [60_000] * 24)


def test_the_last_50_times_are_kept_newest_last():
    paces = []
    for number in range(60):
        paces = with_pace(paces, number / 10)
    assert paces == [number * 100 for number in range(10, 60)]


def test_a_new_time_leaves_the_old_list_as_it_was():
    before = [1000]
    assert with_pace(before, 2.3456) == [1000, 2346]
    assert before == [1000]
