from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given

from tests.strategies import examples, rules
from tests.table.scripted import dealt, play, rigged, table
from trainer.engine.cards import composition_of, full_shoe
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules
from trainer.table.shoe import CARDS, Shoe, fresh_shoe, full_deck, most_boxes, next_shoe
from trainer.table.view import seen_cards, unseen_counts

ONE_DECK = Rules(decks=1, shuffle="10", max_split_hands=2)


@pytest.mark.parametrize("decks", [1, 6, 8])
def test_a_fresh_shoe_holds_every_card_once_a_deck(decks):
    shoe = fresh_shoe(Rules(decks=decks), Random(1))
    assert Counter(shoe.cards) == dict.fromkeys(CARDS.values(), decks)
    assert composition_of(shoe.cards) == full_shoe(decks)
    assert shoe.left(0) == 52 * decks


def test_every_place_of_a_card_is_as_likely_as_another():
    """Where one card lies after 5,200 shuffles of one deck: chi-squared with 51 degrees of freedom."""
    random, card = Random(2), next(iter(CARDS.values()))
    places = Counter(fresh_shoe(Rules(decks=1), random).cards.index(card) for _ in range(5_200))
    assert 20 < sum((places[place] - 100) ** 2 / 100 for place in range(52)) < 99


def test_the_generator_alone_decides_the_order():
    assert fresh_shoe(Rules(), Random(3)) == fresh_shoe(Rules(), Random(3)) != fresh_shoe(Rules(), Random(4))


def test_a_game_that_shuffles_every_hand_never_deals_from_a_used_shoe():
    shoe = fresh_shoe(Rules(shuffle="hand"), Random(1))
    assert shoe.cut is None
    new, is_fresh = next_shoe(Rules(shuffle="hand"), Random(1), shoe, 4)
    assert is_fresh
    assert new.rest == len(new.cards) == 312


def test_the_cut_is_drawn_for_each_shoe():
    cuts = Counter(fresh_shoe(RULE_SETS["classic"], Random(seed)).cut for seed in range(400))
    assert set(cuts) == set(range(60, 76))
    assert {fresh_shoe(Rules(), Random(seed)).cut for seed in range(20)} == {78}


@pytest.mark.parametrize(("left", "is_fresh"), [(79, False), (78, False), (77, True), (1, True)])
def test_a_shoe_is_shuffled_anew_below_the_cut_and_not_at_it(left, is_fresh):
    shoe = Shoe(full_deck(6), 312, 78)
    new, was_shuffled = next_shoe(Rules(), Random(1), shoe, 312 - left)
    assert was_shuffled == is_fresh
    assert new.left(0) == (312 if is_fresh else left)
    assert Counter(new.cards) == Counter(full_deck(6))


def test_the_cards_that_are_left_keep_their_order():
    shoe = fresh_shoe(Rules(), Random(5))
    new, _ = next_shoe(Rules(), Random(6), shoe, 20)
    assert new.cards[: new.rest] == shoe.cards[20:]
    assert Counter(new.seen_before(0)) == Counter(shoe.cards[:20])


def test_a_cut_card_in_mid_round_finishes_the_round_first():
    """79 cards are left, one more than the cut; the round takes six of them from this shoe all the same."""
    shoe = rigged("5 6 5 T 2 T", Rules(), rest=79)
    round_ = play(table("5 6 5 T 2 T K", rest=79), 10, "hit", "stand")
    assert round_.is_over
    assert round_.cards_left == 79 - round_.dealt < 78
    assert next_shoe(Rules(), Random(1), Shoe(shoe.cards, 79, 78), round_.dealt)[1]


def test_a_round_that_runs_out_goes_on_with_the_cards_of_earlier_rounds():
    """Six cards are left, the round needs more: those seen before are shuffled and may come again."""
    round_ = play(table("5 6 5 T 2 2 3 T", ONE_DECK, rest=6), 10, "hit", "hit")
    assert (round_.dealt, round_.cards_left) == (6, 0)
    before = unseen_counts(round_)
    assert sum(before) == 1  # the hole card alone: everything else has been seen
    round_ = play(round_, "hit")
    assert (round_.dealt, round_.cards_left) == (7, 45)
    assert sum(unseen_counts(round_)) == 52 - 6
    assert Counter(seen_cards(round_)) == Counter(round_.shoe.cards[:7]) - Counter([round_.dealer[1]])
    over = play(round_, "stand")
    assert over.is_over
    new, is_fresh = next_shoe(ONE_DECK, Random(1), replace(over.shoe, cut=10), over.dealt)
    assert not is_fresh
    assert Counter(new.cards) == Counter(full_deck(1))
    assert new.rest == 52 - over.dealt


def test_cards_left_are_what_has_not_been_dealt():
    assert dealt("T 6 9 T").cards_left == 308


@examples(200)
@given(rules(most_decks=8))
def test_the_boxes_a_shoe_serves_can_never_run_out(rules):
    """Hands that each take the smallest cards left up to a hard 30 cannot use up the shoe."""
    boxes = most_boxes(rules)
    assert boxes >= 1
    pips = 30 * boxes * rules.max_split_hands + 26
    assert pips < sum(rank * count for rank, count in enumerate(full_shoe(rules.decks), start=1))


@pytest.mark.parametrize(("rules", "boxes"), [
    (Rules(), 5), (Rules(decks=2), 5), (Rules(decks=1), 2), (Rules(decks=1, max_split_hands=3), 3),
    (RULE_SETS["squarescores"], 5), (RULE_SETS["classic"], 5),
])
def test_how_many_boxes_a_shoe_serves(rules, boxes):
    assert most_boxes(rules) == boxes
