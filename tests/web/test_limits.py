"""Limits on trying: how many, for whom, and what is told; and no count holds an address or a name."""

import threading
import time

import pytest
from flask_limiter import Limiter
from limits import parse_many

from app import create_app
from tests.web.account_holders import PASSWORD, log_in, register
from tests.web.conftest import prepare
from tests.web.pages import HTMX, answer, count, is_page, parse, put_hand, ways_on
from trainer.config import Settings
from trainer.storage.database import db
from trainer.web.limits import DEFAULTS
from trainer.web.process_storage import ProcessStorage

FEW = {"answers": "3 per minute", "logins by address": "4 per minute; 6 per hour", "logins by name": "3 per hour",
       "registrations": "2 per minute", "passwords": "2 per minute", "exports": "2 per hour", "imports": "2 per hour"}


@pytest.fixture
def app(instance, compiled_templates, strategies):
    app = prepare(create_app({
        "SETTINGS": Settings(instance, secret_key="test"), "WTF_CSRF_ENABLED": False, "RATE_LIMITS": FEW,
    }), compiled_templates, strategies)
    yield app
    with app.app_context():
        db.engine.dispose()


def from_address(app, address):
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = address
    return client


def statuses(calls):
    return [call().status_code for call in calls]


def guess(client, name="Ada"):
    return lambda: log_in(client, name, "wrong one")


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_guesses_from_one_address_are_limited_whatever_the_name(app, headers):
    client = from_address(app, "192.0.2.1")
    assert statuses(guess(client, f"name {number}") for number in range(4)) == [422] * 4
    response = client.post("/login", data={"username": "name 5", "password": PASSWORD}, headers=headers)
    assert response.status_code == 429
    assert is_page(response) == (not headers)
    assert "Try again in a minute" in parse(response.text).text
    assert response.headers["Retry-After"] == "60"
    assert ways_on(response)
    assert statuses([guess(from_address(app, "192.0.2.2"))]) == [422]


def test_guesses_at_one_name_are_limited_whatever_the_address_and_spelling(app):
    spellings = ("Ada", "ADA", " ada ")
    assert statuses(guess(from_address(app, f"192.0.2.{number}"), name) for number, name in enumerate(spellings)) == [
        422] * 3
    refused = guess(from_address(app, "192.0.2.9"), "ada")()
    assert refused.status_code == 429
    assert "Try again in an hour" in refused.text
    assert statuses([guess(from_address(app, "192.0.2.9"), "Bo")]) == [422]


def test_an_unknown_name_is_limited_like_a_known_one(app, client):
    register(client, "Ada")
    for name in ("Ada", "Nobody"):
        tries = [guess(from_address(app, f"192.0.2.{number}"), name) for number in range(4)]
        assert statuses(tries) == [422, 422, 422, 429]


def test_recovery_counts_with_logins(app):
    client = from_address(app, "192.0.2.1")
    data = {"username": "Ada", "code": "x", "password": PASSWORD}
    calls = [guess(client), lambda: client.post("/recover", data=data)] * 2
    assert statuses(calls) == [422, 422, 422, 429]


def test_a_home_of_ipv6_is_one_address(app):
    inside = [guess(from_address(app, f"2001:db8:1:2::{number:x}"), f"n {number}") for number in range(5)]
    assert statuses(inside) == [422] * 4 + [429]
    assert statuses([guess(from_address(app, "2001:db8:1:3::1"), "n 9")]) == [422]
    mapped = [guess(from_address(app, each), f"m {number}") for number, each in enumerate(
        ["192.0.2.1", "::ffff:192.0.2.1"] * 2 + ["192.0.2.1"])]
    assert statuses(mapped) == [422] * 4 + [429]


def test_registrations_from_one_address_are_limited(app):
    calls = [lambda number=number: from_address(app, "192.0.2.1").post(
        "/register", data={"username": f"name {number}", "password": PASSWORD}) for number in range(3)]
    assert statuses(calls) == [200, 200, 429]


