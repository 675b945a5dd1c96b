from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trainer.engine.cards import FACES, Card, parse_cards
from trainer.engine.errors import CardError, ImpossibleHandError
from trainer.engine.hands import (
    Hand,
    composition_from_label,
    hard_total,
    is_natural,
    is_soft,
    label,
    total_of,
)

STABLE = settings(derandomize=True, deadline=None)
FACE_VALUES = {"A": (1, 11), "T": (10,), "J": (10,), "Q": (10,), "K": (10,)} | {str(n): (n,) for n in range(2, 10)}

compositions = st.tuples(*[st.integers(0, 6)] * 10)
small_hands = st.lists(st.sampled_from(FACES), min_size=1, max_size=6)


@pytest.mark.parametrize("text", ["A7", "A,7", "7A", "A-7", "As7d", "A♠ 7♦", "a7", "A 7"])
def test_every_spelling_gives_the_same_hand(text):
    hand = Hand.parse(text)
    assert (hand.composition, hand.total, hand.is_soft) == ((1, 0, 0, 0, 0, 0, 1, 0, 0, 0), 18, True)


@pytest.mark.parametrize("text", ["10 6", "T6", "106", "K6", "6,10", "J♠6♥"])
def test_ten_value_cards_are_worth_the_same(text):
    assert Hand.parse(text).composition == (0, 0, 0, 0, 0, 1, 0, 0, 0, 1)


@pytest.mark.parametrize("text", ["A7x", "11", "\x00", "A\x007", "hello", "A7 " * 700])
def test_junk_is_a_card_error(text):
    with pytest.raises(CardError):
        Hand.parse(text)


@pytest.mark.parametrize("text", ["", " , ", "TT2", "KQJ", "9993", "A" * 22, "5" * 2_000])
def test_no_card_and_more_than_21_are_impossible(text):
    with pytest.raises(ImpossibleHandError):
        Hand.parse(text)


def test_a_bust_hand_is_named_with_its_total():
    with pytest.raises(ImpossibleHandError, match="K-Q-5 is bust: it totals 25"):
        Hand.parse("KQ5")


@pytest.mark.parametrize(
    ("text", "totals"),
    [
        ("A", (1, 11)),
        ("AA", (2, 12)),
        ("A6", (7, 17)),
        ("A69", (16,)),
        ("AT", (11, 21)),
        ("A9A", (11, 21)),
        ("A55", (11, 21)),
        ("AAT", (12,)),
        ("A56", (12,)),
        ("A8A", (10, 20)),
        ("AAAAAAAAAAA", (11, 21)),
        ("AAAAAAAAAAAA", (12,)),
        ("T", (10,)),
        ("T6", (16,)),
        ("777", (21,)),
        ("TTA", (21,)),
        ("22", (4,)),
    ],
)
def test_totals(text, totals):
    hand = Hand.parse(text)
    assert hand.totals == totals
    assert hand.total == totals[-1]
    assert hand.is_soft == (len(totals) == 2)


@STABLE
@given(small_hands)
def test_a_hand_is_worth_the_best_total_that_does_not_bust(faces):
    cards = tuple(Card(face) for face in faces)
    possible = {sum(values) for values in product(*(FACE_VALUES[face] for face in faces))}
    in_play = {total for total in possible if total <= 21}
    if not in_play:
        with pytest.raises(ImpossibleHandError):
            Hand(cards)
        return
    hand = Hand(cards)
    assert hand.total == max(in_play)
    assert set(hand.totals) == in_play
    assert hand.is_soft == (len(in_play) > 1)


@STABLE
@given(compositions)
def test_totals_of_a_composition_agree(composition):
    low = sum(rank * count for rank, count in zip(range(1, 11), composition, strict=True))
    assert hard_total(composition) == low
    assert total_of(composition) == low + 10 * is_soft(composition)
    assert is_soft(composition) == (composition[0] > 0 and low <= 11)


@pytest.mark.parametrize("text", ["AT", "TA", "AK", "QA", "JsAd"])
def test_an_ace_and_a_ten_value_card_are_a_natural(text):
    assert Hand.parse(text).is_natural


@pytest.mark.parametrize("text", ["A9A", "A55", "777", "A9", "TT", "TTA", "A", "T", "AA"])
def test_nothing_else_is_a_natural(text):
    hand = Hand.parse(text)
    assert not hand.is_natural
    assert not is_natural(hand.composition)


@pytest.mark.parametrize(
    ("text", "by_value", "by_rank"),
    [
        ("88", True, True),
        ("8s8d", True, True),
        ("AA", True, True),
        ("TT", True, True),
        ("KK", True, True),
        ("KsKd", True, True),
        ("KT", True, False),
        ("QJ", True, False),
        ("A7", False, False),
        ("98", False, False),
        ("8", False, False),
        ("777", False, False),
        ("2222", False, False),
    ],
)
def test_pairs_by_value_and_by_rank(text, by_value, by_rank):
    hand = Hand.parse(text)
    assert (hand.is_pair("value"), hand.is_pair("rank")) == (by_value, by_rank)


@pytest.mark.parametrize(("text", "expected"), [("7A", "A7"), ("KQ", "TT"), ("322", "223"), ("T6", "6T"), ("A", "A")])
def test_labels_are_ace_first(text, expected):
    assert label(Hand.parse(text).composition) == expected


@STABLE
@given(compositions)
def test_labels_round_trip(composition):
    assert composition_from_label(label(composition)) == composition


@STABLE
@given(st.lists(st.sampled_from(FACES), max_size=12))
def test_a_label_forgets_the_order_and_the_faces(faces):
    text = "".join(faces)
    written = label(composition_from_label(text))
    assert sorted(written) == sorted("T" if face in "JQK" else face for face in faces)
    assert written == label(composition_from_label("".join(reversed(faces))))


def test_a_hand_from_a_composition_has_tens_that_pair():
    hand = Hand.from_composition((0, 0, 0, 0, 0, 0, 0, 0, 0, 2))
    assert hand.cards == parse_cards("TT")
    assert hand.is_pair("rank")


@STABLE
@given(small_hands)
def test_a_hand_survives_its_composition(faces):
    try:
        hand = Hand.parse("".join(faces))
    except ImpossibleHandError:
        return
    again = Hand.from_composition(hand.composition)
    assert (again.composition, again.totals) == (hand.composition, hand.totals)


def test_a_hand_keeps_the_order_of_its_cards():
    assert str(Hand.parse("7sA")) == "7s-A"
    assert not Hand.parse("7A").is_ace_first
    assert Hand.parse("A7").is_ace_first


def test_hands_are_values():
    assert Hand.parse("A7") == Hand.parse("a,7")
    assert Hand.parse("A7") != Hand.parse("7A")
    assert len({Hand.parse("A7"), Hand.parse("A-7")}) == 1
