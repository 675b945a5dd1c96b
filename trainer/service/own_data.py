"""What somebody may do with everything of their own: take it along, delete it; and guests who stayed away."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from trainer.service.accounts import LOGIN_LIFETIME, AccountRow
from trainer.storage import export, removal
from trainer.storage.accounts import prune_logins
from trainer.storage.transaction import Connection, transaction
from trainer.storage.users import UserRow, find_user

FORMAT, VERSION = "blackjack-trainer", 2
# Guests who were away for so long are pruned.
GUEST_MONTHS = 12
_PART = 500
_LISTS: Mapping[str, Callable[[Connection, int], Sequence[Mapping[str, Any]]]] = {
    "sittings": export.sitting_values, "memories": export.memory_values, "runs": export.run_values,
    "goal_days": export.goal_day_values, "saved_rules": export.saved_rule_values,
}
_IDLE_AT_A_TIME = 200
CSV_COLUMNS = ("answered_at", "day", "mode", "kind", "category", "cards", "upcard", "tens_left", "cards_left", "chosen",
               "chart_move", "exact_move", "ev_cost", "grading", "is_right", "is_hinted", "is_slow", "time_ms", "rules",
               "sitting", "token")


@dataclass(frozen=True)
class _Own:
    """Whose history is written out, and where it ends."""

    user: UserRow | None
    last: int
    open_hands: Sequence[Mapping[str, Any]]
    lists: Mapping[str, Sequence[Mapping[str, Any]]]


def export_json(visitor: str | None, account: AccountRow | None, now: datetime) -> Iterator[str]:
    """Everything of a visitor's as the text of one JSON object, in parts; docs/export.md describes it.

    What may fail fails before the first part, as far as it can; the history is read while it is written.
    """
    own = _read(visitor)
    head = {
        "format": FORMAT, "version": VERSION, "exported_at": now.isoformat(),
        "account": {"username": account.username, "created_at": account.created_at.isoformat()} if account else None,
        "settings": own.user.settings if own.user else {}, "paces": own.user.paces if own.user else {},
        "open_hands": own.open_hands, **own.lists,
    }
    return _json_parts(own, head)


def export_csv(visitor: str | None, guard: Callable[[str], str]) -> Iterator[str]:
    """A visitor's decisions as CSV, a line each; ``guard`` makes a text safe for a spreadsheet."""
    return _csv_parts(_read(visitor), guard)


def delete_history(visitor: str | None) -> None:
    """Delete a visitor's answers and every figure made of them; settings and account stay."""
    if visitor is not None:
        with transaction(writes=True) as connection:
            removal.delete_history(connection, visitor)


def prune(now: datetime, idle: timedelta) -> tuple[int, int]:
    """Delete guests who were not here for so long, a few at a time, and logins that lapsed; how many of each."""
    guests = 0
    while True:
        with transaction(writes=True) as connection:
            gone = removal.prune_guests(connection, now - idle, _IDLE_AT_A_TIME)
        guests += gone
        if gone == 0:
            break
    with transaction(writes=True) as connection:
        return guests, prune_logins(connection, now - LOGIN_LIFETIME)


def _read(visitor: str | None) -> _Own:
    with transaction() as connection:
        user = find_user(connection, visitor) if visitor else None
        open_hands = export.open_hand_values(connection, visitor) if visitor else []
        if user is None:
            return _Own(None, 0, open_hands, {name: [] for name in _LISTS})
        last = export.last_decision_id(connection, user.id)
        return _Own(user, last, open_hands, {name: read(connection, user.id) for name, read in _LISTS.items()})


def _decisions(own: _Own, at_tables: bool | None = None) -> Iterator[Sequence[dict[str, Any]]]:
    """The history in parts, each read in a transaction of its own, so that none is held while it is sent."""
    after = 0
    while own.user and after < own.last:
        with transaction() as connection:
            rows = export.part_of_decisions(connection, own.user.id, after, own.last, _PART, at_tables)
        if not rows:
            return
        after = rows[-1]["id"]
        values = export.table_decision_values if at_tables else export.decision_values
        yield [values(row) for row in rows]


def _json_parts(own: _Own, head: Mapping[str, Any]) -> Iterator[str]:
    yield json.dumps(head, indent=1)[:-2] + ',\n "decisions": ['
    rules = {each["rules"] for each in (*own.open_hands, *own.lists["saved_rules"])}
    for at_tables, between in ((False, '\n ],\n "table_decisions": ['), (True, "")):
        separator = "\n"
        for part in _decisions(own, at_tables):
            rules |= {each["rules"] for each in part}
            yield separator + ",\n".join(map(_line, part))
            separator = ",\n"
        yield between
    with transaction() as connection:
        found = export.rule_set_values(connection, rules)
    yield f'\n ],\n "rule_sets": {json.dumps(found)}\n}}\n'


def _line(value: Mapping[str, Any]) -> str:
    return f"  {json.dumps(value)}"


def _csv_parts(own: _Own, guard: Callable[[str], str]) -> Iterator[str]:
    yield _csv_text([CSV_COLUMNS])
    for part in _decisions(own):
        yield _csv_text([_cell(each[name], guard) for name in CSV_COLUMNS] for each in part)


def _cell(value: object, guard: Callable[[str], str]) -> object:
    return guard(value) if isinstance(value, str) else value


def _csv_text(rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue()
