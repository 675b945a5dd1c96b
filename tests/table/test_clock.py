"""Deadlines as data: what the clock does when it runs out, and that nobody waits where all are ready."""

import pytest

from tests.table.scripted import CHIP, dealt, event, play, table
from trainer.engine.rules import Rules
from trainer.table.errors import LateEventError
from trainer.table.event import Event, EventKind
from trainer.table.step import step, time_up
from trainer.table.terms import Clock

CLOCK = Clock()
START = 1_000_000


def timed(text, *words, rules=None, boxes=1):
    return play_at(table(text, rules, boxes=boxes, clock=CLOCK, now=START), *words)


def play_at(round_, *words, at=START):
    for word in words:
        kind, amount = (word, 0) if isinstance(word, str) else ("bet", word)
        round_ = step(round_, event(round_, kind, amount=amount, at=at)).round
    return round_


def run_out(round_):
    """The round after its clock has run out."""
    assert time_up(round_, round_.deadline) is None
    return step(round_, time_up(round_, round_.deadline + 1)).round


def test_bets_have_15_seconds_and_then_the_box_sits_out():
    round_ = timed("T T 6 9 9 T", 10, boxes=2)
    assert round_.deadline == START + 15_000
    round_ = run_out(round_)
    assert [box.bet for box in round_.boxes] == [100, 0]
    assert round_.phase == "playing"


def test_nobody_bet_and_the_round_is_over():
    round_ = run_out(timed("T 6 9 T"))
    assert round_.is_over
    assert round_.players[0].stack == 1_000 * CHIP


def test_insurance_has_8_seconds_and_is_then_declined():
    round_ = timed("T T A 9 9 6", 10, 10, boxes=2)
    assert round_.deadline == START + 8_000
    round_ = run_out(round_)
    assert round_.phase == "playing"
    assert [box.insurance for box in round_.boxes] == [0, 0]


def test_even_money_and_early_surrender_are_declined_too():
    assert [line.reason for line in run_out(timed("A A K 6", 10)).lines] == ["natural"]
    round_ = timed("T T 6 9", 10, rules=Rules(surrender="early"))
    assert round_.deadline == START + 8_000
    assert run_out(round_).phase == "playing"


def test_a_move_has_15_seconds_and_then_the_hand_stands():
    round_ = timed("8 T 6 8 9 T 3", 10, 10, "split", boxes=2)
    assert round_.deadline == START + 15_000
    late = round_.deadline + 500
    round_ = step(round_, time_up(round_, late)).round
    assert round_.boxes[0].hands[0].ending == "stood"
    assert round_.active == (0, 1)
    assert round_.deadline == late + 15_000
    assert round_.players[0].stack == 970 * CHIP


def test_every_move_gets_its_own_time():
    round_ = play_at(timed("2 6 3 T 4 5", 10), "hit", at=START + 14_000)
    assert round_.deadline == START + 29_000


def test_nobody_waits_where_all_have_answered():
    round_ = timed("T T 6 9 9 T", 10, 20, boxes=2)
    assert round_.phase == "playing"
    assert round_.deadline == START + 15_000


def test_a_bet_does_not_prolong_the_time_of_the_others():
    round_ = play_at(table("T T 6 9 9 T", boxes=2, clock=CLOCK, now=START), 10, at=START + 9_000)
    assert round_.deadline == START + 15_000


@pytest.mark.parametrize("word", ["stand", "hit", "double"])
def test_an_answer_after_the_deadline_is_refused(word):
    round_ = timed("2 6 3 T", 10)
    step(round_, event(round_, word, at=round_.deadline))
    with pytest.raises(LateEventError):
        step(round_, event(round_, word, at=round_.deadline + 1))


def test_the_clock_is_not_called_out_before_its_time():
    round_ = timed("T 6 9 T", 10)
    for at in (0, round_.deadline):
        with pytest.raises(LateEventError):
            step(round_, Event(EventKind.TIME_UP, round_.step, at=at))


def test_without_a_clock_nothing_presses():
    round_ = dealt("T 6 9 T")
    assert round_.deadline is None
    assert time_up(round_, 10**15) is None
    with pytest.raises(LateEventError):
        step(round_, Event(EventKind.TIME_UP, round_.step, at=10**15))
    assert play(round_, "stand").is_over


def test_giving_up_is_never_too_late():
    round_ = timed("T 6 9 T", 10)
    assert step(round_, event(round_, "forfeit", at=round_.deadline + 10**6)).round.is_over
