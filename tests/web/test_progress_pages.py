"""Progress: every figure on the page is what counting the answers again gives."""

import sqlite3
from collections import defaultdict
from contextlib import closing
from datetime import date, datetime, timedelta
from random import Random
from statistics import median
from zoneinfo import ZoneInfo

from tests.web.pages import HTMX, START, Clock, answer, hand_of, parse, put_hand, rows, strip_of, table_of, token_of
from trainer.drill.situation import UnseenCards
from trainer.engine.presets import RULE_SETS

CATEGORIES = {"Hard": ["hard"], "Soft": ["soft"], "Pairs": ["pair"], "Insurance": ["insurance"],
              "All but insurance": ["hard", "soft", "pair"]}
PLANS = ("mixed", "focus&focus=soft", "focus&focus=pair", "multi-card", "close-calls", "insurance")
NONE = "\N{EN DASH}"
DECIDED = """SELECT category, is_right, is_hinted, ev_cost, time_ms, day, strategy_hash, session_id, created_at
FROM decisions JOIN rule_sets ON rule_sets.id = rule_set_id"""
ZONE = "Pacific/Auckland"


def practise(app, client, clock, answers=80):
    """Answers by every mode and several rule sets, over months, in a far time zone."""
    random = Random(11)
    for number in range(answers):
        clock.advance(seconds=random.choice([60, 4_000, 90_000, 500_000]))
        key = random.choice(["hall-of-thoth", "squarescores", "shoe-h17"])
        plan = random.choice(PLANS if key != "squarescores" else PLANS[:-1])
        token = token_of(client.get(f"/?rules={key}&mode={plan}&seed={number}", headers=HTMX))
        situation = hand_of(app, client, token, clock()).situation
        if random.random() < 0.15 and not situation.is_insurance:
            client.post(f"/hand/{token}/hint")
        clock.advance(seconds=round(random.uniform(0.5, 30), 3) if random.random() < 0.9 else 200)
        judgement = app.extensions["drill"].judge(situation)
        move = judgement.chart if random.random() < 0.6 else random.choice(situation.legal)
        last = client.post(f"/hand/{token}", headers=HTMX, data={"action": move, "time_zone": ZONE})
        assert last.status_code == 200
    return last


def expected(decisions):
    """The line of a table for some decisions: count, share right, EV lost per 100, median time, hinted."""
    counted = [row for row in decisions if not row[2]]
    right = sum(row[1] for row in counted)
    lost = sum(row[3] for row in counted if not row[1])
    return [str(len(counted)), f"{100 * right / len(counted):.1f}%" if counted else NONE,
            f"{100 * lost / len(counted):.2f}" if counted else NONE,
            median(row[4] / 1000 for row in counted) if counted else NONE, str(len(decisions) - len(counted))]


