"""Accounts and the browsers that are logged in to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from trainer.storage.models import Account, Login, User, table_of
from trainer.storage.questions import give_questions

_ACCOUNTS, _LOGINS, _USERS = table_of(Account), table_of(Login), table_of(User)
_BY_LOGIN = select(_USERS.c.id, _USERS.c.visitor, _ACCOUNTS.c.username, _ACCOUNTS.c.created_at).join(
    _ACCOUNTS, _ACCOUNTS.c.user_id == _USERS.c.id).join(_LOGINS, _LOGINS.c.user_id == _USERS.c.id).where(
    _LOGINS.c.key == bindparam("key"), _LOGINS.c.created_at >= bindparam("since"))
_SECRETS = select(_ACCOUNTS.c.user_id, _ACCOUNTS.c.password_hash, _ACCOUNTS.c.recovery_hash)
_BY_NAME = _SECRETS.where(_ACCOUNTS.c.username_key == bindparam("username_key"))
_BY_USER = _SECRETS.where(_ACCOUNTS.c.user_id == bindparam("user_id"))


@dataclass(frozen=True)
class AccountRow:
    """An account as the rest of the program sees one; ``visitor`` is whom everything of its own belongs to."""

    user_id: int
    visitor: str
    username: str
    created_at: datetime


@dataclass(frozen=True)
class Secrets:
    """What a password or a recovery code is checked against."""

    user_id: int
    password_hash: str
    recovery_hash: str


@dataclass(frozen=True)
class NewAccount:
    """An account about to be stored; ``visitor`` is a new id, so that no older cookie opens it."""

    visitor: str
    username: str
    username_key: str
    password_hash: str
    recovery_hash: str


def find_by_login(connection: Connection, key: str, since: datetime) -> AccountRow | None:
    """The account that a browser is logged in to, if it logged in after ``since`` and was not logged out."""
    row = connection.execute(_BY_LOGIN, {"key": key, "since": since}).one_or_none()
    return AccountRow(row.id, row.visitor, row.username, row.created_at) if row else None


def find_secrets(connection: Connection, username_key: str) -> Secrets | None:
    """What is checked when somebody gives this name."""
    row = connection.execute(_BY_NAME, {"username_key": username_key}).one_or_none()
    return Secrets(*row) if row else None


def secrets_of(connection: Connection, user_id: int) -> Secrets | None:
    """What is checked before somebody changes their account; none where it is no more."""
    row = connection.execute(_BY_USER, {"user_id": user_id}).one_or_none()
    return Secrets(*row) if row else None


def add_account(connection: Connection, guest: str | None, new: NewAccount, now: datetime) -> int:
    """Make an account of a guest, whose history stays; the user's id. A name that is taken violates a unique key."""
    user_id = _renamed(connection, guest, new.visitor) if guest else None
    if user_id is None:
        user_id = connection.execute(insert(_USERS).returning(_USERS.c.id), {
            "visitor": new.visitor, "settings": "{}", "paces": "{}", "created_at": now, "last_seen_at": now,
        }).scalar_one()
    connection.execute(insert(_ACCOUNTS), {
        "user_id": user_id, "username": new.username, "username_key": new.username_key,
        "password_hash": new.password_hash, "recovery_hash": new.recovery_hash, "created_at": now})
    return int(user_id)


def _renamed(connection: Connection, guest: str, visitor: str) -> int | None:
    """Give a guest's row, if there is one and it is no account's, another visitor's id."""
    give_questions(connection, guest, visitor)
    return connection.execute(update(_USERS).where(_USERS.c.visitor == guest, _USERS.c.id.not_in(
        select(_ACCOUNTS.c.user_id))).values(visitor=visitor).returning(_USERS.c.id)).scalar_one_or_none()


def change_secrets(connection: Connection, user_id: int, **hashes: str) -> None:
    """Replace ``password_hash``, ``recovery_hash`` or both."""
    connection.execute(update(_ACCOUNTS).where(_ACCOUNTS.c.user_id == user_id).values(**hashes))


def lock_users(connection: Connection, *visitors: str) -> Sequence[Any]:
    """The rows of users by visitor, held until the transaction ends; always taken in one and the same order."""
    return connection.execute(
        select(_USERS).where(_USERS.c.visitor.in_(visitors)).order_by(_USERS.c.id).with_for_update()).all()


def lock_account(connection: Connection, user_id: int) -> str | None:
    """Hold an account's user until the transaction ends; its visitor, none where it is no more."""
    return connection.execute(select(_USERS.c.visitor).join(_ACCOUNTS, _ACCOUNTS.c.user_id == _USERS.c.id).where(
        _USERS.c.id == user_id).with_for_update(of=_USERS)).scalar_one_or_none()


def add_login(connection: Connection, key: str, user_id: int, now: datetime) -> None:
    """Note that a browser is logged in."""
    connection.execute(insert(_LOGINS), {"key": key, "user_id": user_id, "created_at": now})


def end_login(connection: Connection, key: str) -> None:
    """Log one browser out."""
    connection.execute(delete(_LOGINS).where(_LOGINS.c.key == key))


def end_logins(connection: Connection, user_id: int) -> None:
    """Log every browser out of an account."""
    connection.execute(delete(_LOGINS).where(_LOGINS.c.user_id == user_id))


def count_logins(connection: Connection, user_id: int, since: datetime) -> int:
    """How many browsers are logged in."""
    wanted = select(func.count()).where(_LOGINS.c.user_id == user_id, _LOGINS.c.created_at >= since)
    return connection.execute(wanted).scalar_one()


def prune_logins(connection: Connection, before: datetime) -> int:
    """Forget the logins that have lapsed; how many."""
    return len(connection.execute(delete(_LOGINS).where(_LOGINS.c.created_at < before).returning(_LOGINS.c.key)).all())
