"""A simulated learner, to compare ways of dealing: it forgets, confuses look-alikes, slips, and learns from verdicts.

Model and parameters are docs/practice.md's. It knows nothing of how the trainer schedules: it has its own forgetting,
its own neighbourhoods and its own guesses. Times are days from the start, a number with a fraction.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from math import exp
from random import Random

import numpy as np
from numpy.typing import NDArray

from trainer.drill.sheet import Sheet
from trainer.engine.actions import Action
from trainer.engine.advice import short_version
from trainer.engine.chart import PREFERENCES, UPCARD_ORDER, Cell
from trainer.engine.lattice import FloatArray
from trainer.engine.rules import Rules

FORGETTERS = ("exponential", "power")
STARTS = ("nothing", "short version")

GUESS_TEMPERATURE = 0.15
SLIP = 0.003
KEEPS_CORRECTION, KEEPS_LUCK = 0.7, 0.4
CONFUSION, LESS_CONFUSED = 0.2, 0.7
READS_OFF_NEIGHBOUR = 0.6
SLOW_WHEN_UNSURE, SLOW_WHEN_SURE, SURE = 0.3, 0.02, 0.8
SAVINGS = 0.3
# Exponential: lifetime in days, what a recall adds to it, what is left of it after a lapse.
LIFETIME, LIFETIME_SPREAD = 2.0, 0.4
GAIN, LEAST_GAIN, LEFT_AFTER_LAPSE = 4.0, 0.1, 0.4
# Power: exponent over tenths of a day, how much a recall takes off it, what a lapse adds.
EXPONENT, EXPONENT_SPREAD, TENTHS = 0.25, 0.25, 10.0
FLATTENS, LEAST_FLATTENS, STEEPER_AFTER_LAPSE = 0.6, 0.02, 1.5


@dataclass(frozen=True, eq=False)
class World:
    """What all learners of one chart and one start have in common, by cell and by move."""

    sheet: Sheet
    start: str

    @classmethod
    @cache
    def of(cls, sheet: Sheet, start: str) -> "World":
        """Worked out once for all learners."""
        return cls(sheet, start)

    @cached_property
    def answers(self) -> list[int]:
        return self.sheet.answers.tolist()

    @cached_property
    def costs(self) -> FloatArray:
        """(cells, moves), zero where a move is not allowed: it is never made."""
        return np.nan_to_num(self.sheet.move_costs)

    @cached_property
    def guesses(self) -> FloatArray:
        """(cells, moves): what someone does who knows nothing: the more a move costs, the less it is guessed."""
        likely = np.nan_to_num(np.exp(-self.sheet.move_costs / GUESS_TEMPERATURE))
        return likely / likely.sum(axis=1, keepdims=True)

    @cached_property
    def defaults(self) -> FloatArray:
        """(cells, moves): what is done where the answer is not recalled."""
        if self.start == "nothing":
            return self.guesses
        chart, order = short_version(Rules()), list(Action)
        chosen = [order.index(PREFERENCES[chart.code(cell)][0]) for cell in self.sheet.cells]
        return np.eye(len(order))[chosen]

    @cached_property
    def running_defaults(self) -> list[list[float]]:
        return np.cumsum(self.defaults, axis=1).tolist()

    @cached_property
    def running_guesses(self) -> list[list[float]]:
        return np.cumsum(self.guesses, axis=1).tolist()

    @cached_property
    def neighbours(self) -> list[list[int]]:
        """The cells that touch a cell on the printed chart."""
        places = {_place(cell): index for index, cell in enumerate(self.sheet.cells)}
        return [[places[near] for near in ((section, row - 1, column), (section, row + 1, column),
                                           (section, row, column - 1), (section, row, column + 1)) if near in places]
                for section, row, column in map(_place, self.sheet.cells)]

    @cached_property
    def mistaken_for(self) -> list[list[int]]:
        """Of each cell, the other answers of the cells that touch it, as moves; repeated as they come."""
        return [[self.answers[near] for near in around if self.answers[near] != self.answers[cell]
                 and not np.isnan(self.sheet.move_costs[cell, self.answers[near]])]
                for cell, around in enumerate(self.neighbours)]

    @cached_property
    def mistaken(self) -> FloatArray:
        """(cells, moves): the distribution of those answers; zero where there are none."""
        counts = np.array([[moves.count(move) for move in range(len(Action))] for moves in self.mistaken_for])
        return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)

    @cached_property
    def read_off(self) -> list[list[tuple[int, int]]]:
        """Of each cell, the neighbours whose answer is allowed there too, and those answers."""
        return [[(near, self.answers[near]) for near in around
                 if not np.isnan(self.sheet.move_costs[cell, self.answers[near]])]
                for cell, around in enumerate(self.neighbours)]

    @cached_property
    def looks(self) -> tuple[NDArray[np.int64], FloatArray]:
        """(cells, 4) neighbours, and (cells, 4, moves) the chance of looking to each by its answer; 0 for none."""
        near, chances = np.zeros((len(self.answers), 4), dtype=np.int64), np.zeros((len(self.answers), 4, len(Action)))
        for cell, found in enumerate(self.read_off):
            for place, (other, move) in enumerate(found):
                near[cell, place] = other
                chances[cell, place, move] = READS_OFF_NEIGHBOUR / len(self.neighbours[cell])
        return near, chances


def _place(cell: Cell) -> tuple[str, int, int]:
    """Section, row and column on the printed chart, where aces come last."""
    row = cell.row if cell.section != "pair" else UPCARD_ORDER.index(cell.row)
    return cell.section, row, UPCARD_ORDER.index(cell.upcard)


class Learner:
    """One person; every chance comes from ``random``."""

    def __init__(self, world: World, forgetter: str, random: Random) -> None:
        cells = len(world.answers)
        self.world, self.is_power, self.random = world, forgetter == "power", random
        self.first = (EXPONENT * random.lognormvariate(0.0, EXPONENT_SPREAD) if self.is_power
                      else LIFETIME * random.lognormvariate(0.0, LIFETIME_SPREAD))
        # A strength of 0 is no memory; else a lifetime in days, or an exponent.
        self.strength, self.last, self.verdicts = [0.0] * cells, [0.0] * cells, [0] * cells
        self._source = ""

    def recall(self, cell: int, now: float) -> float:
        """Chance that the cell's answer comes to mind."""
        strength = self.strength[cell]
        if not strength:
            return 0.0
        passed = now - self.last[cell]
        return (1.0 + TENTHS * passed) ** -strength if self.is_power else exp(-passed / strength)

    def answer(self, cell: int, now: float) -> tuple[int, bool]:
        """The move that is made, and whether it took long."""
        random, world = self.random, self.world
        chance = self.recall(cell, now)
        sure = chance >= SURE
        self._source = "recalled" if random.random() < chance else "guessed"
        is_slow = random.random() < (SLOW_WHEN_SURE if sure and self._source == "recalled" else SLOW_WHEN_UNSURE)
        if random.random() < SLIP:
            return _pick(world.running_guesses[cell], random), is_slow
        if self._source == "guessed":
            return self._without_memory(cell, now), is_slow
        mistaken_for = world.mistaken_for[cell]
        if mistaken_for and random.random() < CONFUSION * LESS_CONFUSED ** self.verdicts[cell]:
            return random.choice(mistaken_for), is_slow
        return world.answers[cell], is_slow

    def _without_memory(self, cell: int, now: float) -> int:
        world, random = self.world, self.random
        if random.random() < READS_OFF_NEIGHBOUR:
            place = random.randrange(len(world.neighbours[cell]))
            allowed = world.read_off[cell]
            if place < len(allowed) and random.random() < self.recall(allowed[place][0], now):
                return allowed[place][1]
        self._source = "default"
        return _pick(world.running_defaults[cell], random)

    def learn(self, cell: int, move: int, now: float) -> bool:
        """See the verdict on the answer just given; whether it was right."""
        is_right = move == self.world.answers[cell]
        if self._source == "recalled":
            if is_right:
                self._strengthen(cell, now)
        elif is_right and self._source == "default" and self.world.start != "nothing":
            return True
        elif self.random.random() < (KEEPS_LUCK if is_right else KEEPS_CORRECTION):
            self._relearn(cell)
        else:
            return is_right
        self.last[cell] = now
        self.verdicts[cell] += 1
        return is_right

    def _strengthen(self, cell: int, now: float) -> None:
        forgotten = 1.0 - self.recall(cell, now)
        if self.is_power:
            self.strength[cell] *= 1.0 - LEAST_FLATTENS - FLATTENS * forgotten
        else:
            self.strength[cell] *= 1.0 + LEAST_GAIN + GAIN * forgotten

    def _relearn(self, cell: int) -> None:
        """Keep a correction; what was learnt and forgotten before comes back stronger."""
        before, savings = self.strength[cell], 1.0 + SAVINGS * self.verdicts[cell]
        if self.is_power:
            self.strength[cell] = min(self.first / savings, (before or self.first) * STEEPER_AFTER_LAPSE)
        else:
            self.strength[cell] = max(self.first * savings, before * LEFT_AFTER_LAPSE)

    def loss_per_100(self, now: float) -> float:
        """EV lost per 100 rounds at the table now, in bets: exact chances of every error x cost x frequency."""
        world = self.world
        strength, passed = np.array(self.strength), now - np.array(self.last)
        lived = np.where(strength > 0, strength, 1.0)
        kept = (1.0 + TENTHS * passed) ** -lived if self.is_power else np.exp(-passed / lived)
        known = np.where(strength > 0, kept, 0.0)
        confused = np.where(world.mistaken.any(axis=1),
                            CONFUSION * LESS_CONFUSED ** np.array(self.verdicts, dtype=float), 0.0)
        near, chances = world.looks
        moves = (known * confused)[:, None] * world.mistaken
        unknown = (known[near][:, :, None] * chances).sum(axis=1)
        unknown += (1.0 - unknown.sum(axis=1))[:, None] * world.defaults
        # Recalled and not mistaken is right, and costs nothing.
        moves += (1.0 - known)[:, None] * unknown
        moves = (1.0 - SLIP) * moves + SLIP * world.guesses
        return 100.0 * float(world.sheet.frequency @ (moves * world.costs).sum(axis=1))


def _pick(running: list[float], random: Random) -> int:
    chance = random.random() * running[-1]
    return next(place for place, bound in enumerate(running) if chance < bound)
