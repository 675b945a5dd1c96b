"""Writers of one SQLite database take turns.

SQLite lets one write at a time, and who waits for it looks again after longer and longer pauses: the more writers,
the longer one of them may be passed over. Here the threads of a process queue for a lock, and the processes for a
lock on a file beside the database, which the system hands on at once and gives back when a process dies.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakKeyDictionary

from sqlalchemy import Engine

try:
    import fcntl
except ImportError:  # Windows, where one process serves
    fcntl = None  # type: ignore[assignment]

_LOCKS: WeakKeyDictionary[Engine, threading.Lock] = WeakKeyDictionary()
_GUARD = threading.Lock()


@contextmanager
def turn(engine: Engine, seconds: float) -> Iterator[bool]:
    """Wait for the turn to write, at most so long for other threads; whether it came. No wait where many may write."""
    if engine.dialect.name != "sqlite":
        yield True
        return
    with _GUARD:
        lock = _LOCKS.setdefault(engine, threading.Lock())
    if not lock.acquire(timeout=seconds):
        yield False
        return
    try:
        with _file_lock(engine.url.database):
            yield True
    finally:
        lock.release()


@contextmanager
def _file_lock(database: str | None) -> Iterator[None]:
    if fcntl is None or not database or database == ":memory:":
        yield
        return
    try:
        descriptor = os.open(f"{database}-turn", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:  # what is wrong, the database itself will tell
        yield
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
