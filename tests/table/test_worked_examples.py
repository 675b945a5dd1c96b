"""Rounds that must come out, card by card."""

import pytest

from tests.table.scripted import CHIP, dealt, event, nets, play, table, won
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules
from trainer.table.event import Told
from trainer.table.moves import legal_moves
from trainer.table.resident import chart_event
from trainer.table.round import Player
from trainer.table.step import step

ENHC, OBO = Rules(hole_card="enhc"), Rules(hole_card="obo")


def residents_round(last_card):
    """A resident with 8-8 in the first box, the player with 9-2 in the second, a 6 up and a ten below."""
    players = (Player("you", 50_000 * CHIP), Player("Ahmose", 50_000 * CHIP, is_resident=True))
    text = f"8 9 6 8 2 T 3 9 T K {last_card}"
    return table(text, players=players, owners=(1, 0), smallest=1_000, largest=50_000, bet_step=1_000,
                 pays_at_once=False)


def play_worked_example(last_card, strategy):
    round_ = play(residents_round(last_card), 200, 500)
    while round_.player_of(round_.awaited[0]).is_resident:
        round_ = step(round_, chart_event(round_, round_.awaited[0], strategy.chart)).round
    assert round_.phase == "playing"
    assert round_.lines == ()
    return play(round_, "double")


def test_the_dealer_busts_and_everybody_is_paid(strategy_of):
    round_ = play_worked_example("7", strategy_of(Rules()))
    first, second = round_.boxes[0].hands
    assert [card.face for card in first.cards] == ["8", "3", "9"]
    assert [card.face for card in second.cards] == ["8", "T"]
    assert (first.is_doubled, second.is_doubled) == (True, False)
    assert [card.face for card in round_.boxes[1].hands[0].cards] == ["9", "2", "K"]
    assert [card.face for card in round_.dealer] == ["6", "T", "7"]
    assert nets(round_) == [("dealer bust", 400), ("dealer bust", 200), ("dealer bust", 1000)]
    assert round_.lines[2].returned == 2_000 * CHIP
    assert [player.stack for player in round_.players] == [51_000 * CHIP, 50_600 * CHIP]


def test_its_twin_pushes_the_player_and_beats_the_resident(strategy_of):
    round_ = play_worked_example("5", strategy_of(Rules()))
    assert nets(round_) == [("lose", -400), ("lose", -200), ("push", 0)]
    assert [player.stack for player in round_.players] == [50_000 * CHIP, 49_400 * CHIP]


@pytest.mark.parametrize("rules", [Rules(), Rules(blackjack_pays="6:5"), ENHC])
def test_split_aces_and_a_ten_are_21_that_pays_even_and_pushes_a_drawn_21(rules):
    hole = "T " if rules.is_peek else ""
    late = "" if rules.is_peek else "T "
    winning = dealt(f"A 6 A {hole} T 9 {late} 3", rules, "split")
    assert nets(winning) == [("win", 10), ("win", 10)]
    pushing = dealt(f"A 6 A {hole} T 9 {late} 5", rules, "split")
    assert nets(pushing) == [("push", 0), ("lose", -10)]


def test_a_natural_pushes_a_natural():
    round_ = dealt("A K T A")
    assert round_.is_over
    assert nets(round_) == [("push", 0)]
    assert round_.players[0].stack == 1_000 * CHIP


def test_three_cards_of_21_lose_to_a_natural():
    round_ = dealt("7 T 7 7 A", ENHC, "hit")
    assert round_.boxes[0].hands[0].total == 21
    assert nets(round_) == [("dealer natural", -10)]


def test_a_push_returns_exactly_the_stake():
    round_ = dealt("T 7 Q K", None, "stand", stack=10)
    assert round_.boxes[0].hands[0].total == 20
    assert nets(round_) == [("win", 10)]
    pushing = dealt("T T Q K", None, "stand", stack=10)
    assert (pushing.lines[0].stake, pushing.lines[0].returned) == (100, 100)
    assert pushing.players[0].stack == 100


