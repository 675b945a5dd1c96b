
from collections import Counter
from datetime import timedelta
from itertools import pairwise
from math import sqrt
from random import Random

import pytest

from tests.drill.games import GAMES
from tests.drill.standings import START, R, W, answered, some_user
from trainer.drill.adapt import ADAPTIVE, deal_adapted
from trainer.drill.grade import judge
from trainer.drill.memory import is_due, recall_of, remember
from trainer.drill.mix import Kind
from trainer.drill.plan import Mode, Plan
from trainer.drill.pool import NothingToDealError, pool_for, pool_of_cell
from trainer.drill.practice import Practice
from trainer.drill.select import deal, deal_cell, deal_other, is_same_hand
from trainer.drill.sheet import sheet_of
from trainer.engine.chart import Cell
from trainer.engine.rules import Rules

NAMES = ["hall-of-thoth", "classic", "squarescores", "shoe-h17", "nothing split"]


def session(rules, strategy, mode, practice, hands, seed=1):
    """Hands dealt one after the other to someone who is right three times in four: what, why, whether it was due."""
    random, last, dealt = Random(seed), None, []
    for number in range(hands):
        now = START + timedelta(days=40, seconds=5 * number)
        try:
            one = deal_adapted(rules, strategy, mode, practice, random, now=now, last=last, position=number)
        except NothingToDealError:
            break
        place = practice.sheet.index[one.situation.cell]
        memory = practice.memories[place]
        dealt.append((one, bool(memory and is_due(memory, now))))
        practice = practice.with_memory(
            place, remember(memory, recall_of(is_right=random.random() < 0.75), now))
        last = one.situation
    return dealt


@pytest.mark.parametrize("mode", [Mode.DEFAULT_MIX, Mode.WEAK_SPOTS, Mode.REVIEW, Mode.SPRINT, Mode.STREAK])
@pytest.mark.parametrize("name", NAMES)
def test_no_hand_comes_twice_in_a_row_but_as_a_review_of_it(name, mode, strategy_of):
    rules, strategy = GAMES[name], strategy_of(GAMES[name])
    dealt = session(rules, strategy, mode, some_user(Practice.of(sheet_of(strategy)), seed=1), 800)
    assert len(dealt) > 15
    for (before, _), (after, was_due) in pairwise(dealt):
        if is_same_hand(before.situation, after.situation):
            assert after.kind is Kind.REVIEW
            assert was_due
    assert all(was_due for one, was_due in dealt if one.kind is Kind.REVIEW)


def test_two_hands_in_a_row_would_come_by_chance(strategy_of):
    """Left alone the same hand does come twice, so the test above can fail."""
    hands = [deal(Rules(), strategy_of(Rules()), Plan(), random) for random in [Random(1)] for _ in range(3_000)]
    assert any(is_same_hand(one, other) for one, other in pairwise(hands))


def test_mixed_hands_of_the_mix_come_as_a_shoe_deals_them(strategy_of):
    strategy, count = strategy_of(Rules()), 6_000
    practice = Practice.of(sheet_of(strategy))
    random, met = Random(2), Counter()
    for _ in range(count):
        one = deal_adapted(Rules(), strategy, Mode.DEFAULT_MIX, practice, random, now=START)
        if one.kind is Kind.MIXED:
            met[one.situation.cell.section, one.situation.cell.row] += 1
    expected, pool = Counter(), pool_for(strategy, Plan())
    for candidate, weight in zip(pool.candidates, [pool.running[0], *(pool.running[1:] - pool.running[:-1])],
                                 strict=True):
        cell = row_of(candidate)
        expected[cell] += float(weight)
    total = met.total()
    assert abs(total - 0.6 * count) < 4 * sqrt(count * 0.24)
    for row, share in expected.items():
        assert abs(met[row] - total * share) < 4.5 * sqrt(total * share * (1 - share)) + 1


def row_of(candidate):
    """Section and row, where every pair is split by value."""
    hand = candidate.hand()
    if hand.is_pair("value"):
        return "pair", hand.cards[0].rank
    return ("soft" if hand.is_soft else "hard"), hand.total


@pytest.mark.parametrize("name", GAMES)
def test_every_cell_that_comes_up_can_be_dealt(name, strategy_of):
    rules, strategy = GAMES[name], strategy_of(GAMES[name])
    random = Random(3)
    for cell in sheet_of(strategy).cells:
        assert deal_cell(rules, strategy, cell, random).cell == cell


def test_a_cell_that_the_rules_do_not_have_is_refused(strategy_of):
    with pytest.raises(NothingToDealError):
        pool_of_cell(strategy_of(Rules()), Cell("hard", 4, 2))


def test_another_hand_is_another_hand(strategy_of):
    strategy, random = strategy_of(Rules()), Random(4)
    last = deal(Rules(), strategy, Plan(), random)
    assert not any(is_same_hand(deal_other(Rules(), strategy, last, random), last) for _ in range(2_000))


def test_king_and_queen_are_not_the_same_hand_as_a_pair_of_kings(strategy_of):
    rules = GAMES["squarescores"]
    hands = [deal_cell(rules, strategy_of(rules), cell, Random(1)) for cell in
             (Cell("pair", 10, 6), Cell("hard", 20, 6))]
    assert not is_same_hand(*hands)


def test_review_says_when_nothing_is_due(strategy_of):
    strategy = strategy_of(Rules())
    practice = answered(Practice.of(sheet_of(strategy)), Cell("hard", 16, 10), R)
    with pytest.raises(NothingToDealError, match="due"):
        deal_adapted(Rules(), strategy, Mode.REVIEW, practice, Random(1), now=START)


def test_a_missed_cell_is_reviewed_in_the_same_session(strategy_of):
    strategy, cell = strategy_of(Rules()), Cell("hard", 16, 10)
    practice = answered(Practice.of(sheet_of(strategy)), cell, W)
    one = deal_adapted(Rules(), strategy, Mode.REVIEW, practice, Random(1), now=START + timedelta(minutes=2))
    assert (one.kind, one.situation.cell) == (Kind.REVIEW, cell)


@pytest.mark.parametrize("mode", sorted(ADAPTIVE))
def test_the_same_dice_deal_the_same_hands(mode, strategy_of):
    strategy = strategy_of(Rules())
    practice = some_user(Practice.of(sheet_of(strategy)), seed=2)
    once, again = (session(Rules(), strategy, mode, practice, 100) for _ in range(2))
    assert once == again
    assert session(Rules(), strategy, mode, practice, 100, seed=2) != once


def test_adapted_hands_can_be_judged(strategy_of):
    strategy = strategy_of(Rules())
    for one, _ in session(Rules(), strategy, Mode.DEFAULT_MIX, Practice.of(sheet_of(strategy)), 200):
        assert len(judge(strategy, one.situation).evs) > 1


@pytest.mark.parametrize("mode", [*sorted(ADAPTIVE), Mode.FILL])
def test_without_what_was_answered_such_a_mode_deals_nothing(mode, strategy_of):
    with pytest.raises(NothingToDealError):
        deal(Rules(), strategy_of(Rules()), Plan(mode=mode), Random(1))
