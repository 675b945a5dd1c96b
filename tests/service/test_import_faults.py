"""Files that are no export, or were made to do harm: each is refused, its fault is named, and nothing is left of it."""

import json
import re
from copy import deepcopy
from datetime import timedelta

import pytest

from app import create_app
from tests.service.history import START, VISITORS, practise
from tests.service.importing import as_upload, exported, import_into, importer_of
from tests.service.people import GUEST, decisions_of, sizes
from tests.service.stacked import CHIP, Guest, Stacked
from tests.service.test_recount import assert_counted
from trainer.config import Settings
from trainer.drill.plan import Plan
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules
from trainer.service import own_data
from trainer.service.imports import ImportFaultError
from trainer.service.playout import PlayOutService, seat_key
from trainer.service.preferences import Preferences
from trainer.service.rule_sets import save_rule_set
from trainer.service.seat_keeping import Asked
from trainer.service.tables import TableService
from trainer.storage.database import db
from trainer.storage.imports import ImportJob
from trainer.storage.models import Decision, PracticeSession, Tally, User
from trainer.storage.questions import drop_questions
from trainer.storage.transaction import transaction

OTHER, THIRD = VISITORS[1], "c" * 32
LONG, HUGE = "x" * 10**6, 10**400
LISTS = ("decisions", "table_decisions", "sittings", "runs", "goal_days", "saved_rules", "memories")
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
    play(service, START - timedelta(days=1))
    later = practise(service, 30)[1] + timedelta(minutes=1)
    save_rule_set(GUEST, "decks~2", "Cellar", later)
    return later


def play(service, now):
    """A hand after a split and two beside it, one that was insured, at a table; one that was played out."""
    dice = Stacked()
    guest = Guest(TableService(service._strategies, dice), dice, GUEST, "live-casino")
    guest.now = now
    guest.sit().bet(10, cards="8 6 8 T 3 T 9").say("split", "hit", "stand")
    guest.service.leave(GUEST, guest.key, now)
    guest.sit().bet(100, cards="T A 9 7").say("insure", amount=40 * CHIP).say("stand")
    playout = PlayOutService(service._strategies, Stacked())
    plan = Plan.from_text("mode=play-it-out&rows=h16&upcards=T")
    state = playout.next_hand(GUEST, plan, 0, now)
    playout.answer(GUEST, seat_key(plan), Asked(1, state.view.step), 0, "stand", None, Preferences(), now)


def both(data):
    """Every decision of a file."""
    return [*data["decisions"], *data["table_decisions"]]


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
            places = rf"{name}\[{len(data[name]) - 1}\]|The file|(table_)?decisions\[\d+\]"
            assert error is None or re.match(places, error.place), (each, junk)
        changed = deepcopy(data)
        del changed[name][-1][each]
        if each != "kind":
            assert fault_of(importer, changed, now).place.startswith(
                (f"{name}[", "decisions[", "table_decisions[")), each


def test_a_section_of_another_kind_is_refused(importer, data, now):
    for name in (*LISTS, "open_hands", "rule_sets", "settings", "paces", "account"):
        for junk in ("x", 5, True, [5], ["x"], [[[]]], {"x": 5}):
            error = refusal(importer, {**data, name: junk}, now)
            if name in ("settings", "paces") and isinstance(junk, dict):  # what is unknown is passed by
                assert error is None
            else:
                assert error.place.startswith((name, "decisions", "table_decisions", "saved_rules")), (name, junk)


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
                 if not each["is_hinted"] and each["category"] != "insurance")
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
    assert import_into(importer, THIRD, data, now).added == len(both(data))


