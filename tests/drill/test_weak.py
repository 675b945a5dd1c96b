from collections import Counter
from math import inf, sqrt
from random import Random

import numpy as np
import pytest

from tests.drill.standings import R, S, W, answered, some_user
from trainer.drill.practice import PRIOR_ANSWERS, Practice, Record, first_sight
from trainer.drill.sheet import sheet_of
from trainer.drill.weak import LOOKALIKE_SHARE, draw, pick_weak, weak_weights
from trainer.engine.chart import Cell
from trainer.engine.rules import Rules

TWELVE, SOFT, PAIR = Cell("hard", 12, 3), Cell("soft", 18, 3), Cell("pair", 9, 7)


@pytest.fixture(scope="module")
def sheet(strategy_of):
    return sheet_of(strategy_of(Rules()))


@pytest.fixture(scope="module")
def fresh(sheet):
    return Practice.of(sheet)


def weight(practice, cell):
    return float(weak_weights(practice)[practice.sheet.index[cell]])


def test_a_weight_is_frequency_times_cost_times_error_rate(sheet):
    practice = some_user(Practice.of(sheet), seed=1)
    for cell, memory, found in zip(sheet.cells, practice.memories, weak_weights(practice), strict=True):
        place = sheet.index[cell]
        recent, wrong, run = (memory.recent, memory.recent_wrong, memory.run) if memory else (0.0, 0.0, 0)
        rate = (wrong + PRIOR_ANSWERS * practice.prior[place]) / (recent + PRIOR_ANSWERS)
        expected = 0.0 if run >= 3 else sheet.frequency[place] * sheet.stake[place] * rate
        assert found == pytest.approx(expected, rel=1e-12)


def test_three_right_in_a_row_are_out_and_a_miss_is_back(fresh):
    for recalls, is_in in (([R, R], True), ([R, R, R], False), ([W, R, S, R], False), ([R, W, R, R], True),
                           ([R, R, R, R], False), ([R, R, R, W], True), ([R, R, R, W, R, R, R], False)):
        assert (weight(answered(fresh, SOFT, *recalls), SOFT) > 0) is is_in


def test_a_mistake_raises_a_weight_and_a_right_answer_lowers_it(fresh):
    assert weight(answered(fresh, SOFT, W), SOFT) > weight(fresh, SOFT) > weight(answered(fresh, SOFT, R), SOFT)


def test_three_answers_do_not_decide(fresh):
    """Three wrong ones leave doubt, two right ones too: the estimate stays well between nothing and always."""
    place = fresh.sheet.index[SOFT]
    assert answered(fresh, SOFT, W, W, W).error_rate[place] < 0.75
    assert answered(fresh, SOFT, R, R, R).error_rate[place] > 0.4 * fresh.error_rate[place]


def test_new_cells_start_from_how_obvious_they_are_and_from_the_users_own_first_answers(fresh):
    sheet = fresh.sheet
    assert (fresh.prior == first_sight(sheet)).all()
    order = np.argsort(sheet.stake)
    assert (np.diff(fresh.prior[order]) <= 0).all()
    novice, adept = fresh, fresh
    for cell in sheet.cells[60:120]:
        novice, adept = answered(novice, cell, W), answered(adept, cell, R)
    assert (novice.prior > fresh.prior).all()
    assert (adept.prior < fresh.prior).all()


def test_the_scale_is_a_gamma_posterior_of_first_answers(fresh):
    practice = answered(answered(answered(fresh, SOFT, W, R, R), TWELVE, R, W, W), PAIR, W)
    assumed = sum(first_sight(fresh.sheet)[fresh.sheet.index[cell]] for cell in (SOFT, TWELVE, PAIR))
    mean = (2 + 5) / (assumed + 5)
    assert practice.scale == pytest.approx((mean, mean / (assumed + 5)))


