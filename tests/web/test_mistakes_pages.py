"""Mistakes listed, filtered and drilled again; a practice session looked back on."""

from datetime import timedelta
from random import Random

import pytest

from tests.web.pages import (
    HTMX,
    START,
    Clock,
    answer,
    count,
    hand_of,
    heading_of,
    is_question,
    parse,
    put_hand,
    rows,
    strip_of,
    table_of,
    token_of,
    ways_on,
)
from trainer.drill.plan import Plan
from trainer.drill.situation import UnseenCards
from trainer.service import mistakes

# Cards, upcard and a wrong move, the costliest last.
MISSED = [("Ts2h", "3d", "stand"), ("As7h", "3d", "hit"), ("9s9h", "6d", "stand"), ("7s4h", "9d", "hit"),
          ("8s8h", "9d", "hit"), ("Ts7h", "2d", "hit"), ("TsTh", "6d", "split")]
# What is left of them, an insurance and a hand of another rule set by each filter.
FILTERS = [
    ("category=hard", {0, 3, 5}), ("category=soft", {1}), ("category=pair", {2, 4, 6, 8}), ("category=insurance", {7}),
    ("upcard=3", {0, 1}), ("upcard=9", {3, 4}), ("upcard=A", {7}), ("upcard=T", set()),
    ("upcard=6&category=pair", {2, 6}), ("rules=squarescores", {8}), ("rules=squarescores&category=hard", set()),
    ("rules=openseat&upcard=3", {0, 1}), ("rules=classic", set()), ("", set(range(9))),
    ("row=h17", {5}), ("row=p8", {4}), ("row=p8&category=hard", set()), ("row=s18&upcard=3", {1}),
    ("move=hit", {1, 3, 4, 5, 8}), ("move=insure", {7}), ("move=stand&upcard=6", {2}),
    ("since=2000-01-01", set(range(9))), ("until=2000-01-01", set()), ("until=9999-12-31&category=soft", {1}),
]


def miss(app, client, cards, upcard, move, rules_key="hall-of-thoth", **options):
    token = put_hand(app, client, cards, upcard, rules_key, **options)
    verdict = answer(client, token, move, headers=HTMX)
    assert "bad" in parse(verdict.text).one("div", "verdict").classes
    return token


def listed(response):
    """Of every line of a list of hands: the hand's token and the texts."""
    table = parse(response.text).one("table", "hands")
    tokens = [link.attributes["href"].removeprefix("/hand/") for link in table.all("a")]
    return list(zip(tokens, table_of(table), strict=True))


def tokens_of(response):
    return [token for token, _ in listed(response)]


def all_pages(client, path):
    """The tokens page by page, following the link to older ones."""
    pages = []
    while path:
        response = client.get(path)
        pages.append(tokens_of(response))
        path = next((link.attributes["href"] for link in parse(response.text).all("a", rel="next")), None)
    return pages


# The list


def test_a_line_tells_everything_about_a_mistake(app, client, instance, monkeypatch):
    Clock.install(monkeypatch)
    token = put_hand(app, client, "7dKc", "2d", "shoe-h17", at=START, plan=Plan("shoe-h17"))
    client.post(f"/hand/{token}", data={"action": "hit", "time_zone": "Asia/Tokyo"})
    cost = rows(instance, "SELECT ev_cost FROM decisions")[0][0]
    response = client.get("/mistakes")
    found, line = listed(response)[0]
    assert found == token
    assert line[0].startswith("7-K")
    assert line[1:5] == ["2", "Hit", "Stand", f"{cost:.4f}"]
    assert line[5:] == ["4 Mar 2031, 21:00", "All hands", "Casino shoe, H17"]
    assert parse(response.text).one("time").attributes["datetime"] == "2031-03-04T12:00:00+00:00"
    assert heading_of(client.get(f"/hand/{token}")) == "Stand, not hit"


def test_right_and_hinted_answers_are_no_mistakes(app, client):
    answer(client, put_hand(app, client, "7dKc", "2d"), "stand")
    hinted = put_hand(app, client, "7dKc", "2d")
    client.post(f"/hand/{hinted}/hint")
    answer(client, hinted, "hit")
    answer(client, put_hand(app, client, "Ts2h", "4d"), "stand")
    root = parse(client.get("/mistakes").text)
    assert not root.all("table")
    assert "No mistakes so far" in root.one("main").text
    assert is_question(client.get(root.one("main").one("a", "button").attributes["href"], follow_redirects=True))


