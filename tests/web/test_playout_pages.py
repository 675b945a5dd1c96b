"""The drill's mode *play it out* by plain forms and by htmx."""

import re

import pytest

from tests.web.pages import HTMX, is_page, parse, rows, strip_of
from tests.web.tables import cards_of

PAIRS = "/?rules=hall-of-thoth&mode=play-it-out&rows=p8&upcards=6"


def form_of(response):
    form = parse(response.text).one("form", "moves")
    return {field.attributes["name"]: field.attributes["value"] for field in form.all("input", type="hidden")}


def test_the_first_page_deals_a_hand_and_makes_no_user(client, instance):
    page = client.get(PAIRS)
    assert parse(page.text).one(id="asked").text == "Your move: 16"
    assert cards_of(parse(client.get(PAIRS).text)) == cards_of(parse(page.text))
    assert [rows(instance, f"SELECT count(*) FROM {table}")[0][0] for table in ("users", "table_seats", "questions")
            ] == [0, 0, 1]


@pytest.mark.parametrize("headers", [{"Sec-Purpose": "prefetch"}, {"User-Agent": "Examplebot/1.0"}])
def test_prefetches_and_robots_are_dealt_nothing(client, instance, headers):
    assert client.get(PAIRS, headers=headers).status_code == 200
    assert client.head(PAIRS).status_code == 200
    assert rows(instance, "SELECT count(*) FROM questions") == [(0,)]


def test_insurance_is_asked_where_an_ace_is_up(client, instance):
    url = "/?rules=hall-of-thoth&mode=play-it-out&rows=h16&upcards=A"
    page = client.get(url)
    assert parse(page.text).one(id="asked").text == "Take insurance?"
    client.post("/play/answer", data=form_of(page) | {"action": "decline"})
    assert rows(instance, "SELECT category, chosen, is_right, mode FROM decisions") == [
        ("insurance", "decline", 1, "play-it-out")]
    page = client.get(url)
    assert "third; here it is less." in page.text
    assert strip_of(page)["hands"] == "1"


def test_opening_hands_are_of_kinds_that_the_rules_have(client):
    def offered(rules):
        page = parse(client.get(f"/?rules={rules}&mode=play-it-out").text)
        return [link.text for link in page.one("div", "openings").all("a")]
    assert offered("shoe-h17") == ["For you", "Hard", "Soft", "Pairs", "Surrender", "Insurance"]
    assert offered("hall-of-thoth") == ["For you", "Hard", "Soft", "Pairs", "Insurance"]
    assert offered("classic") == ["For you", "Hard", "Soft", "Pairs"]


def test_a_hand_goes_on_with_the_chosen_move_to_its_settlement(client, instance):
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
    part = client.post("/play/answer", data=form_of(client.get(PAIRS)) | {"action": "split"}, headers=HTMX)
    assert not is_page(part)
    root = parse(part.text)
    assert len(root.all("div", "verdict")) + len(root.all("ol", "marks")) >= 1
    assert root.one(id="strip").attributes["hx-swap-oob"] == "true"
    assert root.one(id="live").text


def test_hints_show_and_the_decision_counts_as_hinted(client, instance):
    client.get(PAIRS)
    client.post("/play/options", data=form_of(client.get(PAIRS)) | {"hint": "yes"})
    page = client.get(PAIRS)
    assert parse(page.text).one("div", "hint").one("h3").text.startswith("The chart says")
    client.post("/play/answer", data=form_of(page) | {"action": "stand"})
    assert rows(instance, "SELECT is_hinted, mode FROM decisions") == [(1, "play-it-out")]


@pytest.mark.parametrize("fields", [{"action": "insure"}, {"action": ""}, {"action": "nonsense"}, {"box": "1"},
                                    {"box": "x", "action": "stand"}, {"number": "x", "action": "stand"}])
def test_what_is_no_answer_changes_nothing(client, instance, fields):
    client.get(PAIRS)
    data = form_of(client.get(PAIRS))
    client.post("/play/options", data=data)
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
    client.get(PAIRS)
    data = form_of(client.get(PAIRS)) | {"action": "split"}
    for _ in range(3):
        assert client.post("/play/answer", data=data).status_code == 303
    assert rows(instance, "SELECT count(*) FROM decisions") == [(1,)]


def test_a_decision_has_its_page_and_a_way_back(client, instance):
    client.get(PAIRS)
    client.post("/play/answer", data=form_of(client.get(PAIRS)) | {"action": "stand"})
    page = client.get(f"/hand/{rows(instance, 'SELECT token FROM decisions')[0][0]}")
    assert page.status_code == 200
    assert parse(page.text).one("a", data_key=" ").attributes["href"] == PAIRS


def test_what_is_refused_leaves_the_hand_where_it_is(client):
    client.get(PAIRS)
    response = client.post("/play/next", data={"plan": PAIRS.removeprefix("/?"), "number": "x"}, headers=HTMX)
    assert response.status_code == 422
    assert parse(response.text).one("div", id="hand").all("form", "moves")


def test_a_part_of_the_chart_without_hands_says_so(client):
    url = "/?rules=classic&mode=play-it-out&focus=surrender"
    assert parse(client.get(url).text).one("p", role="alert").text == "These rules have no such hand."
    response = client.post("/play/next", data={"plan": url.removeprefix("/?"), "number": "0"})
    assert response.status_code == 422
    assert parse(response.text).one("p", role="alert").text
