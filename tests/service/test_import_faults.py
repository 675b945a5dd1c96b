"""Files that are no export, or were made to do harm: each is refused, its fault is named, and nothing is left of it."""

import json
import re
from copy import deepcopy
from datetime import timedelta

import pytest

from app import create_app
from tests.service.history import VISITORS, practise
from tests.service.importing import as_upload, exported, import_into, importer_of
from tests.service.people import GUEST, decisions_of, sizes
from tests.service.test_recount import assert_counted
from trainer.config import Settings
from trainer.drill.plan import Plan
from trainer.engine.presets import RULE_SETS
from trainer.service.imports import ImportFaultError
from trainer.service.preferences import Preferences
from trainer.service.rule_sets import save_rule_set
from trainer.storage.database import db
from trainer.storage.imports import ImportJob
from trainer.storage.models import Decision, PracticeSession, Tally, User
from trainer.storage.questions import drop_questions
from trainer.storage.transaction import transaction

OTHER, THIRD = VISITORS[1], "c" * 32
LONG, HUGE = "x" * 10**6, 10**400
LISTS = ("decisions", "sittings", "runs", "goal_days", "saved_rules", "memories")
JUNK = [None, True, -1, 1.5, HUGE, 1e300, "", "x", LONG, "\x00", "\ud800", [], [1], {}, {"a": {}}, [[[[]]]]]


@pytest.fixture
def database(instance):
    """One kind of database will do: what is refused does not come as far as that."""
    app = create_app({"SETTINGS": Settings(instance, secret_key="test")})
    with app.app_context():
        yield app
        db.engine.dispose()


@pytest.fixture
def importer(service, tmp_path):
    return importer_of(service, tmp_path / "imports")


@pytest.fixture
def now(service):
    later = practise(service, 30)[1] + timedelta(minutes=1)
    save_rule_set(GUEST, "decks~2", "Cellar", later)
    return later


@pytest.fixture
def data(now):
    found = exported(GUEST, now)
    found["runs"] = [{"mode": "streak", "strategy": "a" * 16, "started_at": now.isoformat(), "is_ended": True,
                      "answers": 0, "right": 0, "score": 0.0}]
    found["goal_days"] = [{"day": "2031-01-16", "goal": 5, "hands": 2}]
    found["settings"] = {"theme": "dark", "bet_unit": 5, "rules": "classic", "time_zone": "Asia/Tokyo"}
    return found


def dumped(data):
    """As JSON, numbers of any size spelled out."""
    return json.dumps(data).encode()


def fault_of(importer, data, now):
    """What an import is refused with; nothing may be left of it."""
    before = sizes(Decision, User, PracticeSession, Tally)
    with pytest.raises(ImportFaultError) as caught:
        import_into(importer, THIRD, data, now)
    assert sizes(Decision, User, PracticeSession, Tally) in (before, [before[0], before[1] + 1, *before[2:]])
    assert sizes(ImportJob) == [0]
    assert not decisions_of(THIRD)
    assert list(importer._folder.iterdir()) == []
    assert len(str(caught.value)) < 400
    assert str(caught.value).encode("ascii")
    return caught.value


def refusal(importer, data, now):
    """What an upload is refused with, if it is."""
    try:
        importer.begin(THIRD, as_upload(dumped(data)), now)
    except ImportFaultError as error:
        return error
    importer.stop(THIRD)
    return None


