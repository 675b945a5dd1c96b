"""What a verdict tells, and what becomes of hands that are hinted, skipped or left open."""

import pytest

from tests.web.pages import (
    HTMX,
    MINUS,
    MOVES,
    START,
    Clock,
    answer,
    chosen_of,
    count,
    evs_of,
    hand_of,
    heading_of,
    is_marked_right,
    is_page,
    is_question,
    moves_of,
    parse,
    put_hand,
    rows,
    strip_of,
    table_of,
    token_of,
    ways_on,
)
from trainer.drill.situation import Situation, TableCards, UnseenCards
from trainer.engine.cards import Card, parse_cards
from trainer.engine.hands import Hand
from trainer.engine.presets import RULE_SETS
from trainer.web.hand_view import chart_row_view

LABELS = {"hit": "Hit", "stand": "Stand", "double": "Double", "split": "Split", "surrender": "Surrender"}
MODES = ("mixed", "focus&focus=pair", "focus&focus=soft", "multi-card", "close-calls")


def shown(ev):
    """Four decimals with a sign, none on nothing."""
    text = f"{abs(ev):.4f}"
    return text if float(text) == 0 else ("+" if ev > 0 else MINUS) + text


@pytest.mark.parametrize("key", RULE_SETS)
def test_every_ev_is_the_engines(app, client, strategies, key):
    solution = strategies.get(RULE_SETS[key]).solution
    for number, mode in enumerate(MODES * 4):
        token = token_of(client.get(f"/?rules={key}&mode={mode}&seed=evs{number}", headers=HTMX))
        situation = hand_of(app, client, token).situation
        evs = {str(move): ev for move, ev in solution.evs(situation.hand, situation.upcard).items()}
        move = sorted(evs)[number % len(evs)]
        verdict = answer(client, token, move, headers=HTMX)
        best_first = sorted(evs, key=lambda each: -evs[each])
        assert evs_of(verdict) == {LABELS[each]: shown(evs[each]) for each in best_first}
        assert list(evs_of(verdict).values()) == [shown(evs[each]) for each in best_first]
        assert chosen_of(verdict) == LABELS[move]
        cost = evs[best_first[0]] - evs[move]
        told = f"gives up {cost:.4f} {'bets' if cost > 1 else 'of a bet'}"
        assert (told in parse(verdict.text).one("div", "verdict").text) == (cost > 0)


@pytest.mark.parametrize(("cards", "tens", "evs"), [
    ("9sKh", 50, {"Insurance": shown(0.5 * (3 * 50 / 140 - 1)), "No insurance": "0.0000"}),
    ("9sKh", 40, {"No insurance": "0.0000", "Insurance": shown(0.5 * (3 * 40 / 140 - 1))}),
    ("AsKh", 50, {"Even money": "+1.0000", "Decline": shown(1.5 * 90 / 140)}),
    ("AsKh", 40, {"Decline": shown(1.5 * 100 / 140), "Even money": "+1.0000"}),
])
@pytest.mark.parametrize("move", ["insure", "decline"])
def test_insurance_is_judged_by_the_tens_that_are_left(app, client, cards, tens, evs, move):
    token = put_hand(app, client, cards, "Ad", unseen=UnseenCards(tens, 140))
    verdict = answer(client, token, move, headers=HTMX)
    assert list(evs_of(verdict).items()) == list(evs.items())
    assert is_marked_right(verdict) == ((move == "insure") == (tens == 50))
    assert "chart-row" not in verdict.text


@pytest.mark.parametrize(("rules_key", "move", "heading"), [
    ("hall-of-thoth", "hit", "Right: hit"),
    ("hall-of-thoth", "split", "Hit, not split"),
    ("squarescores", "split", "Right: split"),
    ("squarescores", "hit", "Split, not hit"),
])
def test_the_chart_follows_the_rules_of_the_hand(app, client, rules_key, move, heading):
    other = "squarescores" if rules_key == "hall-of-thoth" else "hall-of-thoth"
    for key in (other, rules_key):
        client.get(f"/?rules={key}&mode=mixed")
        token = put_hand(app, client, "6s6h", "7d", key)
        verdict = answer(client, token, move, headers=HTMX)
    assert heading_of(verdict) == heading
    here = parse(verdict.text).one("table", "chart-row").one("td", "here")
    assert here.text == {"hall-of-thoth": "H", "squarescores": "P"}[rules_key]


