"""Users, and the rule sets that anything was played by."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from trainer.engine.rules import Rules
from trainer.storage.models import RuleSet, User


@dataclass(frozen=True)
class UserRow:
    """A user as the rest of the program sees one."""

    id: int
    settings: dict[str, Any]
    paces: dict[str, list[int]]


def find_user(session: Session, visitor: str) -> UserRow | None:
    """The user behind a visitor's id, if there is one yet."""
    row = session.execute(select(User.id, User.settings, User.paces).where(User.visitor == visitor)).one_or_none()
    return UserRow(row.id, json.loads(row.settings), json.loads(row.paces)) if row else None


def ensure_user(session: Session, visitor: str, now: datetime) -> UserRow:
    """The user behind a visitor's id, made where there is none."""
    found = find_user(session, visitor)
    if found:
        return found
    key = session.execute(insert(User).values(
        visitor=visitor, settings="{}", paces="{}", created_at=now, last_seen_at=now,
    ).returning(User.id)).scalar_one()
    return UserRow(key, {}, {})


def save_settings(session: Session, user_id: int, settings: dict[str, Any]) -> None:
    """Replace a user's settings."""
    session.execute(update(User).where(User.id == user_id).values(settings=json.dumps(settings)))


def mark_seen(session: Session, user_id: int, now: datetime, paces: dict[str, list[int]]) -> None:
    """Note that the user was here, and how fast."""
    session.execute(update(User).where(User.id == user_id).values(last_seen_at=now, paces=json.dumps(paces)))


def ensure_rule_set(session: Session, rules: Rules) -> int:
    """The id of a rule set, stored by content where it is new."""
    found = session.execute(
        select(RuleSet.id).where(RuleSet.rule_set_hash == rules.rule_set_hash)).scalar_one_or_none()
    if found is not None:
        return found
    return session.execute(insert(RuleSet).values(
        rule_set_hash=rules.rule_set_hash, strategy_hash=rules.strategy_hash, rules=rules.to_json(),
    ).returning(RuleSet.id)).scalar_one()
