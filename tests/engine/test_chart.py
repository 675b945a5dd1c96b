"""The derived chart: the published one cell by cell, what rules change, and that no cell can be bettered."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from tests.strategies import examples, rules
from trainer.engine.actions import Action, can_double
from trainer.engine.cards import Card, label_of
from trainer.engine.chart import CODES, PREFERENCES, ROWS, SECTIONS, UPCARD_ORDER, Cell, Chart, cells
from trainer.engine.deal import deal_chances
from trainer.engine.derivation import Derivation, derive_chart, total_of_pair
from trainer.engine.edge import chart_edge
from trainer.engine.hands import Hand, composition_from_label
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules
from trainer.engine.strategy import Strategy

# Basic strategy for four to eight decks, dealer stands on soft 17, double after split, no surrender, as published.
PUBLISHED = """
        2  3  4  5  6  7  8  9  10 A
5       H  H  H  H  H  H  H  H  H  H
6       H  H  H  H  H  H  H  H  H  H
7       H  H  H  H  H  H  H  H  H  H
8       H  H  H  H  H  H  H  H  H  H
9       H  D  D  D  D  H  H  H  H  H
10      D  D  D  D  D  D  D  D  H  H
11      D  D  D  D  D  D  D  D  D  H
12      H  H  S  S  S  H  H  H  H  H
13      S  S  S  S  S  H  H  H  H  H
14      S  S  S  S  S  H  H  H  H  H
15      S  S  S  S  S  H  H  H  H  H
16      S  S  S  S  S  H  H  H  H  H
17      S  S  S  S  S  S  S  S  S  S
18      S  S  S  S  S  S  S  S  S  S
19      S  S  S  S  S  S  S  S  S  S
20      S  S  S  S  S  S  S  S  S  S
A-2     H  H  H  D  D  H  H  H  H  H
A-3     H  H  H  D  D  H  H  H  H  H
A-4     H  H  D  D  D  H  H  H  H  H
A-5     H  H  D  D  D  H  H  H  H  H
A-6     H  D  D  D  D  H  H  H  H  H
A-7     S  Ds Ds Ds Ds S  S  H  H  H
A-8     S  S  S  S  S  S  S  S  S  S
A-9     S  S  S  S  S  S  S  S  S  S
A-A     P  P  P  P  P  P  P  P  P  P
2-2     P  P  P  P  P  P  H  H  H  H
3-3     P  P  P  P  P  P  H  H  H  H
4-4     H  H  H  P  P  H  H  H  H  H
5-5     D  D  D  D  D  D  D  D  H  H
6-6     P  P  P  P  P  H  H  H  H  H
7-7     P  P  P  P  P  P  H  H  H  H
8-8     P  P  P  P  P  P  P  P  P  P
9-9     P  P  P  P  P  S  P  P  S  S
10-10   S  S  S  S  S  S  S  S  S  S
"""
# Rule sets, and the cells in which another code would be better, a price of how the chart is derived:
# a pair that is not split is played as its total, and one deck's 7-7 against a ten would rather stand;
# what is done instead of a surrender is judged by the two-card hands too, and longer 16s would rather stand.
NARROW = {
    "six decks": (Rules(), set()),
    "no hole card": (RULE_SETS["classic"], set()),
    "one deck": (RULE_SETS["squarescores"], {"7-7 v 10"}),
    "surrender": (Rules(decks=1, dealer_hits_soft_17=True, surrender="late"), {"16 v 10"}),
}
NOT_PUBLISHED = {("hard", 4), ("soft", 12)}  # 2-2 and A-A where they may not be split


def published() -> dict[str, str]:
    """Cell, written as ``16 v 10``, to code."""
    upcards, *lines = (line.split() for line in PUBLISHED.strip().splitlines())
    return {f"{row} v {upcard}": code for row, *codes in lines for upcard, code in zip(upcards, codes, strict=True)}


def code(chart: Chart, section: str, row: int, upcard: int) -> str:
    return chart.code(Cell(section, row, upcard))


def test_six_decks_give_the_published_chart(strategy_of):
    chart = strategy_of(Rules()).chart
    derived = {str(cell): chart.code(cell) for cell in cells() if (cell.section, cell.row) not in NOT_PUBLISHED}
    assert len(published()) == 340
    assert derived == published()


def test_a_dealer_who_hits_soft_17_changes_six_cells(strategy_of):
    h17, s17 = (strategy_of(replace(RULE_SETS["shoe-h17"], dealer_hits_soft_17=hits)).chart for hits in (True, False))
    changed = {str(cell): (s17.code(cell), h17.code(cell)) for cell in h17.differences(s17)}
    assert changed == {
        "11 v A": ("H", "D"), "15 v A": ("H", "Rh"), "17 v A": ("S", "Rs"),
        "A-7 v 2": ("S", "Ds"), "A-8 v 6": ("S", "Ds"), "8-8 v A": ("P", "Rp"),
    }


def test_late_surrender_is_for_15_and_16_against_high_cards(strategy_of):
    plain, late = strategy_of(Rules()).chart, strategy_of(Rules(surrender="late")).chart
    changed = {str(cell): late.code(cell) for cell in late.differences(plain)}
    assert changed == {"16 v 9": "Rh", "16 v 10": "Rh", "16 v A": "Rh", "15 v 10": "Rh"}


def test_two_decks_split_sixes_against_a_seven_and_six_decks_hit_them(strategy_of):
    assert code(strategy_of(Rules(decks=2)).chart, "pair", 6, 7) == "P"
    assert code(strategy_of(Rules(decks=6)).chart, "pair", 6, 7) == "H"


@pytest.mark.parametrize(("section", "row", "upcard"), [
    ("hard", 11, 10), ("pair", 1, 1), ("pair", 8, 10), ("pair", 8, 1),
])
def test_without_a_hole_card_second_bets_are_not_risked_against_a_natural(section, row, upcard, strategy_of):
    assert code(strategy_of(RULE_SETS["classic"]).chart, section, row, upcard) == "H"
    assert code(strategy_of(Rules()).chart, section, row, upcard) in ("D", "P")


@pytest.mark.parametrize("cards", ["AT", "777", "A55", "T65", "AAA8"])
def test_21_stands(cards, strategy_of):
    chart = strategy_of(Rules()).chart
    for upcard in UPCARD_ORDER:
        assert chart.move(Hand.parse(cards), Card(label_of(upcard)), (Action.STAND,)) == Action.STAND


@pytest.mark.parametrize("key", RULE_SETS)
def test_every_cell_of_a_rule_set_names_a_move_that_its_rules_have(key, strategy_of):
    assert_within_the_rules(RULE_SETS[key], strategy_of(RULE_SETS[key]).chart)


@examples(10)
@given(rules())
def test_a_chart_settles_in_a_few_rounds_with_finite_margins_and_moves_that_exist(table_of, any_rules):
    derivation = derive_chart(table_of(any_rules))
    assert 1 <= derivation.rounds <= 8
    assert_within_the_rules(any_rules, derivation.chart)
    for section in SECTIONS:
        assert np.isfinite(derivation.margins[section]).all()


def test_hands_of_a_cell_weigh_as_much_as_the_chart_leads_to_them(strategy_of):
    # 6-5 is doubled against a ten, so 6-5-5 comes from 5-5 only, which is hit.
    strategy = strategy_of(Rules())
    weights, rows = strategy.weights, strategy.solution.lattice.rows
    assert weights[rows[composition_from_label("55")], 9] == pytest.approx(24 * 23 / (311 * 310), abs=1e-16)
    assert weights[rows[composition_from_label("556")], 9] == pytest.approx(
        24 * 23 / (311 * 310) * 24 / 309, abs=1e-16)
    # Against a five nothing is hit from 12 on, so 7-5-4 cannot come, and 7-2-2 comes from 2-2 only.
    assert weights[rows[composition_from_label("457")], 4] == 0.0
    assert weights[rows[composition_from_label("227")], 4] == pytest.approx(
        24 * 23 / (311 * 310) * 24 / 309, abs=1e-16)


@examples(10)
@given(rules())
def test_a_cell_hits_doubles_or_stands_as_is_best_for_its_hands_together(table_of, any_rules):
    table = table_of(any_rules)
    derivation, dealt, lattice = derive_chart(table), deal_chances(table), table.lattice
    for cell in cells():
        code = derivation.chart.code(cell)
        if cell.section == "pair":
            continue
        column = cell.upcard - 1
        hands = (lattice.totals == cell.row) & (lattice.is_soft == (cell.section == "soft")) & (lattice.sizes > 1)
        weights, stand, hit, double = (
            values[hands, column] for values in (derivation.weights, table.stand, derivation.hit, table.double))
        is_hit = weights @ (hit - stand) > 0
        assert is_hit == (code in ("H", "D", "Rh")), f"{cell} {code}"
        if code[0] != "R" and can_double(any_rules, cell.row, is_soft=cell.section == "soft", card_count=2,
                                         is_split=False):
            doubling = weights if any_rules.double_cards == "any" else dealt[hands, column]
            assert (doubling @ (double - (hit if is_hit else stand)) > 0) == (code in ("D", "Ds")), f"{cell} {code}"


@examples(10)
@given(rules())
def test_a_pair_is_split_or_given_up_only_where_that_beats_every_other_move(table_of, any_rules):
    derivation = derive_chart(table_of(any_rules))
    for cell in cells():
        if derivation.chart.code(cell) in ("P", "Rh", "Rs", "Rp") and cell.section == "pair":
            assert margin_of(derivation, cell) > 0, f"{cell} {derivation.chart.code(cell)}"


@pytest.mark.parametrize("name", NARROW)
def test_another_code_in_a_narrow_cell_makes_the_chart_better_only_where_known(name, strategy_of, table_of):
    narrow_rules, known = NARROW[name]
    strategy, table = strategy_of(narrow_rules), table_of(narrow_rules)
    narrow = [cell for cell in cells() if abs(margin_of(strategy, cell)) < 0.008]
    codes = [code for code in CODES if code[0] != "R" or narrow_rules.surrender != "none"]
    better = {
        str(cell) for cell in narrow for code in codes
        if code != strategy.chart.code(cell) and (cell.section == "pair" or Action.SPLIT not in PREFERENCES[code])
        and chart_edge(table, with_code(strategy.chart, cell, code)).edge > strategy.by_chart.edge
    }
    assert len(narrow) >= 5
    assert better == known


def test_a_pair_that_would_rather_not_be_played_as_its_total_has_a_margin_below_zero(strategy_of):
    strategy = strategy_of(RULE_SETS["squarescores"])
    assert [str(cell) for cell in cells() if margin_of(strategy, cell) < 0] == ["7-7 v 10"]


@pytest.mark.parametrize("upcard", ["A", "T", "6"])
def test_the_margin_of_tens_that_may_not_be_split_is_how_much_better_they_stand(upcard, strategy_of):
    # Whoever hits them has 21 or is bust, so there is nothing later to play by the chart or otherwise.
    strategy = strategy_of(Rules(no_split=(10,)))
    evs = strategy.solution.evs(Hand.parse("TT"), Card(upcard))
    assert margin_of(strategy, Cell("pair", 10, Card(upcard).rank)) == pytest.approx(
        evs[Action.STAND] - evs[Action.HIT], abs=1e-12)


@pytest.mark.parametrize("upcard", ["9", "T", "A"])
def test_the_margin_of_a_surrender_is_the_mean_over_the_two_card_hands_that_are_no_pair(upcard, strategy_of):
    # Whoever hits 16 then stands, by either table.
    strategy, up = strategy_of(Rules(surrender="late")), Card(upcard)
    hands, column = [Hand.parse("T6"), Hand.parse("97")], up.rank - 1
    rows = [strategy.solution.row(hand, up) for hand in hands]
    gains = [-0.5 - strategy.solution.evs(hand, up)[Action.HIT] for hand in hands]
    weights = strategy.weights[rows, column] * (1.0 - strategy.solution.natural[rows, column])
    assert strategy.chart.code(Cell("hard", 16, up.rank)) == "Rh"
    assert margin_of(strategy, Cell("hard", 16, up.rank)) == pytest.approx(
        np.average(gains, weights=weights), abs=1e-12)


def margin_of(derived: Derivation | Strategy, cell: Cell) -> float:
    return float(derived.margins[cell.section][cell.row - ROWS[cell.section].start, cell.upcard - 1])


def with_code(chart: Chart, cell: Cell, other: str) -> Chart:
    """The chart with another code in one cell."""
    sections = {name: chart.section(name).copy() for name in SECTIONS}
    sections[cell.section][cell.row - ROWS[cell.section].start, cell.upcard - 1] = other
    return Chart(**sections)


def assert_within_the_rules(any_rules: Rules, chart: Chart) -> None:
    """The first move of every cell is one that two cards of it may be played by."""
    for cell in cells():
        section, total = total_of_pair(cell.row) if cell.section == "pair" else (cell.section, cell.row)
        legal = {Action.STAND, Action.HIT}
        if can_double(any_rules, total, is_soft=section == "soft", card_count=2, is_split=False):
            legal.add(Action.DOUBLE)
        if cell.section == "pair" and any_rules.can_split_rank(cell.row):
            legal.add(Action.SPLIT)
        if any_rules.surrender != "none":
            legal.add(Action.SURRENDER)
        first, fallback = PREFERENCES[chart.code(cell)]
        assert first in legal, f"{cell} {chart.code(cell)}"
        assert fallback in legal, f"{cell} {chart.code(cell)}"