@pytest.mark.parametrize(("move", "other"), [("stand", "hit"), ("hit", "stand")])
def test_either_move_is_right_where_chart_and_exact_play_differ(app, client, move, other):
    verdict = answer(client, put_hand(app, client, "Ts2h", "4d"), move, headers=HTMX)
    assert is_marked_right(verdict)
    assert heading_of(verdict) == f"Right: {move} (or {other})"
    text = parse(verdict.text).one("section", "sheet").text
    assert "Either counts as right" in text
    assert "The chart has one answer for every 12 v 4: stand. These very cards, 10-2, do" in text
    assert "better by hitting" in text
    assert ("gives up" in text) == (move == "stand")


@pytest.mark.parametrize(("move", "heading", "is_right"), [("stand", "Hit, not stand", 0), ("hit", "Right: hit", 1)])
def test_grading_by_exact_play_marks_only_that_right(app, client, instance, move, heading, is_right):
    client.post("/settings", data={"rules": "hall-of-thoth", "grading": "exact", "bet_unit": "10", "theme": "system"})
    verdict = answer(client, put_hand(app, client, "Ts2h", "4d"), move, headers=HTMX)
    assert (heading_of(verdict), is_marked_right(verdict)) == (heading, bool(is_right))
    assert "Either counts" not in verdict.text
    assert "Graded by exact play" in verdict.text
    assert rows(instance, "SELECT grading, is_right, chart_move, exact_move FROM decisions") == [
        ("exact", is_right, "stand", "hit")]


def test_figures_that_do_not_add_up_as_shown_are_said_to_be_rounded(app, client):
    counts = {True: 0, False: 0}
    for number in range(40):
        token = token_of(client.get(f"/?rules=squarescores&mode=close-calls&seed={number}", headers=HTMX))
        judgement = app.extensions["drill"].judge(hand_of(app, client, token).situation)
        worst = min(judgement.evs, key=judgement.evs.get)
        best, chosen = (round(10_000 * judgement.evs[move]) for move in (judgement.exact, worst))
        adds_up = best - chosen == round(10_000 * (judgement.best_ev - judgement.evs[worst]))
        assert ("All figures are rounded" in answer(client, token, worst, headers=HTMX).text) != adds_up
        counts[adds_up] += 1
    assert min(counts.values()) > 2


def test_no_move_marked_right_stands_below_another_without_a_word(app, client):
    differing = 0
    for number in range(20):
        token = token_of(client.get(f"/?rules=squarescores&mode=close-calls&seed={number}", headers=HTMX))
        situation = hand_of(app, client, token).situation
        judgement = app.extensions["drill"].judge(situation)
        verdict = answer(client, token, judgement.chart, headers=HTMX)
        assert is_marked_right(verdict)
        assert ("Either counts as right" in verdict.text) == (judgement.chart != judgement.exact)
        differing += judgement.chart != judgement.exact
    assert differing


def test_a_verdict_has_a_mark_words_reason_chart_and_dealer(app, client):
    verdict = parse(answer(client, put_hand(app, client, "Ts6h", "6d"), "hit", headers=HTMX).text)
    assert verdict.one("span", "mark").text == "✕"
    assert verdict.one(id="verdict").text == "Stand, not hit"
    assert verdict.one("p", "why").text == (
        "The dealer busts 42% of the time with a 6 up; one card busts your 16 61% of the time.")
    row = verdict.one("table", "chart-row")
    assert [cell.text for cell in row.one("tbody").all("td")] == list("SSSSSHHHHH")
    assert (row.one("td", "here").text, row.all("td").index(row.one("td", "here"))) == ("S", 5)
    ends = verdict.one("table", "ends-key")
    assert [end.text for end in ends.all("th")] == ["bust", "17", "18", "19", "20", "21"]
    shares = [float(end.text.rstrip("%")) for end in ends.one("tbody").all("td")]
    assert sum(shares) == pytest.approx(100, abs=0.3)
    assert shares[0] == pytest.approx(42, abs=0.6)


