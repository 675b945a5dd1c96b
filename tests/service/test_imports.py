"""Importing an export: all of it, once, into whatever is there, and summed up as if it had been answered here."""

import shutil
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from sqlalchemy import delete, select, update

from tests.service.history import START, VISITORS, practise
from tests.service.importing import as_upload, exported, import_into, importer_of
from tests.service.kept import made_once
from tests.service.people import GUEST, PASSWORD, decisions_of, sizes
from tests.service.test_recount import assert_counted
from tests.service.together import at_once
from tests.storage.databases import empty_tables
from trainer.drill.plan import Plan
from trainer.service import accounts, imports, own_data, runs
from trainer.service.imports import ImportRefusedError, NoImportError
from trainer.service.preferences import Preferences, load_preferences, save_preferences
from trainer.service.progress import load_progress
from trainer.service.recount import recount
from trainer.service.rule_sets import save_rule_set, saved_rule_sets
from trainer.storage.imports import ImportJob
from trainer.storage.models import CellMemory, Decision, GoalDay, Run, SavedRules, User
from trainer.storage.questions import prune_questions
from trainer.storage.transaction import transaction
from trainer.storage.users import find_user

OTHER, THIRD = VISITORS[1], "c" * 32
GOAL = Preferences(daily_goal=3, theme="dark", time_zone="Pacific/Auckland")
RUN_PLANS = tuple(Plan.from_text(f"mode={mode}&rules={rules}") for mode in ("streak", "sprint")
                  for rules in ("hall-of-thoth", "squarescores"))


@pytest.fixture
def importer(service, tmp_path):
    return importer_of(service, tmp_path / "imports")


def full_history(service, answers=120, seed=1):
    """Months of practice, streaks and sprints, days with a goal, saved rules, settings; the time after."""
    return made_once(("full history", answers, seed), lambda: _full_history(service, answers, seed))


def _full_history(service, answers, seed):
    now, random = practise(service, answers, seed)[1] + timedelta(hours=1), Random(seed)
    for plan in RUN_PLANS:
        runs.start(GUEST, plan, now)
        for position in range(8):
            now += timedelta(seconds=random.choice([1, 3, 20]))
            try:
                hand = service.open_hand(GUEST, plan, position, now)
            except runs.NotRunningError:
                break
            judgement = service.judge(hand.situation)
            move = judgement.exact if random.random() < 0.8 else random.choice(list(judgement.evs))
            service.answer(GUEST, hand.token, move, GOAL, now + timedelta(seconds=1))
        now += timedelta(minutes=5)
    save_rule_set(GUEST, "decks~2.shuffle~hand", "Cellar", now)
    save_preferences(GUEST, GOAL, now)
    return now + timedelta(minutes=1)


def seen(data):
    """What a user sees of an export: all but numbers and open hands."""
    sittings = {None: None} | {each["id"]: each["started_at"] for each in data["sittings"]}
    return {name: value for name, value in data.items() if name not in (
        "exported_at", "account", "open_hands", "sittings", "decisions", "table_decisions",
        "rule_sets")} | {
        "sittings": [{**each, "id": 0} for each in data["sittings"]],
        **{name: [{**each, "sitting": sittings[each["sitting"]]} for each in data[name]]
           for name in ("decisions", "table_decisions")},
    }


def new_database(database):
    """As on another server, where nothing is known."""
    if database.config["SQLALCHEMY_DATABASE_URI"].startswith("postgresql"):
        empty_tables()
        return
    with transaction(writes=True) as connection:
        prune_questions(connection, datetime(9000, 1, 1, tzinfo=UTC))
        connection.execute(delete(User))


@pytest.mark.parametrize("part", [1, 7, 500])
def test_an_export_imported_elsewhere_is_the_same_in_everything_one_sees(
    service, database, importer, monkeypatch, part
):
    monkeypatch.setattr(imports, "PART", part)
    now = full_history(service)
    data, progress = exported(GUEST, now), load_progress(GUEST, "", "all", now.date())
    assert len(data["runs"]) == 4
    assert data["goal_days"]
    assert data["saved_rules"]
    new_database(database)
    assert sizes(User, Decision) == [0, 0]
    done = import_into(importer, THIRD, data, now)
    assert (done.added, done.known) == (len(data["decisions"]), 0)
    assert seen(exported(THIRD, now)) == seen(data)
    assert load_progress(THIRD, "", "all", now.date()).total.sums.times == progress.total.sums.times
    assert [each.name for each in saved_rule_sets(THIRD)] == ["Cellar"]
    assert load_preferences(THIRD) == GOAL
    assert_counted()
    assert list(importer._folder.iterdir()) == []


