"""The calculator as pages and fragments: addresses, numbers, what is refused and where that is said."""

import pytest

from tests.rule_keys import KEYS
from tests.web.pages import HTMX, evs_of, is_page, parse, table_of
from trainer.drill.words import percent, signed
from trainer.engine.actions import Action
from trainer.engine.cards import Card, parse_cards
from trainer.engine.decision import decide
from trainer.engine.hands import Hand
from trainer.engine.insurance import insurance_ev
from trainer.engine.rule_key import canonical_key, rules_for

LABELS = {"stand": "Stand", "hit": "Hit", "double": "Double", "split": "Split", "surrender": "Surrender"}
HANDS = [("T6", "T", ""), ("A7", "9", "55T"), ("88", "A", ""), ("TT", "6", "2345"), ("234", "2", "")]


def url_of(key, cards, upcard, seen=""):
    return f"/hands/{cards}/{upcard}?rules={canonical_key(key)}" + (f"&seen={seen}" if seen else "")


def outcomes_of(root):
    return {row[0]: row[1:] for row in table_of(root.one("table", "ends-table"))}


@pytest.mark.parametrize("key", KEYS)
def test_every_number_is_the_engines(client, key):
    for cards, upcard, seen in HANDS:
        decision = decide(rules_for(key), Hand.parse(cards), Card(upcard), parse_cards(seen))
        response = client.get(url_of(key, cards, upcard, seen))
        assert response.status_code == 200
        ordered = sorted(decision.evs.items(), key=lambda pair: -pair[1])
        assert list(evs_of(response).items()) == [(LABELS[action], signed(ev)) for action, ev in ordered]
        root = parse(response.text)
        assert root.one(id="result").text.endswith(f": {decision.best}")
        check_outcomes(outcomes_of(root), decision)
        ends = root.one("table", "ends-key")
        shown = dict(zip([head.text for head in ends.all("th")], [cell.text for cell in ends.all("td")], strict=True))
        assert shown == {name: f"{100 * chance:.1f}%" for name, chance in decision.dealer.items() if chance > 0}


def check_outcomes(shown, decision):
    for action in decision.evs:
        if action == Action.SPLIT:
            assert shown["Split"] == ["several hands: not broken down"]
        elif action == Action.SURRENDER:
            assert shown["Surrender"] == ["half the bet is lost"]
        else:
            result = decision.results[action]
            name = "Double for two bets" if action == Action.DOUBLE else LABELS[action]
            ways = (result["win 1"] + result["win 2"], result["push"], result["lose 1"] + result["lose 2"],
                    decision.busts[action])
            assert shown[name] == [percent(chance, 2) for chance in ways]
            assert sum(ways[:3]) == pytest.approx(1)
    assert len(shown) == len(decision.evs)


def test_the_chart_is_set_beside_the_exact_move(client):
    def words(*hand):
        return parse(client.get(url_of("hall-of-thoth", *hand)).text).one("p", "why").text

    evs = decide(rules_for("hall-of-thoth"), Hand.parse("T2"), Card("4")).evs
    assert words("T6", "T") == "The chart says hit too."
    assert words("T2", "4") == (
        "The chart has one answer for every hard 12 against 4 from a full shoe: stand. Here, for these very cards, "
        f"hitting is better by {evs[Action.HIT] - evs[Action.STAND]:.4f}.")
    assert "with the cards seen gone, standing is better" in words("T6", "T", "5" * 12)
    assert words("777", "6") == "21 stands by itself."


def test_it_leads_on(client):
    root = parse(client.get(url_of("shoe-h17", "88", "A", "TT")).text)
    links = [link.attributes["href"] for link in root.one("ul", "links").all("a")]
    assert links == ["/charts/shoe-h17/p8/A", "/?rules=shoe-h17&mode=focus&rows=p8&upcards=A",
                     "/insurance?rules=shoe-h17&tens=2&others=3"]
    shown = signed(insurance_ev(rules_for("shoe-h17"), parse_cards("A 88 TT")))
    assert f"Insurance here: {shown} a unit" in root.text
    assert shown in parse(client.get(links[2]).text).one("p", "notice").text
    for link in links:
        assert client.get(link).status_code == 200


@pytest.mark.parametrize(("given", "there"), [
    ("/hands/a%207/6?rules=classic", "/hands/A7/6?rules=classic"),
    ("/hands/10-6/10?rules=classic", "/hands/T6/T?rules=classic"),
    ("/hands/As7d/6h?rules=classic&seen=5s,10", "/hands/A7/6?rules=classic&seen=5T"),
    ("/hands/A7/6?rules=classic&seen=&x=1", "/hands/A7/6?rules=classic"),
    ("/hands?rules=classic&cards=k+Q&upcard=6&seen=", "/hands/KQ/6?rules=classic"),
    ("/hands?rules=classic&cards=A&upcard=&seen=&add=7", "/hands?rules=classic&cards=A7"),
    ("/hands?rules=classic&cards=A7&upcard=&seen=55&up=6", "/hands/A7/6?rules=classic&seen=55"),
    ("/hands?rules=classic&cards=A7&upcard=5&seen=5&up=6", "/hands/A7/6?rules=classic&seen=5"),
    ("/hands?rules=classic&cards=A7&upcard=6&seen=5&see=T", "/hands/A7/6?rules=classic&seen=5T"),
    ("/hands?rules=classic&cards=&upcard=&seen=", "/hands?rules=classic"),
])
def test_a_hand_has_one_address(client, given, there):
    response = client.get(given)
    assert (response.status_code, response.location) == (303, there)
    assert client.get(there).status_code == 200


