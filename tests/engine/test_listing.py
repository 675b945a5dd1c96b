from itertools import combinations_with_replacement

import pytest

from trainer.engine.actions import Action, legal_actions
from trainer.engine.cards import Card, full_shoe, parse_upcard
from trainer.engine.hands import Hand, composition_from_label, is_natural, total_of
from trainer.engine.listing import list_rows
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules

RANK_LETTERS = "A23456789T"


@pytest.fixture(scope="module")
def six_decks(strategy_of):
    return strategy_of(Rules())


@pytest.fixture(scope="module")
def one_deck(strategy_of):
    return strategy_of(RULE_SETS["squarescores"])


@pytest.fixture(scope="module")
def all_rows(one_deck):
    return list(list_rows(one_deck, all_hands=True))


def can_be_dealt(row, decks):
    needed = composition_from_label(row.hand + row.upcard)
    return all(used <= held for used, held in zip(needed, full_shoe(decks), strict=True))


def multisets(decks):
    """Every hand of two and more cards up to 21, with every upcard that is left; counted the slow way."""
    for size in range(2, 12):
        for ranks in combinations_with_replacement(range(1, 11), size):
            if sum(ranks) <= 21:
                for upcard in range(1, 11):
                    used = [(*ranks, upcard).count(rank) for rank in range(1, 11)]
                    if all(count <= held for count, held in zip(used, full_shoe(decks), strict=True)):
                        yield "".join(RANK_LETTERS[rank - 1] for rank in ranks), RANK_LETTERS[upcard - 1]


def test_two_card_rows_are_ace_first_with_upcards_ace_to_ten(six_decks):
    expected = [(first + second, upcard) for index, first in enumerate(RANK_LETTERS)
                for second in RANK_LETTERS[index:] for upcard in RANK_LETTERS]
    assert len(expected) == 550
    assert [(row.hand, row.upcard) for row in list_rows(six_decks)] == expected


def test_all_rows_are_what_a_single_deck_can_deal(all_rows):
    listed = [(row.hand, row.upcard) for row in all_rows]
    assert sorted(listed) == sorted(multisets(decks=1))
    assert all(can_be_dealt(row, 1) for row in all_rows)
    assert ("AAAA", "2") in listed
    assert ("AAAA", "A") not in listed


def test_all_rows_come_by_number_of_cards(all_rows):
    sizes = [len(row.hand) for row in all_rows]
    assert sizes == sorted(sizes)


def test_six_decks_can_show_every_upcard_to_every_hand(six_decks):
    rows = list(list_rows(six_decks, all_hands=True))
    assert len(rows) == len({row.hand for row in rows}) * 10 == 30_720


def test_evs_are_of_the_legal_moves_in_order(all_rows):
    for row in all_rows:
        hand = Hand.parse(row.hand)
        legal = legal_actions(RULE_SETS["squarescores"], hand.cards)
        shown = [action for action in row.evs if not (action == Action.HIT and hand.total == 21)]
        assert tuple(shown) == legal
        assert {row.chart, row.exact} <= set(legal)
        assert all(type(ev) is float and abs(ev) <= 4 for ev in row.evs.values())


def test_the_exact_move_is_the_best_legal_one(all_rows):
    for row in all_rows:
        legal = legal_actions(RULE_SETS["squarescores"], Hand.parse(row.hand).cards)
        assert row.evs[row.exact] == max(row.evs[action] for action in legal)


def test_a_natural_only_stands_and_has_no_hit(all_rows):
    naturals = [row for row in all_rows if row.hand == "AT"]
    assert len(naturals) == 10
    for row in naturals:
        assert dict(row.evs) == {Action.STAND: 1.5}
        assert (row.chart, row.exact) == (Action.STAND, Action.STAND)


def test_21_stands_and_lists_hitting_as_a_number_to_check(all_rows):
    rows = [row for row in all_rows if total_of(composition_from_label(row.hand)) == 21 and row.hand != "AT"]
    assert len(rows) > 1_000
    for row in rows:
        assert list(row.evs) == [Action.STAND, Action.HIT]
        assert row.evs[Action.HIT] < row.evs[Action.STAND]
        assert (row.chart, row.exact) == (Action.STAND, Action.STAND)
    assert {row.evs[Action.HIT] for row in rows if row.hand == "777"} == {-1.0}


def test_a_split_is_listed_for_pairs_that_may_be_split(strategy_of):
    rows = list(list_rows(strategy_of(Rules(decks=1, no_split="4,5,10"))))
    splits = {row.hand for row in rows if Action.SPLIT in row.evs}
    assert splits == {"AA", "22", "33", "66", "77", "88", "99"}


def test_surrender_is_listed_for_two_cards_only(strategy_of):
    rows = list(list_rows(strategy_of(Rules(decks=1, surrender="late", max_split_hands=1)), all_hands=True))
    for row in rows:
        expected = len(row.hand) == 2 and not is_natural(composition_from_label(row.hand))
        assert (row.evs.get(Action.SURRENDER) == -0.5) == expected


def test_tens_by_face_against_a_ten_are_the_mean_over_the_upcards_face(strategy_of):
    # One deck: of the ways to hold two tens of one face against a ten, six in seven are not of the upcard's face.
    strategy = strategy_of(Rules(decks=1, split_by="rank"))
    row = next(row for row in list_rows(strategy) if (row.hand, row.upcard) == ("TT", "T"))
    unlike, like = (strategy.solution.evs(Hand.parse("KK"), Card(face))[Action.SPLIT] for face in "QK")
    assert unlike != like  # a king more or less can come for a second split
    assert row.evs[Action.SPLIT] == pytest.approx((6 * unlike + like) / 7, abs=1e-15)


def test_tens_by_face_against_another_upcard_are_the_solutions(one_deck):
    row = next(row for row in list_rows(one_deck) if (row.hand, row.upcard) == ("TT", "6"))
    assert row.evs == one_deck.solution.evs(Hand.parse("KK"), parse_upcard("6"))


def test_some_rows_of_the_common_game(six_decks):
    moves = {(row.hand, row.upcard): (str(row.chart), str(row.exact)) for row in list_rows(six_decks)}
    assert moves["6T", "T"] == ("hit", "hit")
    assert moves["2T", "4"] == ("stand", "hit")
    assert moves["A7", "6"] == ("double", "double")
    assert moves["88", "T"] == ("split", "split")
    assert moves["TT", "6"] == ("stand", "stand")