def test_a_second_import_changes_nothing(service, importer):
    now = full_history(service, 60)
    before = exported(GUEST, now)
    for visitor in (GUEST, THIRD, THIRD):
        import_into(importer, visitor, before, now)
    assert import_into(importer, THIRD, before, now).added == 0
    assert exported(GUEST, now) == before
    copy = seen(exported(THIRD, now))
    assert {each["token"] for each in copy["decisions"]}.isdisjoint(decisions_of(GUEST))
    original = seen(before)
    for data in (copy, original):
        for each in data["decisions"]:
            del each["token"]
    assert copy == original
    assert import_into(importer, THIRD, exported(THIRD, now), now).added == 0
    assert_counted()


@pytest.mark.parametrize("seed", range(3))
def test_into_a_history_of_ones_own_it_merges(service, importer, monkeypatch, seed):
    monkeypatch.setattr(imports, "PART", 13)
    now = full_history(service, 150, seed)
    data, before = exported(GUEST, now), decisions_of(OTHER)
    save_preferences(OTHER, Preferences(theme="light", daily_goal=5), now)
    save_rule_set(OTHER, "decks~4", "cellar", now)
    done = import_into(importer, OTHER, data, now)
    assert done.added == len(data["decisions"])
    assert before < decisions_of(OTHER)
    assert load_preferences(OTHER).theme == "light"
    assert sorted(each.name for each in saved_rule_sets(OTHER)) == ["Cellar 2", "cellar"]
    assert import_into(importer, OTHER, data, now).added == 0
    assert_counted()
    assert not [each for report in recount(None, fix=False) for each in report.differences]


def test_an_earlier_and_a_later_export_come_to_the_later(service, database, importer):
    now = full_history(service, 40)
    first = exported(GUEST, now)
    for turn in range(12):
        now += timedelta(seconds=20)
        hand = service.open_hand(GUEST, Plan.from_text("mode=mixed"), turn, now)
        service.answer(GUEST, hand.token, service.judge(hand.situation).exact, GOAL, now)
    last = exported(GUEST, now)
    for order in ((first, last), (last, first)):
        new_database(database)
        for data in order:
            import_into(importer, THIRD, data, now)
        assert sorted(map(str, seen(exported(THIRD, now))["decisions"])) == sorted(map(str, seen(last)["decisions"]))
        assert seen(exported(THIRD, now))["goal_days"] == last["goal_days"]
        assert_counted()


def test_a_goal_set_in_the_middle_of_a_day_counts_from_there(service, database, importer):
    now = START
    for turn in range(9):
        now += timedelta(seconds=20)
        hand = service.open_hand(GUEST, Plan.from_text("mode=mixed"), turn, now)
        service.answer(GUEST, hand.token, hand.situation.legal[0], Preferences(daily_goal=4 if turn > 5 else 0), now)
    data = exported(GUEST, now)
    assert [(each["goal"], each["hands"]) for each in data["goal_days"]] == [(4, 3)]
    new_database(database)
    for _ in range(2):
        import_into(importer, THIRD, data, now)
        assert exported(THIRD, now)["goal_days"] == data["goal_days"]


def test_an_import_that_broke_off_is_simply_repeated(service, database, importer, monkeypatch):
    monkeypatch.setattr(imports, "PART", 10)
    monkeypatch.setattr(imports, "STEP_SECONDS", 0.0)
    now = full_history(service, 100)
    data = exported(GUEST, now)
    new_database(database)
    importer.begin(THIRD, as_upload(data), now)
    for _ in range(3):
        progress = importer.step(THIRD, now)
    assert (progress.done, progress.added, progress.is_over) == (30, 30, False)
    assert_counted()
    importer.stop(THIRD)
    with pytest.raises(NoImportError):
        importer.step(THIRD, now)
    done = import_into(importer, THIRD, data, now)
    assert done.known == 30
    assert seen(exported(THIRD, now)) == seen(data)
    assert_counted()