def test_the_newest_come_first_or_the_costliest(app, client):
    order = Random(5).sample(MISSED, len(MISSED))
    by_token = {miss(app, client, *each): each for each in order}
    newest = [by_token[token] for token in tokens_of(client.get("/mistakes"))]
    assert newest == order[::-1]
    assert tokens_of(client.get("/mistakes?order=newest")) == tokens_of(client.get("/mistakes"))
    costliest = client.get("/mistakes?order=costliest")
    costs = [float(line[4]) for _, line in listed(costliest)]
    assert costs == sorted(costs, reverse=True)
    assert sorted(tokens_of(costliest)) == sorted(by_token)


@pytest.mark.parametrize("order", ["newest", "costliest"])
def test_filters(app, client, order):
    tokens = [miss(app, client, *each) for each in MISSED]
    tokens.append(miss(app, client, "9sKh", "Ad", "insure", unseen=UnseenCards(20, 140)))
    tokens.append(miss(app, client, "6s6h", "7d", "hit", "squarescores"))
    for query, kept in FILTERS:
        response = client.get(f"/mistakes?order={order}&{query}")
        if kept:
            assert set(tokens_of(response)) == {tokens[index] for index in kept}, query
        else:
            assert "No mistakes like that." in response.text
            assert "/mistakes" in ways_on(response)
        form = parse(response.text).one("form", "filters")
        chosen = {select.attributes["name"]: [option.attributes["value"] for option in select.all("option")
                                              if "selected" in option.attributes] for select in form.all("select")}
        chosen |= {name: [form.one("input", name=name).attributes["value"]] for name in ("since", "until")}
        wanted = dict(pair.split("=") for pair in query.split("&") if pair)
        names = ("category", "row", "upcard", "move", "rules", "since", "until")
        assert chosen == {name: [wanted.get(name, "")] for name in names}
        assert form.one("input", name="order").attributes["value"] == order


