import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import examples
from tests.table.scripted import event, play, round_from_json, round_to_json, table
from trainer.engine.presets import RULE_SETS
from trainer.table.errors import StateError
from trainer.table.log import HandLog
from trainer.table.record import STATE_VERSION
from trainer.table.solo import SoloTable
from trainer.table.terms import Clock

ROUND = play(table("8 T 6 8 9 T 3", boxes=2, clock=Clock(), doubles_face_down=True), 10, 20, "split", "double")
READERS = [round_from_json, HandLog.from_json, SoloTable.from_json]


def changed(**fields):
    return json.dumps(json.loads(round_to_json(ROUND)) | fields)


def test_a_round_is_read_back_equal():
    assert round_from_json(round_to_json(ROUND)) == ROUND
    assert round_to_json(round_from_json(round_to_json(ROUND))) == round_to_json(ROUND)


@pytest.mark.parametrize("key", RULE_SETS)
def test_every_game_is_read_back_equal(key):
    round_ = table("T 6 9 T", RULE_SETS[key])
    assert round_from_json(round_to_json(round_)) == round_


def test_what_is_written_names_its_version():
    assert json.loads(round_to_json(ROUND))["version"] == STATE_VERSION


@pytest.mark.parametrize("version", [0, 2, -1, None, "1", True, 1.5, [], "x" * 1000])
def test_another_version_is_refused(version):
    with pytest.raises(StateError, match="version") as caught:
        round_from_json(changed(version=version))
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("text", ["", "{", "null", "[]", "1", '"x"', "{}", "[" * 100_000, '{"version":1}'])
@pytest.mark.parametrize("read", READERS)
def test_what_is_not_ours_is_refused(read, text):
    with pytest.raises(StateError):
        read(text)


@pytest.mark.parametrize("fields", [
    {"phase": "lunch"}, {"shoe": {"cards": "AsK", "rest": 1, "cut": None}}, {"dealer": "Zz"}, {"boxes": [{}]},
    {"players": None}, {"terms": {}}, {"lines": [{"reason": "luck"}]}, {"active": [1]}, {"boxes": 7},
])
def test_a_damaged_round_is_refused(fields):
    with pytest.raises(StateError):
        round_from_json(changed(**fields))


@examples(300)
@given(st.data())
def test_no_field_that_is_lost_goes_unnoticed(data):
    stored = json.loads(round_to_json(ROUND))
    del stored[data.draw(st.sampled_from(sorted(stored)))]
    with pytest.raises(StateError):
        round_from_json(json.dumps(stored))


def test_a_log_is_read_back_and_replays_to_the_same_round():
    log, round_ = HandLog(table("8 6 8 T 3 9 T")), table("8 6 8 T 3 9 T")
    for word, amount in (("bet", 10), ("split", 0), ("double", 0), ("stand", 0)):
        log = log.add(event(round_, word, amount=amount))
        round_ = log.replay().round
    assert round_.is_over
    again = HandLog.from_json(log.to_json())
    assert again == log
    assert again.replay() == log.replay()


def test_every_kind_of_event_is_read_back_equal():
    log = HandLog(table("T 6 9 T"))
    for word, amount in (("bet", 10), ("double", 0), ("insure", 5), ("decline", 0)):
        log = log.add(event(log.opening, word, 0, amount, at=12_345))
    assert HandLog.from_json(log.to_json()) == log
