"""The drill page: what a question shows and does not show, and how it is answered, once."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from threading import Barrier

import pytest

from tests.web.pages import (
    HTMX,
    MOVES,
    START,
    Clock,
    answer,
    count,
    hand_of,
    heading_of,
    is_page,
    is_question,
    judgement_of,
    moves_of,
    parse,
    put_hand,
    rows,
    strip_of,
    token_of,
    verdict_of,
    visitor_of,
    ways_on,
)
from trainer.drill.situation import UnseenCards
from trainer.engine.presets import RULE_SETS

ROOT = Path(__file__).resolve().parents[2]
IN_COOKIE = {"_permanent", "visitor", "plan", "next", "return_to", "csrf_token", "_flashes"}
MODES = ("mixed", "focus&focus=hard", "focus&focus=soft", "focus&focus=pair", "multi-card", "close-calls", "insurance")
UNREAL = [
    {"Sec-Purpose": "prefetch"}, {"Sec-Purpose": "prefetch;prerender"}, {"Purpose": "prefetch"},
    {"User-Agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"},
    {"User-Agent": "Mozilla/5.0 (compatible; Baiduspider/2.0)"}, {"User-Agent": "SomeCrawler"},
]
NO_MOVES = [
    {"data": {"action": "split"}},
    {"data": {"action": "split"}, "headers": HTMX},
    {"data": {"action": "surrender"}},
    {"data": {"action": "insure"}, "headers": HTMX},
    {"data": {"action": "STAND"}},
    {"data": {"action": "stand "}},
    {"data": {"action": "no such move"}},
    {"data": {"action": ""}},
    {"data": {}},
    {"data": {}, "headers": HTMX},
    {"data": {"move": "stand"}},
    {"data": {"action[]": "stand"}},
    {"json": {"action": "stand"}},
    {"json": {"action": "split"}, "headers": HTMX},
    {"json": ["stand"]},
    {"data": "action=stand", "content_type": "text/plain"},
    {"data": b"\x00\xff", "content_type": "application/octet-stream"},
    {"data": "--x", "content_type": "multipart/form-data"},
    {"query_string": {"action": "stand"}},
    {"query_string": {"action": "split"}, "data": {"action": "surrender"}},
]


# A question


def test_the_first_visit_deals_a_hand_and_makes_no_user(client, instance):
    response = client.get("/")
    assert response.status_code == 200
    assert is_question(response)
    assert [count(instance, table) for table in ("questions", "users", "decisions")] == [1, 0, 0]
    cookie = response.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Expires=" in cookie


def test_a_reload_shows_the_same_open_hand(client, instance):
    first = client.get("/")
    again = client.get("/")
    assert token_of(first) == token_of(again)
    assert count(instance, "questions") == 1
    own = client.get(f"/hand/{token_of(first)}")
    assert (token_of(own), moves_of(own)) == (token_of(first), moves_of(first))


@pytest.mark.parametrize("path", ["/", "/?mode=focus&focus=pair", "/?mode=insurance&rules=hall-of-thoth"])
def test_a_prefetch_or_a_robot_is_dealt_nothing(client, instance, path):
    for headers in UNREAL:
        response = client.get(path, headers=headers)
        assert response.status_code == 200
        assert not is_question(response), headers
        assert ways_on(response)
        assert "Set-Cookie" not in response.headers
    assert count(instance, "questions") == 0


def test_head_deals_nothing(client, instance):
    for path in ("/", "/?mode=insurance", "/?mode=mistakes"):
        response = client.head(path)
        assert (response.status_code, response.text) == (200, "")
        assert "Set-Cookie" not in response.headers
    assert count(instance, "questions") == 0


@pytest.mark.parametrize(("cards", "upcard", "rules_key", "shown"), [
    ("As6h", "9d", "hall-of-thoth", ["7 / 17 soft", "Soft hand", "Six decks", "double after split", "hole"]),
    ("TsQh", "9d", "hall-of-thoth", ["20", "Pair", "hole"]),
    ("TsQh", "9d", "squarescores", ["20", "Hard hand", "One deck", "hole"]),
    ("8s8h", "Ad", "classic", ["16", "Pair", "no hole card", "double 9 to 11", "no double after split"]),
    ("Ts6h", "Td", "shoe-h17", ["16", "Hard hand", "dealer hits soft 17", "late surrender", "hole"]),
    ("2s2h3d4c", "Td", "live-casino", ["11", "Hard hand", "hole"]),
])
def test_a_question_shows_cards_total_category_and_rules(app, client, cards, upcard, rules_key, shown):
    response = client.get(f"/hand/{put_hand(app, client, cards, upcard, rules_key)}")
    root = parse(response.text)
    you, dealer = root.all("div", "seat")[1], root.all("div", "seat")[0]
    assert len(you.all("span", "card")) == len(cards) // 2
    assert len(dealer.all("span", "card")) == (2 if RULE_SETS[rules_key].hole_card == "peek" else 1)
    assert bool(dealer.all("span", "back")) == ("hole" in shown)
    assert you.one("p", "total").text == shown[0]
    text = f"{root.one(id='asked').text} {root.one('p', 'rules-line').text}"
    assert [each for each in shown[1:] if each not in text and each != "hole"] == []


def test_cards_are_named_for_those_who_do_not_see_them(app, client):
    root = parse(client.get(f"/hand/{put_hand(app, client, 'ThQs', '9d')}").text)
    names = [card.attributes["aria-label"] for card in root.all("span", "card")]
    assert names == ["nine of diamonds", "hole card, face down", "ten of hearts", "queen of spades"]
    assert root.one("p", "spoken").text == (
        "Dealer shows nine of diamonds. You have ten of hearts, queen of spades: hard 20.")


@pytest.mark.parametrize("natural", [False, True])
def test_insurance_shows_what_is_left_of_the_shoe(app, client, natural):
    cards = "AsKh" if natural else "9sKh"
    token = put_hand(app, client, cards, "Ad", unseen=UnseenCards(50, 140))
    root = parse(client.get(f"/hand/{token}").text)
    assert "50 tens in 140 unseen cards" in root.one("p", "rules-line").text
    labels = [button.text.split()[:2] for button in root.all("button", "move")]
    assert labels == ([["Even", "money"], ["Decline", "N"]] if natural else [["Insurance", "I"], ["No", "insurance"]])
    assert "Show the chart" not in root.text


@pytest.mark.parametrize("key", RULE_SETS)
def test_a_question_shows_the_legal_moves_alike_and_nothing_of_the_answer(app, client, key):
    modes = [mode for mode in MODES if mode != "insurance" or RULE_SETS[key].insurance != "none"]
    for mode, seed, headers in product(modes, ("one", "two"), ({}, HTMX)):
        path = f"/?rules={key}&mode={mode}&seed={seed}"
        response = client.get(path, headers=headers)
        token = token_of(response)
        situation = hand_of(app, client, token).situation
        judgement = judgement_of(app, situation)
        assert moves_of(response) == [move for move in MOVES if move in judgement.evs]
        looks = {tuple(button.attributes.get(name) for name in ("class", "name", "type", "aria-label", "title"))
                 for button in parse(response.text).all("button", name="action")}
        assert looks == {("move", "action", None, None, None)}
        with client.session_transaction() as session:
            cookie = json.dumps(dict(session))
            assert set(session) <= IN_COOKIE
        told = f"{response.text}\n{response.headers}\n{cookie}".replace(token, "")
        assert [ev for ev in judgement.evs.values() if f"{abs(ev):.4f}" in told or repr(ev) in told] == [], path
        assert [word for word in ("chart_move", "exact", "code-", "ev_cost", "best-", "data-advance", "verdict", "evs")
                if word in told] == [], path


def test_questions_with_the_same_moves_differ_in_nothing_but_their_cards(app, client):
    shapes = set()
    for cards, upcard in (("Ts6h", "6d"), ("Ts6h", "9d"), ("Ts2h", "4d"), ("9s2h", "6d"), ("Ts8h", "6d")):
        root = parse(client.get(f"/hand/{put_hand(app, client, cards, upcard)}").text)
        main = root.one("main")
        varying = {id(node) for seat in main.all("div", "seat") for node in (seat, *seat.walk())} | {
            id(node) for node in main.all("p", "spoken")}
        shapes.add(tuple(
            (node.tag, tuple((name, value) for name, value in node.attributes.items() if "/hand/" not in value),
             "".join(child for child in node.children if isinstance(child, str)))
            for node in main.walk() if id(node) not in varying and node.attributes.get("name") != "csrf_token"
        ))
    assert len(shapes) == 1


@pytest.mark.parametrize("key", RULE_SETS)
def test_surrender_is_offered_where_the_rules_have_it(app, client, instance, key):
    token = put_hand(app, client, "Ts6h", "Td", key)
    has_it = RULE_SETS[key].surrender != "none"
    assert has_it == (key == "shoe-h17")
    assert ("surrender" in moves_of(client.get(f"/hand/{token}"))) == has_it
    assert answer(client, token, "surrender").status_code == (303 if has_it else 422)
    assert count(instance, "decisions") == has_it
    three = put_hand(app, client, "Ts4h2d", "Td", key)
    assert moves_of(client.get(f"/hand/{three}")) == ["hit", "stand"]
    assert answer(client, three, "surrender").status_code == 422


# An answer


def test_a_plain_answer_leads_to_the_hands_own_address(app, client):
    token = put_hand(app, client, "Ts6h", "6d")
    response = answer(client, token, "stand")
    assert (response.status_code, response.location) == (303, f"/hand/{token}")
    verdict = client.get(response.location)
    assert is_page(verdict)
    assert heading_of(verdict) == "Right: stand"
    assert not is_question(verdict)


def test_a_move_that_is_none_is_refused_and_nothing_is_stored(app, client, instance):
    token = put_hand(app, client, "Ts6h", "6d")
    for sent in NO_MOVES:
        response = client.post(f"/hand/{token}", **sent)
        assert response.status_code == 422, sent
        assert is_page(response) == ("headers" not in sent)
        assert parse(response.text).one(role="alert").text
        assert token_of(response) == token
    assert [count(instance, table) for table in ("questions", "decisions", "users", "tallies")] == [1, 0, 0, 0]
    assert answer(client, token, "stand").status_code == 303


def test_a_refused_move_is_named_with_those_that_are_allowed(app, client):
    token = put_hand(app, client, "Ts6h", "6d")
    told = parse(answer(client, token, "split").text).one(role="alert").text
    assert told == "Not recorded: 'split' is not allowed on this hand; the moves are stand, hit, double."
    assert parse(answer(client, token, "").text).one(role="alert").text == "Choose a move first."


def test_a_refused_move_stores_nothing_even_with_a_time_zone(app, client, instance):
    token = put_hand(app, client, "Ts6h", "6d")
    response = client.post(f"/hand/{token}", data={"action": "split", "time_zone": "Asia/Tokyo"})
    assert response.status_code == 422
    assert count(instance, "users") == 0


def test_a_time_zone_sent_to_no_hand_stores_nothing(client, instance):
    client.get("/")
    response = client.post(f"/hand/{'A' * 22}", data={"action": "stand", "time_zone": "Asia/Tokyo"})
    assert response.status_code == 404
    assert count(instance, "users") == 0


def test_the_time_zone_that_the_browser_tells_decides_the_day(app, client, instance, monkeypatch):
    Clock.install(monkeypatch).time = START.replace(hour=20)
    token = put_hand(app, client, "Ts6h", "6d", at=START)
    client.post(f"/hand/{token}", data={"action": "stand", "time_zone": "Asia/Tokyo"})
    other = put_hand(app, client, "Ts6h", "6d", at=START)
    client.post(f"/hand/{other}", data={"action": "stand", "time_zone": "No/Where"})
    assert rows(instance, "SELECT day FROM decisions") == [("2031-03-05",), ("2031-03-05",)]


# One answer to a hand


def test_a_second_answer_returns_the_first_verdict(app, client, instance):
    token = put_hand(app, client, "8s8h", "9d")
    first, second = (answer(client, token, move, headers=HTMX) for move in ("stand", "split"))
    assert verdict_of(first) == verdict_of(second) == verdict_of(client.get(f"/hand/{token}"))
    assert heading_of(first) == "Split, not stand"
    assert strip_of(first) == strip_of(second)
    assert count(instance, "decisions") == 1


@pytest.mark.parametrize("move", ["surrender", "", "nonsense", None])
def test_a_second_answer_that_is_no_move_returns_the_first_verdict_too(app, client, instance, move):
    token = put_hand(app, client, "8s8h", "9d")
    first = answer(client, token, "split", headers=HTMX)
    second = client.post(f"/hand/{token}", data={"action": move} if move is not None else {}, headers=HTMX)
    assert second.status_code == 200
    assert verdict_of(first) == verdict_of(second)
    assert count(instance, "decisions") == 1


def test_two_browsers_with_one_cookie_get_one_verdict(app, client, instance):
    token = put_hand(app, client, "8s8h", "9d")
    twin = twin_of(app, client)
    assert is_question(twin.get(f"/hand/{token}"))
    first, second = answer(client, token, "split", headers=HTMX), answer(twin, token, "hit", headers=HTMX)
    assert verdict_of(first) == verdict_of(second)
    assert count(instance, "decisions") == 1


def test_two_threads_get_one_verdict(app, client, instance):
    barrier = Barrier(4)
    visitor_of(client)
    twins = [twin_of(app, client) for _ in range(4)]

    def press(twin, token, move):
        barrier.wait(timeout=30)
        return answer(twin, token, move, headers=HTMX)

    with ThreadPoolExecutor(4) as pool:
        for dealt in range(1, 9):
            token = put_hand(app, client, "8s8h", "9d")
            answers = list(pool.map(press, twins, [token] * 4, ["split", "hit", "stand", "double"]))
            assert [each.status_code for each in answers] == [200] * 4
            assert len({repr(verdict_of(each)) for each in answers}) == 1
            assert count(instance, "decisions") == dealt
    assert rows(instance, "SELECT sum(decisions) FROM tallies WHERE scope = 3") == [(8,)]


def test_two_processes_get_one_verdict(app, client, instance):
    script = (
        "import sys\n"
        "from app import create_app\n"
        "from pathlib import Path\n"
        "from tests.web.pages import HTMX, answer, verdict_of\n"
        "from trainer.config import Settings\n"
        "instance, cookie, token, move = sys.argv[1:]\n"
        "app = create_app({'SETTINGS': Settings(Path(instance), secret_key='test'), 'WTF_CSRF_ENABLED': False})\n"
        "client = app.test_client()\n"
        "client.set_cookie('session', cookie)\n"
        "client.get(f'/hand/{token}')\n"
        "print('ready', flush=True)\n"
        "sys.stdin.readline()\n"
        "print(verdict_of(answer(client, token, move, headers=HTMX)))\n"
    )
    token = put_hand(app, client, "8s8h", "9d")
    arguments = [sys.executable, "-c", script, str(instance), client.get_cookie("session").value, token]
    processes = [subprocess.Popen([*arguments, move], cwd=ROOT, text=True, stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE) for move in ("split", "hit")]
    assert [process.stdout.readline() for process in processes] == ["ready\n"] * 2
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    ended = [process.communicate(timeout=60) for process in processes]
    assert len({told for told, _ in ended}) == 1, ended
    assert ended[0][0].strip() == repr(verdict_of(client.get(f"/hand/{token}")))
    assert count(instance, "decisions") == 1


def test_back_shows_the_verdict_and_not_the_question(client):
    question = client.get("/?mode=mixed&seed=back")
    assert question.headers["Cache-Control"] == "no-store"
    token = token_of(question)
    answer(client, token, moves_of(question)[0])
    assert not is_question(client.get(f"/hand/{token}"))
    following = client.get("/?mode=mixed&seed=back")
    assert token_of(following) != token


def test_the_hand_on_the_screen_is_graded_after_the_mode_was_switched_elsewhere(app, client):
    token = token_of(client.get("/?rules=squarescores&mode=focus&focus=pair&seed=tabs"))
    asked = hand_of(app, client, token).situation
    client.get("/?rules=shoe-h17&mode=insurance")
    verdict = answer(client, token, "split", headers=HTMX)
    assert verdict.status_code == 200
    stored = hand_of(app, client, token)
    assert stored.situation == asked
    assert (stored.mode, stored.situation.rules) == ("focus", RULE_SETS["squarescores"])
    next_url = parse(verdict.text).one("p", "next").one("a").attributes["href"]
    assert next_url == "/?rules=squarescores&mode=focus&focus=pair&seed=tabs"
    assert client.get("/").location.startswith("/?rules=shoe-h17&mode=insurance")


def twin_of(app, client):
    twin = app.test_client()
    twin.set_cookie("session", client.get_cookie("session").value)
    return twin
