"""Ways of betting on the same rounds: played by hand, and none better than another."""

import numpy as np
import pytest

from trainer.engine.betting import HIGHEST_BET, SYSTEMS, double_after_a_loss, double_after_a_win, flat, try_systems

EVEN = {-1.0: 0.25, 0.0: 0.25, 1.5: 0.5}
LOSS, PUSH, WIN = 0.1, 0.3, 0.9


def one_player(*draws):
    return [np.array([draw]) for draw in draws]


def test_a_loss_and_a_win_played_by_hand():
    paths = try_systems(EVEN, one_player(LOSS, LOSS, PUSH, WIN, WIN))
    # Bets 1 1 1 1 1; 1 2 4 4 1; 1 1 1 1 2.
    assert paths["flat"].path.tolist() == pytest.approx([-1, -1, -2 / 3, -0.5 / 4, 1 / 5])
    assert paths["double-after-a-loss"].path.tolist() == pytest.approx([-1, -1, -3 / 7, 3 / 11, 4.5 / 12])
    assert paths["double-after-a-win"].path.tolist() == pytest.approx([-1, -1, -2 / 3, -0.5 / 4, 2.5 / 6])
    assert [path.mean_bet for path in paths.values()] == [1.0, 12 / 5, 6 / 5]
    assert all(path.mean == path.path[-1] for path in paths.values())


def test_bets_stay_within_their_bounds():
    bets = {"lost": np.array([1.0]), "won": np.array([1.0])}
    for _ in range(20):
        bets["lost"] = double_after_a_loss(bets["lost"], np.array([-1.0]))
        bets["won"] = double_after_a_win(bets["won"], np.array([1.0]))
        assert all(1.0 <= bet[0] <= HIGHEST_BET for bet in bets.values())
    assert bets["won"] == HIGHEST_BET
    assert flat(np.array([3.0]), np.array([-2.0])) == 3.0


@pytest.mark.parametrize("name", SYSTEMS)
def test_no_system_changes_what_a_bet_is_worth(name):
    chances = {-2.0: 0.05, -1.0: 0.44, 0.0: 0.09, 1.0: 0.33, 1.5: 0.04, 2.0: 0.05}
    exact = sum(value * chance for value, chance in chances.items())
    random = np.random.default_rng(3)
    path = try_systems(chances, (random.random(4_000) for _ in range(200)))[name]
    assert abs(path.mean - exact) < 4 * path.standard_error
    assert path.standard_error < 0.004


def test_results_come_as_often_as_their_chances():
    random = np.random.default_rng(4)
    path = try_systems({-1.0: 0.7, 2.0: 0.3}, [random.random(100_000)])["flat"]
    assert path.mean == pytest.approx(-0.1, abs=0.02)
    assert path.standard_error == pytest.approx(np.sqrt(0.7 * 0.3 * 9 / 100_000), rel=0.02)