def test_a_part_that_fails_leaves_nothing(service, importer, monkeypatch):
    now = full_history(service, 60)
    data, before = exported(GUEST, now), sizes(Decision, CellMemory, GoalDay, Run, SavedRules)
    importer.begin(THIRD, as_upload(data), now)

    def fail(*_):
        raise RuntimeError("half-way")

    with monkeypatch.context() as patched:
        patched.setattr("trainer.storage.importing.add_goal_days", fail)
        with pytest.raises(RuntimeError):
            importer.step(THIRD, now)
    assert sizes(Decision, CellMemory, GoalDay, Run, SavedRules) == before
    while not importer.step(THIRD, now).is_over:
        pass
    assert len(decisions_of(THIRD)) == len(data["decisions"])
    assert_counted()


def test_answers_in_the_midst_of_an_import_and_steps_from_two_tabs(service, database, importer, monkeypatch):
    monkeypatch.setattr(imports, "PART", 9)
    monkeypatch.setattr(imports, "STEP_SECONDS", 0.0)
    now = full_history(service, 120)
    data = exported(OTHER, now)
    importer.begin(GUEST, as_upload(data), now)
    for turn in range(80):
        then = now + timedelta(seconds=5 * turn)
        hand = service.open_hand(GUEST, Plan.from_text("mode=mixed"), turn, then)

        def step(then=then):
            try:
                return importer.step(GUEST, then).is_over
            except NoImportError:
                return True

        def answer(hand=hand, then=then):
            return service.answer(GUEST, hand.token, hand.situation.legal[0], Preferences(), then).is_new

        done = at_once(database, [step, step, answer])
        assert done[2]
        if all(done):
            break
    assert importer.running(GUEST) is None
    assert {each["token"] for each in data["decisions"]}.isdisjoint(decisions_of(GUEST))
    assert len(decisions_of(GUEST)) >= len(data["decisions"])
    assert_counted()


def test_one_import_at_a_time_and_none_is_forgotten_for_long(service, importer, monkeypatch):
    now = full_history(service, 40)
    data = as_upload(exported(GUEST, now)).read()
    importer.begin(THIRD, as_upload(data), now)
    with pytest.raises(ImportRefusedError, match="under way"):
        importer.begin(THIRD, as_upload(data), now)
    monkeypatch.setattr(imports, "MOST_AT_A_TIME", 1)
    with pytest.raises(ImportRefusedError, match="Many people"):
        importer.begin(OTHER, as_upload(data), now)
    importer.begin(OTHER, as_upload(data), now + timedelta(days=1, seconds=1))
    assert importer.running(THIRD) is None
    assert len(list(importer._folder.iterdir())) == 1
    monkeypatch.setattr(imports, "_ORPHAN_SECONDS", -1.0)
    importer.stop(OTHER)
    (importer._folder / ("d" * 32)).mkdir()
    importer.prune(now)
    assert list(importer._folder.iterdir()) == []


@pytest.mark.parametrize("end", ["stop", "prune", "merge", "delete"])
def test_whatever_ends_an_import_the_sums_are_those_of_the_history(service, importer, monkeypatch, end):
    monkeypatch.setattr(imports, "PART", 20)
    monkeypatch.setattr(imports, "STEP_SECONDS", 0.0)
    now = full_history(service, 150)
    importer.begin(OTHER, as_upload(exported(GUEST, now)), now)
    importer.step(OTHER, now)
    with transaction() as connection:
        assert connection.execute(select(ImportJob.stale)).scalar_one() != "[]"
    if end == "stop":
        importer.stop(OTHER)
    elif end == "prune":
        importer.prune(now + timedelta(days=2))
    elif end == "merge":
        accounts.register(None, "Ada", PASSWORD, now)
        accounts.log_in(OTHER, "Ada", PASSWORD, now)
    else:
        own_data.delete_history(OTHER)
    assert sizes(ImportJob) == [0]
    assert_counted()


def test_a_folder_that_is_gone_ends_the_import(service, importer):
    now = full_history(service, 20)
    importer.begin(THIRD, as_upload(exported(GUEST, now)), now)
    shutil.rmtree(importer._folder)
    with pytest.raises(NoImportError):
        importer.step(THIRD, now)
    assert sizes(ImportJob) == [0]


