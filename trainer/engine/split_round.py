"""Rounds with a split hand, dealt card by card from a full shoe.

The mean of such a round is exact elsewhere (:mod:`trainer.engine.split`); how far its result spreads is not, since the
hands of a split end together against one dealer. Here they are played out, so that the spread can be estimated.
"""

from dataclasses import dataclass
from random import Random

import numpy as np

from trainer.engine.actions import can_double
from trainer.engine.cards import ACE, TEN
from trainer.engine.chart import Chart
from trainer.engine.hands import BLACKJACK
from trainer.engine.policy import TotalPolicy, cell_row
from trainer.engine.rules import Rules

_KING = 13
_SUITS = 4
_DEALER_STANDS = 17


@dataclass(frozen=True)
class SplitDraw:
    """A pair that is split against an upcard rank; ``is_upcard_face``: tens of the upcard's own face."""

    rank: int
    upcard: int
    is_upcard_face: bool = False


class SplitRounds:
    """Plays split rounds by one chart; faces are 1 (ace) to 13 (king).

    As the engine's exact values have it: hands are split again whenever the rules allow, and, where the dealer
    peeks, no round is played against a natural.
    """

    def __init__(self, rules: Rules, chart: Chart, random: Random) -> None:
        self._rules, self._random = rules, random
        policy = TotalPolicy.of(chart)
        self._hits: list[list[bool]] = policy.hits.tolist()
        self._doubles: list[list[bool]] = policy.doubles.tolist()
        self._may_double = np.array([
            [[can_double(rules, total, is_soft=soft, card_count=cards, is_split=True) for cards in range(4)]
             for soft in (False, True)] for total in range(BLACKJACK + 1)
        ]).tolist()
        self._full = [face for face in range(1, _KING + 1) for _ in range(_SUITS * rules.decks)]
        self._shoe: list[int] = []

    def play(self, draw: SplitDraw) -> float:
        """The result of one round, in original bets."""
        rules = self._rules
        # Which of the four ten-value faces it is matters only beside the upcard's.
        face = draw.rank if draw.rank < TEN or draw.upcard != TEN or draw.is_upcard_face else TEN + 1
        self._shoe = self._full.copy()
        for known in (face, face, draw.upcard):
            self._shoe.remove(known)
        hole = self._hole(draw.upcard)
        is_natural = {draw.upcard, min(hole, TEN)} == {ACE, TEN}
        hands = self._play_hands(face, draw.upcard)
        if is_natural:
            return -1.0 if rules.loses_only_original_bets else -sum(bet for _, bet in hands)
        if all(total > BLACKJACK for total, _ in hands):
            return -sum(bet for _, bet in hands)
        dealer = self._dealer(draw.upcard, hole)
        return sum(bet * _outcome(total, dealer) for total, bet in hands)

    def _hole(self, upcard: int) -> int:
        """The dealer's second card; one that makes a natural is never met after a peek."""
        while True:
            place = int(self._random.random() * len(self._shoe))
            hole = self._shoe[place]
            if not self._rules.is_peek or {upcard, min(hole, TEN)} != {ACE, TEN}:
                return self._shoe.pop(place)

    def _draw(self) -> int:
        return self._shoe.pop(int(self._random.random() * len(self._shoe)))

    def _play_hands(self, face: int, upcard: int) -> list[tuple[int, float]]:
        """Total and bet of every hand that the pair becomes."""
        waiting, hands = [face, face], 2
        limit = self._rules.split_hand_limit(min(face, TEN))
        ended = []
        while waiting:
            first, second = waiting.pop(), self._draw()
            if self._is_pair(first, second) and hands < limit:
                hands += 1
                waiting += [second, first]
            else:
                ended.append(self._play_hand(first, second, upcard))
        return ended

    def _is_pair(self, first: int, second: int) -> bool:
        if self._rules.split_by == "rank":
            return first == second
        return min(first, TEN) == min(second, TEN)

    def _play_hand(self, first: int, second: int, upcard: int) -> tuple[int, float]:
        hard, has_ace, cards = min(first, TEN) + min(second, TEN), ACE in (first, second), 2
        is_frozen = first == ACE and not self._rules.hit_split_aces
        while True:
            is_soft = has_ace and hard <= BLACKJACK - 10
            total = hard + 10 * is_soft
            if is_frozen or total >= BLACKJACK:
                return total, 1.0
            row = cell_row("soft" if is_soft else "hard", total)
            doubles = self._doubles[row][upcard - 1] and self._may_double[total][is_soft][min(cards, 3)]
            if not doubles and not self._hits[row][upcard - 1]:
                return total, 1.0
            card = self._draw()
            hard, has_ace, cards = hard + min(card, TEN), has_ace or card == ACE, cards + 1
            if doubles:
                return hard + 10 * (has_ace and hard <= BLACKJACK - 10), 2.0

    def _dealer(self, upcard: int, hole: int) -> int:
        hard, has_ace = upcard + min(hole, TEN), ACE in (upcard, hole)
        while True:
            is_soft = has_ace and hard <= BLACKJACK - 10
            total = hard + 10 * is_soft
            hits_here = self._rules.dealer_hits_soft_17 and is_soft and total == _DEALER_STANDS
            if total >= _DEALER_STANDS and not hits_here:
                return total
            card = self._draw()
            hard, has_ace = hard + min(card, TEN), has_ace or card == ACE


def _outcome(total: int, dealer: int) -> float:
    if total > BLACKJACK:
        return -1.0
    if dealer > BLACKJACK or total > dealer:
        return 1.0
    return 0.0 if total == dealer else -1.0
