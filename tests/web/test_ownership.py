"""Every route as the owner of a hand, as another visitor and as nobody, plain and by htmx.

All of it with guests and again with accounts: owner and other are registered then, and a guest is among those who
try. What belongs to accounts alone stands in a table of its own.
"""

import shutil
import sqlite3
from contextlib import closing

import pytest

from app import create_app
from tests.time_savers import CHEAP_METHOD
from tests.web.conftest import prepare
from tests.web.pages import (
    HTMX,
    NOBODYS_HAND,
    answer,
    count,
    heading_of,
    is_page,
    parse,
    put_hand,
    visitor_of,
    ways_on,
)
from tests.web.settled import PASSWORDS, PLAYED, settle_accounts, settle_guests
from trainer.config import Settings

OPEN, ANSWERED, ENDED, SAVED, TABLE = "{open}", "{answered}", "{ended}", "{saved}", "{table}"
SETTINGS = {"rules": "classic", "grading": "chart", "bet_unit": "5", "theme": "dark"}
FORMS = {"/settings": SETTINGS, "/start": {"rules": "hall-of-thoth", "mode": "streak"}}
PLAN = "/?rules=hall-of-thoth&mode=mixed"
MIX = "/?rules=hall-of-thoth&mode=default-mix"
FILL = "/fill?rules=hall-of-thoth&section=soft"
STREAK = "/?rules=hall-of-thoth&mode=streak"

