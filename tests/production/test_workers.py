"""Several processes, as on several machines, on one PostgreSQL database and one Redis."""

import os
import secrets
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from sqlalchemy import func, select

from tests.production.conftest import looking
from tests.production.redis_server import shared_redis
from tests.production.whole import assert_whole
from tests.serving import ROOT, Browser, served
from tests.storage.databases import own_postgres
from trainer.storage.models import Account, User
from trainer.storage.transaction import transaction

PASSWORD = "x7 bridge"


@pytest.fixture
def two(postgres, machine):
    """The ports of two servers that share nothing but the database and the key."""
    with (served(machine("one"), 1, DATABASE_URL=postgres) as (one, _),
          served(machine("two"), 1, DATABASE_URL=postgres) as (two, _)):
        yield one, two


def together(calls):
    barrier = Barrier(len(calls))

    def run(call):
        barrier.wait(timeout=30)
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def test_the_same_hand_answered_at_once_in_both_is_one_decision(two, postgres, tmp_path):
    browser = Browser(two[0])
    acknowledged = []
    for _ in range(12):
        token, csrf = browser.open_hand()
        people = [browser.copy(port) for port in two * 2]
        answers = together([
            lambda person=person, move=move, token=token, csrf=csrf: person.send(
                "POST", f"/hand/{token}", action=move, csrf_token=csrf)
            for person, move in zip(people, ("stand", "hit") * 2, strict=True)])
        assert {response.status for response, _ in answers} <= {303, 422}
        verdicts = {person.send("GET", f"/hand/{token}")[1].partition('id="verdict"')[2][:200] for person in people}
        assert len(verdicts) == 1
        assert "" not in verdicts
        acknowledged.append(token)
        browser.cookie = people[0].cookie
    with looking(postgres, tmp_path / "looking"):
        assert assert_whole(acknowledged) == len(acknowledged)


def test_the_same_guest_merged_at_once_by_two_logins_is_merged_once(two, postgres, tmp_path):
    holder = Browser(two[0])
    answered = [holder.answer_next() for _ in range(3)]
    assert holder.post("/register", username="Ada", password=PASSWORD)[0].status == 200
    for _ in range(4):
        guest = Browser(two[0])
        answered += [guest.answer_next() for _ in range(3)]
        csrf = guest.open_hand()[1]
        people = [guest.copy(port) for port in two]
        logins = together([lambda person=person, csrf=csrf: person.send(
            "POST", "/login", username="Ada", password=PASSWORD, csrf_token=csrf) for person in people])
        assert [response.status for response, _ in logins] == [303, 303]
        assert all("Ada" in person.send("GET", "/account")[1] for person in people)
    with looking(postgres, tmp_path / "looking"):
        assert assert_whole(answered) == len(answered)
        with transaction() as connection:
            counts = [connection.execute(select(func.count()).select_from(each)).scalar_one()
                      for each in (User, Account)]
    assert counts == [1, 1]


def test_what_one_machine_signs_the_other_takes(two):
    browser = Browser(two[0])
    token = browser.answer_next()
    elsewhere = browser.copy(two[1])
    assert elsewhere.send("GET", f"/hand/{token}")[0].status == 200
    assert browser.post("/register", username="Ada", password=PASSWORD)[0].status == 200
    elsewhere = browser.copy(two[1])
    assert "Ada" in elsewhere.send("GET", "/account")[1]
    elsewhere.post("/account/logout-everywhere")
    assert "Ada" not in browser.send("GET", "/account")[1]


def upgrade_at_once(url, folders):
    upgrades = [subprocess.Popen(
        [sys.executable, "-m", "flask", "db", "upgrade"], cwd=ROOT, stderr=subprocess.PIPE, text=True,
        env=os.environ | {"TRAINER_INSTANCE": str(folder), "DATABASE_URL": url}) for folder in folders]
    errors = [upgrade.communicate(timeout=120)[1] for upgrade in upgrades]
    assert [upgrade.returncode for upgrade in upgrades] == [0] * len(folders), errors


def test_machines_that_migrate_at_once_take_turns(tmp_path):
    with own_postgres() as url:
        upgrade_at_once(url, [tmp_path / str(number) for number in range(3)])
        with looking(url, tmp_path / "looking"):
            assert assert_whole() == 0


def test_processes_that_migrate_one_file_at_once_take_turns(tmp_path):
    upgrade_at_once("", [tmp_path] * 3)
    with looking("", tmp_path):
        assert assert_whole() == 0


def test_a_limit_on_logins_holds_across_processes(postgres, machine):
    shared = {"DATABASE_URL": postgres, "REDIS_URL": shared_redis(), "SECRET_KEY": secrets.token_hex(16)}
    with served(machine("one"), 1, **shared) as (one, _), served(machine("two"), 1, **shared) as (two, _):
        people = [Browser(port) for port in (one, two)]
        statuses = [people[number % 2].log_in(f"name {number}", "wrong one")[0].status for number in range(24)]
    assert statuses == [422] * 20 + [429] * 4