@pytest.mark.parametrize("order", ["newest", "costliest"])
@pytest.mark.parametrize("filters", ["", "&category=hard", "&rules=hall-of-thoth&upcard=2"])
def test_pages_have_no_gap_and_no_repeat(app, client, instance, monkeypatch, order, filters):
    monkeypatch.setattr(mistakes, "PAGE_SIZE", 3)
    tokens = []
    for _ in range(4):
        # Equal hands cost the same, so that only their numbers tell them apart.
        tokens += [miss(app, client, "7dKc", "2d", "hit"), miss(app, client, "Kh7s", "2c", "hit")]
        other = miss(app, client, "TsTh", "6d", "split")
        tokens += [] if filters else [other]
    pages = all_pages(client, f"/mistakes?order={order}{filters}")
    assert [len(page) for page in pages] == [3] * (len(tokens) // 3) + [len(tokens) % 3] * bool(len(tokens) % 3)
    assert len(pages) > 2
    shown = [token for page in pages for token in page]
    keys = {token: (cost, number) for token, cost, number in rows(instance, "SELECT token, ev_cost, id FROM decisions")}
    by = (lambda token: keys[token][1]) if order == "newest" else keys.get
    assert shown == sorted(tokens, key=by, reverse=True)


def test_mistakes_made_while_paging_shift_nothing(app, client, monkeypatch):
    monkeypatch.setattr(mistakes, "PAGE_SIZE", 2)
    first = [miss(app, client, *each) for each in MISSED[:4]]
    page = client.get("/mistakes")
    older = parse(page.text).one("a", rel="next").attributes["href"]
    miss(app, client, *MISSED[5])
    assert tokens_of(page) + tokens_of(client.get(older)) == first[::-1]


def test_the_last_page_has_no_link_to_older_ones(app, client, monkeypatch):
    monkeypatch.setattr(mistakes, "PAGE_SIZE", 2)
    for each in MISSED[:2]:
        miss(app, client, *each)
    assert not parse(client.get("/mistakes").text).all("a", rel="next")


def test_by_cell_mistakes_are_added_up_and_lead_to_their_list_and_drill(app, client, instance):
    for each in (MISSED[0], MISSED[0], MISSED[1], MISSED[6]):
        miss(app, client, *each)
    miss(app, client, "9sKh", "Ad", "insure", unseen=UnseenCards(20, 140))
    answer(client, put_hand(app, client, "Ts2h", "3d"), "hit")
    root = parse(client.get("/mistakes?order=cells").text)
    lines = {line[0]: line for line in table_of(root.one("table", "hands"))}
    assert set(lines) == {"Hard 12 v 3", "Soft A-7 v 3", "Pair 10-10 v 6", "Insurance"}
    lost = rows(instance, "SELECT sum(ev_cost) FROM decisions WHERE is_mistake AND category = 'hard'")[0][0]
    assert lines["Hard 12 v 3"][1:5] == ["2 of 3", "33.3%", f"{lost:.4f}", "Hall of Thoth, Openseat"]
    costs = [float(line[3]) for line in table_of(root.one("table", "hands"))]
    assert costs == sorted(costs, reverse=True)
    links = {link.text: link.attributes["href"] for link in root.one("table", "hands").all("a") if link.text != "Drill"}
    assert len(tokens_of(client.get(links["Hard 12 v 3"]))) == 2
    assert len(tokens_of(client.get(links["Insurance"]))) == 1
    drills = {link.attributes["aria-label"]: link.attributes["href"] for link in root.one("table", "hands").all("a")
              if link.text == "Drill"}
    token = token_of(client.get(drills["Drill Hard 12 v 3"], follow_redirects=True))
    situation = hand_of(app, client, token).situation
    assert (situation.category, situation.hand.total, situation.upcard.rank) == ("hard", 12, 3)
    assert not {"move", "since"} & {each.attributes["name"] for each in root.one("form", "filters").all("select")}
    assert "No mistakes like that." in client.get("/mistakes?order=cells&row=h20").text


def test_cells_come_by_the_page(app, client, monkeypatch):
    monkeypatch.setattr(mistakes, "PAGE_SIZE", 3)
    for each in MISSED:
        miss(app, client, *each)
    shown, path = [], "/mistakes?order=cells"
    while path:
        root = parse(client.get(path).text)
        shown += [line[0] for line in table_of(root.one("table", "hands"))]
        path = next((link.attributes["href"] for link in root.all("a", rel="next")), None)
    assert len(shown) == len(set(shown)) == 7


def test_a_rule_set_that_does_not_ship_is_a_choice_too(app, client):
    miss(app, client, "Ts2h", "3d", "stand", "decks~2.surrender~late")
    line = listed(client.get("/mistakes?rules=decks~2.surrender~late"))
    assert [texts[7] for _, texts in line] == ["Two decks, late surrender"]
    assert listed(client.get("/mistakes"))
    assert "No mistakes like that." in client.get("/mistakes?rules=decks~2").text


# Drilled again


def drill(app, client, path, moves=("right",)):
    """Answer hands from ``path`` on until another plan begins; the cards, and the last response."""
    seen, response = [], client.get(path)
    for number in range(60):
        if response.status_code != 200 or not is_question(response):
            break
        token = token_of(response)
        situation = hand_of(app, client, token).situation
        seen.append(("".join(card.face for card in situation.hand.cards), situation.upcard.face))
        judgement = app.extensions["drill"].judge(situation)
        worst = min(judgement.evs, key=judgement.evs.get)
        move = judgement.exact if moves[number % len(moves)] == "right" else worst
        verdict = answer(client, token, move, headers=HTMX)
        response = client.get(parse(verdict.text).one("p", "next").one("a").attributes["href"])
    return seen, response


@pytest.mark.parametrize("moves", [("right",), ("wrong",), ("right", "wrong")])
def test_drill_these_deals_each_of_them_once_costliest_first(app, client, moves):
    for each in (*MISSED, MISSED[0], MISSED[3]):
        miss(app, client, *each)
    link = parse(client.get("/mistakes?category=hard&order=costliest").text).one("a", "button").attributes["href"]
    seen, after = drill(app, client, link, moves)
    assert seen == [("T7", "2"), ("74", "9"), ("T2", "3")]
    assert after.status_code == 303
    back = client.get(after.location)
    assert "That was all of them. Back to a mix for you." in back.text
    assert is_question(back)


def test_drill_these_deals_the_filtered_ones_only(app, client):
    for each in MISSED:
        miss(app, client, *each)
    link = parse(client.get("/mistakes?upcard=9&category=pair").text).one("a", "button").attributes["href"]
    assert drill(app, client, link)[0] == [("88", "9")]


def test_drill_these_deals_what_is_listed_whatever_the_rule_set(app, client):
    miss(app, client, "6s6h", "7d", "hit", "squarescores")
    response = client.get("/mistakes")
    assert len(listed(response)) == 1
    link = parse(response.text).one("a", "button").attributes["href"]
    assert drill(app, client, link)[0] == [("66", "7")]


def test_a_mistake_is_dealt_by_the_rules_it_was_made_by(app, client):
    miss(app, client, "6s6h", "7d", "hit", "squarescores")
    link = parse(client.get("/mistakes?rules=squarescores").text).one("a", "button").attributes["href"]
    token = token_of(client.get(link))
    assert hand_of(app, client, token).situation.rules.decks == 1
    assert heading_of(answer(client, token, "split", headers=HTMX)) == "Right: split"


# A practice session


@pytest.fixture
def ended(app, client, monkeypatch):
    """A session of right, missed, slow and hinted hands, ended; and a clock."""
    clock = Clock.install(monkeypatch)
    miss(app, client, "9s9h", "6d", "stand", at=clock())
    client.post("/finish")
    client.get("/?rules=squarescores&mode=focus&focus=soft")
    for number in range(22):
        token = put_hand(app, client, "Ts6h", "6d", at=clock())
        clock.advance(seconds=2 if number < 21 else 12)
        answer(client, token, "stand")
    for each in MISSED[3:6]:
        miss(app, client, *each, at=clock())
    hinted = put_hand(app, client, "As7h", "3d", at=clock())
    client.post(f"/hand/{hinted}/hint")
    answer(client, hinted, "hit")
    return client.post("/finish").location


def test_a_summary_counts_by_category_and_ranks_the_missed_and_slow(client, ended):
    page = client.get(ended)
    root = parse(page.text)
    assert root.one("h1").text == "26 hands, 3 wrong"
    by_category = {line[0]: line[1:] for line in table_of(root.all("table", "plain")[0])}
    assert by_category["Hard"][:2] == ["24", "91.7%"]
    assert by_category["Pairs"][:2] == ["1", "0.0%"]
    assert (by_category["Soft"][0], by_category["Soft"][4]) == ("0", "1")
    assert "Insurance" not in by_category
    lines = [line for _, line in listed(page)]
    assert [line[0] for line in lines] == ["10-7", "8-8", "7-4", "10-6"]
    assert [float(line[4]) for line in lines] == sorted((float(line[4]) for line in lines), reverse=True)
    assert lines[-1][3].endswith("slow")
    assert lines[-1][5] == "12.0 s"


def test_practise_just_those_deals_them_once_and_goes_back(app, client, ended):
    link = next(link for link in parse(client.get(ended).text).all("a", "button") if link.text == "Practise just those")
    seen, after = drill(app, client, link.attributes["href"], ("right", "wrong"))
    assert seen == [("T7", "2"), ("88", "9"), ("74", "9"), ("T6", "6")]
    assert (after.status_code, after.location) == (303, "/?rules=squarescores&mode=focus&focus=soft")
    back = client.get(after.location)
    assert "That was all of them. Back to soft hands." in back.text
    assert parse(back.text).one("h1").text == "Soft hands"
    assert "That was all of them" not in client.get(after.location).text


def test_go_on_leads_back_to_what_was_practised(client, ended):
    link = next(link for link in parse(client.get(ended).text).all("a") if link.text == "Go on")
    assert link.attributes["href"] == "/?rules=squarescores&mode=focus&focus=soft"


def test_a_summary_stays_as_it_was(app, client, ended):
    before = parse(client.get(ended).text).one("main").text
    miss(app, client, *MISSED[0], at=START)
    assert parse(client.get(ended).text).one("main").text == before


def test_after_the_end_the_strip_begins_anew(client, ended):
    assert ended
    assert strip_of(client.get("/?mode=mixed"))["hands"] == "0"


def test_a_session_without_fault_has_nothing_to_practise(app, client):
    answer(client, put_hand(app, client, "Ts6h", "6d"), "stand")
    root = parse(client.get(client.post("/finish").location).text)
    assert root.one("h1").text == "1 hand, all right"
    assert "Nothing to go over" in root.one("main").text
    assert "Practise just those" not in root.text


def test_a_session_of_hinted_hands_only_claims_nothing(app, client):
    hinted = put_hand(app, client, "As7h", "3d")
    client.post(f"/hand/{hinted}/hint")
    answer(client, hinted, "hit")
    assert parse(client.get(client.post("/finish").location).text).one("h1").text == "1 hand, 0 wrong"


def test_without_an_answer_there_is_nothing_to_finish(client, instance):
    client.get("/")
    response = client.post("/finish")
    assert response.location == "/?rules=hall-of-thoth&mode=default-mix"
    assert "Nothing has been answered yet." in client.get(response.location).text
    assert count(instance, "practice_sessions") == 0


def test_a_session_that_paused_too_long_cannot_be_finished_but_is_kept(app, client, instance, monkeypatch):
    clock = Clock.install(monkeypatch)
    miss(app, client, *MISSED[0], at=clock())
    clock.time += timedelta(minutes=31)
    assert client.post("/finish").location.startswith("/?")
    assert client.get("/sessions/1").status_code == 200
    assert count(instance, "practice_sessions") == 1
