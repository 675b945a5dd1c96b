from dataclasses import replace
from fractions import Fraction

import pytest

from tests.table.scripted import dealt, event, play, table
from trainer.engine.actions import Action
from trainer.engine.cards import Card
from trainer.engine.decision import decide
from trainer.engine.hands import Hand
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules
from trainer.table.errors import TurnError
from trainer.table.event import Event, EventKind
from trainer.table.judgement import Judgement, answer_of, best_answer, ev_cost, judge
from trainer.table.view import unseen_counts


@pytest.fixture(scope="module")
def chart_of(strategy_of):
    return lambda rules: strategy_of(rules).chart


def judged(round_, chart_of, box=None):
    return judge(round_, round_.awaited[0] if box is None else box, chart_of(round_.terms.rules))


@pytest.mark.parametrize("key", RULE_SETS)
@pytest.mark.parametrize(("text", "upcard"), [("T6", "T"), ("A7", "6"), ("88", "9"), ("56", "5"), ("99", "7")])
def test_alone_on_a_fresh_shoe_it_is_the_solved_table(key, text, upcard, strategy_of):
    rules = RULE_SETS[key]
    round_ = dealt(f"{text[0]} {upcard} {text[1]} 7", rules)
    judgement = judge(round_, 0, strategy_of(rules).chart)
    expected = strategy_of(rules).solution.evs(Hand.parse(text), Card(upcard))
    assert judgement.evs == pytest.approx({str(action): ev for action, ev in expected.items()}, abs=1e-12)
    assert judgement.exact == max(judgement.evs, key=judgement.evs.get)
    assert not judgement.is_estimate
    assert judgement.cost(judgement.exact) == 0
    assert all(judgement.cost(word) >= 0 for word in judgement.evs)


def test_other_boxes_cards_count_as_seen(chart_of):
    round_ = play(table("T 5 5 T 6 5 5 7", boxes=3), 10, 10, 10)
    assert [card.face for card in round_.boxes[0].hands[0].cards] == ["T", "6"]
    seen = [Card(face) for face in "5555"]
    expected = decide(Rules(), Hand.parse("T6"), Card("T"), seen)
    assert judged(round_, chart_of).evs == pytest.approx({str(a): ev for a, ev in expected.evs.items()}, abs=1e-12)


def test_cards_of_earlier_rounds_count_as_seen(chart_of):
    round_ = dealt("T T 6 7", rest=200)
    seen = round_.shoe.cards[200:]
    expected = decide(Rules(), Hand.parse("T6"), Card("T"), seen)
    assert judged(round_, chart_of).evs == pytest.approx({str(a): ev for a, ev in expected.evs.items()}, abs=1e-12)


def test_a_double_face_down_and_the_hole_card_do_not_count_as_seen(chart_of):
    def evs(down, hole):
        text = f"6 T T 5 6 {hole} {down}"
        return judged(play(table(text, boxes=2, doubles_face_down=True), 10, 10, "double"), chart_of).evs

    assert evs("K", "7") == evs("2", "7") == evs("K", "2")
    open_ = play(table("6 T T 5 6 7 2", boxes=2), 10, 10, "double")
    assert judged(open_, chart_of).evs != evs("2", "7")


def test_a_hand_after_a_split_is_judged_with_its_sisters_seen(chart_of):
    round_ = dealt("8 T 8 7 3 9 T", None, "split")
    expected = decide(Rules(), Hand.parse("83"), Card("T"), [Card("8")], hands=2)
    assert judged(round_, chart_of).evs == pytest.approx({str(a): ev for a, ev in expected.evs.items()}, abs=1e-12)
    round_ = play(round_, "double")
    assert [card.face for card in round_.boxes[0].hands[1].cards] == ["8", "T"]
    judgement = judged(round_, chart_of)
    expected = decide(Rules(), Hand.parse("8T"), Card("T"), [Card("8"), Card("3"), Card("9")], hands=2)
    assert judgement.evs == pytest.approx({str(a): ev for a, ev in expected.evs.items()}, abs=1e-12)
    assert judgement.chart == "stand"


def test_split_aces_that_pair_may_stand_or_be_split(chart_of):
    rules = Rules(resplit_aces=True)
    judgement = judged(dealt("A 6 A 7 A 9", rules, "split"), chart_of)
    assert set(judgement.evs) == {"stand", "split"}
    assert judgement.exact == "split"


def test_no_surrender_and_no_double_after_a_split_where_the_rules_have_none(chart_of):
    rules = Rules(surrender="late", double_after_split=False)
    assert set(judged(dealt("8 T 8 7 3 9", rules, "split"), chart_of).evs) == {"stand", "hit"}


def test_moves_without_the_chips_are_not_judged(chart_of):
    judgement = judged(dealt("8 T 8 7", stack=10), chart_of)
    assert set(judgement.evs) == {"stand", "hit"}
    assert judgement.chart == "hit"