@pytest.mark.parametrize(("price", "paid"), [("3:2", 15), ("6:5", 12), ("7:5", 14), ("1:1", 10), ("2:1", 20)])
def test_a_natural_pays_its_price_exactly(price, paid):
    assert nets(dealt("A 9 K 7", Rules(blackjack_pays=price))) == [("natural", paid)]


def test_a_natural_on_the_smallest_whole_bet_is_paid_to_the_tenth():
    for price, paid in (("3:2", 1.5), ("6:5", 1.2), ("7:5", 1.4)):
        round_ = play(table("A 9 K 7", Rules(blackjack_pays=price), smallest=10, bet_step=10), 1)
        assert nets(round_) == [("natural", paid)]


def test_insurance_and_a_dealers_natural_net_nothing():
    round_ = dealt("T A 9 K", None, 5)
    assert nets(round_) == [("dealer natural", -10), ("insurance won", 10)]
    assert won(round_) == 0


def test_insurance_is_lost_where_there_is_no_natural_and_the_hand_plays_on():
    round_ = dealt("T A 9 6", None, 5)
    assert nets(round_) == [("insurance lost", -5)]
    assert round_.phase == "playing"
    assert nets(play(round_, "stand"))[1] == ("win", 10)


@pytest.mark.parametrize("pays_at_once", [True, False])
@pytest.mark.parametrize("price", ["3:2", "6:5"])
@pytest.mark.parametrize("hole", ["K", "6"])
def test_even_money_wins_one_bet_whatever_the_hole_card(hole, price, pays_at_once):
    round_ = dealt(f"A A K {hole}", Rules(blackjack_pays=price), "even money", pays_at_once=pays_at_once)
    assert round_.is_over
    assert nets(round_) == [("even money", 10)]


def test_even_money_needs_no_chips():
    round_ = dealt("A A K 6", None, stack=10)
    assert round_.players[0].stack == 0
    assert won(play(round_, "even money")) == 10


def test_declined_even_money_pushes_a_natural_and_is_paid_its_price_else():
    assert nets(dealt("A A K Q", None, "decline")) == [("push", 0)]
    assert nets(dealt("A A K 6", None, "decline")) == [("natural", 15)]


@pytest.mark.parametrize(("text", "words"), [("A 6 K T", ()), ("T 6 6 T K", ("hit",))])
def test_the_dealer_draws_nothing_where_only_a_natural_or_a_bust_is_left(text, words):
    round_ = dealt(text, None, *words)
    assert round_.is_over
    assert [card.face for card in round_.dealer] == ["6", "T"]
    assert round_.is_hole_up


def test_the_dealer_draws_where_one_of_several_hands_is_left():
    round_ = play(table("T T 6 6 9 T K 5", boxes=2), 10, 10, "hit", "stand")
    assert [card.face for card in round_.dealer] == ["6", "T", "5"]
    assert nets(round_) == [("bust", -10), ("lose", -10)]


def test_a_bust_loses_even_if_the_dealer_busts_later():
    round_ = play(table("T T 6 6 9 T K Q", boxes=2), 10, 10, "hit", "stand")
    assert nets(round_) == [("bust", -10), ("dealer bust", 10)]


@pytest.mark.parametrize("rules", [Rules(), ENHC, OBO])
def test_hands_of_one_split_are_settled_one_by_one(rules):
    hole = "T " if rules.is_peek else ""
    late = "" if rules.is_peek else "T "
    round_ = dealt(f"8 9 8 {hole} 3 Q T {late}", rules, "split", "double", "stand", stack=100)
    assert nets(round_) == [("win", 20), ("lose", -10)]
    bust = dealt(f"8 9 8 {hole} 5 Q Q {late}", rules, "split", "hit", "stand", stack=100)
    assert nets(bust) == [("bust", -10), ("lose", -10)]