@pytest.mark.parametrize(("bet_unit", "amount"), [("1", "0.38"), ("25", "9.57"), ("100000", "38267.89")])
def test_the_cost_is_told_in_the_visitors_money(app, client, bet_unit, amount):
    client.post("/settings", data={"rules": "classic", "grading": "chart", "bet_unit": bet_unit, "theme": "dark"})
    verdict = parse(answer(client, put_hand(app, client, "7dKc", "2d"), "hit", headers=HTMX).text)
    told = f"Hitting gives up 0.3827 of a bet, about {amount} on a bet of {bet_unit}."
    assert told in verdict.one("div", "verdict").text


# With the chart in view


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_a_hint_shows_the_row_and_the_hand_does_not_count(app, client, instance, headers):
    token = put_hand(app, client, "Ts6h", "6d")
    before = client.get(f"/hand/{token}")
    assert "chart-row" not in before.text
    hinted = client.post(f"/hand/{token}/hint", headers=headers)
    assert hinted.status_code == (200 if headers else 303)
    question = client.get(f"/hand/{token}")
    for response in (question, *([hinted] if headers else [])):
        assert table_of(parse(response.text).one("table", "chart-row")) == [["16", *"SSSSSHHHHH"]]
        assert moves_of(response) == moves_of(before)
    verdict = answer(client, token, "hit", headers=HTMX)
    assert "counts as neither right nor wrong" in verdict.text
    assert heading_of(verdict) == "Stand, not hit"
    assert rows(instance, "SELECT is_hinted, is_mistake, time_ms FROM decisions") == [(1, 0, None)]
    assert rows(instance, "SELECT DISTINCT decisions, right, hinted, ev_lost, ev_cost, times FROM tallies") == [
        (0, 0, 1, 0, 0, "")]
    assert strip_of(verdict) == {"hands": "1", "right": "–", "streak": "0", "lost": "–", "pace": "–"}
    assert "No mistakes so far" in client.get("/mistakes").text


def test_a_hint_after_the_answer_changes_nothing(app, client, instance):
    token = put_hand(app, client, "Ts6h", "6d")
    answer(client, token, "stand")
    client.post(f"/hand/{token}/hint")
    assert rows(instance, "SELECT is_hinted, time_ms IS NULL FROM decisions") == [(0, 0)]


def test_an_insurance_hand_has_no_chart_to_show_and_so_always_counts(app, client, instance):
    token = put_hand(app, client, "9sKh", "Ad", unseen=UnseenCards(50, 140))
    client.post(f"/hand/{token}/hint")
    answer(client, token, "insure")
    assert rows(instance, "SELECT is_hinted FROM decisions") == [(0,)]


# Skipped, left open, taken away


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_a_skipped_hand_is_gone_and_another_is_dealt(client, instance, headers):
    token = token_of(client.get("/?mode=mixed&seed=skip"))
    skipped = client.post(f"/hand/{token}/skip", headers=headers)
    following = skipped if headers else client.get(skipped.location)
    assert is_question(following)
    assert token_of(following) != token
    for response in (client.get(f"/hand/{token}"), answer(client, token, "stand"), client.post(f"/hand/{token}/hint")):
        assert response.status_code == 404
        assert client.get(ways_on(response)[0], follow_redirects=True).status_code == 200
    assert [count(instance, table) for table in ("users", "decisions")] == [0, 0]


def test_skipping_an_answered_hand_keeps_its_answer(client, instance):
    token = token_of(client.get("/?mode=mixed&seed=skip"))
    answer(client, token, "stand")
    assert client.post(f"/hand/{token}/skip").status_code == 303
    assert count(instance, "decisions") == 1


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_a_hand_left_open_for_over_a_day_is_taken_away(app, client, instance, monkeypatch, headers):
    clock = Clock.install(monkeypatch)
    token = put_hand(app, client, "Ts6h", "6d", at=START)
    clock.advance(hours=24)
    assert is_question(client.get(f"/hand/{token}", headers=headers))
    clock.advance(seconds=1)
    for method, path in (("GET", ""), ("POST", ""), ("POST", "/hint"), ("POST", "/skip")):
        response = client.open(f"/hand/{token}{path}", method=method, data={"action": "stand"}, headers=headers)
        assert response.status_code == 409
        assert is_page(response) == (not headers)
    assert client.get(ways_on(response)[0], follow_redirects=True).status_code == 200
    assert count(instance, "decisions") == 0


