"""Users as tests need them: what they answered, and where that leaves them."""

from datetime import UTC, datetime, timedelta
from random import Random

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
