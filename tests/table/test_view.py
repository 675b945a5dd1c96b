import json
from dataclasses import asdict

import pytest

from tests.table.scripted import dealt, event, play, table
from trainer.engine.cards import composition_of, full_shoe
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules
from trainer.table.round import Player
from trainer.table.step import step
from trainer.table.view import seen_cards, unseen_counts, view_of


def test_the_hole_card_is_a_back_until_it_is_turned():
    round_ = dealt("T 6 9 Q")
    view = view_of(round_, "you")
    assert view.dealer.cards == ("6s", None)
    assert view.dealer.total is None
    assert "Q" not in json.dumps(asdict(view))
    over = view_of(play(round_, "stand"), "you")
    assert over.dealer.cards[:2] == ("6s", "Qs")
    assert over.dealer.total >= 17


def test_without_a_hole_card_the_upcard_lies_alone():
    view = view_of(dealt("T 6 9", Rules(hole_card="enhc")), "you")
    assert (view.dealer.cards, view.dealer.total) == (("6s",), 6)


def test_nothing_of_the_shoe_is_in_a_view():
    round_ = dealt("T 6 9 Q 7h 7d")
    shown = json.dumps(asdict(view_of(round_, "you")))
    assert "7h" not in shown
    assert "7d" not in shown
    assert "shoe" not in shown
    assert view_of(round_, "you").cards_left == 308


@pytest.mark.parametrize("key", ["classic", "live-casino"])
def test_a_double_face_down_is_in_no_view_and_not_seen_before_settlement(key):
    rules = RULE_SETS[key]
    hole = "T " if rules.is_peek else ""
    round_ = play(table(f"6 T 6 5 9 {hole} Kh 2", rules, boxes=2, doubles_face_down=True), 10, 10, "double")
    assert round_.phase == "playing"
    for viewer in ("you", None):
        hand = view_of(round_, viewer).boxes[0].hands[0]
        assert hand.cards == ("6s", "5s", None)
        assert (hand.total, hand.is_doubled, hand.ending) == (None, True, "stood")
        assert "Kh" not in json.dumps(asdict(view_of(round_, viewer)))
    assert "Kh" not in map(str, seen_cards(round_))
    over = play(round_, "stand")
    assert view_of(over, None).boxes[0].hands[0].cards == ("6s", "5s", "Kh")
    assert "Kh" in map(str, seen_cards(over))


def test_answers_are_shown_to_the_box_on_turn_and_to_nobody_else():
    players = (Player("Ann", 1_000), Player("Bob", 1_000))
    round_ = play(table("T T 6 9 9 T", players=players, owners=(0, 1)), 10, 10)
    assert view_of(round_, "Ann").boxes[0].answers == ("stand", "hit", "double")
    assert [box.answers for viewer in ("Bob", None, "Cara") for box in view_of(round_, viewer).boxes] == [()] * 6
    assert [box.is_own for box in view_of(round_, "Bob").boxes] == [False, True]
    assert [box.is_awaited for box in view_of(round_, None).boxes] == [True, False]


def test_everyone_sees_everyones_cards():
    players = (Player("Ann", 1_000), Player("Bob", 1_000))
    round_ = play(table("T T 6 9 9 T", players=players, owners=(0, 1)), 10, 10)
    shown = [[hand.cards for box in view_of(round_, viewer).boxes for hand in box.hands] for viewer in ("Ann", None)]
    assert shown[0] == shown[1] == [("Ts", "9s"), ("Th", "9h")]


def test_soft_and_hard_totals():
    soft, hard = (view_of(dealt(text), "you").boxes[0].hands[0] for text in ("A 6 6 T", "T 6 6 T"))
    assert (soft.total, soft.is_soft, hard.total, hard.is_soft) == (17, True, 16, False)


def test_unseen_cards_are_the_shoe_less_what_lies_face_up():
    round_ = dealt("T 6 9 Q")
    seen = composition_of(seen_cards(round_))
    assert seen == (0, 0, 0, 0, 0, 1, 0, 0, 1, 1)
    assert [all_ - out for all_, out in zip(full_shoe(6), seen, strict=True)] == list(unseen_counts(round_))
    assert sum(unseen_counts(round_)) == 309


def test_cards_of_earlier_rounds_are_seen_until_the_shuffle():
    round_ = dealt("T 6 9 Q", rest=300)
    assert len(seen_cards(round_)) == 12 + 3
    assert sum(unseen_counts(round_)) == 297


def test_a_view_before_the_deal_has_no_dealer():
    round_ = table("T 6 9 Q")
    assert view_of(round_, "you").dealer is None
    assert view_of(round_, "you").boxes[0].answers == ("bet", "sit out")


def test_settled_lines_are_in_the_view():
    over = play(dealt("T 6 9 Q"), "stand")
    assert asdict(view_of(over, "you"))["lines"] == tuple(
        {"box": 0, "hand": 0, "stake": 100, "returned": line.returned, "reason": line.reason} for line in over.lines)
    assert view_of(over, None).stacks == {"you": over.players[0].stack}


def test_a_view_is_plain_json():
    round_ = dealt("T A 9 Q")
    round_ = step(round_, event(round_, "insure", amount=5)).round
    assert json.loads(json.dumps(asdict(view_of(round_, "you"))))["boxes"][0]["insurance"] == 50
