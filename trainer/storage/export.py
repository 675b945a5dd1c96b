"""Everything of one user's, as plain values to be written out; read in parts, so that a long history fits."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, func, select

from trainer.storage.goals import ALL_GOAL_DAYS, goal_days
from trainer.storage.memories import all_memories
from trainer.storage.models import Decision, PracticeSession, Question, RuleSet, Run, SavedRules, table_of

_DECISIONS, _SITTINGS, _RUNS = table_of(Decision), table_of(PracticeSession), table_of(Run)
_QUESTIONS, _RULE_SETS, _SAVED = table_of(Question), table_of(RuleSet), table_of(SavedRules)
_HAND = ("token", "plan", "position", "cards", "upcard", "tens_left", "cards_left", "is_hinted", "kind")
_SITTING = ("id", "hands", "right", "hinted", "streak", "ev_lost", "is_ended")
_DECISION = (*_HAND, "mode", "category", "row", "chosen", "chart_move", "exact_move", "ev_cost", "grading",
             "is_right", "is_slow", "time_ms")
_AT_A_TIME = 500
_RUN = ("mode", "is_ended", "answers", "right", "score")


def last_decision_id(connection: Connection, user_id: int) -> int:
    """Where a user's history ends now; 0 where there is none."""
    wanted = select(func.max(_DECISIONS.c.id)).where(_DECISIONS.c.user_id == user_id)
    return connection.execute(wanted).scalar_one() or 0


def part_of_decisions(
    connection: Connection, user_id: int, after: int, last: int, size: int, at_tables: bool | None = None
) -> Sequence[RowMapping]:
    """Up to ``size`` decisions of a user behind the id ``after`` and not behind ``last``, oldest first.

    ``at_tables``: those made at tables, or those made elsewhere; by default all.
    """
    wanted = select(_DECISIONS, _RULE_SETS.c.rule_set_hash).join(
        _RULE_SETS, _RULE_SETS.c.id == _DECISIONS.c.rule_set_id,
    ).where(_DECISIONS.c.user_id == user_id, _DECISIONS.c.id > after, _DECISIONS.c.id <= last)
    if at_tables is not None:
        wanted = wanted.where(_DECISIONS.c.seen.is_not(None) if at_tables else _DECISIONS.c.seen.is_(None))
    return connection.execute(wanted.order_by(_DECISIONS.c.id).limit(size)).mappings().all()


def decision_values(row: RowMapping) -> dict[str, Any]:
    """One decision by the names of the export."""
    return {name: row[name] for name in _DECISION} | {
        "rules": row["rule_set_hash"], "sitting": row["session_id"], "legal": row["legal"].split(","),
        "evs": json.loads(row["evs"]), "day": row["day"].isoformat(), "answered_at": _stamp(row["created_at"]),
    }


def table_decision_values(row: RowMapping) -> dict[str, Any]:
    """One decision made at a table, with the other cards in view."""
    return decision_values(row) | {"seen": row["seen"]}


def sitting_values(connection: Connection, user_id: int) -> list[dict[str, Any]]:
    """Every practice session of a user, oldest first."""
    rows = connection.execute(select(_SITTINGS).where(_SITTINGS.c.user_id == user_id).order_by(_SITTINGS.c.id))
    return [{name: row[name] for name in _SITTING} | {
        "started_at": _stamp(row["started_at"]), "last_at": _stamp(row["last_at"])} for row in rows.mappings()]


def open_hand_values(connection: Connection, visitor: str) -> list[dict[str, Any]]:
    """The hands that wait for a visitor's answer, oldest first."""
    rows = connection.execute(select(_QUESTIONS, _RULE_SETS.c.rule_set_hash).join(
        _RULE_SETS, _RULE_SETS.c.id == _QUESTIONS.c.rule_set_id,
    ).where(_QUESTIONS.c.visitor == visitor).order_by(_QUESTIONS.c.dealt_at, _QUESTIONS.c.token))
    return [{name: row[name] for name in _HAND} | {
        "rules": row["rule_set_hash"], "dealt_at": _stamp(row["dealt_at"])} for row in rows.mappings()]


def memory_values(connection: Connection, user_id: int) -> list[dict[str, Any]]:
    """What a user remembers of every cell that was ever answered, in the order of charts and cells."""
    found = all_memories(connection, user_id)
    return [{"strategy": strategy, "section": cell.section, "row": cell.row, "upcard": cell.upcard,
             **found[strategy, cell].to_dict()}
            for strategy, cell in sorted(found, key=lambda place: (place[0], *asdict(place[1]).values()))]


def run_values(connection: Connection, user_id: int) -> list[dict[str, Any]]:
    """Every streak and sprint of a user, oldest first."""
    rows = connection.execute(select(_RUNS).where(_RUNS.c.user_id == user_id).order_by(_RUNS.c.started_at, _RUNS.c.id))
    return [{name: row[name] for name in _RUN} | {
        "strategy": row["strategy_hash"], "started_at": _stamp(row["started_at"])} for row in rows.mappings()]


def goal_day_values(connection: Connection, user_id: int) -> list[dict[str, Any]]:
    """Every day on which a user had a daily goal, oldest first."""
    return [asdict(each) | {"day": each.day.isoformat()}
            for each in reversed(goal_days(connection, user_id, ALL_GOAL_DAYS))]


def saved_rule_values(connection: Connection, user_id: int) -> list[dict[str, Any]]:
    """The rule sets that a user keeps under names of their own, by name."""
    rows = connection.execute(select(_SAVED.c.name, _SAVED.c.created_at, _RULE_SETS.c.rule_set_hash).join(
        _RULE_SETS, _RULE_SETS.c.id == _SAVED.c.rule_set_id,
    ).where(_SAVED.c.user_id == user_id).order_by(_SAVED.c.name_key))
    return [{"name": row.name, "rules": row.rule_set_hash, "saved_at": _stamp(row.created_at)} for row in rows]


def rule_set_values(connection: Connection, hashes: Iterable[str]) -> Mapping[str, Any]:
    """Rule sets by hash, as the export spells them out."""
    wanted = sorted(hashes)
    found: dict[str, Any] = {}
    for first in range(0, len(wanted), _AT_A_TIME):
        rows = connection.execute(select(_RULE_SETS.c.rule_set_hash, _RULE_SETS.c.rules).where(
            _RULE_SETS.c.rule_set_hash.in_(wanted[first : first + _AT_A_TIME])).order_by(_RULE_SETS.c.rule_set_hash))
        found |= {row.rule_set_hash: json.loads(row.rules) for row in rows}
    return found


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()
