"""The insurance page: every figure against the engine, and the form for cards seen."""

import pytest

from tests.rule_keys import KEYS
from tests.web.pages import parse, table_of
from trainer.drill.words import percent, signed
from trainer.engine.cards import parse_cards
from trainer.engine.insurance import (
    even_money_evs,
    insurance_ev,
    insures_all,
    insures_good,
    insures_naturals,
    price_of_habit,
    ten_share,
    ten_share_left,
)
from trainer.engine.rule_key import canonical_key, rules_for
from trainer.engine.rules import Rules


def page_of(client, key, query=""):
    return parse(client.get(f"/insurance?rules={canonical_key(key)}{query}").text)


@pytest.mark.parametrize("key", KEYS)
def test_the_habits_cost_what_the_engine_says(client, key):
    habits = [price_of_habit(rules_for(key), takes) for takes in (insures_all, insures_good, insures_naturals)]
    shown = table_of(page_of(client, key).all("table", "plain")[0])
    assert [row[1:] for row in shown] == [
        [f"{1000 * habit.often:.2f}", signed(habit.ev / habit.often), f"{signed(100 * habit.ev)}%",
         signed(1000 * habit.ev, 3)] for habit in habits]


@pytest.mark.parametrize("key", KEYS)
def test_the_decks_are_the_engines(client, key):
    rules = rules_for(key)
    rows = table_of(page_of(client, key).one("table", "decks"))
    assert len(rows) == 8
    for decks, (named, *figures) in enumerate(rows, start=1):
        other = Rules.from_mapping({"decks": decks}, base=rules)
        expected = [f"{signed(insurance_ev(other, seen))} {percent(ten_share(other, seen), 2)}"
                    for seen in map(parse_cards, ("A 98", "A 9K", "A JQ"))]
        assert figures == [*expected, *map(signed, even_money_evs(other, parse_cards("A AK")))]
        assert named == (f"{decks} these rules" if decks == rules.decks else str(decks))


@pytest.mark.parametrize(("key", "is_offered"), [
    ("hall-of-thoth", True), ("live-casino", True), ("classic", False), ("squarescores", False)])
def test_a_game_without_insurance_says_so(client, key, is_offered):
    text = page_of(client, key).one("main").text
    assert ("has no insurance" in text) == (not is_offered)


def test_even_money_is_worth_taking_where_naturals_pay_less(client):
    assert "so even money is worth taking" in page_of(client, "blackjack_pays~6to5").one("main").text
    assert "so even money is worth taking" not in page_of(client, "hall-of-thoth").one("main").text


@pytest.mark.parametrize(("tens", "others", "verdict"), [
    ("0", "1", "Turn it down"), ("0", "24", "It is all the same"), ("0", "25", "Take it"), ("", "1", "Turn it down"),
    (" 3 ", "40", "Take it"), ("96", "1", "Turn it down"),
])
def test_cards_seen_are_counted(client, tens, others, verdict):
    share = ten_share_left(Rules(), int(tens or 0), int(others))
    text = page_of(client, "hall-of-thoth", f"&tens={tens}&others={others}").one("p", "notice").text
    assert text.startswith(f"{verdict}: {percent(share, 2)} of the unseen cards")
    assert text.endswith(f"worth {signed(3 * share - 1)} .")


@pytest.mark.parametrize(("tens", "others", "fields"), [
    ("x", "1", ["tens"]), ("1.5", "1", ["tens"]), ("-1", "1", ["tens"]), ("1", "", ["others"]), ("1", "0", ["others"]),
    ("99999", "x", ["tens", "others"]), ("97", "1", ["tens"]), ("1", "217", ["tens"]), ("96", "216", ["tens"]),
    ("٣", "1", ["tens"]), ("1" * 5000, "1", ["tens"]),
])
def test_what_cannot_be_seen_is_said_at_its_field(client, tens, others, fields):
    response = client.get("/insurance", query_string={"rules": "hall-of-thoth", "tens": tens, "others": others})
    assert response.status_code == 422
    root = parse(response.text)
    assert [field.attributes["name"] for field in root.all("input", aria_invalid="true")] == fields
    assert all(root.one(id=f"{field}-error").text for field in fields)
    assert root.all("p", "notice") == []
    assert len(root.all("table", "plain")) == 2


def test_it_leads_to_a_drill_and_to_other_rules(client):
    root = page_of(client, "live-casino")
    drill = root.all("a", "button", "quiet")[0].attributes["href"]
    assert client.get(drill).status_code == 200
    links = [link.attributes["href"] for link in root.one("nav", aria_label="Rule set").all("a")]
    assert "/insurance?rules=classic" in links
