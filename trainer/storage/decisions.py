"""The history: answers as they were given."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import Row, Select, insert, select
from sqlalchemy.orm import Session

from trainer.drill.grade import Grade, Judgement
from trainer.drill.situation import Situation
from trainer.storage.models import Decision, RuleSet, User
from trainer.storage.questions import situation_of


@dataclass(frozen=True)
class NewDecision:
    """An answer about to be stored."""

    token: str
    user_id: int
    session_id: int
    rule_set_id: int
    plan: str
    position: int
    mode: str
    situation: Situation
    judgement: Judgement
    grade: Grade
    grading: str
    is_hinted: bool
    is_slow: bool
    seconds: float | None
    day: date
    created_at: datetime

    @property
    def is_mistake(self) -> bool:
        """Wrong, and not with the chart in view."""
        return not self.grade.is_right and not self.is_hinted


@dataclass(frozen=True)
class DecisionRow:
    """An answer of the past."""

    id: int
    token: str
    session_id: int | None
    plan: str
    position: int
    mode: str
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


def add_decision(session: Session, new: NewDecision) -> None:
    """Store an answer; a token that is stored already violates a unique key."""
    situation, cell = new.situation, new.situation.cell
    unseen = situation.unseen
    session.execute(insert(Decision).values(
        token=new.token, user_id=new.user_id, session_id=new.session_id, rule_set_id=new.rule_set_id,
        plan=new.plan, position=new.position, mode=new.mode,
        cards=situation.cards_text, upcard=str(situation.upcard),
        tens_left=unseen.tens if unseen else None, cards_left=unseen.cards if unseen else None,
        category=situation.category, row=cell.row if cell else 0, upcard_rank=situation.upcard.rank,
        legal=",".join(situation.legal), chosen=new.grade.chosen,
        chart_move=new.judgement.chart, exact_move=new.judgement.exact,
        evs=json.dumps(dict(new.judgement.evs)), ev_cost=new.grade.ev_cost, grading=new.grading,
        is_right=new.grade.is_right, is_hinted=new.is_hinted, is_mistake=new.is_mistake,
        is_slow=new.is_slow,
        time_ms=None if new.seconds is None else round(new.seconds * 1000),
        day=new.day, created_at=new.created_at,
    ))


def find_decision(session: Session, token: str, visitor: str) -> DecisionRow | None:
    """A visitor's own answer to a question; nobody else's is ever found."""
    query = decisions().join(User, User.id == Decision.user_id).where(
        Decision.token == token, User.visitor == visitor)
    found = session.execute(query).one_or_none()
    return decision_row(found) if found else None


def session_decisions(session: Session, session_id: int) -> Sequence[DecisionRow]:
    """Every answer of one sitting, oldest first."""
    query = decisions().where(Decision.session_id == session_id).order_by(Decision.id)
    return [decision_row(row) for row in session.execute(query)]


def decisions() -> Select[Decision, str]:
    """Decisions with the JSON of their rules, to be narrowed by the caller."""
    return select(Decision, RuleSet.rules).join(RuleSet, RuleSet.id == Decision.rule_set_id)


def decision_row(found: Row[Decision, str]) -> DecisionRow:
    """One row of :func:`decisions` as a plain value."""
    row, rules = found
    return DecisionRow(
        row.id, row.token, row.session_id, row.plan, row.position, row.mode,
        situation_of(rules, row.cards, row.upcard, row.tens_left, row.cards_left),
        json.loads(row.evs), row.chosen, row.chart_move, row.exact_move, row.ev_cost, row.grading,
        row.is_right, row.is_hinted, row.is_slow, None if row.time_ms is None else row.time_ms / 1000, row.created_at,
    )
