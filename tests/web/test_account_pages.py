"""The life of an account through its pages, without JavaScript, on both databases."""

import csv
import io
import re

import pytest
from flask import Flask

from tests.web.account_holders import (
    OTHER_PASSWORD,
    PASSWORD,
    code_in,
    errors,
    history,
    log_in,
    notices,
    practise,
    register,
    shown_name,
)
from tests.web.pages import HTMX, answer, heading_of, is_page, parse, put_hand, strip_of, token_of

HOSTILE = ["<script>alert(1)</script>", '"><img src=x onerror=a>', "{{ 7*7 }}", "' OR 1=1 --", "=HYPERLINK(1)",
           "&lt;b&gt;", "%s%n{0}", "</title><svg>"]


@pytest.fixture
def app(everywhere: Flask) -> Flask:
    return everywhere


# Registering


def test_a_guest_registers_and_everything_stays(client):
    client.post("/settings", data={"rules": "hall-of-thoth", "grading": "chart", "bet_unit": "5", "theme": "dark"})
    tokens = practise(client, 3)
    open_hand = token_of(client.get("/?mode=mixed"))
    strip = strip_of(client.get("/?mode=mixed"))
    register(client)
    assert shown_name(client) == "Ada"
    assert history(client) == set(tokens)
    assert strip_of(client.get("/?mode=mixed")) == strip
    assert token_of(client.get("/?mode=mixed")) == open_hand
    assert parse(client.get("/settings").text).one("html").attributes["data-theme"] == "dark"
    assert answer(client, open_hand, "stand", headers=HTMX).status_code == 200


def test_the_code_is_shown_once_with_a_way_on(client):
    response = client.post("/register", data={"username": "Ada", "password": PASSWORD, "next": "/progress?period=7"})
    code = code_in(response)
    assert re.fullmatch(r"([0-9A-Z]{5}-){4}[0-9A-Z]{5}", code)
    assert response.headers["Cache-Control"] == "no-store"
    assert parse(response.text).one("main").one("a", "button").attributes["href"] == "/progress?period=7"
    assert code not in str(client.get_cookie("session"))
    for path in ("/account", "/register", "/progress?period=7", "/account/export.json"):
        assert code not in client.get(path, follow_redirects=True).text


def test_the_cookie_is_another_after_registering_and_the_old_one_is_nobodys(app, client):
    hand = practise(client)[0]
    old = client.get_cookie("session").value
    register(client)
    thief = app.test_client()
    thief.set_cookie("session", old)
    assert thief.get(f"/hand/{hand}").status_code == 404
    assert history(thief) == set()
    assert shown_name(thief) == ""
    assert history(client) == {hand}


@pytest.mark.parametrize(("name", "password", "said"), [
    ("", PASSWORD, "Choose a name."), ("A", PASSWORD, "A name has 2 to 32 characters."),
    ("x" * 33, PASSWORD, "A name has 2 to 32 characters."), ("a\x00b", PASSWORD, "A name is made of"),
    ("a\N{RIGHT-TO-LEFT OVERRIDE}b", PASSWORD, "A name is made of"),
    ("Ada", "", "Choose a password."), ("Ada", "x7 brid", "A password has 8 to 128 characters."),
    ("Ada", "q" * 129, "A password has 8 to 128 characters."), ("Ada", "password1", "most common"),
    ("Ada Lovelace", "ada lovelace", "not your name"),
])
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_what_cannot_be_is_told_at_its_field_and_kept_in_the_form(client, name, password, said, headers):
    response = client.post("/register", data={"username": name, "password": password}, headers=headers)
    assert response.status_code == 422
    field = "password" if name.startswith("Ada") else "username"
    root = parse(response.text)
    told = root.one(id=f"{field}-error")
    assert said in told.text
    box = root.one("input", id=field)
    assert box.attributes["aria-invalid"] == "true"
    assert told.attributes["id"] in box.attributes["aria-describedby"].split()
    assert root.one("input", id="password").attributes["value"] == ""
    assert shown_name(client) == ""