def test_a_split_hand_gets_its_second_card_when_its_turn_comes():
    round_ = dealt("8 9 8 T 2 3 T", None, "split")
    assert [len(hand.cards) for hand in round_.boxes[0].hands] == [2, 1]
    round_ = play(round_, "hit")
    assert [card.face for card in round_.boxes[0].hands[0].cards] == ["8", "2", "3"]
    round_ = play(round_, "stand")
    assert [card.face for card in round_.boxes[0].hands[1].cards] == ["8", "T"]


def test_split_aces_get_both_cards_at_once_and_stand():
    pair = dealt("A 6 A T 5 9 5")
    happened = step(pair, event(pair, "split")).happenings
    assert [str(each.card) for each in happened if each.told == Told.CARD] == ["5s", "9s"]
    round_ = dealt("A 6 A T 5 9 5", None, "split")
    assert round_.is_over
    assert [hand.total for hand in round_.boxes[0].hands] == [16, 20]


def test_a_pair_of_split_aces_is_split_again_only_where_the_rules_say_so():
    assert dealt("A 6 A T A 9 5", None, "split").is_over
    again = dealt("A 6 A T A 9 5 6 2", Rules(resplit_aces=True), "split")
    assert [str(move) for move in legal_moves(again)] == ["stand", "split"]
    done = play(again, "split")
    assert [hand.total for hand in done.boxes[0].hands] == [16, 17, 20]


def test_split_aces_are_hit_where_the_rules_say_so():
    round_ = dealt("A 6 A T 5 9 4", Rules(hit_split_aces=True), "split", "hit")
    assert round_.boxes[0].hands[0].total == 20


def test_splits_go_to_the_limit_and_no_further():
    round_ = dealt("8 6 8 T 8 8 T", None, "split", "split", "split")
    assert len(round_.boxes[0].hands) == 4
    assert "split" not in legal_moves(round_)
    assert len(round_.boxes[0].hands[0].cards) == 2


def test_classic_pays_a_natural_at_once_against_2_to_9_and_waits_against_an_ace_or_a_ten():
    rules = RULE_SETS["classic"]
    early = play(table("A T 9 K 7", rules, boxes=2), 10, 10)
    assert early.phase == "playing"
    assert nets(early) == [("natural", 15)]
    assert early.players[0].stack == (1_000 - 20 + 25) * CHIP
    waiting = play(table("A T T K 7 8", rules, boxes=2), 10, 10)
    assert waiting.phase == "playing"
    assert waiting.lines == ()
    assert nets(play(waiting, "stand")) == [("natural", 15), ("lose", -10)]
    beaten = play(table("A T T K 7 A", rules, boxes=2), 10, 10, "stand")
    assert nets(beaten) == [("push", 0), ("dealer natural", -10)]


def test_without_a_hole_card_the_dealer_looks_only_for_a_natural_where_only_naturals_are_left():
    round_ = dealt("A T K 6 9", RULE_SETS["classic"])
    assert [card.face for card in round_.dealer] == ["T", "6"]
    assert nets(round_) == [("natural", 15)]
    at_once = dealt("A 5 K 6 9", RULE_SETS["classic"])
    assert [card.face for card in at_once.dealer] == ["5"]
    fixed = dealt("A A K 6 9", ENHC, "even money")
    assert [card.face for card in fixed.dealer] == ["A"]


def test_a_dealers_natural_takes_doubled_and_split_bets_under_enhc_and_original_bets_only_under_obo():
    for text, words in (("6 T 5 T A", ("double",)), ("8 T 8 T T A", ("split", "stand", "stand"))):
        every, one = dealt(text, ENHC, *words), dealt(text, OBO, *words)
        assert won(every) == -20
        assert won(one) == -10
        assert {reason for reason, _ in nets(one)} == {"original bet only"}


