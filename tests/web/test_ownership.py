"""Every route as the owner of a hand, as another visitor and as nobody, plain and by htmx."""

import pytest

from tests.web.pages import (
    HTMX,
    NOBODYS_HAND,
    answer,
    count,
    heading_of,
    is_page,
    parse,
    put_hand,
    rows,
    visitor_of,
    ways_on,
)
from tests.web.tables import Player, lay_shoes

OPEN, ANSWERED, ENDED, TABLE = "{open}", "{answered}", "{ended}", "{table}"
SETTINGS = {"rules": "classic", "grading": "chart", "bet_unit": "5", "theme": "dark"}
PLAN = "/?rules=hall-of-thoth&mode=mixed"
MIX = "/?rules=hall-of-thoth&mode=default-mix"
PLAYED = "/?rules=hall-of-thoth&mode=play-it-out"
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
    ("GET", "/settings", ["200 page"] * 3, ["200 page"] * 3),
    ("POST", "/settings", ["303 /settings"] * 3, ["204 /settings"] * 3),
    ("GET", "/nowhere", ["404 page"] * 3, ["404 part"] * 3),
    ("GET", "/finish", ["405 page"] * 3, ["405 part"] * 3),
    ("DELETE", f"/hand/{OPEN}", ["405 page"] * 3, ["405 part"] * 3),
]
PEOPLE = ("owner", "other", "nobody")
CASES = [(method, path, dict(zip(PEOPLE, (*expected, expected[-1]), strict=False)), headers)
         for method, path, plain, by_htmx in PLAIN_AND_HTMX for expected, headers in ((plain, {}), (by_htmx, HTMX))]
REFUSED = [(method, path, headers) for method, path, expected, headers in CASES if expected["nobody"][0] == "4"]


@pytest.fixture
def world(app, client, other_client):
    """Someone with an open hand, an answered one, a session that has ended and a round at a table; and another."""
    dice = lay_shoes(app)
    dice.lay("T 6 2 T 2 2 2")
    for each in (client, other_client):
        each.get("/")
        answered = put_hand(app, each, "TsTh", "6d")
        answer(each, answered, "split")
        ended = each.post("/finish").location.rpartition("/")[2]
        each.get("/")
        if each is client:
            places = {"answered": answered, "ended": ended, "open": put_hand(app, each, "8s8h", "9d")}
    Player(client).sit().bet("10")
    client.post("/play/next", data={"plan": PLAYED.removeprefix("/?"), "number": "0"})
    return places | {"table": "openseat"}


@pytest.fixture
def people(app, client, other_client):
    return {"owner": client, "other": other_client, "nobody": app.test_client()}


def told(response):
    """A response in the words of the table above."""
    if response.status_code in (303, 204):
        return f"{response.status_code} {response.location or response.headers['HX-Redirect']}"
    return f"{response.status_code} {'page' if is_page(response) else 'part'}"


def kept(instance):
    """Everything of the owner's, who was the first."""
    return [rows(instance, query) for query in (
        "SELECT * FROM users WHERE id = 1", "SELECT * FROM decisions WHERE user_id = 1",
        *(f"SELECT * FROM {table} WHERE user_id = 1" for table in (
            "tallies", "cell_memories", "runs", "goal_days", "table_purses", "table_seats", "table_rounds")),
        "SELECT * FROM practice_sessions WHERE user_id = 1",
        "SELECT * FROM questions WHERE visitor = (SELECT visitor FROM users WHERE id = 1)",
    )]


@pytest.mark.parametrize(("method", "path", "expected", "headers"), CASES)
def test_who_gets_what(world, people, instance, method, path, expected, headers):
    forms = {"/settings": SETTINGS, "/start": {"rules": "hall-of-thoth", "mode": "streak"}}
    data = forms.get(path, {"action": "stand"})
    if path.startswith((f"/tables/{TABLE}", "/play/")):
        data = {"number": "1", "step": "1", "box": "0", "action": "hit", "bet": "10", "plan": PLAYED.removeprefix("/?")}
    before = kept(instance)
    found = {}
    for person in reversed(PEOPLE):
        found[person] = told(people[person].open(path.format(**world), method=method, headers=headers,
                                                 data=data if method == "POST" else None))
        assert person == "owner" or kept(instance) == before
    assert found == {person: words.format(**world) for person, words in expected.items()}


def test_what_is_refused_offers_a_way_on(world, people):
    for method, path, headers in REFUSED:
        response = people["nobody"].open(path.format(**world), method=method, headers=headers)
        assert response.status_code in (404, 405, 422)
        assert people["nobody"].get(ways_on(response)[0], follow_redirects=True).status_code == 200, path


def test_a_route_of_every_kind_is_in_the_table(app):
    used = set()
    adapter = app.url_map.bind("localhost")
    for method, path, *_ in PLAIN_AND_HTMX:
        known = path.partition("?")[0].format(open=NOBODYS_HAND, answered=NOBODYS_HAND, ended="1", table="openseat")
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
