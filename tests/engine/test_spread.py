"""How results spread: exact identities, and the game of real cards that shares nothing with the engine."""

from dataclasses import replace
from math import sqrt
from random import Random

import pytest
from hypothesis import given

from tests.engine.monte_carlo import play
from tests.engine.monte_carlo_cases import GAMES, chart_codes
from tests.strategies import examples, rules
from trainer.engine.advice import mimic_the_dealer
from trainer.engine.edge import chart_edge, value_of
from trainer.engine.play import chart_play, exact_play
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules
from trainer.engine.spread import round_results, spread_by_chart

ROUNDS = 60_000
SPLITTING = ["hall-of-thoth", "classic", "squarescores", "shoe-h17", "original bets only", "aces re-split and hit",
             "double any number", "early surrender", "one deck, six to five", "pairs by face"]


def spread_of(game, strategy_of, table_of, rounds=ROUNDS):
    strategy = strategy_of(game)
    return spread_by_chart(table_of(game), strategy.chart, strategy.by_chart.edge, Random(5), rounds)


@examples(25)
@given(rules(most_decks=2))
def test_chances_add_up_and_split_rounds_are_as_many_as_the_edge_counts(strategy_of, table_of, any_rules):
    table = table_of(any_rules)
    for way in (chart_play(table, strategy_of(any_rules).chart), exact_play(table)):
        results, value = round_results(table, way), value_of(table, way)
        assert sum(results.exact.values()) + results.split_chance == pytest.approx(1.0, abs=1e-12)
        assert results.split_chance == pytest.approx(value.splits, abs=1e-12)
        assert min(results.exact.values()) >= -1e-15


@examples(25)
@given(rules(most_decks=2))
def test_without_splits_everything_is_exact_and_has_the_mean_that_the_edge_has(strategy_of, table_of, any_rules):
    unsplit = replace(any_rules, max_split_hands=1)
    spread = spread_of(unsplit, strategy_of, table_of)
    assert (spread.standard_error, spread.split_chance, spread.rounds) == (0.0, 0.0, 0)
    mean = sum(value * chance for value, chance in spread.chances.items())
    assert mean == pytest.approx(strategy_of(unsplit).by_chart.edge, abs=1e-12)


@pytest.mark.parametrize("key", RULE_SETS)
def test_with_one_bet_a_round_the_variance_follows_from_pushes_and_naturals(key, table_of):
    # Every result is one bet either way but for pushes and the price of a natural.
    table, chart = table_of(RULE_SETS[key]), mimic_the_dealer(RULE_SETS[key])
    value = chart_edge(table, chart)
    row = table.lattice.natural_row
    spread = spread_by_chart(table, chart, value.edge, Random(1), 1)
    paid = float(RULE_SETS[key].blackjack_payout)
    natural = spread.chances[paid]
    assert natural < value.naturals
    assert table.natural[row].max() > 0
    squares = 1.0 - value.pushes + (paid * paid - 1.0) * natural
    assert spread.standard_deviation == pytest.approx(sqrt(squares - value.edge**2), abs=1e-12)


@pytest.mark.parametrize("game", SPLITTING)
def test_sampled_split_rounds_have_the_exact_mean(game, strategy_of, table_of):
    any_rules = GAMES[game]
    spread = spread_of(any_rules, strategy_of, table_of)
    results = round_results(table_of(any_rules), chart_play(table_of(any_rules), strategy_of(any_rules).chart))
    unsplit = sum(value * chance for value, chance in results.exact.items())
    exact = (strategy_of(any_rules).by_chart.edge - unsplit) / results.split_chance
    assert abs(spread.split_mean - exact) < 4 * spread.split_error
    assert spread.split_error < 0.02
    weighed = sum(value * chance for value, chance in spread.chances.items())
    assert weighed == pytest.approx(strategy_of(any_rules).by_chart.edge, abs=1e-12)
    assert sum(spread.chances.values()) == pytest.approx(1.0, abs=1e-12)
    assert min(spread.chances.values()) >= 0


@pytest.mark.parametrize("game", SPLITTING)
def test_the_deviation_is_that_of_a_game_of_real_cards(game, strategy_of, table_of):
    spread = spread_of(GAMES[game], strategy_of, table_of)
    sampled = play(GAMES[game], chart_codes(strategy_of(GAMES[game]).chart), 200_000, seed=11)
    deviation = sampled.standard_error * sqrt(sampled.rounds)
    # Results of four bets and more are rare: the sampled deviation is good to about one in a thousand.
    assert deviation == pytest.approx(spread.standard_deviation, rel=0.006)
    assert 0 < spread.standard_error < 0.001


def test_the_same_seed_gives_the_same_spread(strategy_of, table_of):
    first, second = (spread_of(Rules(), strategy_of, table_of, 2_000) for _ in range(2))
    assert first == second


def test_a_larger_sample_is_the_better_known(strategy_of, table_of):
    few, many = (spread_of(Rules(), strategy_of, table_of, rounds) for rounds in (1_000, 16_000))
    assert few.standard_error / many.standard_error == pytest.approx(4, rel=0.3)
