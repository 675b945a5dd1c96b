import pytest

from trainer.drill.situation import INSURANCE_MOVES
from trainer.drill.words import card_name, gerund, percent, shown_face, shown_rank, signed, upcard_phrase
from trainer.engine.actions import Action
from trainer.engine.cards import Card


def test_ranks_are_shown_as_players_write_them():
    assert [shown_rank(rank) for rank in range(1, 11)] == ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10"]


@pytest.mark.parametrize(("face", "shown"), [("A", "A"), ("7", "7"), ("T", "10"), ("J", "J"), ("K", "K")])
def test_a_face_is_shown_as_it_is_printed(face, shown):
    assert shown_face(Card(face, "h")) == shown


@pytest.mark.parametrize(
    ("card", "name"),
    [
        (Card("T", "h"), "ten of hearts"),
        (Card("A", "s"), "ace of spades"),
        (Card("8", "d"), "eight of diamonds"),
        (Card("Q", "c"), "queen of clubs"),
        (Card("J"), "jack"),
    ],
)
def test_a_card_is_read_out(card, name):
    assert card_name(card) == name


@pytest.mark.parametrize(
    ("face", "phrase"),
    [
        ("A", "with an ace up"),
        ("2", "with a 2 up"),
        ("8", "with an 8 up"),
        ("9", "with a 9 up"),
        ("T", "with a 10 up"),
        ("K", "with a 10 up"),
    ],
)
def test_an_upcard_has_its_article(face, phrase):
    assert upcard_phrase(Card(face)) == phrase


def test_every_move_has_a_gerund():
    assert [gerund(move) for move in (*map(str, Action), *INSURANCE_MOVES)] == [
        "standing", "hitting", "doubling", "splitting", "surrendering", "insuring", "declining"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.38284, "+0.3828"),
        (-0.5, "\N{MINUS SIGN}0.5000"),
        (-0.00005, "\N{MINUS SIGN}0.0001"),
        (0.0, "0.0000"),
        (-0.0, "0.0000"),
        (0.00004, "0.0000"),
        (-0.00004, "0.0000"),
        (2.0, "+2.0000"),
    ],
)
def test_a_number_carries_its_sign_unless_it_shows_as_zero(value, text):
    assert signed(value) == text


def test_a_number_is_cut_to_the_digits_asked_for():
    assert signed(-1.2345, 2) == "\N{MINUS SIGN}1.23"
    assert signed(0.004, 2) == "0.00"


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.4192, "42%"), (1.0, "100%"), (0.0, "0%"), (0.005, "under 1%"), (0.001, "under 1%"), (0.0051, "1%")],
)
def test_a_share_is_shown_in_per_cent_and_never_as_nothing_where_it_is_something(share, text):
    assert percent(share) == text


def test_a_share_may_be_shown_with_digits():
    assert percent(1 / 3, 1) == "33.3%"
    assert percent(0.0004, 1) == "0.0%"
