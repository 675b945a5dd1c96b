"""Users, and the rule sets that anything was played by."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError

from trainer.engine.rules import Rules
from trainer.storage.models import RuleSet, User, table_of

_USERS, _RULE_SETS = table_of(User), table_of(RuleSet)
_FIND = select(_USERS.c.id, _USERS.c.settings, _USERS.c.paces, _USERS.c.last_seen_at).where(
    _USERS.c.visitor == bindparam("visitor"))
# Where many may write at a time, what follows is one user's turn: sums are read and written back.
_LOCK = _FIND.with_for_update()
_SETTINGS = select(_USERS.c.settings).where(_USERS.c.visitor == bindparam("visitor"))
_ADD = insert(_USERS)
_UPDATE = update(_USERS).where(_USERS.c.id == bindparam("which"))
_FIND_RULES = select(_RULE_SETS.c.id).where(_RULE_SETS.c.rule_set_hash == bindparam("hash"))
_ADD_RULES = insert(_RULE_SETS).returning(_RULE_SETS.c.id)


@dataclass(frozen=True)
class UserRow:
    """A user as the rest of the program sees one."""

    id: int
    settings: dict[str, Any]
    paces: dict[str, list[int]]
    last_seen_at: datetime

    def moment(self, now: datetime) -> datetime:
        """When an answer that came at ``now`` counts as given; the user must be locked.

        Of answers that wait for each other the later one may be stored first, and clocks are set back. Everything
        that hangs on the order of answers takes them as they are stored, so that none is older than the one before.
        """
        return max(now, self.last_seen_at)


def find_user(connection: Connection, visitor: str) -> UserRow | None:
    """The user behind a visitor's id, if there is one yet."""
    return _user(connection.execute(_FIND, {"visitor": visitor}).one_or_none())


def _user(row: Row[*tuple[Any, ...]] | None) -> UserRow | None:
    return UserRow(row.id, json.loads(row.settings), json.loads(row.paces), row.last_seen_at) if row else None


def find_settings(connection: Connection, visitor: str) -> dict[str, Any]:
    """What a visitor has set, as it is stored; nothing for one who has set nothing yet."""
    found: str | None = connection.execute(_SETTINGS, {"visitor": visitor}).scalar_one_or_none()
    return dict(json.loads(found)) if found else {}


def lock_user(connection: Connection, visitor: str) -> UserRow | None:
    """The user behind a visitor's id, locked until the transaction ends; ``None`` where there is none."""
    return _user(connection.execute(_LOCK, {"visitor": visitor}).one_or_none())


def ensure_user(connection: Connection, visitor: str, now: datetime) -> UserRow:
    """The user behind a visitor's id, locked until the transaction ends, and made where there is none."""
    found = lock_user(connection, visitor)
    if found:
        return found
    try:
        with connection.begin_nested():
            connection.execute(_ADD, {
                "visitor": visitor, "settings": "{}", "paces": "{}", "created_at": now, "last_seen_at": now})
    except IntegrityError:  # the same visitor's other request made it in the same moment
        pass
    made = lock_user(connection, visitor)
    assert made is not None  # noqa: S101 - it was there a moment ago
    return made


def save_settings(connection: Connection, user_id: int, settings: dict[str, Any]) -> None:
    """Replace a user's settings."""
    connection.execute(_UPDATE, {"which": user_id, "settings": json.dumps(settings)})


def mark_seen(connection: Connection, user_id: int, now: datetime, paces: dict[str, list[int]]) -> None:
    """Note that the user was here, and how fast."""
    connection.execute(_UPDATE, {"which": user_id, "last_seen_at": now, "paces": json.dumps(paces)})


def ensure_rule_set(connection: Connection, rules: Rules) -> int:
    """The id of a rule set, stored by content where it is new."""
    found = connection.execute(_FIND_RULES, {"hash": rules.rule_set_hash}).scalar_one_or_none()
    if found is not None:
        return int(found)
    try:
        with connection.begin_nested():
            key = connection.execute(_ADD_RULES, {
                "rule_set_hash": rules.rule_set_hash, "strategy_hash": rules.strategy_hash, "rules": rules.to_json(),
            }).scalar_one()
    except IntegrityError:  # somebody else stored it in the same moment
        key = connection.execute(_FIND_RULES, {"hash": rules.rule_set_hash}).scalar_one()
    return int(key)
