"""Drilling as a use case: dealt once, judged once, and everything that an answer changes."""

from datetime import timedelta
from statistics import median

import pytest
from sqlalchemy import func, select

from tests.service.history import (
    START,
    VISITORS,
    practise,
    recount_sittings,
    recount_tallies,
    stored_decisions,
    stored_sittings,
    stored_tallies,
)
from tests.service.together import at_once
from trainer.drill.plan import Plan
from trainer.drill.situation import Situation, UnseenCards
from trainer.engine.errors import IllegalActionError
from trainer.engine.presets import RULE_SETS
from trainer.service.drill import (
    HAND_LIFETIME,
    DecisionRow,
    HandExpiredError,
    HandNotFoundError,
    NothingToDealError,
    PlanFinishedError,
    QuestionRow,
)
from trainer.service.preferences import Preferences, load_preferences, save_preferences
from trainer.storage.models import Decision, PracticeSession, Question, RuleSet, Tally, User
from trainer.storage.questions import add_question
from trainer.storage.transaction import transaction
from trainer.storage.users import ensure_rule_set, find_user

ME, OTHER = VISITORS
MIXED = Plan.from_text("mode=mixed")
CHART = Preferences()


def size(model):
    with transaction() as connection:
        return connection.execute(select(func.count()).select_from(model)).scalar_one()


def put(cards, upcard, token, key="hall-of-thoth", at=START, unseen=None, visitor=ME):
    """Deal certain cards."""
    with transaction(writes=True) as connection:
        add_question(connection, token=token, visitor=visitor, plan=Plan(key).to_query(), position=0, dealt_at=at,
                     rule_set_id=ensure_rule_set(connection, RULE_SETS[key]),
                     situation=Situation.from_text(RULE_SETS[key], cards, upcard, unseen))
    return token


# Dealt


def test_an_open_hand_is_dealt_again_until_it_is_answered(service):
    first = service.open_hand(ME, MIXED, 0, START)
    assert service.open_hand(ME, MIXED, 0, START + timedelta(hours=1)) == first
    assert service.open_hand(ME, MIXED, 5, START + timedelta(hours=1)) == first
    service.answer(ME, first.token, "stand", CHART, START)
    assert service.open_hand(ME, MIXED, 1, START).token != first.token
    assert size(User) == 1


def test_each_plan_and_each_visitor_has_a_hand_of_its_own(service):
    plans = [MIXED, Plan.from_text("mode=focus&focus=soft"), Plan.from_text("rules=classic&mode=mixed")]
    tokens = {service.open_hand(visitor, plan, 0, START).token for plan in plans for visitor in VISITORS}
    assert len(tokens) == 6
    assert size(Question) == 6
    assert size(User) == 0


def test_a_hand_comes_back_as_it_was_dealt(service):
    for plan in ("mode=insurance", "mode=multi-card", "rules=squarescores&mode=focus&focus=pair"):
        dealt = service.open_hand(ME, Plan.from_text(plan), 0, START)
        assert service.look_up(ME, dealt.token, START) == dealt
        assert dealt.dealt_at == START


def test_a_rule_set_is_stored_once_and_by_its_content(service):
    keys = ("hall-of-thoth", "openseat", "squarescores")
    for number, key in enumerate(keys * 2):
        service.open_hand(ME, Plan.from_text(f"rules={key}&mode=mixed&seed={number}"), 0, START)
    with transaction() as connection:
        stored = connection.execute(select(RuleSet)).all()
    assert sorted(row.rules for row in stored) == sorted(RULE_SETS[key].to_json() for key in keys)
    assert {row.rule_set_hash for row in stored} == {RULE_SETS[key].rule_set_hash for key in keys}
    assert len({row.strategy_hash for row in stored}) == 2


