"""The simulated learner does what docs/practice.md says of it, and its measure is what its answers really cost."""

from math import exp, inf, sqrt
from random import Random
from statistics import median

import numpy as np
import pytest

from bench.learner_dealing import DEALERS, MIX, RANDOM, Dealer
from bench.learner_model import FORGETTERS, SLIP, STARTS, Learner, World
from bench.learners import MARKS, Case, days_to_marks, practise
from trainer.drill.sheet import sheet_of
from trainer.engine.advice import short_version
from trainer.engine.chart import CODES, Cell
from trainer.engine.rules import Rules

SOFT = Cell("soft", 17, 3)


@pytest.fixture(scope="module")
def sheet(strategy_of):
    return sheet_of(strategy_of(Rules()))


def practised(sheet, start, forgetter, days, seed=1):
    """A learner after days of the default mix."""
    dealer = Dealer(MIX, seed)
    learner = Learner(World.of(sheet, start), forgetter, dealer.random)
    for day in range(days):
        practise(learner, dealer, day)
    return learner


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("forgetter", FORGETTERS)
@pytest.mark.parametrize("days", [0, 4])
def test_the_measure_is_what_the_answers_cost(sheet, start, forgetter, days):
    learner, now, rounds = practised(sheet, start, forgetter, days), days + 0.7, 300
    costs = learner.world.costs
    mean = variance = 0.0
    for place, frequency in enumerate(sheet.frequency.tolist()):
        found = [costs[place, learner.answer(place, now)[0]] for _ in range(rounds)]
        mean += 100 * frequency * np.mean(found)
        variance += (100 * frequency) ** 2 * np.var(found, ddof=1) / rounds
    assert abs(mean - learner.loss_per_100(now)) < 4 * sqrt(variance) + 0.01


def test_a_start_from_nothing_guesses_and_the_short_version_does_what_it_says(sheet):
    guesses = World.of(sheet, "nothing").guesses
    costs = np.nan_to_num(sheet.move_costs)
    guessed = 100 * float(sheet.frequency @ (guesses * costs).sum(axis=1))
    chart = short_version(Rules())
    advised = 100 * sum(frequency * costs_of[CODES.index(chart.code(cell))] for cell, frequency, costs_of in
                        zip(sheet.cells, sheet.frequency, sheet.costs, strict=True))
    for start, expected in (("nothing", guessed), ("short version", (1 - SLIP) * advised + SLIP * guessed)):
        for forgetter in FORGETTERS:
            assert Learner(World.of(sheet, start), forgetter, Random(1)).loss_per_100(0.0) == pytest.approx(expected)
    place = sheet.index[SOFT]
    likely = [exp(-cost / 0.15) for cost in sheet.move_costs[place] if not np.isnan(cost)]
    assert guesses[place][guesses[place] > 0] == pytest.approx(np.array(likely) / sum(likely))


@pytest.mark.parametrize(("forgetter", "recall", "stronger"), [
    ("exponential", lambda first, days: exp(-days / first), lambda first, r: first * (1.1 + 4 * (1 - r))),
    ("power", lambda first, days: (1 + 10 * days) ** -first, lambda first, r: first * (0.98 - 0.6 * (1 - r))),
])
def test_it_forgets_by_its_curve_and_a_recall_near_forgetting_helps_most(sheet, forgetter, recall, stronger):
    learner, place = Learner(World.of(sheet, "nothing"), forgetter, Random(1)), sheet.index[SOFT]
    first = learner.first
    for days in (0.5, 3.0):
        learner.strength[place], learner.last[place] = first, 1.0
        chance = recall(first, days)
        assert learner.recall(place, 1.0 + days) == pytest.approx(chance)
        while learner.answer(place, 1.0 + days)[0] != sheet.answers[place] or learner._source != "recalled":
            pass
        assert learner.learn(place, int(sheet.answers[place]), 1.0 + days)
        assert learner.strength[place] == pytest.approx(stronger(first, chance))
        assert learner.recall(place, 1.0 + days) == 1


@pytest.mark.parametrize("forgetter", FORGETTERS)
def test_a_correction_is_kept_seven_times_in_ten(sheet, forgetter):
    place, kept, tries = sheet.index[SOFT], 0, 2_000
    wrong = (int(sheet.answers[place]) + 1) % 2
    random = Random(1)
    for _ in range(tries):
        learner = Learner(World.of(sheet, "nothing"), forgetter, random)
        learner._source = "guessed"
        assert not learner.learn(place, wrong, 0.0)
        kept += learner.recall(place, 0.0) == 1
    assert abs(kept - 0.7 * tries) < 4 * sqrt(tries * 0.21)


@pytest.mark.parametrize(("start", "source", "chance"), [
    ("nothing", "default", 0.4), ("nothing", "guessed", 0.4), ("short version", "guessed", 0.4),
    ("short version", "default", 0.0),
])
def test_luck_is_kept_two_times_in_five_and_being_right_by_advice_teaches_nothing(sheet, start, source, chance):
    place, kept, tries = sheet.index[SOFT], 0, 2_000
    random = Random(2)
    for _ in range(tries):
        learner = Learner(World.of(sheet, start), "power", random)
        learner._source = source
        assert learner.learn(place, int(sheet.answers[place]), 0.0)
        kept += learner.recall(place, 0.0) == 1
    assert abs(kept - chance * tries) <= 4 * sqrt(tries * chance * (1 - chance))


@pytest.mark.parametrize("dealer", DEALERS)
def test_the_same_seed_is_the_same_learner(dealer):
    case = Case.of("nothing", dealer, 3)
    assert days_to_marks(case, most_days=6) == days_to_marks(case, most_days=6)


def test_the_same_person_learns_whatever_is_dealt(sheet):
    firsts = {Learner(World.of(sheet, "nothing"), "power", Dealer(dealer, 5).random).first for dealer in DEALERS}
    assert len(firsts) == 1


@pytest.mark.slow
@pytest.mark.parametrize("start", STARTS)
def test_the_default_mix_takes_fewer_hands_than_random_dealing(start):
    """To the first mark, on a few learners of either kind; ``python -m bench learners`` has all of them."""
    days = {dealer: [days_to_marks(Case.of(start, dealer, seed), 200, MARKS[:1])[0] for seed in range(500, 508)]
            for dealer in (RANDOM, MIX)}
    assert median(days[MIX]) < 0.8 * median(days[RANDOM])
    assert max(days[MIX]) < inf
