"""What a visitor is told when something fails, what is kept, and that the next try works."""

import os
import shutil
import sqlite3
from contextlib import closing, contextmanager

import pytest

from app import create_app
from tests.web.conftest import prepare
from tests.web.pages import (
    HTMX,
    NOBODYS_HAND,
    answer,
    count,
    heading_of,
    is_page,
    is_question,
    parse,
    put_hand,
    token_of,
    ways_on,
)
from trainer.config import Settings
from trainer.service.strategies import SolverBusyError
from trainer.storage.database import db

FILES = ("trainer.db", "trainer.db-wal", "trainer.db-shm")
PLAIN_AND_HTMX = pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])


@pytest.fixture
def hasty(instance, compiled_templates, strategies):
    """A browser on an application that does not wait for a database that is in use."""
    app = prepare(create_app({
        "SETTINGS": Settings(instance, secret_key="test"), "WTF_CSRF_ENABLED": False,
        "SQLALCHEMY_ENGINE_OPTIONS": {"connect_args": {"timeout": 0.02}},
    }), compiled_templates, strategies)
    yield app.test_client()
    with app.app_context():
        db.engine.dispose()


@contextmanager
def locked(instance):
    """Another program writes and does not come to an end."""
    with closing(sqlite3.connect(instance / "trainer.db", isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")


def text_of(response):
    root = parse(response.text)
    return root.one("main").text if is_page(response) else root.one("div", "notice").text


# A database that is locked, read-only, gone or broken


@PLAIN_AND_HTMX
def test_an_answer_that_cannot_be_written_is_told_to_be_lost_and_can_be_given_again(hasty, instance, headers):
    token = token_of(hasty.get("/?mode=mixed&seed=lock"))
    with locked(instance):
        for _ in range(2):
            response = answer(hasty, token, "stand", headers=headers)
            assert response.status_code == 503
            assert int(response.headers["Retry-After"]) > 0
            assert is_page(response) == (not headers)
            assert "Your answer was not saved" in text_of(response)
            assert ways_on(response)
        assert [count(instance, table) for table in ("questions", "decisions", "users", "tallies")] == [1, 0, 0, 0]
    assert answer(hasty, token, "stand", headers=headers).status_code == (200 if headers else 303)
    assert count(instance, "decisions") == 1


@PLAIN_AND_HTMX
@pytest.mark.parametrize(("method", "path"), [
    ("GET", "/?mode=insurance"), ("POST", "/hand/{token}/hint"), ("POST", "/hand/{token}/skip"), ("POST", "/finish"),
    ("POST", "/settings"),
])
def test_nothing_else_that_writes_does_so_by_half(hasty, instance, method, path, headers):
    answer(hasty, token_of(hasty.get("/?mode=mixed&seed=lock")), "stand")
    token = token_of(hasty.get("/?mode=mixed&seed=lock"))
    data = {"rules": "classic", "grading": "chart", "bet_unit": "10", "theme": "dark"} if path == "/settings" else {}
    with locked(instance):
        response = hasty.open(path.format(token=token), method=method, data=data, headers=headers)
    assert response.status_code == 503
    assert int(response.headers["Retry-After"]) > 0
    assert "Nothing was changed" in text_of(response)
    again = hasty.open(path.format(token=token), method=method, data=data, headers=headers)
    assert again.status_code in (200, 204, 303)


def test_what_is_only_read_is_shown_while_another_program_writes(hasty, instance):
    token = token_of(hasty.get("/?mode=mixed&seed=lock"))
    with locked(instance):
        for path in ("/?mode=mixed&seed=lock", f"/hand/{token}", "/progress", "/mistakes", "/healthz"):
            assert hasty.get(path).status_code == 200


def test_a_read_only_database_refuses_answers_and_still_shows(app, client, instance, compiled_templates, strategies):
    token = put_hand(app, client, "Ts6h", "6d")
    path = (instance / "trainer.db").as_posix()
    reader = prepare(create_app({
        "SETTINGS": Settings(instance, f"sqlite:///file:{path}?mode=ro&uri=true", "test"), "WTF_CSRF_ENABLED": False,
    }), compiled_templates, strategies).test_client()
    reader.set_cookie("session", client.get_cookie("session").value)
    assert is_question(reader.get(f"/hand/{token}"))
    refused = answer(reader, token, "stand")
    assert refused.status_code == 503
    assert "Your answer was not saved" in text_of(refused)
    assert count(instance, "decisions") == 0
    assert heading_of(answer(client, token, "stand", headers=HTMX)) == "Right: stand"


def close_all(app):
    """As a restart would, let go of the database."""
    with app.app_context():
        db.engine.dispose()


def take_away(instance, to):
    for name in FILES:
        if (instance / name).exists():
            os.replace(instance / name, to / name)


def put_back(instance, kept):
    for name in FILES:
        (instance / name).unlink(missing_ok=True)
        if (kept / name).exists():
            os.replace(kept / name, instance / name)


@PLAIN_AND_HTMX
def test_a_database_that_is_gone_is_a_503_and_the_next_answer_works_once_it_is_back(
    app, client, instance, tmp_path, headers
):
    token = put_hand(app, client, "Ts6h", "6d")
    close_all(app)
    take_away(instance, tmp_path)
    for response in (client.get(f"/hand/{token}", headers=headers), client.get("/", headers=headers),
                     client.get("/progress", headers=headers), answer(client, token, "stand", headers=headers)):
        assert response.status_code == 503
        assert is_page(response) == (not headers)
        assert int(response.headers["Retry-After"]) > 0
    assert "Your answer was not saved" in text_of(response)
    put_back(instance, tmp_path)
    assert answer(client, token, "stand", headers=headers).status_code == (200 if headers else 303)
    assert count(instance, "decisions") == 1


def test_no_answer_is_acknowledged_into_a_file_that_was_deleted(app, client, instance):
    token = token_of(client.get("/"))
    close_all(app)
    assert client.get(f"/hand/{token}").status_code == 200
    for name in FILES:
        (instance / name).unlink(missing_ok=True)
    response = answer(client, token, "stand")
    assert response.status_code == 503
    assert "Your answer was not saved" in text_of(response)


def test_a_database_without_tables_is_not_called_healthy(app, client, instance, tmp_path):
    assert client.get("/healthz").text == "ok\n"
    close_all(app)
    take_away(instance, tmp_path)
    assert client.get("/healthz").status_code == 503
    put_back(instance, tmp_path)
    assert client.get("/healthz").status_code == 200


@PLAIN_AND_HTMX
def test_a_broken_database_is_a_503_and_the_next_answer_works_once_it_is_whole(app, client, instance, headers):
    token = put_hand(app, client, "Ts6h", "6d")
    close_all(app)
    shutil.copy(instance / "trainer.db", instance / "whole.db")
    (instance / "trainer.db").write_bytes(b"this is no database " * 1000)
    for path in (f"/hand/{token}", "/", "/progress", "/healthz"):
        assert client.get(path, headers=headers).status_code == 503
    response = answer(client, token, "stand", headers=headers)
    assert response.status_code == 503
    assert "Your answer was not saved" in text_of(response)
    os.replace(instance / "whole.db", instance / "trainer.db")
    assert answer(client, token, "stand", headers=headers).status_code == (200 if headers else 303)
    assert count(instance, "decisions") == 1


def test_the_health_page_needs_no_cookie_and_sets_none(client):
    response = client.get("/healthz")
    assert (response.status_code, response.text, response.mimetype) == (200, "ok\n", "text/plain")
    assert "Set-Cookie" not in response.headers


# Other faults


@PLAIN_AND_HTMX
def test_a_fault_of_the_program_is_a_500_that_tells_nothing_of_it(client, monkeypatch, headers):
    def fail(*_):
        raise RuntimeError("a secret detail")

    monkeypatch.setattr("trainer.web.charts._page", fail)
    response = client.get("/charts/classic", headers=headers)
    assert response.status_code == 500
    assert is_page(response) == (not headers)
    assert "Something broke here" in text_of(response)
    assert "secret detail" not in response.text
    assert "Traceback" not in response.text
    assert client.get(ways_on(response)[0], follow_redirects=True).status_code == 200


@PLAIN_AND_HTMX
def test_a_rule_set_that_has_to_wait_is_a_503(app, client, monkeypatch, headers):
    def busy(_):
        raise SolverBusyError(retry_after_seconds=7)

    monkeypatch.setattr(app.extensions["strategies"], "get", busy)
    for path in ("/charts/classic", "/?rules=classic"):
        response = client.get(path, headers=headers)
        assert (response.status_code, response.headers["Retry-After"]) == (503, "7")
        assert is_page(response) == (not headers)


@PLAIN_AND_HTMX
@pytest.mark.parametrize(("method", "path", "status", "title"), [
    ("GET", "/nowhere", 404, "Nothing is here"),
    ("GET", f"/hand/{NOBODYS_HAND}", 404, "That hand is not on your table"),
    ("GET", "/sessions/77", 404, "That hand is not on your table"),
    ("POST", "/progress", 405, "That cannot be done here"),
    ("GET", "/?mode=nonsense", 400, "There is no such practice"),
    ("GET", "/charts/nonsense", 404, "There are no such rules"),
])
def test_an_error_says_what_it_is(client, method, path, status, title, headers):
    response = client.open(path, method=method, headers=headers)
    assert response.status_code == status
    assert title in text_of(response)
    if is_page(response):
        root = parse(response.text)
        assert root.one("h1").text == title
        assert root.one("p", "status").text == str(status)
        assert root.one("title").text.startswith(title)


def test_a_form_that_is_too_large_is_refused(app, client, instance):
    token = put_hand(app, client, "Ts6h", "6d")
    response = client.post(f"/hand/{token}", data={"action": "stand", "junk": "x" * 70_000})
    assert response.status_code == 413
    assert "Nothing was recorded" in text_of(response)
    assert count(instance, "decisions") == 0
    assert answer(client, token, "stand").status_code == 303