RAW = [
    b"", b"{", b"[]", b"null", b"1", b'"x"', b"{}", b"\xff\xfe", b"\x00" * 100, b"[" * 10**6, b'{"a":' * 10**5,
    b'{"format":"blackjack-trainer","version":2', b'{"format":"blackjack-trainer","version":2}',
    b'{"format":"blackjack-trainer","version":2,"decisions":' + b"[" * 10**6,
    b'{"format":"blackjack-trainer","version":2,"decisions":[' + b'{"a":' * 10**5,
    b'{"format":"blackjack-trainer","version":2,"unknown":' + b"[" * 10**5,
    b'{"format":"blackjack-trainer","version":2,"rule_sets":{' + b",".join(b'"%d":{}' % n for n in range(999)) + b"}}",
    b'{"format":"blackjack-trainer","version":2,"decisions":[' + b"9" * 10**5 + b"]}",
    b'{"format":"blackjack-trainer","version":2,"decisions":[NaN]}',
    b'{"format":"blackjack-trainer","version":' + b"9" * 10**5 + b"}",
    b'{"format":"' + LONG.encode() + b'","version":2}', b'{"' + LONG.encode() + b'":1}',
    b'{"format":"blackjack-trainer","version":2,"format":"blackjack-trainer"}', b"PK\x03\x04", b"a,b\n1,2\n",
]


def test_what_is_no_export_is_refused(importer, now):
    for raw in RAW:
        assert fault_of(importer, raw, now).place, raw[:80]


def test_another_version_is_not_read(importer, data, now):
    for version in (0, 3, "2", 2.5, True, None, [2], {"2": 2}, HUGE):
        assert fault_of(importer, dumped({**data, "version": version}), now).place in ("version", "The file")


