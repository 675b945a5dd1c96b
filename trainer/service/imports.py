"""Importing an export: the upload is checked and spooled, then worked off in steps that any worker can do."""

import secrets
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import IO

from trainer.service import import_end
from trainer.service.import_file import read_head, read_lines, spool
from trainer.service.import_judging import judge_lines
from trainer.service.import_parts import new_tokens, prepare
from trainer.service.import_reading import ImportFaultError
from trainer.service.strategies import StrategyCache
from trainer.storage import imports
from trainer.storage.importing import refold, store_part
from trainer.storage.imports import Job
from trainer.storage.transaction import Connection, DuplicateError, transaction
from trainer.storage.users import UserRow, ensure_user, lock_user

__all__ = ["ImportFaultError", "ImportRefusedError", "Importer", "NoImportError", "Progress"]

PART = 500
STEP_SECONDS = 2.0
LIFETIME = timedelta(days=1)
# So many imports may wait to be finished at a time: each takes room on the disk.
MOST_AT_A_TIME = 40
# A folder is made a moment before it is in the table.
_ORPHAN_SECONDS = 3600.0
_OLD_AT_A_TIME = 3


class NoImportError(LookupError):
    """There is no import to go on with: it is done, was stopped, or its day is over."""


class ImportRefusedError(RuntimeError):
    """An import cannot begin now; the message is for whoever wants it."""


@dataclass(frozen=True)
class Progress:
    """How far an import has come, in decisions: ``added`` of the ``done`` ones were new."""

    total: int
    done: int
    added: int
    is_over: bool = False

    @property
    def known(self) -> int:
        """Those that were there already."""
        return self.done - self.added


