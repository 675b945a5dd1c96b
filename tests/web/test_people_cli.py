"""``flask guests prune``."""

from datetime import timedelta

import pytest

from tests.web.account_holders import practise, register
from tests.web.pages import Clock, count


@pytest.fixture
def run(app):
    return lambda *arguments: app.test_cli_runner().invoke(args=["guests", "prune", *arguments])


def test_guests_who_stayed_away_are_deleted_and_accounts_stay(app, client, other_client, instance, run, monkeypatch):
    clock = Clock.install(monkeypatch)
    practise(client, 2)
    practise(other_client, 3)
    register(other_client)
    clock.advance(days=360)
    late = app.test_client()
    practise(late)
    clock.advance(days=10)
    ended = run()
    assert ended.exit_code == 0, ended.output
    assert ended.output == "Deleted: 1 guests (away for 12 months), 1 logins (lapsed)\n"
    assert [count(instance, table) for table in ("users", "accounts", "decisions", "logins")] == [2, 1, 4, 0]
    assert "Deleted: 0 guests" in run().output


@pytest.mark.parametrize("months", ["0", "-1", "121", "many"])
def test_months_that_make_no_sense_are_refused_and_nothing_is_deleted(client, instance, run, months):
    practise(client)
    ended = run("--months", months)
    assert ended.exit_code == 2
    assert "Invalid value" in ended.output
    assert count(instance, "users") == 1


def test_the_months_can_be_told(client, instance, run, monkeypatch):
    clock = Clock.install(monkeypatch)
    practise(client)
    clock.time += timedelta(days=40)
    assert "Deleted: 0 guests" in run("--months", "2").output
    assert "Deleted: 1 guests" in run("--months", "1").output
    assert count(instance, "decisions") == 0