def test_hands_nobody_answers_are_deleted_after_a_day(app, client, other_client, instance, monkeypatch):
    clock = Clock.install(monkeypatch)
    left, answered = put_hand(app, other_client, "Ts6h", "6d", at=START), put_hand(app, client, "Ts6h", "6d", at=START)
    answer(client, answered, "stand")
    clock.advance(hours=1)
    young = put_hand(app, other_client, "8s8h", "6d", at=clock())
    clock.advance(hours=23, seconds=1)
    dealt = token_of(client.get("/?mode=mixed"))
    assert {token for token, in rows(instance, "SELECT token FROM questions")} == {young, dealt}
    assert other_client.get(f"/hand/{left}").status_code == 404
    assert heading_of(client.get(f"/hand/{answered}")) == "Right: stand"


def test_a_day_later_the_open_hand_is_not_shown_again(client, monkeypatch):
    clock = Clock.install(monkeypatch)
    token = token_of(client.get("/"))
    clock.advance(hours=23)
    assert token_of(client.get("/")) == token
    clock.advance(hours=2)
    assert token_of(client.get("/")) != token


# The figures above the hand


def test_the_strip_adds_up_the_session(app, client, monkeypatch):
    clock = Clock.install(monkeypatch)
    assert strip_of(client.get("/"))["hands"] == "0"
    for move, seconds in (("stand", 2), ("stand", 3), ("hit", 400)):
        token = put_hand(app, client, "7dKc", "2d", at=clock())
        clock.advance(seconds=seconds)
        verdict = answer(client, token, move, headers=HTMX)
    strip = strip_of(verdict)
    assert [strip[name] for name in ("hands", "right", "streak")] == ["3", "66.7%", "0"]
    assert float(strip["lost"]) == pytest.approx(38.27 / 3, abs=0.005)
    assert float(strip["pace"].removesuffix(" s")) == pytest.approx(3, rel=0.05)


def test_a_long_pause_begins_a_new_session(app, client, monkeypatch):
    clock = Clock.install(monkeypatch)
    answer(client, put_hand(app, client, "7dKc", "2d", at=clock()), "stand")
    clock.advance(minutes=30)
    assert strip_of(client.get("/"))["hands"] == "1"
    clock.advance(seconds=1)
    assert strip_of(client.get("/"))["hands"] == "0"
    verdict = answer(client, put_hand(app, client, "7dKc", "2d", at=clock()), "stand", headers=HTMX)
    assert strip_of(verdict)["hands"] == "1"


def test_the_moves_keep_their_places(app, client):
    token = put_hand(app, client, "8s8h", "Td", "shoe-h17")
    question = client.get(f"/hand/{token}")
    assert moves_of(question) == ["hit", "stand", "double", "split", "surrender"]
    verdict = parse(answer(client, token, "split", headers=HTMX).text)
    assert [move.text for move in verdict.one("ul", "moves").all("li")] == [
        "Hit", "Stand", "Double", "Split (your choice)", "Surrender"]
    assert set(LABELS) < set(MOVES)


def test_a_verdict_leads_to_the_page_of_its_cell(app, client):
    token = put_hand(app, client, "8s8h", "Kd", "shoe-h17")
    question = client.get(f"/hand/{token}").text
    assert "/charts/shoe-h17/p8/T" not in question
    verdict = parse(answer(client, token, "split", headers=HTMX).text)
    (link,) = [link for link in verdict.all("a") if link.text == "All hands of this cell"]
    assert link.attributes["href"] == "/charts/shoe-h17/p8/T"
    assert client.get(link.attributes["href"]).status_code == 200


@pytest.mark.parametrize(("cards", "row"), [("2s2h", ""), ("AsAh", ""), ("8s8h", "h16")])
def test_a_pair_that_could_not_be_split_leads_only_to_a_row_that_the_chart_shows(strategies, cards, row):
    """At a table, for want of chips or of room: no first hand is a hard 4, or a soft 12."""
    rules = RULE_SETS["hall-of-thoth"]
    situation = Situation(rules, Hand(parse_cards(cards)), Card("T", "d"), table=TableCards((), ("stand", "hit")))
    found = chart_row_view(situation, strategies.get(rules))
    assert found.url == (f"/charts/hall-of-thoth/{row}/T" if row else "")
    assert len(found.cells) == 10
