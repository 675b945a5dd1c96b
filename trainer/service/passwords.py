"""Passwords hashed by scrypt, a few at a time: each takes 64 MB and a good part of a second of one core."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from werkzeug.security import check_password_hash, generate_password_hash

# As strong as OWASP asks for, in its storage cheat sheet and in ASVS 2.4.6.
METHOD = "scrypt:65536:8:2"
AT_ONCE = 2
PATIENCE_SECONDS = 5.0
_turns = BoundedSemaphore(AT_ONCE)


class HashingBusyError(RuntimeError):
    """Too many passwords are being checked already; ``retry_after_seconds`` from now there may be room."""

    retry_after_seconds = 5


def hash_password(password: str) -> str:
    """A salted hash to be stored."""
    with _turn():
        return generate_password_hash(password, METHOD)


def is_password(stored: str | None, password: str) -> bool:
    """Whether a password fits a stored hash; it takes as long where there is none, and then none fits."""
    with _turn():
        return check_password_hash(stored or f"{METHOD}${'0' * 16}${'0' * 128}", password) and stored is not None


@contextmanager
def _turn() -> Iterator[None]:
    if not _turns.acquire(timeout=PATIENCE_SECONDS):
        raise HashingBusyError
    try:
        yield
    finally:
        _turns.release()