@pytest.mark.parametrize(("cards", "text"), [("T 9", "T A 9 6"), ("T T", "T A T 6")])
def test_insurance_is_judged_by_the_unseen_tens(cards, text, chart_of):
    round_ = dealt(text)
    judgement = judged(round_, chart_of)
    tens = 96 - cards.count("T")
    assert judgement.evs["insure"] == pytest.approx(float(Fraction(1, 2) * (3 * Fraction(tens, 309) - 1)), abs=1e-15)
    assert judgement.evs["decline"] == 0
    assert judgement.chart == judgement.exact == "decline"
    assert unseen_counts(round_)[9] == tens


def test_insurance_is_right_where_the_unseen_cards_are_rich_in_tens(chart_of):
    rules = Rules()
    round_ = dealt("9 A 2 6", rules)
    deck = round_.shoe.cards
    low = [card for card in deck[3:] if card.rank < 7][:100]
    rest = list(deck[4:])
    for card in low:
        if card in rest:
            rest.remove(card)
    cards = (*deck[:4], *rest, *low)
    round_ = replace(round_, shoe=replace(round_.shoe, cards=cards, rest=len(cards) - len(low)))
    judgement = judged(round_, chart_of)
    assert judgement.exact == "insure"
    assert judgement.evs["insure"] > 0
    insure = event(round_, "insure", amount=2)
    assert ev_cost(round_, judgement, insure) == pytest.approx(60 / 100 * judgement.evs["insure"])
    assert ev_cost(round_, judgement, event(round_, "insure", amount=5)) == 0


def test_partial_insurance_costs_its_part():
    judgement = Judgement({"insure": -0.04, "decline": 0.0}, "decline", "decline")
    assert judgement.cost("insure") == pytest.approx(0.04)
    assert judgement.cost("insure", 0.5) == pytest.approx(0.02)
    assert judgement.cost("decline") == 0


@pytest.mark.parametrize("price", ["3:2", "6:5", "2:1"])
def test_even_money_is_judged_against_what_declining_wins(price, chart_of):
    rules = Rules(blackjack_pays=price)
    judgement = judged(dealt("A A K 6", rules), chart_of)
    declined = float(rules.blackjack_payout * (1 - Fraction(95, 309)))
    assert judgement.evs == pytest.approx({"even money": 1.0, "decline": declined})
    assert judgement.exact == ("even money" if declined < 1 else "decline")


def test_early_surrender_is_judged_before_the_dealer_looks(strategy_of):
    rules = Rules(surrender="early")
    round_ = dealt("T A 6 9", replace(rules, insurance="none"))
    judgement = judge(round_, 0, strategy_of(rules).chart)
    expected = strategy_of(rules).solution.evs(Hand.parse("T6"), Card("A"))
    others = max(ev for action, ev in expected.items() if action != Action.SURRENDER)
    assert judgement.evs == pytest.approx({"surrender": -0.5, "decline": others})
    assert judgement.chart == judgement.exact == "surrender"
    after = judge(play(round_, "decline"), 0, strategy_of(rules).chart)
    without = strategy_of(Rules()).solution.evs(Hand.parse("T6"), Card("A"))
    assert after.evs == pytest.approx({str(action): ev for action, ev in without.items()}, abs=1e-12)


def test_with_few_cards_unseen_it_is_an_estimate_and_says_so(chart_of):
    rules = Rules(decks=1, max_split_hands=2)
    round_ = play(table("2 3 T 4 3 T", rules, boxes=2, rest=31), 10, 10)
    judgement = judged(round_, chart_of)
    assert judgement.is_estimate
    # With 21 cards of earlier rounds and five on the table 26 are unseen: four of the former are put back.
    kept = [*round_.shoe.cards[31 + 4 :], *round_.boxes[1].hands[0].cards]
    assert 52 - 3 - len(kept) == 30
    expected = decide(rules, Hand(round_.boxes[0].hands[0].cards), round_.upcard, kept)
    assert judgement.evs == pytest.approx({str(a): ev for a, ev in expected.evs.items()}, abs=1e-12)
    assert not judged(dealt("T 6 9 7", rules), chart_of).is_estimate


def test_what_an_event_gives_up_is_in_original_bets(chart_of):
    round_ = dealt("T 6 6 7", bet=50)
    judgement = judged(round_, chart_of)
    hit = event(round_, "hit")
    assert answer_of(hit) == "hit"
    assert ev_cost(round_, judgement, hit) == pytest.approx(judgement.evs["stand"] - judgement.evs["hit"])
    assert ev_cost(round_, judgement, event(round_, "stand")) == 0


def test_of_equal_answers_the_first_move_or_declining_is_the_best():
    assert best_answer({"stand": 0.1, "hit": 0.1, "double": 0.0}) == "stand"
    assert best_answer({"insure": 0.0, "decline": 0.0}) == "decline"
    assert best_answer({"surrender": -0.5, "decline": -0.5}) == "decline"
    assert best_answer({"surrender": -0.5, "decline": -0.6}) == "surrender"


def test_only_an_awaited_box_has_a_decision(chart_of):
    for round_, box in ((table("T 6 9 T"), 0), (dealt("T 6 9 T T", None, "stand"), 0),
                        (play(table("T T 6 9 9 T", boxes=2), 10, 10), 1)):
        with pytest.raises(TurnError):
            judged(round_, chart_of, box)
    assert answer_of(Event(EventKind.DECLINE, 0)) == "decline"

