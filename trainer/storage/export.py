"""Everything of one user's, as plain values to be written out; read in parts, so that a long history fits."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import RowMapping, func, select
from sqlalchemy.orm import Session

from trainer.storage.models import Decision, PracticeSession, Question, RuleSet, table_of

_DECISIONS, _SITTINGS = table_of(Decision), table_of(PracticeSession)
_QUESTIONS, _RULE_SETS = table_of(Question), table_of(RuleSet)
_HAND = ("token", "plan", "position", "cards", "upcard", "tens_left", "cards_left", "is_hinted")
_SITTING = ("id", "hands", "right", "hinted", "streak", "ev_lost", "is_ended")
_DECISION = (*_HAND, "kind", "mode", "category", "row", "chosen", "chart_move", "exact_move", "ev_cost", "grading",
             "is_right", "is_slow", "time_ms")


def last_decision_id(session: Session, user_id: int) -> int:
    """Where a user's history ends now; 0 where there is none."""
    wanted = select(func.max(_DECISIONS.c.id)).where(_DECISIONS.c.user_id == user_id)
    return session.execute(wanted).scalar_one() or 0


def part_of_decisions(session: Session, user_id: int, after: int, last: int, size: int) -> Sequence[RowMapping]:
    """Up to ``size`` decisions of a user behind the id ``after`` and not behind ``last``, oldest first."""
    wanted = select(_DECISIONS, _RULE_SETS.c.rule_set_hash).join(
        _RULE_SETS, _RULE_SETS.c.id == _DECISIONS.c.rule_set_id,
    ).where(_DECISIONS.c.user_id == user_id, _DECISIONS.c.id > after, _DECISIONS.c.id <= last)
    return session.execute(wanted.order_by(_DECISIONS.c.id).limit(size)).mappings().all()


def decision_values(row: RowMapping) -> dict[str, Any]:
    """One decision by the names of the export."""
    return {name: row[name] for name in _DECISION} | {
        "rules": row["rule_set_hash"], "sitting": row["session_id"], "legal": row["legal"].split(","),
        "evs": json.loads(row["evs"]), "day": row["day"].isoformat(), "answered_at": _stamp(row["created_at"]),
    }


def sitting_values(session: Session, user_id: int) -> list[dict[str, Any]]:
    """Every practice session of a user, oldest first."""
    rows = session.execute(select(_SITTINGS).where(_SITTINGS.c.user_id == user_id).order_by(_SITTINGS.c.id))
    return [{name: row[name] for name in _SITTING} | {
        "started_at": _stamp(row["started_at"]), "last_at": _stamp(row["last_at"])} for row in rows.mappings()]


def open_hand_values(session: Session, visitor: str) -> list[dict[str, Any]]:
    """The hands that wait for a visitor's answer, oldest first."""
    rows = session.execute(select(_QUESTIONS, _RULE_SETS.c.rule_set_hash).join(
        _RULE_SETS, _RULE_SETS.c.id == _QUESTIONS.c.rule_set_id,
    ).where(_QUESTIONS.c.visitor == visitor).order_by(_QUESTIONS.c.dealt_at, _QUESTIONS.c.token))
    return [{name: row[name] for name in _HAND} | {
        "rules": row["rule_set_hash"], "dealt_at": _stamp(row["dealt_at"])} for row in rows.mappings()]


def rule_set_values(session: Session, hashes: Iterable[str]) -> Mapping[str, Any]:
    """Rule sets by hash, as the export spells them out."""
    rows = session.execute(select(_RULE_SETS.c.rule_set_hash, _RULE_SETS.c.rules).where(
        _RULE_SETS.c.rule_set_hash.in_(list(hashes))).order_by(_RULE_SETS.c.rule_set_hash))
    return {row.rule_set_hash: json.loads(row.rules) for row in rows}


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()
