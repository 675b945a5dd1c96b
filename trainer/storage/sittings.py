"""Practice sessions: the running figures of one sitting."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, func, insert, literal, select, tuple_, update

from trainer.drill import timing
from trainer.storage.database import UtcDateTime
from trainer.storage.decisions import NewDecision
from trainer.storage.models import Decision, PracticeSession, User, table_of

_SITTINGS, _USERS, _DECISIONS = table_of(PracticeSession), table_of(User), table_of(Decision)
_LATEST = select(_SITTINGS).where(_SITTINGS.c.user_id == bindparam("user_id")).order_by(_SITTINGS.c.id.desc()).limit(1)
_OWN = select(_SITTINGS).join(_USERS, _USERS.c.id == _SITTINGS.c.user_id).where(
    _USERS.c.visitor == bindparam("visitor"))
_FIND = _OWN.where(_SITTINGS.c.id == bindparam("which"))
_OWN_LATEST = _OWN.order_by(_SITTINGS.c.id.desc()).limit(1)
_BEGUN = select(_SITTINGS).where(
    _SITTINGS.c.user_id == bindparam("user_id"), _SITTINGS.c.started_at.in_(bindparam("moments", expanding=True)))
_OF_SITTING = _DECISIONS.c.session_id == bindparam("session_id")
_LAST_MISTAKE = select(_DECISIONS.c.created_at, _DECISIONS.c.id).where(_OF_SITTING, _DECISIONS.c.is_mistake).order_by(
    _DECISIONS.c.created_at.desc(), _DECISIONS.c.id.desc()).limit(1)
_RIGHT = select(func.count()).where(_OF_SITTING, _DECISIONS.c.is_right, ~_DECISIONS.c.is_hinted)
_AT_A_TIME = 500
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


def current_sitting(connection: Connection, visitor: str, since: datetime) -> Sitting | None:
    """The visitor's practice session that is not ended and was active after ``since``."""
    return _running(_one(connection, _OWN_LATEST, visitor=visitor), since)


def find_sitting(connection: Connection, visitor: str, sitting_id: int) -> Sitting | None:
    """One of the visitor's own practice sessions."""
    return _one(connection, _FIND, visitor=visitor, which=sitting_id)


def ensure_sitting(connection: Connection, user_id: int, now: datetime, since: datetime) -> Sitting:
    """The user's running practice session, a new one where the last is over."""
    found = _running(_one(connection, _LATEST, user_id=user_id), since)
    if found:
        return found
    return _start(connection, user_id, now, is_ended=False)


def _start(connection: Connection, user_id: int, now: datetime, *, is_ended: bool) -> Sitting:
    key = connection.execute(_START, {
        "user_id": user_id, "started_at": now, "last_at": now, "is_ended": is_ended, "hands": 0, "right": 0,
        "hinted": 0, "streak": 0, "ev_lost": 0.0, "times": "",
    }).scalar_one()
    return Sitting(int(key), now, now, is_ended=is_ended, hands=0, right=0, hinted=0, streak=0, ev_lost=0.0, times={})


def count_in_sitting(connection: Connection, sitting: Sitting, new: NewDecision) -> Sitting:
    """Add one answer to its practice session; its figures after that."""
    counted = _with(sitting, new)
    save_sitting(connection, counted)
    return counted


def sittings_begun(connection: Connection, user_id: int, begun: Mapping[datetime, bool]) -> dict[datetime, Sitting]:
    """A user's practice sessions by when they began, made where there are none; ``begun`` says which are over."""
    moments = sorted(begun)
    found: dict[datetime, Sitting] = {}
    for first in range(0, len(moments), _AT_A_TIME):
        rows = connection.execute(_BEGUN, {"user_id": user_id, "moments": moments[first : first + _AT_A_TIME]})
        found |= {row.started_at: _sitting(row) for row in rows}
    for moment in moments:
        if moment not in found:
            found[moment] = _start(connection, user_id, moment, is_ended=begun[moment])
    return found


def add_to_sitting(connection: Connection, sitting: Sitting, news: Sequence[NewDecision]) -> None:
    """Add answers, which are stored, to their practice session, whenever they were given."""
    after, is_in_order = sitting, True
    for new in news:
        is_in_order = is_in_order and new.created_at >= after.last_at
        after = replace(_with(after, new), last_at=max(after.last_at, new.created_at))
    if not is_in_order:
        after = replace(after, streak=_streak(connection, sitting.id))
    save_sitting(connection, after)


def save_sitting(connection: Connection, sitting: Sitting) -> None:
    """Keep the figures of a practice session."""
    connection.execute(_UPDATE, {
        "which": sitting.id, "last_at": sitting.last_at, "hands": sitting.hands, "right": sitting.right,
        "hinted": sitting.hinted, "streak": sitting.streak, "ev_lost": sitting.ev_lost,
        "times": timing.to_text(sitting.times),
    })


def _streak(connection: Connection, sitting_id: int) -> int:
    """Right answers since the last mistake of a practice session, counted in its history."""
    missed = connection.execute(_LAST_MISTAKE, {"session_id": sitting_id}).one_or_none()
    since = () if missed is None else (tuple_(_DECISIONS.c.created_at, _DECISIONS.c.id) > tuple_(
        literal(missed.created_at, UtcDateTime), literal(missed.id)),)
    return connection.execute(_RIGHT.where(*since), {"session_id": sitting_id}).scalar_one()


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


def end_sitting(connection: Connection, sitting_id: int) -> None:
    """Close a practice session; the next answer opens another."""
    connection.execute(_UPDATE, {"which": sitting_id, "is_ended": True})


def _running(latest: Sitting | None, since: datetime) -> Sitting | None:
    """Only the latest can be running: another one starts when the one before is over."""
    return latest if latest and not latest.is_ended and latest.last_at >= since else None


def _one(connection: Connection, query: Select[*tuple[Any, ...]], **parameters: object) -> Sitting | None:
    row = connection.execute(query, parameters).one_or_none()
    return _sitting(row) if row else None


def _sitting(row: Row[*tuple[Any, ...]]) -> Sitting:
    return Sitting(row.id, row.started_at, row.last_at, row.is_ended, row.hands, row.right, row.hinted,
                   row.streak, row.ev_lost, timing.from_text(row.times))
