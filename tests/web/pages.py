"""What tests read off pages, and how they put a certain hand before a visitor."""

import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from trainer.drill.grade import Judgement
from trainer.drill.plan import Plan
from trainer.drill.situation import Situation, UnseenCards
from trainer.engine.presets import DEFAULT_KEY
from trainer.engine.rule_key import rules_for
from trainer.service.drill import DecisionRow, DrillService, QuestionRow
from trainer.storage.questions import add_question
from trainer.storage.transaction import transaction
from trainer.storage.users import ensure_rule_set

HTMX = {"HX-Request": "true"}
# The order of the buttons on every hand.
MOVES = ("hit", "stand", "double", "split", "surrender", "insure", "decline")
MINUS = "\N{MINUS SIGN}"
NOBODYS_HAND = "A" * 22
START = datetime(2031, 3, 4, 12, tzinfo=UTC)

_VOID = {"br", "hr", "img", "input", "link", "meta"}


@dataclass
class Node:
    """An element with what is inside it."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list["Node | str"] = field(default_factory=list)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self._texts()).split())

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()

    def all(self, tag: str = "", /, *classes: str, **attributes: str) -> list["Node"]:
        """The elements inside, in order, that fit; ``_`` in an attribute's name stands for a dash."""
        wanted = {name.replace("_", "-").strip("-"): value for name, value in attributes.items()}
        return [node for node in self.walk()
                if tag in ("", node.tag) and set(classes) <= set(node.classes)
                and all(node.attributes.get(name) == value for name, value in wanted.items())]

    def one(self, tag: str = "", /, *classes: str, **attributes: str) -> "Node":
        found = self.all(tag, *classes, **attributes)
        assert len(found) == 1, f"{len(found)} of {tag} {classes} {attributes}"
        return found[0]

    def walk(self) -> Iterator["Node"]:
        for child in self.children:
            if isinstance(child, Node):
                yield child
                yield from child.walk()

    def _texts(self) -> Iterator[str]:
        for child in self.children:
            if isinstance(child, str):
                yield child
            else:
                yield from child._texts()


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Node("")]

    def handle_starttag(self, tag, attrs):
        node = Node(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(node)
        if tag not in _VOID:
            self.open.append(node)

    def handle_startendtag(self, tag, attrs):
        self.open[-1].children.append(Node(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag):
        assert self.open[-1].tag == tag, f"</{tag}> ends <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data):
        self.open[-1].children.append(data)


def parse(text: str) -> Node:
    """A page or a fragment; every element must be closed in order."""
    builder = _Builder()
    builder.feed(text)
    builder.close()
    assert len(builder.open) == 1, f"<{builder.open[-1].tag}> is not closed"
    return builder.open[0]


def is_page(response: TestResponse) -> bool:
    return "<html" in response.text


def token_of(response: TestResponse) -> str:
    """The hand that is asked."""
    return parse(response.text).one("form", "moves").attributes["action"].removeprefix("/hand/")


def moves_of(response: TestResponse) -> list[str]:
    """The moves that can be chosen, in the order shown."""
    return [button.attributes["value"] for button in parse(response.text).all("button", name="action")]


def is_question(response: TestResponse) -> bool:
    return bool(moves_of(response))


def heading_of(response: TestResponse) -> str:
    """The verdict in words."""
    return parse(response.text).one(id="verdict").text


def is_marked_right(response: TestResponse) -> bool:
    classes = parse(response.text).one("div", "verdict").classes
    assert ("good" in classes) != ("bad" in classes)
    return "good" in classes


def evs_of(response: TestResponse) -> dict[str, str]:
    """The moves and what each is worth, as listed under a verdict; the mark of the chosen one left out."""
    rows = parse(response.text).one("table", "evs").one("tbody").all("tr")
    return {row.one("th").text.removesuffix(" you"): row.one("td", "number").text for row in rows}


def strip_of(response: TestResponse) -> dict[str, str]:
    """The running figures above the hand."""
    figures = parse(response.text).one(id="strip").all("dd")
    return dict(zip(("hands", "right", "streak", "lost", "pace"), (figure.text for figure in figures), strict=True))


def table_of(node: Node) -> list[list[str]]:
    """The body and foot of a table as texts."""
    return [[cell.text for cell in row.all() if cell.tag in ("td", "th")]
            for part in node.all("tbody") + node.all("tfoot") for row in part.all("tr")]


def ways_on(response: TestResponse) -> list[str]:
    """The links of a page's main part, or of an alert."""
    root = parse(response.text)
    inside = root.one("main") if is_page(response) else root
    return [link.attributes["href"] for link in inside.all("a")]


def chosen_of(response: TestResponse) -> str:
    """The move that a verdict marks as the visitor's own."""
    return parse(response.text).one("li", "chosen").text.removesuffix(" (your choice)")


def verdict_of(response: TestResponse) -> tuple[object, ...]:
    """All that a verdict tells, to be compared."""
    return heading_of(response), is_marked_right(response), chosen_of(response), evs_of(response)


def visitor_of(client: FlaskClient) -> str:
    """The visitor behind a client, who gets an id where there is none yet."""
    with client.session_transaction() as session:
        session.permanent = True
        return session.setdefault("visitor", secrets.token_hex(16))


def put_hand(
    app: Flask, client: FlaskClient, cards: str, upcard: str, rules_key: str = DEFAULT_KEY, *,
    plan: Plan | None = None, unseen: UnseenCards | None = None, at: datetime | None = None,
) -> str:
    """Deal certain cards to a visitor; the hand's token."""
    rules, token = rules_for(rules_key), secrets.token_urlsafe(16)
    with app.app_context(), transaction(writes=True) as session:
        add_question(
            session, token=token, visitor=visitor_of(client), plan=(plan or Plan(rules_key)).to_query(), position=0,
            rule_set_id=ensure_rule_set(session, rules),
            situation=Situation.from_text(rules, cards, upcard, unseen), dealt_at=at or datetime.now(UTC),
        )
    return token


def hand_of(app: Flask, client: FlaskClient, token: str, at: datetime | None = None) -> QuestionRow | DecisionRow:
    """A visitor's hand as the service knows it."""
    service: DrillService = app.extensions["drill"]
    with app.app_context():
        return service.look_up(visitor_of(client), token, at or datetime.now(UTC))


def judgement_of(app: Flask, situation: Situation) -> Judgement:
    return app.extensions["drill"].judge(situation)


def answer(client: FlaskClient, token: str, move: str, **options) -> TestResponse:
    return client.post(f"/hand/{token}", data={"action": move}, **options)


def rows(instance: Path, query: str, *values: object) -> list[tuple]:
    """What another program reads from the application's SQLite file."""
    with closing(sqlite3.connect(instance / "trainer.db")) as connection:
        return connection.execute(query, values).fetchall()


def count(instance: Path, table: str) -> int:
    return rows(instance, f"SELECT count(*) FROM {table}")[0][0]


class Clock:
    """The application's clock, moved by the test."""

    def __init__(self, now: datetime = START) -> None:
        self.time = now

    def __call__(self) -> datetime:
        return self.time

    def advance(self, **amount: float) -> None:
        self.time += timedelta(**amount)

    @classmethod
    def install(cls, monkeypatch: pytest.MonkeyPatch) -> "Clock":
        clock = cls()
        monkeypatch.setattr("trainer.web.visitor.now", clock)
        return clock
