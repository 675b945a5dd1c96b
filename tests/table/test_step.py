"""What a round refuses, why, and that it changes nothing."""

import pytest

from tests.table.scripted import CHIP, bank_result, dealt, event, play, round_to_json, table
from trainer.engine.actions import Action
from trainer.engine.errors import IllegalActionError
from trainer.engine.rules import Rules
from trainer.table.errors import BetError, ChipsError, SeatError, StaleEventError, TurnError
from trainer.table.event import Event, EventKind, Told
from trainer.table.moves import answers, legal_moves
from trainer.table.round import Player, open_round
from trainer.table.step import step


def refused(round_, wanted, error):
    before = round_to_json(round_)
    with pytest.raises(error) as caught:
        step(round_, wanted)
    assert round_to_json(round_) == before
    assert len(str(caught.value)) < 200
    return str(caught.value)


@pytest.mark.parametrize("amount", [
    0, -1, -100, 5, 15, 99, 101, 5_010, 10**9 * CHIP, 2.5, 100.0, True, "", "100", None,
])
def test_what_is_no_bet_is_refused(amount):
    message = refused(table("T 6 9 T"), Event(EventKind.BET, 0, amount=amount), BetError)
    assert message == "bets here are 10 to 500 in steps of 10"


@pytest.mark.parametrize("amount", [100, 1_100, 5_000])
def test_what_is_a_bet_is_taken(amount):
    round_ = step(table("T 6 9 T"), Event(EventKind.BET, 0, amount=amount)).round
    assert round_.boxes[0].bet == amount
    assert round_.players[0].stack == 1_000 * CHIP - amount


def test_no_bet_without_the_chips():
    assert "not enough chips" in refused(table("T 6 9 T", stack=30), Event(EventKind.BET, 0, amount=400), ChipsError)


def test_a_player_who_cannot_make_the_smallest_bet_can_only_sit_out():
    assert answers(table("T 6 9 T", stack=9), 0) == ("sit out",)
    assert answers(table("T 6 9 T", stack=10), 0) == ("bet", "sit out")


def test_two_boxes_of_one_player_are_bet_from_one_stack():
    round_ = play(table("T 9 6 9 9 T", boxes=2, stack=50), 30)
    refused(round_, event(round_, "bet", amount=30), ChipsError)
    assert play(round_, 20).players[0].stack == 0


@pytest.mark.parametrize(("text", "word"), [("6 6 5 T", "double"), ("8 6 8 T", "split")])
def test_no_double_or_split_without_the_chips(text, word):
    poor = dealt(text, stack=15)
    assert word not in answers(poor, 0)
    assert "not enough chips" in refused(poor, event(poor, word), ChipsError)
    rich = dealt(text, stack=20)
    assert word in answers(rich, 0)
    assert play(rich, word).boxes[0].staked == 20 * CHIP


def test_no_insurance_without_the_chips():
    assert dealt("T A 9 6", stack=14).phase == "playing"
    assert dealt("T A 9 6", stack=15).phase == "insurance"


def test_chips_for_one_insurance_leave_the_other_box_to_decline():
    round_ = play(table("T T A 9 9 6", boxes=2, stack=25), 10, 10)
    round_ = play(round_, 5)
    assert answers(round_, 1) == ("decline",)
    refused(round_, event(round_, "insure", amount=5), ChipsError)
    assert play(round_, "decline").phase == "playing"


@pytest.mark.parametrize("word", ["split", "surrender"])
def test_a_move_that_the_rules_do_not_allow_is_refused(word):
    round_ = dealt("T 6 9 T")
    assert "the moves are stand, hit, double" in refused(round_, event(round_, word), IllegalActionError)


def test_a_second_click_on_the_same_button_is_stale():
    round_ = dealt("2 6 3 T 4 5")
    again = event(round_, "hit")
    refused(step(round_, again).round, again, StaleEventError)


def test_a_second_identical_bet_is_stale():
    round_ = table("T T 6 9 9 T", boxes=2)
    bet = event(round_, "bet", amount=10)
    once = step(round_, bet).round
    assert "answered already" in refused(once, bet, StaleEventError)
    over = step(table("T 6 9 T"), event(table("T 6 9 T"), "bet", amount=10)).round
    refused(over, Event(EventKind.BET, 0, amount=100), StaleEventError)


