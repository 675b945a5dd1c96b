"""Practice sessions: the running figures of one sitting."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, bindparam, insert, select, update
from sqlalchemy.orm import Session

from trainer.drill import timing
from trainer.storage.decisions import NewDecision
from trainer.storage.models import PracticeSession, User, table_of

_SITTINGS, _USERS = table_of(PracticeSession), table_of(User)
_LATEST = select(_SITTINGS).where(_SITTINGS.c.user_id == bindparam("user_id")).order_by(_SITTINGS.c.id.desc()).limit(1)
_OWN = select(_SITTINGS).join(_USERS, _USERS.c.id == _SITTINGS.c.user_id).where(
    _USERS.c.visitor == bindparam("visitor"))
_FIND = _OWN.where(_SITTINGS.c.id == bindparam("which"))
_OWN_LATEST = _OWN.order_by(_SITTINGS.c.id.desc()).limit(1)
_START = insert(_SITTINGS).returning(_SITTINGS.c.id)
_UPDATE = update(_SITTINGS).where(_SITTINGS.c.id == bindparam("which"))


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
    return _running(_one(session, _OWN_LATEST, visitor=visitor), since)


def find_sitting(session: Session, visitor: str, sitting_id: int) -> Sitting | None:
    """One of the visitor's own practice sessions."""
    return _one(session, _FIND, visitor=visitor, which=sitting_id)


def ensure_sitting(session: Session, user_id: int, now: datetime, since: datetime) -> Sitting:
    """The user's running practice session, a new one where the last is over."""
    found = _running(_one(session, _LATEST, user_id=user_id), since)
    if found:
        return found
    key = session.execute(_START, {
        "user_id": user_id, "started_at": now, "last_at": now, "is_ended": False, "hands": 0, "right": 0,
        "hinted": 0, "streak": 0, "ev_lost": 0.0, "times": "",
    }).scalar_one()
    return Sitting(int(key), now, now, is_ended=False, hands=0, right=0, hinted=0, streak=0, ev_lost=0.0, times={})


def count_in_sitting(session: Session, sitting: Sitting, new: NewDecision) -> Sitting:
    """Add one answer to its practice session; its figures after that."""
    counted = _with(sitting, new)
    session.execute(_UPDATE, {
        "which": counted.id, "last_at": counted.last_at, "hands": counted.hands, "right": counted.right,
        "hinted": counted.hinted, "streak": counted.streak, "ev_lost": counted.ev_lost,
        "times": timing.to_text(counted.times),
    })
    return counted


def _with(sitting: Sitting, new: NewDecision) -> Sitting:
    sitting = replace(sitting, last_at=new.created_at, hands=sitting.hands + 1)
    if new.is_hinted:
        return replace(sitting, hinted=sitting.hinted + 1)
    is_right = new.grade.is_right
    return replace(
        sitting,
        right=sitting.right + is_right,
        streak=sitting.streak + 1 if is_right else 0,
        ev_lost=sitting.ev_lost + (0.0 if is_right else new.grade.ev_cost),
        times=sitting.times if new.seconds is None else timing.add(sitting.times, new.seconds),
    )


def end_sitting(session: Session, sitting_id: int) -> None:
    """Close a practice session; the next answer opens another."""
    session.execute(_UPDATE, {"which": sitting_id, "is_ended": True})


def _running(latest: Sitting | None, since: datetime) -> Sitting | None:
    """Only the latest can be running: another one starts when the one before is over."""
    return latest if latest and not latest.is_ended and latest.last_at >= since else None


def _one(session: Session, query: Select[*tuple[Any, ...]], **parameters: object) -> Sitting | None:
    row = session.execute(query, parameters).one_or_none()
    return _sitting(row) if row else None


def _sitting(row: Row[*tuple[Any, ...]]) -> Sitting:
    return Sitting(row.id, row.started_at, row.last_at, row.is_ended, row.hands, row.right, row.hinted,
                   row.streak, row.ev_lost, timing.from_text(row.times))
