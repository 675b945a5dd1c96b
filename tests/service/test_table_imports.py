"""Importing what was decided at tables and in hands played out, in turn with what was drilled."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from tests.service.history import START, VISITORS
from tests.service.importing import exported, import_into, importer_of
from tests.service.people import GUEST, decisions_of
from tests.service.played import Evening
from tests.service.test_imports import new_database, seen
from tests.service.test_recount import assert_counted
from trainer.drill.mistake_filter import MistakeFilter
from trainer.engine.rules import Rules
from trainer.service import imports
from trainer.service.mistakes import COSTLIEST, NEWEST, page_of_mistakes, query_of
from trainer.service.progress import load_progress
from trainer.service.recount import recount
from trainer.storage.models import Decision, User
from trainer.storage.transaction import transaction

OTHER, THIRD = VISITORS[1], "c" * 32
TURNS = 28


@pytest.fixture
def importer(service, tmp_path):
    return importer_of(service, tmp_path / "imports")


def differences():
    return [each for report in recount(None, fix=False) for each in report.differences]


def rows_of(visitor):
    """Everything that is stored of a visitor's decisions, but numbers that the database gave."""
    with transaction() as connection:
        found = connection.execute(select(Decision).join(User, User.id == Decision.user_id).where(
            User.visitor == visitor).order_by(Decision.created_at, Decision.token)).mappings()
        return [{name: value for name, value in row.items() if name not in ("id", "user_id", "session_id",
                                                                            "rule_set_id")} for row in found]


def mistakes_of(visitor):
    """What the lists of mistakes begin with, in both orders."""
    pages = [page_of_mistakes(visitor, query_of(MistakeFilter(), "", order)) for order in (NEWEST, COSTLIEST)]
    return [[(each.token, each.situation, each.evs, each.ev_cost) for each in page.mistakes] for page in pages]


def assert_mixed(data):
    """Every kind of decision that a table has must be there, lest nothing is shown by what follows."""
    played, insured = data["table_decisions"], [each for each in data["decisions"] if each["mode"] == "table"]
    legal = {(each["mode"], tuple(each["legal"])) for each in played}
    assert {("table", ("surrender", "decline")), ("play-it-out", ("surrender", "decline")), ("table", ("stand", "hit")),
            ("table", ("stand", "hit", "double", "split", "surrender")), ("table", ("stand", "split")),
            ("play-it-out", ("stand", "hit", "double", "split"))} <= legal
    assert {each["sitting"] is None for each in played if each["mode"] == "table"} == {True}
    assert {each["sitting"] is None for each in played if each["mode"] != "table"} == {False}
    assert {each["is_hinted"] for each in played} == {each["is_right"] for each in played} == {True, False}
    assert max(len(each["seen"]) for each in played) > 80
    assert any(len(each["evs"]) == 2 and each["chosen"] == "insure" and 0 < each["ev_cost"] < -each["evs"]["insure"] / 2
               for each in insured)
    assert any(each["cards"][::2] in ("KA", "AK") for each in insured)
    assert {each["mode"] for each in data["decisions"]} >= {"table", "play-it-out", "mixed", "insurance", "focus"}
    assert {data["rule_sets"][each["rules"]]["surrender"] for each in played} == {"none", "early"}
    times = [each["answered_at"] for name in ("decisions", "table_decisions") for each in data[name]]
    assert times != sorted(times)


@pytest.mark.parametrize("part", [7, 500])
def test_what_was_played_and_drilled_in_turn_is_the_same_elsewhere(service, database, importer, monkeypatch, part):
    monkeypatch.setattr(imports, "PART", part)
    evening = Evening(service, GUEST, START, daily_goal=5, time_zone="Pacific/Auckland").play(TURNS)
    data, before = exported(GUEST, evening.now), (rows_of(GUEST), mistakes_of(GUEST))
    assert_mixed(data)
    progress = load_progress(GUEST, "", "all", evening.now.date())
    new_database(database)
    done = import_into(importer, THIRD, data, evening.now)
    assert (done.total, done.added, done.known) == (len(before[0]), len(before[0]), 0)
    assert seen(exported(THIRD, evening.now)) == seen(data)
    assert (rows_of(THIRD), mistakes_of(THIRD)) == before
    assert load_progress(THIRD, "", "all", evening.now.date()).total.sums.times == progress.total.sums.times
    assert_counted()
    assert differences() == []
    again = import_into(importer, THIRD, exported(THIRD, evening.now), evening.now)
    assert (again.added, again.known) == (0, len(before[0]))
    assert seen(exported(THIRD, evening.now)) == seen(data)
    assert_counted()


def test_a_second_import_changes_nothing(service, importer):
    evening = Evening(service, GUEST, START, daily_goal=5).play(9)
    before = exported(GUEST, evening.now)
    for visitor in (GUEST, THIRD, THIRD):
        import_into(importer, visitor, before, evening.now)
    assert exported(GUEST, evening.now) == before
    copy, original = seen(exported(THIRD, evening.now)), seen(before)
    for data in (copy, original):
        for each in (*data["decisions"], *data["table_decisions"]):
            del each["token"]
    assert copy == original
    assert_counted()