# Of a hand 8-8 that may be split, at a table.
WRONG_AT_TABLE = [
    ("token", "x"), ("mode", "mixed"), ("mode", "streak"), ("mode", "insurance"), ("mode", "play-it-out"),
    ("plan", "mode=focus"), ("plan", "mode=play-it-out"), ("sitting", 1), ("tens_left", 4), ("cards_left", 4),
    ("seen", None), ("seen", 5), ("seen", "x" * 833), ("seen", ["8s"]), ("legal", ["stand", "stand", "hit"]),
    ("legal", ["insure", "decline"]), ("legal", ["x"]), ("legal", [""]), ("evs", {}), ("evs", {"stand": 0.5}),
    ("evs", {"stand": 0.5, "hit": 0.5, "split": 0.5, "double": 0.5}), ("evs", {"stand": "x", "hit": 0.5, "split": 0.5}),
    ("evs", {"stand": 1e301, "hit": 0.5, "split": 0.5}), ("ev_cost", None), ("chart_move", "x" * 13),
    ("time_ms", None), ("grading", "luck"), ("answered_at", "2999-01-01T00:00:00+00:00"),
]
ALL = {"stand": -0.4, "hit": -0.4, "double": -0.5, "split": -0.2, "surrender": -0.5, "decline": -0.4}
NO_ACES = "".join(face + suit for face in "23456789TJQK" for suit in "shdc")
# With them all cards but aces are out of six decks; after a look under the ten none of these can be the hole card.
BUT_ACES = {"cards": "2s3h", "upcard": "Td", "rules": "full",
            "seen": NO_ACES * 5 + NO_ACES.replace("2s", "").replace("3h", "").replace("Td", "")}


def offered(*words, **evs):
    return {"legal": list(words), "evs": {word: ALL[word] for word in words} | evs, "chosen": words[0]}


IMPOSSIBLE_AT_TABLE = [
    ("cards", {"cards": "8s"}), ("cards", {"cards": "zz"}), ("cards", {"cards": "Ts5h6d"}),
    ("cards", {"cards": "AsKd"}), ("cards", {"cards": "8s" * 2, "rules": "one deck"}), ("cards", {"upcard": "1s"}),
    ("seen", {"seen": "zz"}), ("seen", {"seen": "6s" * 7}), ("seen", {"seen": "8hTsTsTs" * 3}),
    ("seen", {"seen": "8h" * 32}), ("legal", offered("stand")), ("legal", offered("stand", "double")),
    ("legal", offered("stand", "hit", "double")), ("legal", offered("hit", "stand", "split")),
    ("legal", offered("stand", "hit", "split", "surrender")), ("legal", offered("surrender", "decline")),
    ("legal", offered("stand", "hit", "split") | {"cards": "8s9h"}), ("legal", {"legal": [], "evs": {}}),
    ("evs", offered("stand", "hit", "split", stand=1.1)), ("evs", offered("stand", "hit", "split", hit=-1.1)),
    ("evs", offered("stand", "hit", "split", split=2.1)), ("evs", offered("stand", "hit", "split", split=-2.1)),
    ("evs", offered("stand", "hit", "split", stand=1e300)),
    ("evs", offered("stand", "hit", "double", double=2.1) | {"cards": "6s5h"}),
    ("evs", offered("surrender", "decline", surrender=-0.4) | {"rules": "early", "upcard": "Td"}),
    ("evs", offered("surrender", "decline", decline=9.0) | {"rules": "early", "upcard": "Td"}),
    ("legal", offered("surrender", "decline") | {"rules": "early"}),  # a six up is not looked under
    ("chosen", {"chosen": "double"}), ("chosen", {"chosen": "insure"}), ("chosen", {"chosen": ""}),
    ("seen", offered("stand", "hit") | BUT_ACES),
]


def test_a_decision_at_a_table_that_cannot_be_is_named(importer, data, now):
    assert (data["table_decisions"][0]["cards"][::2], data["table_decisions"][0]["legal"]) == (
        "88", ["stand", "hit", "split"])
    for name, value in WRONG_AT_TABLE:
        changed = deepcopy(data)
        changed["table_decisions"][0][name] = value
        found = fault_of(importer, changed, now).place
        assert found.startswith("table_decisions[0]."), (name, value)
        assert found.endswith((f".{name}", ".evs", ".mode")), (name, value, found)


def test_a_hand_at_a_table_that_cannot_be_is_named(importer, data, now):
    data["rule_sets"] |= {name: Rules.from_mapping(values).to_dict() for name, values in {
        "one deck": {"decks": 1}, "early": {"surrender": "early"}, "full": {}}.items()}
    for name, changes in IMPOSSIBLE_AT_TABLE:
        changed = deepcopy(data)
        changed["table_decisions"][0] |= {"seen": "", **changes}
        assert fault_of(importer, changed, now).place == f"table_decisions[0].{name}", changes
    assert import_into(importer, THIRD, data, now).added == len(both(data))


