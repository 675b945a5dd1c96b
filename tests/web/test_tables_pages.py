"""The pages of the tables: by plain forms and by htmx, and what is refused."""

import json
import re

import pytest

from tests.web.pages import HTMX, Clock, count, is_page, parse, rows, table_of, ways_on
from tests.web.tables import Player, cards_of, lay_shoes
from trainer.engine.rule_key import canonical_key
from trainer.table.spec import TABLES


@pytest.fixture
def dice(app):
    return lay_shoes(app)


@pytest.fixture
def player(client, dice):
    assert dice
    return Player(client).sit()


def kept(instance):
    return [rows(instance, f"SELECT * FROM {table}") for table in ("table_purses", "table_seats", "table_rounds",
                                                                   "decisions", "tallies")]


def test_the_choice_of_tables_names_every_table(client):
    page = parse(client.get("/tables").text)
    links = [link.attributes["href"] for link in page.one("ul", "tables").all("a")]
    assert links == [f"/tables/{key}" for key in TABLES]
    assert "Opens from 100,000 debens" in page.text
    for link in links:
        assert client.get(link).status_code == 200


def test_a_saved_rule_set_has_a_table_under_its_own_name(client):
    key = canonical_key("decks~2.surrender~early")
    client.post(f"/rules/{key}/save", data={"name": "Two decks at home"})
    link = parse(client.get("/tables").text).one("ul", "tables").all("a")[-1]
    assert (link.text, link.attributes["href"]) == ("Two decks at home", f"/tables/{key}")
    assert parse(client.get(f"/tables/{key}").text).one("h1").text == "Two decks at home"
    assert "Two decks at home" in parse(Player(client, key).sit().get().text).one("div", "strip").text


def test_large_chips_are_short_on_the_chip_and_in_full_by_name(client):
    chips = Player(client, "priests").sit().page().one("div", "chips").all("button", name="chip")
    assert [(chip.attributes.get("aria-label"), chip.text) for chip in chips] == [
        ("Add 1,000", "+1,000 1"), ("Add 5,000", "+5,000 2"), ("Add 10,000", "+10K 3"), ("Add 50,000", "+50K 4"),
        (None, "Clear C")]


def test_a_round_by_plain_forms(player, dice):
    dice.lay("9 6 7 T 5")
    assert player.bet("50").location == "/tables/openseat"
    page = player.page()
    assert cards_of(page)[1] == "hole card, face down"
    assert page.one(id="asked").text == "Your move: 16"
    assert page.one(id="stack").text == "950"
    assert player.say("stand").status_code == 303
    page = player.page()
    assert page.one(id="asked").text == "You lost 50 chips"
    assert table_of(page.one("table", "hands")) == [["9-7", "50", "\N{MINUS SIGN}50", "21 beats 16"]]
    assert "Right: stand" in page.one("ol", "marks").text
    assert page.one("input", name="bet").attributes["value"] == "50"


def test_a_round_by_htmx(player, dice):
    dice.lay("A 6 6 T 3 5")
    response = player.bet("10", headers=HTMX)
    assert not is_page(response)
    part = parse(response.text)
    assert part.one(id="asked").text == "Your move: 7 / 17"
    assert "autofocus" in part.one(id="asked").attributes
    spoken = part.one(id="live").text
    assert spoken.count("ace") == 1
    assert spoken.startswith("You: ace of")
    part = parse(player.say("hit", headers=HTMX).text)
    assert part.one("div", "verdict").one("h3").text == "Double, not hit"
    assert part.one(id="live").text.startswith("Double, not hit. You hit: three of")


def test_verdicts_after_the_round_wait_for_it(player, dice):
    dice.lay("2 6 3 T 4 9")
    player.post("options", verdicts="round")
    player.bet("10")
    player.say("hit")
    page = player.page()
    assert (page.all("div", "verdict"), page.all("ol", "marks")) == ([], [])
    player.say("stand")
    assert len(player.page().one("ol", "marks").all("li")) == 2


