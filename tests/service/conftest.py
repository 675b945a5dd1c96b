"""Databases to test on."""

from tests.storage.databases import database, postgres_app, service, solved

__all__ = ["database", "postgres_app", "service", "solved"]
