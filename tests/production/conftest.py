"""What a server has: PostgreSQL with the tables made, and rule sets solved."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import flask_migrate
import pytest
from flask import Flask

from app import create_app
from tests.storage.databases import own_postgres
from trainer.config import Settings
from trainer.storage.database import db


@pytest.fixture
def postgres(tmp_path: Path) -> Iterator[str]:
    """The address of a migrated PostgreSQL database of this test's own."""
    with own_postgres() as url:
        with looking(url, tmp_path / "migrating"):
            flask_migrate.upgrade()
        yield url


@pytest.fixture
def machine(tmp_path: Path, solved_folder: Path):
    """Make the folder of another machine."""
    def make(name: str) -> Path:
        (tmp_path / name).mkdir()
        os.symlink(solved_folder, tmp_path / name / "strategies")
        return tmp_path / name

    return make


@contextmanager
def looking(url: str, folder: Path) -> Iterator[Flask]:
    """The application on a database, its context pushed, to look at what others have stored there."""
    app = create_app({"SETTINGS": Settings(folder, url, "test")})
    with app.app_context():
        yield app
        db.engine.dispose()
