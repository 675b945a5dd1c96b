import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app import create_app
from trainer.config import Settings
from trainer.engine.actions import Action
from trainer.engine.chart import MEANINGS
from trainer.engine.hands import Hand, composition_from_label
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import FIELDS, Rules
from trainer.web.strategy_cli import strategy as command_group

ROOT = Path(__file__).resolve().parents[2]
HEADER = "hand,upcard,stand,hit,double,split,surrender,chart,exact"
RANKS = "A23456789T"
ADVICE = ["short-version", "classic-version", "mimic-the-dealer", "never-bust"]


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    return create_app({"SETTINGS": Settings(instance=tmp_path_factory.mktemp("instance")), "TESTING": True})


@pytest.fixture(scope="module")
def run(app):
    runner = app.test_cli_runner()

    def invoke(*arguments):
        result = runner.invoke(args=["strategy", *arguments])
        assert result.exit_code == 0, result.output
        assert result.stderr == ""
        return result.stdout

    return invoke


@pytest.fixture(scope="module")
def refused(app):
    runner = app.test_cli_runner()

    def invoke(*arguments):
        result = runner.invoke(args=["strategy", *arguments])
        assert result.exit_code == 2, result.output
        assert isinstance(result.exception, SystemExit)
        assert result.stdout == ""
        assert "Traceback" not in result.stderr
        return result.stderr

    return invoke


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture(scope="module")
def table(run):
    return run("table")


@pytest.fixture(scope="module")
def solution(app):
    return app.extensions["strategies"].get(Rules()).solution


# table


def test_the_table_is_csv_with_its_header(table):
    assert table.splitlines()[0] == HEADER
    assert table.endswith("\n")
    assert not table.endswith("\n\n")


def test_the_table_has_every_two_card_hand_against_every_upcard_in_order(table):
    listed = [(row["hand"], row["upcard"]) for row in rows_of(table)]
    assert len(listed) == 550
    assert listed == [(first + second, upcard) for index, first in enumerate(RANKS) for second in RANKS[index:]
                      for upcard in RANKS]


def test_the_table_prints_the_solutions_very_floats(table, solution):
    for row in rows_of(table):
        place = solution.lattice.rows[composition_from_label(row["hand"])], RANKS.index(row["upcard"])
        if row["hand"] != "AT":
            for move in ("stand", "hit", "double"):
                assert row[move] == repr(float(getattr(solution, move)[place]))
        if row["split"]:
            assert row["split"] == repr(float(solution.split[RANKS.index(row["hand"][0]), place[1]]))


def test_a_move_that_is_not_allowed_is_empty(table):
    for row in rows_of(table):
        assert bool(row["split"]) == (row["hand"][0] == row["hand"][1])
        assert bool(row["double"]) == (row["hand"] != "AT")
        assert row["surrender"] == ""
        assert row["stand"]


def test_a_natural_only_stands(table):
    naturals = [row for row in rows_of(table) if row["hand"] == "AT"]
    assert len(naturals) == 10
    for row in naturals:
        assert list(row.values())[2:] == ["1.5", "", "", "", "", "stand", "stand"]


def test_chart_and_exact_are_moves_of_the_row(table):
    for row in rows_of(table):
        assert row[row["chart"]]
        assert float(row[row["exact"]]) == max(float(row[move]) for move in Action if row[move])


def test_the_rules_decide_which_moves_the_table_has(run):
    rows = rows_of(run("table", "--rules", "classic", "--set", "surrender=early", "--set", "decks=1"))
    assert {row["hand"] for row in rows if row["split"]} == {"AA", "22", "33", "66", "77", "88", "99"}
    assert {Hand.parse(row["hand"]).total for row in rows if row["double"]} == {9, 10, 11}
    assert {row["surrender"] for row in rows if row["hand"] != "AT"} == {"-0.5"}
    assert {row["surrender"] for row in rows if row["hand"] == "AT"} == {""}