def test_bets_made_at_the_same_time_are_both_taken():
    """Both players answer the table as they saw it, before either had bet."""
    players = (Player("Ann", 1_000), Player("Bob", 1_000))
    seen = table("T T 6 9 9 T", players=players, owners=(0, 1))
    round_ = step(seen, event(seen, "bet", 1, amount=20)).round
    round_ = step(round_, event(seen, "bet", 0, amount=10)).round
    assert [box.bet for box in round_.boxes] == [100, 200]
    assert round_.phase == "playing"


def test_an_event_from_the_future_or_for_no_box_is_refused():
    round_ = dealt("T 6 9 T")
    refused(round_, Event(EventKind.MOVE, round_.step + 1, action=Action.HIT), StaleEventError)
    for box in (-1, 1, 99):
        refused(round_, Event(EventKind.MOVE, round_.step, box, action=Action.HIT), TurnError)


def test_only_the_box_on_turn_moves():
    round_ = play(table("T T 6 9 9 T", boxes=2), 10, 10)
    assert answers(round_, 1) == ()
    assert "not box 2's turn" in refused(round_, event(round_, "stand", 1), TurnError)


@pytest.mark.parametrize("word", ["bet", "sit out", "insure", "even money", "decline"])
def test_answers_to_other_questions_are_refused_in_play(word):
    refused(dealt("T 6 9 T"), event(dealt("T 6 9 T"), word, 0, 10), TurnError)


@pytest.mark.parametrize(("text", "word"), [("T A 9 6", "even money"), ("A A K 6", "insure")])
def test_even_money_is_for_naturals_and_insurance_for_the_rest(text, word):
    round_ = dealt(text)
    refused(round_, event(round_, word, amount=5), TurnError)


def test_a_move_without_an_action_is_refused():
    round_ = dealt("T 6 9 T")
    refused(round_, Event(EventKind.MOVE, round_.step), TurnError)


@pytest.mark.parametrize(("kind", "amount", "is_taken"), [
    ("half", 50, True), ("half", 40, False), ("half", 60, False), ("half", 0, False),
    ("up-to-half", 50, True), ("up-to-half", 1, True), ("up-to-half", 51, False), ("up-to-half", 0, False),
    ("up-to-half", 2.5, False), ("up-to-half", -5, False),
])
def test_insurance_is_half_the_bet_or_up_to_half(kind, amount, is_taken):
    round_ = dealt("T A 9 6", Rules(insurance=kind))
    insure = Event(EventKind.INSURE, round_.step, amount=amount)
    if is_taken:
        assert step(round_, insure).round.boxes[0].insurance == amount
    else:
        refused(round_, insure, BetError)


def test_no_insurance_is_offered_where_the_rules_have_none_or_no_ace_is_up():
    assert dealt("T A 9 6", Rules(insurance="none")).phase == "playing"
    assert dealt("T T 9 6").phase == "playing"


def test_nothing_more_happens_once_it_is_over():
    round_ = dealt("T 6 9 T T", None, "stand")
    for kind in EventKind:
        refused(round_, Event(kind, round_.step, amount=100, action=Action.HIT), StaleEventError)


def test_a_round_without_bets_is_over_at_once():
    round_ = play(table("T T 6 9 9 T", boxes=2), "sit out", "sit out")
    assert round_.is_over
    assert (round_.lines, round_.dealt) == ((), 0)


def test_a_box_that_sits_out_gets_no_cards():
    round_ = play(table("T 6 9 T", boxes=2), "sit out", 10)
    assert [len(box.hands) for box in round_.boxes] == [0, 1]
    assert legal_moves(round_) == (Action.STAND, Action.HIT, Action.DOUBLE)


