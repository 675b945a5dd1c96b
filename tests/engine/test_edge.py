"""What the whole game is worth: published and twice-computed edges, advice, frequencies."""

from dataclasses import replace
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given

from tests.strategies import examples, rules
from trainer.engine.advice import ADVICE, mimic_the_dealer
from trainer.engine.cards import ACE, CARDS_PER_DECK, RANKS, TEN, full_shoe
from trainer.engine.deal import deal_chances, reach_chances, same_face_shares, upcard_chances
from trainer.engine.edge import chart_edge
from trainer.engine.player import HIT
from trainer.engine.policy import TotalPolicy
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules

NINE_TO_ELEVEN = Rules(double_on="9-11", double_after_split=False, max_split_hands=2)
# Rules, exact and chart edge in per cent; see tests/data/README.md. None: not known from elsewhere.
EDGES = {
    "S17": (Rules(), -0.402870, -0.405922),
    "H17": (Rules(dealer_hits_soft_17=True), -0.615389, -0.618149),
    "S17 late surrender": (Rules(surrender="late"), -0.330268, None),
    "H17 late surrender": (Rules(dealer_hits_soft_17=True, surrender="late"), -0.527192, None),
    "S17 no hole card": (Rules(hole_card="enhc"), -0.514056, None),
    "9-11": (NINE_TO_ELEVEN, -0.668101, -0.671160),
    "9-11 no 4s 5s tens": (replace(NINE_TO_ELEVEN, no_split=(4, 5, 10)), -0.668101, -0.671160),
    "9-11 no hole card": (replace(NINE_TO_ELEVEN, hole_card="enhc"), -0.775776, -0.779357),
    "9-11 no hole card no 4s 5s tens": (
        replace(NINE_TO_ELEVEN, hole_card="enhc", no_split=(4, 5, 10)), -0.775776, -0.779357),
    "one deck": (Rules(decks=1, max_split_hands=2), 0.153120, 0.114365),
    "hall-of-thoth": (RULE_SETS["hall-of-thoth"], -0.402870, -0.405922),
    "openseat": (RULE_SETS["openseat"], -0.402870, -0.405922),
    "classic": (RULE_SETS["classic"], -0.775776, -0.779357),
    "live-casino": (RULE_SETS["live-casino"], -0.668101, -0.671160),
    "squarescores": (RULE_SETS["squarescores"], 0.153120, 0.114365),
    "shoe-h17": (RULE_SETS["shoe-h17"], -0.527192, None),
}
HALF_A_DIGIT = 5e-9


@pytest.mark.parametrize("name", EDGES)
def test_the_edge_is_the_known_one(name, strategy_of):
    known_rules, exact, chart = EDGES[name]
    strategy = strategy_of(known_rules)
    assert strategy.exact.edge == pytest.approx(exact / 100, abs=HALF_A_DIGIT)
    if chart is not None:
        assert strategy.by_chart.edge == pytest.approx(chart / 100, abs=HALF_A_DIGIT)


def test_losing_only_original_bets_is_worth_as_much_as_a_peek(strategy_of):
    peek, obo = strategy_of(Rules()), strategy_of(Rules(hole_card="obo"))
    assert obo.exact.edge == pytest.approx(peek.exact.edge, abs=1e-14)
    assert obo.by_chart.edge == pytest.approx(peek.by_chart.edge, abs=1e-14)
    assert obo.chart == peek.chart


@pytest.mark.parametrize("key", RULE_SETS)
def test_the_edge_is_the_mean_over_the_upcards(key, strategy_of):
    shoe = full_shoe(RULE_SETS[key].decks)
    for value in (strategy_of(RULE_SETS[key]).exact, strategy_of(RULE_SETS[key]).by_chart):
        mean = sum(shoe[rank - 1] * value.by_upcard[rank] for rank in RANKS) / sum(shoe)
        assert value.edge == pytest.approx(mean, abs=1e-14)


