"""Taking away what is somebody's own: the history, the user, guests who stayed away."""

from datetime import datetime

from sqlalchemy import Connection, delete, select, update

from trainer.storage.accounts import lock_users
from trainer.storage.imports import delete_jobs_of
from trainer.storage.models import (
    Account,
    CellMemory,
    Decision,
    GoalDay,
    PracticeSession,
    Run,
    Tally,
    User,
    table_of,
)
from trainer.storage.questions import drop_questions
from trainer.storage.tables import drop_tables

_USERS = table_of(User)


def delete_history(connection: Connection, visitor: str) -> None:
    """Delete every answer of a user and all that was summed up of them; settings and saved rule sets stay."""
    drop_questions(connection, visitor)
    for user in lock_users(connection, visitor):
        for model in (Tally, CellMemory, Run, GoalDay, Decision, PracticeSession):
            connection.execute(delete(model).where(model.user_id == user.id))
        drop_tables(connection, user.id)
        delete_jobs_of(connection, user.id)
        connection.execute(update(_USERS).where(_USERS.c.id == user.id).values(paces="{}"))


def delete_user(connection: Connection, visitor: str) -> None:
    """Delete a user with everything that belongs to them, the account included."""
    drop_questions(connection, visitor)
    lock_users(connection, visitor)
    connection.execute(delete(_USERS).where(_USERS.c.visitor == visitor))


def prune_guests(connection: Connection, before: datetime, limit: int) -> int:
    """Delete up to ``limit`` guests who were last here earlier, with their history; how many."""
    idle = select(_USERS.c.id).where(
        _USERS.c.last_seen_at < before, _USERS.c.id.not_in(select(Account.user_id))).limit(limit)
    # The second look at the time is for a guest who comes back in this very moment.
    gone = delete(_USERS).where(_USERS.c.id.in_(idle), _USERS.c.last_seen_at < before).returning(_USERS.c.id)
    return len(connection.execute(gone).all())
