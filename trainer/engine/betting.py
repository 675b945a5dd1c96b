"""Ways to raise and lower the bet, tried on the same rounds: none of them changes what a bet is worth."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from trainer.engine.lattice import FloatArray

HIGHEST_BET = 16.0


@dataclass(frozen=True, eq=False)
class BettingPath:
    """What one way of betting came to, over all players.

    ``path`` (rounds,): won per unit bet up to and with each round; ``mean``: in the end, with its
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
    """Twice as much after a loss, up to :data:`HIGHEST_BET` units, then and after a win one unit again."""
    raised = np.where(2.0 * bets > HIGHEST_BET, 1.0, 2.0 * bets)
    return np.where(results < 0, raised, np.where(results > 0, 1.0, bets))


def double_after_a_win(bets: FloatArray, results: FloatArray) -> FloatArray:
    """Twice as much after a win, up to :data:`HIGHEST_BET` units, one unit again after a loss."""
    raised = np.minimum(2.0 * bets, HIGHEST_BET)
    return np.where(results > 0, raised, np.where(results < 0, 1.0, bets))


SYSTEMS: Mapping[str, Callable[[FloatArray, FloatArray], FloatArray]] = MappingProxyType({
    "flat": flat,
    "double-after-a-loss": double_after_a_loss,
    "double-after-a-win": double_after_a_win,
})


def try_systems(chances: Mapping[float, float], draws: Iterable[FloatArray]) -> Mapping[str, BettingPath]:
    """Play every system on the same rounds, each round from a fresh shoe.

    ``chances``: result, in original bets, to chance; ``draws``: for each round, a number from 0 to below 1 for each
    player.
    """
    values = np.array(sorted(chances))
    running = np.cumsum([chances[value] for value in values.tolist()])
    purses: dict[str, _Purse] = {}
    for draw in draws:
        places = np.minimum(np.searchsorted(running / running[-1], draw, side="right"), len(values) - 1)
        for name, system in SYSTEMS.items():
            purses.setdefault(name, _Purse(len(draw), system)).play(values[places])
    return {name: purse.path() for name, purse in purses.items()}


class _Purse:
    """What all players who bet in one way have put down and won."""

    def __init__(self, players: int, system: Callable[[FloatArray, FloatArray], FloatArray]) -> None:
        self._system = system
        self._bets = np.ones(players)
        self._staked, self._won = np.zeros(players), np.zeros(players)
        self._means: list[float] = []

    def play(self, results: FloatArray) -> None:
        self._staked += self._bets
        self._won += self._bets * results
        self._means.append(float(self._won.sum() / self._staked.sum()))
        self._bets = self._system(self._bets, results)

    def path(self) -> BettingPath:
        mean, total = self._means[-1], float(self._staked.sum())
        error = float(np.sqrt(np.square(self._won - mean * self._staked).sum())) / total
        return BettingPath(np.array(self._means), mean, error, total / (len(self._means) * len(self._bets)))
