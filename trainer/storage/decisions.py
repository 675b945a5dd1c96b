"""The history: answers as they were given."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, insert, select

from trainer.drill.grade import Grade, Judgement
from trainer.drill.plan import RUN_MODES
from trainer.drill.situation import Situation
from trainer.engine.chart import Cell
from trainer.storage.models import Decision, Question, RuleSet, User, table_of
from trainer.storage.questions import situation_of

DECISIONS, _RULE_SETS, _USERS = table_of(Decision), table_of(RuleSet), table_of(User)
_QUESTIONS = table_of(Question)
_WITH_RULES = select(DECISIONS, _RULE_SETS.c.rules).join(_RULE_SETS, _RULE_SETS.c.id == DECISIONS.c.rule_set_id)
_OWN = _WITH_RULES.join(_USERS, _USERS.c.id == DECISIONS.c.user_id).where(
    DECISIONS.c.token == bindparam("token"), _USERS.c.visitor == bindparam("visitor"))
_OF_SESSION = _WITH_RULES.where(DECISIONS.c.session_id == bindparam("session_id")).order_by(DECISIONS.c.id)
_LAST = _WITH_RULES.where(DECISIONS.c.user_id == bindparam("user_id")).order_by(DECISIONS.c.id.desc()).limit(1)
_ADD_MANY = insert(DECISIONS)
_ADD = _ADD_MANY.returning(DECISIONS.c.id)
_OWNERS = select(DECISIONS.c.token, DECISIONS.c.user_id).where(
    DECISIONS.c.token.in_(bindparam("tokens", expanding=True)))
_OPEN_TOKENS = select(_QUESTIONS.c.token).where(_QUESTIONS.c.token.in_(bindparam("tokens", expanding=True)))
_OF_RUNS = _WITH_RULES.add_columns(_RULE_SETS.c.strategy_hash).where(
    DECISIONS.c.user_id == bindparam("user_id"), DECISIONS.c.mode.in_([str(mode) for mode in sorted(RUN_MODES)]),
).order_by(DECISIONS.c.created_at, DECISIONS.c.id)
_AT_A_TIME = 1_000

DecisionQuery = Select[*tuple[Any, ...]]


@dataclass(frozen=True)
class NewDecision:
    """An answer about to be stored."""

    token: str
    user_id: int
    session_id: int | None
    rule_set_id: int
    plan: str
    position: int
    mode: str
    kind: str
    situation: Situation
    judgement: Judgement
    grade: Grade
    grading: str
    is_hinted: bool
    is_slow: bool
    seconds: float | None
    day: date
    created_at: datetime

    @cached_property
    def cell(self) -> Cell | None:
        """The situation's cell, worked out once."""
        return self.situation.cell

    @property
    def category(self) -> str:
        """The situation's category."""
        return self.cell.section if self.cell else "insurance"

    @property
    def is_mistake(self) -> bool:
        """Wrong, and not with the chart in view."""
        return not self.grade.is_right and not self.is_hinted

    @property
    def time_ms(self) -> int | None:
        return None if self.seconds is None else round(self.seconds * 1000)

    def stored_as(self, key: int) -> "DecisionRow":
        """The row that this answer has become."""
        return DecisionRow(
            key, self.token, self.session_id, self.plan, self.position, self.mode, self.kind, self.situation,
            self.judgement.evs, self.grade.chosen, self.judgement.chart, self.judgement.exact, self.grade.ev_cost,
            self.grading, self.grade.is_right, self.is_hinted, self.is_slow, _seconds(self.time_ms), self.created_at,
        )


@dataclass(frozen=True)
class DecisionRow:
    """An answer of the past."""

    id: int
    token: str
    session_id: int | None
    plan: str
    position: int
    mode: str
    kind: str
    situation: Situation
    evs: Mapping[str, float]
    chosen: str
    chart_move: str
    exact_move: str
    ev_cost: float
    grading: str
    is_right: bool
    is_hinted: bool
    is_slow: bool
    seconds: float | None
    created_at: datetime

    @property
    def judgement(self) -> Judgement:
        """What was known when the answer was judged."""
        return Judgement(self.evs, self.chart_move, self.exact_move)

    @property
    def grade(self) -> Grade:
        expected = self.exact_move if self.grading == "exact" else self.chart_move
        return Grade(self.chosen, expected, self.is_right, self.ev_cost)


