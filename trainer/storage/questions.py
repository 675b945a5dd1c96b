"""Open hands: dealt and not yet answered."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, delete, insert, select, update
from sqlalchemy.orm import Session

from trainer.drill.situation import Situation, UnseenCards
from trainer.engine.rules import Rules
from trainer.storage.models import Question, RuleSet


@dataclass(frozen=True)
class QuestionRow:
    """An open hand; ``plan`` is the query string of the choice of practice that dealt it."""

    token: str
    visitor: str
    plan: str
    position: int
    rule_set_id: int
    situation: Situation
    is_hinted: bool
    dealt_at: datetime


def add_question(
    session: Session, *, token: str, visitor: str, plan: str, position: int, rule_set_id: int,
    situation: Situation, dealt_at: datetime,
) -> None:
    """Store a hand that is about to be shown."""
    unseen = situation.unseen
    session.execute(insert(Question).values(
        token=token, visitor=visitor, plan=plan, position=position, rule_set_id=rule_set_id,
        cards=situation.cards_text, upcard=str(situation.upcard), is_hinted=False, dealt_at=dealt_at,
        tens_left=unseen.tens if unseen else None, cards_left=unseen.cards if unseen else None,
    ))


def find_question(session: Session, token: str, visitor: str) -> QuestionRow | None:
    """A visitor's open hand; nobody else's is ever found."""
    return _one(session, _questions().where(Question.token == token, Question.visitor == visitor))


def open_question(session: Session, visitor: str, plan: str, since: datetime) -> QuestionRow | None:
    """The newest hand that a visitor has open under a plan."""
    return _one(session, _questions().where(
        Question.visitor == visitor, Question.plan == plan, Question.dealt_at >= since,
    ).order_by(Question.dealt_at.desc()).limit(1))


def mark_hinted(session: Session, token: str) -> None:
    """Note that the chart was shown before the answer."""
    session.execute(update(Question).where(Question.token == token).values(is_hinted=True))


def take_question(session: Session, token: str) -> bool | None:
    """Take a hand off the table: whether it was hinted, ``None`` where it was gone already."""
    return session.execute(
        delete(Question).where(Question.token == token).returning(Question.is_hinted)).scalar_one_or_none()


def prune_questions(session: Session, before: datetime) -> None:
    """Delete the hands that were dealt earlier and never answered."""
    session.execute(delete(Question).where(Question.dealt_at < before))


def _questions() -> Select[Question, str]:
    return select(Question, RuleSet.rules).join(RuleSet, RuleSet.id == Question.rule_set_id)


def _one(session: Session, query: Select[Question, str]) -> QuestionRow | None:
    found = session.execute(query).one_or_none()
    if found is None:
        return None
    row, rules = found
    return QuestionRow(
        row.token, row.visitor, row.plan, row.position, row.rule_set_id,
        situation_of(rules, row.cards, row.upcard, row.tens_left, row.cards_left), row.is_hinted, row.dealt_at,
    )


def situation_of(rules: str, cards: str, upcard: str, tens_left: int | None, cards_left: int | None) -> Situation:
    """Rebuild a situation from its columns."""
    unseen = UnseenCards(tens_left, cards_left) if tens_left is not None and cards_left is not None else None
    return Situation.from_text(Rules.from_json(rules), cards, upcard, unseen)
