"""The request log: a line of JSON for every request, nothing of the person in it."""

import json
import logging
import subprocess
import sys
from pathlib import Path

import pytest

from tests.web.account_holders import PASSWORD, practise, register
from tests.web.pages import answer, put_hand, visitor_of

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def lines(caplog):
    """The lines of the log so far, read back."""
    caplog.set_level(logging.INFO, logger="trainer.requests")

    def read():
        return [json.loads(record.getMessage()) for record in caplog.records if record.name == "trainer.requests"]

    return read


def test_a_line_tells_the_route_and_not_the_address(app, client, lines):
    hand = put_hand(app, client, "Ts6h", "6d")
    answer(client, hand, "stand")
    client.get("/progress?period=7")
    client.get("/nowhere/secret")
    client.get("/?mode=nonsense")
    found = lines()
    assert [(each["method"], each["route"], each["status"]) for each in found] == [
        ("POST", "/hand/<token:token>", 303), ("GET", "/progress", 200), ("GET", None, 404), ("GET", "/", 400)]
    assert all(set(each) == {"time", "request", "method", "route", "status", "ms"} for each in found)
    assert all(0 <= each["ms"] < 60_000 for each in found)


def test_nothing_of_a_person_is_in_the_log(client, lines, caplog):
    client.environ_base["REMOTE_ADDR"] = "192.0.2.77"
    client.environ_base["HTTP_USER_AGENT"] = "Somebodys browser"
    hands = practise(client, 2)
    code = register(client, "Ada Lovelace")
    client.post("/login", data={"username": "Ada Lovelace", "password": "wrong one"})
    client.post("/account/password", data={"old": "wrong one", "password": PASSWORD})
    with client.session_transaction() as session:
        kept = [session["login"]]
    assert lines()
    for secret in (*hands, *kept, code, "Ada", PASSWORD, "wrong one", "192.0.2.77", "Somebodys"):
        assert secret not in caplog.text


def test_the_id_is_told_and_stands_in_the_error_log(client, lines, caplog, monkeypatch):
    def fail(*_):
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr("trainer.web.charts._page", fail)
    response = client.get("/charts/classic")
    told = response.headers["X-Request-Id"]
    assert (response.status_code, lines()[-1]["request"], lines()[-1]["status"]) == (500, told, 500)
    assert any(told in record.getMessage() and record.exc_info for record in caplog.records)
    assert client.get("/progress").headers["X-Request-Id"] != told


def test_an_id_that_is_sent_is_not_taken_over(client):
    sent = visitor_of(client)
    assert client.get("/progress", headers={"X-Request-Id": sent}).headers["X-Request-Id"] != sent


@pytest.mark.parametrize(("value", "count"), [("1", 2), ("", 0)])
def test_lines_are_written_where_they_are_asked_for(instance, value, count):
    script = (
        "from app import create_app\n"
        "client = create_app().test_client()\n"
        "client.get('/progress')\n"
        "client.get('/healthz')\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60,
        env={"TRAINER_INSTANCE": str(instance), "SECRET_KEY": "test", "REQUEST_LOG": value, "PATH": ""})
    assert ended.returncode == 0, ended.stderr
    assert [json.loads(line)["status"] for line in ended.stderr.splitlines()] == [200] * count
