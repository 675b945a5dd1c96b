"""What is remembered with every answer, and what is dealt by it: the mix, weak spots, reviews, streaks, sprints."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import event, select

from tests.service.history import START, VISITORS, practise, recount_memories, stored_memories
from trainer.drill.memory import is_due
from trainer.drill.mix import MIXED_HANDS
from trainer.drill.plan import Mode, Plan
from trainer.drill.pool import NothingToDealError
from trainer.drill.sheet import sheet_of
from trainer.drill.sprint import points
from trainer.drill.weak import weak_weights
from trainer.engine.presets import RULE_SETS
from trainer.service import runs
from trainer.service.dealing import load_practice
from trainer.service.drill import NotRunningError
from trainer.service.preferences import Preferences
from trainer.storage.database import db
from trainer.storage.goals import goal_days
from trainer.storage.memories import count_due, memories_of
from trainer.storage.models import Decision, Question
from trainer.storage.transaction import transaction
from trainer.storage.users import find_user

ME, OTHER = VISITORS
RULES = RULE_SETS["hall-of-thoth"]
HASH = RULES.strategy_hash
STREAK, SPRINT = Plan(mode=Mode.STREAK), Plan(mode=Mode.SPRINT)
NOBODY = Preferences()


def user_id(visitor=ME):
    with transaction() as connection:
        return find_user(connection, visitor).id


def memories(visitor=ME, strategy_hash=HASH):
    with transaction() as connection:
        return memories_of(connection, user_id(visitor), strategy_hash)


def play(service, plan, now, *, right=True, visitor=ME):
    """Open a hand, answer it at once; the answer."""
    question = service.open_hand(visitor, plan, 0, now)
    judgement = service.judge(question.situation)
    worst = min(judgement.evs, key=judgement.evs.get)
    return service.answer(visitor, question.token, judgement.chart if right else worst, NOBODY, now)


def test_memories_are_those_that_the_history_makes(service):
    practise(service, 150, seed=21)
    assert stored_memories() == recount_memories()
    assert len(stored_memories()) > 50


def test_what_is_due_is_counted_by_chart(service):
    _, now = practise(service, 120, seed=22)
    for later in (timedelta(), timedelta(days=2), timedelta(days=400)):
        with transaction() as connection:
            counted = count_due(connection, user_id(), now + later)
        for rules in RULE_SETS.values():
            due = sum(is_due(memory, now + later) for memory in memories(ME, rules.strategy_hash).values())
            assert counted.get(rules.strategy_hash, 0) == due


def test_review_deals_what_is_due_and_says_so(service):
    now = START
    missed = play(service, Plan(mode=Mode.FOCUS, rows=("h16",), upcards=("T",)), now, right=False).decision
    with pytest.raises(NothingToDealError):
        service.open_hand(ME, Plan(mode=Mode.REVIEW), 0, now)
    question = service.open_hand(ME, Plan(mode=Mode.REVIEW), 0, now + timedelta(minutes=20))
    assert (question.situation.cell, question.kind) == (missed.situation.cell, "review")
    answered = play(service, Plan(mode=Mode.REVIEW), now + timedelta(minutes=20))
    assert answered.decision.kind == "review"


def test_another_users_reviews_are_not_dealt(service):
    play(service, Plan(mode=Mode.FOCUS, rows=("h16",), upcards=("T",)), START, right=False, visitor=OTHER)
    for visitor in (ME, "c" * 32):
        with pytest.raises(NothingToDealError):
            service.open_hand(visitor, Plan(mode=Mode.REVIEW), 0, START + timedelta(days=1))


def test_a_newcomers_mix_is_mixed_and_then_adapts(service):
    plan, now, kinds = Plan(mode=Mode.DEFAULT_MIX), START, []
    for number in range(MIXED_HANDS + 40):
        now += timedelta(seconds=30)
        kinds.append(play(service, plan, now, right=number % 4 > 0).decision.kind)
    assert set(kinds[:MIXED_HANDS]) == {""}
    assert {"weak spot", "review"} <= set(kinds[MIXED_HANDS:])


def test_nothing_is_called_weak_before_the_first_answer(service):
    weak = Plan(mode=Mode.WEAK_SPOTS)
    assert service.open_hand(ME, weak, 0, START).kind == ""
    now = START + timedelta(seconds=5)
    play(service, weak, now)
    assert service.open_hand(ME, weak, 1, now).kind == "weak spot"


def test_weak_spots_deal_cells_that_have_weight_or_look_like_one(service):
    for row in ("h12", "h16"):
        play(service, Plan(mode=Mode.FOCUS, rows=(row,), upcards=("2",)), START, right=False)
    strategy = service._strategies.get(RULES)
    with transaction() as connection:
        practice = load_practice(connection, user_id(), strategy)
    sheet, weights = sheet_of(strategy), weak_weights(practice)
    allowed = {place for place, weight in enumerate(weights) if weight > 0}
    allowed |= {near for place in allowed for near in sheet.lookalikes[place]}
    before = None
    for number in range(25):
        question = service.open_hand(ME, Plan(mode=Mode.WEAK_SPOTS), 0, START + timedelta(seconds=number))
        assert sheet.index[question.situation.cell] in allowed
        assert question.situation.cell != before
        service.skip(ME, question.token, START + timedelta(seconds=number))


def test_the_same_hand_is_not_dealt_twice_running(service):
    now, before = START, None
    for _ in range(60):
        now += timedelta(seconds=5)
        situation = play(service, Plan(mode=Mode.DEFAULT_MIX), now).decision.situation
        hand = situation.hand.composition, situation.upcard.rank
        assert hand != before
        before = hand


@pytest.mark.parametrize("plan", [STREAK, SPRINT])
def test_a_run_has_to_be_started(service, plan):
    with pytest.raises(NotRunningError):
        service.open_hand(ME, plan, 0, START)
    runs.start(ME, plan, START)
    assert service.open_hand(ME, plan, 0, START)
    assert runs.standing(OTHER, plan) == runs.Standing()


def test_a_streak_narrows_and_ends_at_the_first_mistake(service):
    runs.start(ME, STREAK, START)
    sheet = sheet_of(service._strategies.get(RULES))
    margins = []
    for number in range(8):
        answer = play(service, STREAK, START + timedelta(seconds=number))
        margins.append(sheet.margins[sheet.index[answer.decision.situation.cell]])
        assert (answer.run.score, answer.run.is_ended) == (number + 1, False)
    assert margins == sorted(margins, reverse=True)
    answer = play(service, STREAK, START + timedelta(seconds=9), right=False)
    assert (answer.run.score, answer.run.answers, answer.run.is_ended) == (8, 9, True)
    assert runs.standing(ME, STREAK).best == 8
    with pytest.raises(NotRunningError):
        service.open_hand(ME, STREAK, 0, START + timedelta(seconds=10))


def test_a_better_streak_is_the_best_and_another_charts_is_its_own(service):
    for length in (3, 1):
        runs.start(ME, STREAK, START)
        for _ in range(length):
            play(service, STREAK, START)
        play(service, STREAK, START, right=False)
    assert (runs.standing(ME, STREAK).best, runs.standing(ME, STREAK).latest.score) == (3, 1)
    assert not runs.standing(ME, STREAK).is_best()
    assert runs.standing(ME, Plan("squarescores", Mode.STREAK)) == runs.Standing()
    assert runs.standing(ME, Plan("openseat", Mode.STREAK)).best == 3


def test_starting_again_takes_the_open_hand_away_and_ends_the_run_before(service):
    runs.start(ME, STREAK, START)
    first = service.open_hand(ME, STREAK, 0, START)
    runs.start(ME, STREAK, START + timedelta(seconds=1))
    with transaction() as connection:
        assert connection.execute(select(Question)).all() == []
    second = service.open_hand(ME, STREAK, 0, START + timedelta(seconds=2))
    assert first.token != second.token


@pytest.mark.parametrize("plan", [STREAK, SPRINT])
def test_a_run_has_neither_hints_nor_skips(service, plan):
    runs.start(ME, plan, START)
    question = service.open_hand(ME, plan, 0, START)
    assert not service.hint(ME, question.token, START).is_hinted
    service.skip(ME, question.token, START)
    assert service.open_hand(ME, plan, 0, START).token == question.token


def test_a_sprints_score_is_the_sum_of_its_answers(service):
    runs.start(ME, SPRINT, START)
    total = 0.0
    for number in range(12):
        answer = play(service, SPRINT, START + timedelta(seconds=4 * number), right=number % 3 > 0)
        total += points(answer.decision.judgement, answer.decision.grade)
        assert answer.run.score == pytest.approx(total, abs=1e-9)
    assert (answer.run.answers, answer.run.right) == (12, 8)


def test_an_answer_after_the_minute_does_not_count(service):
    runs.start(ME, SPRINT, START)
    play(service, SPRINT, START + timedelta(seconds=59))
    late = service.open_hand(ME, SPRINT, 0, START + timedelta(seconds=59))
    with pytest.raises(NotRunningError):
        service.answer(ME, late.token, "stand", NOBODY, START + timedelta(seconds=61))
    with transaction() as connection:
        assert len(connection.execute(select(Decision.id)).all()) == 1
    assert runs.standing(ME, SPRINT).latest.answers == 1
    with pytest.raises(NotRunningError):
        service.open_hand(ME, SPRINT, 0, START + timedelta(seconds=61))


def test_changing_the_goal_rewrites_nothing_in_the_past(service):
    plan, now = Plan(), datetime(2031, 5, 1, 12, tzinfo=UTC)
    for day, goal in ((0, 2), (0, 2), (1, 0), (2, 5), (2, 1)):
        at = now + timedelta(days=day)
        question = service.open_hand(ME, plan, 0, at)
        move = service.judge(question.situation).chart
        service.answer(ME, question.token, move, Preferences(daily_goal=goal), at)
    with transaction() as connection:
        days = goal_days(connection, user_id(), 10)
    assert [(day.day.day, day.goal, day.hands, day.is_reached) for day in days] == [(3, 1, 2, True), (1, 2, 2, True)]


def test_a_start_takes_open_hands_before_it_locks_the_user_as_answers_do(service):
    """The other way round, an answer in the same moment and a start would wait for each other."""
    runs.start(ME, STREAK, START)
    service.open_hand(ME, STREAK, 0, START)
    said = []

    def note(_connection, _cursor, statement, *_more):
        said.append(statement)

    event.listen(db.engine, "before_cursor_execute", note)
    try:
        runs.start(ME, STREAK, START)
    finally:
        event.remove(db.engine, "before_cursor_execute", note)
    touched = [name for statement in said for name in ("DELETE FROM questions", "FROM users") if name in statement]
    assert touched[:2] == ["DELETE FROM questions", "FROM users"]
