"""The chart as something to be learned: every cell that comes up, how often, and what mistakes on it cost."""

from collections.abc import Container, Mapping
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from trainer.drill.pool import cell_of_candidate, evs_of, first_hands, hand_chances
from trainer.engine.actions import Action
from trainer.engine.chart import CODES, PREFERENCES, ROWS, UPCARD_ORDER, Cell, cells
from trainer.engine.hands import BLACKJACK
from trainer.engine.lattice import FloatArray
from trainer.engine.player import double_mask
from trainer.engine.strategy import Strategy

_FIRST = {code: PREFERENCES[code][0] for code in CODES}


@dataclass(frozen=True, eq=False)
class Sheet:
    """The cells of one strategy's chart that a round can come to, in the chart's order, and arrays over them.

    ``frequency`` (cells,): how often a round comes to a decision there, exactly, by first hands and by those that the
    chart's hits lead to, from a full shoe; decisions on hands that come from a split are not counted. ``costs``
    (cells, codes): EV in bets that is lost by playing a code of :data:`~trainer.engine.chart.CODES` in place of the
    chart's, on average over the cell's hands; what the rules forbid on a hand falls back as the code says; NaN where
    its first move is open on none, or it names a split and none may be split. The EVs are the engine's, of going on
    by exact play; never below zero.
    ``margins`` (cells,): the chart's own, as ``Strategy.margins`` has them.
    """

    strategy_hash: str
    cells: tuple[Cell, ...]
    codes: tuple[str, ...]
    frequency: FloatArray
    costs: FloatArray
    margins: FloatArray

    @cached_property
    def index(self) -> Mapping[Cell, int]:
        """Each cell's place."""
        return {cell: place for place, cell in enumerate(self.cells)}

    @cached_property
    def move_costs(self) -> FloatArray:
        """(cells, moves in the order of ``Action``): what a first move costs, with its best fallback; NaN as above."""
        with_inf = np.where(np.isnan(self.costs), np.inf, self.costs)
        best = np.stack([
            with_inf[:, [_FIRST[code] == move for code in CODES]].min(axis=1) for move in Action], axis=1)
        return np.where(np.isinf(best), np.nan, best)

    @cached_property
    def answers(self) -> NDArray[np.int64]:
        """(cells,): the chart's first move, as its place in ``Action``."""
        order = list(Action)
        return np.array([order.index(_FIRST[code]) for code in self.codes])

    @cached_property
    def stake(self) -> FloatArray:
        """(cells,): EV at stake in bets: what the best wrong first move costs, which is the one most easily made."""
        wrong = self.move_costs.copy()
        wrong[np.arange(len(self.cells)), self.answers] = np.nan
        return np.nanmin(wrong, axis=1)

    @cached_property
    def lookalikes(self) -> tuple[tuple[int, ...], ...]:
        """Of each cell, those that look like it and are played otherwise.

        A look-alike is in the same section, one row or one upcard away (an ace comes after a ten), and the chart's
        first move there is another: 12 v 3 and 12 v 4, A-7 v 2 and v 3, 9-9 v 6 and v 7.
        """
        return tuple(
            tuple(self.index[near] for near in neighbours(cell) if near in self.index
                  and self.answers[self.index[near]] != self.answers[place])
            for place, cell in enumerate(self.cells))


def neighbours(cell: Cell) -> list[Cell]:
    """The up to four cells one row or one upcard away in the same section of the chart."""
    column = UPCARD_ORDER.index(cell.upcard)
    beside = [UPCARD_ORDER[place] for place in (column - 1, column + 1) if 0 <= place < len(UPCARD_ORDER)]
    # Pairs run from twos to tens and then aces, as upcards do.
    rows = UPCARD_ORDER if cell.section == "pair" else tuple(ROWS[cell.section])
    row = rows.index(cell.row)
    above = [rows[place] for place in (row - 1, row + 1) if 0 <= place < len(rows)]
    return [*(Cell(cell.section, cell.row, upcard) for upcard in beside),
            *(Cell(cell.section, each, cell.upcard) for each in above)]


# Worked out once for each strategy that is still in use.
_SHEETS: WeakKeyDictionary[Strategy, Sheet] = WeakKeyDictionary()