# What is answered: the status, then "page", "part" or where it leads. For the owner, another visitor and nobody;
# where only two are given, the second is for both of the latter.
PLAIN_AND_HTMX = [
    ("GET", "/", ["200 page"] * 3, ["200 part"] * 3),
    ("GET", "/?mode=focus&focus=soft&seed=1", ["200 page"] * 3, ["200 part"] * 3),
    ("GET", f"/hand/{OPEN}", ["200 page", "404 page"], ["200 part", "404 part"]),
    ("GET", f"/hand/{ANSWERED}", ["200 page", "404 page"], ["200 part", "404 part"]),
    ("GET", f"/hand/{NOBODYS_HAND}", ["404 page"] * 3, ["404 part"] * 3),
    ("POST", f"/hand/{OPEN}", [f"303 /hand/{OPEN}", "404 page"], ["200 part", "404 part"]),
    ("POST", f"/hand/{ANSWERED}", [f"303 /hand/{ANSWERED}", "404 page"], ["200 part", "404 part"]),
    ("POST", f"/hand/{NOBODYS_HAND}", ["404 page"] * 3, ["404 part"] * 3),
    ("POST", f"/hand/{OPEN}/hint", [f"303 /hand/{OPEN}", "404 page"], ["200 part", "404 part"]),
    ("POST", f"/hand/{ANSWERED}/hint", [f"303 /hand/{ANSWERED}", "404 page"], ["200 part", "404 part"]),
    ("POST", f"/hand/{OPEN}/skip", [f"303 {PLAN}", "404 page"], ["200 part", "404 part"]),
    ("POST", f"/hand/{ANSWERED}/skip", [f"303 {PLAN}", "404 page"], ["200 part", "404 part"]),
    ("POST", "/finish", [f"303 {MIX}"] * 3, [f"204 {MIX}"] * 3),
    ("POST", "/start", [f"303 {STREAK}"] * 3, [f"204 {STREAK}"] * 3),
    ("GET", "/?mode=fill-the-chart&focus=soft", [f"303 {FILL}"] * 3, [f"204 {FILL}"] * 3),
    ("GET", "/fill?rules=classic", ["200 page"] * 3, ["200 page"] * 3),
    ("GET", "/fill?rules=classic&section=nonsense", ["400 page"] * 3, ["400 part"] * 3),
    ("POST", "/fill?rules=classic", ["200 page"] * 3, ["200 page"] * 3),
    ("GET", PLAYED, ["200 page"] * 3, ["200 part"] * 3),
    ("POST", "/play/next", [f"303 {PLAYED}"] * 3, ["200 part"] * 3),
    ("POST", "/play/answer", [f"303 {PLAYED}", "404 page"], ["200 part", "404 part"]),
    ("POST", "/play/options", [f"303 {PLAYED}", "404 page"], ["200 part", "404 part"]),
    ("GET", "/tables", ["200 page"] * 3, ["200 page"] * 3),
    ("GET", f"/tables/{TABLE}", ["200 page"] * 3, ["200 part", "200 page"]),
    ("GET", "/tables/nonsense", ["404 page"] * 3, ["404 part"] * 3),
    ("POST", f"/tables/{TABLE}/sit", [f"303 /tables/{TABLE}"] * 3, [f"204 /tables/{TABLE}"] * 3),
    ("POST", f"/tables/{TABLE}/open", [f"303 /tables/{TABLE}", "404 page"], ["200 part", "404 part"]),
    ("POST", f"/tables/{TABLE}/bet", [f"303 /tables/{TABLE}", "404 page"], ["200 part", "404 part"]),
    ("POST", f"/tables/{TABLE}/answer", [f"303 /tables/{TABLE}", "404 page"], ["200 part", "404 part"]),
    ("POST", f"/tables/{TABLE}/options", [f"303 /tables/{TABLE}", "404 page"], ["200 part", "404 part"]),
    ("POST", f"/tables/{TABLE}/leave", ["422 page", "404 page"], ["422 part", "404 part"]),
    ("GET", f"/sessions/{ENDED}", ["200 page", "404 page"], ["200 page", "404 part"]),
    ("GET", "/sessions/999", ["404 page"] * 3, ["404 part"] * 3),
    ("GET", "/progress", ["200 page"] * 3, ["200 part"] * 3),
    ("GET", "/mistakes", ["200 page"] * 3, ["200 part"] * 3),
    ("GET", "/charts/classic", ["200 page"] * 3, ["200 page"] * 3),
    ("GET", "/charts/classic/pick", ["200 page"] * 3, ["200 page"] * 3),
    ("GET", "/charts/classic/h16/T", ["200 page"] * 3, ["200 page"] * 3),
    ("GET", "/charts/classic/h99/T", ["404 page"] * 3, ["404 part"] * 3),
    ("GET", "/charts/decks~6/h16/T", ["303 /charts/hall-of-thoth/h16/T"] * 3, ["204 /charts/hall-of-thoth/h16/T"] * 3),
    ("GET", "/hands?rules=classic", ["200 page"] * 3, ["200 part"] * 3),
    ("GET", "/hands?rules=classic&cards=A7&upcard=6", ["303 /hands/A7/6?rules=classic"] * 3, ["200 part"] * 3),
    ("GET", "/hands?rules=classic&cards=AT", ["422 page"] * 3, ["422 part"] * 3),
    ("GET", "/hands/A7/6?rules=classic", ["200 page"] * 3, ["200 part"] * 3),
    ("GET", "/insurance?rules=classic", ["200 page"] * 3, ["200 page"] * 3),
    ("GET", "/rules", ["200 page"] * 3, ["200 page"] * 3),
    ("GET", "/rules/classic", ["200 page"] * 3, ["200 part"] * 3),
    ("GET", "/rules/classic?decks=2", ["200 page"] * 3, ["200 part"] * 3),
    ("GET", "/rules/classic?decks=99", ["422 page"] * 3, ["422 part"] * 3),
    ("GET", "/rules/nonsense", ["404 page"] * 3, ["404 part"] * 3),
    ("POST", "/rules/decks~2/save", ["303 /rules#own"] * 3, ["204 /rules#own"] * 3),
    ("POST", "/rules/classic/save", ["422 page"] * 3, ["422 part"] * 3),
    ("POST", "/rules/decks~2/default", ["303 /rules"] * 3, ["204 /rules"] * 3),
    ("POST", f"/rules/saved/{SAVED}/rename", ["303 /rules#own", "404 page"], ["204 /rules#own", "404 part"]),
    ("POST", f"/rules/saved/{SAVED}/delete", ["303 /rules#own", "404 page"], ["204 /rules#own", "404 part"]),
    ("POST", "/rules/saved/999/delete", ["404 page"] * 3, ["404 part"] * 3),
    ("GET", "/edge", ["200 page"] * 3, ["200 page"] * 3),
    ("GET", "/edge?rules=nonsense", ["404 page"] * 3, ["404 part"] * 3),
    ("GET", "/edge?bet=0", ["422 page"] * 3, ["422 page"] * 3),
    ("GET", "/edge/plays?rules=classic&bet=5&hands_per_hour=9",
     ["303 /edge?rules=classic&bet=5&hands_per_hour=9"] * 3, ["200 part"] * 3),
    ("GET", "/edge/changes?rules=classic", ["303 /edge?rules=classic&all=yes#changes"] * 3, ["200 part"] * 3),
    ("GET", "/edge/swings?rules=classic", ["303 /edge?rules=classic&all=yes#swings"] * 3, ["200 part"] * 3),
    ("GET", "/learn", ["200 page"] * 3, ["200 page"] * 3),
    ("GET", "/learn/ev", ["200 page"] * 3, ["200 page"] * 3),
    ("GET", "/learn/nonsense", ["404 page"] * 3, ["404 part"] * 3),
    ("GET", "/settings", ["200 page"] * 3, ["200 page"] * 3),
    ("POST", "/settings", ["303 /settings"] * 3, ["204 /settings"] * 3),
    ("GET", "/privacy", ["200 page"] * 3, ["200 page"] * 3),
    ("GET", "/account/export.json", ["200 part"] * 3, ["200 part"] * 3),
    ("GET", "/account/export.csv", ["200 part"] * 3, ["200 part"] * 3),
    ("GET", "/account/history/delete", ["200 page"] * 3, ["200 page"] * 3),
    ("POST", "/account/history/delete", ["303 /account"] * 3, ["204 /account"] * 3),
    ("GET", "/account/import", ["200 page"] * 3, ["200 part"] * 3),
    ("POST", "/account/import", ["422 page"] * 3, ["422 part"] * 3),
    ("POST", "/account/import/step", ["404 page"] * 3, ["404 part"] * 3),
    ("POST", "/account/import/stop", ["303 /account"] * 3, ["204 /account"] * 3),
    ("GET", "/account", ["200 page"] * 3, ["200 page"] * 3),
    ("GET", "/nowhere", ["404 page"] * 3, ["404 part"] * 3),
    ("GET", "/finish", ["405 page"] * 3, ["405 part"] * 3),
    ("DELETE", f"/hand/{OPEN}", ["405 page"] * 3, ["405 part"] * 3),
]
# With accounts: for the owner, another account, a guest and nobody; the last given is for all who follow.
TO_ACCOUNT, TO_LOGIN = "303 /account", "303 /login?next=/account"
ACCOUNTS_ONLY = [
    ("GET", "/register", ["303 /account"] * 2 + ["200 page"]),
    ("POST", "/register", ["303 /account"] * 2 + ["200 page"]),
    ("GET", "/login", ["303 /account"] * 2 + ["200 page"]),
    ("POST", "/login", ["303 /"] * 2 + ["422 page"]),
    ("GET", "/recover", ["303 /account"] * 2 + ["200 page"]),
    ("POST", "/recover", ["303 /account"] * 2 + ["422 page"]),
    ("POST", "/logout", ["303 /"]),
    ("POST", "/account/logout-everywhere", ["303 /login"] * 2 + [TO_LOGIN]),
    ("GET", "/account/password", ["200 page"] * 2 + [f"{TO_LOGIN}/password"]),
    ("POST", "/account/password", ["303 /account", "422 page", TO_LOGIN]),
    ("GET", "/account/recovery-code", ["200 page"] * 2 + [f"{TO_LOGIN}/recovery-code"]),
    ("POST", "/account/recovery-code", ["200 page", "422 page", TO_LOGIN]),
    ("GET", "/account/delete", ["200 page"] * 2 + [f"{TO_LOGIN}/delete"]),
    ("POST", "/account/delete", ["303 /", "422 page", TO_LOGIN]),
]
PEOPLE = ("owner", "other", "nobody")
CASES = [(method, path, dict(zip(PEOPLE, (*expected, expected[-1]), strict=False)), headers)
         for method, path, plain, by_htmx in PLAIN_AND_HTMX for expected, headers in ((plain, {}), (by_htmx, HTMX))]