def test_hands_left_open_for_a_day_are_deleted_with_the_next_deal(service):
    old = service.open_hand(ME, MIXED, 0, START)
    young = service.open_hand(OTHER, MIXED, 0, START + timedelta(hours=12))
    later = START + HAND_LIFETIME + timedelta(seconds=1)
    with pytest.raises(HandExpiredError):
        service.look_up(ME, old.token, later)
    service.open_hand(ME, Plan.from_text("mode=close-calls"), 0, later)
    with pytest.raises(HandNotFoundError):
        service.look_up(ME, old.token, later)
    assert service.look_up(OTHER, young.token, later) == young


def test_several_visitors_can_be_dealt_their_first_hand_at_once(database, service):
    plans = [Plan.from_text(f"rules={key}&mode=mixed") for key in ("classic", "shoe-h17")]
    calls = [lambda visitor=f"{number:032d}", plan=plan: service.open_hand(visitor, plan, 0, START)
             for number in range(4) for plan in plans]
    dealt = at_once(database, calls)
    assert len({question.token for question in dealt}) == 8
    assert size(RuleSet) == 2


# Judged


def test_an_answer_stores_everything_that_was_known(service):
    token = put("Ts2h", "4d", "t" * 22)
    decision = service.answer(ME, token, "stand", CHART, START + timedelta(seconds=4.25)).decision
    row, strategy_hash = stored_decisions()[0]
    rules = RULE_SETS["hall-of-thoth"]
    judgement = service.judge(Situation.from_text(rules, "Ts2h", "4d"))
    assert strategy_hash == rules.strategy_hash
    assert (row.token, row.cards, row.upcard, row.legal) == (token, "Ts2h", "4d", "stand,hit,double")
    assert (row.category, row.row, row.upcard_rank, row.mode) == ("hard", 12, 4, "mixed")
    assert (row.chosen, row.chart_move, row.exact_move, row.grading) == ("stand", "stand", "hit", "chart")
    assert (row.is_right, row.is_hinted, row.is_mistake, row.is_slow, row.time_ms) == (True, False, False, False, 4250)
    assert row.ev_cost == judgement.evs["hit"] - judgement.evs["stand"] > 0
    assert (row.day, row.created_at) == (START.date(), START + timedelta(seconds=4.25))
    assert (decision.evs, decision.judgement) == (judgement.evs, judgement)
    assert decision.situation == Situation.from_text(rules, "Ts2h", "4d")
    assert service.look_up(ME, token, START) == decision
    assert size(Question) == 0


@pytest.mark.parametrize("move", ["split", "surrender", "insure", "", "STAND", "\x00", "x" * 10_000, "\ud800"])
def test_an_illegal_move_stores_nothing(service, move):
    token = put("Ts6h", "6d", "t" * 22)
    with pytest.raises(IllegalActionError) as raised:
        service.answer(ME, token, move, CHART, START)
    assert len(str(raised.value)) < 300
    assert [size(model) for model in (Question, Decision, User, Tally, PracticeSession)] == [1, 0, 0, 0, 0]


@pytest.mark.parametrize("call", ["look_up", "answer", "hint", "skip"])
def test_a_hand_of_somebody_else_or_of_nobody_is_not_found(service, call):
    token = put("Ts6h", "6d", "t" * 22)
    rest = ("stand", CHART) if call == "answer" else ()
    for visitor, asked in ((OTHER, token), (ME, "u" * 22), ("", token)):
        with pytest.raises(HandNotFoundError):
            getattr(service, call)(visitor, asked, *rest, START)
    assert [size(model) for model in (Question, Decision, User)] == [1, 0, 0]


def test_time_is_capped_and_never_negative(service):
    for number, (seconds, stored) in enumerate([(-5, 0), (0.2, 200), (59.9, 59_900), (4_000, 60_000)]):
        token = put("Ts6h", "6d", f"{number:022d}")
        service.answer(ME, token, "stand", CHART, START + timedelta(seconds=seconds))
        assert stored_decisions()[-1][0].time_ms == stored


