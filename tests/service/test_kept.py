"""What is made once and put back is what was made."""

import pytest
from sqlalchemy import delete

from tests.service.history import START, practise
from tests.service.kept import all_rows, made_once
from tests.service.people import users
from trainer.storage.database import db
from trainer.storage.transaction import transaction
from trainer.storage.users import ensure_user

pytestmark = pytest.mark.usefixtures("service")


def everything():
    with transaction() as connection:
        return all_rows(connection)


def delete_everything():
    with transaction(writes=True) as connection:
        for table in reversed(db.metadata.sorted_tables):
            connection.execute(delete(table))


def add_user(visitor):
    with transaction(writes=True) as connection:
        return ensure_user(connection, visitor, START)


def test_every_row_is_put_back_and_ids_go_on(service):
    made = []

    def make():
        made.append(practise(service, 15, seed=61))
        return len(made)

    assert made_once(test_every_row_is_put_back_and_ids_go_on, make) == 1
    before = everything()
    assert len(before["decisions"]) == 15
    delete_everything()
    assert made_once(test_every_row_is_put_back_and_ids_go_on, make) == 1
    assert everything() == before
    add_user("f" * 32)
    assert users()[-1] == (max(row["id"] for row in before["users"]) + 1, "f" * 32)


def test_a_database_that_holds_something_keeps_it(service):
    add_user("f" * 32)
    for _ in range(2):
        made_once(test_a_database_that_holds_something_keeps_it, lambda: practise(service, 3, seed=62))
    assert (len(everything()["decisions"]), users()[0][1]) == (6, "f" * 32)
