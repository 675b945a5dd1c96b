"""The value of the whole game for a way of playing, dealt from a full shoe."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from trainer.engine.chart import Chart
from trainer.engine.deal import deal_chances, upcard_chances
from trainer.engine.derivation import surrender_values
from trainer.engine.distribution import (
    DOUBLED,
    NOT_BUST,
    PUSH_1,
    PUSH_2,
    double_distribution,
    follow_distribution,
    stand_distribution,
)
from trainer.engine.lattice import FloatArray
from trainer.engine.play import FirstHand, Play, chart_play, exact_play
from trainer.engine.player import HIT, STAND, Table, pick


@dataclass(frozen=True)
class GameValue:
    """What a way of playing is worth a round, in original bets; a negative edge is the house's.

    ``by_upcard``: the mean given each upcard rank, naturals included. The rest are means per
    round: ``hands`` at its end, hands ``doubles``, first hands ``splits`` and ``surrenders``,
    hands that are ``busts`` and ``pushes``, the player's ``naturals`` and the dealer's.
    """

    edge: float
    by_upcard: Mapping[int, float]
    hands: float
    doubles: float
    splits: float
    surrenders: float
    busts: float
    pushes: float
    naturals: float
    dealer_naturals: float


def exact_edge(table: Table) -> GameValue:
    """Every hand by the exact table."""
    return value_of(table, exact_play(table))


def chart_edge(table: Table, chart: Chart) -> GameValue:
    """Every hand by one chart, derived or given as advice."""
    return value_of(table, chart_play(table, chart))


def value_of(table: Table, play: Play) -> GameValue:
    """The exact value and the frequencies of a way of playing.

    ``edge`` is the mean of ``by_upcard`` over the upcards of a full shoe.
    """
    dealt, upcards = deal_chances(table), upcard_chances(table)
    ends = _Ends(table, play)
    sums = sum((dealt[hand.row] * hand.share * ends.measure(hand) for hand in play.first),
               np.zeros((len(_MEASURES), len(table.upcards))))
    natural = table.lattice.natural_row
    pushed = table.natural[natural]
    sums[0] += dealt[natural] * float(table.rules.blackjack_payout) * (1.0 - pushed)
    sums[1] += dealt[natural]
    sums[6] += dealt[natural] * pushed
    means = dict(zip(_MEASURES, (sums @ upcards).tolist(), strict=True))
    dealer = float(table.odds.naturals(np.zeros((1, 10), dtype=np.int64))[0] @ upcards)
    by_upcard = dict(zip(table.upcards.tolist(), sums[0].tolist(), strict=True))
    return GameValue(by_upcard=by_upcard, naturals=float(dealt[natural] @ upcards), dealer_naturals=dealer, **means)


def first_hand_values(table: Table, play: Play) -> list[tuple[FirstHand, FloatArray]]:
    """Every first hand with its unconditional value (upcards,) by a way of playing."""
    ends = _Ends(table, play)
    return [(hand, ends.measure(hand)[0]) for hand in play.first]


_MEASURES = ("edge", "hands", "doubles", "splits", "surrenders", "busts", "pushes")


class _Ends:
    """Measures one first hand after another; everything (upcards,), joint with the dealer's natural."""

    def __init__(self, table: Table, play: Play) -> None:
        self.table = table
        self.stand = stand_distribution(table)
        self.double = double_distribution(table, self.stand)
        self.hit, _ = follow_distribution(table, play.later)
        self.hit_value, _ = table.follow(play.later)
        self.surrender = surrender_values(table)

    def measure(self, hand: FirstHand) -> FloatArray:
        """(measures, upcards), as :data:`_MEASURES` has them."""
        row, table = hand.row, self.table
        played = 1.0 - table.natural[row] if table.rules.is_peek else np.ones(len(table.upcards))
        one = np.ones_like(played)
        result = self._played_on(hand, played)
        if hand.split is not None:
            split = hand.split
            counts = (split.hands - 1.0, split.doubles, one, 0.0 * one, split.busts, split.pushes)
            joint = np.stack([split.value, *(played * count for count in counts if count is not None)])
            joint[1] += 1.0
            result = np.where(hand.splits, joint, result)
        # Late surrender comes after the peek, the other kinds before a natural is known of.
        is_late = table.rules.is_peek and table.rules.surrender == "late"
        given_up = np.stack([self.surrender[row], one, *np.zeros((5, len(one)))])
        given_up[4] = played if is_late else 1.0
        return np.where(hand.surrenders, given_up, result)

    def _played_on(self, hand: FirstHand, played: FloatArray) -> FloatArray:
        row, table = hand.row, self.table
        move = hand.move[:, None]
        ends = np.where(move == STAND, self.stand[row], np.where(move == HIT, self.hit[row], self.double[row]))
        none = np.zeros_like(played)
        return np.stack([
            pick(hand.move, table.stand[row], self.hit_value[row], table.double[row]),
            none + 1.0,
            ends[:, DOUBLED],
            none,
            none,
            played - ends[:, NOT_BUST],
            ends[:, PUSH_1] + ends[:, PUSH_2],
        ])