def test_rows_and_steps_lead_to_the_same_standing(sheet):
    step_by_step = some_user(Practice.of(sheet), seed=2)
    rows = {cell: memory for cell, memory in zip(sheet.cells, step_by_step.memories, strict=True) if memory}
    read = Practice.of(sheet, {**rows, Cell("hard", 4, 2): next(iter(rows.values()))})
    assert read.memories == step_by_step.memories
    assert (read.columns == step_by_step.columns).all()
    assert (read.cost == step_by_step.cost).all()


def test_tallies_count_where_there_is_no_memory_yet_but_little(sheet):
    records = {SOFT: Record(40, 10, 30 * 0.2), TWELVE: Record(2, 1, 0.01)}
    practice, soft, twelve = Practice.of(sheet, {}, records), sheet.index[SOFT], sheet.index[TWELVE]
    assert (practice.recent[soft], practice.recent_wrong[soft]) == pytest.approx((5, 3.75))
    assert (practice.recent[twelve], practice.recent_wrong[twelve]) == (2, 1)
    assert practice.due[soft] == inf


def test_the_typical_mistake_is_drawn_towards_the_users_own(sheet):
    stake, place = sheet.stake[sheet.index[SOFT]], sheet.index[SOFT]
    record = Record(10, 4, 6 * 0.3)
    practice = Practice.of(sheet, {}, {SOFT: record})
    assert practice.cost[place] == pytest.approx((2 * stake + 6 * 0.3) / 8)
    assert Practice.of(sheet).with_record(place, record).cost[place] == practice.cost[place]
    assert Practice.of(sheet, {}, {SOFT: Record(9, 9)}).cost[place] == pytest.approx(stake)


def drawn_cells(practice, count, last=None, seed=1):
    random = Random(seed)
    return Counter(pick_weak(practice, random, last) for _ in range(count))


def test_weak_spots_are_drawn_by_weight_and_two_in_five_are_look_alikes(sheet):
    practice, count = some_user(Practice.of(sheet), seed=3), 40_000
    weights = weak_weights(practice) / weak_weights(practice).sum()
    expected = np.zeros(len(weights))
    for place, chance in enumerate(weights):
        alike = sheet.lookalikes[place]
        expected[place] += chance * (1 - LOOKALIKE_SHARE if alike else 1)
        for other in alike:
            expected[other] += chance * LOOKALIKE_SHARE / len(alike)
    met = drawn_cells(practice, count)
    assert set(met) <= set(np.flatnonzero(expected).tolist())
    for place, chance in enumerate(expected.tolist()):
        if chance * count > 20:
            assert abs(met[place] - count * chance) < 4.5 * sqrt(count * chance * (1 - chance))


def only_weak(sheet, *cells):
    """A user who has everything but these cells right three times in a row."""
    practice = Practice.of(sheet)
    for cell in sheet.cells:
        if cell not in cells:
            practice = answered(practice, cell, R, R, R)
    return practice


def test_the_cell_just_asked_is_not_drawn_again(sheet):
    practice = only_weak(sheet, TWELVE, SOFT)
    twelve, soft = sheet.index[TWELVE], sheet.index[SOFT]
    met = drawn_cells(practice, 500, last=twelve)
    assert twelve not in met
    assert set(met) == {soft, *sheet.lookalikes[soft]}
    alike = sheet.lookalikes[soft][0]
    assert alike not in drawn_cells(practice, 500, last=alike)


def test_without_a_weak_spot_there_is_nothing_to_draw(sheet):
    assert pick_weak(only_weak(sheet), Random(1)) is None
    assert pick_weak(only_weak(sheet, SOFT), Random(1), sheet.index[SOFT]) is None
    assert pick_weak(only_weak(sheet, SOFT), Random(1), sheet.index[TWELVE]) is not None


def test_a_draw_never_gives_a_place_without_weight():
    class Edge:
        def __init__(self, value):
            self.random = lambda: value

    weights = np.array([0.0, 0.3, 0.0, 0.7, 0.0])
    assert {draw(weights, Edge(value)) for value in (0.0, 0.29, 0.31, np.nextafter(1.0, 0.0), 1.0)} == {1, 3}
    assert draw(weights, Edge(0.5), without=3) == 1
    assert draw(np.zeros(3), Edge(0.5)) is None