def test_guesses_at_the_password_of_an_open_account_are_limited(client):
    register(client)
    calls = [lambda path=path: client.post(path, data={"password": "wrong one", "old": "wrong one"})
             for path in ("/account/password", "/account/recovery-code", "/account/delete")]
    assert statuses(calls) == [422, 422, 429]


def test_answers_are_limited_by_visitor_and_nothing_is_lost(app, client, other_client, instance):
    for headers in ({}, HTMX, {}):
        answer(client, put_hand(app, client, "Ts6h", "6d"), "stand", headers=headers)
    hand = put_hand(app, client, "Ts6h", "6d")
    response = answer(client, hand, "stand")
    assert response.status_code == 429
    assert "Nothing was recorded" in response.text
    assert count(instance, "decisions") == 3
    assert client.get(f"/hand/{hand}").status_code == 200
    assert answer(other_client, put_hand(app, other_client, "Ts6h", "6d"), "stand").status_code == 303


def test_exports_are_limited(client):
    assert statuses([lambda: client.get("/account/export.json"), lambda: client.get("/account/export.csv"),
                     lambda: client.get("/account/export.json")]) == [200, 200, 429]


def test_time_lifts_a_limit(app, monkeypatch):
    client = from_address(app, "192.0.2.1")
    assert statuses(guess(client, f"name {number}") for number in range(5)) == [422] * 4 + [429]
    later = time.time() + 61
    monkeypatch.setattr("trainer.web.process_storage.time.time", lambda: later)
    assert statuses(guess(client, f"name {number}") for number in range(5, 8)) == [422] * 2 + [429]


def test_pages_and_right_passwords_are_never_held_up_by_looking(client):
    register(client)
    for path in ("/login", "/register", "/recover", "/account", "/account/password", "/privacy"):
        assert {client.get(path).status_code for _ in range(8)} <= {200, 303}


def test_a_count_holds_neither_addresses_nor_names(app, monkeypatch):
    seen = []
    limiter = Limiter.limiter.fget
    monkeypatch.setattr(Limiter, "limiter", property(lambda self: Noting(limiter(self), seen)))
    guess(from_address(app, "192.0.2.1"), "Ada Lovelace")()
    client = from_address(app, "192.0.2.1")
    answer(client, put_hand(app, client, "Ts6h", "6d"), "stand")
    told = repr(seen)
    with client.session_transaction() as session:
        secrets = [session["visitor"], "192.0.2.1", "Ada", "ada lovelace"]
    assert len(seen) == 4
    assert not any(each in told for each in secrets)


class Noting:
    """Notes what is counted, and counts it."""

    def __init__(self, limiter, seen):
        self._limiter, self._seen = limiter, seen

    def hit(self, item, *key, cost):
        self._seen.append(key)
        return self._limiter.hit(item, *key, cost=cost)


def test_counts_that_have_run_out_are_forgotten_and_no_thread_is_started(monkeypatch):
    now, threads = [1000.0], threading.active_count()
    monkeypatch.setattr("trainer.web.process_storage.time.time", lambda: now[0])
    storage = ProcessStorage()
    storage.timer.join()
    assert [storage.acquire_entry("one", 2, 60) for _ in range(3)] == [True, True, False]
    assert storage.acquire_entry("other", 1, 3600)
    assert (storage.get_moving_window("one", 2, 60), storage.get_moving_window("none", 2, 60)) == (
        (1000.0, 2), (1000.0, 0))
    now[0] += 59.9
    assert not storage.acquire_entry("one", 2, 60)
    now[0] += 0.2
    assert [storage.acquire_entry("other", 1, 3600), storage.acquire_entry("third", 1, 60)] == [False, True]
    assert set(storage._windows) == {"other", "third"}
    assert storage.acquire_entry("one", 2, 60)
    assert threading.active_count() == threads


def test_the_limits_that_ship_hold_no_count_for_longer_than_an_hour():
    assert set(FEW) == set(DEFAULTS)
    assert all(item.get_expiry() <= 3600 for text in DEFAULTS.values() for item in parse_many(text))
