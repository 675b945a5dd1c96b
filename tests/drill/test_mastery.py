from datetime import timedelta
from random import Random

import numpy as np
import pytest

from tests.drill.standings import START, R, W, answered, kept_in, some_user
from trainer.drill.mastery import (
    Kept,
    Level,
    cost_of_play,
    error_chances,
    kept_overnight,
    mastery_of,
)
from trainer.drill.memory import remember, retrievability
from trainer.drill.practice import PRIOR_ANSWERS, Practice, first_sight
from trainer.drill.sheet import sheet_of
from trainer.engine.chart import Cell
from trainer.engine.rules import Rules

SOFT, HARD = Cell("soft", 18, 3), Cell("hard", 16, 10)


@pytest.fixture(scope="module")
def sheet(strategy_of):
    return sheet_of(strategy_of(Rules()))


@pytest.fixture(scope="module")
def fresh(sheet):
    return Practice.of(sheet)


def mastery(practice, cell, now=START):
    return mastery_of(practice, now)[practice.sheet.index[cell]]


@pytest.mark.parametrize(("recalls", "days", "level"), [
    ((), 0, Level.NEW), ((W,), 0, Level.WEAK), ((R, R), 90, Level.WEAK), ((R, R, R), 0, Level.KNOWN),
    ((R, R, R), 200, Level.DUE), ((R, R, R, W), 0, Level.WEAK),
])
def test_a_cell_has_one_of_four_levels(fresh, recalls, days, level):
    practice = answered(fresh, SOFT, *recalls)
    found = mastery(practice, SOFT, START + timedelta(days=days))
    assert (found.cell, found.level) == (SOFT, level)
    assert (found.mastery is None) == (level is Level.NEW)


def test_mastery_is_recall_then_the_recent_record_else_first_sight(fresh):
    practice = answered(fresh, SOFT, R, R, W, R)
    place = fresh.sheet.index[SOFT]
    memory = practice.memories[place]
    for days in (0, 5, 100):
        now = START + timedelta(days=days)
        recalled = retrievability(memory, now)
        rate = (memory.recent_wrong + PRIOR_ANSWERS * practice.prior[place]) / (memory.recent + PRIOR_ANSWERS)
        expected = recalled * rate + (1 - recalled) * practice.prior[place]
        assert mastery(practice, SOFT, now).mastery == pytest.approx(1 - expected)


def test_mastery_grows_with_right_answers_and_fades_with_time(fresh):
    grown = [mastery(answered(fresh, SOFT, *[R] * count), SOFT).mastery for count in range(1, 6)]
    assert grown == sorted(grown)
    known = answered(fresh, SOFT, R, R, R)
    fading = [mastery(known, SOFT, START + timedelta(days=days)).mastery for days in (0, 3, 30, 300)]
    assert fading == sorted(fading, reverse=True)
    assert fading[0] > fading[-1]


def test_the_cost_adds_up_frequency_error_and_mistake(sheet):
    practice, now = some_user(Practice.of(sheet), seed=1), START + timedelta(days=10)
    errors = error_chances(practice, now)
    expected = 100 * sum(frequency * error * cost for frequency, error, cost in
                         zip(sheet.frequency, errors, practice.cost, strict=True))
    found = cost_of_play(practice, now)
    assert found.per_100 == pytest.approx(expected)
    assert 0 < found.low < found.per_100 < found.high


def test_right_answers_lower_the_cost_and_narrow_it_and_wrong_ones_raise_it(sheet, fresh):
    good, bad = fresh, fresh
    for cell in sheet.cells:
        good, bad = answered(good, cell, *[R] * 6), answered(bad, cell, *[W] * 6)
    costs = [cost_of_play(practice, START) for practice in (good, fresh, bad)]
    assert [each.per_100 for each in costs] == sorted(each.per_100 for each in costs)
    assert costs[0].high < costs[1].low < costs[1].high < costs[2].low
    assert costs[2].per_100 < 100 * float(sheet.frequency @ sheet.stake)
    assert costs[0].high - costs[0].low < 0.1 * (costs[1].high - costs[1].low)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_bounds_are_those_of_draws_from_the_posteriors(sheet, seed):
    """The delta method against seeded draws of the scale and of every cell's error rate."""
    practice, now = some_user(Practice.of(sheet), seed, answers=400), START + timedelta(days=20)
    random, assumed = np.random.default_rng(seed), first_sight(sheet)
    recalled = np.array([1.0 if memory is None else retrievability(memory, now) for memory in practice.memories])
    mean, variance = practice.scale
    draws = []
    for scale in random.gamma(mean**2 / variance, variance / mean, 4_000):
        prior = np.minimum(scale * assumed, 0.95)
        wrong = practice.recent_wrong + PRIOR_ANSWERS * prior
        right = practice.recent + PRIOR_ANSWERS - wrong
        rates = random.beta(np.maximum(wrong, 1e-9), np.maximum(right, 1e-9))
        draws.append(100 * float(sheet.frequency * practice.cost @ (recalled * rates + (1 - recalled) * prior)))
    found = cost_of_play(practice, now)
    assert found.per_100 == pytest.approx(np.mean(draws), rel=0.03)
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(draws, [0.05, 0.95])), rel=0.08)


def test_kept_is_the_first_answer_after_a_day_to_each_cell():
    def at(hours, cell, is_right):
        return START + timedelta(hours=hours), cell, is_right

    answers = [at(0, SOFT, False), at(0.1, SOFT, True), at(23, HARD, True), at(24.2, SOFT, True), at(24.3, SOFT, False),
               at(40, HARD, False), at(47, HARD, True), at(71, HARD, False)]
    assert kept_in(answers) == Kept(2, 1)
    assert kept_in(answers).share == 0.5
    assert kept_in([]).share is None


def test_memories_keep_count_of_what_a_history_says():
    random, memories, history = Random(3), {}, []
    now = START
    for _ in range(600):
        now += timedelta(hours=random.expovariate(1 / 3))
        cell, recall = random.choice([SOFT, HARD, Cell("pair", 8, 10)]), random.choice([R, R, W])
        memories[cell] = remember(memories.get(cell), recall, now)
        history.append((now, cell, recall is R))
    assert kept_overnight(memories.values()) == kept_in(history)
    assert kept_in(history).asked > 10
