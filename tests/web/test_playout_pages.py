"""The drill's mode *play it out* by plain forms and by htmx."""

import re

import pytest

from tests.web.pages import HTMX, is_page, parse, rows, strip_of
from tests.web.tables import cards_of

PAIRS = "/?rules=hall-of-thoth&mode=play-it-out&focus=pair"


def form_of(response):
    form = parse(response.text).one("form", "moves")
    return {field.attributes["name"]: field.attributes["value"] for field in form.all("input", type="hidden")}


def start(client, url=PAIRS):
    page = client.get(url)
    client.post("/play/next", data={"plan": url.removeprefix("/?"), "number": "0"})
    return page


def test_the_first_page_deals_nothing_and_makes_no_user(client, instance):
    page = client.get(PAIRS)
    assert "Deal a hand" in page.text
    assert rows(instance, "SELECT count(*) FROM users") == [(0,)]


def test_a_hand_goes_on_with_the_chosen_move_to_its_settlement(client, instance):
    start(client)
    page = client.get(PAIRS)
    assert re.match(r"Your move: ", parse(page.text).one(id="asked").text)
    assert client.post("/play/answer", data=form_of(page) | {"action": "split"}).location == PAIRS
    for _ in range(12):
        page = client.get(PAIRS)
        if parse(page.text).all(id="deal"):
            break
        client.post("/play/answer", data=form_of(page) | {"action": "stand"})
    part = parse(page.text)
    assert len(part.one("table", "hands").one("tbody").all("tr")) >= 2
    assert len(part.one("ol", "marks").all("li")) == rows(instance, "SELECT count(*) FROM decisions")[0][0]
    assert int(strip_of(page)["hands"]) == len(part.one("ol", "marks").all("li"))
    before = cards_of(part)
    client.post("/play/next", data=form_of(page))
    assert cards_of(parse(client.get(PAIRS).text)) != before


def test_by_htmx_the_verdict_and_the_next_question_come_together(client):
    start(client)
    part = client.post("/play/answer", data=form_of(client.get(PAIRS)) | {"action": "split"}, headers=HTMX)
    assert not is_page(part)
    root = parse(part.text)
    assert len(root.all("div", "verdict")) + len(root.all("ol", "marks")) >= 1
    assert root.one(id="strip").attributes["hx-swap-oob"] == "true"
    assert root.one(id="live").text


def test_hints_show_and_the_decision_counts_as_hinted(client, instance):
    start(client)
    client.post("/play/options", data=form_of(client.get(PAIRS)) | {"hint": "yes"})
    page = client.get(PAIRS)
    assert parse(page.text).one("div", "hint").one("h3").text.startswith("The chart says")
    client.post("/play/answer", data=form_of(page) | {"action": "stand"})
    assert rows(instance, "SELECT is_hinted, mode FROM decisions") == [(1, "play-it-out")]


@pytest.mark.parametrize("fields", [{"action": "insure"}, {"action": ""}, {"action": "nonsense"}, {"box": "1"},
                                    {"box": "x", "action": "stand"}, {"number": "x", "action": "stand"}])
def test_what_is_no_answer_changes_nothing(client, instance, fields):
    start(client)
    data = form_of(client.get(PAIRS))
    before = rows(instance, "SELECT * FROM table_seats")
    for headers in (None, HTMX):
        response = client.post("/play/answer", data=data | fields, headers=headers)
        assert response.status_code == 422
        assert "Nothing was changed" in response.text
    assert rows(instance, "SELECT * FROM table_seats") == before
    assert rows(instance, "SELECT count(*) FROM decisions") == [(0,)]


@pytest.mark.parametrize("path", ["/play/next", "/play/answer", "/play/options"])
def test_a_plan_that_is_none_is_refused(client, path):
    assert client.post(path, data={"plan": "rules=nonsense&mode=play-it-out", "number": "0"}).status_code == 400


def test_the_same_answer_twice_is_one(client, instance):
    start(client)
    data = form_of(client.get(PAIRS)) | {"action": "split"}
    for _ in range(3):
        assert client.post("/play/answer", data=data).status_code == 303
    assert rows(instance, "SELECT count(*) FROM decisions") == [(1,)]


def test_a_decision_has_its_page_and_a_way_back(client, instance):
    start(client)
    client.post("/play/answer", data=form_of(client.get(PAIRS)) | {"action": "stand"})
    page = client.get(f"/hand/{rows(instance, 'SELECT token FROM decisions')[0][0]}")
    assert page.status_code == 200
    assert parse(page.text).one("a", data_key=" ").attributes["href"] == PAIRS


def test_what_is_refused_leaves_the_hand_where_it_is(client):
    start(client)
    response = client.post("/play/next", data={"plan": PAIRS.removeprefix("/?"), "number": "x"}, headers=HTMX)
    assert response.status_code == 422
    assert parse(response.text).one("div", id="hand").all("form", "moves")


def test_a_part_of_the_chart_without_hands_says_so(client):
    url = "/?rules=classic&mode=play-it-out&focus=surrender"
    response = client.post("/play/next", data={"plan": url.removeprefix("/?"), "number": "0"})
    assert response.status_code == 422
    assert parse(response.text).one("p", role="alert").text
