"""Playing a drill's hand out: dealt by the plan, judged move by move, settled, counted like the drill."""

import pytest
from sqlalchemy import func, select

from tests.service.history import recount_sittings, recount_tallies, stored_sittings, stored_tallies
from tests.service.stacked import START, Stacked
from trainer.drill.plan import Plan
from trainer.service.playout import PlayOutService, plan_of, seat_key
from trainer.service.preferences import Preferences
from trainer.service.seat_keeping import Asked, NotSeatedError
from trainer.storage.models import Decision
from trainer.storage.table_models import TablePurse, TableRound
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
        assert opening.phase == "playing"
        assert states[-1].view.phase == "settled"
        assert len(states[-1].seat.marks) == len(states) - 1
        assert states[-1].seat.log.replay().round == states[-1].seat.round
        cell = opening.boxes[0].hands[0]
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


def test_the_dealer_has_no_natural_once_the_hand_is_played(playout):
    plan = Plan.from_text("mode=play-it-out&rows=h16&upcards=A,T")
    for number in range(40):
        states = play(playout, plan, lambda _: "stand", number)
        dealer = states[-1].view.dealer
        assert not (len(dealer.cards) == 2 and dealer.total == 21)


def test_decisions_are_kept_with_the_plan_and_its_rules(playout):
    plan = Plan.from_text("mode=play-it-out&focus=hard&rules=shoe-h17")
    play(playout, plan, lambda answers: answers[0])
    with transaction() as connection:
        row = connection.execute(select(Decision)).all()[0]
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
