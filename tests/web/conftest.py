"""The application again, quicker to set up: templates are compiled and rule sets are loaded once for all tests."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from flask import Flask
from jinja2 import FileSystemBytecodeCache

from app import create_app
from tests.storage.databases import empty_tables, postgres_app
from trainer.config import Settings
from trainer.service.appraisal import Appraiser
from trainer.service.drill import DrillService
from trainer.service.imports import Importer
from trainer.service.strategies import StrategyCache
from trainer.storage.database import db

__all__ = ["postgres_app"]


@pytest.fixture(scope="session")
def compiled_templates(tmp_path_factory: pytest.TempPathFactory) -> FileSystemBytecodeCache:
    return FileSystemBytecodeCache(str(tmp_path_factory.mktemp("templates")))


@pytest.fixture(scope="session")
def strategies(solved_folder: Path) -> StrategyCache:
    """Strategies never change, so that all tests may share them."""
    return StrategyCache(solved_folder)


@pytest.fixture
def app(app: Flask, compiled_templates: FileSystemBytecodeCache, strategies: StrategyCache) -> Iterator[Flask]:
    yield prepare(app, compiled_templates, strategies)
    with app.app_context():
        db.engine.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def everywhere(
    request: pytest.FixtureRequest, instance: Path, compiled_templates: FileSystemBytecodeCache,
    strategies: StrategyCache,
) -> Iterator[Flask]:
    """The application on an empty database of either kind; tests that want both take it as their ``app``."""
    url = ""
    if request.param == "postgresql":
        url = request.getfixturevalue("postgres_app").config["SQLALCHEMY_DATABASE_URI"]
    app = prepare(create_app({
        "SETTINGS": Settings(instance, url, "test"), "PROPAGATE_EXCEPTIONS": False, "WTF_CSRF_ENABLED": False,
    }), compiled_templates, strategies)
    with app.app_context():
        if url:
            empty_tables()
    yield app
    with app.app_context():
        db.engine.dispose()
@cache
def appraiser_of(strategies: StrategyCache) -> Appraiser:
    """What rule sets are worth never changes either."""
    return Appraiser(strategies)


def prepare(app: Flask, compiled_templates: FileSystemBytecodeCache, strategies: StrategyCache) -> Flask:
    """Any application, made to share what is costly."""
    app.jinja_env.bytecode_cache = compiled_templates
    app.extensions["strategies"] = strategies
    app.extensions["drill"] = DrillService(strategies)
    app.extensions["importer"] = Importer(strategies, Path(app.instance_path) / "imports")
    app.extensions["appraiser"] = appraiser_of(strategies)
    return app