REFUSED = [(method, path, headers) for method, path, expected, headers in CASES
           if expected["nobody"].startswith(("404", "405"))]


@pytest.fixture(scope="module")
def settled(tmp_path_factory, migrated_database, compiled_templates, strategies):
    """Guests who have done something, and the same people with accounts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("trainer.service.passwords.METHOD", CHEAP_METHOD)
        folder = tmp_path_factory.mktemp("settled")
        shutil.copy(migrated_database, folder / "trainer.db")
        app = prepare(create_app({"SETTINGS": Settings(folder, secret_key="test"), "WTF_CSRF_ENABLED": False}),
                      compiled_templates, strategies)
        guests = settle_guests(app)
        return {"guests": guests, "accounts": settle_accounts(app, guests)}


@pytest.fixture
def people(client, other_client, app):
    return {"owner": client, "other": other_client, "nobody": app.test_client()}


@pytest.fixture
def world(settled, app, people):
    """What there is of the owner's, who is a guest as all are."""
    settled["guests"].move_in(app, people)
    return settled["guests"].places


@pytest.fixture
def accounts(settled, app, world, people):
    """The same people, owner and other registered, and a guest with a hand of their own."""
    assert world == settled["accounts"].places
    everybody = {"owner": people["owner"], "other": people["other"], "guest": app.test_client(),
                 "nobody": people["nobody"]}
    settled["accounts"].move_in(app, everybody)
    return everybody