def test_a_hint_shows_the_charts_move_and_every_worth(player, dice, instance):
    dice.lay("T 6 2 T")
    player.bet("10")
    assert player.page().all("div", "hint") == []
    player.post("options", hint="yes", verdicts="decision")
    hint = player.page().one("div", "hint")
    assert hint.one("h3").text == "The chart says: stand"
    assert [row.one("th").text for row in hint.one("table", "evs").one("tbody").all("tr")] == ["Stand", "Hit", "Double"]
    player.say("hit")
    assert rows(instance, "SELECT is_hinted, is_mistake, mode FROM decisions") == [(1, 0, "table")]


@pytest.mark.parametrize("headers", [None, HTMX], ids=["plain", "htmx"])
@pytest.mark.parametrize("amount", ["0", "-1", "2.5", "1e9", "", "15", "510", "9" * 30, "ten", "10 10"])
def test_what_is_no_bet_is_said_and_changes_nothing(player, instance, amount, headers):
    before = kept(instance)
    response = player.bet(amount, headers=headers)
    assert response.status_code == 422
    assert is_page(response) == (headers is None)
    page = parse(response.text)
    assert page.one(id="refused").text.endswith("Nothing was changed.")
    assert page.one("input", name="bet").attributes["aria-describedby"] == "refused"
    assert kept(instance) == before


@pytest.mark.parametrize("fields", [{}, {"bet": ["10", "10"]}, {"bet": "10", "number": "x"},
                                    {"bet": "10", "step": "-1"}, {"bet": "10", "number": "1" * 30},
                                    {"chip": "10", "bet": "x"}, {"chip": "-5"}])
def test_broken_forms_bet_nothing(player, instance, fields):
    before = kept(instance)
    response = player.post("bet", **({"number": "0", "step": "0"} | fields))
    assert response.status_code in (303, 422)
    assert response.status_code == 422 or "bet=" not in response.location
    assert kept(instance) == before


@pytest.mark.parametrize("fields", [{"action": "split"}, {"action": "insure"}, {"action": ""}, {"action": "nonsense"},
                                    {"action": "hit", "box": "4"}, {"action": "hit", "box": "x"}, {"action": "bet"},
                                    {"action": "insure", "amount": "x"}, {}, {"action": "hit", "step": "99"}])
def test_what_is_no_answer_is_said_and_changes_nothing(player, dice, instance, fields):
    dice.lay("T 6 2 T")
    player.bet("10")
    before = kept(instance)
    response = player.post("answer", **(player.asked() | fields))
    assert response.status_code in (303, 422)  # an answer to a question yet to come is as stale as an old one
    assert kept(instance) == before


@pytest.mark.parametrize("what", ["open", "bet", "answer", "options"])
def test_what_is_refused_leaves_the_table_where_it_is(player, what):
    response = player.post(what, HTMX, number="x", step="x", verdicts="never")
    assert response.status_code == 422
    part = parse(response.text)
    assert part.one("div", id="hand").one(id="refused").text


def test_chips_add_up_before_anything_is_bet(player, instance):
    before = kept(instance)
    response = player.post("bet", **player.asked(), bet="60", chip="100")
    assert response.location == "/tables/openseat?bet=160"
    page = parse(player.client.get(response.location).text)
    assert page.one("input", name="bet").attributes["value"] == "160"
    part = parse(player.post("bet", HTMX, **player.asked(), bet="160", chip="0").text)
    assert part.one("input", name="bet").attributes["value"] == "0"
    assert "autofocus" not in part.one(id="asked").attributes
    assert kept(instance) == before


def test_the_same_answer_twice_is_one(player, dice, instance):
    dice.lay("2 6 3 T 2 2 2")
    player.bet("10")
    asked = player.asked()
    for _ in range(3):
        assert player.post("answer", **asked, action="hit").status_code == 303
    assert count(instance, "decisions") == 1


def test_two_tabs_see_one_table(player, dice):
    dice.lay("2 6 3 T 2 2 2")
    player.bet("10")
    other = Player(player.client)
    player.say("hit")
    assert cards_of(other.page()) == cards_of(player.page())


