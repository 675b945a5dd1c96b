"""One user's memory of one chart cell: FSRS's card, and the little record that practice needs beside it.

A row is kept for each user, strategy hash and cell. An insurance decision is no cell: its answer hangs on the cards
left and is worked out anew each time, so there is nothing to be forgotten and it has no memory here.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Any, Self

from fsrs import Card, Rating, Scheduler, State

# Three right answers in a row take a cell out of the weak spots.
KNOWN_RUN = 3
# Each further answer counts this much of what it did for the recent record: about the last five answers matter.
FADES = 0.8
KEPT_AFTER = timedelta(hours=24)

_SCHEDULER = Scheduler(
    desired_retention=0.95,
    learning_steps=(timedelta(minutes=1), timedelta(minutes=10)),
    relearning_steps=(timedelta(minutes=10),),
    maximum_interval=365,
    # The same answers at the same times give the same memory; fuzz would draw from the global generator.
    enable_fuzzing=False,
)


class Recall(Enum):
    """How an answer counts for memory: FSRS's Again, Hard and Good; a hinted one does not count."""

    WRONG = Rating.Again
    SLOW = Rating.Hard
    RIGHT = Rating.Good
    HINTED = None


def recall_of(*, is_right: bool, is_slow: bool = False, is_hinted: bool = False) -> Recall:
    """What an answer was; ``is_slow`` as :func:`trainer.drill.timing.is_slow` has it, by the user's own times.

    >>> recall_of(is_right=True, is_slow=True).name, recall_of(is_right=False, is_slow=True).name
    ('SLOW', 'WRONG')
    """
    if is_hinted:
        return Recall.HINTED
    if not is_right:
        return Recall.WRONG
    return Recall.SLOW if is_slow else Recall.RIGHT


@dataclass(frozen=True)
class Memory:
    """What is kept of one cell after its first answer; plain values, times in UTC.

    ``state`` (FSRS's learning, review, relearning: 1, 2, 3), ``step`` (none in review), ``stability`` in days and
    ``difficulty`` (1 to 10) are the card's, ``due`` and ``answered_at`` its next and last review. ``seen_at``: when
    its answer was last shown, by a verdict or a hint. ``is_first_right``: whether the very first answer was right.
    ``run``: right answers in a row up to now. ``recent`` and ``recent_wrong``: answers and wrong ones, each counted
    :data:`FADES` less with every answer since. ``kept_asked`` and ``kept_right``: answers at least a day after
    ``seen_at``, and how many of them were right.
    """

    state: int
    step: int | None
    stability: float
    difficulty: float
    due: datetime
    answered_at: datetime
    seen_at: datetime
    is_first_right: bool
    run: int = 0
    recent: float = 0.0
    recent_wrong: float = 0.0
    kept_asked: int = 0
    kept_right: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON has it, times as text; :meth:`from_dict` is the inverse."""
        return {name: value.isoformat() if isinstance(value, datetime) else value
                for name, value in asdict(self).items()}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what :meth:`to_dict` wrote."""
        times = {name: datetime.fromisoformat(values[name]).astimezone(UTC)
                 for name in ("due", "answered_at", "seen_at")}
        return cls(**{**values, **times})


def remember(memory: Memory | None, recall: Recall, now: datetime) -> Memory | None:
    """The memory after one more answer at ``now``; ``None`` stays for a cell that was never answered.

    The same arguments give the same memory. ``now`` is any aware time; one before the last answer counts as that.
    A hint only moves ``seen_at``. ``ValueError`` for a naive time.
    """
    now = _as_utc(now)
    if memory:
        now = max(now, memory.seen_at)
    if recall is Recall.HINTED:
        return replace(memory, seen_at=now) if memory else None
    card, _ = _SCHEDULER.review_card(_card(memory, now), recall.value, now)
    is_right = recall is not Recall.WRONG
    before = memory or Memory(0, 0, 0.0, 0.0, now, now, now, is_right)
    is_kept_test = memory is not None and is_after_a_day(memory.seen_at, now)
    return Memory(
        int(card.state), card.step, float(card.stability or 0.0), float(card.difficulty or 0.0), card.due, now, now,
        before.is_first_right, before.run + 1 if is_right else 0,
        FADES * before.recent + 1.0, FADES * before.recent_wrong + (not is_right),
        before.kept_asked + is_kept_test, before.kept_right + (is_kept_test and is_right),
    )


def retrievability(memory: Memory, now: datetime) -> float:
    """Chance, by FSRS, that the answer is still recalled; 1 on the day of the last one, as whole days count."""
    return float(_SCHEDULER.get_card_retrievability(_card(memory, now), max(_as_utc(now), memory.answered_at)))


def is_due(memory: Memory, now: datetime) -> bool:
    """Whether the cell is to be reviewed."""
    return memory.due <= now


def is_after_a_day(seen_at: datetime | None, now: datetime) -> bool:
    """Whether an answer at ``now`` shows what was kept: the answer was last seen at least 24 hours before.

    A first answer ever shows nothing: there was nothing to keep.
    """
    return seen_at is not None and now - seen_at >= KEPT_AFTER


def _card(memory: Memory | None, now: datetime) -> Card:
    # A card without an id would sleep to get one.
    if memory is None:
        return Card(card_id=0, due=now)
    return Card(0, State(memory.state), memory.step, memory.stability, memory.difficulty, memory.due,
                memory.answered_at)


def _as_utc(now: datetime) -> datetime:
    if now.tzinfo is None:
        raise ValueError(f"{now} has no time zone")
    return now.astimezone(UTC)