def test_a_box_that_is_given_up_loses_its_stakes_and_the_others_play_on():
    players = (Player("Ann", 1_000), Player("Bob", 1_000))
    round_ = play(table("T T 6 9 9 T", players=players, owners=(0, 1)), 10, 10)
    round_ = step(round_, event(round_, "forfeit", 0)).round
    assert round_.awaited == (1,)
    refused(round_, event(round_, "forfeit", 0), TurnError)
    over = play(round_, "stand")
    assert [(str(line.reason), line.net) for line in over.lines] == [("forfeit", -100), ("win", 100)]
    assert [player.stack for player in over.players] == [900, 1_100]


def test_a_bet_that_is_given_up_before_the_deal_is_lost_and_gets_no_cards():
    round_ = play(table("T 6 9 T T", boxes=2), 10)
    round_ = step(round_, event(round_, "forfeit", 0)).round
    refused(round_, event(round_, "forfeit", 0), TurnError)
    over = play(round_, 20, "stand")
    assert [len(box.hands) for box in over.boxes] == [0, 1]
    assert [(str(line.reason), line.net) for line in over.lines] == [("forfeit", -100), ("dealer bust", 200)]
    nobody = step(round_, event(round_, "sit out", 1)).round
    assert nobody.is_over
    assert (nobody.dealt, bank_result(nobody)) == (0, 100)


def test_giving_up_without_a_bet_is_sitting_out():
    round_ = table("T 6 9 T", boxes=2)
    round_ = step(round_, event(round_, "forfeit", 0)).round
    assert (round_.awaited, round_.lines) == ((1,), ())


def test_giving_up_is_never_stale():
    round_ = play(table("T 2 6 9 3 T 4", boxes=2), 10, 10)
    give_up = event(round_, "forfeit", 1)
    assert step(play(round_, "stand"), give_up).round.is_over


def test_giving_up_out_of_turn_leaves_the_question_to_the_box_on_turn():
    round_ = play(table("T T 6 9 9 T", boxes=2), 10, 10)
    answer = event(round_, "stand", 0)
    round_ = step(round_, event(round_, "forfeit", 1)).round
    assert step(round_, answer).round.is_over


def test_giving_up_loses_insurance_too_even_if_the_dealer_has_a_natural():
    round_ = play(table("T T A 9 9 K", boxes=2), 10, 10, 5)
    round_ = step(round_, event(round_, "forfeit", 0)).round
    over = play(round_, "decline")
    assert [(str(line.reason), line.net) for line in over.lines if line.box == 0] == [
        ("forfeit", -100), ("insurance lost", -50)]


def test_giving_up_loses_a_natural_that_took_even_money_but_not_one_that_is_paid():
    round_ = play(table("A T A K 9 6", boxes=2), 10, 10, "even money")
    round_ = step(round_, event(round_, "forfeit", 0)).round
    assert [str(line.reason) for line in play(round_, "decline", "stand").lines if line.box == 0] == ["forfeit"]
    paid = play(table("A T 6 K 9 T", boxes=2), 10, 10)
    assert [str(line.reason) for line in paid.lines] == ["natural"]
    refused(paid, event(paid, "forfeit", 0), TurnError)


@pytest.mark.parametrize("boxes", [0, 6])
def test_a_round_has_one_to_five_boxes(boxes):
    with pytest.raises(SeatError):
        table("T 6 9 T", boxes=boxes)


def test_fewer_boxes_where_a_round_could_run_out_of_cards():
    with pytest.raises(SeatError):
        table("T 6 9 T", Rules(decks=1), boxes=3)


def test_owners_and_stacks_are_checked():
    round_ = table("T 6 9 T")
    with pytest.raises(SeatError):
        open_round(round_.terms, round_.players, (1,), round_.shoe)
    with pytest.raises(SeatError):
        open_round(round_.terms, (Player("you", -1),), (0,), round_.shoe)


def test_what_happened_is_told_in_order_and_without_hidden_cards():
    before = table("T A 9 6")
    told = step(before, event(before, "bet", amount=10)).happenings
    assert [each.told for each in told] == [
        Told.BET, Told.CARD, Told.UPCARD, Told.CARD, Told.HOLE_CARD, Told.INSURANCE_OFFERED]
    assert told[4].card is None
    down = dealt("6 6 5 T K", doubles_face_down=True)
    assert step(down, event(down, "double")).happenings[0].card is None
