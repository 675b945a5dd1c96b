"""What is dealt: in the address, remembered, and the same again for the same seed."""

import pytest

from tests.web.pages import HTMX, answer, count, hand_of, is_page, is_question, moves_of, parse, token_of, ways_on
from trainer.engine.presets import RULE_SETS, TITLES

SEEDED = ("mixed", "focus&focus=soft", "focus&rows=h16,p8&upcards=T,A", "insurance", "multi-card", "close-calls")


def dealt(app, client, path, hands=5):
    """The first hands of a plan, as one visitor gets them; every other one is skipped instead of answered."""
    found, token = [], token_of(client.get(path))
    for number in range(hands):
        situation = hand_of(app, client, token).situation
        found.append((situation.cards_text, str(situation.upcard), situation.unseen))
        if number % 2:
            token = token_of(client.post(f"/hand/{token}/skip", headers=HTMX))
        else:
            verdict = answer(client, token, situation.legal[0], headers=HTMX)
            token = token_of(client.get(parse(verdict.text).one("p", "next").one("a").attributes["href"], headers=HTMX))
    return found


@pytest.mark.parametrize("mode", SEEDED)
def test_a_seed_deals_everyone_the_same_hands(app, client, other_client, mode):
    path = f"/?rules=hall-of-thoth&mode={mode}&seed=Monday 7"
    first = dealt(app, client, path)
    assert dealt(app, other_client, path) == first
    assert dealt(app, app.test_client(), path.replace("Monday 7", "Monday 8")) != first
    assert len(set(map(str, first))) > 1


def test_a_seed_deals_each_rule_set_by_itself(app):
    paths = [f"/?rules={key}&mode=mixed&seed=x" for key in ("classic", "squarescores")]
    assert dealt(app, app.test_client(), paths[0], 3) != dealt(app, app.test_client(), paths[1], 3)


def test_without_a_seed_chance_decides(app, client, other_client):
    assert dealt(app, client, "/?mode=mixed") != dealt(app, other_client, "/?mode=mixed")


def test_a_reload_or_another_address_keeps_a_seeds_place(app, client, other_client):
    path = "/?rules=hall-of-thoth&mode=mixed&seed=place"
    whole = dealt(app, other_client, path, 4)
    part = []
    for _ in range(4):
        client.get("/progress")
        client.get(path)
        token = token_of(client.get(path))
        situation = hand_of(app, client, token).situation
        part.append((situation.cards_text, str(situation.upcard), situation.unseen))
        answer(client, token, "stand")
        answer(client, token, "hit")
    assert part == whole


@pytest.mark.parametrize(("path", "title", "query"), [
    ("/?mode=mixed&rules=classic", "All hands", "rules=classic&mode=mixed"),
    ("/?focus=soft", "Soft hands", "rules=hall-of-thoth&mode=focus&focus=soft"),
    ("/?mode=focus&focus=pair&rules=squarescores", "Pairs", "rules=squarescores&mode=focus&focus=pair"),
    ("/?mode=focus&focus=surrender&rules=shoe-h17", "Surrender", "rules=shoe-h17&mode=focus&focus=surrender"),
    ("/?mode=multi-card", "Three cards and more", "rules=hall-of-thoth&mode=multi-card"),
    ("/?mode=close-calls", "Close calls", "rules=hall-of-thoth&mode=close-calls"),
    ("/?mode=insurance&seed=7", "Insurance", "rules=hall-of-thoth&mode=insurance&seed=7"),
    ("/?rows=s18&rows=h16&upcards=A&upcards=T", "Part of the chart",
     "rules=hall-of-thoth&mode=focus&rows=h16,s18&upcards=T,A"),
    ("/?upcards=6", "Part of the chart", "rules=hall-of-thoth&mode=focus&upcards=6"),
])
def test_the_plan_is_shown_remembered_and_in_the_address(client, path, title, query):
    shown = client.get(path)
    root = parse(shown.text)
    assert root.one("h1").text == title
    assert root.one("title").text.startswith(title)
    again = client.get("/")
    if query == "rules=hall-of-thoth&mode=mixed":
        assert is_page(again)
    else:
        assert (again.status_code, again.location) == (303, f"/?{query}")
    assert token_of(client.get(f"/?{query}")) == token_of(shown)


def test_the_choice_in_force_is_marked(client):
    for choice in ("mode=mixed", "focus=hard", "focus=soft", "focus=pair", "mode=insurance", "mode=close-calls"):
        chips = parse(client.get(f"/?{choice}").text).all("a", "chip")
        marked = [chip.attributes["href"] for chip in chips if "aria-current" in chip.attributes]
        assert len(marked) == 1
        assert choice in marked[0]


def test_another_mode_keeps_the_rule_set_and_another_rule_set_the_mode(client):
    root = parse(client.get("/?rules=classic&mode=mixed").text)
    assert all("rules=classic" in chip.attributes["href"] for chip in root.all("a", "chip"))
    assert root.one("option", selected="").attributes["value"] == "classic"
    client.get("/?rules=classic&mode=close-calls")
    assert parse(client.get("/?rules=squarescores").text).one("h1").text == "Close calls"
    assert client.get("/").location == "/?rules=squarescores&mode=close-calls"


def test_another_rule_set_keeps_the_picked_part_of_the_chart(client):
    client.get("/?rules=classic&mode=focus&rows=h16&upcards=T")
    client.get("/?rules=squarescores")
    assert client.get("/").location == "/?rules=squarescores&mode=focus&rows=h16&upcards=T"


@pytest.mark.parametrize(("path", "said"), [
    ("/?rules=hall-of-thoth&mode=focus&focus=surrender", "These rules have no such hand."),
    ("/?rules=classic&mode=insurance", "These rules offer no insurance."),
    ("/?rules=squarescores&mode=insurance", "These rules offer no insurance."),
    ("/?rules=classic&mode=focus&rows=p4", "These rules have no such hand."),
    ("/?mode=mistakes", "There are no mistakes to go over yet."),
])
def test_where_the_rules_have_no_such_hand_the_page_says_so(client, instance, path, said):
    for headers in ({}, HTMX):
        response = client.get(path, headers=headers)
        assert response.status_code == 200
        assert is_page(response) == (not headers)
        assert said in parse(response.text).one(id="hand").text
    assert count(instance, "questions") == 0
    way = parse(response.text).one(id="hand").one("a").attributes["href"]
    assert is_question(client.get(way))
    assert way in ways_on(response)


@pytest.mark.parametrize("key", RULE_SETS)
def test_every_rule_set_deals_in_every_mode_it_has(client, key):
    for mode in ("mixed", "focus&focus=hard", "focus&focus=soft", "focus&focus=pair", "multi-card", "close-calls"):
        response = client.get(f"/?rules={key}&mode={mode}")
        assert len(moves_of(response)) >= 2, mode
        assert parse(response.text).one("option", selected="").text == TITLES[key]


def test_a_focus_deals_nothing_else(app, client):
    for number in range(8):
        token = token_of(client.get(f"/?rules=hall-of-thoth&rows=s18,h12&upcards=2,3&seed={number}"))
        cell = hand_of(app, client, token).situation.cell
        assert (cell.section, cell.row) in {("soft", 18), ("hard", 12)}
        assert cell.upcard in (2, 3)


def test_a_wrong_plan_is_not_remembered(client):
    client.get("/?mode=close-calls")
    assert client.get("/?mode=nonsense").status_code == 400
    assert client.get("/").location == "/?rules=hall-of-thoth&mode=close-calls"
    assert "nonsense" in client.get("/?mode=nonsense").text