def test_cut_off_anywhere_it_is_refused(importer, data, now):
    text = dumped(data)
    for length in range(1, len(text), len(text) // 40):
        assert fault_of(importer, text[:length], now)
    assert fault_of(importer, text + b"x", now)


@pytest.mark.parametrize("name", LISTS)
def test_a_wrong_value_anywhere_names_its_place(importer, data, now, name):
    """Of every field of every kind of record; what happens to be allowed must still agree with a recount."""
    record = data[name][-1]
    for each in record:
        for junk in JUNK:
            changed = deepcopy(data)
            changed[name][-1][each] = junk
            error = refusal(importer, changed, now)
            places = rf"{name}\[{len(data[name]) - 1}\]|The file|decisions\[\d+\]"
            assert error is None or re.match(places, error.place), (each, junk)
        changed = deepcopy(data)
        del changed[name][-1][each]
        if (name, each) not in {("decisions", "kind")}:
            assert fault_of(importer, changed, now).place.startswith((f"{name}[", "decisions[")), each


def test_a_section_of_another_kind_is_refused(importer, data, now):
    for name in (*LISTS, "open_hands", "rule_sets", "settings", "paces", "account"):
        for junk in ("x", 5, True, [5], ["x"], [[[]]], {"x": 5}):
            error = refusal(importer, {**data, name: junk}, now)
            if name in ("settings", "paces") and isinstance(junk, dict):  # what is unknown is passed by
                assert error is None
            else:
                assert error.place.startswith((name, "decisions", "saved_rules")), (name, junk)


WRONG = [
    ("token", "x"), ("token", "!" * 22), ("plan", "mode=nonsense"), ("plan", "mode=insurance"), ("mode", "nonsense"),
    ("kind", "nonsense"), ("grading", "luck"), ("sitting", 10**9), ("rules", "nothing"), ("position", -1),
    ("position", 2**40), ("time_ms", 60_001), ("time_ms", None), ("is_hinted", True), ("day", "2031-02-30"),
    ("day", "2001-01-01"), ("day", "20310101"), ("answered_at", "2999-01-01T00:00:00+00:00"),
    ("answered_at", "2031-01-16T00:00:00"), ("answered_at", "1999-12-31T23:59:59+00:00"),
    ("answered_at", "0001-01-01T00:00:00+23:59"), ("answered_at", "9999-12-31T23:59:59-23:59"),
    ("answered_at", "yesterday"),
]
IMPOSSIBLE = [
    {"cards": ""}, {"cards": "Ts"}, {"cards": "TsJsAh"}, {"cards": "TsTs6h"}, {"cards": "Ts9sTh5d"}, {"cards": "zz"},
    {"cards": "AsKd"}, {"upcard": ""}, {"upcard": "1s"}, {"upcard": "2s"}, {"chosen": "insure"}, {"chosen": "split"},
    {"chosen": "nonsense"}, {"chosen": ""}, {"tens_left": 4}, {"cards_left": 4}, {"tens_left": 999, "cards_left": 999},
    {"tens_left": 15, "cards_left": 48}, {"tens_left": 15, "cards_left": 48, "upcard": "As", "chosen": "insure"},
]


def test_a_decision_that_cannot_be_is_named(importer, data, now):
    place = next(index for index, each in enumerate(data["decisions"])
                 if not each["is_hinted"] and each["mode"] != "insurance")
    for name, value in WRONG:
        changed = deepcopy(data)
        changed["decisions"][place][name] = value
        assert fault_of(importer, changed, now).place.startswith(f"decisions[{place}]."), (name, value)


def test_a_hand_that_cannot_be_is_named_and_nothing_of_its_part_is_kept(importer, data, now):
    data["rule_sets"]["one deck"] = RULE_SETS["squarescores"].to_dict()
    data["decisions"][5] |= {
        "cards": "2s5h", "upcard": "9d", "tens_left": None, "cards_left": None, "chosen": "hit", "mode": "mixed",
        "rules": "one deck", "plan": "rules=squarescores&mode=mixed"}
    for changes in IMPOSSIBLE:
        changed = deepcopy(data)
        changed["decisions"][5] |= changes
        assert fault_of(importer, changed, now).place.startswith("decisions[5]."), changes
    assert import_into(importer, THIRD, data, now).added == len(data["decisions"])


def test_what_came_before_the_fault_is_kept_and_counted(importer, data, now, monkeypatch):
    monkeypatch.setattr("trainer.service.imports.PART", 5)
    data["decisions"][12]["chosen"] = "nonsense"
    with pytest.raises(ImportFaultError) as caught:
        import_into(importer, THIRD, data, now)
    assert (caught.value.place, caught.value.kept) == ("decisions[12].chosen", 10)
    assert len(decisions_of(THIRD)) == 10
    assert_counted()


def test_a_token_twice_in_a_file_is_one_decision(importer, data, now):
    count = len(data["decisions"])
    data["decisions"] += [{**each, "cards": "2s5h", "upcard": "9d", "chosen": "nonsense"} for each in data["decisions"]]
    assert import_into(importer, GUEST, data, now).added == 0
    doubled = [*data["decisions"][:count]] * 2
    assert import_into(importer, THIRD, {**data, "decisions": doubled}, now).added == count
    assert_counted()


def test_somebody_elses_tokens_take_nothing_from_them(service, importer, data, now):
    """Neither their answers nor a hand that they have open; and the one who imports gets the same ones each time."""
    before = exported(GUEST, now)
    hand = service.open_hand(OTHER, Plan.from_text("mode=mixed"), 0, now)
    data["decisions"][0]["token"] = hand.token
    for _ in range(2):
        import_into(importer, THIRD, data, now)
    tokens = decisions_of(THIRD)
    assert len(tokens) == len(data["decisions"])
    assert tokens.isdisjoint({hand.token, *decisions_of(GUEST)})
    assert exported(GUEST, now) == before
    assert service.answer(OTHER, hand.token, hand.situation.legal[0], Preferences(), now).is_new
    with transaction(writes=True) as connection:
        drop_questions(connection, OTHER)
    assert import_into(importer, THIRD, data, now).added == 0
    assert decisions_of(THIRD) == tokens
    assert_counted()


def test_fields_and_sections_that_are_unknown_are_passed_by(importer, data, now):
    data["decisions"][0]["later"] = {"x": 1}
    data |= {"later": {"deep": [[[[[1]]]]], "long": [1] * 1000}}
    data["settings"]["later"] = "x"
    assert import_into(importer, THIRD, data, now).added == len(data["decisions"])
