"""What holds under any rules: bounds, moves that dominate others, rules that favour the player."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from tests.strategies import examples, rules
from trainer.engine.cards import RANKS
from trainer.engine.edge import exact_edge
from trainer.engine.lattice import pair_row
from trainer.engine.rules import Rules
from trainer.engine.solution import solve, solve_table
from trainer.engine.strategy import Strategy, derive

ROUNDING = 1e-12


@examples(10)
@given(rules())
def test_every_move_has_a_finite_ev_where_the_shoe_can_deal_the_hand_and_none_elsewhere(table_of, any_rules):
    table = table_of(any_rules)
    solution = solve_table(table)
    for evs in (solution.stand, solution.hit, solution.double):
        assert np.array_equal(np.isfinite(evs), table.possible)
    for rank in RANKS:
        is_open = table.possible[pair_row(table.lattice, rank)] & any_rules.can_split_rank(rank)
        assert np.array_equal(np.isfinite(solution.split[rank - 1]), is_open)


@examples(10)
@given(rules())
def test_no_move_wins_or_loses_more_than_the_bets_on_it(table_of, any_rules):
    solution = solve_table(table_of(any_rules))
    most_by_hitting = 2 if any_rules.double_cards == "any" else 1
    for evs, least, most in (
        (solution.stand, -1, 1),
        (solution.hit, -most_by_hitting, most_by_hitting),
        (solution.double, -2, 2),
        (solution.split, -2 * any_rules.max_split_hands, 2 * any_rules.max_split_hands),
    ):
        known = evs[np.isfinite(evs)]
        assert ((known >= least - ROUNDING) & (known <= most + ROUNDING)).all()


@examples(10)
@given(rules())
def test_a_hand_that_one_card_can_only_improve_is_never_better_off_standing(table_of, any_rules):
    # No card busts it, and all of 16 or less are worth the same to stand on.
    table = table_of(any_rules)
    solution, lattice = solve_table(table), table.lattice
    improves = np.where(lattice.is_soft, lattice.totals <= 16, lattice.totals <= 11)
    gain = (solution.hit - solution.stand)[improves]
    assert np.nanmin(gain) >= -ROUNDING


@examples(10)
@given(rules())
def test_a_double_is_worth_at_most_twice_a_hit(table_of, any_rules):
    # Who doubles takes the same card and may not go on; where only original bets are lost a natural costs one bet less.
    table = table_of(any_rules)
    solution = solve_table(table)
    spared = table.natural if any_rules.hole_card == "obo" else 0.0
    assert np.nanmin(2.0 * solution.hit + spared - solution.double) >= -ROUNDING


# Split hands are played by a fixed policy, so that all but late surrender are no theorems; full shoes keep to them.
@pytest.mark.parametrize(("field", "against", "favourable"), [
    ("resplit_aces", False, True),
    ("hit_split_aces", False, True),
    ("double_after_split", False, True),
    ("double_soft", False, True),
    ("double_cards", "two", "any"),
    ("double_on", "9-11", "any"),
    ("surrender", "none", "late"),
    ("surrender", "late", "early"),
    ("hole_card", "enhc", "obo"),
])
@examples(6)
@given(rules())
def test_a_rule_in_the_players_favour_never_lowers_the_exact_edge(table_of, field, against, favourable, any_rules):
    low, high = (exact_edge(table_of(replace(any_rules, **{field: value}))).edge for value in (against, favourable))
    assert high >= low - ROUNDING


@examples(6)
@given(rules())
def test_a_natural_that_pays_more_is_worth_its_price_as_often_as_it_is_paid(table_of, any_rules):
    aces, tens, cards = 4 * any_rules.decks, 16 * any_rules.decks, 52 * any_rules.decks
    mine = 2 * aces * tens / (cards * (cards - 1))
    both = mine * 2 * (aces - 1) * (tens - 1) / ((cards - 2) * (cards - 3))
    short, full = (exact_edge(table_of(replace(any_rules, blackjack_pays=pays))).edge for pays in ("6:5", "3:2"))
    assert full - short == pytest.approx(0.3 * (mine - both), abs=ROUNDING)


@examples(6)
@given(rules())
def test_losing_only_original_bets_is_a_peek_by_another_name(table_of, any_rules):
    # Late surrender alone tells them apart: without a peek it is not too late to lose half to a natural.
    surrender = "early" if any_rules.surrender == "late" else any_rules.surrender
    peek, obo = (exact_edge(table_of(replace(any_rules, hole_card=game, surrender=surrender))).edge
                 for game in ("peek", "obo"))
    assert obo == pytest.approx(peek, abs=ROUNDING)


@examples(6)
@given(rules())
def test_the_normalised_rules_have_the_same_strategy(any_rules):
    assert_same_numbers(derive(any_rules), derive(any_rules.normalised()))


@pytest.mark.parametrize("fields", [
    {"max_split_hands": 1, "no_split": (8,), "split_by": "rank", "resplit_aces": True, "hit_split_aces": True},
    {"max_split_hands": 2, "resplit_aces": True},
    {"no_split": (1,), "resplit_aces": True, "hit_split_aces": True},
    {"no_split": (10,), "split_by": "rank"},
    {"no_split": tuple(range(2, 11))},
    {"double_on": "none", "double_cards": "any"},
    {"double_on": "10-11", "double_soft": True},
    {"hole_card": "enhc", "surrender": "late"},
    {"hole_card": "obo", "surrender": "late"},
])
def test_fields_without_effect_change_no_number(fields):
    idle = Rules(decks=1, **fields)
    assert idle.normalised() != replace(idle, shuffle=idle.normalised().shuffle)
    assert_same_numbers(derive(idle), derive(idle.normalised()))


@examples(6)
@given(rules())
def test_odds_kept_from_another_rule_set_change_no_number(odds_of, any_rules):
    fresh, shared = solve(any_rules), solve(any_rules, odds_of(any_rules))
    for name in ("stand", "hit", "double", "split", "dealer_totals", "natural"):
        np.testing.assert_allclose(getattr(shared, name), getattr(fresh, name), rtol=0, atol=1e-14, err_msg=name)


def assert_same_numbers(one: Strategy, other: Strategy) -> None:
    arrays, others = one.to_arrays(), other.to_arrays()
    assert arrays.keys() == others.keys()
    for name, array in arrays.items():
        np.testing.assert_array_equal(array, others[name], err_msg=name)
