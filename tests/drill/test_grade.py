from fractions import Fraction

import pytest

from tests.drill.games import GAMES
from trainer.drill.grade import GRADINGS, Judgement, grade, is_action, judge
from trainer.drill.plan import Mode, Plan
from trainer.drill.pool import first_hands, pool_for
from trainer.drill.situation import Situation, UnseenCards
from trainer.engine.cards import Card, label_of
from trainer.engine.errors import IllegalActionError
from trainer.engine.hands import Hand
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules


@pytest.fixture(scope="module")
def judged(strategy_of):
    """What can be said of a hand of the default rules."""
    return lambda cards, upcard: judge(strategy_of(Rules()), Situation(Rules(), Hand.parse(cards), Card(upcard)))


def judged_insurance(cards, tens, left, rules=None):
    return judge(None, Situation(rules or Rules(decks=8), Hand.parse(cards), Card("A"), UnseenCards(tens, left)))


# The chart's move and the exact one, of very cards that the chart does not tell from others of their total.
DIFFERING = [("T2", "4", "stand", "hit"), ("655", "T", "hit", "stand"), ("A5T", "T", "hit", "stand")]


@pytest.mark.parametrize(("cards", "upcard", "chart", "exact"), DIFFERING)
def test_by_the_chart_either_table_is_right(cards, upcard, chart, exact, judged):
    judgement = judged(cards, upcard)
    assert judgement.tables_differ
    for move in judgement.evs:
        graded = grade(judgement, move)
        assert graded.expected == chart
        assert graded.is_right == (move in (chart, exact))


@pytest.mark.parametrize(("cards", "upcard", "chart", "exact"), DIFFERING)
def test_by_exact_play_only_the_exact_move_is_right(cards, upcard, chart, exact, judged):
    judgement = judged(cards, upcard)
    assert chart != exact
    for move in judgement.evs:
        graded = grade(judgement, move, "exact")
        assert graded.expected == exact
        assert graded.is_right == (move == exact)


@pytest.mark.parametrize(("cards", "upcard", "move"), [
    ("T2", "3", "hit"), ("92", "4", "double"), ("T6", "T", "hit"), ("88", "T", "split"), ("A7", "6", "double"),
    ("A7", "2", "stand"), ("A7", "9", "hit"), ("99", "7", "stand"), ("99", "6", "split"), ("TT", "6", "stand"),
])
@pytest.mark.parametrize("by", GRADINGS)
def test_where_the_tables_agree_one_move_is_right(cards, upcard, move, by, judged):
    judgement = judged(cards, upcard)
    assert not judgement.tables_differ
    assert [each for each in judgement.evs if grade(judgement, each, by).is_right] == [move]


def test_the_cost_is_what_the_best_move_is_worth_more(judged):
    judgement = judged("T2", "4")
    assert grade(judgement, "hit").ev_cost == 0
    assert grade(judgement, "stand").ev_cost == pytest.approx(judgement.evs["hit"] - judgement.evs["stand"], abs=1e-15)
    assert 0 < grade(judgement, "stand").ev_cost < 0.001
    assert grade(judgement, "double").ev_cost > 0.1


@pytest.mark.parametrize("key", GAMES)
def test_no_move_of_any_hand_costs_less_than_nothing_and_the_best_costs_nothing(key, strategy_of):
    rules = GAMES[key]
    strategy = strategy_of(rules)
    longer = pool_for(strategy, Plan(mode=Mode.MULTI_CARD)).candidates[::50]
    for candidate in [*(candidate for candidate, _ in first_hands(strategy)), *longer]:
        judgement = judge(strategy, Situation(rules, candidate.hand(), Card(label_of(candidate.upcard))))
        costs = {move: grade(judgement, move).ev_cost for move in judgement.evs}
        assert min(costs.values()) == costs[judgement.exact] == 0
        assert grade(judgement, judgement.chart).is_right
        assert grade(judgement, judgement.exact, "exact").is_right


