from dataclasses import replace

import pytest

from tests.drill.by_hand import FACES, may_double, may_split, points, rank_of, shape_of
from tests.drill.games import GAMES
from trainer.drill.situation import CATEGORIES, Situation, TableCards, UnseenCards
from trainer.engine.cards import Card
from trainer.engine.chart import Cell
from trainer.engine.errors import ImpossibleHandError
from trainer.engine.hands import Hand
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules

FIRST_HANDS = [first + second for first in FACES for second in FACES if points(map(rank_of, first + second))[0] < 21]
LONGER_HANDS = ["222", "A2A", "5A5T", "A24", "T54", "632", "A7A", "TTA"]


def ask(cards, upcard="6", rules=None, unseen=None):
    return Situation(rules or Rules(), Hand.parse(cards), Card(upcard), unseen)


def moves_by_hand(rules, cards):
    moves = ["stand", "hit"]
    moves += ["double"] if may_double(rules, cards) else []
    moves += ["split"] if may_split(rules, cards) else []
    return (*moves, "surrender") if rules.surrender != "none" and len(cards) == 2 else tuple(moves)


@pytest.mark.parametrize("name", GAMES)
def test_every_hand_may_be_played_as_the_rules_say(name):
    hands = [cards for cards in (*FIRST_HANDS, *LONGER_HANDS) if points(map(rank_of, cards))[0] < 21]
    found = {cards: ask(cards, rules=GAMES[name]).legal for cards in hands}
    assert found == {cards: moves_by_hand(GAMES[name], cards) for cards in hands}


@pytest.mark.parametrize(("key", "cards", "moves"), [
    ("hall-of-thoth", "88", "stand hit double split"),
    ("hall-of-thoth", "KQ", "stand hit double split"),
    ("hall-of-thoth", "653", "stand hit"),
    ("openseat", "A7", "stand hit double"),
    ("classic", "A7", "stand hit"),
    ("classic", "63", "stand hit double"),
    ("classic", "44", "stand hit"),
    ("classic", "55", "stand hit double"),
    ("classic", "KK", "stand hit"),
    ("live-casino", "KK", "stand hit split"),
    ("live-casino", "KT", "stand hit"),
    ("live-casino", "62", "stand hit"),
    ("squarescores", "QQ", "stand hit double split"),
    ("squarescores", "QJ", "stand hit double"),
    ("shoe-h17", "T6", "stand hit double surrender"),
    ("shoe-h17", "88", "stand hit double split surrender"),
    ("shoe-h17", "T42", "stand hit"),
])
def test_moves_of_the_rule_sets_that_ship(key, cards, moves):
    assert ask(cards, rules=RULE_SETS[key]).legal == tuple(moves.split())


@pytest.mark.parametrize("name", GAMES)
def test_every_first_hand_has_its_cell_and_category(name):
    for cards in FIRST_HANDS:
        for upcard in FACES:
            situation = ask(cards, upcard, GAMES[name])
            assert situation.cell == Cell(*shape_of(GAMES[name], cards, upcard))
            assert situation.category == shape_of(GAMES[name], cards, upcard)[0]


@pytest.mark.parametrize(("cards", "category", "cell"), [
    ("A6", "soft", "A-6 v 6"), ("AAA3", "soft", "A-5 v 6"), ("A69", "hard", "16 v 6"), ("97", "hard", "16 v 6"),
    ("88", "pair", "8-8 v 6"), ("AA", "pair", "A-A v 6"), ("KT", "pair", "10-10 v 6"), ("646", "hard", "16 v 6"),
])
def test_categories_of_hands_everyone_knows(cards, category, cell):
    situation = ask(cards)
    assert (situation.category, str(situation.cell)) == (category, cell)
    assert category in CATEGORIES


@pytest.mark.parametrize("cards", ["AT", "KA", "777", "A55", "T65", "A2A7T"])
def test_21_is_never_asked(cards):
    with pytest.raises(ImpossibleHandError):
        ask(cards)


def test_one_card_is_no_decision():
    with pytest.raises(ImpossibleHandError):
        ask("8")


def test_insurance_has_two_answers_and_no_cell():
    situation = ask("T6", "A", unseen=UnseenCards(40, 120))
    assert situation.is_insurance
    assert situation.legal == ("insure", "decline")
    assert (situation.category, situation.cell) == ("insurance", None)


def test_other_decisions_are_no_insurance():
    assert not ask("T6", "A").is_insurance


def test_a_natural_may_be_insured():
    assert ask("AK", "A", unseen=UnseenCards(40, 120)).hand.is_natural


@pytest.mark.parametrize("upcard", "23456789TJQK")
def test_insurance_is_against_an_ace_only(upcard):
    with pytest.raises(ImpossibleHandError):
        ask("T6", upcard, unseen=UnseenCards(40, 120))


# One deck, 10-6 against an ace: 15 tens and 34 other cards are left.
@pytest.mark.parametrize(("tens", "cards"), [(15, 49), (0, 1), (1, 1), (15, 15), (0, 34), (1, 35)])
def test_counts_that_can_be_left_are_taken(tens, cards):
    assert ask("T6", "A", Rules(decks=1), UnseenCards(tens, cards)).unseen.ten_share == tens / cards


@pytest.mark.parametrize(("tens", "cards"), [(16, 49), (15, 50), (-1, 20), (0, 0), (6, 5), (0, -3), (1, 0)])
def test_counts_of_tens_or_cards_that_cannot_be_left_are_refused(tens, cards):
    with pytest.raises(ImpossibleHandError):
        ask("T6", "A", Rules(decks=1), UnseenCards(tens, cards))


@pytest.mark.parametrize(("tens", "cards"), [(0, 35), (0, 49), (14, 49), (3, 40)])
def test_more_other_cards_than_the_shoe_has_are_refused(tens, cards):
    with pytest.raises(ImpossibleHandError):
        ask("T6", "A", Rules(decks=1), UnseenCards(tens, cards))


@pytest.mark.parametrize(("cards", "upcard", "unseen"), [
    ("AsKd", "Ah", UnseenCards(30, 100)), ("Ts6d", "9c", None), ("2h2d2s", "Ks", None), ("8s8h", "As", None),
])
def test_a_situation_is_read_back_from_its_text(cards, upcard, unseen):
    situation = Situation.from_text(Rules(), cards, upcard, unseen)
    assert (situation.cards_text, str(situation.upcard)) == (cards, upcard)
    assert Situation.from_text(Rules(), situation.cards_text, str(situation.upcard), unseen) == situation


def test_a_hand_at_a_table_has_the_moves_that_were_open_there():
    rules = RULE_SETS["hall-of-thoth"]
    pair = Situation.from_text(rules, "8s8h", "6d")
    poor = replace(pair, table=TableCards((), ("stand", "hit")))
    assert (pair.cell.section, poor.cell.section, poor.cell.row) == ("pair", "hard", 16)
    assert poor.legal == ("stand", "hit")
    assert poor.off_table == pair


def test_early_surrender_is_a_decision_of_the_whole_choices_cell():
    rules = Rules(surrender="early")
    asked = replace(Situation.from_text(rules, "8s8h", "Ad"), table=TableCards((), ("surrender", "decline")))
    assert (asked.cell.section, asked.legal) == ("pair", ("surrender", "decline"))
