"""Worked-out rule sets, and the application in a folder of its own, on a fresh, migrated database."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import flask_migrate
import pytest
from flask import Flask
from flask.testing import FlaskClient

from app import create_app
from tests.time_savers import CHEAP_METHOD, remember_routes
from trainer.config import Settings
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules
from trainer.engine.strategy import Strategy, derive
from trainer.service.strategies import StrategyCache
from trainer.storage.database import db

# Databases wait for the disk at every commit. In memory they need not, and no test cuts the power.
_MEMORY, _ROOM = Path("/dev/shm"), 4 * 2**30
if _MEMORY.is_dir() and os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > _ROOM:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY))
remember_routes()


@pytest.fixture(scope="session")
def strategy_of() -> Callable[[Rules], Strategy]:
    """The strategy of a rule set, derived once for all rule sets with the same strategy hash."""
    derived: dict[str, Strategy] = {}

    def strategy_of(rules: Rules) -> Strategy:
        if rules.strategy_hash not in derived:
            derived[rules.strategy_hash] = derive(rules)
        return derived[rules.strategy_hash]

    return strategy_of


@pytest.fixture(scope="session")
def solved_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder in which the rule sets that ship are solved already."""
    folder = tmp_path_factory.mktemp("solved")
    cache = StrategyCache(folder)
    for rules in RULE_SETS.values():
        cache.get(rules)
    return folder


@pytest.fixture(scope="session")
def migrated_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty SQLite database with every migration applied, to be copied."""
    instance = tmp_path_factory.mktemp("migrated")
    app = create_app({"SETTINGS": Settings(instance, secret_key="test"), "TESTING": True})
    with app.app_context():
        flask_migrate.upgrade()
        db.engine.dispose()  # the last connection to close moves the write-ahead log into the file
    return instance / "trainer.db"


@pytest.fixture
def instance(tmp_path: Path, migrated_database: Path, solved_folder: Path) -> Path:
    """A folder as an installed application has it."""
    folder = tmp_path / "instance"
    folder.mkdir()
    shutil.copy(migrated_database, folder / "trainer.db")
    os.symlink(solved_folder, folder / "strategies")
    return folder


@pytest.fixture
def app(instance: Path) -> Flask:
    """The application as it is served, errors shown as pages; forms need no token."""
    return create_app({
        "SETTINGS": Settings(instance, secret_key="test"),
        "TESTING": False,
        "PROPAGATE_EXCEPTIONS": False,
        "WTF_CSRF_ENABLED": False,
    })


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A browser without JavaScript that keeps its cookie."""
    return app.test_client()


@pytest.fixture
def other_client(app: Flask) -> FlaskClient:
    """Another visitor's browser."""
    return app.test_client()


@pytest.fixture(autouse=True)
def cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passwords quickly; tests of the cost itself read the constant."""
    monkeypatch.setattr("trainer.service.passwords.METHOD", CHEAP_METHOD)
