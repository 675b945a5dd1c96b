"""Any hand worked out: read by field, and the engine's own decision."""

import pytest

from trainer.engine.actions import Action
from trainer.engine.cards import Card, parse_cards
from trainer.engine.chart import Cell
from trainer.engine.decision import decide
from trainer.engine.hands import Hand
from trainer.engine.insurance import insurance_ev
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules
from trainer.service.calculator import FieldError, read_query, work_out

ONE_DECK = Rules(decks=1)


@pytest.mark.parametrize(("cards", "upcard", "seen", "is_complete"), [
    ("", "", "", False), ("A", "6", "", False), ("A7", "", "", False), ("A7", "6", "", True),
    ("10 6", "10", "5 5", True),
])
def test_a_query_is_read_as_far_as_it_goes(cards, upcard, seen, is_complete):
    query = read_query(Rules(), cards, upcard, seen)
    assert (query.cards, query.seen) == (parse_cards(cards), parse_cards(seen))
    assert (query.upcard is None) == (not upcard)
    assert query.is_complete == is_complete


@pytest.mark.parametrize(("rules", "cards", "upcard", "seen", "field", "message"), [
    (ONE_DECK, "x", "", "", "cards", "no card"),
    (ONE_DECK, "AAAAA", "", "", "cards", "4 cards of rank A, and 5"),
    (ONE_DECK, "AAAA", "A", "", "cards", "4 cards of rank A, and 5"),
    (ONE_DECK, "AA", "A", "AA", "seen", "4 cards of rank A, and 5"),
    (ONE_DECK, "T95", "6", "", "cards", "is bust: it totals 24"),
    (ONE_DECK, "AK", "6", "", "cards", "a natural"),
    (ONE_DECK, "T" * 500, "6", "", "cards", "500 cards is bust"),
    (ONE_DECK, "A7", "66", "", "upcard", "not one card"),
    (ONE_DECK, "A7", "x", "", "upcard", "no card"),
    (ONE_DECK, "A7", "6", "x", "seen", "no card"),
    (ONE_DECK, "A7", "6", "2233445566778899 TTTT", "seen", "only 29 cards would be left"),
])
def test_what_no_shoe_can_deal_is_told_by_field(rules, cards, upcard, seen, field, message):
    with pytest.raises(FieldError, match=message) as caught:
        read_query(rules, cards, upcard, seen)
    assert caught.value.field == field


@pytest.mark.parametrize(("cards", "upcard", "field"), [("A7", "", "upcard"), ("A", "6", "cards")])
def test_half_a_hand_is_not_worked_out(solved, cards, upcard, field):
    with pytest.raises(FieldError) as caught:
        work_out(solved, Rules(), read_query(Rules(), cards, upcard, ""))
    assert caught.value.field == field


@pytest.mark.parametrize("key", RULE_SETS)
@pytest.mark.parametrize(("cards", "upcard", "seen"), [
    ("A7", "9", ""), ("88", "T", "5566"), ("T24", "T", ""), ("KQ", "6", ""), ("777", "A", ""), ("55", "A", "TTTT")])
def test_a_hand_is_the_engines_with_the_charts_move(solved, strategies_of, key, cards, upcard, seen):
    rules = RULE_SETS[key]
    hand, up = Hand.parse(cards), Card(upcard)
    found = work_out(solved, rules, read_query(rules, cards, upcard, seen))
    expected = decide(rules, hand, up, parse_cards(seen))
    assert (found.decision, found.rules) == (expected, rules)
    assert found.chart == strategies_of(rules).chart.move(hand, up, tuple(expected.evs))
    assert (found.cell is None) == (hand.total == 21)
    offered = upcard == "A" and len(hand.cards) == 2 and rules.insurance != "none"
    assert found.insurance == (insurance_ev(rules, (*hand.cards, up, *parse_cards(seen))) if offered else None)


def test_the_cell_is_the_one_that_decides(solved):
    def cell(cards, rules):
        return work_out(solved, rules, read_query(rules, cards, "6", "")).cell

    assert cell("88", Rules()) == Cell("pair", 8, 6)
    assert cell("KQ", RULE_SETS["squarescores"]) == Cell("hard", 20, 6)
    assert cell("A7", Rules()) == Cell("soft", 18, 6)
    assert cell("A76", Rules()) == Cell("hard", 14, 6)


def test_cards_seen_change_the_best_move_and_not_the_charts(solved):
    full, gone = (work_out(solved, ONE_DECK, read_query(ONE_DECK, "T6", "T", seen)) for seen in ("", "22334455"))
    assert (full.chart, gone.chart) == (Action.HIT, Action.HIT)
    assert (full.decision.best, gone.decision.best) == (Action.HIT, Action.STAND)


@pytest.fixture
def strategies_of(solved):
    return solved.get
