"""What a rule set, and each way of playing it, is worth: worked out to be looked at, not to be drilled on.

Only results are kept, a few kilobytes each, so that looking at many rule sets neither fills the memory nor pushes
out the strategies that people practise on.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import TypeVar, cast

import numpy as np

from trainer.engine.advice import ADVICE
from trainer.engine.betting import BettingPath, try_systems
from trainer.engine.chart import Chart
from trainer.engine.derivation import derive_chart
from trainer.engine.edge import GameValue, chart_edge, exact_edge
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules
from trainer.engine.spread import Spread, spread_by_chart
from trainer.engine.strategy import Strategy
from trainer.service.strategies import StrategyCache

SPLIT_ROUNDS = 20_000
BETTING_ROUNDS, BETTING_PLAYERS = 400, 20_000
_MOST_KEPT = 512
_SHIPPED = {rules.strategy_hash for rules in RULE_SETS.values()}

Result = TypeVar("Result")


@dataclass(frozen=True)
class Appraisal:
    """A rule set's chart, and the whole game played exactly and by that chart."""

    chart: Chart
    exact: GameValue
    by_chart: GameValue


@dataclass(frozen=True)
class Swings:
    """How results spread by the chart, and what ways of betting came to on simulated rounds."""

    spread: Spread
    systems: Mapping[str, BettingPath]


class Appraiser:
    """Appraises rule sets; ``SolverBusyError`` where too many want something new worked out at once."""

    def __init__(self, strategies: StrategyCache) -> None:
        self._strategies = strategies
        self._kept: OrderedDict[tuple[str, str], object] = OrderedDict()
        self._guard = threading.Lock()

    def appraise(self, rules: Rules) -> Appraisal:
        """The chart and the edges of a rule set."""
        return self._once("appraisal", rules, lambda: self._appraise(rules))

    def is_appraised(self, rules: Rules) -> bool:
        """Whether :meth:`appraise` answers at once."""
        with self._guard:
            return ("appraisal", rules.strategy_hash) in self._kept

    def price_advice(self, rules: Rules) -> Mapping[str, GameValue]:
        """The whole game played by each piece of printed advice."""
        return self._once("advice", rules, lambda: self._price_advice(rules))

    def swings(self, rules: Rules) -> Swings:
        """The spread of results by the chart, simulated where it must be; always the same for one rule set."""
        return self._once("swings", rules, lambda: self._swings(rules))

    def _once(self, kind: str, rules: Rules, work_out: Callable[[], Result]) -> Result:
        key = kind, rules.strategy_hash
        with self._guard:
            if key in self._kept:
                self._kept.move_to_end(key)
                return cast(Result, self._kept[key])
        found = work_out()
        with self._guard:
            self._kept[key] = found
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return found

    def _appraise(self, rules: Rules) -> Appraisal:
        # Those that ship are kept on disk, so that no later start works them out again.
        is_shipped = rules.strategy_hash in _SHIPPED
        known: Strategy | None = self._strategies.get(rules) if is_shipped else self._strategies.find(rules)
        if known:
            return Appraisal(known.chart, known.exact, known.by_chart)
        with self._strategies.table(rules) as table:
            chart = derive_chart(table).chart
            return Appraisal(chart, exact_edge(table), chart_edge(table, chart))

    def _price_advice(self, rules: Rules) -> Mapping[str, GameValue]:
        with self._strategies.table(rules) as table:
            return {name: chart_edge(table, build(rules)) for name, build in ADVICE.items()}

    def _swings(self, rules: Rules) -> Swings:
        known, random = self.appraise(rules), Random(rules.strategy_hash)  # noqa: S311 - cards, not secrets
        with self._strategies.table(rules) as table:
            spread = spread_by_chart(table, known.chart, known.by_chart.edge, random, SPLIT_ROUNDS)
        generator = np.random.default_rng(int(rules.strategy_hash, 16))
        draws = (generator.random(BETTING_PLAYERS) for _ in range(BETTING_ROUNDS))
        return Swings(spread, try_systems(spread.chances, draws))
