"""The writers of one SQLite database take turns, and those of one process that queue up share a commit.

SQLite lets one write at a time. Who waits for its own lock looks again after longer and longer pauses, and some
would wait for seconds; and a commit that is to survive a power cut waits for the disk. So the threads of a process
queue for a lock, and the processes for one on a file beside the database, which the system takes back from the
dead. A writer behind whom others of its process wait leaves its transaction open to them: each works in a savepoint
of its own, the last one commits for all, and none goes on before that.
"""

import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError

from trainer.storage.database import begin

try:
    import fcntl
except ImportError:  # Windows, where one process serves
    fcntl = None  # type: ignore[assignment]

# So many share a commit at most, lest another process wait too long for its turn.
_MOST_PARTS = 16
# So long a part waits before it looks whether the others have left it alone with an open transaction.
_PATIENCE_SECONDS = 0.1
_POLL_SECONDS = 0.001
_TURN, _NEXT = 0, 1


class NotCommittedError(RuntimeError):
    """The turn did not come in time, or the transaction that a part belonged to was rolled back."""


class _Batch:
    """One open transaction with the lock on the file, and the parts that it is made of."""

    def __init__(self, engine: Engine, deadline: float) -> None:
        self.parts = 0
        self.is_broken = self.is_committed = False
        self.is_over = threading.Event()
        with ExitStack() as opened:
            opened.enter_context(file_turn(engine, deadline))
            self.connection: Connection = opened.enter_context(engine.connect())
            begin(self.connection, writes=True)
            self._opened = opened.pop_all()

    @contextmanager
    def part(self) -> Iterator[None]:
        """One part's work: undone alone where it fails, but with all the others where the database fails."""
        self.parts += 1
        is_first = self.parts == 1  # no other is lost with it, so that it needs no savepoint
        try:
            with nullcontext() if is_first else self.connection.begin_nested():
                yield
        except BaseException as error:
            is_fault = isinstance(error, (DBAPIError, sqlite3.Error)) and not isinstance(error, IntegrityError)
            self.is_broken = self.is_broken or is_first or is_fault
            raise
        finally:
            # SQLite gives a transaction up by itself when the disk is full.
            self.is_broken = self.is_broken or not self._is_open

    @property
    def _is_open(self) -> bool:
        return bool(self.connection.connection.dbapi_connection.in_transaction)  # type: ignore[union-attr]

    def finish(self) -> None:
        """Commit for all parts; a broken transaction is rolled back."""
        try:
            with self._opened:
                if not self.is_broken:
                    self.connection.commit()
                    self.is_committed = True
        finally:
            self.is_over.set()


class Writers:
    """The writers of one process."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._turn, self._counting = threading.Lock(), threading.Lock()
        self.waiting = 0
        self._batch: _Batch | None = None

    @contextmanager
    def part(self, seconds: float) -> Iterator[Connection]:
        """A connection in a transaction that is committed before this ends; an error leaves nothing of this part.

        Errors too come out only when the transaction is over, so that whoever collided with another part finds in the
        database what it was. ``NotCommittedError`` where the turn has not come within ``seconds``, or another part has
        failed in a way that leaves nothing of the whole transaction.
        """
        batch = self._join(seconds)
        try:
            with batch.part():
                yield batch.connection
        except IntegrityError as error:
            self._leave(batch)
            if batch.parts > 1 and not batch.is_committed:  # what it collided with is gone as well
                raise NotCommittedError("another part of the transaction has failed") from error
            raise
        except BaseException:
            self._leave(batch)
            raise
        self._leave(batch)
        if not batch.is_committed:
            raise NotCommittedError("another part of the transaction has failed")

    def _join(self, seconds: float) -> _Batch:
        """Wait for the turn; the open transaction, or a new one."""
        deadline = time.monotonic() + seconds
        self._count_waiting(1)
        has_turn = self._turn.acquire(timeout=seconds)
        self._count_waiting(-1)
        if not has_turn:
            raise NotCommittedError("others were writing for too long")
        try:
            self._batch = self._batch or _Batch(self._engine, deadline)
        except BaseException:
            self._turn.release()
            raise
        return self._batch

    def _leave(self, batch: _Batch) -> None:
        """Give the turn on, with the transaction where another one waits for it, and wait until that is over."""
        try:
            if batch.is_broken or not self.waiting or batch.parts >= _MOST_PARTS:
                self._batch = None
                batch.finish()
        finally:
            self._turn.release()
        while not batch.is_over.wait(_PATIENCE_SECONDS):
            self._finish_if_left(batch)

    def _finish_if_left(self, batch: _Batch) -> None:
        """Commit where nobody came to do it: who was waiting has given up."""
        if self._turn.acquire(blocking=False):
            try:
                if self._batch is batch:
                    self._batch = None
                    batch.finish()
            finally:
                self._turn.release()

    def _count_waiting(self, change: int) -> None:
        with self._counting:
            self.waiting += change


_WRITERS: WeakKeyDictionary[Engine, Writers] = WeakKeyDictionary()
_MAKING = threading.Lock()


def writers_of(engine: Engine) -> Writers:
    """The writers of this process on one database."""
    with _MAKING:
        if engine not in _WRITERS:
            _WRITERS[engine] = Writers(engine)
        return _WRITERS[engine]


@contextmanager
def file_turn(engine: Engine, deadline: float) -> Iterator[None]:
    """This process's turn at the file of an SQLite database; ``NotCommittedError`` where it has not come by then.

    A process that is stopped while it has its turn must not stop the others for good. Other databases keep order
    themselves.
    """
    database = engine.url.database if engine.dialect.name == "sqlite" else None
    if fcntl is None or not database or database == ":memory:":
        yield
        return
    try:
        descriptor = os.open(f"{database}-turn", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:  # what is wrong, the database itself will tell
        yield
        return
    try:
        # Who is next holds the second byte until the first is free, so that nobody is passed over.
        _lock(descriptor, _NEXT, deadline)
        _lock(descriptor, _TURN, deadline)
        fcntl.lockf(descriptor, fcntl.LOCK_UN, 1, _NEXT)
        yield
    finally:
        os.close(descriptor)


def _lock(descriptor: int, byte: int, deadline: float) -> None:
    while True:
        try:
            return fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)
        except (BlockingIOError, PermissionError):
            if time.monotonic() >= deadline:
                raise NotCommittedError("another process was writing for too long") from None
            time.sleep(_POLL_SECONDS)