def test_what_lies_face_down_is_in_nothing_that_is_sent(player, dice):
    dice.lay("T 6 2 Kc 9h")
    responses = [player.bet("10"), player.get(), player.get(headers=HTMX), player.post("options", hint="yes")]
    responses += [player.get(), player.post("bet", HTMX, **player.asked(), bet="5")]
    for response in responses:
        sent = response.text + json.dumps(list(response.headers))
        # Not within a longer word: random tokens hold any two letters.
        assert re.findall(r"(?<![\w-])(?:king of|Kc|9h|nine of)(?![\w-])", sent) == []
    assert "king of" in parse(player.say("hit", headers=HTMX).text).one("section", "felt").text + player.get().text


def test_a_stranger_has_no_seat_and_cannot_touch_it(player, dice, other_client, app, instance):
    dice.lay("T 6 2 T")
    player.bet("10")
    asked, before = player.asked(), kept(instance)
    for client in (other_client, app.test_client()):
        stranger = Player(client)
        assert "Sit down" in stranger.get().text
        for what, fields in (("bet", {"bet": "10"}), ("answer", {"action": "hit"}), ("leave", {}), ("open", {}),
                             ("options", {"hint": "yes"})):
            for headers in (None, HTMX):
                response = stranger.post(what, headers, **asked, **fields)
                assert response.status_code == 404
                assert "/tables" in ways_on(response)
    assert kept(instance) == before


@pytest.mark.parametrize("path", ["/login", "/recover"])
def test_who_logs_in_amid_a_hand_is_told_what_becomes_of_it(player, dice, path):
    assert "in play" not in player.client.get(path).text
    dice.lay("T 6 2 T")
    player.bet("10")
    own = Player(player.client, canonical_key("decks~2.surrender~early")).sit()
    own.bet("10")
    for response in (player.client.get(path), player.client.post(path, data={"username": "x", "password": "y"})):
        notice = parse(response.text).one("p", "notice").text
        assert "in play: Openseat; Two decks, early surrender. Finish it first" in notice
    player.say("stand")
    assert "Openseat" not in player.client.get(path).text


def test_getting_up_and_sitting_down_again(player, dice):
    dice.lay("T 6 2 T")
    player.bet("10")
    assert player.post("leave").status_code == 422
    player.say("stand")
    assert player.post("leave").location == "/tables"
    assert "Sit down" in player.get().text
    player.sit()
    assert player.page().all("section", "sitting") == []


@pytest.mark.parametrize("fields", [{"own": "0"}, {"own": "6"}, {"own": "x"}, {"residents": "9"}, {"own": "-1"},
                                    {"own": "3", "residents": "3"}, {"place": "1e3"}])
def test_seats_that_there_are_not(client, instance, fields):
    response = Player(client, "scribes").post("sit", **fields)
    assert response.status_code == 422
    assert "Nothing was changed" in response.text
    assert count(instance, "table_seats") == 0


def test_a_table_that_is_too_dear(client):
    assert "win some more first" in client.get("/tables/pharaoh").text
    assert Player(client, "pharaoh").post("sit").status_code == 422


@pytest.mark.parametrize("key", ["nonsense", "decks~9", "x" * 500])
@pytest.mark.parametrize("what", ["", "/sit", "/bet", "/answer", "/open", "/options", "/leave"])
def test_no_such_table(client, key, what):
    response = client.post(f"/tables/{key}{what}") if what else client.get(f"/tables/{key}")
    assert response.status_code == 404
    assert client.get(ways_on(response)[0]).status_code == 200


def test_any_rule_set_has_a_table_under_one_address(client, dice):
    assert client.get("/tables/decks~6").location == "/tables/hall-of-thoth"
    player = Player(client, canonical_key("decks~1.surrender~early")).sit()
    dice.lay("T A 6 9")
    player.bet("10")
    assert player.page().one(id="asked").text in ("Take insurance?", "Surrender before the dealer looks?")
    player.say("decline")
    assert player.page().one(id="asked").text == "Surrender before the dealer looks?"
    player.say("surrender")
    assert player.page().one(id="asked").text == "You lost 5 chips"


def test_residents_play_and_are_shown(client, dice):
    player = Player(client, "scribes").sit(residents="2", place="1")
    dice.lay("8 9 T 6 8 2 9 T 3 T T T")
    player.bet("500")
    page = player.page()
    names = [box.one("h2").text for box in page.all("div", "box")]
    assert names == ["Ahmose", "You", "Meryt"]
    player.say("double")
    assert re.match("You won", player.page().one(id="asked").text)


