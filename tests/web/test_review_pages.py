"""How many reviews are due, wherever the drill says so."""

import pytest

from tests.web.pages import HTMX, START, Clock, answer, hand_of, parse, put_hand, table_of, token_of
from trainer.drill.plan import Plan

REVIEW, MIXED = "/?rules=hall-of-thoth&mode=review", "/?rules=hall-of-thoth&mode=mixed"
MISSED = [("Ts6h", "Td", "double"), ("As7h", "3d", "hit"), ("9s9h", "6d", "stand")]


@pytest.fixture
def clock(monkeypatch):
    return Clock.install(monkeypatch)


@pytest.fixture
def missed(app, client, clock):
    """Three cells answered wrong; they are due again within minutes."""
    for cards, upcard, move in MISSED:
        answer(client, put_hand(app, client, cards, upcard, at=START), move)
    clock.advance(hours=1)


def menu_of(response):
    link = next(link for link in parse(response.text).one("div", "menu").all("a") if "mode=review" in
                link.attributes["href"])
    return link.text


def strip_of(response):
    """The figures above the hand by their names."""
    strip = parse(response.text).one(id="strip")
    return {name.text: figure.text for name, figure in zip(strip.all("dt"), strip.all("dd"), strict=True)}


@pytest.mark.usefixtures("missed")
def test_the_menu_says_how_many_are_due(client):
    assert menu_of(client.get(MIXED)) == "Review (3 due)"
    assert menu_of(client.get("/?rules=openseat&mode=mixed")) == "Review (3 due)"
    assert menu_of(client.get("/?rules=classic&mode=mixed")) == "Review"


def test_nothing_is_said_where_nothing_is_due(client, other_client, app, clock):
    assert menu_of(client.get(MIXED)) == "Review"
    answer(client, put_hand(app, client, "Ts6h", "Td", at=START), "double")
    assert menu_of(client.get(MIXED)) == "Review"
    clock.advance(hours=1)
    assert menu_of(client.get(MIXED)) == "Review (1 due)"
    assert menu_of(other_client.get(MIXED)) == "Review"


@pytest.mark.usefixtures("missed")
def test_review_says_how_many_are_due_in_its_title_and_its_strip(client):
    response = client.get(REVIEW)
    assert parse(response.text).one("h1").text == "Review (3 due)"
    assert strip_of(response)["due"] == "3"
    assert parse(response.text).one("span", "tag").text == "Review"
    assert "due" not in strip_of(client.get(MIXED))
    assert parse(client.get(MIXED).text).one("h1").text == "All hands"


@pytest.mark.usefixtures("missed")
def test_an_answer_takes_one_off_everywhere_on_the_page(app, client):
    token = token_of(client.get(REVIEW))
    move = app.extensions["drill"].judge(hand_of(app, client, token).situation).chart
    part = answer(client, token, move, headers=HTMX)
    assert strip_of(part)["due"] == "2"
    assert parse(part.text).one(id="due").text == "(2 due)"
    assert parse(part.text).one(id="due").attributes["hx-swap-oob"] == "innerHTML"
    whole = client.get(REVIEW)
    assert len(parse(whole.text).all(id="due")) == 1
    assert menu_of(whole) == "Review (2 due)"


@pytest.mark.usefixtures("clock")
def test_review_with_nothing_due_says_so(client):
    response = client.get(REVIEW)
    assert strip_of(response)["due"] == "0"
    assert parse(response.text).one("h1").text == "Review"
    assert "Nothing is due for review" in response.text


@pytest.mark.usefixtures("missed")
def test_a_mistake_answered_right_since_shows_so_in_the_list(app, client, clock):
    answer(client, put_hand(app, client, "9s7h", "Kd", at=clock.time, plan=Plan("openseat")), "hit")
    for path in ("/mistakes", "/mistakes?order=costliest"):
        lines = table_of(parse(client.get(path).text).one("table", "hands"))
        assert {line[0].split()[0]: line[3] for line in lines} == {
            "10-6": "Hit right since", "A-7": "Double", "9-9": "Split"}
    clock.advance(minutes=1)
    answer(client, put_hand(app, client, "Ts6h", "Td", at=clock.time), "double")
    lines = table_of(parse(client.get("/mistakes").text).one("table", "hands"))
    assert [line[3] for line in lines] == ["Hit", "Split", "Double", "Hit"]
    assert client.get("/mistakes?order=cells").status_code == 200
