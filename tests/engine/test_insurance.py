from fractions import Fraction
from itertools import permutations

import pytest

from trainer.engine.cards import parse_cards
from trainer.engine.errors import ImpossibleHandError
from trainer.engine.insurance import (
    BREAK_EVEN_SHARE,
    even_money_evs,
    insurance_ev,
    insures_all,
    insures_good,
    insures_naturals,
    is_insurance_offered,
    price_of_habit,
    ten_share,
    ten_share_left,
)
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules


@pytest.mark.parametrize("insurance", ["half", "up-to-half"])
def test_insurance_is_offered_against_an_ace_only(insurance):
    rules = Rules(insurance=insurance)
    assert [upcard for upcard in range(1, 11) if is_insurance_offered(rules, upcard)] == [1]


def test_insurance_is_not_offered_where_the_rules_have_none():
    assert not is_insurance_offered(Rules(insurance="none"), 1)
    assert [key for key, rules in RULE_SETS.items() if not is_insurance_offered(rules, 1)] == [
        "classic", "squarescores"]


@pytest.mark.parametrize(
    ("decks", "seen", "tens", "cards"),
    [
        (6, "A", 96, 311),
        (6, "A TT", 94, 309),
        (6, "A 10 A", 95, 309),
        (6, "A 55", 96, 309),
        (6, "A KQ", 94, 309),
        (1, "A TT", 14, 49),
        (1, "A 98", 16, 49),
        (1, "A 9876543", 16, 44),
        (8, "A", 128, 415),
    ],
)
def test_insurance_counts_every_card_seen(decks, seen, tens, cards):
    rules, seen = Rules(decks=decks), parse_cards(seen)
    assert ten_share(rules, seen) == tens / cards
    assert insurance_ev(rules, seen) == pytest.approx(3 * tens / cards - 1, abs=1e-15)


def test_insurance_breaks_even_when_a_third_of_the_cards_are_tens():
    seen = parse_cards("A 99 8")  # 16 of 48 left
    assert ten_share(Rules(decks=1), seen) == float(BREAK_EVEN_SHARE)
    assert insurance_ev(Rules(decks=1), seen) == pytest.approx(0, abs=1e-15)
    assert insurance_ev(Rules(decks=1), parse_cards("A 99 87")) > 0
    assert insurance_ev(Rules(decks=1), parse_cards("A 99")) < 0


def test_insuring_a_good_hand_is_worse_than_insuring_a_bad_one():
    twenty, sixteen = (insurance_ev(Rules(), parse_cards(cards)) for cards in ("A TT", "A 97"))
    assert twenty < sixteen < 0


@pytest.mark.parametrize(("pays", "payout"), [("3:2", 1.5), ("6:5", 1.2), ("7:5", 1.4), ("1:1", 1.0), ("2:1", 2.0)])
def test_even_money_is_one_bet_and_declining_it_pays_when_there_is_no_ten(pays, payout):
    take, decline = even_money_evs(Rules(blackjack_pays=pays), parse_cards("A AT"))
    assert take == 1.0
    assert decline == pytest.approx(payout * (1 - 95 / 309), abs=1e-15)


def test_even_money_is_insurance_of_the_whole_bet():
    rules, seen = Rules(), parse_cards("A AT")
    take, decline = even_money_evs(rules, seen)
    assert decline + insurance_ev(rules, seen) / 2 == pytest.approx(take, abs=1e-15)


@pytest.mark.parametrize("seen", ["AAAAA", "2222 2", "T" * 17])
def test_more_cards_than_the_shoe_has_are_impossible(seen):
    with pytest.raises(ImpossibleHandError, match="hold all of the"):
        ten_share(Rules(decks=1), parse_cards(seen))


def test_an_empty_shoe_has_no_hole_card():
    whole_deck = parse_cards("A23456789TJQK" * 4)
    assert ten_share(Rules(decks=1), whole_deck[1:]) in (0.0, 1.0)
    with pytest.raises(ImpossibleHandError):
        ten_share(Rules(decks=1), whole_deck)


@pytest.mark.parametrize("decks", range(1, 9))
def test_insuring_everything_costs_what_it_would_before_any_card_but_the_ace_is_seen(decks):
    rules = Rules(decks=decks)
    habit = price_of_habit(rules, insures_all)
    assert habit.often == pytest.approx(1 / 13)
    assert habit.ev == pytest.approx((3 * 16 * decks / (52 * decks - 1) - 1) / 2 / 13, abs=1e-15)


@pytest.mark.parametrize("pays", ["3:2", "6:5"])
def test_habits_are_the_mean_over_every_deal_of_a_deck(pays):
    """Upcard, two cards and the hole card in every order, counted in fractions."""
    rules = Rules(decks=1, blackjack_pays=pays)
    payout = Fraction(rules.blackjack_payout)
    sums = {insures_all: Fraction(), insures_good: Fraction(), insures_naturals: Fraction()}
    often = dict.fromkeys(sums, 0)
    deals = deals_against_an_ace()
    for (first, second, hole), ways in deals.items():
        total = first + second + 10 * (1 in (first, second))
        wins, is_natural = hole == 10, total == 21
        gain = 1 - (0 if wins else payout) if is_natural else Fraction(2 if wins else -1, 2)
        for habit, takes in ((insures_all, True), (insures_good, 19 <= total <= 20), (insures_naturals, is_natural)):
            sums[habit] += takes * ways * gain
            often[habit] += takes * ways
    all_deals = 51 * 50 * 49 * 13
    for habit, total in sums.items():
        found = price_of_habit(rules, habit)
        assert found.ev == pytest.approx(float(total / all_deals), abs=1e-15)
        assert found.often == pytest.approx(often[habit] / all_deals, abs=1e-15)
        assert found.ev_each_time == pytest.approx(float(total / often[habit]), abs=1e-14)


def deals_against_an_ace():
    """Ranks of first card, second card and hole card with the number of ways, one ace of the deck being up."""
    left = {1: 3, **dict.fromkeys(range(2, 10), 4), 10: 16}
    found = {}
    for ranks in set(permutations([rank for rank in left for _ in range(3)], 3)):
        ways = 1
        for place, rank in enumerate(ranks):
            ways *= left[rank] - ranks[:place].count(rank)
        found[ranks] = ways
    return found


def test_even_money_gains_where_naturals_pay_less():
    assert price_of_habit(Rules(), insures_naturals).ev < 0
    assert price_of_habit(Rules(blackjack_pays="6:5"), insures_naturals).ev > 0


@pytest.mark.parametrize(("seen", "tens", "others"), [("A", 0, 1), ("A TT", 2, 1), ("A 9 T 55 K", 2, 4)])
def test_counts_are_as_good_as_cards(seen, tens, others):
    for decks in range(1, 9):
        rules = Rules(decks=decks)
        assert ten_share_left(rules, tens, others) == ten_share(rules, parse_cards(seen))


@pytest.mark.parametrize(("tens", "others"), [(17, 1), (16, 36), (0, 37), (-1, 1000), (10**30, 1)])
def test_counts_that_one_deck_does_not_hold_are_impossible(tens, others):
    with pytest.raises(ImpossibleHandError, match="do not hold"):
        ten_share_left(Rules(decks=1), tens, others)
