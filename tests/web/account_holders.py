"""What tests do with accounts through their pages."""

import re

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.web.pages import answer, parse, token_of

PASSWORD, OTHER_PASSWORD = "x7 bridge", "y8 tunnel"


def register(client: FlaskClient, name: str = "Ada", password: str = PASSWORD, **fields: str) -> str:
    """Register through the form; the recovery code."""
    response = client.post("/register", data={"username": name, "password": password, **fields})
    assert response.status_code == 200, response.text
    return code_in(response)


def code_in(response: TestResponse) -> str:
    return parse(response.text).one("p", "code").text


def log_in(client: FlaskClient, name: str = "Ada", password: str = PASSWORD, **fields: str) -> TestResponse:
    return client.post("/login", data={"username": name, "password": password, **fields})


def shown_name(client: FlaskClient) -> str:
    """What the header calls the visitor; empty for a guest."""
    link = parse(client.get("/progress").text).one("a", "who")
    return "" if link.attributes["href"] == "/login" else link.text


def practise(client: FlaskClient, hands: int = 1) -> list[str]:
    """Answer so many hands; their tokens."""
    tokens = []
    for _ in range(hands):
        token = token_of(client.get("/?mode=mixed"))
        assert answer(client, token, "stand").status_code == 303
        tokens.append(token)
    return tokens


def history(client: FlaskClient) -> set[str]:
    """The tokens of everything that a visitor has answered."""
    return {each["token"] for each in client.get("/account/export.json").json["decisions"]}


def notices(response: TestResponse) -> list[str]:
    return [notice.text for notice in parse(response.text).one(id="alert").all("p", "notice")]


def errors(response: TestResponse) -> list[str]:
    """What a form says is wrong."""
    return re.findall(r'class="field-error"[^>]*>([^<]+)', response.text)