def add_decision(connection: Connection, new: NewDecision) -> DecisionRow:
    """Store an answer; a token that is stored already violates a unique key."""
    return new.stored_as(connection.execute(_ADD, _columns(new)).scalar_one())


def add_decisions(connection: Connection, news: Sequence[NewDecision]) -> None:
    """Store many answers, in this order; a token that is stored already violates a unique key."""
    if news:
        connection.execute(_ADD_MANY, [_columns(new) for new in news])


def owners_of(connection: Connection, tokens: Collection[str]) -> dict[str, int]:
    """The user of each token that belongs to a decision; 0 for one that belongs to an open hand."""
    wanted = sorted(tokens)
    found: dict[str, int] = {}
    for first in range(0, len(wanted), _AT_A_TIME):
        some = {"tokens": wanted[first : first + _AT_A_TIME]}
        found |= {row.token: 0 for row in connection.execute(_OPEN_TOKENS, some)}
        found |= {row.token: row.user_id for row in connection.execute(_OWNERS, some)}
    return found


def _columns(new: NewDecision) -> dict[str, Any]:
    situation, cell, unseen, table = new.situation, new.cell, new.situation.unseen, new.situation.table
    return {
        "token": new.token, "user_id": new.user_id, "session_id": new.session_id, "rule_set_id": new.rule_set_id,
        "plan": new.plan, "position": new.position, "mode": new.mode, "kind": new.kind,
        "cards": situation.cards_text, "upcard": str(situation.upcard),
        "tens_left": unseen.tens if unseen else None, "cards_left": unseen.cards if unseen else None,
        "seen": "".join(map(str, table.seen)) if table else None,
        "category": new.category, "row": cell.row if cell else 0, "upcard_rank": situation.upcard.rank,
        "legal": ",".join(situation.legal), "chosen": new.grade.chosen,
        "chart_move": new.judgement.chart, "exact_move": new.judgement.exact,
        "evs": json.dumps(dict(new.judgement.evs)), "ev_cost": new.grade.ev_cost, "grading": new.grading,
        "is_right": new.grade.is_right, "is_hinted": new.is_hinted, "is_mistake": new.is_mistake,
        "is_slow": new.is_slow, "time_ms": new.time_ms, "day": new.day, "created_at": new.created_at,
    }


def find_decision(connection: Connection, token: str, visitor: str) -> DecisionRow | None:
    """A visitor's own answer to a question; nobody else's is ever found."""
    found = connection.execute(_OWN, {"token": token, "visitor": visitor}).one_or_none()
    return decision_row(found) if found else None


def last_situation(connection: Connection, user_id: int) -> Situation | None:
    """What a user answered last, if anything."""
    row = connection.execute(_LAST, {"user_id": user_id}).one_or_none()
    return situation_of(row.rules, row.cards, row.upcard, row.tens_left, row.cards_left) if row else None


def session_decisions(connection: Connection, session_id: int) -> Sequence[DecisionRow]:
    """Every answer of one sitting, oldest first."""
    return [decision_row(row) for row in connection.execute(_OF_SESSION, {"session_id": session_id})]


def run_decisions(connection: Connection, user_id: int) -> Iterator[tuple[DecisionRow, str]]:
    """A user's answers in streaks and sprints with their strategy hashes, oldest first."""
    for row in connection.execute(_OF_RUNS, {"user_id": user_id}).yield_per(_AT_A_TIME):
        yield decision_row(row), row.strategy_hash


def decisions() -> DecisionQuery:
    """Decisions with the JSON of their rules, to be narrowed by the caller."""
    return _WITH_RULES


def decision_row(row: Row[*tuple[Any, ...]]) -> DecisionRow:
    """One row of :func:`decisions` as a plain value."""
    return DecisionRow(
        row.id, row.token, row.session_id, row.plan, row.position, row.mode, row.kind,
        situation_of(row.rules, row.cards, row.upcard, row.tens_left, row.cards_left, row.seen, row.legal),
        json.loads(row.evs), row.chosen, row.chart_move, row.exact_move, row.ev_cost, row.grading,
        row.is_right, row.is_hinted, row.is_slow, _seconds(row.time_ms), row.created_at,
    )


def _seconds(time_ms: int | None) -> float | None:
    return None if time_ms is None else time_ms / 1000
