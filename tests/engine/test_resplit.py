"""How many hands a pair becomes, and the sum over all of them, against plain recursions in fractions."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import examples
from trainer.engine.resplit import SplitDeal, falling, gone_limit

CLOSE = 1e-12


def split_deals(most_cards: int) -> st.SearchStrategy[tuple[int, int, int]]:
    """Cards left, pair cards among them, most hands; never so few cards that second cards run out."""
    return st.integers(2, 4).flatmap(lambda most: st.integers(3 * most, most_cards).flatmap(
        lambda cards: st.tuples(st.just(cards), st.integers(0, min(cards, 30)), st.just(most))))


@examples(200)
@given(split_deals(415))
def test_the_chances_of_all_numbers_of_hands_add_up_to_one(drawn):
    deal, most = deal_of(drawn), drawn[2]
    chances = [deal.ends_with(hands)[0] for hands in range(2, most)]
    chances += [deal.reaches_most(finished)[0] for finished in range(most - 1)]
    assert min(chances) >= 0.0
    assert sum(chances) == pytest.approx(1.0, abs=CLOSE)


@examples(60)
@given(split_deals(40))
def test_hands_number_what_dealing_them_one_by_one_gives(drawn):
    cards, pairs, most = drawn
    outcomes = deal_out(cards, pairs, most)
    deal = deal_of(drawn)
    for hands in range(2, most):
        assert deal.ends_with(hands)[0] == pytest.approx(float(chance_of_hands(outcomes, hands)), abs=CLOSE)
    reached = sum(deal.reaches_most(finished)[0] for finished in range(most - 1))
    assert reached == pytest.approx(float(chance_of_hands(outcomes, most)), abs=CLOSE)
    mean = sum(chance * len(seconds) for seconds, chance in outcomes.items())
    assert deal.expected_hands()[0] == pytest.approx(float(mean), abs=CLOSE)


@examples(60)
@given(split_deals(40))
def test_hands_of_one_worth_each_add_up_to_their_number(drawn):
    assert add_up(drawn, lambda *_: 1, lambda *_: 1) == pytest.approx(deal_of(drawn).expected_hands()[0], abs=CLOSE)


@examples(60)
@given(split_deals(40))
def test_a_worth_of_second_cards_that_pair_counts_the_pairs_left_unsplit(drawn):
    outcomes = deal_out(*drawn)
    mean = sum(chance * sum(seconds) for seconds, chance in outcomes.items())
    assert add_up(drawn, lambda left, pairs: Fraction(pairs, left), lambda *_: 1) == pytest.approx(
        float(mean), abs=CLOSE)


@examples(60)
@given(split_deals(40))
def test_a_worth_of_what_is_dealt_next_is_summed_over_the_hands_as_they_are_dealt(drawn):
    # A hand is worth 1 if its third card, dealt after all second cards, is of the pair rank; the mean over its
    # own second card is again a pair card's share, and given a pair as second card one of them fewer is left.
    outcomes = deal_out(*drawn)
    cards, pairs, _ = drawn
    mean = sum(chance * len(seconds) * third_pairs(cards, pairs, seconds) for seconds, chance in outcomes.items())
    assert add_up(drawn, lambda left, pairs: Fraction(pairs, left),
                  lambda left, pairs: Fraction(max(pairs - 1, 0), left - 1)) == pytest.approx(float(mean), abs=CLOSE)


def test_two_hands_need_no_pair_card_to_go():
    assert [gone_limit(most) for most in (2, 3, 4)] == [0, 2, 4]


@pytest.mark.parametrize(("x", "k", "product"), [(5, 0, 1), (5, 3, 60), (3, 3, 6), (2, 3, 0), (0, 1, 0), (0, 0, 1)])
def test_falling_multiplies_downwards_and_stops_at_zero(x, k, product):
    assert falling(float(x), k) == product
    assert falling(np.array([float(x)]), k).tolist() == [product]


def deal_of(drawn: tuple[int, int, int]) -> SplitDeal:
    cards, pairs, most = drawn
    return SplitDeal(np.array([float(pairs)]), float(cards), most)


def add_up(
    drawn: tuple[int, int, int], one: Callable[[int, int], Fraction | int], paired: Callable[[int, int], Fraction | int]
) -> float:
    """The sum over all hands of what one hand measures, given the cards and pair cards left to it.

    ``one``: whatever its second card; ``paired``: where that is a pair card, which is still among those left.
    """
    cards, pairs, most = drawn
    gone = range(min(gone_limit(most), pairs) + 1)
    x0 = np.array([[float(one(cards - a, pairs - a))] for a in gone])
    p0 = np.array([[float(paired(cards - a, pairs - a))] for a in gone])
    return float(deal_of(drawn).add_up(x0, p0)[0])


def deal_out(cards: int, pairs: int, most: int) -> Counter[tuple[bool, ...]]:
    """Deal every second card, splitting while it is allowed: which hands keep a pair card, and the chance of it."""
    outcomes: Counter[tuple[bool, ...]] = Counter()

    def deal(left: int, pairs_left: int, seconds: tuple[bool, ...], waiting: int, chance: Fraction) -> None:
        if chance == 0:
            return
        if not waiting:
            outcomes[seconds] += chance
            return
        pair = chance * Fraction(pairs_left, left)
        if len(seconds) + waiting < most:
            deal(left - 1, pairs_left - 1, seconds, waiting + 1, pair)
        else:
            deal(left - 1, pairs_left - 1, (*seconds, True), waiting - 1, pair)
        deal(left - 1, pairs_left, (*seconds, False), waiting - 1, chance - pair)

    deal(cards, pairs, (), 2, Fraction(1))
    return outcomes


def chance_of_hands(outcomes: Counter[tuple[bool, ...]], hands: int) -> Fraction:
    return sum((chance for seconds, chance in outcomes.items() if len(seconds) == hands), Fraction(0))


def third_pairs(cards: int, pairs: int, seconds: tuple[bool, ...]) -> Fraction:
    """The share of pair cards among what is left after all second cards and the pair cards that were split."""
    split_again = len(seconds) - 2
    return Fraction(pairs - split_again - sum(seconds), cards - split_again - len(seconds))
