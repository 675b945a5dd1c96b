"""Migrations: up, down and up again, and nothing between them and the models."""

import re

import flask_migrate
import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, select, text

from app import create_app
from tests.service.history import practise, recount_tallies, stored_tallies
from tests.storage.databases import own_postgres
from trainer.config import Settings
from trainer.storage.database import MIGRATIONS, db
from trainer.storage.models import CATEGORY_MONTH, Tally
from trainer.storage.transaction import transaction


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request, tmp_path):
    """An application on a database without any table, its context pushed."""
    if request.param == "sqlite":
        yield from opened(Settings(tmp_path, secret_key="test"))
    else:
        with own_postgres() as url:
            yield from opened(Settings(tmp_path, url, "test"))


def opened(settings):
    app = create_app({"SETTINGS": settings})
    with app.app_context():
        yield app
        db.engine.dispose()


def tables():
    return set(inspect(db.engine).get_table_names()) - {"alembic_version"}


def indexes():
    """Every index by name: its table, columns and condition."""
    inspector = inspect(db.engine)
    found = {}
    for table in tables():
        for index in inspector.get_indexes(table):
            options = index.get("dialect_options", {})
            condition = next((str(value) for name, value in options.items() if name.endswith("_where")), "")
            found[index["name"]] = (table, tuple(index["column_names"]), bool(index["unique"]), condition.strip("()"))
    return found


def columns():
    inspector = inspect(db.engine)
    return {(table, column["name"]): (str(column["type"]), column["nullable"])
            for table in tables() for column in inspector.get_columns(table)}


def keys():
    inspector = inspect(db.engine)
    return {table: (
        tuple(inspector.get_pk_constraint(table)["constrained_columns"]),
        sorted((tuple(key["constrained_columns"]), key["referred_table"], key["options"].get("ondelete"))
               for key in inspector.get_foreign_keys(table)),
        sorted(tuple(each["column_names"]) for each in inspector.get_unique_constraints(table)),
    ) for table in tables()}


@pytest.mark.usefixtures("empty")
def test_up_down_and_up_again():
    flask_migrate.upgrade()
    first = tables(), indexes(), columns(), keys()
    assert first[0] == {"users", "accounts", "logins", "rule_sets", "questions", "practice_sessions", "decisions",
                        "tallies", "cell_memories", "runs", "goal_days", "saved_rules", "table_purses", "table_seats",
                        "table_rounds", "imports"}
    flask_migrate.downgrade(revision="base")
    assert tables() == set()
    flask_migrate.upgrade()
    assert (tables(), indexes(), columns(), keys()) == first


@pytest.mark.usefixtures("empty")
def test_one_step_down_and_up_from_every_revision():
    revisions = [script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions()][::-1]
    assert revisions
    for revision in revisions:
        flask_migrate.upgrade(revision=revision)
        before = tables(), columns()
        flask_migrate.downgrade(revision="-1")
        flask_migrate.upgrade(revision=revision)
        assert (tables(), columns()) == before


@pytest.mark.usefixtures("empty")
def test_no_difference_between_migrations_and_models():
    flask_migrate.upgrade()
    flask_migrate.check()
    migrated = indexes(), columns(), keys()
    flask_migrate.downgrade(revision="base")
    db.create_all()
    assert (indexes(), columns(), keys()) == migrated


@pytest.mark.usefixtures("empty")
def test_the_indexes_of_mistakes_hold_mistakes_only():
    flask_migrate.upgrade()
    conditions = {name: condition for name, (*_, condition) in indexes().items() if condition}
    assert conditions == dict.fromkeys(
        ("ix_mistakes_newest", "ix_mistakes_costliest", "ix_mistakes_places"), "is_mistake")


@pytest.mark.usefixtures("empty")
def test_migrating_twice_changes_nothing():
    flask_migrate.upgrade()
    flask_migrate.upgrade()
    with db.engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM alembic_version")).scalar_one() == 1


def test_revisions_follow_one_another_and_are_named_in_order():
    scripts = list(ScriptDirectory(str(MIGRATIONS)).walk_revisions())[::-1]
    assert [script.revision for script in scripts] == [f"{number:04d}" for number in range(1, len(scripts) + 1)]
    assert [script.down_revision for script in scripts] == [None, *[script.revision for script in scripts][:-1]]
    assert all(re.fullmatch(rf"{script.revision}_[a-z0-9_]+\.py", script.path.rpartition("/")[2]) for script in scripts)


def test_sums_by_month_are_filled_for_those_who_have_practised_before(service):
    practise(service, 120, seed=12)
    flask_migrate.downgrade(revision="0001")
    with transaction() as connection:
        assert CATEGORY_MONTH not in set(connection.execute(select(Tally.scope)).scalars())
    flask_migrate.upgrade()
    assert stored_tallies() == recount_tallies()


def test_tallies_are_the_same_when_they_are_laid_out_anew(service):
    practise(service, 60, seed=13)
    before = stored_tallies()
    flask_migrate.downgrade(revision="0007")
    assert stored_tallies() == before
    flask_migrate.upgrade()
    assert stored_tallies() == before == recount_tallies()
    practise(service, 20, seed=14)
    assert stored_tallies() == recount_tallies()
