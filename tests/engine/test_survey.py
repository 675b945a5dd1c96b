"""All cells at once: against every cell looked into by itself, and how often hands come up counted again by hand."""

from collections import Counter, defaultdict

import pytest

from tests.rule_keys import BUILT, KEYS
from trainer.engine.actions import Action, legal_actions
from trainer.engine.cards import RANKS, TEN, Card, full_shoe, label_of
from trainer.engine.cell import report_cell
from trainer.engine.chart import PREFERENCES, Cell, asked_rows, cell_of, cells
from trainer.engine.hands import Hand
from trainer.engine.rule_key import rules_for
from trainer.engine.rules import Rules
from trainer.engine.survey import exact_code, survey_of


@pytest.fixture(params=KEYS)
def strategy(request, strategy_of):
    return strategy_of(rules_for(request.param))


def test_the_exact_table_has_the_best_move_of_most_hands(strategy):
    survey = survey_of(strategy)
    for cell in cells():
        report = report_cell(strategy, cell)
        code = survey.exact.code(cell)
        assert code == exact_code(report)
        if not report.met:
            assert code == report.code
            continue
        chosen = PREFERENCES[code][0]
        able = [hand for hand in report.met if chosen in hand.evs]
        agreeing = sum(hand.share for hand in able if hand.exact == chosen)
        if chosen in (Action.DOUBLE, Action.SPLIT, Action.SURRENDER):
            assert agreeing > sum(hand.share for hand in able) / 2, cell
        others = Counter()
        for hand in able:
            others[hand.exact] += hand.share
        assert others.most_common(1)[0][0] == chosen, cell


def test_a_cell_is_marked_where_a_hand_that_comes_up_is_better_played_otherwise(strategy):
    survey = survey_of(strategy)
    for cell in cells():
        met = report_cell(strategy, cell).met
        assert (cell in survey.chart_differs) == any(hand.exact != hand.chart for hand in met)
        code = survey.exact.code(cell)
        named = [next(action for action in PREFERENCES[code] if action in hand.evs) for hand in met]
        assert (cell in survey.exact_differs) == any(
            hand.exact != move for hand, move in zip(met, named, strict=True))


def test_frequencies_are_the_cells_own(strategy):
    survey = survey_of(strategy)
    assert survey.frequencies == {cell: report_cell(strategy, cell).frequency for cell in cells()}
    for cell, frequency in survey.frequencies.items():
        assert frequency == 0 or cell.row in asked_rows(strategy.rules, cell.section)


@pytest.mark.parametrize("key", ["squarescores", *BUILT])
def test_how_often_a_cell_decides_is_how_often_it_is_come_to_by_playing(key, strategy_of):
    """Every first hand is dealt and hit as the chart has it, one card after the other."""
    strategy = strategy_of(rules_for(key))
    met = play_everything(strategy)
    survey = survey_of(strategy)
    assert sum(met.values()) == pytest.approx(sum(survey.frequencies.values()))
    assert 1.0 < sum(met.values()) < 2.0
    for cell, frequency in survey.frequencies.items():
        assert frequency == pytest.approx(met[cell], abs=1e-12), cell


def play_everything(strategy):
    """How often a round comes to each cell; the hole card is the card behind all that the player draws."""
    rules, found = strategy.rules, defaultdict(float)
    for upcard in RANKS:
        shoe = list(full_shoe(rules.decks))
        chance = shoe[upcard - 1] / sum(shoe)
        shoe[upcard - 1] -= 1
        hands = defaultdict(float)
        for first in RANKS:
            for second in RANKS:
                hand = [0] * 10
                hand[first - 1] += 1
                hand[second - 1] += 1
                ways = shoe[first - 1] * (shoe[second - 1] - (first == second))
                hands[tuple(hand)] += chance * ways / (sum(shoe) * (sum(shoe) - 1))
        while hands:
            hands = play_one_card(strategy, upcard, shoe, hands, found)
    return found


def play_one_card(strategy, upcard, shoe, hands, found):
    following = defaultdict(float)
    for composition, chance in hands.items():
        hand = Hand.from_composition(composition)
        if hand.total == 21:
            continue
        left = [held - used for held, used in zip(shoe, composition, strict=True)]
        for cards, part in faces_of(strategy.rules, hand, upcard):
            legal = legal_actions(strategy.rules, cards)
            up = Card(label_of(upcard))
            found[cell_of(Hand(cards), up, legal)] += chance * part * no_natural(strategy.rules, hand, upcard, left)
            if strategy.chart.move(Hand(cards), up, legal) == Action.HIT:
                for rank in RANKS:
                    drawn = tuple(count + (rank == place) for place, count in zip(RANKS, composition, strict=True))
                    if left[rank - 1] > 0 and sum(a * b for a, b in zip(RANKS, drawn, strict=True)) <= 21:
                        following[drawn] += chance * part * left[rank - 1] / sum(left)
    return following


def faces_of(rules, hand, upcard):
    """The hand as cards; two tens by rank are sometimes a pair and sometimes not."""
    if len(hand.cards) != 2 or hand.composition[TEN - 1] != 2 or rules.split_by == "value":
        return [(hand.cards, 1.0)]
    of_face = [4 * rules.decks - (face == 0 and upcard == TEN) for face in range(4)]
    alike = sum(count * (count - 1) for count in of_face) / (sum(of_face) * (sum(of_face) - 1))
    return [(hand.cards, alike), ((Card("K"), Card("Q")), 1.0 - alike)]


def no_natural(rules, hand, upcard, left):
    if rules.hole_card != "peek" or (rules.surrender == "early" and len(hand.cards) == 2):
        return 1.0
    return 1.0 - {1: left[9], 10: left[0]}.get(upcard, 0) / sum(left)


def test_first_decisions_are_all_rounds_but_those_with_a_natural(strategy_of):
    strategy = strategy_of(Rules())
    first = sum(hand.frequency for cell in cells() for hand in report_cell(strategy, cell).met
                if sum(hand.composition) == 2)
    player = 2 * 24 / 312 * 96 / 311
    both = player * 2 * 23 / 310 * 95 / 309
    assert first == pytest.approx(1 - 2 * player + both)


@pytest.mark.parametrize(("cell", "chart", "exact"), [
    (Cell("hard", 12, 4), "S", "H"),
    (Cell("hard", 16, 10), "H", "H"),
    (Cell("hard", 11, 6), "D", "D"),
    (Cell("pair", 8, 10), "P", "P"),
])
def test_where_the_two_tables_part(strategy_of, cell, chart, exact):
    strategy = strategy_of(Rules())
    survey = survey_of(strategy)
    assert (strategy.chart.code(cell), survey.exact.code(cell)) == (chart, exact)
    assert (cell in survey.chart_differs) == (cell.row in (12, 16))


def test_a_strategy_is_surveyed_once(strategy_of):
    strategy = strategy_of(Rules())
    assert survey_of(strategy) is survey_of(strategy)
