"""Users as tests need them: what they answered, and where that leaves them."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from random import Random

from trainer.drill.mastery import Kept
from trainer.drill.memory import Recall, remember
from trainer.drill.practice import Practice
from trainer.engine.chart import Cell

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
R, W, S = Recall.RIGHT, Recall.WRONG, Recall.SLOW


def answered(practice: Practice, cell: Cell, *recalls: Recall, at: datetime = START) -> Practice:
    """The practice after answers to one cell, seconds apart."""
    place = practice.sheet.index[cell]
    for number, recall in enumerate(recalls):
        memory = remember(practice.memories[place], recall, at + timedelta(seconds=5 * number))
        practice = practice.with_memory(place, memory)
    return practice


def some_user(practice: Practice, seed: int, answers: int = 300, right: float = 0.7) -> Practice:
    """A user who answered cells at random."""
    random = Random(seed)
    for number in range(answers):
        recall = R if random.random() < right else W
        practice = answered(practice, random.choice(practice.sheet.cells), recall,
                            at=START + timedelta(hours=number / 4))
    return practice


def kept_in(answers: Iterable[tuple[datetime, Cell, bool]]) -> Kept:
    """What was kept after a day or more, from a history in the order of time, hinted answers left out.

    An answer counts where the one before to the same cell was at least 24 hours earlier, so the first after such a
    pause counts and those that follow it do not.
    """
    seen: dict[Cell, datetime] = {}
    asked = right = 0
    for when, cell, is_right in answers:
        if cell in seen and when - seen[cell] >= timedelta(hours=24):
            asked, right = asked + 1, right + is_right
        seen[cell] = when
    return Kept(asked, right)