def test_under_obo_one_bet_is_lost_whatever_became_of_the_hands():
    round_ = dealt("8 T 8 3 Q 4 K A", OBO, "split", "double", "hit", stack=100)
    assert [hand.ending for hand in round_.boxes[0].hands] == ["stood", "bust"]
    assert won(round_) == -10
    for last, lost in (("A", -10), ("9", -20)):
        doubled = dealt(f"T T 2 K {last}", OBO, "double")
        assert doubled.boxes[0].hands[0].ending == "bust"
        assert (won(doubled), len(doubled.dealer)) == (lost, 2)
    bust = dealt("T T 6 K A", OBO, "hit")
    assert nets(bust) == [("bust", -10)]
    assert len(bust.dealer) == 1


def test_with_a_hole_card_no_second_bet_is_lost_to_a_natural():
    round_ = dealt("6 T 5 A")
    assert round_.is_over
    assert nets(round_) == [("dealer natural", -10)]


def test_late_surrender_gives_half_back_after_the_peek():
    rules = Rules(surrender="late")
    assert nets(dealt("T T 6 9", rules, "surrender")) == [("surrender", -5)]
    assert nets(dealt("T T 6 A", rules)) == [("dealer natural", -10)]


@pytest.mark.parametrize(("pays_at_once", "stack"), [(True, 985), (False, 980)])
def test_surrenders_and_naturals_are_paid_at_once_or_at_the_rounds_end(pays_at_once, stack):
    place = {"boxes": 2, "pays_at_once": pays_at_once}
    round_ = play(table("T T 9 6 6 9", Rules(surrender="late"), **place), 10, 10, "surrender")
    assert (round_.phase, round_.players[0].stack) == ("playing", stack * CHIP)
    assert nets(play(round_, "stand"))[0] == ("surrender", -5)
    natural = play(table("A T 9 K 6 9", **place), 10, 10)
    assert natural.players[0].stack == (1_005 if pays_at_once else 980) * CHIP
    assert nets(play(natural, "stand"))[0] == ("natural", 15)


@pytest.mark.parametrize("hole", ["A", "9"])
def test_early_surrender_gives_half_back_before_the_peek(hole):
    rules = Rules(surrender="early")
    round_ = dealt(f"T T 6 {hole}", rules)
    assert round_.phase == "early surrender"
    assert nets(play(round_, "surrender")) == [("surrender", -5)]


def test_early_surrender_is_over_once_the_dealer_has_looked():
    round_ = dealt("T T 6 9", Rules(surrender="early"), "decline")
    assert "surrender" not in legal_moves(round_)
    assert "surrender" in legal_moves(dealt("T 9 6 9", Rules(surrender="early")))


@pytest.mark.parametrize("hole_card", ["enhc", "obo"])
def test_without_a_hole_card_surrender_is_a_flat_half(hole_card):
    rules = Rules(hole_card=hole_card, surrender="late")
    round_ = play(table("T T T 6 9 A", rules, boxes=2), 10, 10, "surrender", "stand")
    assert nets(round_) == [("surrender", -5), ("dealer natural", -10)]


def test_insurance_without_a_hole_card_waits_for_the_dealers_second_card():
    round_ = dealt("T A 6 K Q", ENHC, 5, "hit")
    assert [card.face for card in round_.dealer] == ["A", "Q"]
    assert nets(round_) == [("bust", -10), ("insurance won", 10)]


def test_a_double_face_down_is_turned_at_settlement_and_the_dealer_draws_for_it():
    rules = RULE_SETS["live-casino"]
    first = dealt("6 6 5 T 2 9", rules, "double", doubles_face_down=True)
    assert nets(first) == [("dealer bust", 20)]
    bust = dealt("7 6 9 T T 9", Rules(), "double", doubles_face_down=True)
    assert [card.face for card in bust.dealer] == ["6", "T", "9"]
    assert bust.boxes[0].hands[0].ending == "bust"
    assert nets(bust) == [("bust", -20)]