def test_all_hands_of_six_decks(run):
    rows = rows_of(run("table", "--hands", "all"))
    assert len(rows) == 30_720
    assert [row["hand"] for row in rows[:5_500:10]][:55] == [row["hand"] for row in rows[:550:10]]
    for row in rows:
        hand = Hand.parse(row["hand"])
        assert bool(row["double"]) == (len(hand.cards) == 2 and not hand.is_natural)
        assert bool(row["hit"]) == (not hand.is_natural)
        if hand.total == 21:
            assert (row["split"], row["chart"], row["exact"]) == ("", "stand", "stand")


def test_all_hands_of_one_deck_are_possible_ones(run):
    rows = rows_of(run("table", "--rules", "squarescores", "--hands", "all"))
    listed = {(row["hand"], row["upcard"]) for row in rows}
    assert len(listed) == len(rows) > 15_000
    assert {("AAAA", "2"), ("2222", "A"), ("A2233", "4")} <= listed
    for hand, upcard in listed:
        cards = hand + upcard
        assert all(cards.count(rank) <= 4 for rank in RANKS[:-1])


def test_the_table_as_json_has_the_same_numbers(run, table):
    objects = json.loads(run("table", "--format", "json"))
    rows = rows_of(table)
    assert len(objects) == len(rows)
    for entry, row in zip(objects, rows, strict=True):
        assert ",".join(entry) == HEADER
        assert [("" if value is None else str(value)) for value in entry.values()] == list(row.values())


def test_the_table_as_text_has_signed_columns(run):
    lines = run("table", "--format", "text", "--set", "decks=1").splitlines()
    assert lines[0].split() == HEADER.split(",")
    assert len(lines) == 1 + 550
    assert lines[1].split()[:2] == ["AA", "A"]
    assert lines[1].split()[2].startswith("\N{MINUS SIGN}0.")


# ev


@pytest.fixture(scope="module")
def soft_18_v_6(run):
    return json.loads(run("ev", "A7", "6", "--format", "json"))["ev"]


def test_ev_as_text(run):
    text = run("ev", "A7", "6")
    assert "A-7 (soft 18) against 6" in text
    assert "given no dealer's natural" in text
    assert "+0.382807" in text
    assert "Best: double. Chart: double." in text
    assert "Insurance" not in text


def test_ev_as_json(run, solution):
    answer = json.loads(run("ev", "A7", "6", "--format", "json"))
    assert list(answer) == ["hand", "upcard", "total", "soft", "given_no_dealer_natural", "ev", "results", "exact",
                            "chart", "dealer", "insurance"]
    assert (answer["hand"], answer["upcard"], answer["total"], answer["soft"]) == ("A-7", "6", 18, True)
    assert (answer["exact"], answer["chart"], answer["insurance"]) == ("double", "double", None)
    expected = solution.evs(Hand.parse("A7"), Hand.parse("6").cards[0])
    assert list(answer["ev"]) == ["stand", "hit", "double"]
    assert answer["ev"] == pytest.approx({str(move): ev for move, ev in expected.items()}, abs=1e-12)
    assert sum(answer["dealer"].values()) == pytest.approx(1)
    assert all(sum(chances.values()) == pytest.approx(1) for chances in answer["results"].values())


def test_ev_as_csv(run):
    text = run("ev", "88", "10", "--format", "csv")
    evs = json.loads(run("ev", "88", "10", "--format", "json"))["ev"]
    rows = rows_of(text)
    assert text.splitlines()[0] == "move,ev,exact,chart"
    assert {row["move"]: row["ev"] for row in rows} == {move: repr(ev) for move, ev in evs.items()}
    assert [row["move"] for row in rows if row["exact"] == "True"] == ["split"]
    assert [row["move"] for row in rows if row["chart"] == "True"] == ["split"]


@pytest.mark.parametrize("hand", ["A,7", "A7", "a7", "7A", "A-7", "A 7", "As7d", "A♠ 7♦"])
@pytest.mark.parametrize("upcard", ["6", " 6s "])
def test_every_spelling_of_a_hand_has_the_same_evs(run, soft_18_v_6, hand, upcard):
    assert json.loads(run("ev", hand, upcard, "--format", "json"))["ev"] == soft_18_v_6


@pytest.mark.parametrize("hand", ["10 6", "106", "T6", "K6", "6,10", "Q♥6♣"])
@pytest.mark.parametrize("upcard", ["10", "T", "J"])
def test_every_spelling_of_a_ten_has_the_same_evs(run, hand, upcard):
    answer = json.loads(run("ev", hand, upcard, "--format", "json"))
    assert answer["exact"] == "hit"
    assert answer["ev"]["hit"] == pytest.approx(-0.534676, abs=1e-6)