def test_a_name_that_is_taken_is_told(client, other_client):
    register(client)
    response = other_client.post("/register", data={"username": "ADA ", "password": OTHER_PASSWORD})
    assert (response.status_code, errors(response)) == (422, ["That name is taken. Choose another."])


def test_registering_twice_by_a_double_click_is_one_account(app, client):
    tokens = practise(client, 2)
    cookie = client.get_cookie("session").value
    register(client)
    again = app.test_client()
    again.set_cookie("session", cookie)
    response = again.post("/register", data={"username": "Ada", "password": PASSWORD})
    assert response.status_code == 303
    assert shown_name(again) == "Ada"
    assert history(again) == set(tokens)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_text_everywhere(client, other_client, name):
    practise(client)
    response = client.post("/register", data={"username": name, "password": PASSWORD})
    pages = [response, *(client.get(path) for path in (
        "/account", "/settings", "/progress", "/mistakes", "/?mode=mixed", "/charts/classic", "/privacy", "/nowhere",
        "/account/password", "/account/recovery-code", "/account/delete", "/account/history/delete"))]
    for page in pages:
        root = parse(page.text)
        assert root.one("a", "who").text == " ".join(name.split())
        assert root.all("img") == []
        assert all(script.attributes.get("src") for script in root.all("script"))
    assert "49" not in parse(client.get("/account").text).one("h1").text
    assert client.get("/account/export.json").json["account"]["username"] == name
    refused = log_in(other_client, name, "wrong one")
    assert parse(refused.text).one("input", id="username").attributes["value"] == name
    log_in(other_client, name)
    assert notices(other_client.get("/progress")) == [f"You are logged in as {name}."]


# Logging in


def test_a_second_device_logs_in_with_its_own_history(client, other_client):
    mine, theirs = practise(client, 2), practise(other_client, 3)
    open_hand = token_of(other_client.get("/?mode=mixed"))
    register(client)
    response = log_in(other_client, next="/progress")
    assert (response.status_code, response.location) == (303, "/progress")
    assert notices(other_client.get("/progress")) == [
        "You are logged in as Ada. What you had answered here is part of your history now."]
    assert history(client) == history(other_client) == {*mine, *theirs}
    assert token_of(other_client.get("/?mode=mixed")) == open_hand
    assert token_of(client.get("/?mode=mixed")) == open_hand
    answer(client, open_hand, "stand")
    assert heading_of(other_client.get(f"/hand/{open_hand}")) == heading_of(client.get(f"/hand/{open_hand}"))


def test_logging_in_again_after_logging_out_merges_nothing_twice(client):
    tokens = practise(client, 2)
    register(client)
    client.post("/logout")
    more = practise(client, 1)
    for _ in range(2):
        log_in(client)
        assert history(client) == {*tokens, *more}
        client.post("/logout")


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_a_wrong_name_and_a_wrong_password_get_the_same_words(app, client, headers):
    register(client)
    texts = set()
    for name, password in (("Ada", "x7 bridgf"), ("Nobody", "x7 bridgf"), ("Nobody", PASSWORD), ("Ada", "q" * 128)):
        response = app.test_client().post("/login", data={"username": name, "password": password}, headers=headers)
        assert response.status_code == 422
        assert parse(response.text).one("p", "field-error").attributes["role"] == "alert"
        texts.add(re.sub(r'value="[^"]*"', "", response.text))
    assert len(texts) == 1
    assert "Name and password do not belong together." in texts.pop()


def test_an_empty_form_is_told_at_its_fields(client):
    for path, said in (("/login", ["Enter your name.", "Enter your password."]),
                       ("/recover", ["Enter your name.", "Enter your recovery code.", "Choose a new password."])):
        response = client.post(path, data={})
        assert (response.status_code, errors(response)) == (422, said)


