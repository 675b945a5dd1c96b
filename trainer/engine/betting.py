"""Ways to raise and lower the bet, tried on the same rounds: none of them changes what a bet is worth."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from trainer.engine.lattice import FloatArray

_HIGHEST_BET = 64.0


@dataclass(frozen=True, eq=False)
class BettingPath:
    """What one way of betting came to, over all players.

    ``paths`` (rounds,): won per unit bet up to and with each round; ``mean``: in the end, with its
    ``standard_error``; ``mean_bet``: the mean bet, in units.
    """

    path: FloatArray
    mean: float
    standard_error: float
    mean_bet: float


def flat(bets: FloatArray, results: FloatArray) -> FloatArray:
    """The same bet every round."""
    del results
    return bets


def double_after_a_loss(bets: FloatArray, results: FloatArray) -> FloatArray:
    """Twice as much after a loss, up to 64 units, then and after a win one unit again."""
    raised = np.where(2.0 * bets > _HIGHEST_BET, 1.0, 2.0 * bets)
    return np.where(results < 0, raised, np.where(results > 0, 1.0, bets))


def double_after_a_win(bets: FloatArray, results: FloatArray) -> FloatArray:
    """Twice as much after a win, up to 64 units, one unit again after a loss."""
    raised = np.minimum(2.0 * bets, _HIGHEST_BET)
    return np.where(results > 0, raised, np.where(results < 0, 1.0, bets))


SYSTEMS: Mapping[str, Callable[[FloatArray, FloatArray], FloatArray]] = MappingProxyType({
    "flat": flat,
    "double-after-a-loss": double_after_a_loss,
    "double-after-a-win": double_after_a_win,
})


def try_systems(chances: Mapping[float, float], draws: FloatArray) -> Mapping[str, BettingPath]:
    """Play every system on the same rounds, each round from a fresh shoe.

    ``chances``: result, in original bets, to chance; ``draws`` (rounds, players): numbers from 0 to below 1.
    """
    values = np.array(sorted(chances))
    running = np.cumsum([chances[value] for value in values.tolist()])
    results = values[np.minimum(np.searchsorted(running / running[-1], draws, side="right"), len(values) - 1)]
    return {name: _follow(system, results) for name, system in SYSTEMS.items()}


def _follow(system: Callable[[FloatArray, FloatArray], FloatArray], results: FloatArray) -> BettingPath:
    bets = np.ones(results.shape[1])
    staked, won = np.zeros_like(bets), np.zeros_like(bets)
    path = np.empty(len(results))
    for number, result in enumerate(results):
        staked += bets
        won += bets * result
        path[number] = won.sum() / staked.sum()
        bets = system(bets, result)
    mean, total = float(path[-1]), float(staked.sum())
    error = float(np.sqrt(np.square(won - mean * staked).sum())) / total
    return BettingPath(path, mean, error, total / results.size)
