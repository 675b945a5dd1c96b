"""When a page is sent and when a fragment, and what fragments carry."""

import json

import pytest

from tests.web.pages import HTMX, answer, heading_of, is_page, is_question, parse, put_hand, token_of

PAGES = ("/", "/progress", "/mistakes", "/settings", "/charts/classic", "/charts/classic/pick",
         "/fill?rules=classic")
FRAGMENTS = ("/", "/?mode=insurance", "/?rules=classic&mode=focus&focus=surrender", "/progress", "/mistakes")
WANTS_PAGE = [
    {},
    HTMX | {"HX-History-Restore-Request": "true"},
    HTMX | {"HX-Boosted": "true"},
    HTMX | {"Sec-Fetch-Mode": "navigate"},
    {"HX-Boosted": "true"},
    {"HX-Request": "false"},
]


def test_htmx_gets_a_part_of_the_page(client):
    for path in (*FRAGMENTS, "/?rules=hall-of-thoth&mode=mixed"):
        part = client.get(path, headers=HTMX)
        whole = client.get(path, follow_redirects=True)
        assert is_page(whole)
        assert not is_page(part), path
        assert "<head" not in part.text
        if part.status_code == 200:
            first = parse(part.text).children[0]
            assert first.attributes["id"] in {node.attributes.get("id") for node in parse(whole.text).walk()}


@pytest.mark.parametrize("headers", WANTS_PAGE, ids=str)
def test_a_restored_boosted_or_plain_request_gets_a_page(client, headers):
    for path in (*FRAGMENTS, f"/hand/{'A' * 22}", "/nowhere", "/?mode=nonsense"):
        assert is_page(client.get(path, headers=headers)), path


def test_an_answer_that_does_not_come_by_htmx_is_redirected(app, client):
    for headers in WANTS_PAGE:
        assert answer(client, put_hand(app, client, "Ts6h", "6d"), "stand", headers=headers).status_code == 303


def fragments(app, client):
    token = put_hand(app, client, "Ts6h", "6d")
    yield "question", client.get(f"/hand/{token}", headers=HTMX)
    yield "refused", answer(client, token, "split", headers=HTMX)
    yield "hinted", client.post(f"/hand/{token}/hint", headers=HTMX)
    yield "verdict", answer(client, token, "stand", headers=HTMX)
    yield "next", client.get("/", headers=HTMX)
    yield "skipped", client.post(f"/hand/{put_hand(app, client, '8s8h', '6d')}/skip", headers=HTMX)
    yield "nothing", client.get("/?rules=classic&mode=insurance", headers=HTMX)


def test_every_fragment_of_the_drill_brings_strip_and_words_along(app, client):
    for name, response in fragments(app, client):
        root = parse(response.text)
        top = [node.attributes["id"] for node in root.children if not isinstance(node, str)]
        assert top == ["hand", "strip", "live", "alert", "due"], name
        assert root.one(id="strip").attributes["hx-swap-oob"] == "true"
        assert root.one(id="live").attributes["hx-swap-oob"] == "innerHTML"
        assert root.one(id="live").text, name
        assert root.one(id="alert").text == ""


def test_what_is_read_out_is_the_verdict_in_one_sentence(app, client):
    token = put_hand(app, client, "7dKc", "2d")
    live = parse(answer(client, token, "hit", headers=HTMX).text).one(id="live")
    assert live.text == "Stand, not hit. Hitting gives up 0.3827 of a bet, about 3.83 on a bet of 10."
    asked = parse(client.get(f"/hand/{put_hand(app, client, '7dKc', '2d')}", headers=HTMX).text)
    told = "Dealer shows two of diamonds. You have seven of diamonds, king of clubs: hard 17."
    assert asked.one(id="live").text == told


def test_the_focus_goes_to_the_heading_of_what_was_swapped_in(app, client):
    for name, response in fragments(app, client):
        if name != "nothing":
            focused = [node for node in parse(response.text).walk() if "autofocus" in node.attributes]
            assert [(node.tag, node.attributes["tabindex"]) for node in focused] == [("h2", "-1")], name


def test_ids_are_never_given_twice(app, client):
    token = put_hand(app, client, "Ts6h", "6d")
    responses = [response for _, response in fragments(app, client)]
    responses += [client.get(path, follow_redirects=True) for path in (*PAGES, f"/hand/{token}")]
    for response in responses:
        ids = [node.attributes["id"] for node in parse(response.text).walk() if "id" in node.attributes]
        assert len(ids) == len(set(ids))


def test_the_live_region_stands_outside_of_what_is_swapped(client):
    root = parse(client.get("/").text)
    swapped = {id(node) for each in (root.one(id="hand"), root.one(id="strip")) for node in (each, *each.walk())}
    assert id(root.one(id="live")) not in swapped
    assert root.one(id="live").attributes["aria-live"] == "polite"
    assert root.one(id="live").text == ""


