"""Databases to test on, and tables whose cards are laid beforehand."""

import pytest

from tests.service.stacked import Stacked
from tests.storage.databases import database, postgres_app, service, solved
from trainer.service.tables import TableService

__all__ = ["database", "dice", "postgres_app", "service", "solved", "tables"]


@pytest.fixture
def dice():
    return Stacked()


@pytest.fixture
def tables(database, solved, dice):
    assert database
    return TableService(solved, dice)
