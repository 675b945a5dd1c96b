"""Open hands: found by their owner only, taken once."""

from datetime import UTC, datetime, timedelta

import pytest

from trainer.drill.situation import Situation, UnseenCards
from trainer.engine.presets import RULE_SETS
from trainer.storage.questions import (
    add_question,
    drop_questions,
    find_question,
    give_questions,
    mark_hinted,
    open_question,
    prune_questions,
    take_question,
)
from trainer.storage.transaction import DuplicateError, transaction
from trainer.storage.users import ensure_rule_set

pytestmark = pytest.mark.usefixtures("database")

NOW = datetime(2031, 3, 4, 12, tzinfo=UTC)
ME, OTHER = "a" * 32, "b" * 32


def add(token, visitor=ME, plan="mode=mixed", at=NOW, cards="Ts6h", upcard="9d", key="hall-of-thoth", unseen=None):
    situation = Situation.from_text(RULE_SETS[key], cards, upcard, unseen)
    with transaction(writes=True) as connection:
        add_question(connection, token=token, visitor=visitor, plan=plan, position=3, dealt_at=at, situation=situation,
                     rule_set_id=ensure_rule_set(connection, situation.rules))
    return situation


def find(token, visitor=ME):
    with transaction() as connection:
        return find_question(connection, token, visitor)


def newest(visitor=ME, plan="mode=mixed", since=NOW - timedelta(days=1)):
    with transaction() as connection:
        found = open_question(connection, visitor, plan, since)
    return found.token if found else None


@pytest.mark.parametrize(("cards", "upcard", "key", "unseen"), [
    ("Ts6h", "9d", "hall-of-thoth", None), ("KsQh", "Ac", "classic", None), ("As2h3d4c5s", "Th", "squarescores", None),
    ("AsKh", "Ad", "live-casino", UnseenCards(50, 140)), ("9s9h", "Ad", "shoe-h17", UnseenCards(0, 1)),
])
def test_a_hand_comes_back_as_it_was_dealt(cards, upcard, key, unseen):
    situation = add("t" * 22, cards=cards, upcard=upcard, key=key, unseen=unseen)
    found = find("t" * 22)
    assert found.situation == situation
    assert found.situation.rules == RULE_SETS[key]
    assert (found.token, found.visitor, found.plan, found.position) == ("t" * 22, ME, "mode=mixed", 3)
    assert (found.is_hinted, found.dealt_at) == (False, NOW)


def test_a_hand_is_its_owners_only():
    add("t" * 22)
    assert find("t" * 22, OTHER) is None
    assert find("u" * 22) is None
    assert find("T" * 22) is None


def test_a_token_is_given_once():
    add("t" * 22)
    with pytest.raises(DuplicateError):
        add("t" * 22, visitor=OTHER)
    assert find("t" * 22).visitor == ME


def test_the_newest_open_hand_of_the_plan_is_found():
    add("1" * 22, at=NOW)
    add("2" * 22, at=NOW + timedelta(minutes=5))
    add("3" * 22, at=NOW + timedelta(minutes=9), plan="mode=insurance")
    add("4" * 22, at=NOW + timedelta(minutes=9), visitor=OTHER)
    assert newest() == "2" * 22
    assert newest(plan="mode=insurance") == "3" * 22
    assert newest(plan="mode=") is None
    assert newest(since=NOW + timedelta(minutes=5)) == "2" * 22
    assert newest(since=NOW + timedelta(minutes=6)) is None


def test_a_hand_is_taken_once_and_tells_whether_it_was_hinted():
    add("1" * 22)
    add("2" * 22)
    with transaction(writes=True) as connection:
        mark_hinted(connection, "2" * 22)
        assert [take_question(connection, token, ME) for token in ("1" * 22, "1" * 22, "2" * 22, "3" * 22)] == [
            False, None, True, None]
    assert find("1" * 22) is None


def test_a_hand_that_is_anothers_by_now_is_not_taken():
    for number in "12":
        add(number * 22)
    with transaction(writes=True) as connection:
        give_questions(connection, ME, OTHER)
        assert take_question(connection, "1" * 22, ME) is None
        assert take_question(connection, "1" * 22, OTHER) is False
    assert (find("2" * 22), newest(OTHER)) == (None, "2" * 22)


def test_all_hands_of_one_visitor_are_dropped():
    add("1" * 22)
    add("2" * 22, OTHER)
    with transaction(writes=True) as connection:
        drop_questions(connection, ME)
    assert (newest(), newest(OTHER)) == (None, "2" * 22)


def test_a_hint_that_is_rolled_back_was_none():
    add("1" * 22)

    def fail():
        with transaction(writes=True) as connection:
            mark_hinted(connection, "1" * 22)
            take_question(connection, "1" * 22, ME)
            raise RuntimeError("half-way")

    with pytest.raises(RuntimeError):
        fail()
    assert not find("1" * 22).is_hinted


def test_only_hands_dealt_earlier_are_pruned():
    for number in range(5):
        add(str(number) * 22, at=NOW + timedelta(hours=number), visitor=(ME, OTHER)[number % 2])
    with transaction(writes=True) as connection:
        prune_questions(connection, NOW + timedelta(hours=2))
    assert [bool(find(str(number) * 22, (ME, OTHER)[number % 2])) for number in range(5)] == [
        False, False, True, True, True]