def test_ones_own_boxes_among_residents_are_called_so(client, dice):
    player = Player(client, "scribes").sit(own="2", residents="1", place="1")
    dice.lay("8 9 T 6 8 2 8 T")
    player.bet("500", "500")
    page = player.page()
    assert [box.one("h2").text for box in page.all("div", "box")] == ["Ahmose", "Your box 1", "Your box 2"]
    assert page.one(id="asked").text == "Your box 1: 11"


def test_a_doubled_card_stays_face_down_until_the_end(client, dice):
    player = Player(client, "live-casino").sit(own="2")
    dice.lay("5 T 6 6 8 T 9 T")
    player.bet("10", "20")
    player.say("double")
    page = player.page()
    assert "doubled card, face down" in cards_of(page)
    assert "Box 2: 18" in page.text
    player.say("stand")
    assert "doubled card, face down" not in cards_of(player.page())


def test_the_verdict_on_one_boxs_insurance_waits_for_the_others(client, dice):
    player = Player(client, "live-casino").sit(own="2")
    dice.lay("T 9 A 6 8 7")
    player.bet("10", "10")
    assert player.page().one(id="asked").text == "Box 1: Take insurance?"
    player.say("insure")
    page = player.page()
    assert page.one(id="asked").text == "Box 2: Take insurance?"
    assert "No insurance was right" not in page.text
    assert not page.all("ol", "marks")
    player.say("decline")
    page = player.page()
    assert page.one(id="asked").text == "Box 1: 16"
    assert page.text.count("No insurance was right") == 1
    assert len(page.one("ol", "marks").all("li")) == 1
    assert page.text.count("What each move was worth") == 1


def test_insurance_of_a_part_of_half_the_bet(client, dice):
    player = Player(client, "live-casino").sit()
    dice.lay("T A 9 T")
    player.bet("100")
    assert "Insurance, 0.1 to 50" in player.page().text
    assert player.say("insure", amount="60").status_code == 422
    player.say("insure", amount="20")
    page = player.page()
    assert table_of(page.one("table", "hands")) == [
        ["10-9", "100", "\N{MINUS SIGN}100", "The dealer has a natural"],
        ["Insurance", "20", "+40", "The dealer has a natural: insurance pays 2 to 1"]]


def test_the_clock_runs_on_the_server(client, dice, monkeypatch):
    clock = Clock.install(monkeypatch)
    player = Player(client, "scribes").sit(clock="yes")
    dice.lay("T 6 2 T")
    player.post("open", number="0", step="0")
    assert player.page().one("dd", data_seconds="15").text == "15"
    clock.advance(seconds=16)
    assert player.page().one(id="asked").text == "You sat that one out"
    player.post("bet", number="1", step="0", bet="500")
    clock.advance(seconds=16)
    page = player.page()
    assert "Time ran out: stand" in page.one("ol", "marks").text
    assert page.one(id="asked").text.startswith("Time ran out. ")
    assert page.one(id="stack").text in ("49,500", "50,500", "50,000")


def test_a_decision_at_a_table_has_its_page(player, dice, instance):
    dice.lay("T 6 2 T")
    player.bet("10")
    player.say("hit")
    token, = rows(instance, "SELECT token FROM decisions")[0]
    page = player.client.get(f"/hand/{token}")
    assert page.status_code == 200
    assert "with no other cards in view" in page.text
    listed = parse(player.client.get("/mistakes").text).one("table", "hands").text
    assert "Table" in listed
    drilled = player.client.get("/?mode=mistakes&rules=openseat", follow_redirects=True)
    assert parse(drilled.text).one("p", "total").text == "12"


def test_figures_tell_decisions_from_luck(player, dice):
    for _ in range(3):
        dice.lay("T 6 2 T 9")
        player.bet("100")
        player.say("hit")
    section = player.page().one("section", "sitting")
    names = [term.text for term in section.all("dt")]
    assert names == ["hands", "result", "expected", "EV given up", "luck", "biggest stack ever", "refills"]
    assert len(section.all("polyline")) == 2
