"""Fixtures for tests of what is stored: each runs on SQLite, and on PostgreSQL where one is reachable."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import flask_migrate
import pytest
from flask import Flask
from sqlalchemy import delete, make_url, text

from app import create_app
from trainer.config import Settings
from trainer.service.drill import DrillService
from trainer.service.strategies import StrategyCache
from trainer.storage.database import db

POSTGRES = os.environ.get("TEST_POSTGRES_URL", "postgresql://postgres@127.0.0.1:5432/test")


@contextmanager
def own_postgres() -> Iterator[str]:
    """The address of an empty PostgreSQL database that is dropped in the end; skips where there is no server."""
    psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed", exc_type=ImportError)
    name = f"trainer_{uuid4().hex}"
    try:
        server = psycopg.connect(POSTGRES, autocommit=True, connect_timeout=3)
    except psycopg.OperationalError as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"no PostgreSQL at {POSTGRES}: {error}")
    with server:
        server.execute(f'CREATE DATABASE "{name}"')
        server.execute(f'ALTER DATABASE "{name}" SET synchronous_commit = off')  # no test cuts the server's power
        try:
            yield make_url(POSTGRES).set(database=name).render_as_string(hide_password=False)
        finally:
            server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture(scope="session")
def postgres_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """An application on a migrated PostgreSQL database of this run's own."""
    with own_postgres() as url:
        app = create_app({"SETTINGS": Settings(tmp_path_factory.mktemp("postgres"), url, "test")})
        with app.app_context():
            flask_migrate.upgrade()
        yield app
        with app.app_context():
            db.engine.dispose()


def empty_tables() -> None:
    """Leave nothing in any table of PostgreSQL; ids begin anew."""
    # TRUNCATE would make a new file for every table and index, which takes fifty times as long.
    with db.engine.begin() as connection:
        for table in reversed(db.metadata.sorted_tables):
            connection.execute(delete(table))
        connection.execute(text("SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)"
                                " FROM pg_sequences"))


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Iterator[Flask]:
    """An application on an empty database, its context pushed."""
    if request.param == "postgresql":
        app = request.getfixturevalue("postgres_app")
    else:
        app = create_app({"SETTINGS": Settings(request.getfixturevalue("instance"), secret_key="test")})
    with app.app_context():
        if request.param == "postgresql":
            empty_tables()
        yield app
        if request.param == "sqlite":
            db.engine.dispose()


@pytest.fixture(scope="session")
def solved(solved_folder: Path) -> StrategyCache:
    """Strategies never change, so that all tests may share them."""
    return StrategyCache(solved_folder)


@pytest.fixture
def service(database: Flask, solved: StrategyCache) -> DrillService:
    """The drill on an empty database."""
    assert database
    return DrillService(solved)
