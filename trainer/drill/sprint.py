"""The sprint: as many points as one can make in a minute, on the server's clock."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Self

from trainer.drill.grade import Grade, Judgement
from trainer.engine.errors import EngineError

SPRINT_TIME = timedelta(seconds=60)
_POINTS_A_BET = 100.0


class SprintOverError(EngineError):
    """An answer that came after the minute; it does not count."""


def points(judgement: Judgement, grade: Grade) -> float:
    """What an answer scores: right, 100 times by how much the best move beats the second best; wrong, -100 its cost.

    Both in bets, by the EVs of these very cards. A move that is right by either table is right.
    """
    return _POINTS_A_BET * (judgement.gap if grade.is_right else -grade.ev_cost)


@dataclass(frozen=True)
class Sprint:
    """A sprint so far; plain values. ``score`` is the sum of the points of its answers."""

    started_at: datetime
    answers: int = 0
    right: int = 0
    score: float = 0.0

    def seconds_left(self, now: datetime) -> float:
        """How long it still goes on; 0 once it is over."""
        return max((self.started_at + SPRINT_TIME - now).total_seconds(), 0.0)

    def is_over(self, now: datetime) -> bool:
        return now > self.started_at + SPRINT_TIME

    def with_answer(self, judgement: Judgement, grade: Grade, now: datetime) -> "Sprint":
        """The sprint after an answer that came at ``now``; ``SprintOverError`` after the minute."""
        if self.is_over(now):
            raise SprintOverError("the minute was over before this answer came; it does not count")
        return replace(self, answers=self.answers + 1, right=self.right + grade.is_right,
                       score=self.score + points(judgement, grade))

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it; :meth:`from_dict` is the inverse."""
        return asdict(self) | {"started_at": self.started_at.isoformat()}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what :meth:`to_dict` wrote."""
        return cls(**{**values, "started_at": datetime.fromisoformat(values["started_at"]).astimezone(UTC)})