def test_a_natural_is_worth_what_it_pays(run):
    assert json.loads(run("ev", "AT", "6", "--format", "json"))["ev"] == {"stand": 1.5}
    answer = json.loads(run("ev", "AK", "9", "--set", "blackjack_pays=6:5", "--format", "json"))
    assert answer["ev"] == {"stand": 1.2}


def test_insurance_is_told_against_an_ace_where_the_rules_have_it(run):
    answer = json.loads(run("ev", "T6", "A", "--format", "json"))
    assert answer["insurance"] == pytest.approx(3 * 95 / 309 - 1)
    assert "Insurance: \N{MINUS SIGN}0.077670 per unit of the insurance bet." in run("ev", "T6", "A")
    assert json.loads(run("ev", "T6", "A", "--rules", "classic", "--format", "json"))["insurance"] is None


def test_evs_without_a_peek_say_that_a_natural_is_included(run):
    assert "a dealer's natural included" in run("ev", "T6", "A", "--rules", "classic")
    assert json.loads(run("ev", "T6", "A", "--rules", "classic", "--format", "json"))["dealer"]["natural"] > 0.3


def test_seen_cards_count(run):
    plain, tens_gone, fives_gone = (
        json.loads(run("ev", "10 6", "T", "--seen", seen, "--format", "json"))
        for seen in ("", "TTTT,KQJ,10 10", "5555 5555")
    )
    assert tens_gone["ev"]["hit"] > plain["ev"]["hit"]
    assert (plain["exact"], tens_gone["exact"], fives_gone["exact"]) == ("hit", "hit", "stand")
    ace = json.loads(run("ev", "10 6", "A", "--seen", "2,3,4", "--format", "json"))
    assert ace["insurance"] == pytest.approx(3 * 95 / 306 - 1)


def test_ev_follows_the_rules_given(run):
    assert "surrender" in json.loads(run("ev", "T6", "T", "--rules", "shoe-h17", "--format", "json"))["ev"]
    answer = json.loads(run("ev", "K Q", "6", "--rules", "squarescores", "--format", "json"))
    assert "split" not in answer["ev"]
    changed = run("ev", "65", "6", "--set", "double_on=none", "--set", " decks = 2 ", "--format", "json")
    assert list(json.loads(changed)["ev"]) == ["stand", "hit"]


# errors


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ev", "KQ5", "6"], "K-Q-5 is bust: it totals 25"),
        (["ev", "", "6"], "a hand needs at least one card"),
        (["ev", "7", "6"], "7 is one card; a hand to decide has two or more"),
        (["ev", "A7", ""], "'' is not one card; write the upcard like 6, T or A"),
        (["ev", "A7", "66"], "'66' is not one card"),
        (["ev", "A1", "6"], "'1' is no card; write cards like A7, 10 6 or AsKd"),
        (["ev", "A\x007", "6"], r"'\x007' is no card"),
        (["ev", "A7", "6", "--seen", "5,x"], "'x' is no card"),
        (["ev", "A" * 2_001, "6"], "a list of cards of 2001 characters is too long"),
        (["ev", "A" * 22, "6"], "is bust: it totals 22"),
        (["ev", "3322", "2", "--rules", "squarescores", "--seen", "22"], "4 cards of rank 2, and 5 are named"),
        (["ev", "A7", "6", "--rules", "squarescores", "--seen", "6666"], "4 cards of rank 6, and 5 are named"),
        (["ev", "As7d", "6", "--rules", "squarescores", "--seen", "As"], "1 of As, and 2 are named"),
        (["ev", "T6", "T", "--rules", "squarescores", "--seen", "2345 2345 2345 789 789 789 A"], "cards would be left"),
        (["ev", "A7", "6", "--rules", "vegas"], "one of hall-of-thoth, openseat, classic, live-casino"),
        (["chart", "--rules", "vegas"], "'vegas' is not allowed"),
        (["table", "--set", "decks"], "--set: 'decks' is not allowed; use FIELD=VALUE"),
        (["table", "--set", "decks=9"], "decks: '9' is not allowed; use a whole number from 1 to 8"),
        (["edge", "--set", "surrender=maybe"], "surrender: 'maybe' is not allowed; use one of none, late, early"),
        (["rules", "--set", "deck=6"], "deck: '6' is not allowed; use a field that exists"),
        (["table", "--set", "=6"], "use a field that exists"),
        (["table", "--hands", "three-card"], "'three-card' is not one of"),
        (["table", "--format", "xml"], "'xml' is not one of"),
        (["ev", "A7"], "Missing argument 'UPCARD'"),
        (["odds"], "No such command 'odds'"),
    ],
)
def test_a_wrong_request_ends_with_2_and_says_why(refused, arguments, message):
    errors = refused(*arguments)
    assert errors.startswith("Usage: ")
    assert message in " ".join(errors.split())
    assert len(errors) < 800


