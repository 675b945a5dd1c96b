"""Accounts: registering, logging in and out, passwords, recovery codes.

Hashing is slow and never done inside a transaction; what was checked before one is compared again within it.
"""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from trainer.service.credentials import (
    LONGEST_KEY,
    CredentialError,
    check_new_password,
    fits_code,
    fits_password,
    hash_of_code,
    hash_of_password,
    new_recovery_code,
    username_key,
    username_of,
)
from trainer.storage import accounts
from trainer.storage.accounts import AccountRow, NewAccount, Secrets
from trainer.storage.merging import fold_guest
from trainer.storage.questions import drop_questions
from trainer.storage.removal import delete_user
from trainer.storage.transaction import Connection, DuplicateError, transaction

__all__ = ["AccountRow", "CredentialError", "Opened", "WrongCredentialsError"]

LOGIN_LIFETIME = timedelta(days=180)


class WrongCredentialsError(ValueError):
    """Name and password, or name and recovery code, do not belong together; never said which of them is wrong."""


@dataclass(frozen=True)
class Opened:
    """An account that a browser is logged in to now.

    ``login`` is for its cookie; ``recovery_code`` is shown once, and empty where the old one still holds.
    """

    login: str
    recovery_code: str = ""
    has_merged: bool = False


def find_account(login: str, now: datetime) -> AccountRow | None:
    """The account that a cookie's login opens; none where it lapsed or was ended."""
    with transaction() as connection:
        return accounts.find_by_login(connection, _digest(login), now - LOGIN_LIFETIME)


def register(guest: str | None, username: str, password: str, now: datetime) -> Opened:
    """Make an account of a guest, whose history becomes the account's.

    ``CredentialError`` where name or password cannot be, or the name is taken. The very same name and password again,
    as a double click sends them, open the account that is there.
    """
    name = username_of(username)
    check_new_password(password, name)
    code = new_recovery_code()
    new = NewAccount(secrets.token_hex(16), name, username_key(name), hash_of_password(password), hash_of_code(code))
    try:
        with transaction(writes=True) as connection:
            user_id = accounts.add_account(connection, guest, new, now)
            return Opened(_new_login(connection, user_id, now), code)
    except DuplicateError:
        try:
            return log_in(guest, username, password, now)
        except WrongCredentialsError:
            raise CredentialError("username", "That name is taken. Choose another.") from None


def log_in(guest: str | None, username: str, password: str, now: datetime) -> Opened:
    """Log a browser in and move its guest's history, if there is one, to the account, once.

    ``WrongCredentialsError`` where name and password do not belong together.
    """
    found = _secrets_for(username)
    if not fits_password(found.password_hash if found else None, password) or found is None:
        raise WrongCredentialsError
    with transaction(writes=True) as connection:
        visitor = _held(connection, found)
        has_merged = fold_guest(connection, guest, visitor)
        return Opened(_new_login(connection, found.user_id, now), has_merged=has_merged)


def recover(guest: str | None, username: str, code: str, password: str, now: datetime) -> Opened:
    """Set a new password by the recovery code, which is used up: every browser is logged out, this one in.

    ``WrongCredentialsError`` where name and code do not belong together, ``CredentialError`` for a bad password.
    """
    check_new_password(password, username)
    found = _secrets_for(username)
    if not fits_code(found.recovery_hash if found else None, code) or found is None:
        return log_in(guest, username, password, now)  # the form sent twice: its code is used up, its password holds
    return _start_anew(found, guest, now, hash_of_password(password), new_recovery_code())


def change_password(account: AccountRow, old: str, new: str, now: datetime) -> Opened:
    """Change a password: every other browser is logged out. ``CredentialError`` at ``old`` or ``password``."""
    check_new_password(new, account.username)
    found = _checked(account, old, "old")
    return _start_anew(found, None, now, hash_of_password(new))


def renew_recovery_code(account: AccountRow, password: str) -> str:
    """Another recovery code in place of the old one. ``CredentialError`` where the password is wrong."""
    found, code = _checked(account, password, "password"), new_recovery_code()
    with transaction(writes=True) as connection:
        _held(connection, found)
        accounts.change_secrets(connection, found.user_id, recovery_hash=hash_of_code(code))
    return code


def log_out(login: str) -> None:
    """Log one browser out."""
    with transaction(writes=True) as connection:
        accounts.end_login(connection, _digest(login))


def log_out_everywhere(account: AccountRow) -> None:
    """Log every browser out, this one too."""
    with transaction(writes=True) as connection:
        accounts.lock_users(connection, account.visitor)
        accounts.end_logins(connection, account.user_id)


def count_logins(account: AccountRow, now: datetime) -> int:
    """How many browsers are logged in."""
    with transaction() as connection:
        return accounts.count_logins(connection, account.user_id, now - LOGIN_LIFETIME)


def delete_account(account: AccountRow, password: str) -> None:
    """Delete an account and everything of its own. ``CredentialError`` where the password is wrong."""
    found = _checked(account, password, "password")
    with transaction(writes=True) as connection:
        drop_questions(connection, account.visitor)  # hands before users, as everywhere
        delete_user(connection, _held(connection, found))


def _secrets_for(username: str) -> Secrets | None:
    """What is stored under a name; nothing under one that cannot be."""
    key = username_key(username)
    with transaction() as connection:
        return accounts.find_secrets(connection, key) if key.isprintable() and len(key) <= LONGEST_KEY else None


def _checked(account: AccountRow, password: str, field: str) -> Secrets:
    with transaction() as connection:
        found = accounts.secrets_of(connection, account.user_id)
    if found is None or not fits_password(found.password_hash, password):
        raise CredentialError(field, "That is not your password.")
    return found


def _held(connection: Connection, found: Secrets) -> str:
    """The account's visitor, held until the transaction ends; nobody has changed its secrets since they were read."""
    visitor = accounts.lock_account(connection, found.user_id)
    if visitor is None or accounts.secrets_of(connection, found.user_id) != found:
        raise WrongCredentialsError
    return visitor


def _new_login(connection: Connection, user_id: int, now: datetime) -> str:
    login = secrets.token_urlsafe(32)
    accounts.add_login(connection, _digest(login), user_id, now)
    return login


def _digest(login: str) -> str:
    return hashlib.sha256(login.encode("utf-8", "replace")).hexdigest()


def _start_anew(
    found: Secrets, guest: str | None, now: datetime, password_hash: str, code: str = ""
) -> Opened:
    """Another password, every login ended but a new one."""
    hashes = {"password_hash": password_hash} | ({"recovery_hash": hash_of_code(code)} if code else {})
    with transaction(writes=True) as connection:
        has_merged = fold_guest(connection, guest, _held(connection, found))
        accounts.change_secrets(connection, found.user_id, **hashes)
        accounts.end_logins(connection, found.user_id)
        return Opened(_new_login(connection, found.user_id, now), code, has_merged)
