"""How the database is opened, and what a transaction keeps."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from sqlalchemy import delete, event, func, insert, select, text

from app import create_app
from tests.service.history import practise
from trainer.config import Settings
from trainer.engine.presets import RULE_SETS
from trainer.storage.database import db, engine_options
from trainer.storage.models import Decision, PracticeSession, Question, RuleSet, Tally, User
from trainer.storage.transaction import DuplicateError, StorageError, ping, transaction
from trainer.storage.users import ensure_rule_set, ensure_user, find_user, mark_seen, save_settings

NOW = datetime(2031, 3, 4, 12, tzinfo=UTC)
ME = "a" * 32
ONLY_SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


def size(model):
    with transaction() as connection:
        return connection.execute(select(func.count()).select_from(model)).scalar_one()


def path_of(app):
    return Path(app.instance_path) / "trainer.db"


@ONLY_SQLITE
@pytest.mark.parametrize(("pragma", "value"), [
    ("journal_mode", "wal"), ("foreign_keys", 1), ("busy_timeout", 3000), ("synchronous", 2),
])
def test_sqlite_is_safe_for_several_workers(database, pragma, value):
    assert database
    with transaction() as connection:
        found = connection.execute(text(f"PRAGMA {pragma}")).scalar_one()
        # Tests do not wait for the disk; the application would, as this was before.
        assert connection.info.get(pragma, found) == value


def test_only_sqlite_is_given_a_busy_timeout():
    assert engine_options("sqlite:///x")["connect_args"]["timeout"] >= 1
    assert engine_options("postgresql://host/name")["pool_pre_ping"] is True


@pytest.mark.usefixtures("database")
def test_a_transaction_is_all_or_nothing():
    def fail():
        with transaction(writes=True) as connection:
            ensure_user(connection, ME, NOW)
            raise RuntimeError("half-way")

    with pytest.raises(RuntimeError, match="half-way"):
        fail()
    assert size(User) == 0
    with transaction(writes=True) as connection:
        ensure_user(connection, ME, NOW)
    assert size(User) == 1


@pytest.mark.usefixtures("database")
def test_a_taken_key_is_a_duplicate_and_nothing_of_the_transaction_is_kept():
    def make(visitor):
        with transaction(writes=True) as connection:
            ensure_user(connection, f"before {visitor}"[:32], NOW)
            connection.execute(insert(User).values(
                visitor=visitor, settings="{}", paces="{}", created_at=NOW, last_seen_at=NOW))

    make(ME)
    with transaction(writes=True) as connection:
        connection.execute(delete(User).where(User.visitor != ME))
    with pytest.raises(DuplicateError):
        make(ME)
    assert size(User) == 1


@pytest.mark.usefixtures("database")
def test_a_fault_of_the_database_is_told_apart():
    with pytest.raises(StorageError), transaction() as connection:
        connection.execute(text("SELECT nothing FROM nowhere"))
    ping()


@ONLY_SQLITE
def test_a_write_takes_the_lock_at_once_and_a_reader_never_waits(database):
    with closing(sqlite3.connect(path_of(database), timeout=0, isolation_level=None)) as other:
        with transaction(writes=True):
            assert other.execute("SELECT count(*) FROM users").fetchone() == (0,)
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                other.execute("BEGIN IMMEDIATE")
        other.execute("BEGIN IMMEDIATE")
        assert size(User) == 0
        other.execute("ROLLBACK")


def test_a_lock_that_is_not_given_up_is_a_storage_error(instance):
    app = create_app({"SETTINGS": Settings(instance, secret_key="test"),
                      "SQLALCHEMY_ENGINE_OPTIONS": {"connect_args": {"timeout": 0.01}}})
    with app.app_context(), closing(sqlite3.connect(instance / "trainer.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError), transaction(writes=True):
            pass
        other.execute("ROLLBACK")
        with transaction(writes=True) as connection:
            ensure_user(connection, ME, NOW)
        db.engine.dispose()


@ONLY_SQLITE
def test_a_commit_reaches_the_file_before_it_returns(database):
    with transaction(writes=True) as connection:
        ensure_user(connection, ME, NOW)
    with closing(sqlite3.connect(path_of(database))) as other:
        assert other.execute("SELECT visitor FROM users").fetchall() == [(ME,)]


@pytest.mark.usefixtures("database")
def test_times_come_back_aware_and_in_utc():
    tokyo = timezone(timedelta(hours=9))
    with transaction(writes=True) as connection:
        ensure_user(connection, ME, datetime(2031, 3, 4, 21, 30, 15, 250_000, tokyo))
    with transaction() as connection:
        found = connection.execute(select(User.created_at)).scalar_one()
    assert found == datetime(2031, 3, 4, 12, 30, 15, 250_000, UTC)
    assert found.utcoffset() == timedelta(0)


@pytest.mark.usefixtures("database")
def test_a_time_without_a_zone_is_refused():
    with pytest.raises(Exception, match="without a time zone"), transaction(writes=True) as connection:
        ensure_user(connection, ME, datetime(2031, 3, 4))
    assert size(User) == 0


def test_what_belongs_to_a_user_goes_with_the_user(service):
    practise(service, 6)
    assert all(size(model) for model in (Decision, Tally, PracticeSession))
    with transaction(writes=True) as connection:
        connection.execute(delete(User))
    assert [size(model) for model in (Decision, Tally, PracticeSession)] == [0, 0, 0]
    assert size(RuleSet)


def test_a_rule_set_that_is_in_use_cannot_be_deleted(service):
    practise(service, 6)
    with pytest.raises(DuplicateError), transaction(writes=True) as connection:
        connection.execute(delete(RuleSet))
    assert size(RuleSet)


@pytest.mark.usefixtures("database")
def test_nothing_can_belong_to_nobody():
    with pytest.raises(DuplicateError), transaction(writes=True) as connection:
        connection.execute(insert(PracticeSession).values(user_id=77, started_at=NOW, last_at=NOW))
    with pytest.raises(DuplicateError), transaction(writes=True) as connection:
        connection.execute(insert(Question).values(token="t" * 22, visitor=ME, plan="", position=0, rule_set_id=77,
                                                cards="", upcard="", dealt_at=NOW))


@pytest.mark.usefixtures("database")
def test_a_user_is_made_once_and_kept():
    with transaction(writes=True) as connection:
        assert find_user(connection, ME) is None
        made = ensure_user(connection, ME, NOW)
        assert ensure_user(connection, ME, NOW + timedelta(days=1)) == made
        save_settings(connection, made.id, {"theme": "dark", "text": "ä\N{PLAYING CARD BACK}"})
        mark_seen(connection, made.id, NOW + timedelta(days=2), {"hard": [1, 2]})
    with transaction() as connection:
        found = find_user(connection, ME)
        seen = connection.execute(select(User.created_at, User.last_seen_at)).one()
    assert found.settings == {"theme": "dark", "text": "ä\N{PLAYING CARD BACK}"}
    assert found.paces == {"hard": [1, 2]}
    assert tuple(seen) == (NOW, NOW + timedelta(days=2))


@pytest.mark.usefixtures("database")
def test_a_rule_set_has_one_row_by_content():
    with transaction(writes=True) as connection:
        ids = [ensure_rule_set(connection, RULE_SETS[key]) for key in (*RULE_SETS, *RULE_SETS)]
    assert len(set(ids)) == len(RULE_SETS) == size(RuleSet)
    assert ids[: len(RULE_SETS)] == ids[len(RULE_SETS) :]


@ONLY_SQLITE
def test_the_driver_begins_nothing_by_itself(database):
    begun = []

    def note(_connection, _cursor, statement, *_):
        begun.append(statement)

    assert database
    event.listen(db.engine, "before_cursor_execute", note)
    try:
        size(User)
        with transaction(writes=True) as connection:
            ensure_user(connection, ME, NOW)
    finally:
        event.remove(db.engine, "before_cursor_execute", note)
    assert [statement for statement in begun if statement.startswith("BEGIN")] == ["BEGIN", "BEGIN IMMEDIATE"]
