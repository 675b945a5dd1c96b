"""Behind a proxy and over HTTPS: cookies that are Secure there and still work at home, and whose word is taken."""

import pytest

from app import create_app
from tests.web.account_holders import practise, register, shown_name
from tests.web.conftest import prepare
from tests.web.pages import parse, token_of
from trainer.config import Settings
from trainer.storage.database import db

FORWARDED = {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "trainer.example"}


@pytest.fixture
def make_app(instance, compiled_templates, strategies):
    made = []

    def make(hops=0, **config):
        app = prepare(create_app({
            "SETTINGS": Settings(instance, secret_key="test", trusted_proxies=hops), "PROPAGATE_EXCEPTIONS": False,
            **config}), compiled_templates, strategies)
        made.append(app)
        return app

    yield make
    for app in made:
        with app.app_context():
            db.engine.dispose()


def cookies_of(response):
    return response.headers.getlist("Set-Cookie")


def test_over_plain_http_the_cookie_works_and_is_guarded_as_far_as_that_goes(make_app):
    client = make_app(WTF_CSRF_ENABLED=False).test_client()
    cookie, = cookies_of(client.get("/?mode=mixed"))
    assert cookie.startswith("session=")
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Secure" not in cookie
    practise(client)
    register(client)
    assert shown_name(client) == "Ada"
    assert "Strict-Transport-Security" not in client.get("/progress").headers


def test_over_https_the_cookie_is_secure_and_this_hosts_alone(make_app):
    client = make_app(hops=1).test_client()
    response = client.get("/?mode=mixed", headers=FORWARDED)
    cookie, = cookies_of(response)
    assert cookie.startswith("__Host-session=")
    assert all(f"; {part}" in f"{cookie};" for part in ("Secure;", "HttpOnly;", "Path=/;", "SameSite=Lax;"))
    assert "Domain" not in cookie
    assert response.headers["Strict-Transport-Security"] == "max-age=31536000"


def test_over_https_a_form_is_taken_from_its_own_page_only(make_app):
    client = make_app(hops=1).test_client()
    host = {**FORWARDED, "Cookie": ""}
    page = client.get("/?mode=mixed", headers=host)
    host["Cookie"] = cookies_of(page)[0].partition(";")[0]
    token = parse(page.text).one("form", "moves").one("input", name="csrf_token").attributes["value"]
    data = {"action": "stand", "csrf_token": token}
    for referrer, status in (("https://trainer.example/?mode=mixed", 303), ("https://elsewhere.example/", 400),
                             ("", 400)):
        sent = {**host, "Referer": referrer} if referrer else host
        assert client.post(f"/hand/{token_of(page)}", data=data, headers=sent).status_code == status


def test_without_a_trusted_proxy_nobodys_word_is_taken(make_app):
    client = make_app(RATE_LIMITS={"logins by address": "2 per minute"}, WTF_CSRF_ENABLED=False).test_client()
    assert cookies_of(client.get("/?mode=mixed", headers=FORWARDED))[0].startswith("session=")
    tries = [client.post("/login", data={"username": f"n {number}", "password": "wrong one"},
                         headers={"X-Forwarded-For": f"192.0.2.{number}"}) for number in range(3)]
    assert [each.status_code for each in tries] == [422, 422, 429]


@pytest.mark.parametrize(("hops", "expected"), [(1, [422, 422, 429]), (2, [422, 422, 422])])
def test_only_as_many_hops_are_believed_as_are_trusted(make_app, hops, expected):
    """The visitor writes what they like into the header; the last proxy adds whom it has seen."""
    client = make_app(hops, RATE_LIMITS={"logins by address": "2 per minute"}, WTF_CSRF_ENABLED=False).test_client()
    tries = [client.post("/login", data={"username": f"n {number}", "password": "wrong one"},
                         headers={"X-Forwarded-For": f"203.0.113.{number}, 192.0.2.1"}) for number in range(3)]
    assert [each.status_code for each in tries] == expected