def test_by_htmx_the_part_comes_at_once_with_its_address(client):
    response = client.get("/hands?rules=classic&cards=A7&upcard=&seen=&up=6", headers=HTMX)
    assert (response.status_code, is_page(response)) == (200, False)
    assert response.headers["HX-Push-Url"] == "/hands/A7/6?rules=classic"
    assert response.headers["HX-Reswap"] == "outerHTML show:top"
    root = parse(response.text)
    assert root.one(id="calculator").one(id="result").text == root.one(id="live").text
    response = client.get("/hands?rules=classic&cards=&upcard=&seen=&add=A", headers=HTMX)
    assert "HX-Reswap" not in response.headers
    assert parse(response.text).one(id="live").text == "One card more at least."


@pytest.mark.parametrize(("query", "missing"), [
    ("", "Choose your cards: press them, or type them."), ("cards=A", "One card more at least."),
    ("cards=A7", "Now the dealer’s upcard."), ("upcard=6", "Choose your cards: press them, or type them."),
])
def test_what_is_missing_is_said(client, query, missing):
    response = client.get(f"/hands?rules=classic&{query}".removesuffix("&"))
    assert response.status_code == 200
    assert parse(response.text).one("p", "notice").text == missing


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
@pytest.mark.parametrize(("path", "field", "words"), [
    ("/hands/AAAAA/6?rules=squarescores", "cards", "The deck holds 4 cards of rank A, and 5 are named."),
    ("/hands/AAAA/A?rules=squarescores", "cards", "The deck holds 4 cards of rank A, and 5 are named."),
    ("/hands/T95/6?rules=classic", "cards", "T-9-5 is bust: it totals 24."),
    ("/hands/AK/6?rules=classic", "cards",
     "An ace and a ten are a natural, which has no move; Insurance prices even money."),
    ("/hands/zzz/6?rules=classic", "cards", "'zzz' is no card"),
    ("/hands/A7/66?rules=classic", "upcard", "'66' is not one card"),
    ("/hands/A7/6?rules=classic&seen=zzz", "seen", "'zzz' is no card"),
    ("/hands?rules=squarescores&cards=A7&upcard=6&seen=2233445566778899TTTT", "seen", "Only 29 cards would be left"),
    ("/hands?rules=classic&cards=T9&upcard=&seen=&add=5", "cards", "T-9-5 is bust"),
])
def test_what_cannot_be_is_said_at_its_field(client, path, field, words, headers):
    response = client.get(path, headers=headers)
    assert response.status_code == 422
    assert is_page(response) == (not headers)
    root = parse(response.text)
    (wrong,) = root.all("input", aria_invalid="true")
    assert wrong.attributes["name"] == field
    said = root.one(id=f"{field}-error")
    assert words in said.text
    assert f"{field}-error" in wrong.attributes["aria-describedby"].split()
    assert root.all("table", "evs") == []


def test_what_was_typed_stays_in_the_fields(client):
    root = parse(client.get("/hands?rules=classic&cards=T+9+5&upcard=6&seen=A%22%3E").text)
    values = {field.attributes["name"]: field.attributes["value"] for field in root.all("input", type="text")}
    assert values == {"cards": "T 9 5", "upcard": "6", "seen": 'A">'}


def test_without_javascript_every_card_is_a_button_of_the_form(client):
    form = parse(client.get("/hands?rules=classic").text).one("form", "sheet")
    assert (form.attributes["method"], form.attributes["action"]) == ("get", "/hands")
    ranks = ["A", *"23456789", "T"]
    for name in ("add", "up", "see"):
        assert [button.attributes["value"] for button in form.all("button", name=name)] == ranks
    first = form.all("button")[0]
    assert "name" not in first.attributes  # Enter in a field presses the first one


def test_the_rules_in_use_can_be_chosen_again(client):
    key = canonical_key(KEYS[-1])
    select = parse(client.get(url_of(key, "A7", "6")).text).one("select", id="rules")
    (chosen,) = [option for option in select.all("option") if "selected" in option.attributes]
    assert chosen.attributes["value"] == key


def test_the_visitors_own_rules_come_first(client):
    client.post("/settings", data={"rules": "classic", "grading": "chart", "bet_unit": "10", "theme": "system"})
    assert client.get("/hands/A7/6").location == "/hands/A7/6?rules=classic"
    assert client.get("/insurance").location == "/insurance?rules=classic"
