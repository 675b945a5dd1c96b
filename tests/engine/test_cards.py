import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trainer.engine.cards import (
    FACES,
    SUITS,
    Card,
    composition_of,
    full_shoe,
    label_of,
    parse_cards,
    parse_ranks,
    parse_upcard,
)
from trainer.engine.errors import CardError

STABLE = settings(derandomize=True, deadline=None)


def spelled(text: str) -> list[str]:
    return [str(card) for card in parse_cards(text)]


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("A,7", ["A", "7"]),
        ("A7", ["A", "7"]),
        ("a7", ["A", "7"]),
        ("A-7", ["A", "7"]),
        ("A+7", ["A", "7"]),
        (" A ; 7 ", ["A", "7"]),
        ("10 6", ["T", "6"]),
        ("106", ["T", "6"]),
        ("T6", ["T", "6"]),
        ("t6", ["T", "6"]),
        ("1010", ["T", "T"]),
        ("10h6s", ["Th", "6s"]),
        ("AsKd", ["As", "Kd"]),
        ("A♠ K♦", ["As", "Kd"]),
        ("A♠K♦", ["As", "Kd"]),
        ("aSkD", ["As", "Kd"]),
        ("Q♥,J♣", ["Qh", "Jc"]),
        ("A 7s", ["A", "7s"]),
        ("2 3 4 5 6 7 8 9", ["2", "3", "4", "5", "6", "7", "8", "9"]),
        ("", []),
        (" ,; ", []),
    ],
)
def test_cards_are_read_as_people_write_them(text, cards):
    assert spelled(text) == cards


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("1", "'1'"),
        ("0", "'0'"),
        ("11", "'11'"),
        ("100", "'0'"),
        ("B", "'B'"),
        ("A,x", "'x'"),
        ("A7?", "'?'"),
        ("sA", "'sA'"),
        ("A ♠", "'♠'"),
        ("Asd", "'d'"),
        ("ace", "'e'"),
        ("A.7", "'.7'"),
        ("A\x007", r"'\x007'"),
        ("\x00", r"'\x00'"),
        ("٧", "'٧'"),
        ("７", "'７'"),
        ("🂡", "'🂡'"),
        ("\ud800", r"'\ud800'"),
        ("\N{KELVIN SIGN}", "\N{KELVIN SIGN}"),
        ("A\N{LATIN SMALL LETTER LONG S}", "\N{LATIN SMALL LETTER LONG S}"),
        ("<script>", "'<script>'"),
    ],
)
def test_what_is_no_card_is_named(text, named):
    with pytest.raises(CardError) as error:
        parse_cards(text)
    assert named in str(error.value)


def test_junk_is_quoted_in_part_only():
    with pytest.raises(CardError) as error:
        parse_cards("A7" + "x" * 1_900)
    assert len(str(error.value)) < 100


def test_a_long_text_is_refused_and_not_quoted():
    assert len(parse_cards("A" * 2_000)) == 2_000
    with pytest.raises(CardError, match=r"2001 characters is too long") as error:
        parse_cards("A" * 2_001)
    assert len(str(error.value)) < 100


@STABLE
@given(st.text() | st.text(alphabet="A2739TJQK10shdc♠♥, -"))
def test_any_text_gives_cards_or_a_card_error(text):
    try:
        cards = parse_cards(text)
    except CardError:
        return
    assert all(card.face in FACES and card.suit in (None, *SUITS) for card in cards)


@STABLE
@given(st.lists(st.builds(Card, st.sampled_from(FACES), st.none() | st.sampled_from(SUITS))))
def test_cards_round_trip_through_their_text(cards):
    assert parse_cards(" ".join(map(str, cards))) == tuple(cards)
    assert parse_cards("".join(map(str, cards))) == tuple(cards)


@pytest.mark.parametrize(("text", "card"), [("6", "6"), ("10", "T"), (" a ", "A"), ("K♦", "Kd")])
def test_an_upcard_is_one_card(text, card):
    assert str(parse_upcard(text)) == card


@pytest.mark.parametrize("text", ["", " ", "A7", "10 10", "66", "x", "\x00", "6" * 3_000])
def test_an_upcard_is_neither_none_nor_several(text):
    with pytest.raises(CardError) as error:
        parse_upcard(text)
    assert len(str(error.value)) < 120


@pytest.mark.parametrize(
    ("text", "ranks"),
    [("4,5,10", (4, 5, 10)), ("T 4 5", (4, 5, 10)), ("K,J,T", (10,)), ("A", (1,)), ("9A9", (1, 9)), ("", ())],
)
def test_ranks_are_sorted_and_each_once(text, ranks):
    assert parse_ranks(text) == ranks


def test_ranks_of_faces():
    assert [Card(face).rank for face in FACES] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]


def test_labels_of_ranks():
    assert "".join(map(label_of, range(1, 11))) == "A23456789T"


@pytest.mark.parametrize(("face", "suit"), [("10", None), ("1", None), ("a", None), ("", None), ("A", "x"), ("A", "")])
def test_a_card_has_a_known_face_and_suit(face, suit):
    with pytest.raises(CardError):
        Card(face, suit)


def test_compositions_count_every_ten_value_card_as_ten():
    assert composition_of(parse_cards("A T J Q K 2 2")) == (1, 2, 0, 0, 0, 0, 0, 0, 0, 4)


@pytest.mark.parametrize("decks", range(1, 9))
def test_a_full_shoe_has_52_cards_a_deck(decks):
    shoe = full_shoe(decks)
    assert shoe == (*[4 * decks] * 9, 16 * decks)
    assert sum(shoe) == 52 * decks