def test_an_answer_is_slow_by_ones_own_pace_in_the_category(service):
    now = START
    paces = [*[(2.0, False)] * 19, (50.0, False), (3.9, False), (4.0, False), (4.1, True)]
    for number, (seconds, slow) in enumerate(paces):
        token = put("Ts6h", "6d", f"{number:022d}", at=now)
        now += timedelta(seconds=seconds)
        assert service.answer(ME, token, "stand", CHART, now).decision.is_slow == slow
    put("8s8h", "6d", "p" * 22, at=now)
    assert not service.answer(ME, "p" * 22, "split", CHART, now + timedelta(seconds=30)).decision.is_slow


def test_the_kept_paces_are_the_latest_fifty_of_right_answers(service):
    now, times = START, []
    for number in range(60):
        put("Ts6h", "6d", f"{number:022d}", at=now)
        now += timedelta(milliseconds=1_000 + number)
        move = "stand" if number % 7 else "hit"
        service.answer(ME, f"{number:022d}", move, CHART, now)
        times += [1_000 + number] if move == "stand" else []
    with transaction() as connection:
        assert find_user(connection, ME).paces == {"hard": times[-50:]}
    assert median(times)


@pytest.mark.parametrize(("chosen", "grading", "right"), [
    ("stand", "chart", True), ("hit", "chart", True), ("double", "chart", False),
    ("stand", "exact", False), ("hit", "exact", True), ("double", "exact", False),
])
def test_either_table_counts_by_the_chart_and_only_exact_play_by_exact_play(service, chosen, grading, right):
    token = put("Ts2h", "4d", "t" * 22)
    decision = service.answer(ME, token, chosen, Preferences(grading=grading), START).decision
    assert decision.is_right == right
    assert decision.grade.expected == ("hit" if grading == "exact" else "stand")


def test_insurance_is_stored_with_what_was_left_of_the_shoe(service):
    token = put("9sKh", "Ad", "t" * 22, unseen=UnseenCards(50, 140))
    decision = service.answer(ME, token, "decline", CHART, START).decision
    row = stored_decisions()[0][0]
    assert (row.category, row.row, row.upcard_rank, row.tens_left, row.cards_left) == ("insurance", 0, 1, 50, 140)
    assert decision.situation.unseen == UnseenCards(50, 140)
    assert (row.is_mistake, row.ev_cost) == (True, pytest.approx(0.5 * (150 / 140 - 1)))


# Once


def test_the_first_of_answers_given_at_once_stands(database, service):
    moves = ["split", "hit", "stand", "double"]
    for number in range(6):
        token = put("8s8h", "9d", f"{number:022d}")
        answers = at_once(database, [lambda move=move, token=token: service.answer(ME, token, move, CHART, START)
                                     for move in moves])
        assert sorted(each.is_new for each in answers) == [False, False, False, True]
        assert len({repr(each.decision) for each in answers}) == 1
        first = next(each for each in answers if each.is_new)
        assert first.decision.chosen == moves[answers.index(first)]
    assert size(Decision) == 6
    assert stored_tallies() == recount_tallies()
    assert stored_sittings() == recount_sittings()


def test_answers_to_several_hands_at_once_are_all_counted(database, service):
    hands = [("Ts6h", "6d", "stand"), ("8s8h", "9d", "hit"), ("As7h", "3d", "double"), ("Ts2h", "3d", "stand")]
    for turn in range(6):
        tokens = [put(cards, upcard, f"{turn}{number}".zfill(22))
                  for number, (cards, upcard, _) in enumerate(hands * 2)]
        at_once(database, [
            lambda token=token, move=move: service.answer(ME, token, move, CHART, START + timedelta(seconds=2))
            for token, (_, _, move) in zip(tokens, hands * 2, strict=True)])
    assert [size(model) for model in (User, PracticeSession, Decision)] == [1, 1, 48]
    assert stored_tallies() == recount_tallies()
    assert stored_sittings() == recount_sittings()


