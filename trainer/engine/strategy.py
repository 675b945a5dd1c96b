"""Everything derived from one rule set: the exact table, the chart, and what each is worth."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

import numpy as np

from trainer.engine.cards import RANKS
from trainer.engine.chart import SECTIONS, Chart
from trainer.engine.derivation import derive_chart
from trainer.engine.edge import GameValue, exact_edge, value_of
from trainer.engine.lattice import FloatArray
from trainer.engine.odds import DealerOdds
from trainer.engine.play import chart_play, multi_card_chances
from trainer.engine.rules import Rules
from trainer.engine.solution import Solution, full_table, solve_table

# Changes whenever a number, an array's meaning or its layout changes, so that saved strategies are not mixed up.
ENGINE_VERSION = 1


@dataclass(frozen=True, eq=False)
class Strategy:
    """A rule set worked out.

    ``solution``: the exact table. ``chart``: the derived chart, with ``margins`` by section and ``weights``
    (hands, 10), the chance by which the chart weighed each hand (see ``derivation``); ``reached`` (hands, 10): the
    chance of coming to each hand of three and more cards by the chart's hits; both given the upcard, before any peek.
    ``exact`` and ``by_chart``: the whole game played by either.
    """

    rules: Rules
    solution: Solution
    chart: Chart
    margins: Mapping[str, FloatArray]
    weights: FloatArray
    reached: FloatArray
    exact: GameValue
    by_chart: GameValue

    def __post_init__(self) -> None:
        for array in (self.weights, self.reached, *self.margins.values()):
            array.setflags(write=False)

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Everything as plain arrays by name, for saving; :meth:`from_arrays` is the inverse."""
        solution = {name: getattr(self.solution, name) for name in _SOLUTION_ARRAYS}
        chart = {f"chart_{name}": self.chart.section(name) for name in SECTIONS}
        margins = {f"margin_{name}": self.margins[name] for name in SECTIONS}
        values = {"exact": _pack(self.exact), "by_chart": _pack(self.by_chart)}
        return {**solution, **chart, **margins, **values, "weights": self.weights, "reached": self.reached}

    @classmethod
    def from_arrays(cls, rules: Rules, arrays: Mapping[str, np.ndarray]) -> "Strategy":
        """Rebuild a strategy for the same rules; ``KeyError`` or ``ValueError`` where arrays do not fit."""
        solution = Solution(rules, *(_checked(arrays[name], kind="f") for name in _SOLUTION_ARRAYS))
        hands = len(solution.lattice)
        expected = [(hands, 10)] * 3 + [(11, 10), (hands, 10, 5), (hands, 10)]
        if [getattr(solution, name).shape for name in _SOLUTION_ARRAYS] != expected:
            raise ValueError("the saved arrays are not of this rule set's shape")
        chart = Chart(*(_checked(arrays[f"chart_{name}"], kind="U") for name in SECTIONS))
        margins = {name: _checked(arrays[f"margin_{name}"], kind="f") for name in SECTIONS}
        weights, reached = (_checked(arrays[name], kind="f") for name in ("weights", "reached"))
        if weights.shape != (hands, 10) or reached.shape != (hands, 10):
            raise ValueError("the saved weights are not of this rule set's shape")
        if any(margins[name].shape != chart.section(name).shape for name in SECTIONS):
            raise ValueError("the saved margins are not of the chart's shape")
        return cls(rules, solution, chart, margins, weights, reached,
                   _unpack(arrays["exact"]), _unpack(arrays["by_chart"]))


def derive(rules: Rules, odds: DealerOdds | None = None) -> Strategy:
    """Solve a rule set and derive its chart and edges.

    ``odds`` may be kept from another rule set with as many decks and the same soft-17 rule, to save time.
    """
    table = full_table(rules, odds)
    solution = solve_table(table)
    derivation = derive_chart(table)
    by_chart = chart_play(table, derivation.chart)
    return Strategy(
        rules, solution, derivation.chart, derivation.margins, derivation.weights,
        multi_card_chances(table, by_chart), exact_edge(table), value_of(table, by_chart),
    )


_SOLUTION_ARRAYS = ("stand", "hit", "double", "split", "dealer_totals", "natural")
_MEANS = ("edge", "hands", "doubles", "splits", "surrenders", "busts", "pushes", "naturals", "dealer_naturals")


def _pack(value: GameValue) -> FloatArray:
    fields = asdict(value)
    return np.array([*(fields[name] for name in _MEANS), *(value.by_upcard[rank] for rank in RANKS)])


def _unpack(packed: np.ndarray) -> GameValue:
    if packed.shape != (len(_MEANS) + len(RANKS),):
        raise ValueError("the saved game values are not of the right shape")
    values = _checked(packed, kind="f").tolist()
    means = dict(zip(_MEANS, values[: len(_MEANS)], strict=True))
    by_upcard = dict(zip(RANKS, values[len(_MEANS) :], strict=True))
    return GameValue(by_upcard=by_upcard, **means)


def _checked(array: np.ndarray, kind: str) -> np.ndarray:
    if array.dtype.kind != kind:
        raise ValueError(f"a saved array is of kind {array.dtype.kind}, not {kind}")
    return array
