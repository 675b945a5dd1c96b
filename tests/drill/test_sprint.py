import json
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import examples
from trainer.drill.grade import GRADINGS, grade, judge
from trainer.drill.plan import Plan
from trainer.drill.select import deal
from trainer.drill.situation import Situation
from trainer.drill.sprint import Sprint, SprintOverError, points
from trainer.engine.rules import Rules

START = datetime(2026, 3, 1, 9, tzinfo=UTC)


def at(seconds):
    return START + timedelta(seconds=seconds)


@pytest.fixture(scope="module")
def judgements(strategy_of):
    rules, random = Rules(surrender="late"), Random(1)
    strategy = strategy_of(rules)
    return [judge(strategy, deal(rules, strategy, Plan(), random)) for _ in range(300)]


@examples(100)
@given(st.randoms(use_true_random=False), st.integers(0, 60))
def test_the_score_is_the_sum_over_decisions(judgements, random, count):
    sprint, expected, right = Sprint(START), 0.0, 0
    for number in range(count):
        judgement = random.choice(judgements)
        graded = grade(judgement, random.choice(list(judgement.evs)), random.choice(GRADINGS))
        best, second = sorted(judgement.evs.values(), reverse=True)[:2]
        expected += 100 * (best - second) if graded.is_right else -100 * (best - judgement.evs[graded.chosen])
        right += graded.is_right
        sprint = sprint.with_answer(judgement, graded, at(number))
    assert sprint.score == pytest.approx(expected, abs=1e-9)
    assert (sprint.answers, sprint.right) == (count, right)


def test_a_right_answer_scores_its_margin_and_a_wrong_one_loses_its_cost(strategy_of):
    judgement = judge(strategy_of(Rules()), Situation.from_text(Rules(), "Th2d", "4"))
    evs = judgement.evs
    assert judgement.tables_differ
    # Either table's move is right here; both score what the best is better than the second.
    for move in ("hit", "stand"):
        assert points(judgement, grade(judgement, move)) == pytest.approx(100 * (evs["hit"] - evs["stand"]))
    assert points(judgement, grade(judgement, "double")) == pytest.approx(100 * (evs["double"] - evs["hit"]))


def test_a_minute_is_a_minute(judgements):
    right = grade(judgements[0], judgements[0].exact)
    sprint = Sprint(START).with_answer(judgements[0], right, at(60))
    assert (sprint.answers, sprint.is_over(at(60)), sprint.is_over(at(60.001))) == (1, False, True)
    with pytest.raises(SprintOverError):
        sprint.with_answer(judgements[0], right, at(60.001))


@pytest.mark.parametrize(("seconds", "left"), [(0, 60), (12.5, 47.5), (60, 0), (61, 0), (90_000, 0)])
def test_seconds_left_count_down_to_nothing(seconds, left):
    assert Sprint(START).seconds_left(at(seconds)) == pytest.approx(left)


@examples(50)
@given(st.integers(0, 10**6), st.integers(0, 10**6), st.floats(-1e6, 1e6), st.integers(0, 10**6))
def test_a_sprint_is_read_back_from_json(answers, right, score, micros):
    sprint = Sprint(START + timedelta(microseconds=micros), answers, right, score)
    assert Sprint.from_dict(json.loads(json.dumps(sprint.to_dict()))) == sprint
