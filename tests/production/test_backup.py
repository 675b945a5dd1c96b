"""A backup taken while people answer, restored elsewhere and counted again: nothing differs."""

import os
import shutil
import sqlite3
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Event

import pytest

from tests.production.conftest import looking
from tests.production.whole import assert_whole
from tests.serving import Browser, served
from tests.storage.databases import own_postgres

PEOPLE, BEFORE = 3, 30


def backed_up_under_load(port, back_up):
    """What was acknowledged before a backup began; people go on answering until it is done."""
    done = Event()

    def practise(browser):
        answered = 0
        while not done.is_set():
            browser.answer_next()
            answered += 1
        return answered

    with ThreadPoolExecutor(PEOPLE) as pool:
        browsers = [Browser(port) for _ in range(PEOPLE)]
        acknowledged = [browser.answer_next() for browser in browsers for _ in range(BEFORE // PEOPLE)]
        assert browsers[0].post("/register", username="Ada", password="x7 bridge")[0].status == 200
        working = [pool.submit(practise, browser) for browser in browsers]
        try:
            back_up()
        finally:
            done.set()
        assert sum(each.result(timeout=60) for each in working) > 0
    return acknowledged


def run(program, *arguments):
    path = shutil.which(program)
    if path is None:
        if os.environ.get("CI") == "true":
            pytest.fail(f"{program} is not on the PATH")
        pytest.skip(f"{program} is not on the PATH")
    ended = subprocess.run([path, *arguments], capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr


def assert_restored(port, acknowledged):
    """The restored database serves: the account opens with its history."""
    browser = Browser(port)
    assert browser.log_in("Ada", "x7 bridge")[0].status == 303
    assert browser.send("GET", f"/hand/{acknowledged[0]}")[0].status == 200
    assert browser.answer_next()


def test_sqlite(instance, machine):
    copy = machine("restored")
    with served(instance) as (port, _):
        acknowledged = backed_up_under_load(
            port, lambda: run("sqlite3", str(instance / "trainer.db"), f".backup '{copy / 'trainer.db'}'"))
    with closing(sqlite3.connect(copy / "trainer.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    with looking("", copy):
        assert assert_whole(acknowledged) >= len(acknowledged)
    with served(copy) as (port, _):
        assert_restored(port, acknowledged)


def test_postgresql(postgres, machine, tmp_path):
    dump = str(tmp_path / "trainer.dump")
    with served(machine("one"), DATABASE_URL=postgres) as (port, _):
        acknowledged = backed_up_under_load(
            port, lambda: run("pg_dump", "--format=custom", f"--file={dump}", postgres))
    with own_postgres() as restored:
        run("pg_restore", "--exit-on-error", "--no-owner", f"--dbname={restored}", dump)
        with looking(restored, tmp_path / "looking"):
            assert assert_whole(acknowledged) >= len(acknowledged)
        with served(machine("two"), DATABASE_URL=restored) as (port, _):
            assert_restored(port, acknowledged)
