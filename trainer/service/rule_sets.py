"""A visitor's own rule sets: kept, renamed and forgotten under names of their own."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from trainer.engine.presets import TITLES
from trainer.engine.rule_key import key_of, rules_for
from trainer.storage.saved_rules import (
    SavedRow,
    add_saved,
    delete_saved,
    list_saved,
    rename_saved,
    rules_of_strategies,
)
from trainer.storage.transaction import DuplicateError, transaction
from trainer.storage.users import UserRow, ensure_rule_set, ensure_user, find_user

MOST_SAVED = 50
MOST_LETTERS = 60
# Control characters, formats such as zero-width ones, and what is no character at all.
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn"}


class SavingError(ValueError):
    """A rule set cannot be kept, or not under that name; the message is for the field."""


class NoSuchRuleSetError(LookupError):
    """No such saved rule set, or not this visitor's."""


@dataclass(frozen=True)
class SavedRuleSet:
    """A rule set that the visitor keeps: its name, and the key that names it in an address."""

    id: int
    name: str
    key: str
    strategy_hash: str


def saved_rule_sets(visitor: str | None) -> tuple[SavedRuleSet, ...]:
    """The visitor's own, by name."""
    if visitor is None:
        return ()
    with transaction() as connection:
        return tuple(SavedRuleSet(row.id, row.name, key_of(row.rules), row.rules.strategy_hash)
                     for row in list_saved(connection, visitor))


def save_rule_set(visitor: str, key: str, name: str, now: datetime) -> str:
    """Keep the rule set of a key under a name; the name as it is kept. ``SavingError`` where that cannot be."""
    rules, kept, name_key = rules_for(key), *read_name(name)
    if key_of(rules) in TITLES:
        raise SavingError(f"These are the rules of {TITLES[key_of(rules)]}, which is always in the list.")
    with _own_names(), transaction(writes=True) as connection:
        user = ensure_user(connection, visitor, now)
        before = list_saved(connection, visitor)
        same = next((row for row in before if row.rule_set_hash == rules.rule_set_hash), None)
        if same:
            raise SavingError(f"You have these rules already, as {same.name}.")
        if len(before) >= MOST_SAVED:
            raise SavingError(f"You have {MOST_SAVED} rule sets, and that is all there is room for. Delete one first.")
        _refuse_taken(before, name_key, 0)
        add_saved(connection, user.id, ensure_rule_set(connection, rules), kept, name_key, now)
    return kept


def rename_rule_set(visitor: str | None, saved_id: int, name: str) -> str:
    """Give one of the visitor's own another name; the name as it is kept."""
    with _own_names(), transaction(writes=True) as connection:
        user, own = find_user(connection, visitor or ""), list_saved(connection, visitor or "")
        user, _ = _require(user, own, saved_id)
        kept, name_key = read_name(name)
        _refuse_taken(own, name_key, saved_id)
        rename_saved(connection, user.id, saved_id, kept, name_key)
    return kept


def delete_rule_set(visitor: str | None, saved_id: int) -> str:
    """Forget the name of one of the visitor's own, and nothing that was played by it; what it was called."""
    with transaction(writes=True) as connection:
        user, own = find_user(connection, visitor or ""), list_saved(connection, visitor or "")
        user, row = _require(user, own, saved_id)
        delete_saved(connection, user.id, saved_id)
    return row.name


def keys_of_strategies(strategies: Iterable[str]) -> Mapping[str, str]:
    """For each strategy hash that anybody has played, the key of a rule set with it."""
    wanted = sorted(set(strategies))
    if not wanted:
        return {}
    with transaction() as connection:
        return {strategy: key_of(rules) for strategy, rules in rules_of_strategies(connection, wanted).items()}


def _require(user: UserRow | None, own: Sequence[SavedRow], saved_id: int) -> tuple[UserRow, SavedRow]:
    """The user with the row of that id; ``NoSuchRuleSetError`` where it is none of their own."""
    found = next((row for row in own if row.id == saved_id), None)
    if user is None or found is None:
        raise NoSuchRuleSetError(str(saved_id))
    return user, found


def read_name(text: str) -> tuple[str, str]:
    """A name as it is kept, and as names are compared: without regard to case, width or spaces.

    ``SavingError`` where it cannot be kept.
    """
    name = " ".join(unicodedata.normalize("NFKC", text).split())
    if not name:
        raise SavingError("Give it a name.")
    if len(name) > MOST_LETTERS:
        raise SavingError(f"That is {len(name)} characters long; use up to {MOST_LETTERS}.")
    if any(unicodedata.category(letter) in _INVISIBLE for letter in name):
        raise SavingError("Use characters that can be seen.")
    name_key = name.casefold()
    if name_key in {title.casefold() for title in TITLES.values()}:
        raise SavingError(f"{name} is the name of a rule set that ships with the trainer.")
    return name, name_key


def _refuse_taken(own: Sequence[SavedRow], name_key: str, saved_id: int) -> None:
    taken = next((row.name for row in own if row.name_key == name_key and row.id != saved_id), None)
    if taken:
        raise SavingError(f"You have another rule set of that name, {taken}.")


@contextmanager
def _own_names() -> Iterator[None]:
    """Where the same visitor's other request was first, the field says so."""
    try:
        yield
    except DuplicateError:
        raise SavingError("You have just saved that already.") from None
