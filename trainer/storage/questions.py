"""Open hands: dealt and not yet answered."""

from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

from sqlalchemy import Connection, Select, bindparam, delete, insert, select, update

from trainer.drill.situation import Situation, TableCards, UnseenCards
from trainer.engine.cards import parse_cards
from trainer.engine.rules import Rules
from trainer.storage.models import Question, RuleSet, table_of

_QUESTIONS, _RULE_SETS = table_of(Question), table_of(RuleSet)
_WITH_RULES = select(_QUESTIONS, _RULE_SETS.c.rules).join(_RULE_SETS, _RULE_SETS.c.id == _QUESTIONS.c.rule_set_id)
_OWN = _WITH_RULES.where(_QUESTIONS.c.token == bindparam("token"), _QUESTIONS.c.visitor == bindparam("visitor"))
_NEWEST = _WITH_RULES.where(
    _QUESTIONS.c.visitor == bindparam("visitor"), _QUESTIONS.c.plan == bindparam("plan"),
    _QUESTIONS.c.dealt_at >= bindparam("since"),
).order_by(_QUESTIONS.c.dealt_at.desc()).limit(1)
_ADD = insert(_QUESTIONS)
_HINT = update(_QUESTIONS).where(_QUESTIONS.c.token == bindparam("which")).values(is_hinted=True)
_TAKE = delete(_QUESTIONS).where(
    _QUESTIONS.c.token == bindparam("token"), _QUESTIONS.c.visitor == bindparam("visitor"),
).returning(_QUESTIONS.c.is_hinted)
_DROP = delete(_QUESTIONS).where(_QUESTIONS.c.visitor == bindparam("visitor"))
_DROP_OF_PLAN = _DROP.where(_QUESTIONS.c.plan == bindparam("plan"))
_GIVE = update(_QUESTIONS).where(_QUESTIONS.c.visitor == bindparam("giver")).values(visitor=bindparam("taker"))
_PRUNE = delete(_QUESTIONS).where(_QUESTIONS.c.dealt_at < bindparam("before"))


@dataclass(frozen=True)
class QuestionRow:
    """An open hand; ``plan`` is the query string of the choice of practice that dealt it."""

    token: str
    visitor: str
    plan: str
    position: int
    rule_set_id: int
    situation: Situation
    kind: str
    is_hinted: bool
    dealt_at: datetime


def add_question(
    connection: Connection, *, token: str, visitor: str, plan: str, position: int, rule_set_id: int,
    situation: Situation, dealt_at: datetime, kind: str = "",
) -> None:
    """Store a hand that is about to be shown."""
    unseen = situation.unseen
    connection.execute(_ADD, {
        "token": token, "visitor": visitor, "plan": plan, "position": position, "rule_set_id": rule_set_id,
        "cards": situation.cards_text, "upcard": str(situation.upcard), "kind": kind,
        "is_hinted": False, "dealt_at": dealt_at,
        "tens_left": unseen.tens if unseen else None, "cards_left": unseen.cards if unseen else None,
    })


def find_question(connection: Connection, token: str, visitor: str) -> QuestionRow | None:
    """A visitor's open hand; nobody else's is ever found."""
    return _one(connection, _OWN, token=token, visitor=visitor)


def open_question(connection: Connection, visitor: str, plan: str, since: datetime) -> QuestionRow | None:
    """The newest hand that a visitor has open under a plan."""
    return _one(connection, _NEWEST, visitor=visitor, plan=plan, since=since)


def mark_hinted(connection: Connection, token: str) -> None:
    """Note that the chart was shown before the answer."""
    connection.execute(_HINT, {"which": token})


def take_question(connection: Connection, token: str, visitor: str) -> bool | None:
    """Take a visitor's hand off the table: whether it was hinted, ``None`` where it was gone or another's already."""
    return connection.execute(_TAKE, {"token": token, "visitor": visitor}).scalar_one_or_none()


def give_questions(connection: Connection, giver: str, taker: str) -> None:
    """Let another visitor go on with somebody's open hands."""
    connection.execute(_GIVE, {"giver": giver, "taker": taker})


def drop_questions(connection: Connection, visitor: str, plan: str | None = None) -> None:
    """Take a visitor's open hands away, all or those under a plan."""
    if plan is None:
        connection.execute(_DROP, {"visitor": visitor})
    else:
        connection.execute(_DROP_OF_PLAN, {"visitor": visitor, "plan": plan})


def prune_questions(connection: Connection, before: datetime) -> None:
    """Delete the hands that were dealt earlier and never answered."""
    connection.execute(_PRUNE, {"before": before})


def _one(connection: Connection, query: Select[*tuple[object, ...]], **parameters: object) -> QuestionRow | None:
    row = connection.execute(query, parameters).one_or_none()
    if row is None:
        return None
    return QuestionRow(
        row.token, row.visitor, row.plan, row.position, row.rule_set_id,
        situation_of(row.rules, row.cards, row.upcard, row.tens_left, row.cards_left),
        row.kind, row.is_hinted, row.dealt_at,
    )


def situation_of(
    rules: str, cards: str, upcard: str, tens_left: int | None, cards_left: int | None, seen: str | None = None,
    legal: str = "",
) -> Situation:
    """Rebuild a situation from its columns; ``seen`` and ``legal`` are given for one at a table."""
    unseen = UnseenCards(tens_left, cards_left) if tens_left is not None and cards_left is not None else None
    situation = Situation.from_text(_rules_of(rules), cards, upcard, unseen)
    if seen is None:
        return situation
    return replace(situation, table=TableCards(parse_cards(seen) if seen else (), tuple(legal.split(","))))


@lru_cache(maxsize=256)
def _rules_of(text: str) -> Rules:
    """One object a rule set: reading it and working out its hashes takes longer than the query."""
    return Rules.from_json(text)