def sheet_of(strategy: Strategy) -> Sheet:
    """The sheet of a strategy's chart."""
    if strategy not in _SHEETS:
        _SHEETS[strategy] = _work_out(strategy)
    return _SHEETS[strategy]


def _work_out(strategy: Strategy) -> Sheet:
    order = list(cells())
    place_of = {cell: place for place, cell in enumerate(order)}
    sums = _Sums(len(order))
    for candidate, chance in first_hands(strategy):
        evs = evs_of(strategy, candidate)
        values = [next((evs[move] for move in PREFERENCES[code] if move in evs), np.nan) for code in CODES]
        opens = [_is_open(code, evs) for code in CODES]
        place = np.array([place_of[cell_of_candidate(strategy, candidate)]])
        sums.add(place, np.array([chance]), np.array([values]), np.array([opens]))
    _add_later_hands(strategy, place_of, sums)
    kept = np.flatnonzero(sums.frequency > 0)
    found = [order[place] for place in kept]
    codes = tuple(strategy.chart.code(cell) for cell in found)
    means = sums.values[kept] / sums.frequency[kept, None]
    own = means[np.arange(len(found)), [CODES.index(code) for code in codes]]
    costs = np.where(sums.opens[kept], np.maximum(own[:, None] - means, 0.0), np.nan)
    # A pair that the rules do not let surrender, or the like, is played by its code's fallback; its own code stays.
    costs[np.arange(len(found)), [CODES.index(code) for code in codes]] = 0.0
    margins = np.array([strategy.margins[cell.section][cell.row - ROWS[cell.section].start, cell.upcard - 1]
                        for cell in found])
    frequency = sums.frequency[kept]
    for array in (costs, frequency, margins):
        array.setflags(write=False)
    return Sheet(strategy.rules.strategy_hash, tuple(found), codes, frequency, costs, margins)


def _is_open(code: str, legal: Container[Action]) -> bool:
    """Whether a code can stand for a hand: its first move is open, and what names a split may be split."""
    return _FIRST[code] in legal and (Action.SPLIT in legal or Action.SPLIT not in PREFERENCES[code])


class _Sums:
    """Sums over the hands of each cell: chances, values of each code by chance, which codes are open on any."""

    def __init__(self, count: int) -> None:
        self.frequency = np.zeros(count)
        self.values = np.zeros((count, len(CODES)))
        self.opens = np.zeros((count, len(CODES)), dtype=bool)

    def add(
        self, places: NDArray[np.int64], chances: FloatArray, values: FloatArray, opens: NDArray[np.bool_]
    ) -> None:
        """Count hands: (hands,), (hands,), (hands, codes), (hands, codes)."""
        np.add.at(self.frequency, places, chances)
        np.add.at(self.values, places, chances[:, None] * np.nan_to_num(values))
        np.logical_or.at(self.opens, places, opens)


def _add_later_hands(strategy: Strategy, place_of: Mapping[Cell, int], sums: _Sums) -> None:
    """Hands of three and more cards, by the chart's hits."""
    lattice, solution = strategy.solution.lattice, strategy.solution
    rows = np.flatnonzero((lattice.sizes > 2) & (lattice.totals < BLACKJACK))
    chances = hand_chances(strategy, strategy.reached, rows, card_count=3)
    where, columns = np.nonzero(chances > 0)
    hands = rows[where]
    places = np.array([
        place_of[Cell("soft" if lattice.is_soft[hand] else "hard", int(lattice.totals[hand]), int(column) + 1)]
        for hand, column in zip(hands, columns, strict=True)], dtype=np.int64)
    stand, hit, double = (table[hands, columns] for table in (solution.stand, solution.hit, solution.double))
    may_double = double_mask(strategy.rules, lattice, is_split=False)[hands]
    nothing = np.full(len(hands), np.nan)
    by_code = {"H": hit, "S": stand, "D": np.where(may_double, double, hit), "Ds": np.where(may_double, double, stand),
               "P": nothing, "Rh": hit, "Rs": stand, "Rp": nothing}
    never = np.zeros(len(hands), dtype=bool)
    opens = {"H": ~never, "S": ~never, "D": may_double, "Ds": may_double}
    sums.add(places, chances[where, columns], np.stack([by_code[code] for code in CODES], axis=1),
             np.stack([opens.get(code, never) for code in CODES], axis=1))