def test_every_form_works_without_javascript(app, client):
    answer(client, put_hand(app, client, "7dKc", "2d"), "hit")
    roots = [parse(client.get(path).text) for path in (*PAGES, "/?mode=insurance")]
    for form in (form for root in roots for form in root.all("form")):
        assert form.attributes["method"] in ("get", "post")
        assert form.attributes["action"].startswith("/")
        assert form.attributes.get("hx-post", form.attributes["action"]) == form.attributes["action"]
        assert form.all("button")
        assert bool(form.all("input", name="csrf_token")) == (form.attributes["method"] == "post")
    for link in (link for root in roots for link in root.all("a")):
        assert link.attributes["href"]
        assert link.attributes.get("hx-get", link.attributes["href"]) == link.attributes["href"]


@pytest.mark.parametrize(("method", "path", "data"), [
    ("GET", "/", None),
    ("POST", "/finish", {}),
    ("POST", "/settings", {"rules": "classic", "grading": "chart", "bet_unit": "10", "theme": "system"}),
    ("GET", "/charts", None),
])
def test_a_redirect_for_htmx_is_a_header(client, method, path, data):
    client.get("/?rules=squarescores&mode=focus&focus=soft")
    plain = client.open(path, method=method, data=data)
    by_htmx = client.open(path, method=method, data=data, headers=HTMX)
    assert plain.status_code in (302, 303)
    assert (by_htmx.status_code, by_htmx.text) == (204, "")
    assert by_htmx.headers["HX-Redirect"].startswith("/")
    assert "Location" not in by_htmx.headers
    assert client.get(by_htmx.headers["HX-Redirect"]).status_code == 200


def test_a_post_that_redirects_asks_for_a_get(app, client):
    token = put_hand(app, client, "Ts6h", "6d")
    paths = (f"/hand/{token}/hint", f"/hand/{token}", f"/hand/{token}/skip", "/finish")
    assert [client.post(path, data={"action": "stand"}).status_code for path in paths] == [303] * 4


def test_errors_are_alerts_for_htmx(app, client):
    for path in (f"/hand/{'A' * 22}", "/nowhere", "/?mode=nonsense", "/progress?period=nonsense"):
        root = parse(client.get(path, headers=HTMX).text)
        assert [node.attributes.get("role") for node in root.children if not isinstance(node, str)] == ["alert"]
        assert root.one("strong").text
        assert root.one("a").attributes["href"].startswith("/")
    refused = answer(client, put_hand(app, client, "Ts6h", "6d"), "split", headers=HTMX)
    assert parse(refused.text).one("p", role="alert").text.startswith("Not recorded")
    assert is_question(refused)


def test_the_clients_settings_are_strict(client):
    content = parse(client.get("/").text).one("meta", name="htmx-config").attributes["content"]
    config = json.loads(content)
    assert {name: config[name] for name in config if name != "responseHandling"} == {
        "historyCacheSize": 0, "refreshOnHistoryMiss": True, "allowEval": False, "includeIndicatorStyles": False,
        "selfRequestsOnly": True, "allowNestedOobSwaps": False,
    }
    handling = {each["code"]: each for each in config["responseHandling"]}
    assert handling["422"] == {"code": "422", "swap": True}
    assert handling["[45].."]["target"] == "#alert"
    assert handling["[45].."]["error"] is True


def test_nothing_is_boosted_and_no_attribute_runs_code(app, client):
    for path in (*PAGES, f"/hand/{put_hand(app, client, 'Ts6h', '6d')}"):
        names = {name for node in parse(client.get(path).text).walk() for name in node.attributes}
        assert not names & {"hx-boost", "hx-vals", "hx-on", "hx-headers"}
        assert [name for name in names if name.startswith("hx-on")] == []


def test_the_next_hand_comes_by_link_and_by_htmx_alike(app, client):
    verdict = answer(client, put_hand(app, client, "Ts6h", "6d"), "stand", headers=HTMX)
    link = parse(verdict.text).one("p", "next").one("a")
    plain, part = client.get(link.attributes["href"]), client.get(link.attributes["hx-get"], headers=HTMX)
    assert token_of(plain) == token_of(part)
    assert link.attributes["hx-target"] == "#hand"


def test_a_verdict_by_its_address_is_the_verdict_by_htmx(app, client):
    token = put_hand(app, client, "8s8h", "9d")
    part = answer(client, token, "hit", headers=HTMX)
    whole = client.get(f"/hand/{token}")
    assert heading_of(part) == heading_of(whole)
    assert parse(part.text).one(id="hand").text == parse(whole.text).one(id="hand").text
