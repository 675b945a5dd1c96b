"""Playing a drill's hand out: dealt by the plan, judged move by move, settled, counted like the drill."""

from datetime import timedelta

import pytest
from sqlalchemy import func, select

from tests.service.history import recount_sittings, recount_tallies, stored_sittings, stored_tallies
from tests.service.stacked import START, Stacked
from trainer.drill.plan import Plan
from trainer.drill.pool import NothingToDealError
from trainer.engine.rule_key import canonical_key
from trainer.service.playout import PlayOutService, plan_of, seat_key
from trainer.service.preferences import Preferences
from trainer.service.seat_keeping import Asked, NotSeatedError
from trainer.storage.models import Decision, Question, User
from trainer.storage.table_models import TablePurse, TableRound, TableSeat
from trainer.storage.transaction import transaction

ME = "a" * 32
PLANS = ("mode=play-it-out", "mode=play-it-out&focus=pair", "mode=play-it-out&rows=h20&upcards=A,T&rules=squarescores",
         "mode=play-it-out&focus=soft&rules=classic", "mode=play-it-out&focus=surrender&rules=shoe-h17")


@pytest.fixture
def playout(database, solved):
    assert database
    return PlayOutService(solved, Stacked())


def size(model):
    with transaction() as connection:
        return connection.execute(select(func.count()).select_from(model)).scalar_one()


def play(playout, plan, pick, number=0):
    """One hand to its end; the state after every step."""
    states = [playout.next_hand(ME, plan, number, START)]
    while states[-1].seat.table.is_playing:
        seat, view = states[-1].seat, states[-1].view
        word, asked = pick(view.boxes[0].answers), Asked(seat.number, view.step)
        states.append(playout.answer(ME, seat_key(plan), asked, 0, word, None, Preferences(), START))
    return states


@pytest.mark.parametrize("text", PLANS)
def test_hands_are_those_of_the_plan_and_are_played_to_the_end(playout, text):
    plan = Plan.from_text(text)
    for number in range(6):
        states = play(playout, plan, lambda answers, turn=number: answers[turn % len(answers)], number)
        opening = states[0].view
        assert states[-1].view.phase == "settled"
        assert len(states[-1].seat.marks) == len(states) - 1
        assert states[-1].seat.log.replay().round == states[-1].seat.round
        cell = opening.boxes[0].hands[0]
        has_ace = opening.dealer.cards[0][0] == "A" and "classic" not in text and "squarescores" not in text
        assert (opening.phase == "insurance") == has_ace
        if has_ace:
            continue
        if plan.rows:
            assert (cell.total, cell.is_soft, opening.dealer.cards[0][0] in "ATJQK") == (20, False, True)
        if plan.focus == "pair":
            assert "split" in opening.boxes[0].answers
        if plan.focus == "soft":
            assert cell.is_soft
        if plan.focus == "surrender":
            assert "surrender" in opening.boxes[0].answers
    assert stored_tallies() == recount_tallies()
    assert stored_sittings() == recount_sittings()
    assert (size(TablePurse), size(TableRound)) == (0, 0)


@pytest.mark.parametrize("rules", ["hall-of-thoth", "squarescores"])
def test_the_dealer_has_no_natural_once_the_hand_is_played(playout, rules):
    plan, naturals = Plan.from_text(f"mode=play-it-out&rows=h16&upcards=A,T&rules={rules}"), 0
    for number in range(40):
        states = play(playout, plan, lambda answers: "decline" if "decline" in answers else "stand", number)
        dealer = states[-1].view.dealer
        if len(dealer.cards) == 2 and dealer.total == 21:
            naturals += 1
            assert [mark.chosen for mark in states[-1].seat.marks] == ["decline"]
    assert (naturals > 0) == (rules == "hall-of-thoth")  # where insurance is asked, before the dealer looks