def test_all_faults_are_listed_at_once(refused):
    wrong = [f"--set={name}=wrong" for name in FIELDS] + ["--set=deck=6"]
    errors = refused("ev", "A7", "6", *wrong)
    for name in (*FIELDS, "deck"):
        assert f"{name}: '{'6' if name == 'deck' else 'wrong'}' is not allowed; use " in errors


# chart


def test_the_chart_as_text_has_its_rules_a_legend_and_its_edge(run):
    text = run("chart", "--rules", "shoe-h17")
    lines = text.splitlines()
    assert lines[0].startswith("Six decks, dealer hits soft 17, dealer peeks, naturals pay 3 to 2")
    assert "late surrender" in lines[0]
    assert [line.split()[0] for line in lines if line.endswith("10  A")] == ["Hard", "Soft", "Pairs"]
    legend = [line for line in lines if line[3:] in MEANINGS.values()]
    assert {line[:3].strip(): line[3:] for line in legend}.items() <= MEANINGS.items()
    body = lines[2 : lines.index(legend[0])]
    used = {code for line in body for code in line.split()[1:] if code in MEANINGS}
    assert used == {line[:3].strip() for line in legend}
    assert {"Rh", "Ds", "P"} <= used
    assert lines[-1].startswith("Edge: exact \N{MINUS SIGN}0.5272%, by this chart \N{MINUS SIGN}0.5")


def test_the_charts_legend_has_only_codes_in_use(run):
    text = run("chart")
    assert "surrender" not in text
    assert "D  double, else hit" in text
    assert "Ds double, else stand" in text


def test_some_rows_of_the_common_chart(run):
    lines = {" ".join(line.split()) for line in run("chart").splitlines()}
    assert lines >= {
        "11 D D D D D D D D D H",
        "12 H H S S S H H H H H",
        "16 S S S S S H H H H H",
        "A-7 S Ds Ds Ds Ds S S H H H",
        "8-8 P P P P P P P P P P",
        "9-9 P P P P P S P P S S",
        "10-10 S S S S S S S S S S",
    }


def test_the_chart_as_csv_and_json_are_the_chart_as_text(run):
    rows = rows_of(run("chart", "--format", "csv"))
    sections = json.loads(run("chart", "--format", "json"))
    assert list(rows[0]) == ["section", "hand", *"23456789", "10", "A"]
    assert len(rows) == 17 + 9 + 10
    assert {section: len(entries) for section, entries in sections.items()} == {"hard": 17, "soft": 9, "pair": 10}
    codes = [list(row.values())[2:] for row in rows]
    assert codes == [list(entry.values()) for entries in sections.values() for entry in entries.values()]
    text = [line.split() for line in run("chart").splitlines()]
    assert all([row["hand"], *row_codes] in text for row, row_codes in zip(rows, codes, strict=True))


# edge


def test_the_edge_as_json(run):
    answer = json.loads(run("edge"))
    assert list(answer) == ["exact", "chart", "by_upcard", "chart_by_upcard", "advice", "means"]
    assert list(answer["by_upcard"]) == list(answer["chart_by_upcard"]) == list(RANKS)
    assert list(answer["advice"]) == ADVICE
    assert list(answer["means"]) == [
        "hands", "doubles", "splits", "surrenders", "busts", "pushes", "naturals", "dealer_naturals"]
    assert answer["exact"] == pytest.approx(-0.00402870, abs=1e-8)
    assert answer["chart"] == pytest.approx(-0.00405922, abs=1e-8)
    assert all(edge < answer["chart"] for edge in answer["advice"].values())