def assert_line(shown, decisions):
    wanted = expected(decisions)
    assert [*shown[:3], shown[4]] == [*wanted[:3], wanted[4]]
    if wanted[3] == NONE:
        assert shown[3] == NONE
    else:
        # Medians are to within a bucket of 5%, and of an even number of times the lower one may be meant.
        times = sorted(row[4] / 1000 for row in decisions if not row[2])
        lower, upper = times[(len(times) - 1) // 2], times[len(times) // 2]
        assert lower * 0.95 - 0.06 <= float(shown[3].removesuffix(" s")) <= upper * 1.05 + 0.06


def test_every_figure_is_a_recount(app, client, instance, monkeypatch):
    clock = Clock.install(monkeypatch)
    last = practise(app, client, clock)
    decisions = rows(instance, DECIDED)
    assert len(decisions) == 80
    assert_every_line_of_progress(client, decisions, clock().astimezone(ZoneInfo(ZONE)).date())
    strip, sitting = strip_of(last), [row for row in decisions if row[7] == decisions[-1][7]]
    assert strip["hands"] == str(len(sitting))
    assert [strip["right"], strip["lost"]] == expected(sitting)[1:3]
    for row in decisions:
        local = datetime.fromisoformat(row[8] + "+00:00").astimezone(ZoneInfo(ZONE))
        assert row[5] == local.date().isoformat()
    assert any(row[5] != row[8][:10] for row in decisions)


def assert_every_line_of_progress(client, decisions, today):
    """For all periods and rule sets; the longer the period, the more there is."""
    shown = defaultdict(int)
    for period, days in (("7", 7), ("30", 30), ("90", 90), ("all", 10_000)):
        for key in ("", "hall-of-thoth", "openseat", "squarescores", "shoe-h17", "classic"):
            response = client.get("/progress", query_string={"period": period, "rules": key})
            table = table_of(parse(response.text).all("table", "plain")[0])
            assert [line[0] for line in table] == list(CATEGORIES)
            for title, *figures in table:
                assert_line(figures, [
                    row for row in decisions if row[0] in CATEGORIES[title]
                    and date.fromisoformat(row[5]) > today - timedelta(days=days)
                    and (not key or row[6] == RULE_SETS[key].strategy_hash)
                ])
            shown[period] += int(table[4][1])
    assert shown["7"] < shown["30"] < shown["90"] < shown["all"]


def test_before_the_first_answer_the_page_says_what_to_do(client):
    root = parse(client.get("/progress").text)
    assert not root.all("table")
    assert client.get(root.one("main").one("a", "button").attributes["href"]).status_code == 200
    client.get("/")
    assert not parse(client.get("/progress").text).all("table")


def test_a_period_without_answers_says_so(app, client, monkeypatch):
    clock = Clock.install(monkeypatch)
    answer(client, put_hand(app, client, "Ts6h", "6d", at=START), "stand")
    assert "Nothing in this period" not in client.get("/progress?period=7").text
    clock.advance(days=7)
    week = parse(client.get("/progress?period=7").text)
    assert "Nothing in this period" in week.one("main").text
    assert [line[1] for line in table_of(week.all("table", "plain")[0])] == ["0"] * 5
    assert table_of(parse(client.get("/progress?period=30").text).all("table", "plain")[0])[0][1:3] == ["1", "100.0%"]


def test_insurance_is_apart_from_the_total(app, client):
    answer(client, put_hand(app, client, "9sKh", "Ad", unseen=UnseenCards(20, 140)), "insure")
    answer(client, put_hand(app, client, "Ts6h", "6d"), "stand")
    table = table_of(parse(client.get("/progress").text).all("table", "plain")[0])
    assert {line[0]: line[1:3] for line in table} == {
        "Hard": ["1", "100.0%"], "Soft": ["0", NONE], "Pairs": ["0", NONE], "Insurance": ["1", "0.0%"],
        "All but insurance": ["1", "100.0%"]}


def test_a_hinted_answer_counts_apart(app, client):
    token = put_hand(app, client, "Ts6h", "6d")
    client.post(f"/hand/{token}/hint")
    answer(client, token, "hit")
    table = table_of(parse(client.get("/progress").text).all("table", "plain")[0])
    assert table[0] == ["Hard", "0", NONE, NONE, NONE, "1"]


def test_rule_sets_with_one_chart_are_counted_together_and_offered_once(app, client):
    for key in ("openseat", "hall-of-thoth", "squarescores"):
        answer(client, put_hand(app, client, "Ts6h", "6d", key), "stand")
    root = parse(client.get("/progress?rules=openseat").text)
    chips = root.one("nav", aria_label="Rule set").all("a")
    assert [chip.text for chip in chips] == ["All rule sets", "Hall of Thoth, Openseat", "Squarescores (home game)"]
    assert table_of(root.all("table", "plain")[0])[0][1] == "2"
    assert [chip.text for chip in chips if "aria-current" in chip.attributes] == ["Hall of Thoth, Openseat"]


def test_filters_keep_each_other(app, client):
    answer(client, put_hand(app, client, "Ts6h", "6d"), "stand")
    root = parse(client.get("/progress?period=30&rules=hall-of-thoth").text)
    periods = {chip.text: chip.attributes["href"] for chip in root.one("nav", aria_label="Period").all("a")}
    assert periods["7 days"] == "/progress?period=7&rules=hall-of-thoth"
    rule_sets = [chip.attributes["href"] for chip in root.one("nav", aria_label="Rule set").all("a")]
    assert rule_sets == ["/progress?period=30", "/progress?period=30&rules=hall-of-thoth"]


def test_a_share_is_never_rounded_to_all_or_nothing(app, client, instance):
    answer(client, put_hand(app, client, "Ts6h", "6d"), "stand")
    with closing(sqlite3.connect(instance / "trainer.db")) as connection:
        connection.execute("UPDATE tallies SET decisions = 100000, right = 99999")
        connection.commit()
    assert table_of(parse(client.get("/progress").text).all("table", "plain")[0])[0][2] == "99.9%"


def test_the_map_and_the_lines_tell_their_numbers(app, client, monkeypatch):
    Clock.install(monkeypatch)
    for cards, upcard, move in (("Ts6h", "Td", "hit"), ("9s7h", "Tc", "stand"), ("As7h", "3d", "hit")):
        answer(client, put_hand(app, client, cards, upcard, at=START), move)
    root = parse(client.get("/progress").text)
    over_time, by_category = table_of(root.all("table", "plain")[1]), table_of(root.all("table", "plain")[0])
    assert [line[1:] for line in over_time] == [by_category[-1][1:4]]
    assert over_time[0][1:3] == ["3", "33.3%"]
    words = {link.attributes["aria-label"]: link for link in root.one("div", "heat").all("a")}
    told = next(text for text in words if text.startswith("16 v 10:"))
    assert told.startswith("16 v 10: 1 of 2 right, ")
    assert told.endswith("weak spot")
    assert words[told].text == "50"
    assert words[told].attributes["href"] == "/charts/hall-of-thoth/h16/T"
    assert words["A-2 v 5: not met yet"].text == "·"
    lost = parse(client.get("/progress?heat=lost").text)
    shown = next(link.text for link in lost.one("div", "heat").all("a")
                 if link.attributes["aria-label"].startswith("A-7 v 3"))
    hit = app.extensions["drill"].judge(hand_of(app, client, put_hand(app, client, "As7h", "3d")).situation)
    assert shown == f"{100 * (hit.best_ev - hit.evs['hit']):.0f}"


def test_a_daily_goal_is_told_and_none_is_not(app, client):
    answer(client, put_hand(app, client, "Ts6h", "6d"), "stand")
    assert "hands today" not in client.get("/progress").text
    client.post("/settings", data={"rules": "hall-of-thoth", "grading": "chart", "bet_unit": "10", "theme": "system",
                                   "daily_goal": "2"})
    answer(client, put_hand(app, client, "Ts6h", "6d"), "stand")
    assert "1 of 2 hands today." in client.get("/progress").text
    answer(client, put_hand(app, client, "Ts6h", "6d"), "stand")
    assert "2 of 2 hands today, the goal reached 1 day running." in client.get("/progress").text