@pytest.mark.parametrize("key", RULE_SETS)
def test_the_chart_is_no_better_than_exact_play_and_advice_no_better_than_the_chart(key, strategy_of, table_of):
    strategy, table = strategy_of(RULE_SETS[key]), table_of(RULE_SETS[key])
    assert strategy.by_chart.edge < strategy.exact.edge
    for build in ADVICE.values():
        assert chart_edge(table, build(RULE_SETS[key])).edge < strategy.by_chart.edge


@examples(10)
@given(rules(most_decks=8))
def test_the_chart_is_no_better_than_exact_play_under_any_rules(strategy_of, any_rules):
    strategy = strategy_of(any_rules)
    assert strategy.by_chart.edge <= strategy.exact.edge


# In per cent, six decks S17 DAS. 150 million rounds of tests/engine/monte_carlo.py gave -0.8803, -0.5780, -5.6579
# and -6.0047, each with a standard error of 0.008 to 0.009.
@pytest.mark.parametrize(("name", "edge"), [
    ("short-version", -0.8856), ("classic-version", -0.5850), ("mimic-the-dealer", -5.6756), ("never-bust", -6.0131),
])
def test_advice_costs(name, edge, table_of):
    assert 100 * chart_edge(table_of(Rules()), ADVICE[name](Rules())).edge == pytest.approx(edge, abs=5e-5)


@pytest.mark.parametrize("hits_soft_17", [False, True])
@pytest.mark.parametrize("decks", [1, 6])
def test_mimicking_the_dealer_loses_when_both_bust_and_gains_only_by_the_price_of_a_natural(
    decks, hits_soft_17, table_of
):
    # Whoever draws first, player and dealer end alike: all that parts them is who pays when both are bust.
    mimic_rules = Rules(decks=decks, dealer_hits_soft_17=hits_soft_17, hole_card="enhc")
    table, chart = table_of(mimic_rules), mimic_the_dealer(mimic_rules)
    value = chart_edge(table, chart)
    hits = TotalPolicy.of(chart).moves(table, is_split=False) == HIT
    held = reach_chances(table, deal_chances(table), hits) @ np.diag(upcard_chances(table))
    dealer_busts = 1.0 - table.odds.totals(table.lattice.compositions).sum(axis=2) - table.natural
    natural = table.lattice.natural_row
    only_mine = (held * (1.0 - table.natural))[natural].sum()
    stands = ~hits & (table.lattice.sizes > 1)[:, None]
    only_dealer_busts = (held * dealer_busts)[stands].sum()
    full = np.zeros((1, 10), dtype=np.int64)
    dealer_bust = (1.0 - table.odds.totals(full).sum(axis=2) - table.odds.naturals(full))[0] @ upcard_chances(table)
    assert value.busts == pytest.approx(dealer_bust, abs=1e-12)
    assert value.edge == pytest.approx(0.5 * only_mine - (dealer_bust - only_dealer_busts), abs=1e-12)


@pytest.mark.parametrize("key", RULE_SETS)
def test_naturals_come_as_often_as_an_ace_and_a_ten_do(key, strategy_of):
    cards = CARDS_PER_DECK * RULE_SETS[key].decks
    chance = 2 * (cards / 13) * (4 * cards / 13) / (cards * (cards - 1))
    for value in (strategy_of(RULE_SETS[key]).exact, strategy_of(RULE_SETS[key]).by_chart):
        assert value.naturals == pytest.approx(chance, abs=1e-14)
        assert value.dealer_naturals == pytest.approx(chance, abs=1e-14)


def test_six_decks_deal_a_natural_in_21_hands(strategy_of):
    assert strategy_of(Rules()).by_chart.naturals == pytest.approx(2 * 24 * 96 / (312 * 311), abs=1e-15)


