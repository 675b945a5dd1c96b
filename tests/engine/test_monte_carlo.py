"""The engine against a game of real shuffled cards that shares nothing with it but the rules and the chart."""

import pytest

from tests.engine.monte_carlo_cases import GAMES, compare, compare_advice
from trainer.engine.advice import ADVICE


@pytest.mark.parametrize("game", GAMES)
def test_sampled_means_agree_with_the_engine(game):
    comparisons = list(compare(game, game_rounds=400_000, hand_rounds=60_000))
    print(*comparisons, sep="\n")
    assert len(comparisons) >= 1
    for comparison in comparisons:
        assert abs(comparison.z) < 4, str(comparison)


@pytest.mark.parametrize("name", ADVICE)
def test_the_price_of_advice_agrees_with_a_sample(name):
    comparison = compare_advice(name, rounds=400_000)
    print(comparison)
    assert abs(comparison.z) < 4, str(comparison)
