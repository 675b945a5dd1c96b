"""A visitor at a table by plain forms, with the shoe laid by the test."""

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.service.stacked import Stacked
from tests.web.pages import Node, parse


def lay_shoes(app: Flask) -> Stacked:
    """Have the tables shuffle with dice that the test can load."""
    dice = Stacked()
    app.extensions["tables"]._random = dice
    return dice


class Player:
    """One browser at one table."""

    def __init__(self, client: FlaskClient, key: str = "openseat") -> None:
        self.client, self.url = client, f"/tables/{key}"

    def sit(self, **fields: object) -> "Player":
        assert self.post("sit", **fields).status_code == 303
        return self

    def get(self, **options) -> TestResponse:
        return self.client.get(self.url, **options)

    def page(self) -> Node:
        return parse(self.get().text)

    def asked(self) -> dict[str, str]:
        """The hidden fields of the form that is open."""
        form = self.page().one("form", "moves")
        return {field.attributes["name"]: field.attributes["value"] for field in form.all("input", type="hidden")}

    def post(self, what: str, headers: dict[str, str] | None = None, **fields: object) -> TestResponse:
        return self.client.post(f"{self.url}/{what}", data=fields, headers=headers)

    def bet(self, *amounts: object, **options) -> TestResponse:
        return self.post("bet", **self.asked(), bet=list(amounts), **options)

    def say(self, word: str, **options) -> TestResponse:
        return self.post("answer", **self.asked(), action=word, **options)


def cards_of(page: Node) -> list[str]:
    """Every card on the felt by its label, the dealer's first."""
    return [card.attributes["aria-label"] for card in page.one("section", "felt").all("span", "card", role="img")]