def told(response):
    """A response in the words of the table above."""
    if response.status_code in (303, 204):
        return f"{response.status_code} {response.location or response.headers['HX-Redirect']}"
    return f"{response.status_code} {'page' if is_page(response) else 'part'}"


def kept(instance):
    """Everything of the owner's, who was the first."""
    queries = (
        "SELECT * FROM users WHERE id = 1", "SELECT * FROM decisions WHERE user_id = 1",
        *(f"SELECT * FROM {table} WHERE user_id = 1" for table in (
            "tallies", "cell_memories", "runs", "goal_days", "saved_rules", "practice_sessions", "table_purses",
            "table_seats", "table_rounds")),
        "SELECT * FROM questions WHERE visitor = (SELECT visitor FROM users WHERE id = 1)",
        "SELECT * FROM accounts WHERE user_id = 1", "SELECT * FROM logins WHERE user_id = 1",
    )
    with closing(sqlite3.connect(instance / "trainer.db")) as connection:
        return [connection.execute(query).fetchall() for query in queries]


def form_of(path):
    """What is sent with a POST."""
    if path.startswith((f"/tables/{TABLE}", "/play/")):
        return {"number": "1", "step": "1", "box": "0", "action": "hit", "bet": "10", "plan": PLAYED.removeprefix("/?")}
    return FORMS.get(path, {"action": "stand", "name": "Another"})


def ask_in_turn(people, world, instance, method, path, headers):
    """What everyone gets, the owner last; what is the owner's stays as it is until then."""
    data, before, found = form_of(path) if method == "POST" else None, kept(instance), {}
    for name in reversed(people):
        found[name] = told(people[name].open(path.format(**world), method=method, headers=headers, data=data))
        assert name == "owner" or kept(instance) == before
    return found


@pytest.mark.parametrize(("method", "path", "expected", "headers"), CASES)
def test_who_gets_what(world, people, instance, method, path, expected, headers):
    found = ask_in_turn(people, world, instance, method, path, headers)
    assert found == {person: words.format(**world) for person, words in expected.items()}


@pytest.mark.parametrize(("method", "path", "expected", "headers"), CASES)
def test_who_gets_what_of_an_accounts(world, accounts, instance, method, path, expected, headers):
    found = ask_in_turn(accounts, world, instance, method, path, headers)
    expected = {**expected, "guest": expected["nobody"]}
    assert found == {person: words.format(**world) for person, words in expected.items()}


@pytest.mark.parametrize(("method", "path", "expected"), ACCOUNTS_ONLY)
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_who_may_do_what_with_an_account(accounts, instance, method, path, expected, headers):
    """All know the owner's password, and none the code: without being logged in the password alone changes nothing."""
    data = {"username": "new one", "password": PASSWORDS["owner"], "old": PASSWORDS["owner"], "code": "guess"}
    if path == "/account/password":
        data["password"] = "z9 viaduct"
    words = [*expected, *[expected[-1]] * (len(accounts) - len(expected))]
    before = kept(instance)
    for person, said in reversed(list(zip(accounts, words, strict=True))):
        sent = {**data, "username": f"new {person}"}
        response = accounts[person].open(path, method=method, headers=headers, data=sent if method == "POST" else None)
        assert told(response) == (said.replace("303", "204") if headers else said), person
        assert person == "owner" or kept(instance) == before


