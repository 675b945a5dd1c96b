"""PostgreSQL or Redis gone in the middle of it: a 503 or the stated fallback, and nothing acknowledged is lost."""

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Semaphore

import psycopg
import pytest
from sqlalchemy import make_url, text

from tests.production.conftest import looking
from tests.production.redis_server import own_redis
from tests.production.whole import assert_whole
from tests.serving import CSRF, TOKEN, Browser, served
from tests.storage.databases import POSTGRES
from trainer.storage.database import db
from trainer.storage.transaction import StorageError, ping, transaction

PEOPLE, ANSWERS, FAULTS = 4, 80, 6
PATIENCE_SECONDS = 120
_TERMINATE = (
    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()"
)


@pytest.fixture
def terminate(postgres):
    """End every connection to the database of this test; how many there were."""
    with psycopg.connect(POSTGRES, autocommit=True) as server:
        name = make_url(postgres).database
        yield lambda: server.execute(_TERMINATE, (name,)).fetchone()[0]


class Stubborn:
    """Somebody who tries the same again when told to, until it is done."""

    def __init__(self, port):
        self.browser, self.acknowledged, self.refused = Browser(port), [], 0

    def answer(self):
        """Have a hand dealt and answer it; only pages, redirects and 503s are met on the way."""
        page = self._until(200, "GET", "/?mode=mixed")
        token, csrf = TOKEN.search(page)[1], CSRF.search(page)[1]
        self._until(303, "POST", f"/hand/{token}", action="stand", csrf_token=csrf)
        self.acknowledged.append(token)

    def _until(self, wanted, method, path, **form):
        for _ in range(200):
            response, page = self.browser.send(method, path, **form)
            if response.status == wanted:
                return page
            assert response.status == 503, page
            assert int(response.getheader("Retry-After")) > 0
            assert "not saved" in page or "Nothing was changed" in page
            self.refused += 1
        raise AssertionError(f"{path} was never answered")


def test_connections_ended_in_the_middle_of_answers(postgres, machine, terminate, tmp_path):
    progress, done = Semaphore(0), Event()

    def practise(person):
        while not done.is_set():
            person.answer()
            progress.release()

    with served(machine("one"), 2, DATABASE_URL=postgres) as (port, process), ThreadPoolExecutor(PEOPLE) as pool:
        people = [Stubborn(port) for _ in range(PEOPLE)]
        working = [pool.submit(practise, person) for person in people]
        try:
            while len(acknowledged_by(people)) < ANSWERS or sum(each.refused for each in people) < FAULTS:
                for _ in range(2):
                    assert progress.acquire(timeout=PATIENCE_SECONDS)
                terminate()
        finally:
            done.set()
        for each in working:
            each.result(timeout=60)
        people[0].answer()
        assert people[0].browser.send("GET", "/healthz")[0].status == 200
        assert process.poll() is None
    acknowledged = acknowledged_by(people)
    with looking(postgres, tmp_path / "looking"):
        assert assert_whole(acknowledged) == len(acknowledged)


def acknowledged_by(people):
    return [token for person in people for token in person.acknowledged]


def test_a_connection_that_ends_within_a_transaction_is_a_storage_error_and_the_next_works(
    postgres, terminate, tmp_path
):
    with looking(postgres, tmp_path / "looking"):
        ping()
        for writes in (False, True):
            with pytest.raises(StorageError):
                cut_in_the_middle(terminate, writes)
            ping()
        assert terminate() >= 1  # idle in the pool: noticed before it is used
        ping()
        assert db.engine.pool.checkedout() == 0


def cut_in_the_middle(terminate, writes):
    with transaction(writes=writes) as connection:
        connection.execute(text("SELECT 1"))
        assert terminate() >= 1
        connection.execute(text("SELECT 1"))


def test_a_lock_that_is_not_given_up_is_a_storage_error(postgres, tmp_path):
    with looking(postgres, tmp_path / "looking"), psycopg.connect(postgres) as other:
        other.execute("LOCK TABLE users IN ACCESS EXCLUSIVE MODE")
        start = time.monotonic()
        with pytest.raises(StorageError):
            ping()
        assert time.monotonic() - start < 30
        other.rollback()
        ping()


def test_redis_gone_in_the_middle_of_answers_is_not_noticed(instance, tmp_path):
    with own_redis(tmp_path) as server, served(instance, 2, REDIS_URL=server.url) as (port, process):
        browser = Browser(port)
        acknowledged = [browser.answer_next() for _ in range(5)]
        assert server.count() > 0
        server.stop()
        acknowledged += [browser.answer_next() for _ in range(15)]
        server.start()
        deadline = time.monotonic() + PATIENCE_SECONDS
        while server.count() == 0:  # counted there again, once it is looked for
            assert time.monotonic() < deadline
            acknowledged.append(browser.answer_next())
        server.freeze()
        start = time.monotonic()
        acknowledged += [browser.answer_next() for _ in range(3)]
        assert time.monotonic() - start < 20
        assert process.poll() is None
    with looking("", instance):
        assert assert_whole(acknowledged) == len(acknowledged)


def test_without_redis_each_process_limits_logins_by_itself(instance, tmp_path):
    with own_redis(tmp_path) as server, served(instance, 1, REDIS_URL=server.url) as (port, _):
        server.stop()
        browser = Browser(port)
        statuses = [browser.log_in(f"name {number}", "wrong one")[0].status for number in range(22)]
    assert statuses == [422] * 20 + [429] * 2


def test_a_server_starts_while_redis_is_away(instance, tmp_path):
    with own_redis(tmp_path) as server:
        server.stop()
        with served(instance, 1, REDIS_URL=server.url) as (port, _):
            assert Browser(port).answer_next()
