"""How the result of a round spreads around its mean: exact, but for rounds with a split hand."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from random import Random
from statistics import fmean, pvariance, stdev

from trainer.engine.cards import RANKS, TEN
from trainer.engine.chart import Chart
from trainer.engine.deal import deal_chances, upcard_chances
from trainer.engine.distribution import (
    LOSE_1,
    LOSE_2,
    PUSH_1,
    PUSH_2,
    WIN_1,
    WIN_2,
    double_distribution,
    follow_distribution,
    stand_distribution,
)
from trainer.engine.lattice import pair_row
from trainer.engine.play import FirstHand, Play, chart_play
from trainer.engine.player import HIT, STAND, Table
from trainer.engine.split_round import SplitDraw, SplitRounds

_WORTH = {LOSE_2: -2.0, LOSE_1: -1.0, PUSH_1: 0.0, PUSH_2: 0.0, WIN_1: 1.0, WIN_2: 2.0}


@dataclass(frozen=True)
class RoundResults:
    """Chances of a round's result, in original bets.

    ``exact``: of the rounds in which nothing is split, a split hand that meets a dealer's natural at the peek among
    them; ``splits``: of the rounds that go on with a split, by pair and upcard. Both together add up to 1.
    """

    exact: Mapping[float, float]
    splits: Mapping[SplitDraw, float]

    @property
    def split_chance(self) -> float:
        return sum(self.splits.values())


@dataclass(frozen=True)
class Spread:
    """The standard deviation of a round's result, in original bets, and the chances of each result.

    Rounds with a split hand, ``split_chance`` of all, are sampled: ``rounds`` of them, with the mean ``split_mean`` and
    its standard error ``split_error``. ``standard_error`` is that of the deviation; 0 where nothing is split, and
    everything exact.
    """

    standard_deviation: float
    standard_error: float
    chances: Mapping[float, float]
    split_chance: float
    split_mean: float
    split_error: float
    rounds: int


def spread_by_chart(table: Table, chart: Chart, edge: float, random: Random, rounds: int) -> Spread:
    """Play by a chart: every round without a split exactly, and ``rounds`` rounds with one, drawn as they come.

    ``edge``: the exact mean by that chart. The sample is weighed so that the chances of all results have this mean.
    """
    results = round_results(table, chart_play(table, chart))
    chances = defaultdict(float, results.exact)
    split_chance = results.split_chance
    if split_chance <= 0:
        return Spread(_deviation(chances), 0.0, dict(chances), 0.0, 0.0, 0.0, 0)
    game = SplitRounds(table.rules, chart, random)
    drawn = random.choices(list(results.splits), list(results.splits.values()), k=rounds)
    sample = [game.play(draw) for draw in drawn]
    mean, variance = fmean(sample), pvariance(sample)
    known = (edge - sum(value * chance for value, chance in results.exact.items())) / split_chance
    for value, count in Counter(sample).items():
        weight = 1.0 + (known - mean) * (value - mean) / variance if variance > 0 else 1.0
        chances[value] += split_chance * weight * count / rounds
    deviation = _deviation(chances)
    of_squares = split_chance * stdev(value * value for value in sample) / sqrt(rounds)
    return Spread(deviation, of_squares / (2.0 * deviation), dict(chances), split_chance, mean,
                  sqrt(variance / rounds), rounds)


def round_results(table: Table, play: Play) -> RoundResults:
    """The exact chances of every result of a way of playing, from a full shoe."""
    dealt, upcards = deal_chances(table), upcard_chances(table)
    ends = _Ends(table, play)
    exact: dict[float, float] = defaultdict(float)
    splits: dict[SplitDraw, float] = defaultdict(float)
    ranks = {pair_row(table.lattice, rank): rank for rank in RANKS}
    for hand in play.first:
        chances = dealt[hand.row] * hand.share * upcards
        for column, chance in enumerate(chances.tolist()):
            if chance <= 0:
                continue
            if hand.splits[column] and not hand.surrenders[column]:
                met = float(table.natural[hand.row, column]) if table.rules.is_peek else 0.0
                exact[-1.0] += chance * met
                upcard = int(table.upcards[column])
                is_upcard_face = hand.is_upcard_face and upcard == TEN
                splits[SplitDraw(ranks[hand.row], upcard, is_upcard_face)] += chance * (1.0 - met)
            else:
                for value, share in ends.of(hand, column).items():
                    exact[value] += chance * share
    natural = table.lattice.natural_row
    chance, pushed = float(dealt[natural] @ upcards), float((dealt[natural] * table.natural[natural]) @ upcards)
    exact[0.0] += pushed
    exact[float(table.rules.blackjack_payout)] += chance - pushed
    return RoundResults(exact, splits)


class _Ends:
    """The results of first hands that are not split."""

    def __init__(self, table: Table, play: Play) -> None:
        self.table = table
        self.stand = stand_distribution(table)
        self.double = double_distribution(table, self.stand)
        self.hit, _ = follow_distribution(table, play.later)

    def of(self, hand: FirstHand, column: int) -> dict[float, float]:
        """Result to chance, given the hand and the upcard."""
        rules = self.table.rules
        if hand.surrenders[column]:
            is_late = rules.is_peek and rules.surrender == "late"
            met = float(self.table.natural[hand.row, column]) if is_late else 0.0
            return {-0.5: 1.0 - met, -1.0: met}
        move = hand.move[column]
        measures = self.stand if move == STAND else self.hit if move == HIT else self.double
        found: dict[float, float] = defaultdict(float)
        for end, worth in _WORTH.items():
            found[worth] += float(measures[hand.row, column, end])
        return found


def _deviation(chances: Mapping[float, float]) -> float:
    mean = sum(value * chance for value, chance in chances.items())
    return sqrt(sum(value * value * chance for value, chance in chances.items()) - mean * mean)
