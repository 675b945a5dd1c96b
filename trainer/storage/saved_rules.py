"""Rule sets that users keep under names of their own."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, insert, select, update

from trainer.engine.rules import Rules
from trainer.storage.models import RuleSet, SavedRules, User, table_of

_SAVED, _RULE_SETS, _USERS = table_of(SavedRules), table_of(RuleSet), table_of(User)
_LIST = select(_SAVED.c.id, _SAVED.c.name, _SAVED.c.name_key, _RULE_SETS.c.rule_set_hash, _RULE_SETS.c.rules).join_from(
    _SAVED, _RULE_SETS).join(_USERS, _USERS.c.id == _SAVED.c.user_id).where(
    _USERS.c.visitor == bindparam("visitor")).order_by(_SAVED.c.name_key)
_ADD = insert(_SAVED)
_OWN = _SAVED.c.id == bindparam("which"), _SAVED.c.user_id == bindparam("owner")
_RENAME = update(_SAVED).where(*_OWN)
_DELETE = delete(_SAVED).where(*_OWN)
_BY_STRATEGY = select(_RULE_SETS.c.strategy_hash, _RULE_SETS.c.rules).where(
    _RULE_SETS.c.strategy_hash.in_(bindparam("strategies", expanding=True))).order_by(_RULE_SETS.c.id)


@dataclass(frozen=True)
class SavedRow:
    """A saved rule set; ``name_key`` is the name as names are compared."""

    id: int
    name: str
    name_key: str
    rule_set_hash: str
    rules: Rules


def list_saved(connection: Connection, visitor: str) -> list[SavedRow]:
    """A visitor's own, by name."""
    return [_saved(row) for row in connection.execute(_LIST, {"visitor": visitor})]


def add_saved(connection: Connection, user_id: int, rule_set_id: int, name: str, name_key: str, now: datetime) -> None:
    """Keep a rule set; ``DuplicateError`` in the end where the user has its rules or its name already."""
    connection.execute(_ADD, {"user_id": user_id, "rule_set_id": rule_set_id, "name": name, "name_key": name_key,
                           "created_at": now})


def rename_saved(connection: Connection, user_id: int, saved_id: int, name: str, name_key: str) -> None:
    """Give the user's own rule set another name; another's stays as it is."""
    connection.execute(_RENAME, {"which": saved_id, "owner": user_id, "name": name, "name_key": name_key})


def delete_saved(connection: Connection, user_id: int, saved_id: int) -> None:
    """Forget the user's own rule set's name; what was played by it stays."""
    connection.execute(_DELETE, {"which": saved_id, "owner": user_id})


def give_saved(connection: Connection, giver: int, taker: int) -> None:
    """Hand one user's on to another; rules that both have keep the taker's name, equal names get a number."""
    rows = connection.execute(select(_SAVED).where(_SAVED.c.user_id.in_((giver, taker))).order_by(_SAVED.c.id)).all()
    own = [row for row in rows if row.user_id == taker]
    rules, names = {row.rule_set_id for row in own}, {row.name_key for row in own}
    for row in rows:
        if row.user_id == taker or row.rule_set_id in rules:
            continue
        name, key = next((name, key) for name, key in numbered(row.name, row.name_key) if key not in names)
        names.add(key)
        connection.execute(update(_SAVED).where(_SAVED.c.id == row.id).values(user_id=taker, name=name, name_key=key))


def numbered(name: str, key: str) -> Iterator[tuple[str, str]]:
    """The name, then with 2, 3 and so on behind it, no longer than the columns are."""
    yield name, key
    for number in count(2):
        yield f"{name[:54]} {number}", f"{key[:170]} {number}"


def rules_of_strategies(connection: Connection, strategies: Iterable[str]) -> dict[str, Rules]:
    """Strategy hash to the rules that were first played or saved with it."""
    found: dict[str, Rules] = {}
    for row in connection.execute(_BY_STRATEGY, {"strategies": list(strategies)}):
        found.setdefault(row.strategy_hash, Rules.from_json(row.rules))
    return found


def _saved(row: Row[*tuple[Any, ...]]) -> SavedRow:
    return SavedRow(row.id, row.name, row.name_key, row.rule_set_hash, Rules.from_json(row.rules))