def test_all_that_may_be_is_taken(importer, data, now):
    """What a liar can make of a decision stays within what a page can show."""
    data["rule_sets"] |= {name: Rules.from_mapping(values).to_dict() for name, values in {
        "early": {"surrender": "early"}, "full": {}}.items()}
    for changes in (
        {"seen": NO_ACES * 3}, {"seen": "8"}, offered("stand", "hit", "split", stand=1.0, hit=-1.0, split=2.0),
        offered("stand", "hit"), offered("surrender", "decline", decline=8.0) | {"rules": "early", "upcard": "Td"},
        offered("stand", "hit") | BUT_ACES | {"seen": BUT_ACES["seen"][2:]},
    ):
        changed = deepcopy(data)
        changed["table_decisions"][0] |= {"seen": "", **changes}
        own_data.delete_history(THIRD)
        assert import_into(importer, THIRD, changed, now).added == len(both(data)), changes
        assert len(exported(THIRD, now)["table_decisions"]) == len(data["table_decisions"])
        assert_counted()


def test_insurance_for_a_part_costs_no_more_than_all_of_it_and_never_nothing(importer, data, now):
    place = next(index for index, each in enumerate(data["decisions"]) if each["mode"] == "table")
    insured = data["decisions"][place]
    most = -insured["evs"]["insure"]
    assert insured["ev_cost"] == pytest.approx(0.8 * most)
    for cost in (-1e-12, 0, most * 1.001, 1e300):
        changed = deepcopy(data)
        changed["decisions"][place]["ev_cost"] = cost
        assert fault_of(importer, changed, now).place == f"decisions[{place}].ev_cost", cost
    for changes in ({"tens_left": None, "cards_left": None}, {"sitting": 1}, {"plan": "mode=insurance"}):
        changed = deepcopy(data)
        changed["decisions"][place] |= changes
        assert fault_of(importer, changed, now).place.startswith(f"decisions[{place}]."), changes
    for cost, kept in ((most * 1e-6, most * 1e-6), (most, most), (most + 1e-12, most)):
        data["decisions"][place]["ev_cost"] = cost
        own_data.delete_history(THIRD)
        import_into(importer, THIRD, data, now)
        assert exported(THIRD, now)["decisions"][place]["ev_cost"] == kept
    assert_counted()


def test_what_came_before_the_fault_is_kept_and_counted(importer, data, now, monkeypatch):
    monkeypatch.setattr("trainer.service.imports.PART", 5)
    data["decisions"][12]["chosen"] = "nonsense"
    with pytest.raises(ImportFaultError) as caught:
        import_into(importer, THIRD, data, now)
    # Those at tables came before it in time, though they stand behind it.
    assert (caught.value.place, caught.value.kept) == ("decisions[12].chosen", 15)
    assert len(decisions_of(THIRD)) == 15
    assert_counted()


def test_a_token_twice_in_a_file_is_one_decision(importer, data, now):
    count, played = len(data["decisions"]), len(data["table_decisions"])
    data["decisions"] += [{**each, "cards": "2s5h", "upcard": "9d", "chosen": "nonsense"} for each in data["decisions"]]
    data["table_decisions"] += [{**each, "cards": "2s5h", "seen": "nonsense"} for each in data["table_decisions"]]
    assert import_into(importer, GUEST, data, now).added == 0
    doubled = {"decisions": data["decisions"][:count] * 2, "table_decisions": data["table_decisions"][:played] * 2}
    assert import_into(importer, THIRD, {**data, **doubled}, now).added == count + played
    assert_counted()


def test_somebody_elses_tokens_take_nothing_from_them(service, importer, data, now):
    """Neither their answers nor a hand that they have open; and the one who imports gets the same ones each time."""
    before = exported(GUEST, now)
    hand, other = (service.open_hand(OTHER, Plan.from_text(text), 0, now) for text in ("mode=mixed", "mode=review"))
    data["decisions"][0]["token"], data["table_decisions"][0]["token"] = hand.token, other.token
    for _ in range(2):
        import_into(importer, THIRD, data, now)
    tokens = decisions_of(THIRD)
    assert len(tokens) == len(both(data))
    assert tokens.isdisjoint({hand.token, other.token, *decisions_of(GUEST)})
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
    data["table_decisions"][0]["later"] = {"x": 1}
    assert import_into(importer, THIRD, data, now).added == len(both(data))
