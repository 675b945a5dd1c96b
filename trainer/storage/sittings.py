"""Practice sessions: the running figures of one sitting."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, insert, select, update
from sqlalchemy.orm import Session

from trainer.drill import timing
from trainer.storage.decisions import NewDecision
from trainer.storage.models import PracticeSession, User


@dataclass(frozen=True)
class Sitting:
    """Figures of one practice session, as the strip above the hand shows them."""

    id: int
    started_at: datetime
    last_at: datetime
    is_ended: bool
    hands: int
    right: int
    hinted: int
    streak: int
    ev_lost: float
    times: timing.Histogram

    @property
    def decided(self) -> int:
        """Hands that count for accuracy."""
        return self.hands - self.hinted


def current_sitting(session: Session, visitor: str, since: datetime) -> Sitting | None:
    """The visitor's practice session that is not ended and was active after ``since``."""
    return _one(session, _sittings(visitor).where(
        PracticeSession.is_ended.is_(False), PracticeSession.last_at >= since,
    ).order_by(PracticeSession.id.desc()).limit(1))


def find_sitting(session: Session, visitor: str, sitting_id: int) -> Sitting | None:
    """One of the visitor's own practice sessions."""
    return _one(session, _sittings(visitor).where(PracticeSession.id == sitting_id))


def ensure_sitting(session: Session, user_id: int, visitor: str, now: datetime, since: datetime) -> int:
    """The id of the running practice session, a new one where the last is over."""
    found = current_sitting(session, visitor, since)
    if found:
        return found.id
    return session.execute(insert(PracticeSession).values(user_id=user_id, started_at=now, last_at=now)
                           .returning(PracticeSession.id)).scalar_one()


def count_in_sitting(session: Session, new: NewDecision) -> None:
    """Add one answer to its practice session."""
    row = session.execute(select(PracticeSession).where(PracticeSession.id == new.session_id)).scalar_one()
    row.last_at = new.created_at
    row.hands += 1
    if new.is_hinted:
        row.hinted += 1
        return
    row.right += new.grade.is_right
    row.streak = row.streak + 1 if new.grade.is_right else 0
    row.ev_lost += 0.0 if new.grade.is_right else new.grade.ev_cost
    if new.seconds is not None:
        row.times = timing.to_text(timing.add(timing.from_text(row.times), new.seconds))


def end_sitting(session: Session, sitting_id: int) -> None:
    """Close a practice session; the next answer opens another."""
    session.execute(update(PracticeSession).where(PracticeSession.id == sitting_id).values(is_ended=True))


def _sittings(visitor: str) -> Select[PracticeSession]:
    return select(PracticeSession).join(User, User.id == PracticeSession.user_id).where(User.visitor == visitor)


def _one(session: Session, query: Select[PracticeSession]) -> Sitting | None:
    row = session.execute(query).scalar_one_or_none()
    if row is None:
        return None
    return Sitting(row.id, row.started_at, row.last_at, row.is_ended, row.hands, row.right, row.hinted,
                   row.streak, row.ev_lost, timing.from_text(row.times))
