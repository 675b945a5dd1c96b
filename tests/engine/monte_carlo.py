"""A second game of blackjack, dealt card by card, to check the engine's exact numbers against.

It shares nothing with the engine but the ``Rules`` object: no cards, no totals, no chart logic, no
probabilities. Every round comes from its own fresh full shoe, drawn without replacement, and one
player plays it by a chart; many rounds are played side by side in NumPy arrays.

Faces are numbered 1 (ace) to 13 (king); a rank is a face with T J Q K all counted as 10.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from trainer.engine.rules import Rules

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

FACES = "A23456789TJQK"
ACE, TEN = 1, 10
UPCARDS = range(1, 11)

# What a hand does in the end; a surrender is settled before any hand is played.
STAND, HIT, DOUBLE, SPLIT = range(4)
CODES = {"H", "S", "D", "Ds", "P", "Rh", "Rs", "Rp"}
SPLITTING = {"P", "Rp"}
DOUBLE_TOTALS = {"any": range(2, 21), "9-11": range(9, 12), "10-11": range(10, 12), "none": range(0)}


@dataclass(frozen=True, eq=False)
class ChartCodes:
    """A chart as codes: H S D Ds P Rh Rs Rp, the capital first and the small letter if that is not allowed."""

    hard: np.ndarray  # (22, 11): hard[total, upcard rank], totals 4 to 20
    soft: np.ndarray  # (22, 11): soft[total, upcard rank], totals 12 to 20
    pair: np.ndarray  # (11, 11): pair[rank, upcard rank], for the ranks that may be split


@dataclass(frozen=True)
class Estimate:
    """The mean net result of the counted rounds, in original bets, and how far it can be trusted."""

    mean: float
    standard_error: float
    rounds: int

    def z(self, expected: float) -> float:
        """How many standard errors the mean lies above the expected value."""
        difference = self.mean - expected
        if self.standard_error > 0:
            return difference / self.standard_error
        # Every round paid the same, so only rounding may part the two.
        return 0.0 if abs(difference) < 1e-9 else math.copysign(math.inf, difference)


def play(rules: Rules, codes: ChartCodes, rounds: int, seed: int, *, hand: tuple[str, str] | None = None,
         upcard: str | None = None, batch: int = 8192) -> Estimate:
    """Play ``rounds`` rounds by the chart, with the player's two cards and the upcard fixed if they are given.

    With fixed cards in a peek game, rounds in which the dealer has a natural are left out, unless the
    player may surrender before the peek: then that decision is priced over all of them.
    """
    if (hand is None) != (upcard is None):
        raise ValueError("give both the hand and the upcard, or neither")
    fixed = None if hand is None or upcard is None else [_face(hand[0]), _face(hand[1]), _face(upcard)]
    game = _Game(rules, _Tables.read(rules, codes), _full_shoe(rules.decks, fixed or []), fixed)
    random = np.random.default_rng(seed)
    count, total, squares = 0, 0.0, 0.0
    for start in range(0, rounds, batch):
        results = game.results(min(batch, rounds - start), random)
        count += len(results)
        total += float(results.sum())
        squares += float(results @ results)
    if count < 2:
        raise ValueError(f"{count} rounds counted, too few for a standard error")
    mean = total / count
    variance = max(0.0, squares - count * mean * mean) / (count - 1)
    if variance < 1e-12:  # what rounding leaves when every round pays the same
        variance = 0.0
    return Estimate(mean, math.sqrt(variance / count), count)


def _face(name: str) -> int:
    if len(name) != 1 or name not in FACES:
        raise ValueError(f"{name!r} is no face; one of {FACES}")
    return FACES.index(name) + 1


def _full_shoe(decks: int, without: list[int]) -> NDArray[np.uint8]:
    """The faces of all cards of a shoe, less those already on the table."""
    left = np.full(14, 4 * decks)
    left[0] = 0
    for face in without:
        left[face] -= 1
    return np.repeat(np.arange(14), left).astype(np.uint8)


def _rank(face: Ints) -> Ints:
    rank: Ints = np.minimum(face, TEN)
    return rank


def _total(hard: Ints, ace: Bools) -> Ints:
    """The best total of hands whose aces are all counted as 1 in ``hard``."""
    total: Ints = np.where(_is_soft(hard, ace), hard + 10, hard)
    return total


def _is_soft(hard: Ints, ace: Bools) -> Bools:
    soft: Bools = ace & (hard <= 11)
    return soft


def _is_natural(one: Ints, other: Ints) -> Bools:
    """Whether two ranks are an ace and a ten."""
    natural: Bools = (one + other == ACE + TEN) & ((one == ACE) | (other == ACE))
    return natural


class _Shoes:
    """One shoe for each round, shuffled only as far as it is dealt (Fisher and Yates, a step a card)."""

    def __init__(self, shoe: NDArray[np.uint8], rounds: int, random: np.random.Generator) -> None:
        self._size = len(shoe)
        self._cards = np.tile(shoe, rounds)
        self._start = np.arange(rounds, dtype=np.int64) * self._size
        self._dealt = np.zeros(rounds, dtype=np.int64)
        self._random = random

    def draw(self, rounds: Ints) -> Ints:
        """One more card, as a face, in each of these rounds (none of them named twice)."""
        dealt = self._dealt[rounds]
        left = self._size - dealt
        next_place = self._start[rounds] + dealt
        place = next_place + (self._random.random(len(rounds)) * left).astype(np.int64)
        faces: Ints = self._cards[place].astype(np.int64)
        # The card drawn is never looked at again, so half of the swap will do.
        self._cards[place] = self._cards[next_place]
        self._dealt[rounds] = dealt + 1
        return faces


@dataclass(frozen=True, eq=False)
class _Tables:
    """The chart with the rules worked in, so that a move is one look-up."""

    total: NDArray[np.int8]  # [after a split, more than two cards, soft, total, upcard]: the move
    pair: NDArray[np.int8]  # [after a split, rank, upcard]: the move of a pair that may be split now
    surrender_total: Bools  # [soft, total, upcard]: whether the first decision is to surrender
    surrender_pair: Bools  # [rank, upcard]: the same for a pair that may be split
    limit: Ints  # [rank]: the most hands a round may have

    @classmethod
    def read(cls, rules: Rules, codes: ChartCodes) -> _Tables:
        limit = np.array([1, *(rules.split_hand_limit(rank) for rank in UPCARDS)], dtype=np.int64)
        total = np.full((2, 2, 2, 22, 11), STAND, dtype=np.int8)  # so 21 stands whatever the chart says
        pair = np.full((2, 11, 11), STAND, dtype=np.int8)
        surrender_total = np.zeros((2, 22, 11), dtype=bool)
        surrender_pair = np.zeros((11, 11), dtype=bool)
        may_surrender = rules.surrender != "none"

        for soft, chart, lowest in ((False, codes.hard, 4), (True, codes.soft, 12)):
            for value in range(lowest, 21):
                for upcard in UPCARDS:
                    code = _checked(chart[value, upcard], CODES - SPLITTING)
                    surrender_total[int(soft), value, upcard] = may_surrender and code.startswith("R")
                    for split in (False, True):
                        for more in (False, True):
                            may_double = _may_double(rules, value, soft=soft, split=split, more=more)
                            total[int(split), int(more), int(soft), value, upcard] = _move(code, may_double)
        for rank in UPCARDS:
            if limit[rank] == 1:  # never a pair to split, so its total is played
                continue
            value, soft = (12, True) if rank == ACE else (2 * rank, False)
            for upcard in UPCARDS:
                code = _checked(codes.pair[rank, upcard], CODES)
                surrender_pair[rank, upcard] = may_surrender and code.startswith("R")
                for split in (False, True):
                    may_double = _may_double(rules, value, soft=soft, split=split, more=False)
                    pair[int(split), rank, upcard] = _move(code, may_double)
        return cls(total, pair, surrender_total, surrender_pair, limit)


def _checked(code: object, allowed: set[str]) -> str:
    if code not in allowed:
        raise ValueError(f"{code!r} in the chart; one of {', '.join(sorted(allowed))} is needed there")
    return str(code)


def _may_double(rules: Rules, total: int, *, soft: bool, split: bool, more: bool) -> bool:
    """Whether a hand of this total may be doubled, after a split or not, on two cards or on more."""
    return (total in DOUBLE_TOTALS[rules.double_on]
            and (rules.double_soft or not soft)
            and (rules.double_after_split or not split)
            and (rules.double_cards == "any" or not more))


def _move(code: str, may_double: bool) -> int:
    """What a code comes to where surrender is over and a pair code is only read if a split is allowed."""
    if code in ("D", "Ds"):
        return DOUBLE if may_double else (STAND if code == "Ds" else HIT)
    return {"H": HIT, "S": STAND, "P": SPLIT, "Rh": HIT, "Rs": STAND, "Rp": SPLIT}[code]


@dataclass(frozen=True, eq=False)
class _Game:
    """Everything that all rounds have in common."""

    rules: Rules
    tables: _Tables
    shoe: NDArray[np.uint8]
    fixed: list[int] | None  # the player's two faces and the upcard's

    def results(self, rounds: int, random: np.random.Generator) -> Floats:
        """The net results of the counted ones of this many new rounds."""
        table = _Table(self, rounds, random)
        results = table.play()
        if self._leaves_out_dealer_naturals():
            return results[~table.dealer_natural]
        return results

    def _leaves_out_dealer_naturals(self) -> bool:
        if self.fixed is None or self.rules.hole_card != "peek":
            return False
        before_peek = self.rules.surrender == "early" and min(self.fixed[2], TEN) in (ACE, TEN)
        return not before_peek


class _Table:
    """Many rounds side by side; arrays run over the rounds, and a hand's arrays over [hand, round]."""

    def __init__(self, game: _Game, rounds: int, random: np.random.Generator) -> None:
        self._rules = game.rules
        self._tables = game.tables
        self._shoes = _Shoes(game.shoe, rounds, random)
        self._all = np.arange(rounds, dtype=np.int64)
        if game.fixed is None:
            self._first, self._second, up = (self._shoes.draw(self._all) for _ in range(3))
        else:
            self._first, self._second, up = (np.full(rounds, face, dtype=np.int64) for face in game.fixed)
        self._up = _rank(up)
        most_hands = int(game.tables.limit.max())
        self._hands = np.ones(rounds, dtype=np.int64)
        self._totals = np.zeros((most_hands, rounds), dtype=np.int64)
        self._bets = np.ones((most_hands, rounds), dtype=np.int64)

    def play(self) -> Floats:
        """Play all rounds to the end and settle them."""
        peek = self._rules.hole_card == "peek"
        if peek:
            self._deal_dealers_second()
        natural = _is_natural(_rank(self._first), _rank(self._second))
        surrendered = self._wants_surrender() & ~natural
        asked = ~natural & ~surrendered
        if peek:
            asked &= ~self.dealer_natural
            if self._rules.surrender != "early":  # the peek comes first and ends the round
                surrendered &= ~self.dealer_natural
        for hand in range(len(self._totals)):
            self._play_hand(hand, np.flatnonzero(asked & (self._hands > hand)))
        if not peek:
            self._deal_dealers_second()

        results = self._settle_hands(self._play_dealer(asked & ~self.dealer_natural))
        if self._rules.hole_card == "enhc":  # the natural takes every bet, whatever the hands came to
            all_bets = np.where(np.arange(len(self._bets))[:, None] < self._hands, self._bets, 0).sum(axis=0)
            results = np.where(self.dealer_natural, -all_bets, results)
        else:
            results = np.where(self.dealer_natural, -1.0, results)
        results[natural] = np.where(self.dealer_natural[natural], 0.0, float(self._rules.blackjack_payout))
        results[surrendered] = -0.5
        return results

    def _deal_dealers_second(self) -> None:
        # Dealt in every round, needed or not: the shoe is thrown away, and a natural always has to be seen.
        self._hole = _rank(self._shoes.draw(self._all))
        self.dealer_natural = _is_natural(self._up, self._hole)

    def _may_split(self, rounds: Ints, second: Ints) -> Bools:
        """Whether a hand of the round's first card and this second one may be split now.

        All hands of a round begin with the same card as far as pairs go, so the first stands for all.
        """
        first = self._first[rounds]
        alike: Bools = first == second if self._rules.split_by == "rank" else _rank(first) == _rank(second)
        return alike & (self._hands[rounds] < self._tables.limit[_rank(first)])

    def _wants_surrender(self) -> Bools:
        """Whether the chart's answer to the first two cards is to surrender."""
        tables = self._tables
        if not (tables.surrender_total.any() or tables.surrender_pair.any()):
            return np.zeros(len(self._all), dtype=bool)
        first = _rank(self._first)
        hard = first + _rank(self._second)
        ace = (first == ACE) | (self._second == ACE)
        by_total = tables.surrender_total[_is_soft(hard, ace).astype(np.int64), _total(hard, ace), self._up]
        by_pair = tables.surrender_pair[first, self._up]
        return np.where(self._may_split(self._all, self._second), by_pair, by_total)

    def _play_hand(self, hand: int, rounds: Ints) -> None:
        """Play this hand of these rounds; split-off hands are left for later, at the end of the round's row."""
        second = self._second[rounds] if hand == 0 else self._shoes.draw(rounds)
        self._split(rounds, second)
        first = _rank(self._first[rounds])
        after_split = (self._hands[rounds] > 1).astype(np.int64)
        up = self._up[rounds]
        hard = first + _rank(second)
        ace = (first == ACE) | (second == ACE)
        soft, total = _is_soft(hard, ace).astype(np.int64), _total(hard, ace)

        moves = self._tables.total[after_split, 0, soft, total, up]
        # A pair that could be split and is not, is played by its own line of the chart.
        kept = np.flatnonzero(self._may_split(rounds, second))
        moves[kept] = self._tables.pair[after_split[kept], first[kept], up[kept]]
        if not self._rules.hit_split_aces:
            moves[(after_split == 1) & (first == ACE)] = STAND

        self._totals[hand, rounds] = total
        self._draw_cards(hand, rounds, moves, after_split, hard, ace)

    def _split(self, rounds: Ints, second: Ints) -> None:
        """Split for as long as the chart says so, putting each new second card in ``second``."""
        pending = np.arange(len(rounds), dtype=np.int64)
        while len(pending):
            pending = pending[self._may_split(rounds[pending], second[pending])]
            at = rounds[pending]
            # The line for hands not yet split will do: what is allowed of doubles makes no odds to a split.
            pending = pending[self._tables.pair[0, _rank(self._first[at]), self._up[at]] == SPLIT]
            at = rounds[pending]
            self._hands[at] += 1
            second[pending] = self._shoes.draw(at)

    def _draw_cards(self, hand: int, rounds: Ints, moves: NDArray[np.int8], after_split: Ints, hard: Ints,
                    ace: Bools) -> None:
        """Hit and double until every hand stands or is bust, one card at a time over those that still draw."""
        while True:
            drawing = np.flatnonzero(moves != STAND)
            if not len(drawing):
                return
            rounds, after_split, moves = rounds[drawing], after_split[drawing], moves[drawing]
            card = _rank(self._shoes.draw(rounds))
            hard = hard[drawing] + card
            ace = ace[drawing] | (card == ACE)
            total = _total(hard, ace)
            self._totals[hand, rounds] = total
            doubled = moves == DOUBLE
            self._bets[hand, rounds[doubled]] = 2
            alive = np.flatnonzero(~doubled & (total < 21))
            rounds, after_split, hard, ace = rounds[alive], after_split[alive], hard[alive], ace[alive]
            soft = _is_soft(hard, ace).astype(np.int64)
            moves = self._tables.total[after_split, 1, soft, total[alive], self._up[rounds]]

    def _play_dealer(self, played: Bools) -> Ints:
        """The dealer's totals, drawn out where the round was played; elsewhere nobody looks at them."""
        hard = self._up + self._hole
        ace = (self._up == ACE) | (self._hole == ACE)
        totals = _total(hard, ace)
        rounds = np.flatnonzero(played)
        hard, ace = hard[rounds], ace[rounds]
        while True:
            total = _total(hard, ace)
            totals[rounds] = total
            draws = total < 17
            if self._rules.dealer_hits_soft_17:
                draws |= (total == 17) & _is_soft(hard, ace)
            drawing = np.flatnonzero(draws)
            if not len(drawing):
                return totals
            rounds = rounds[drawing]
            card = _rank(self._shoes.draw(rounds))
            hard = hard[drawing] + card
            ace = ace[drawing] | (card == ACE)

    def _settle_hands(self, dealer: Ints) -> Floats:
        """The sum over a round's hands against the dealer's total, bust hands first."""
        beaten_at = np.where(dealer > 21, 0, dealer)
        results = np.zeros(len(dealer), dtype=np.float64)
        for hand, (totals, bets) in enumerate(zip(self._totals, self._bets, strict=True)):
            sign = np.where(totals > 21, -1, np.sign(totals - beaten_at))
            results += np.where(self._hands > hand, sign * bets, 0)
        return results
