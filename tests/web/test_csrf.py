"""No form is accepted that did not come from one of our own pages."""

import re
from datetime import UTC, datetime

import pytest

from app import create_app
from tests.web.conftest import prepare
from tests.web.pages import HTMX, count, heading_of, is_page, parse, put_hand, ways_on
from trainer.config import Settings
from trainer.storage.database import db


@pytest.fixture
def app(instance, compiled_templates, strategies):
    app = prepare(create_app({"SETTINGS": Settings(instance, secret_key="test")}), compiled_templates, strategies)
    yield app
    with app.app_context():
        db.engine.dispose()


def token_in(response):
    tokens = {field.attributes["value"] for field in parse(response.text).all("input", name="csrf_token")}
    assert len(tokens) == 1
    return tokens.pop()


TABLE_POSTS = [f"/tables/{{}}/{what}" for what in ("sit", "open", "bet", "answer", "options", "leave")] + [
    "/play/next", "/play/answer", "/play/options"]
POSTS = ["/hand/{}", "/hand/{}/hint", "/hand/{}/skip", "/finish", "/start", "/fill", "/settings", "/register", "/login",
         "/logout", "/recover", "/account/logout-everywhere", "/account/password", "/account/recovery-code",
         "/account/delete", "/account/history/delete", "/account/import", "/account/import/step",
         "/account/import/stop", "/rules/decks~2/save", "/rules/decks~2/default",
         "/rules/saved/1/rename", "/rules/saved/1/delete", *TABLE_POSTS]


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_a_post_without_its_token_is_refused(app, client, other_client, instance, path, headers):
    client.get("/")
    hand = put_hand(app, client, "Ts6h", "6d")
    for token in (None, "", "nonsense", token_in(other_client.get("/"))):
        data = {"action": "stand"} | ({} if token is None else {"csrf_token": token})
        response = client.post(path.format("openseat" if path in TABLE_POSTS else hand), data=data, headers=headers)
        assert response.status_code == 400
        assert is_page(response) == (not headers)
        assert "Nothing was recorded" in response.text
        assert ways_on(response)
    assert [count(instance, table) for table in ("decisions", "users")] == [0, 0]
    assert client.get(f"/hand/{hand}").status_code == 200


def test_every_route_that_takes_a_post_is_in_that_table(app):
    posts = {rule.rule for rule in app.url_map.iter_rules() if "POST" in rule.methods}
    known = {re.sub("/(decks~2|1)/", "/{}/", path) for path in POSTS}
    assert {re.sub("<[^>]*>", "{}", rule) for rule in posts} == known


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_the_token_of_the_page_is_accepted(app, client, instance, headers):
    page = client.get("/?mode=mixed")
    hand = put_hand(app, client, "Ts6h", "6d")
    response = client.post(f"/hand/{hand}", data={"action": "stand", "csrf_token": token_in(page)}, headers=headers)
    assert response.status_code == (200 if headers else 303)
    assert heading_of(client.get(f"/hand/{hand}")) == "Right: stand"
    assert count(instance, "decisions") == 1


def test_the_token_in_a_fragment_is_accepted(app, client):
    part = client.get(f"/hand/{put_hand(app, client, 'Ts6h', '6d')}", headers=HTMX)
    hand = put_hand(app, client, "Ts6h", "6d")
    assert client.post(f"/hand/{hand}", data={"action": "stand", "csrf_token": token_in(part)}).status_code == 303


def test_a_page_that_stayed_open_for_days_still_answers(app, client, monkeypatch):
    token, later = token_in(client.get("/")), int(datetime.now(UTC).timestamp()) + 7 * 86_400
    hand = put_hand(app, client, "Ts6h", "6d")
    monkeypatch.setattr("itsdangerous.timed.TimestampSigner.get_timestamp", lambda _: later)
    assert client.post(f"/hand/{hand}", data={"action": "stand", "csrf_token": token}).status_code == 303


def test_settings_are_saved_with_the_token_of_their_page(client, instance):
    data = {"rules": "classic", "grading": "chart", "bet_unit": "10", "theme": "dark"}
    token = token_in(client.get("/settings"))
    assert client.post("/settings", data=data | {"csrf_token": token}).status_code == 303
    assert count(instance, "users") == 1


def test_a_chart_is_marked_with_the_token_of_its_page(client):
    token = token_in(client.get("/fill?rules=classic"))
    assert client.post("/fill?rules=classic", data={"h16T": "H", "csrf_token": token}).status_code == 200


def test_a_get_needs_no_token_and_changes_nothing_of_a_users(client, instance):
    for path in ("/", "/progress", "/mistakes", "/charts/classic", "/fill?rules=classic", "/rules", "/rules/classic",
                 "/edge", "/learn", "/learn/ev", "/settings", "/healthz"):
        assert client.get(path).status_code == 200
    assert [count(instance, table) for table in ("users", "decisions", "tallies", "practice_sessions")] == [0] * 4
