"""Hands that trainers are known to get wrong, one test each."""

import pytest

from trainer.engine.actions import Action, legal_actions
from trainer.engine.cards import Card
from trainer.engine.chart import Cell, cell_of
from trainer.engine.hands import Hand
from trainer.engine.insurance import insurance_ev
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules
from trainer.engine.strategy import Strategy

SIX_DECIMALS = 5e-7


def moves(strategy: Strategy, cards: str, upcard: str) -> tuple[Action, Action]:
    """The exact and the chart's move on a first hand."""
    hand, up = Hand.parse(cards), Card(upcard)
    evs = strategy.solution.evs(hand, up)
    return max(evs, key=lambda action: evs[action]), strategy.chart.move(hand, up, tuple(evs))


def test_three_aces_and_a_six_are_soft_19():
    hand = Hand.parse("AAA6")
    assert (hand.total, hand.is_soft, hand.totals) == (19, True, (9, 19))


def test_two_aces_and_a_ten_are_hard_12():
    hand = Hand.parse("AAT")
    assert (hand.total, hand.is_soft, hand.totals) == (12, False, (12,))


@pytest.mark.parametrize("fields", [{"split_by": "rank"}, {"no_split": "10"}])
def test_jack_and_king_that_may_not_be_split_stand_against_a_six(fields, strategy_of):
    strategy = strategy_of(Rules(**fields))
    assert Action.SPLIT not in strategy.solution.evs(Hand.parse("JK"), Card("6"))
    assert moves(strategy, "JK", "6") == (Action.STAND, Action.STAND)


@pytest.mark.parametrize("upcard", "A23456789T")
def test_aces_that_may_not_be_split_are_a_soft_12(upcard, strategy_of):
    no_aces = Rules(no_split="A")
    hand, up = Hand.parse("AA"), Card(upcard)
    legal = legal_actions(no_aces, hand.cards)
    assert legal == (Action.STAND, Action.HIT, Action.DOUBLE)
    assert cell_of(hand, up, legal) == Cell("soft", 12, up.rank)
    assert set(moves(strategy_of(no_aces), "AA", upcard)) <= {Action.HIT, Action.DOUBLE}


def test_eights_against_an_ace_are_surrendered_to_a_dealer_who_hits_soft_17(strategy_of):
    strategy = strategy_of(RULE_SETS["shoe-h17"])
    evs = strategy.solution.evs(Hand.parse("88"), Card("A"))
    assert evs[Action.SPLIT] == pytest.approx(-0.5140, abs=5e-5)
    assert evs[Action.SURRENDER] == -0.5
    assert moves(strategy, "88", "A") == (Action.SURRENDER, Action.SURRENDER)


def test_eights_against_an_ace_are_split_where_there_is_no_surrender(strategy_of):
    assert moves(strategy_of(Rules(dealer_hits_soft_17=True)), "88", "A") == (Action.SPLIT, Action.SPLIT)


def test_ten_and_two_against_a_four_hit_though_the_chart_stands(strategy_of):
    assert moves(strategy_of(Rules()), "T2", "4") == (Action.HIT, Action.STAND)


def test_six_five_five_against_a_ten_stand_though_the_chart_hits(strategy_of):
    assert moves(strategy_of(Rules()), "655", "T") == (Action.STAND, Action.HIT)


def test_soft_18_against_an_ace_hits_in_six_decks(strategy_of):
    assert moves(strategy_of(Rules()), "A7", "A") == (Action.HIT, Action.HIT)


def test_soft_18_against_an_ace_stands_in_one_deck(strategy_of):
    assert moves(strategy_of(Rules(decks=1)), "A7", "A") == (Action.STAND, Action.STAND)


def test_ten_and_six_against_a_ten_hit_by_six_thousandths(strategy_of):
    evs = strategy_of(Rules()).solution.evs(Hand.parse("T6"), Card("T"))
    assert evs[Action.HIT] == pytest.approx(-0.534676, abs=SIX_DECIMALS)
    assert evs[Action.STAND] == pytest.approx(-0.540954, abs=SIX_DECIMALS)


def test_insurance_costs_seven_per_cent_when_only_the_ace_is_seen():
    assert insurance_ev(Rules(), [Card("A")]) == pytest.approx(-0.073955, abs=SIX_DECIMALS)