@pytest.mark.parametrize(("upcard", "unlike", "like"), [
    (6, [("K", "K", "6")], []), (TEN, [("K", "K", "T"), ("K", "K", "J"), ("K", "K", "Q")], [("K", "K", "K")]),
])
def test_two_tens_are_of_one_face_as_often_as_counting_cards_gives(upcard, unlike, like):
    def ways(faces: tuple[str, str, str]) -> int:
        return prod(8 - faces[:place].count(face) for place, face in enumerate(faces))

    tens = ("T", "J", "Q", "K")
    all_ways = sum(map(ways, product(tens, tens, ("6",) if upcard == 6 else tens)))
    expected = [4 * sum(map(ways, deals)) / all_ways for deals in (unlike, like)]  # four faces, each like the king
    assert same_face_shares(2, upcard) == pytest.approx(expected, abs=1e-15)


@examples(10)
@given(rules())
def test_frequencies_are_possible(strategy_of, any_rules):
    for value in (strategy_of(any_rules).exact, strategy_of(any_rules).by_chart):
        most_hands = any_rules.max_split_hands
        assert 1.0 + value.splits - 1e-12 <= value.hands <= 1.0 + (most_hands - 1) * value.splits + 1e-12
        assert -1e-12 <= value.doubles <= value.hands
        assert -1e-12 <= value.splits <= (0.15 if most_hands > 1 else 0.0)  # a pair by value is dealt less often
        assert -1e-12 <= value.surrenders <= (1.0 if any_rules.surrender != "none" else 0.0)
        assert value.busts > 0.0
        assert value.pushes > 0.0
        assert value.busts + value.pushes + value.surrenders < value.hands


def test_late_surrender_is_as_frequent_as_its_hands_without_a_dealers_natural(strategy_of):
    # By the chart: 16 against nine, ten and ace, 15 against ten, but never 8-8, which is split.
    sixteen, fifteen = [(10, 6), (9, 7)], [(10, 5), (9, 6), (8, 7)]
    chance = sum(chance_of(hand, upcard) for upcard in (9, TEN, ACE) for hand in sixteen)
    chance += sum(chance_of(hand, TEN) for hand in fifteen)
    assert strategy_of(Rules(surrender="late")).by_chart.surrenders == pytest.approx(chance, abs=1e-14)


def test_splits_are_as_frequent_as_their_pairs_without_a_dealers_natural(strategy_of):
    split_by_chart = {ACE: RANKS, 2: range(2, 8), 3: range(2, 8), 4: (5, 6), 6: range(2, 7), 7: range(2, 8),
                      8: RANKS, 9: (2, 3, 4, 5, 6, 8, 9)}
    chance = sum(chance_of((rank, rank), upcard) for rank, upcards in split_by_chart.items() for upcard in upcards)
    assert strategy_of(Rules()).by_chart.splits == pytest.approx(chance, abs=1e-14)


def chance_of(hand: tuple[int, int], upcard: int) -> float:
    """Chance of a round with these cards, from six decks and without a dealer's natural."""
    shoe, chance = list(full_shoe(6)), 1.0 if hand[0] == hand[1] else 2.0
    for rank in (upcard, *hand):
        chance *= shoe[rank - 1] / sum(shoe)
        shoe[rank - 1] -= 1
    hole = {ACE: TEN, TEN: ACE}.get(upcard)
    return chance * (1.0 - shoe[hole - 1] / sum(shoe) if hole else 1.0)


def test_frequencies_of_the_default_game_are_the_usual_ones(strategy_of):
    # A player by the chart busts 16, pushes 8 to 9, doubles 10 and splits 2 to 3 times in a hundred rounds.
    value = strategy_of(Rules()).by_chart
    assert 100 * value.busts == pytest.approx(16, abs=1)
    assert 100 * value.pushes == pytest.approx(8.75, abs=0.5)
    assert 100 * value.doubles == pytest.approx(10, abs=1)
    assert 100 * value.splits == pytest.approx(2.5, abs=0.5)
    assert value.surrenders == 0.0
