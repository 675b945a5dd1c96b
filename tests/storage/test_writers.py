"""Writers of one SQLite database: they take turns, share commits, and fail each for itself."""

import fcntl
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import event, func, insert, select, text

from trainer.engine.rules import Rules
from trainer.storage import writers
from trainer.storage.database import db
from trainer.storage.models import RuleSet
from trainer.storage.transaction import DuplicateError, StorageError, transaction
from trainer.storage.users import ensure_rule_set
from trainer.storage.writers import NotCommittedError, writers_of

SECONDS = 10.0
GAMES = [Rules(decks=decks, dealer_hits_soft_17=hits) for decks in range(1, 9) for hits in (False, True)]

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@pytest.fixture
def commits(database, monkeypatch):
    """Grows by one with every commit of writers."""
    assert database
    seen, finish = [], writers._Batch.finish

    def note(batch):
        finish(batch)
        if batch.is_committed:
            seen.append(batch)

    monkeypatch.setattr(writers._Batch, "finish", note)
    return seen


class Queue:
    """Writers that wait behind one at work until it is told to go on."""

    def __init__(self, app):
        self.app, self._pool = app, ThreadPoolExecutor(32)
        self._is_working, self._go = threading.Event(), threading.Event()
        self.first = self._pool.submit(self._write, self._hold)
        assert self._is_working.wait(SECONDS)

    def add(self, work):
        """Another writer, which waits by the time this returns."""
        writers, self_waits = writers_of(self.app.extensions["sqlalchemy"].engine), threading.Event()
        before = writers.waiting
        future = self._pool.submit(self._write, work)
        for _ in range(int(SECONDS * 1000)):
            if writers.waiting > before:
                return future
            self_waits.wait(0.001)
        raise AssertionError("it is not waiting")

    def run(self):
        self._go.set()
        self._pool.shutdown(wait=True)

    def _hold(self, connection):
        self._is_working.set()
        assert self._go.wait(SECONDS)
        return ensure_rule_set(connection, GAMES[0])

    def _write(self, work):
        with self.app.app_context(), transaction(writes=True) as connection:
            return work(connection)


@pytest.fixture
def queue(database):
    queue = Queue(database)
    yield queue
    queue.run()


def storing(rules):
    return lambda connection: ensure_rule_set(connection, rules)


def stored():
    with transaction() as connection:
        return set(connection.execute(select(RuleSet.rule_set_hash)).scalars())


def stored_in(queue):
    with queue.app.app_context():
        return stored()


def hashes(games):
    return {rules.rule_set_hash for rules in games}


def test_writers_that_wait_for_each_other_share_a_commit(queue, commits):
    others = [queue.add(storing(rules)) for rules in GAMES[1:8]]
    queue.run()
    assert len({other.result() for other in others}) == 7
    assert stored() == hashes(GAMES[:8])
    assert len(commits) == 1


def test_no_commit_is_shared_by_so_many_that_another_process_would_starve(queue, commits):
    for _ in range(24):
        queue.add(storing(GAMES[1]))
    queue.run()
    assert len(commits) == 2


def test_nobody_is_told_of_success_before_the_commit(queue, database):
    told, seen = [], []
    event.listen(db.engine, "commit", lambda _: seen.append(len(told)))
    others = [queue.add(storing(rules)) for rules in GAMES[1:5]]
    for future in (queue.first, *others):
        future.add_done_callback(told.append)
    queue.run()
    assert database
    assert seen == [0]
    assert len(told) == 5


def fail(connection):
    ensure_rule_set(connection, GAMES[9])
    raise LookupError("of its own accord")


def store_twice(connection):
    """A unique key of the application's own tables violated."""
    for _ in range(2):
        connection.execute(insert(RuleSet).values(
            rule_set_hash=GAMES[9].rule_set_hash, strategy_hash="x", rules="{}"))


def insert_twice(connection):
    for _ in range(2):
        connection.execute(text("INSERT INTO rule_sets (rule_set_hash, strategy_hash, rules) VALUES ('a', 'b', 'c')"))


@pytest.mark.parametrize(("work", "error"), [
    (fail, LookupError), (store_twice, DuplicateError), (insert_twice, DuplicateError)])
def test_a_part_that_fails_takes_no_other_with_it(queue, commits, work, error):
    before, failing, after = queue.add(storing(GAMES[1])), queue.add(work), queue.add(storing(GAMES[2]))
    queue.run()
    with pytest.raises(error):
        failing.result()
    assert before.result()
    assert after.result()
    assert stored() == hashes(GAMES[:3])
    assert len(commits) == 1


def test_who_collides_with_another_part_finds_it_in_the_database(queue):
    def store_again(connection):
        connection.execute(insert(RuleSet).values(
            rule_set_hash=GAMES[0].rule_set_hash, strategy_hash="x", rules="{}"))

    seen = []
    colliding, last = queue.add(store_again), queue.add(storing(GAMES[1]))
    colliding.add_done_callback(lambda future: seen.append((type(future.exception()), set(stored_in(queue)))))
    queue.run()
    assert last.result()
    assert seen == [(DuplicateError, hashes(GAMES[:2]))]


@pytest.mark.parametrize("work", [fail, store_twice])
def test_a_first_part_that_fails_is_rolled_back_alone(database, work):
    with database.app_context():
        with pytest.raises((LookupError, DuplicateError)), transaction(writes=True) as connection:
            work(connection)
        assert stored() == set()
        with transaction(writes=True) as connection:
            ensure_rule_set(connection, GAMES[1])
        assert stored() == hashes(GAMES[1:2])


def give_up(connection):
    """What SQLite does by itself when the disk is full: the whole transaction is rolled back."""
    connection.connection.dbapi_connection.rollback()
    raise sqlite3.OperationalError("database or disk is full")


def test_where_the_database_gives_up_everyone_who_shared_the_transaction_is_told(queue):
    others = {rules: queue.add(storing(rules)) for rules in GAMES[1:3]}
    failing = queue.add(give_up)
    queue.run()
    for future in (queue.first, failing):
        with pytest.raises(StorageError):
            future.result()
    # Who came after the failure, and in what order the threads woke up is nobody's business, is stored; nobody else.
    told = {rules for rules, future in others.items() if future.exception() is None}
    assert stored() == hashes(told)
    assert all(isinstance(future.exception(), StorageError) for rules, future in others.items() if rules not in told)


def test_who_waits_too_long_gives_up_and_the_transaction_goes_on_without(queue, database):
    with pytest.raises(NotCommittedError), writers_of(db.engine).part(0.01):
        pass
    assert database
    queue.run()
    assert queue.first.result()
    assert stored() == hashes(GAMES[:1])


@contextmanager
def other_process(database):
    """A lock on the file, as another process would hold it."""
    ours = fcntl.lockf

    def is_taken(descriptor, operation, *place):
        if operation & fcntl.LOCK_EX:
            raise BlockingIOError
        return ours(descriptor, operation, *place)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("trainer.storage.writers.fcntl.lockf", is_taken)
        yield database


def test_another_process_that_never_gives_its_turn_back_is_an_error_not_a_hang(database):
    with other_process(database), pytest.raises(NotCommittedError), writers_of(db.engine).part(0.01):
        pass
    with transaction(writes=True) as connection:
        ensure_rule_set(connection, GAMES[1])
    assert stored() == hashes(GAMES[1:2])


def test_the_lock_lies_beside_the_database(database):
    with transaction(writes=True) as connection:
        connection.execute(select(func.count()).select_from(RuleSet))
    assert (Path(database.instance_path) / "trainer.db-turn").exists()
