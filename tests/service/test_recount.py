"""Counting again: nothing differs by itself, whatever is tampered with is found, and rewritten if wanted."""

from datetime import timedelta
from random import Random

import pytest
from sqlalchemy import delete, update

from tests.service.history import (
    START,
    VISITORS,
    answer_at_random,
    practise,
    recount_memories,
    recount_sittings,
    recount_tallies,
    stored_memories,
    stored_sittings,
    stored_tallies,
)
from tests.service.importing import exported, import_into, importer_of
from tests.service.people import GUEST, PASSWORD
from tests.service.together import at_once
from trainer.drill.plan import Plan
from trainer.service import accounts
from trainer.service.preferences import Preferences
from trainer.service.recount import NoSuchUserError, recount
from trainer.storage.models import CellMemory, PracticeSession, Tally
from trainer.storage.transaction import transaction

TAMPERED = [
    (Tally, {"decisions": Tally.decisions + 1}), (Tally, {"right": Tally.right + 1}), (Tally, {"hinted": 99}),
    (Tally, {"ev_lost": Tally.ev_lost + 0.001}), (Tally, {"ev_cost": Tally.ev_cost - 0.001}), (Tally, {"times": "1:1"}),
    (CellMemory, {"run": CellMemory.run + 1}), (CellMemory, {"stability": CellMemory.stability * 1.001}),
    (CellMemory, {"due": START}), (CellMemory, {"is_first_right": ~CellMemory.is_first_right}),
    (CellMemory, {"state": CellMemory.state + 1}),
    (PracticeSession, {"hands": PracticeSession.hands + 1}), (PracticeSession, {"right": PracticeSession.right + 1}),
    (PracticeSession, {"hinted": PracticeSession.hinted + 1}), (PracticeSession, {"streak": 99}),
    (PracticeSession, {"ev_lost": 5.0}), (PracticeSession, {"times": ""}),
]


def found(username=None, *, fix=False):
    return [difference for report in recount(username, fix=fix) for difference in report.differences]


def assert_counted():
    """By the plainest means, which share no code with what is tested."""
    assert stored_tallies() == recount_tallies()
    assert stored_sittings() == recount_sittings()
    assert stored_memories() == recount_memories()


def test_nothing_differs_by_itself(service, tmp_path):
    now = practise(service, 200)[1] + timedelta(minutes=1)
    assert found() == []
    import_into(importer_of(service, tmp_path), VISITORS[1], exported(GUEST, now), now)
    assert found() == []
    accounts.register(GUEST, "Ada", PASSWORD, now)
    accounts.log_in(VISITORS[1], "Ada", PASSWORD, now)
    assert found() == []
    assert [report.name for report in recount(None, fix=False)] == ["Ada"]


def test_whatever_is_tampered_with_is_found_and_rewritten(service):
    practise(service, 120)
    for model, values in TAMPERED:
        with transaction(writes=True) as connection:
            connection.execute(update(model).values(values))
        differing = found()
        assert {each.what for each in differing} >= {next(iter(values))} or model is PracticeSession
        assert {each.where.partition(" ")[0] for each in differing} == {
            {Tally: "tally", CellMemory: "memory", PracticeSession: "sitting"}[model]}, values
        assert found(fix=True) == differing
        assert found() == []
        assert_counted()


@pytest.mark.parametrize("model", [Tally, CellMemory])
def test_what_is_missing_or_should_not_be_is_found(service, model):
    practise(service, 60)
    with transaction(writes=True) as connection:
        connection.execute(delete(model).where(model.user_id == 1))
        connection.execute(update(model).where(model.user_id == 2).values(row=model.row + 100))
    assert {each.what for each in found()} == {"presence"}
    found(fix=True)
    assert found() == []
    assert_counted()


def test_one_account_alone(service):
    now = practise(service, 60)[1]
    accounts.register(GUEST, "Ada", PASSWORD, now)
    with transaction(writes=True) as connection:
        connection.execute(update(Tally).values(right=99))
    reports = list(recount("ADA ", fix=True))
    assert [report.name for report in reports] == ["Ada"]
    assert reports[0].differences
    assert found("Ada") == []
    assert found() != []
    with pytest.raises(NoSuchUserError):
        list(recount("Bo", fix=False))


def test_two_devices_of_one_account_answering_in_turn_and_at_once(service, database):
    random, plans = Random(5), [Plan.from_text(f"mode={mode}") for mode in ("mixed", "close-calls")]
    for turn in range(25):
        now = START + timedelta(seconds=40 * turn)
        hands = [service.open_hand(GUEST, plan, 0, now) for plan in plans]
        then = now + timedelta(seconds=1 + turn % 9)
        if turn % 2:
            for hand in hands:
                answer_at_random(service, hand, then, random)
        else:
            moves = [random.choice(hand.situation.legal) for hand in hands]
            answered = at_once(database, [
                lambda hand=hand, move=move, then=then: service.answer(GUEST, hand.token, move, Preferences(), then)
                for hand, move in zip(hands, moves, strict=True)])
            assert all(each.is_new for each in answered)
    assert found() == []
    assert_counted()


def test_answers_that_are_stored_in_another_order_than_they_came_count_as_stored(service):
    hands = [service.open_hand(GUEST, Plan.from_text(f"mode=focus&rows=h16&upcards=T&seed={name}"), 0, START)
             for name in "abcdef"]
    moves = ["hit", "stand", "hit", "double", "stand", "hit"]
    last = START + timedelta(seconds=30)
    given = [service.answer(GUEST, hand.token, move, Preferences(), last - timedelta(milliseconds=place))
             for place, (hand, move) in enumerate(zip(hands, moves, strict=True))]
    assert found() == []
    assert [each.decision.created_at for each in given] == [last] * len(given)
    assert [each.decision.seconds for each in given] == [30 - place / 1000 for place in range(len(given))]
