"""Where the dealer ends: counts, published bust rates, and a plain recursion over random shoes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine import brute_force
from tests.strategies import examples
from trainer.engine.cards import ACE, RANKS, TEN, full_shoe
from trainer.engine.deal import deal_chances
from trainer.engine.dealer import FINAL_TOTALS, dealer_totals, draws, finished_hands, natural_chance
from trainer.engine.hands import total_of
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules
from trainer.engine.solution import full_shoe_outcomes

NO_CARDS = (0,) * 10


@st.composite
def shoes(draw, fewest: int = 30) -> tuple[int, ...]:
    """Shoes of up to eight decks; at least ``fewest`` cards, so that the dealer cannot run out."""
    counts = [draw(st.integers(0, 32)) for _ in range(9)] + [draw(st.integers(0, 128))]
    counts[draw(st.integers(0, 9))] += max(0, fewest - sum(counts))
    return tuple(counts)


def test_finished_hands_number_1676_or_with_a_hit_soft_17_1739():
    assert len(finished_hands(False)) == 1676
    assert len(finished_hands(True)) == 1739


@pytest.mark.parametrize("hits_soft_17", [False, True])
def test_finished_hands_stand_on_17_to_21_and_have_an_order_to_come_in(hits_soft_17):
    for hand, orders in finished_hands(hits_soft_17).items():
        assert total_of(hand) in FINAL_TOTALS
        assert not draws(hand, hits_soft_17)
        assert any(orders)
        assert all(hand[rank - 1] for rank, count in zip(RANKS, orders, strict=True) if count)


@pytest.mark.parametrize("hits_soft_17", [False, True])
@examples(40)
@given(shoes())
def test_no_outcome_is_less_likely_than_never(hits_soft_17, shoe):
    shoe = np.array([shoe], dtype=float)
    totals = dealer_totals(shoe, hits_soft_17)[0]
    natural = np.array([natural_chance(shoe, upcard)[0] for upcard in RANKS])
    bust = 1.0 - totals.sum(axis=1) - natural
    assert totals.min() >= -1e-12
    assert bust[shoe[0] > 0].min() >= -1e-12


@examples(12)
@given(shoes(), st.sampled_from(RANKS), st.booleans())
def test_totals_bust_and_natural_come_as_often_as_drawing_card_by_card_gives(shoe, upcard, hits_soft_17):
    shoe = brute_force.plus(shoe, upcard)
    slow = brute_force.dealer(Rules(dealer_hits_soft_17=hits_soft_17), shoe, NO_CARDS, upcard)
    counts = np.array([shoe], dtype=float)
    fast = dealer_totals(counts, hits_soft_17)[0, upcard - 1]
    assert fast == pytest.approx([float(slow[total]) for total in FINAL_TOTALS], abs=1e-12)
    assert natural_chance(counts, upcard)[0] == pytest.approx(float(slow["natural"]), abs=1e-12)
    assert 1.0 - fast.sum() - natural_chance(counts, upcard)[0] == pytest.approx(float(slow["bust"]), abs=1e-12)


# Per cent, six decks, dealer stands on soft 17, given no natural. (A deuce: 35.3504, which some tables cut to 35.3.)
@pytest.mark.parametrize(("upcard", "per_cent"), [
    (2, 35.4), (3, 37.4), (4, 39.6), (5, 41.8), (6, 42.3), (7, 26.2), (8, 24.4), (9, 22.9), (TEN, 23.0), (ACE, 16.7),
])
def test_the_dealer_busts_as_often_as_published(upcard, per_cent):
    bust, natural = bust_and_natural(6, upcard)
    assert 100 * bust / (1.0 - natural) == pytest.approx(per_cent, abs=0.05)


def test_before_the_peek_a_ten_busts_21_times_in_a_hundred():
    assert 100 * bust_and_natural(6, TEN)[0] == pytest.approx(21.2, abs=0.05)


# Wizard of Odds, blackjack appendix 2B: one deck, dealer stands on soft 17, before the peek.
@pytest.mark.parametrize(("upcard", "chance"), [
    (ACE, 0.11654), (2, 0.352973), (3, 0.375588), (4, 0.402803), (5, 0.428905), (6, 0.420823), (7, 0.259854),
    (8, 0.238627),
])
def test_a_dealer_from_one_deck_busts_as_often_as_published(upcard, chance):
    assert bust_and_natural(1, upcard)[0] == pytest.approx(chance, abs=1e-6)


@examples(20)
@given(shoes(), st.sampled_from(RANKS), st.booleans())
def test_one_upcard_alone_gives_the_same_as_all_at_once(shoe, upcard, hits_soft_17):
    shoe = np.array([brute_force.plus(shoe, upcard)], dtype=float)
    alone = dealer_totals(shoe, hits_soft_17, upcard)
    assert alone.shape == (1, 1, 5)
    assert np.allclose(alone[0, 0], dealer_totals(shoe, hits_soft_17)[0, upcard - 1], rtol=0, atol=1e-13)


@pytest.mark.parametrize("upcard", RANKS)
def test_an_upcard_that_the_shoe_lacks_has_no_chances(upcard):
    shoe = np.array([full_shoe(6)], dtype=float)
    shoe[0, upcard - 1] = 0
    totals = dealer_totals(shoe, False)[0]
    assert not totals[upcard - 1].any()
    assert all(totals[other - 1].any() for other in RANKS if other != upcard)
    assert not dealer_totals(shoe, False, upcard).any()


def test_many_shoes_give_the_same_as_each_by_itself():
    # More shoes than are worked on at a time, so that the blocks' seams are crossed.
    many = np.array([full_shoe(1 + number % 8) for number in range(800)], dtype=float)
    many[:, 4] -= np.arange(800) % 4
    together = dealer_totals(many, True)
    for row in (0, 383, 384, 767, 768, 799):
        assert np.allclose(together[row], dealer_totals(many[row : row + 1], True)[0], rtol=0, atol=1e-14)


def bust_and_natural(decks: int, upcard: int) -> tuple[float, float]:
    """Chances before the peek, nothing but the upcard seen; the dealer stands on soft 17."""
    shoe = np.array([full_shoe(decks)], dtype=float)
    natural = float(natural_chance(shoe, upcard)[0])
    return 1.0 - float(dealer_totals(shoe, False)[0, upcard - 1].sum()) - natural, natural


@pytest.mark.parametrize("key", RULE_SETS)
def test_outcomes_of_a_full_shoe_are_the_mean_over_the_hands_that_a_player_may_hold(key, table_of):
    rules, table = RULE_SETS[key], table_of(RULE_SETS[key])
    dealt, natural = deal_chances(table), table.natural
    totals = table.odds.totals(table.lattice.compositions)
    for column, ends in enumerate(full_shoe_outcomes(rules).values()):
        before = (dealt[:, column, None] * totals[:, column]).sum(axis=0)
        nature = float((dealt * natural)[:, column].sum())
        seen = 1.0 - nature if rules.is_peek else 1.0
        assert list(ends) == ["bust", "17", "18", "19", "20", "21", "natural"]
        assert [ends[str(total)] for total in range(17, 22)] == pytest.approx((before / seen).tolist(), abs=1e-12)
        assert ends["natural"] == pytest.approx(0.0 if rules.is_peek else nature, abs=1e-12)
        assert sum(ends.values()) == pytest.approx(1.0, abs=1e-12)