def test_who_leaves_in_the_midst_of_a_step_is_not_made_again(service, importer, monkeypatch):
    now = full_history(service, 20)
    importer.begin(THIRD, as_upload(exported(GUEST, now)), now)
    judge_lines = imports.judge_lines

    def leave_and_judge(*given):
        with transaction(writes=True) as connection:
            connection.execute(delete(User).where(User.visitor == THIRD))
        return judge_lines(*given)

    monkeypatch.setattr(imports, "judge_lines", leave_and_judge)
    with pytest.raises(NoImportError):
        importer.step(THIRD, now)
    with transaction() as connection:
        assert find_user(connection, THIRD) is None


def test_two_people_import_the_same_file_at_once(service, database, importer):
    now = full_history(service, 60)
    data = exported(GUEST, now)
    new_database(database)
    at_once(database, [lambda visitor=visitor: import_into(importer, visitor, data, now) for visitor in (OTHER, THIRD)])
    assert len(decisions_of(OTHER)) == len(decisions_of(THIRD)) == len(data["decisions"])
    assert_counted()


def test_false_figures_in_a_file_come_to_nothing(service, database, importer):
    now = full_history(service, 60)
    data = exported(GUEST, now)
    true = seen(data)
    changed = exported(GUEST, now)
    for each in changed["decisions"]:
        each |= {"evs": dict.fromkeys(each["evs"], 9.0), "ev_cost": 0.0, "is_right": True, "chart_move": each["chosen"],
                 "exact_move": each["chosen"], "category": "hard", "row": 5, "legal": ["hit"]}
    for each in changed["runs"]:
        each |= {"answers": 99, "right": 99, "score": 999.0}
    for each in changed["sittings"]:
        each |= {"hands": 99, "right": 99, "streak": 99, "ev_lost": 0.0}
    for each in changed["goal_days"]:
        each["hands"] = 999
    for each in changed["memories"]:
        each |= {"run": 99, "stability": 99.0}
    new_database(database)
    import_into(importer, THIRD, changed, now)
    found = seen(exported(THIRD, now))
    for name in ("decisions", "runs", "sittings", "memories"):
        assert found[name] == true[name], name
    per_day = {}
    for each in data["decisions"]:
        per_day[each["day"]] = per_day.get(each["day"], 0) + 1
    assert all(each["hands"] <= per_day[each["day"]] for each in found["goal_days"])
    assert_counted()


def test_the_first_version_is_read(service, database, importer):
    now = full_history(service, 40)
    data = exported(GUEST, now)
    old = {name: value for name, value in data.items() if name not in ("memories", "runs", "goal_days", "saved_rules")}
    old["version"] = 1
    for each in (*old["decisions"], *old["open_hands"]):
        del each["kind"]
    new_database(database)
    import_into(importer, THIRD, old, now)
    assert [{**each, "kind": ""} for each in seen(data)["decisions"]] == seen(exported(THIRD, now))["decisions"]
    assert_counted()


@pytest.mark.parametrize("end", ["history", "guest"])
def test_what_is_deleted_is_gone_from_every_table(service, importer, end):
    now = full_history(service, 40)
    importer.begin(GUEST, as_upload(exported(GUEST, now)), now)
    with transaction() as connection:
        owner = connection.execute(select(User.id).where(User.visitor == GUEST)).scalar_one()
    tables = (Decision, CellMemory, GoalDay, Run, ImportJob)
    assert all(owner in owners(table) for table in (*tables, SavedRules))
    if end == "history":
        own_data.delete_history(GUEST)
    else:
        with transaction(writes=True) as connection:
            connection.execute(update(User).values(last_seen_at=now - timedelta(days=2)).where(User.id == owner))
        assert own_data.prune(now, timedelta(days=1)) == (1, 0)
    assert not [table for table in tables if owner in owners(table)]
    assert (owner in owners(SavedRules)) == (end == "history")
    if end == "history":
        data = exported(GUEST, now)
        assert [data[name] for name in ("decisions", "memories", "runs", "goal_days", "sittings")] == [[]] * 5
        assert [each["name"] for each in data["saved_rules"]] == ["Cellar"]


def owners(table):
    with transaction() as connection:
        return set(connection.execute(select(table.user_id)).scalars())
