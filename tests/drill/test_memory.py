import json
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta, timezone
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import examples
from trainer.drill.memory import (
    FADES,
    Memory,
    Recall,
    is_after_a_day,
    is_due,
    recall_of,
    remember,
    retrievability,
)

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
COUNTED = [Recall.WRONG, Recall.SLOW, Recall.RIGHT]
ANSWERS = st.lists(st.tuples(st.sampled_from(list(Recall)), st.floats(0, 40 * 86_400)), min_size=1, max_size=25)


def after(answers, start=START):
    """The memory after answers, each given with the seconds since the one before, and the time of the last."""
    memory, now = None, start
    for recall, seconds in answers:
        now += timedelta(seconds=seconds)
        memory = remember(memory, recall, now)
    return memory, now


@pytest.mark.parametrize(("is_right", "is_slow", "is_hinted", "recall"), [
    (True, False, False, Recall.RIGHT), (True, True, False, Recall.SLOW), (False, False, False, Recall.WRONG),
    (False, True, False, Recall.WRONG), (True, False, True, Recall.HINTED), (False, True, True, Recall.HINTED),
])
def test_wrong_is_again_slow_is_hard_right_is_good_and_a_hint_nothing(is_right, is_slow, is_hinted, recall):
    assert recall_of(is_right=is_right, is_slow=is_slow, is_hinted=is_hinted) is recall


@examples(200)
@given(ANSWERS)
def test_a_memory_is_read_back_from_json(answers):
    memory, _ = after(answers)
    if memory:
        assert Memory.from_dict(json.loads(json.dumps(memory.to_dict()))) == memory


@examples(200)
@given(ANSWERS)
def test_a_memory_holds_plain_values_and_utc(answers):
    memory, now = after(answers)
    assert (memory is None) == all(recall is Recall.HINTED for recall, _ in answers)
    if memory:
        for field in fields(memory):
            value = getattr(memory, field.name)
            assert type(value) in (int, float, bool, datetime, type(None))
            assert not isinstance(value, datetime) or value.tzinfo is UTC
        assert memory.due > memory.answered_at
        assert memory.answered_at <= memory.seen_at <= now
        assert 0 < retrievability(memory, now) <= 1


@examples(100)
@given(ANSWERS)
def test_the_same_answers_at_the_same_times_give_the_same_memory(answers):
    assert after(answers) == after(answers)


@examples(100)
@given(ANSWERS, st.integers(-12, 12))
def test_the_time_zone_of_the_clock_does_not_matter(answers, hours):
    elsewhere = START.astimezone(timezone(timedelta(hours=hours)))
    assert after(answers, elsewhere)[0] == after(answers)[0]


def test_a_time_without_a_zone_is_refused():
    with pytest.raises(ValueError, match="time zone"):
        remember(None, Recall.RIGHT, datetime(2026, 3, 1))


def test_a_clock_that_goes_back_counts_as_one_that_stood_still():
    memory = remember(None, Recall.RIGHT, START)
    back = remember(memory, Recall.RIGHT, START - timedelta(days=3))
    assert back == remember(memory, Recall.RIGHT, START)
    assert retrievability(memory, START - timedelta(days=3)) == 1


@examples(100)
@given(ANSWERS, st.floats(0, 10 * 86_400))
def test_a_hint_changes_nothing_but_when_the_answer_was_seen(answers, seconds):
    memory, now = after(answers)
    later = now + timedelta(seconds=seconds)
    hinted = remember(memory, Recall.HINTED, later)
    assert hinted == (replace(memory, seen_at=later) if memory else None)


@examples(200)
@given(ANSWERS)
def test_the_run_counts_right_answers_since_the_last_wrong_one(answers):
    memory, _ = after(answers)
    counted = [recall for recall, _ in answers if recall is not Recall.HINTED]
    if memory:
        since = counted[::-1].index(Recall.WRONG) if Recall.WRONG in counted else len(counted)
        assert memory.run == since
        assert memory.is_first_right == (counted[0] is not Recall.WRONG)
        weights = [FADES**age for age in range(len(counted))]
        wrong = sum(weight for weight, recall in zip(weights, reversed(counted), strict=True)
                    if recall is Recall.WRONG)
        assert (memory.recent, memory.recent_wrong) == pytest.approx((sum(weights), wrong))


