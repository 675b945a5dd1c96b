"""Shoes that begin with a certain hand."""

from collections import Counter
from random import Random

import pytest

from trainer.engine.cards import composition_of, parse_cards, parse_upcard
from trainer.engine.hands import is_natural
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules
from trainer.table.opening import opening_shoe
from trainer.table.shoe import full_deck


@pytest.mark.parametrize("key", RULE_SETS)
@pytest.mark.parametrize(("hand", "upcard"), [("8s8h", "Ad"), ("5s6h9c", "Kd"), ("AsTh5d", "6c"), ("2s2h2d", "2c")])
def test_the_hand_comes_in_the_order_of_the_deal_from_a_whole_shoe(key, hand, upcard):
    rules = RULE_SETS[key]
    cards, up = parse_cards(hand), parse_upcard(upcard)
    shoe = opening_shoe(rules, cards, up, Random(1))
    assert Counter(shoe.cards) == Counter(full_deck(rules.decks))
    hole = 1 if rules.is_peek else 0
    dealt = [shoe.cards[0], shoe.cards[2], *shoe.cards[3 + hole : 2 + hole + len(cards) - 1]]
    assert shoe.cards[1] == up
    assert Counter(dealt) == Counter(cards)
    assert not is_natural(composition_of(dealt[:2]))


@pytest.mark.parametrize("insurance", ["none", "half"])
def test_the_hole_card_makes_no_natural_unless_insurance_is_asked_and_all_stays_as_likely(insurance):
    counts = Counter()
    for seed in range(3000):
        shoe = opening_shoe(Rules(insurance=insurance), parse_cards("9s7h"), parse_upcard("Ad"), Random(seed))
        counts[shoe.cards[3].rank] += 1
    left = {rank: 24 - (rank in (1, 7, 9)) for rank in range(1, 10)} | ({10: 96} if insurance == "half" else {})
    assert (counts[10] > 0) == (10 in left)
    total = sum(left.values())
    for rank, count in left.items():
        assert abs(counts[rank] / 3000 - count / total) < 4 * (count / total / 3000) ** 0.5