def test_an_account_that_does_something_to_itself_leaves_the_other_as_it_was(accounts, instance):
    before = kept(instance)
    other = accounts["other"]
    other.post("/account/history/delete")
    other.post("/account/password", data={"old": PASSWORDS["other"], "password": "z9 viaduct"})
    other.post("/account/recovery-code", data={"password": "z9 viaduct"})
    other.post("/account/logout-everywhere")
    other.post("/login", data={"username": "other", "password": "z9 viaduct"})
    other.post("/account/delete", data={"password": "z9 viaduct"})
    assert kept(instance) == before
    assert count(instance, "accounts") == 1


def test_exports_hold_nothing_of_anybody_elses(world, accounts):
    texts = {person: browser.get("/account/export.json").text + browser.get("/account/export.csv").text
             for person, browser in accounts.items()}
    assert {person for person, text in texts.items() if world["answered"] in text or world["open"] in text} == {"owner"}


def test_what_is_refused_offers_a_way_on(world, people):
    for method, path, headers in REFUSED:
        response = people["nobody"].open(path.format(**world), method=method, headers=headers)
        assert response.status_code in (400, 404, 405, 422)
        assert people["nobody"].get(ways_on(response)[0], follow_redirects=True).status_code == 200, path


def test_a_route_of_every_kind_is_in_the_table(app):
    used = set()
    adapter = app.url_map.bind("localhost")
    for method, path, *_ in (*PLAIN_AND_HTMX, *ACCOUNTS_ONLY):
        known = path.partition("?")[0].format(
            open=NOBODYS_HAND, answered=NOBODYS_HAND, ended="1", saved="1", table="openseat")
        if known != "/nowhere" and (method, path) not in {("GET", "/finish"), ("DELETE", f"/hand/{OPEN}")}:
            used.add(adapter.match(known, method)[0])
    elsewhere = {"static", "assets.htmx", "health.healthz", "charts.index", "charts.chart_csv", "charts.evs_csv"}
    assert used | elsewhere == {rule.endpoint for rule in app.url_map.iter_rules()}


@pytest.mark.parametrize("path", ["/healthz", "/static/css/base.css"])
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
@pytest.mark.usefixtures("world")
def test_what_is_no_page_is_the_same_for_all(people, path, headers):
    texts = set()
    for person in people.values():
        with person.get(path, headers=headers) as response:
            assert response.status_code == 200
            texts.add(response.text)
    assert len(texts) == 1
    assert "<html" not in texts.pop()


def test_another_visitors_pages_hold_nothing_of_the_owner(world, client, other_client):
    answer(client, world["open"], "stand")
    paths = ("/progress", "/mistakes", f"/?mode=mistakes&session={world['ended']}")
    shown = [other_client.get(path).text for path in paths]
    assert all(world[name] not in text for text in shown for name in ("open", "answered"))
    assert len(parse(shown[1]).one("table", "hands").one("tbody").all("tr")) == 1


def test_another_visitors_missed_hands_cannot_be_drilled(world, app, instance):
    stranger = app.test_client()
    answer(stranger, put_hand(app, stranger, "5s6h", "6d"), "double")
    before = count(instance, "questions")
    response = stranger.get(f"/?mode=mistakes&session={world['ended']}")
    assert response.status_code == 200
    assert "Nothing to deal here" in response.text
    assert count(instance, "questions") == before


def test_a_cookie_signed_with_another_key_is_nobodys(world, app, client):
    value = client.get_cookie("session").value
    forger = app.test_client()
    forger.set_cookie("session", value[:-10] + value[-10:].swapcase())
    assert forger.get(f"/hand/{world['open']}").status_code == 404
    thief = app.test_client()
    thief.set_cookie("session", value)
    assert thief.get(f"/hand/{world['open']}").status_code == 200


def test_a_visitors_id_cannot_be_guessed(app):
    ids = {visitor_of(app.test_client()) for _ in range(20)}
    for _ in range(20):
        client = app.test_client()
        client.get("/")
        ids.add(visitor_of(client))
    assert len(ids) == 40
    assert {len(each) for each in ids} == {32}


def test_a_stranger_cannot_answer_and_the_owner_still_can(world, client, other_client, instance):
    before = count(instance, "decisions")
    assert answer(other_client, world["open"], "split", headers=HTMX).status_code == 404
    assert count(instance, "decisions") == before
    assert heading_of(answer(client, world["open"], "split", headers=HTMX)) == "Right: split"