def test_insurance_and_even_money_are_decisions_like_any(playout):
    plan = Plan.from_text("mode=play-it-out&focus=insurance")
    seen = set()
    for number in range(24):
        states = play(playout, plan, lambda answers, turn=number: answers[turn % len(answers)], number)
        first = states[0].view
        seen.add(first.boxes[0].answers)
        assert (first.phase, first.dealer.cards[0][0]) == ("insurance", "A")
        mark, bet = states[-1].seat.marks[0], states[-1].seat.round.boxes[0]
        assert set(mark.evs) == {"insure", "decline"}
        if first.boxes[0].answers[0] == "insure":
            assert bet.insurance == (bet.bet // 2 if number % 2 == 0 else 0)
            assert (mark.ev_cost > 0) == (mark.chosen == "insure")
    assert seen == {("insure", "decline"), ("even money", "decline")}
    with transaction() as connection:
        rows = connection.execute(select(Decision).order_by(Decision.id)).all()
    asked = [row for row in rows if row.category == "insurance"]
    assert len(asked) == 24
    assert all(row.session_id and row.mode == "play-it-out" for row in asked)
    assert stored_tallies() == recount_tallies()
    assert stored_sittings() == recount_sittings()


@pytest.mark.parametrize("rules", ["hall-of-thoth", canonical_key("decks~6.surrender~early")])
def test_a_hand_of_three_cards_was_asked_about_insurance_and_early_surrender_before(playout, rules):
    plan = Plan.from_text(f"mode=play-it-out&rows=h20&upcards=A&rules={rules}")
    assert len(playout.open_hand(ME, plan, START).view.boxes[0].hands[0].cards) == 3
    for number in range(8):
        states = play(playout, plan, lambda _: "stand", number)
        assert states[0].view.phase == "playing"
        assert states[-1].view.dealer.total != 21 or len(states[-1].view.dealer.cards) > 2


def test_rules_without_insurance_have_no_such_hands(playout):
    with pytest.raises(NothingToDealError):
        playout.open_hand(ME, Plan.from_text("mode=play-it-out&focus=insurance&rules=classic"), START)


def test_a_first_hand_is_a_question_until_it_is_answered(playout):
    plan = Plan.from_text("mode=play-it-out&rows=h16&upcards=T")
    first = playout.open_hand(ME, plan, START)
    assert (size(User), size(TableSeat), size(Question)) == (0, 0, 1)
    later = START + timedelta(minutes=1)
    again = playout.open_hand(ME, plan, later)
    shown = (first.view.boxes, first.view.dealer, first.view.step, first.seat.number)
    assert (again.view.boxes, again.view.dealer, again.view.step, again.seat.number) == shown
    asked = Asked(1, first.view.step)
    after = playout.answer(ME, seat_key(plan), asked, 0, "stand", None, Preferences(), later)
    assert (size(User), size(TableSeat), size(Question)) == (1, 1, 0)
    assert after.view.boxes[0].hands[0].cards == first.view.boxes[0].hands[0].cards
    assert playout.answer(ME, seat_key(plan), asked, 0, "hit", None, Preferences(), later).view == after.view
    assert playout.open_hand(ME, plan, later).view == after.view
    with transaction() as connection:
        row = connection.execute(select(Decision)).one()
    assert (row.chosen, row.time_ms) == ("stand", 60_000)


def test_a_hint_before_the_first_answer_counts(playout):
    plan = Plan.from_text("mode=play-it-out&rows=h16&upcards=T")
    asked = Asked(1, playout.open_hand(ME, plan, START).view.step)
    assert playout.set_options(ME, seat_key(plan), START, is_hinting=True, verdicts="decision").hints
    playout.answer(ME, seat_key(plan), asked, 0, "stand", None, Preferences(), START)
    with transaction() as connection:
        row = connection.execute(select(Decision)).one()
    assert (row.is_hinted, row.time_ms) == (True, None)


def test_a_first_hand_that_nobody_answers_is_forgotten(playout):
    plan = Plan.from_text("mode=play-it-out&rows=h16&upcards=T")
    first = playout.open_hand(ME, plan, START)
    late = START + timedelta(hours=25)
    with pytest.raises(NotSeatedError):
        playout.answer(ME, seat_key(plan), Asked(1, first.view.step), 0, "stand", None, Preferences(), late)
    playout.open_hand(ME, plan, late)
    assert size(Question) == 1


def test_decisions_are_kept_with_the_plan_and_its_rules(playout):
    plan = Plan.from_text("mode=play-it-out&focus=hard&rules=shoe-h17")
    play(playout, plan, lambda answers: answers[0])
    with transaction() as connection:
        row = connection.execute(select(Decision).order_by(Decision.id)).all()[0]
    assert (row.mode, Plan.from_text(row.plan)) == ("play-it-out", plan)
    assert row.session_id is not None


def test_the_next_hand_is_dealt_once(playout):
    plan = Plan.from_text("mode=play-it-out")
    first = playout.next_hand(ME, plan, 0, START)
    again = playout.next_hand(ME, plan, 0, START)
    assert (again.seat.number, again.view) == (1, first.view)


def test_each_plan_has_its_own_hand_and_each_visitor(playout):
    plans = [Plan.from_text(text) for text in PLANS[:2]]
    views = [playout.next_hand(ME, plan, 0, START).view for plan in plans]
    assert [playout.look(ME, seat_key(plan), START).view for plan in plans] == views
    assert [plan_of(seat_key(plan)) for plan in plans] == plans
    with pytest.raises(NotSeatedError):
        playout.look("b" * 32, seat_key(plans[0]), START)