def test_into_an_evening_of_ones_own_it_merges(service, importer, monkeypatch):
    monkeypatch.setattr(imports, "PART", 13)
    evenings = [Evening(service, visitor, START + timedelta(hours=hours), seed, daily_goal=3).play(14)
                for visitor, hours, seed in ((GUEST, 0, 1), (OTHER, 5, 2))]
    now = max(evening.now for evening in evenings)
    data, before, rows = exported(GUEST, now), decisions_of(OTHER), rows_of(OTHER)
    assert import_into(importer, OTHER, data, now).added == len(data["decisions"]) + len(data["table_decisions"])
    after = rows_of(OTHER)
    assert len(after) == len(before) + len(rows_of(GUEST))
    assert [row for row in after if row["token"] in before] == rows
    assert import_into(importer, OTHER, data, now).added == 0
    assert_counted()
    assert differences() == []
    hands = [{each["day"]: each["hands"] for each in found["goal_days"]}
             for found in (data, exported(OTHER, now))]
    assert sum(hands[1].values()) == len(after)
    assert all(hands[1][day] >= count for day, count in hands[0].items())


def test_a_goal_set_in_the_middle_of_an_evening_counts_from_there_at_tables_and_in_the_drill(
    service, database, importer
):
    evening = Evening(service, GUEST, START, pauses=(2, 10)).play(3)
    without = len(decisions_of(GUEST))
    evening.preferences = type(evening.preferences)(daily_goal=4)
    files = [exported(GUEST, evening.play(2).now) for _ in range(2)]
    last, (day,) = len(decisions_of(GUEST)), files[-1]["goal_days"]
    assert (day["goal"], day["hands"]) == (4, last - without)
    assert day["day"] == START.date().isoformat() == evening.now.date().isoformat()
    for order in (files[1:], files, files[::-1]):
        new_database(database)
        for data in (*order, *order):
            import_into(importer, THIRD, data, evening.now)
        assert exported(THIRD, evening.now)["goal_days"] == [day]
        assert_counted()


def test_false_figures_come_to_nothing_and_what_is_believed_has_its_consequences(service, database, importer):
    evening = Evening(service, GUEST, START).play(TURNS // 2)
    data = exported(GUEST, evening.now)
    true = seen(data)
    false = exported(GUEST, evening.now)
    for each in false["table_decisions"]:
        each |= {"ev_cost": 0.0, "is_right": True, "exact_move": each["chosen"], "category": "hard", "row": 5}
        if "decline" not in each["legal"]:
            each["chart_move"] = each["chosen"]
    for each in false["decisions"]:
        if each["mode"] == "table":
            is_part = data["rule_sets"][each["rules"]]["insurance"] == "up-to-half" and each["chosen"] == "insure"
            each |= {"evs": {"hit": 9.0}, "legal": [], "is_right": True, "exact_move": "x",
                     "ev_cost": each["ev_cost"] if is_part else 0.0}
    new_database(database)
    import_into(importer, THIRD, false, evening.now)
    found = seen(exported(THIRD, evening.now))
    assert {name: found[name] for name in found if name != "settings"} == {
        name: true[name] for name in true if name != "settings"}
    for each in data["table_decisions"]:
        each["evs"] = {word: -0.5 if word == "surrender" else max(-1.0, min(ev, 1.0))
                       for word, ev in zip(each["legal"], reversed(each["evs"].values()), strict=True)}
    new_database(database)
    import_into(importer, THIRD, data, evening.now)
    for each in exported(THIRD, evening.now)["table_decisions"]:
        best = max(each["evs"].values())
        assert each["evs"][each["exact_move"]] == best
        assert each["ev_cost"] == best - each["evs"][each["chosen"]]
        assert each["is_right"] == (each["ev_cost"] == 0 or (
            each["grading"] == "chart" and each["chosen"] == each["chart_move"]))
    assert_counted()


@pytest.mark.parametrize("with_list", [False, True])
def test_a_file_from_before_there_were_tables_is_read(service, database, importer, with_list):
    evening = Evening(service, GUEST, START).play(5)
    data = exported(GUEST, evening.now)
    old = {name: value for name, value in data.items() if name != "table_decisions"}
    old["decisions"] = [each for each in data["decisions"] if each["mode"] not in ("table", "play-it-out")]
    new_database(database)
    done = import_into(importer, THIRD, {**old, "table_decisions": []} if with_list else old, evening.now)
    assert done.total == done.added == len(old["decisions"]) > 0
    assert_counted()


def test_a_list_of_tables_before_that_of_the_drill_comes_to_the_same(service, database, importer):
    evening = Evening(service, GUEST, START, daily_goal=3).play(5)
    data = exported(GUEST, evening.now)
    turned = {name: data[name] for name in ("format", "version", "table_decisions", "rule_sets", "decisions")} | data
    assert list(turned) != list(data)
    new_database(database)
    import_into(importer, THIRD, turned, evening.now)
    assert seen(exported(THIRD, evening.now)) == seen(data)


def test_early_surrender_by_the_chart_may_hang_on_chips_for_a_split(service, database, importer):
    """A pair without the chips to split it is looked up as its total; which of both it was only the file can tell."""
    evening = Evening(service, GUEST, START).play(7)
    data = exported(GUEST, evening.now)
    each = next(each for each in data["table_decisions"] if each["legal"] == ["surrender", "decline"])
    rules = Rules(decks=1, surrender="early")
    assert rules.can_split_rank(8)
    data["rule_sets"]["one deck"] = rules.to_dict()
    data["decisions"], data["table_decisions"] = [], [each]
    found = {}
    for cards in ("8s8h", "Ts6h"):
        for move in ("surrender", "decline", "stand", "x"):
            each |= {"rules": "one deck", "cards": cards, "upcard": "Td", "seen": "", "chart_move": move}
            new_database(database)
            import_into(importer, THIRD, data, evening.now)
            found[cards, move], = (row["chart_move"] for row in rows_of(THIRD))
    assert found == {
        ("8s8h", "surrender"): "surrender", ("8s8h", "decline"): "decline", ("8s8h", "stand"): "decline",
        ("8s8h", "x"): "decline", **{("Ts6h", move): "surrender" for move in ("surrender", "decline", "stand", "x")}}