def test_the_edge_is_the_mean_over_the_upcards(run):
    answer = json.loads(run("edge", "--rules", "squarescores"))
    for edge, by_upcard in ((answer["exact"], answer["by_upcard"]), (answer["chart"], answer["chart_by_upcard"])):
        assert edge == pytest.approx(sum(by_upcard[rank] * (4 if rank == "T" else 1) for rank in RANKS) / 13)


def test_the_edge_as_csv_and_text(run):
    answer = json.loads(run("edge"))
    rows = rows_of(run("edge", "--format", "csv"))
    assert {row["play"]: float(row["edge"]) for row in rows} == {
        "exact": answer["exact"], "chart": answer["chart"], **answer["advice"],
        **{f"exact v {upcard}": value for upcard, value in answer["by_upcard"].items()},
    }
    text = run("edge", "--format", "text")
    assert "exact             \N{MINUS SIGN}0.4029%" in text
    assert "Per cent of the bet" in text


# rules


def test_the_rules_as_text_list_rule_sets_and_fields(run):
    text = run("rules")
    for key in RULE_SETS:
        assert f"\n{key}: " in "\n" + text
    for name, field in FIELDS.items():
        assert f"{name:<20} {field.allowed}" in text


def test_the_rules_as_csv_are_a_table_of_fields_by_rule_sets(run):
    rows = rows_of(run("rules", "--format", "csv"))
    assert list(rows[0]) == ["field", *RULE_SETS]
    assert [row["field"] for row in rows] == list(FIELDS)
    for key, rules in RULE_SETS.items():
        assert {row["field"]: row[key] for row in rows} == rules.to_text()


def test_the_rules_as_json_tell_the_chosen_ones(run):
    answer = json.loads(run("rules", "--rules", "classic", "--set", "decks=8", "--format", "json"))
    assert list(answer) == ["rule_sets", "fields", "chosen"]
    assert list(answer["rule_sets"]) == list(RULE_SETS)
    assert list(answer["fields"]) == list(FIELDS)
    chosen = answer["chosen"]
    rules = Rules.from_mapping({name: chosen[name] for name in FIELDS})
    assert rules == Rules.from_mapping({"decks": 8}, base=RULE_SETS["classic"])
    assert (chosen["rule_set_hash"], chosen["strategy_hash"]) == (rules.rule_set_hash, rules.strategy_hash)


# all commands


@pytest.mark.parametrize("command", sorted(command_group.commands))
def test_a_command_explains_itself(run, command):
    text = run(command, "--help")
    assert all(option in text for option in ("--rules", "--set", "--format"))
    assert all(key in "".join(text.split()) for key in RULE_SETS)  # long lines are folded


def test_the_commands():
    assert sorted(command_group.commands) == ["chart", "edge", "ev", "rules", "table"]


def test_the_command_line_needs_no_storage(tmp_path):
    script = (
        "import runpy, sys\n"
        "sys.argv = ['flask', 'strategy', 'ev', 'A7', '6']\n"
        "try:\n"
        "    runpy.run_module('flask', run_name='__main__')\n"
        "except SystemExit as end:\n"
        "    assert not end.code, end.code\n"
        "print(sorted(name for name in sys.modules if 'sqlalchemy' in name or name.startswith('trainer.storage')))\n"
    )
    environment = os.environ | {"TRAINER_INSTANCE": str(tmp_path)}
    ended = subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert ended.stderr == ""
    assert "Best: double. Chart: double." in ended.stdout
    assert ended.stdout.splitlines()[-1] == "[]"


def test_an_error_on_a_real_command_line_has_no_traceback(tmp_path):
    ended = subprocess.run(
        [sys.executable, "-m", "flask", "strategy", "ev", "KQ5", "6"], cwd=ROOT,
        env=os.environ | {"TRAINER_INSTANCE": str(tmp_path)}, capture_output=True, text=True,
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.splitlines()[-1] == "Error: K-Q-5 is bust: it totals 25"