class Importer:
    """The use cases of the import page; ``folder`` is shared by all workers."""

    def __init__(self, strategies: StrategyCache, folder: Path) -> None:
        self._strategies, self._folder = strategies, folder

    def upload_file(self) -> IO[bytes]:
        """A file for an upload, which is gone when it is closed."""
        self._folder.mkdir(parents=True, exist_ok=True)
        return tempfile.TemporaryFile(dir=self._folder)

    def begin(self, visitor: str, upload: IO[bytes], now: datetime) -> Progress:
        """Check and keep what is to be imported; nothing of it is stored yet.

        ``ImportFaultError`` where the file is none, ``ImportRefusedError`` where another import is under way.
        """
        self.prune(now)
        with transaction() as connection:
            if imports.find_job(connection, visitor):
                raise ImportRefusedError("Another import of yours is under way. Let it finish, or stop it, first.")
            if imports.count_jobs(connection) >= MOST_AT_A_TIME:
                raise ImportRefusedError("Many people are importing just now. Try again in a few minutes.")
        key = secrets.token_hex(16)
        with self._new_folder(key) as folder:
            total = spool(upload, folder, now).decisions
            try:
                with transaction(writes=True) as connection:
                    imports.add_job(connection, ensure_user(connection, visitor, now).id, key, total, now)
            except DuplicateError:
                raise ImportRefusedError("Another import of yours has just begun.") from None
        return Progress(total, 0, 0)

    def running(self, visitor: str | None) -> Progress | None:
        """A visitor's import, if one is under way."""
        if visitor is None:
            return None
        with transaction() as connection:
            job = imports.find_job(connection, visitor)
        return _progress(job) if job else None

    def step(self, visitor: str | None, now: datetime) -> Progress:
        """Go on with an import for a moment, part by part.

        ``NoImportError`` where there is none. ``ImportFaultError`` where a hand cannot be: what was stored before it
        stays (``kept`` decisions), nothing of its part is, and the import is over. ``SolverBusyError`` as usual.
        """
        end = time.monotonic() + STEP_SECONDS
        while True:
            with transaction() as connection:
                job = imports.find_job(connection, visitor) if visitor else None
            if job is None:
                raise NoImportError
            if self._next(job, now):
                return replace(_progress(job), is_over=True)
            if time.monotonic() >= end:
                return self.running(visitor) or replace(_progress(job), is_over=True)

    def stop(self, visitor: str | None) -> None:
        """End an import where it is; what is stored stays, and all that is summed up agrees with it."""
        with transaction() as connection:
            job = imports.find_job(connection, visitor) if visitor else None
        if job:
            self._drop(job)

    def prune(self, now: datetime) -> None:
        """Stop imports that nobody has finished within a day, a few at a time, and remove folders left behind."""
        with transaction() as connection:
            old = imports.old_jobs(connection, now - LIFETIME, _OLD_AT_A_TIME)
        for job in old:
            self._drop(job)
        with transaction() as connection:
            used = imports.job_keys(connection)
        for folder in self._folder.iterdir() if self._folder.exists() else ():
            if folder.name not in used and time.time() - folder.stat().st_mtime > _ORPHAN_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)

    def _next(self, job: Job, now: datetime) -> bool:
        """Do the next part of an import; whether that was the last."""
        try:
            if not job.is_read:
                self._store(job)
            elif job.stale:
                self._refold_some(job)
            else:
                self._finish(job, now)
                return True
        except ImportFaultError as fault:
            self._drop(job)
            fault.kept = job.done
            raise
        except FileNotFoundError:  # it lies on another machine, or was taken away
            self._drop(job)
            raise NoImportError from None
        except DuplicateError:  # somebody else's import stored the same token in this moment; it is seen next time
            pass
        return False

    def _store(self, job: Job) -> None:
        head = read_head(self._folder / job.key)
        lines, offset = read_lines(self._folder / job.key, job.offset, PART)
        with transaction() as connection:
            new = new_tokens(connection, job.user_id, (each.decision.token for each in lines))
        judged = judge_lines([each for each in lines if each.decision.token in new], head, self._strategies.get)
        with transaction(writes=True) as connection:
            user = _lock_current(connection, job)
            if user is None:
                return
            part = prepare(connection, user.id, judged, head)
            stale = store_part(connection, user.id, part, job.stale)
            imports.save_job(connection, replace(job, done=job.done + len(lines), added=job.added + len(part.news),
                                              offset=offset, stale=job.stale | stale))

    def _refold_some(self, job: Job) -> None:
        """Work out the memories of one chart from the whole history."""
        strategy = min(strategy for strategy, _ in job.stale)
        some = {place for place in job.stale if place[0] == strategy}
        refold(job.visitor, job.user_id, some)
        with transaction(writes=True) as connection:
            if _lock_current(connection, job):
                imports.save_job(connection, replace(job, stale=job.stale - some))

    def _finish(self, job: Job, now: datetime) -> None:
        head = read_head(self._folder / job.key)
        with transaction(writes=True) as connection:
            user = _lock_current(connection, job)
            if user:
                import_end.finish(connection, job.visitor, user, head, now)
                imports.delete_job(connection, job.key)
        shutil.rmtree(self._folder / job.key, ignore_errors=True)

    def _drop(self, job: Job) -> None:
        if job.stale:
            refold(job.visitor, job.user_id, job.stale)
        with transaction(writes=True) as connection:
            imports.delete_job(connection, job.key)
        shutil.rmtree(self._folder / job.key, ignore_errors=True)

    @contextmanager
    def _new_folder(self, key: str) -> Iterator[Path]:
        """A folder that stays only where all went well."""
        folder = self._folder / key
        folder.mkdir(parents=True, mode=0o700)
        try:
            yield folder
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise


def _lock_current(connection: Connection, job: Job) -> UserRow | None:
    """The user, locked, unless somebody has gone on with the import, or ended it, since it was read."""
    user = lock_user(connection, job.visitor)
    return user if user and imports.find_job(connection, job.visitor) == job else None


def _progress(job: Job) -> Progress:
    return Progress(job.total, job.done, job.added)
