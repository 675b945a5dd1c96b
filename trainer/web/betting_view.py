"""The picture of ways of betting: what each has won per bet so far, beside the edge."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from trainer.drill.words import percent, signed
from trainer.engine.betting import HIGHEST_BET, BettingPath
from trainer.engine.lattice import FloatArray
from trainer.service.appraisal import BETTING_PLAYERS, BETTING_ROUNDS, Swings
from trainer.web.rules_view import percent_edge

WIDTH, HEIGHT = 360.0, 200.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 44.0, 4.0, 8.0, 18.0
_FIRST_ROUND = 10
_POINTS = 120
_TITLES: Mapping[str, str] = {
    "flat": "The same bet every round",
    "double-after-a-loss": "Twice as much after a loss",
    "double-after-a-win": "Twice as much after a win",
}
_DASHES = {"flat": "none", "double-after-a-loss": "7 4", "double-after-a-win": "2 3"}


@dataclass(frozen=True)
class SystemView:
    """One way of betting: its line, and what it came to."""

    title: str
    points: str
    dashes: str
    look: str
    mean: str
    error: str
    mean_bet: str


@dataclass(frozen=True)
class SwingsView:
    """The spread of results, and the picture of ways of betting; ``ticks`` are (height, words)."""

    deviation: str
    deviation_error: str
    split_rounds: int
    split_share: str
    per_hundred: str
    systems: tuple[SystemView, ...]
    ticks: tuple[tuple[float, str], ...]
    edge_y: float
    rounds: int = BETTING_ROUNDS
    players: int = BETTING_PLAYERS
    first_round: int = _FIRST_ROUND
    highest_bet: int = int(HIGHEST_BET)


def swings_view(swings: Swings, edge: float) -> SwingsView:
    """The view of one rule set's swings; ``edge`` by the chart, in bets."""
    spread, systems = swings.spread, swings.systems
    drawn = np.array([edge, *np.concatenate([path.path[_FIRST_ROUND:] for path in systems.values()])])
    low, high = float(drawn.min()), float(drawn.max())
    scale = (HEIGHT - _TOP - _BOTTOM) / max(high - low, 1e-9)
    views = tuple(
        SystemView(
            _TITLES[name], _points(path, _TOP + (high - path.path) * scale), _DASHES[name], f"line-{number}",
            percent_edge(path.mean), f"{100 * path.standard_error:.2f}", f"{path.mean_bet:.1f}",
        ) for number, (name, path) in enumerate(systems.items())
    )
    return SwingsView(
        deviation=f"{spread.standard_deviation:.3f}",
        deviation_error=f"{spread.standard_error:.4f}" if spread.standard_error else "",
        split_rounds=spread.rounds,
        split_share=percent(spread.split_chance, 1),
        per_hundred=f"{10 * spread.standard_deviation:.0f}",
        systems=views,
        ticks=tuple((_TOP + (high - value) * scale, f"{signed(100 * value, 1)}%") for value in (high, low)),
        edge_y=round(_TOP + (high - edge) * scale, 1),
    )


def _points(path: BettingPath, heights: FloatArray) -> str:
    """A polyline's points, from the first round that is drawn to the last."""
    last = len(path.path) - 1
    step = (WIDTH - _LEFT - _RIGHT) / (last - _FIRST_ROUND)
    shown = np.unique(np.linspace(_FIRST_ROUND, last, _POINTS).astype(int))
    return " ".join(f"{_LEFT + (place - _FIRST_ROUND) * step:.1f},{heights[place]:.1f}" for place in shown.tolist())
