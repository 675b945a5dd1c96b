"""What many tests begin with is made once, and put back into the empty database of the next."""

from collections.abc import Callable, Hashable
from typing import Any

from sqlalchemy import Connection, insert, select, text

from trainer.storage.database import db
from trainer.storage.transaction import transaction

Rows = dict[str, list[dict[str, Any]]]
_KEPT: dict[Hashable, tuple[Any, Rows, list[tuple[str, int]]]] = {}


def made_once(what: Hashable, make: Callable[[], Any]) -> Any:
    """What ``make`` returns, with everything that it stores.

    It is called once for each kind of database; where that was before, its rows are put back as they were. A database
    that holds something already is no empty one, and has it made in any case.
    """
    key = db.engine.dialect.name, what
    with transaction() as connection:
        is_empty = not any(all_rows(connection).values())
    if not is_empty:
        return make()
    if key not in _KEPT:
        made = make()
        with transaction() as connection:
            _KEPT[key] = made, all_rows(connection), _sequences(connection)
    else:
        _put_back(*_KEPT[key][1:])
    return _KEPT[key][0]


def all_rows(connection: Connection) -> Rows:
    """Every row of every table, tables that others refer to first."""
    return {table.name: [dict(row) for row in connection.execute(
        select(table).order_by(*table.primary_key)).mappings()]
            for table in db.metadata.sorted_tables}


def _put_back(rows: Rows, sequences: list[tuple[str, int]]) -> None:
    with transaction(writes=True) as connection:
        for table in db.metadata.sorted_tables:
            if rows[table.name]:
                connection.execute(insert(table), rows[table.name])
        for name, value in sequences:
            connection.execute(text("SELECT setval(:name, :value)"), {"name": name, "value": value})


def _sequences(connection: Connection) -> list[tuple[str, int]]:
    """How far PostgreSQL has counted; SQLite goes on from the largest number there is."""
    if connection.dialect.name == "sqlite":
        return []
    query = "SELECT sequencename, last_value FROM pg_sequences WHERE last_value IS NOT NULL"
    return [tuple(row) for row in connection.execute(text(query))]
