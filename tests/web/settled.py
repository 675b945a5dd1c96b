"""People who have done something already: what they did is done once, and every test begins from a copy of it."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient

from tests.web.pages import answer, put_hand
from tests.web.tables import Player, lay_shoes
from trainer.storage.database import db

PASSWORDS = {"owner": "x7 bridge", "other": "y8 tunnel"}
PLAYED = "/?rules=hall-of-thoth&mode=play-it-out&rows=h16&upcards=6"
_CARDS = "T 6 2 T 2 2 2"


@dataclass(frozen=True)
class Settled:
    """A database at rest, everybody's cookie, and what there is of the owner's to be had."""

    database: Path
    cookies: Mapping[str, str] = field(repr=False)
    places: Mapping[str, object]

    @classmethod
    def of(cls, app: Flask, name: str, people: Mapping[str, FlaskClient], places: Mapping[str, object]) -> "Settled":
        """Copy what an application has stored by now."""
        with app.app_context():
            db.engine.dispose()  # the last connection to close moves the write-ahead log into the file
        copy = shutil.copy(Path(app.instance_path) / "trainer.db", Path(app.instance_path) / f"{name}.db")
        cookies = {person: client.get_cookie("session") for person, client in people.items()}
        return cls(copy, {person: cookie.value for person, cookie in cookies.items() if cookie}, places)

    def move_in(self, app: Flask, people: Mapping[str, FlaskClient]) -> None:
        """Put an application that has not been used yet, and its clients, where these people were."""
        lay_shoes(app).lay(_CARDS)
        shutil.copy(self.database, Path(app.instance_path) / "trainer.db")
        for person, cookie in self.cookies.items():
            people[person].set_cookie("session", cookie)


def settle_guests(app: Flask) -> Settled:
    """Someone with an open hand, an answered one, a session that has ended and a round at a table; and another."""
    people = {name: app.test_client() for name in ("owner", "other")}
    lay_shoes(app).lay(_CARDS)
    for name, each in people.items():
        each.get("/")
        answered = put_hand(app, each, "TsTh", "6d")
        answer(each, answered, "split")
        ended = each.post("/finish").location.rpartition("/")[2]
        each.get("/")
        if name == "owner":
            places = {"answered": answered, "ended": ended, "open": put_hand(app, each, "8s8h", "9d"), "saved": 1,
                      "table": "openseat"}
            each.post("/rules/decks~8/save", data={"name": "Mine"})
    Player(people["owner"]).sit().bet("10")
    people["owner"].post("/play/next", data={"plan": PLAYED.removeprefix("/?"), "number": "0"})
    return Settled.of(app, "guests", people, places)


def settle_accounts(app: Flask, guests: Settled) -> Settled:
    """The same people, owner and other registered, and a guest with a hand of their own."""
    people = {name: app.test_client() for name in ("owner", "other", "guest")}
    guests.move_in(app, people)
    guest = people["guest"]
    answer(guest, put_hand(app, guest, "TsTh", "6d"), "split")
    guest.post("/finish")
    for name, password in PASSWORDS.items():
        assert people[name].post("/register", data={"username": name, "password": password}).status_code == 200
    return Settled.of(app, "accounts", people, guests.places)