@pytest.mark.parametrize("target", [
    "https://elsewhere.example", "//elsewhere.example", "/\\elsewhere.example", "\\\\elsewhere.example", "javascript:a",
    "/a\nb", "/ a", "/\u00e4", "", "elsewhere", "/" + "x" * 600, "/\t/elsewhere.example", "https:/elsewhere.example",
])
def test_next_leads_to_own_paths_only(client, target):
    register(client, next=target)
    client.post("/logout")
    form = client.get("/login", query_string={"next": target})
    assert parse(form.text).one("input", name="next").attributes["value"] == "/"
    assert log_in(client, next=target).location == "/"


def test_who_is_logged_in_is_not_asked_again(client):
    register(client)
    for path in ("/login", "/register", "/recover"):
        assert client.get(path).location == "/account"
        assert client.post(path, data={"username": "Bo", "password": OTHER_PASSWORD, "code": "x"}).location in (
            "/account", "/")
    assert shown_name(client) == "Ada"


# Logging out


def test_logging_out_leaves_a_new_guest(app, client):
    hand = practise(client)[0]
    register(client)
    cookie = client.get_cookie("session").value
    response = client.post("/logout")
    assert (response.status_code, response.location) == (303, "/")
    assert notices(client.get("/?mode=mixed")) == ["You are logged out."]
    assert history(client) == set()
    assert client.get(f"/hand/{hand}").status_code == 404
    copied = app.test_client()
    copied.set_cookie("session", cookie)
    assert shown_name(copied) == ""
    assert client.post("/logout").status_code == 303


def test_logging_out_everywhere_ends_every_browser(client, other_client):
    register(client)
    log_in(other_client)
    assert "Logged in in 2 browsers" in other_client.get("/account").text
    assert client.post("/account/logout-everywhere").location == "/login"
    assert shown_name(client) == shown_name(other_client) == ""
    assert log_in(client).status_code == 303


def test_a_browser_that_was_logged_out_elsewhere_is_told_and_goes_on_as_a_guest(client, other_client):
    register(client)
    log_in(other_client)
    hand = token_of(other_client.get("/?mode=mixed"))
    client.post("/account/logout-everywhere")
    response = answer(other_client, hand, "stand")
    assert response.status_code == 404
    assert notices(response) == ["You have been logged out."]
    assert practise(other_client)


# Password and recovery


def test_a_changed_password_keeps_this_browser_and_ends_the_others(client, other_client):
    register(client)
    log_in(other_client)
    response = client.post("/account/password", data={"old": PASSWORD, "password": OTHER_PASSWORD})
    assert (response.status_code, response.location) == (303, "/account")
    assert (shown_name(client), shown_name(other_client)) == ("Ada", "")
    assert log_in(other_client).status_code == 422
    assert log_in(other_client, password=OTHER_PASSWORD).status_code == 303


@pytest.mark.parametrize(("old", "new", "field"), [
    ("", OTHER_PASSWORD, "old"), ("x7 bridgf", OTHER_PASSWORD, "old"), (PASSWORD, "", "password"),
    (PASSWORD, "short", "password"), (PASSWORD, "password1", "password"),
])
def test_a_password_is_not_changed_to_or_by_the_wrong_one(client, old, new, field):
    register(client)
    response = client.post("/account/password", data={"old": old, "password": new})
    assert response.status_code == 422
    assert parse(response.text).one(id=f"{field}-error").text
    client.post("/logout")
    assert log_in(client).status_code == 303


def test_recovery_by_the_code_brings_a_new_one(client, other_client):
    code = register(client)
    mine, theirs = practise(client), practise(other_client)
    response = other_client.post("/recover", data={"username": "ada", "code": code.lower().replace("-", " "),
                                                   "password": OTHER_PASSWORD})
    assert response.status_code == 200
    assert code_in(response) != code
    assert history(other_client) == {*mine, *theirs}
    assert shown_name(client) == ""
    refused = client.post("/recover", data={"username": "Ada", "code": code, "password": PASSWORD})
    assert (refused.status_code, errors(refused)) == (422, ["Name and recovery code do not belong together."])
    unknown = client.post("/recover", data={"username": "Nobody", "code": code, "password": PASSWORD})
    assert errors(unknown) == errors(refused)