@examples(100)
@given(st.lists(st.sampled_from(COUNTED), max_size=6), st.floats(1, 30 * 86_400))
def test_wrong_comes_back_before_slow_and_slow_before_right(past, seconds):
    memory, now = after([(recall, 90_000) for recall in past])
    due = [remember(memory, recall, now + timedelta(seconds=seconds)).due for recall in COUNTED]
    assert due[0] <= due[1] <= due[2]
    assert due[0] < due[2]


def test_a_new_cell_comes_back_within_the_session_and_then_over_days():
    now, memory, gaps = START, None, []
    for _ in range(8):
        memory = remember(memory, Recall.RIGHT, now)
        gaps.append(memory.due - now)
        now = memory.due
    assert gaps[0] <= timedelta(minutes=10)
    assert gaps[1] >= timedelta(days=1)
    assert gaps[1:] == sorted(gaps[1:])
    assert gaps[-1] > timedelta(days=20)


def test_a_missed_cell_comes_back_within_minutes_and_then_sooner_than_before():
    memory, now = after([(Recall.RIGHT, 0), (Recall.RIGHT, 600), (Recall.RIGHT, 3 * 86_400),
                         (Recall.RIGHT, 8 * 86_400)])
    interval = memory.due - now
    missed = remember(memory, Recall.WRONG, memory.due)
    assert missed.due - memory.due <= timedelta(minutes=10)
    again = remember(missed, Recall.RIGHT, missed.due)
    assert timedelta(days=1) <= again.due - missed.due < interval


def test_simulated_months_of_daily_practice():
    """Half a year of a user who is right nine times in ten: reviews thin out, and nothing is ever lost of sight."""
    random, memories, reviews = Random(7), {}, []
    for day in range(180):
        asked = 0
        for second in range(0, 900, 5):
            now = START + timedelta(days=day, seconds=second)
            due = [cell for cell, memory in memories.items() if is_due(memory, now)]
            cell = due[0] if due else len(memories) if len(memories) < 60 and day < 30 else None
            if cell is None:
                continue
            recall = Recall.RIGHT if random.random() < 0.9 else Recall.WRONG
            memories[cell] = remember(memories.get(cell), recall, now)
            asked += 1
        reviews.append(asked)
    assert len(memories) == 60
    end = START + timedelta(days=180)
    assert sum(reviews[-60:]) < 0.5 * sum(reviews[:60])
    assert all(memory.due <= memory.answered_at + timedelta(days=365) for memory in memories.values())
    assert all(end - memory.answered_at < timedelta(days=60) or not is_due(memory, end)
               for memory in memories.values())
    assert all(memory.kept_asked >= 3 for memory in memories.values())


def test_recall_fades_day_by_day():
    memory = remember(None, Recall.RIGHT, START)
    chances = [retrievability(memory, START + timedelta(days=day)) for day in range(60)]
    assert chances[0] == 1
    assert chances == sorted(chances, reverse=True)
    assert chances[-1] < 0.8


@pytest.mark.parametrize(("hours", "counts"), [(0, False), (23.99, False), (24, True), (300, True)])
def test_what_was_kept_shows_a_day_after_the_answer_was_last_seen(hours, counts):
    now = START + timedelta(hours=hours)
    assert is_after_a_day(START, now) is counts
    memory = remember(None, Recall.WRONG, START)
    for recall in COUNTED:
        after_it = remember(memory, recall, now)
        assert (after_it.kept_asked, after_it.kept_right) == (counts, counts and recall is not Recall.WRONG)


def test_a_first_answer_or_one_after_a_hint_shows_nothing_kept():
    assert not is_after_a_day(None, START)
    memory = remember(remember(None, Recall.RIGHT, START), Recall.HINTED, START + timedelta(hours=30))
    memory = remember(memory, Recall.RIGHT, START + timedelta(hours=40))
    assert memory.kept_asked == 0
