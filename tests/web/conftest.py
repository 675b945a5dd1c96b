"""The application again, quicker to set up: templates are compiled and rule sets are loaded once for all tests."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from flask import Flask
from jinja2 import FileSystemBytecodeCache

from trainer.service.appraisal import Appraiser
from trainer.service.drill import DrillService
from trainer.service.strategies import StrategyCache
from trainer.storage.database import db


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


@cache
def appraiser_of(strategies: StrategyCache) -> Appraiser:
    """What rule sets are worth never changes either."""
    return Appraiser(strategies)


def prepare(app: Flask, compiled_templates: FileSystemBytecodeCache, strategies: StrategyCache) -> Flask:
    """Any application, made to share what is costly."""
    app.jinja_env.bytecode_cache = compiled_templates
    app.extensions["strategies"] = strategies
    app.extensions["drill"] = DrillService(strategies)
    app.extensions["appraiser"] = appraiser_of(strategies)
    return app