def test_an_answer_and_a_skip_at_once_leave_one_of_the_two(database, service):
    for number in range(6):
        token = put("8s8h", "9d", f"{number:022d}")
        found = at_once(database, [
            lambda token=token: outcome(service.answer, ME, token, "split", CHART, START),
            lambda token=token: outcome(service.skip, ME, token, START),
        ])
        assert (found[0] is None) == (size(Decision) == 0)
        assert size(Question) == 0
        with transaction(writes=True) as connection:
            connection.execute(Decision.__table__.delete())


def outcome(call, *arguments):
    try:
        return call(*arguments)
    except HandNotFoundError:
        return None


# Everything summed up


def test_tallies_and_sessions_are_a_recount_of_the_answers(service):
    answers, _ = practise(service, 120)
    assert size(Decision) == len(answers) == 120
    rows = stored_decisions()
    assert {row.mode for row, _ in rows} >= {"mixed", "focus", "insurance", "multi-card", "close-calls", "mistakes"}
    assert any(row.is_hinted for row, _ in rows)
    assert any(row.day != row.created_at.date() for row, _ in rows)
    assert stored_tallies() == recount_tallies()
    assert stored_sittings() == recount_sittings()
    assert len(stored_sittings()) > 20


# Mistakes again


def test_mistakes_are_dealt_once_each_costliest_first_and_then_no_more(service):
    plan = Plan.from_text("mode=mistakes")
    with pytest.raises(NothingToDealError):
        service.open_hand(ME, plan, 0, START)
    missed = [("Ts2h", "3d", "stand"), ("Ts7h", "2d", "hit"), ("Th2s", "3c", "stand"), ("8s8h", "9d", "hit")]
    for number, (cards, upcard, move) in enumerate(missed):
        service.answer(ME, put(cards, upcard, f"{number:022d}"), move, CHART, START)
    dealt = []
    for position in range(3):
        question = service.open_hand(ME, plan, position, START)
        dealt.append((str(question.situation.hand), str(question.situation.upcard)))
        service.answer(ME, question.token, service.judge(question.situation).exact, CHART, START)
    assert dealt == [("Ts-7h", "2d"), ("8s-8h", "9d"), ("Th-2s", "3c")]
    with pytest.raises(PlanFinishedError):
        service.open_hand(ME, plan, 3, START)
    with pytest.raises(NothingToDealError):
        service.open_hand(OTHER, plan, 0, START)


def test_one_hand_missed_often_does_not_crowd_out_the_others(service):
    for number in range(55):
        service.answer(ME, put("Ts7h", "2d", f"{number:022d}"), "hit", CHART, START)
    service.answer(ME, put("Ts2h", "3d", "x" * 22), "stand", CHART, START)
    plan = Plan.from_text("mode=mistakes")
    shown = []
    for position in range(2):
        question = service.open_hand(ME, plan, position, START)
        shown.append(str(question.situation.upcard))
        service.answer(ME, question.token, "stand", CHART, START)
    assert shown == ["2d", "3d"]


def test_a_hint_and_a_skip_change_what_the_hand_is(service):
    token = put("Ts6h", "6d", "t" * 22)
    assert service.hint(ME, token, START).is_hinted
    assert isinstance(service.skip(ME, token, START), QuestionRow)
    with pytest.raises(HandNotFoundError):
        service.look_up(ME, token, START)
    token = put("Ts6h", "6d", "u" * 22)
    service.answer(ME, token, "stand", CHART, START)
    for call in (service.hint, service.skip):
        assert isinstance(call(ME, token, START), DecisionRow)
    assert size(Decision) == 1


def test_a_time_zone_that_comes_with_an_answer_leaves_settings_alone_that_were_saved_meanwhile(service, monkeypatch):
    question = service.open_hand(ME, MIXED, 0, START)
    judged = service.judge

    def judge_while_settings_are_saved(situation):
        save_preferences(ME, Preferences(theme="dark"), START)
        return judged(situation)

    monkeypatch.setattr(service, "judge", judge_while_settings_are_saved)
    service.answer(ME, question.token, "stand", None, START, "Europe/Berlin")
    assert load_preferences(ME) == Preferences(theme="dark", time_zone="Europe/Berlin")
