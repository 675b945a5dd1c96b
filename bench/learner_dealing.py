"""The ways of dealing that simulated learners are put through; those that adapt are the trainer's own code."""

from datetime import UTC, datetime, timedelta
from functools import cache
from random import Random

import numpy as np

from trainer.drill.memory import recall_of, remember
from trainer.drill.mix import default_mode, pick
from trainer.drill.plan import Mode
from trainer.drill.pool import cell_of_candidate, first_hands
from trainer.drill.practice import Practice
from trainer.drill.sheet import Sheet, sheet_of
from trainer.drill.weak import draw
from trainer.engine.chart import SECTIONS
from trainer.engine.lattice import FloatArray
from trainer.engine.presets import RULE_SETS
from trainer.engine.strategy import Strategy, derive

RANDOM, FOCUS, WEAK, REVIEW, MIX = "random", "focus by category in turn", "weak spots", "review", "default mix"
DEALERS = (RANDOM, FOCUS, WEAK, REVIEW, MIX)
SECONDS_A_HAND = 5
_START = datetime(2026, 1, 1, 18, tzinfo=UTC)
_MODES = {WEAK: Mode.WEAK_SPOTS, REVIEW: Mode.REVIEW}


@cache
def strategy() -> Strategy:
    """The default game's."""
    return derive(RULE_SETS["hall-of-thoth"])


@cache
def first_hand_chances() -> FloatArray:
    """(cells,): how often two-card hands come, as the drill deals all hands."""
    sheet = sheet_of(strategy())
    chances = np.zeros(len(sheet.cells))
    for candidate, chance in first_hands(strategy()):
        chances[sheet.index[cell_of_candidate(strategy(), candidate)]] += chance
    return chances


class Dealer:
    """Deals cells to one learner, by a way of dealing, and keeps what the trainer keeps."""

    def __init__(self, name: str, seed: int) -> None:
        self.name, self.random = name, Random(seed)
        self.sheet: Sheet = sheet_of(strategy())
        self._practice = Practice.of(self.sheet)
        self._by_section = [np.array([float(cell.section == section) for cell in self.sheet.cells])
                            for section in SECTIONS]
        self._now, self._last, self._hands = _START, None, 0

    def next(self, day: int, hand: int) -> int:
        """The place of the cell to be asked as the ``hand``-th of a day."""
        self._now = _START + timedelta(days=day, seconds=hand * SECONDS_A_HAND)
        if self.name == FOCUS:
            return draw(self._by_section[day % len(SECTIONS)], self.random)
        place = None
        if self.name != RANDOM:
            place = self._adapted()
        return draw(first_hand_chances(), self.random) if place is None else place

    def note(self, place: int, is_right: bool, is_slow: bool) -> None:
        """Keep the answer in memory, for what adapts."""
        self._last, self._hands = self.sheet.cells[place], self._hands + 1
        if self.name in (RANDOM, FOCUS):
            return
        recall = recall_of(is_right=is_right, is_slow=is_slow)
        self._practice = self._practice.with_memory(place, remember(self._practice.memories[place], recall, self._now))

    def _adapted(self) -> int | None:
        mode = _MODES.get(self.name) or default_mode(self._hands)
        if mode is Mode.MIXED:
            return None
        chosen = pick(self._practice, mode, self._now, self.random, self._last)
        return self.sheet.index[chosen.cell] if chosen and chosen.cell else None
