"""Writers of one SQLite database take turns.

SQLite lets one write at a time, and who waits for it looks again after longer and longer pauses: the more writers,
the longer one of them may be passed over. Here the threads of a process queue for a lock, and the processes for a
lock on a file beside the database, which the system gives back when a process dies.
"""

import os
import threading
import time
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
_POLL_SECONDS = 0.001


@contextmanager
def turn(engine: Engine, seconds: float) -> Iterator[bool]:
    """Wait for the turn to write, at most so long; whether it came. No wait where many may write at a time."""
    if engine.dialect.name != "sqlite":
        yield True
        return
    with _GUARD:
        lock = _LOCKS.setdefault(engine, threading.Lock())
    if not lock.acquire(timeout=seconds):
        yield False
        return
    try:
        with _file_lock(engine.url.database, seconds) as has_turn:
            yield has_turn
    finally:
        lock.release()


@contextmanager
def _file_lock(database: str | None, seconds: float) -> Iterator[bool]:
    if fcntl is None or not database or database == ":memory:":
        yield True
        return
    try:
        descriptor = os.open(f"{database}-turn", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:  # what is wrong, the database itself will tell
        yield True
        return
    try:
        yield _locked(descriptor, time.monotonic() + seconds)
    finally:
        os.close(descriptor)


def _locked(descriptor: int, deadline: float) -> bool:
    """Whether the lock came in time; a worker that is stopped with it must not stop the others for good."""
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(_POLL_SECONDS)
        else:
            return True