@pytest.mark.parametrize("move", ["split", "surrender", "insure", "Hit", "", "\0", "x" * 10_000])
def test_a_move_that_is_not_allowed_is_refused(move, judged):
    with pytest.raises(IllegalActionError) as caught:
        grade(judged("T6", "T"), move)
    assert len(str(caught.value)) < 200
    assert "stand, hit, double" in str(caught.value)


def test_judging_lists_the_legal_moves_in_their_order(strategy_of):
    rules = RULE_SETS["shoe-h17"]
    situation = Situation(rules, Hand.parse("88"), Card("A"))
    assert tuple(judge(strategy_of(rules), situation).evs) == situation.legal


def test_the_gap_is_between_the_best_two():
    assert Judgement({"stand": -0.5, "hit": -0.25, "double": -1.0}, "hit", "hit").gap == 0.25
    assert Judgement({"stand": 0.5}, "stand", "stand").gap == 0.0


@pytest.mark.parametrize(("tens", "left", "answer"), [
    (100, 300, "decline"), (101, 300, "insure"), (100, 299, "insure"), (99, 300, "decline"), (1, 3, "decline"),
    (1, 2, "insure"), (0, 9, "decline"),
])
def test_insurance_is_right_above_a_third_and_declined_at_it(tens, left, answer):
    assert judged_insurance("98", tens, left).exact == answer
    assert judged_insurance("AK", tens, left).exact == answer


@pytest.mark.parametrize("cards", ["98", "AK"])
def test_insurance_is_judged_right_for_every_count_that_can_be_left(cards):
    counts = [(tens, left) for tens in range(49) for left in range(max(tens, 1), tens + 100)]
    rules = Rules(decks=4)
    wrong = [(tens, left) for tens, left in counts
             if judged_insurance(cards, tens, left, rules).exact != ("insure" if 3 * tens > left else "decline")]
    assert wrong == []


def test_an_insurance_bet_is_half_a_bet_at_2_to_1():
    judgement = judged_insurance("98", 60, 120)
    assert dict(judgement.evs) == {"insure": 0.25, "decline": 0.0}
    assert grade(judgement, "decline").ev_cost == 0.25
    assert not grade(judgement, "decline").is_right
    assert not judgement.tables_differ


@pytest.mark.parametrize("pays", ["3:2", "6:5", "7:5", "1:1", "2:1"])
def test_even_money_is_taken_where_it_beats_what_declining_wins(pays):
    rules = Rules(decks=8, blackjack_pays=pays)
    for tens in range(120):
        declining = rules.blackjack_payout * (1 - Fraction(tens, 240))
        judgement = judged_insurance("AK", tens, 240, rules)
        assert dict(judgement.evs) == {"insure": 1.0, "decline": pytest.approx(float(declining), abs=1e-15)}
        assert judgement.exact == ("insure" if declining < 1 else "decline")


@pytest.mark.parametrize("by", GRADINGS)
def test_insurance_is_graded_alike_by_either_table(by):
    judgement = judged_insurance("98", 20, 100)
    assert grade(judgement, "decline", by).is_right
    assert grade(judgement, "insure", by).ev_cost == pytest.approx(0.2)
    with pytest.raises(IllegalActionError):
        grade(judgement, "hit", by)


def test_answers_to_insurance_are_told_from_moves():
    assert [move for move in ("stand", "hit", "double", "split", "surrender", "insure", "decline", "")
            if is_action(move)] == ["stand", "hit", "double", "split", "surrender"]


def test_there_is_no_third_way_of_grading():
    with pytest.raises(ValueError, match="chart or exact"):
        grade(judged_insurance("98", 20, 100), "decline", "luck")


@pytest.mark.parametrize("cards", ["98", "AK"])
@pytest.mark.parametrize("left", [3, 147, 231, 300])
def test_where_insurance_is_worth_nothing_either_answer_is_right(cards, left):
    judgement = judged_insurance(cards, left // 3, left)
    assert len(set(judgement.evs.values())) == 1
    assert all(grade(judgement, answer, by).is_right for answer in ("insure", "decline") for by in GRADINGS)
