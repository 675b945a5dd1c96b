"""A guest's history added to an account's, once.

Every transaction that takes an open hand takes it before it locks its user; this one keeps to that order, so that an
answer given in the same moment is either finished first, and comes along, or finds its hand gone to the account.
"""

import json
from typing import Any

from sqlalchemy import Connection, delete, exists, select, update

from trainer.storage.accounts import lock_users
from trainer.storage.cells import cells_met
from trainer.storage.goals import give_goal_days
from trainer.storage.imports import stale_places
from trainer.storage.memories import give_memories
from trainer.storage.models import Account, Decision, PracticeSession, Run, User, table_of
from trainer.storage.questions import give_questions
from trainer.storage.saved_rules import give_saved
from trainer.storage.table_merging import give_tables
from trainer.storage.tallies import give_tallies

_USERS = table_of(User)


def fold_guest(connection: Connection, guest: str | None, visitor: str) -> bool:
    """Move everything of the guest's to the user ``visitor`` and delete the guest; whether there was one to move.

    The guest's row decides: whoever finds it gone moves nothing. A guest who registers in this very moment has another
    id after that; an account is never folded into another.
    """
    if guest is None or _is_account(connection, guest):
        return False
    give_questions(connection, guest, visitor)
    found = {row.visitor: row for row in lock_users(connection, guest, visitor)}
    if len(found) < 2:
        return False
    source, target = found[guest], found[visitor]
    shared = cells_met(connection, source.id) & cells_met(connection, target.id)
    # What an import has left to be worked out is worked out now: the guest's import ends with the guest.
    shared |= stale_places(connection, source.id) | stale_places(connection, target.id)
    for model in (Decision, PracticeSession, Run):
        connection.execute(update(model).where(model.user_id == source.id).values(user_id=target.id))
    give_tallies(connection, source.id, target.id)
    give_memories(connection, source.id, target.id, shared)
    give_goal_days(connection, source.id, target.id)
    give_saved(connection, source.id, target.id)
    give_tables(connection, source.id, target.id)
    connection.execute(update(_USERS).where(_USERS.c.id == target.id).values(_merged(source, target)))
    connection.execute(delete(_USERS).where(_USERS.c.id == source.id))
    return True


def _is_account(connection: Connection, visitor: str) -> bool:
    wanted = exists().where(Account.user_id == User.id, User.visitor == visitor)
    return bool(connection.execute(select(wanted)).scalar_one())


def _merged(guest: Any, account: Any) -> dict[str, object]:
    """Each setting, and each category's pace, goes over where the account has none of its own."""
    return {
        "settings": json.dumps(json.loads(guest.settings) | json.loads(account.settings)),
        "paces": json.dumps(json.loads(guest.paces) | json.loads(account.paces)),
        "created_at": min(guest.created_at, account.created_at),
        "last_seen_at": max(guest.last_seen_at, account.last_seen_at),
    }