def test_a_new_code_wants_the_password(client):
    old = register(client)
    refused = client.post("/account/recovery-code", data={"password": "x7 bridgf"})
    assert (refused.status_code, errors(refused)) == (422, ["That is not your password."])
    new = code_in(client.post("/account/recovery-code", data={"password": PASSWORD}))
    client.post("/logout")
    assert client.post("/recover", data={"username": "Ada", "code": old, "password": OTHER_PASSWORD}).status_code == 422
    assert client.post("/recover", data={"username": "Ada", "code": new, "password": OTHER_PASSWORD}).status_code == 200


# One's own data


def test_a_guest_can_take_the_data_along_and_delete_it(client):
    tokens = practise(client, 2)
    response = client.get("/account/export.json")
    assert response.headers["Content-Disposition"].startswith('attachment; filename="blackjack-trainer-')
    assert response.headers["Cache-Control"] == "no-store"
    assert {each["token"] for each in response.json["decisions"]} == set(tokens)
    rows = list(csv.DictReader(io.StringIO(client.get("/account/export.csv").text)))
    assert {row["token"].removeprefix("'") for row in rows} == set(tokens)
    assert is_page(client.get("/account/history/delete"))
    assert history(client) == set(tokens)
    assert client.post("/account/history/delete").location == "/account"
    assert history(client) == set()
    assert "Nothing yet" in client.get("/progress").text


def test_deleting_the_account_wants_the_password_and_leaves_nothing(client, other_client):
    tokens = practise(client, 2)
    register(client)
    log_in(other_client)
    refused = client.post("/account/delete", data={"password": "x7 bridgf"})
    assert (refused.status_code, errors(refused)) == (422, ["That is not your password."])
    assert history(client) == set(tokens)
    response = client.post("/account/delete", data={"password": PASSWORD})
    assert (response.status_code, response.location) == (303, "/")
    assert (shown_name(client), shown_name(other_client)) == ("", "")
    assert history(client) == history(other_client) == set()
    assert log_in(client).status_code == 422
    assert register(client)


def test_an_account_that_changes_in_that_very_moment_is_a_409(client, monkeypatch):
    register(client)
    monkeypatch.setattr("trainer.storage.accounts.lock_account", lambda *_: None)
    for path, data in (("/account/delete", {"password": PASSWORD}), ("/account/recovery-code", {"password": PASSWORD}),
                       ("/account/password", {"old": PASSWORD, "password": OTHER_PASSWORD})):
        response = client.post(path, data=data)
        assert response.status_code == 409
        assert "Nothing was done" in response.text
    monkeypatch.undo()
    assert shown_name(client) == "Ada"


def test_too_many_at_once_are_asked_to_wait(client, monkeypatch):
    monkeypatch.setattr("trainer.service.passwords.PATIENCE_SECONDS", 0)
    monkeypatch.setattr("trainer.service.passwords._turns.acquire", lambda **_: False)
    response = client.post("/register", data={"username": "Ada", "password": PASSWORD})
    assert response.status_code == 503
    assert int(response.headers["Retry-After"]) > 0
    monkeypatch.undo()
    assert register(client)


def test_what_a_guest_practises_is_kept_over_the_login(client):
    client.get("/?rules=classic&mode=focus&focus=soft")
    register(client)
    assert client.get("/").location == "/?rules=classic&mode=focus&focus=soft"


def test_a_hand_put_before_a_guest_can_be_answered_by_the_account(app, client):
    hand = put_hand(app, client, "8s8h", "9d")
    register(client)
    assert heading_of(answer(client, hand, "split", headers=HTMX)) == "Right: split"
