from collections import Counter
from functools import cache
from itertools import permutations
from math import sqrt
from random import Random

import pytest

from tests.drill.by_hand import FACES, deals, is_hit_all_along, points, rank_of, shape_of, shares_of
from tests.drill.games import GAMES
from trainer.drill.grade import judge
from trainer.drill.mistake_filter import CATEGORIES_OF, MOVES
from trainer.drill.plan import Mode, Plan
from trainer.drill.pool import NothingToDealError
from trainer.drill.select import deal
from trainer.engine.cards import SUITS
from trainer.engine.chart import Cell
from trainer.engine.rules import Rules
from trainer.engine.strategy import derive

MIXED, MULTI_CARD, INSURANCE = Plan(), Plan(mode=Mode.MULTI_CARD), Plan(mode=Mode.INSURANCE)
ONE_DECK = Rules(decks=1, surrender="late")
# Every mode that needs no history, as some part of it may be asked for.
PLANS = {
    "mixed": MIXED, "multi-card": MULTI_CARD, "insurance": INSURANCE, "close calls": Plan(mode=Mode.CLOSE_CALLS),
    "hard": Plan(mode=Mode.FOCUS, focus="hard"), "surrender": Plan(mode=Mode.FOCUS, focus="surrender"),
    "part": Plan(mode=Mode.FOCUS, rows=("h16", "h20", "pT"), upcards=("9", "T")),
}
ROWS = [*(f"h{total}" for total in range(5, 21)), *(f"s{total}" for total in range(13, 21)),
        *(f"p{rank}" for rank in "A23456789T")]
# Ranks that the rule sets below do not let split, so that they have no such row.
NOT_SPLIT = {"hall-of-thoth": "", "classic": "45T", "squarescores": "", "nothing split": "A23456789T"}


@pytest.fixture(scope="module")
def dealt(strategy_of):
    """Hands dealt one after the other from one seed."""

    def dealt(rules, plan, count, seed=1):
        random = Random(seed)
        return [deal(rules, strategy_of(rules), plan, random) for _ in range(count)]

    return dealt


@cache
def chances_of(rules):
    """Exact chances of first hands by section, row and upcard."""
    return shares_of((shape_of(rules, first + second, upcard), ways) for first, second, upcard, ways in deals(rules))


def faces_of(situation):
    return [card.face for card in situation.hand.cards]


def shape(situation):
    return shape_of(situation.rules, faces_of(situation), situation.upcard.face)


def code_of(strategy):
    return cache(lambda *cell: strategy.chart.code(Cell(*cell)))


def z(count, of, chance):
    """How many standard errors a count lies above what is expected."""
    return (count - of * chance) / sqrt(of * chance * (1 - chance))


@pytest.mark.parametrize("name", ["hall-of-thoth", "one deck, early surrender"])
def test_hands_come_as_a_real_shoe_deals_them(name, dealt):
    rules, hands = GAMES[name], 50_000
    chances = chances_of(rules)
    met = Counter(map(shape, dealt(rules, MIXED, hands)))
    assert met.keys() <= chances.keys()
    square = sum((met[kind] - hands * float(chance)) ** 2 / (hands * float(chance)) for kind, chance in chances.items())
    # Wilson and Hilferty: the cube root of a chi-square is nearly normal.
    spread = 2 / (9 * (len(chances) - 1))
    assert abs(((square / (len(chances) - 1)) ** (1 / 3) - (1 - spread)) / sqrt(spread)) < 3.5
    assert max(abs(z(met[kind], hands, float(chance))) for kind, chance in chances.items()) < 4.5


def test_a_situation_agrees_about_its_cell(dealt):
    for situation in (*dealt(GAMES["live-casino"], MIXED, 2_000), *dealt(GAMES["shoe-h17"], MULTI_CARD, 2_000)):
        assert situation.cell == Cell(*shape(situation))


def test_every_suit_and_every_face_of_a_rank_comes_as_often(dealt):
    hands = dealt(Rules(), MIXED, 5_000)
    cards = [card for situation in hands for card in (*situation.hand.cards, situation.upcard)]
    for suit in SUITS:
        assert abs(z(sum(card.suit == suit for card in cards), len(cards), 1 / 4)) < 4
    tens = [card.face for card in cards if card.rank == 10]
    for face in "TJQK":
        assert abs(z(tens.count(face), len(tens), 1 / 4)) < 4


def test_the_cards_of_a_first_hand_come_in_either_order(dealt):
    hands = dealt(Rules(), Plan(mode=Mode.FOCUS, rows=("s18",)), 2_000)
    assert abs(z(sum(situation.hand.cards[0].face == "A" for situation in hands), 2_000, 1 / 2)) < 4


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("name", NOT_SPLIT)
def test_a_focus_never_leaves_its_row(name, row, dealt, strategy_of):
    rules, plan = GAMES[name], Plan(mode=Mode.FOCUS, rows=(row,))
    if row[0] == "p" and row[1] in NOT_SPLIT[name]:
        with pytest.raises(NothingToDealError):
            deal(rules, strategy_of(rules), plan, Random(1))
        return
    section = {"h": "hard", "s": "soft", "p": "pair"}[row[0]]
    number = rank_of(row[1]) if section == "pair" else int(row[1:])
    cards = 3 if row == "h20" and name == "hall-of-thoth" else 2
    hands = dealt(rules, plan, 1_000)
    assert {shape(situation)[:2] for situation in hands} == {(section, number)}
    assert {len(situation.hand.cards) for situation in hands} == {cards}
    by_upcard = Counter(situation.upcard.rank for situation in hands)
    assert max(abs(z(by_upcard[upcard], 1_000, 1 / 10)) for upcard in range(1, 11)) < 4.5


@pytest.mark.parametrize("name", ["hall-of-thoth", "classic", "squarescores", "shoe-h17", "nothing split"])
def test_hard_hands_have_no_ace_that_counts_11_and_no_pair_to_split(name, dealt):
    hands = dealt(GAMES[name], Plan(mode=Mode.FOCUS, focus="hard"), 2_000)
    for situation in hands:
        total, is_soft = points(map(rank_of, faces_of(situation)))
        assert 5 <= total <= 20
        assert not is_soft
        assert "split" not in situation.legal
    assert {situation.category for situation in hands} == {"hard"}


def test_upcards_of_a_focus_are_kept(dealt):
    plan = Plan(mode=Mode.FOCUS, upcards=("2", "A"))
    assert {situation.upcard.face for situation in dealt(Rules(), plan, 500)} == {"2", "A"}


@pytest.mark.parametrize("focus", ["hard", "soft", "pair"])
def test_cells_of_a_focus_are_dealt_equally_often(focus, dealt):
    met = Counter(map(shape, dealt(GAMES["live-casino"], Plan(mode=Mode.FOCUS, focus=focus), 8_000)))
    assert len(met) == {"hard": 160, "soft": 80, "pair": 100}[focus]
    assert max(abs(z(count, 8_000, 1 / len(met))) for count in met.values()) < 4.5


def test_close_calls_are_close(dealt, strategy_of):
    for situation in dealt(Rules(), PLANS["close calls"], 1_000):
        assert judge(strategy_of(Rules()), situation).gap < 0.05


@pytest.mark.parametrize("rules", [GAMES["shoe-h17"], GAMES["one deck, early surrender"]])
def test_a_surrender_drill_asks_for_both_answers(rules, dealt, strategy_of):
    hands = dealt(rules, PLANS["surrender"], 1_000)
    assert all("surrender" in situation.legal for situation in hands)
    answers = Counter(judge(strategy_of(rules), situation).exact == "surrender" for situation in hands)
    assert min(answers[True], answers[False]) > 200


@pytest.mark.parametrize("name", ["live-casino", "squarescores"])
def test_kings_are_dealt_as_a_pair_and_king_and_queen_as_hard_20(name, dealt):
    rules = GAMES[name]
    plan = Plan(mode=Mode.FOCUS, rows=("h20", "pT"))
    for situation in dealt(rules, plan, 1_000):
        first, second = faces_of(situation)
        assert situation.category == ("pair" if first == second else "hard")
        assert ("split" in situation.legal) == (first == second)
    chances = chances_of(rules)
    met = Counter(map(shape, dealt(rules, MIXED, 10_000, seed=2)))
    for kind in (("pair", 10), ("hard", 20)):
        chance = float(sum(chances[*kind, upcard] for upcard in range(1, 11)))
        assert abs(z(sum(met[*kind, upcard] for upcard in range(1, 11)), 10_000, chance)) < 4


@pytest.mark.parametrize("name", ["hall-of-thoth", "classic", "squarescores", "shoe-h17", "original bets only"])
def test_multi_card_hands_come_in_an_order_in_which_the_chart_hits(name, dealt, strategy_of):
    rules = GAMES[name]
    code = code_of(strategy_of(rules))
    astray = [f"{situation.hand} v {situation.upcard}" for situation in dealt(rules, MULTI_CARD, 4_000)
              if not is_hit_all_along(rules, code, faces_of(situation), situation.upcard.face)]
    assert astray == []


def test_every_order_in_which_the_chart_hits_comes_as_often(dealt, strategy_of):
    hands = dealt(Rules(), Plan(mode=Mode.FOCUS, rows=("h20",), upcards=("T",)), 6_000)
    orders = [tuple(map(rank_of, faces_of(situation))) for situation in hands]
    met = Counter(order for order in orders if sorted(order) == [2, 8, 10])
    code = code_of(strategy_of(Rules()))
    assert met.keys() == {tuple(map(rank_of, order)) for order in permutations("28T")
                          if is_hit_all_along(Rules(), code, order, "T")}
    assert len(met) == 4
    assert met.total() > 500
    assert max(abs(z(count, met.total(), 1 / 4)) for count in met.values()) < 4


def test_a_three_card_hard_20_comes_in_an_order_of_hits_where_there_is_one(dealt, strategy_of):
    code = code_of(strategy_of(Rules()))
    found = Counter()
    for situation in dealt(Rules(), Plan(mode=Mode.FOCUS, rows=("h20",)), 500):
        faces, upcard = faces_of(situation), situation.upcard.face
        can_be = any(is_hit_all_along(Rules(), code, order, upcard) for order in permutations(faces))
        assert is_hit_all_along(Rules(), code, faces, upcard) == can_be
        found[can_be] += 1
    assert min(found[True], found[False]) > 50


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("decks", [1, 2])
def test_no_card_comes_more_often_than_there_are_decks(decks, name, dealt):
    rules = Rules(decks=decks, surrender="late")
    copies = [max(Counter([*situation.hand.cards, situation.upcard]).values())
              for situation in dealt(rules, PLANS[name], 1_500)]
    assert max(copies) <= decks


def test_two_decks_deal_the_same_card_twice(dealt):
    hands = dealt(Rules(decks=2), Plan(mode=Mode.FOCUS, rows=("p8",)), 1_000)
    assert abs(z(sum(len(set(situation.hand.cards)) == 1 for situation in hands), 1_000, 1 / 7)) < 4


@pytest.mark.parametrize("name", PLANS)
def test_the_same_seed_deals_the_same_hand_and_other_places_other_hands(name, strategy_of):
    rules = GAMES["shoe-h17"]
    strategy, plan = strategy_of(rules), PLANS[name]
    once, again = ([deal(rules, strategy, plan, Random(f"{plan.to_query()}#{place}")) for place in range(50)]
                   for _ in range(2))
    assert once == again
    assert len({(situation.cards_text, situation.upcard, situation.unseen) for situation in once}) > 40


def test_a_seed_does_not_depend_on_what_was_dealt_before(strategy_of):
    used, fresh = strategy_of(ONE_DECK), derive(ONE_DECK)
    for plan in PLANS.values():
        deal(ONE_DECK, used, plan, Random(1))
        assert [deal(ONE_DECK, used, plan, Random(seed)) for seed in range(10)] == [
            deal(ONE_DECK, fresh, plan, Random(seed)) for seed in range(10)]


@pytest.mark.parametrize("name", [name for name, rules in GAMES.items() if rules.insurance == "none"])
def test_rules_without_insurance_have_none_to_deal(name, strategy_of):
    with pytest.raises(NothingToDealError):
        deal(GAMES[name], strategy_of(GAMES[name]), INSURANCE, Random(1))


@pytest.mark.parametrize("decks", [1, 2, 6, 8])
def test_insurance_is_right_as_often_as_wrong_and_a_quarter_of_hands_are_naturals(decks, dealt):
    rules = Rules(decks=decks)
    hands = dealt(rules, INSURANCE, 1_000)
    naturals = [situation for situation in hands if situation.hand.is_natural]
    assert abs(z(len(naturals), 1_000, 1 / 4)) < 4
    assert all(judge(None, situation).gap > 0 for situation in hands)
    for some in (hands, naturals):
        assert abs(z(sum(judge(None, situation).exact == "insure" for situation in some), len(some), 1 / 2)) < 4


@pytest.mark.parametrize("decks", [1, 2, 6, 8])
def test_insurance_is_asked_from_a_shoe_that_can_be_left(decks, dealt):
    for situation in dealt(Rules(decks=decks), INSURANCE, 500):
        faces, unseen = faces_of(situation), situation.unseen
        tens = sum(face in "TJQK" for face in faces)
        assert situation.upcard.face == "A"
        assert len(faces) == 2
        assert 0 <= unseen.tens <= 16 * decks - tens
        assert 0 <= unseen.cards - unseen.tens <= 36 * decks - 1 - (2 - tens)
        # A quarter to three quarters of the shoe are gone, and the three cards on the table.
        assert 13 * decks <= unseen.cards + 3 <= 39 * decks


def test_insurance_is_asked_on_all_kinds_of_hands(dealt):
    met = Counter(face for situation in dealt(Rules(), INSURANCE, 1_000) for face in faces_of(situation))
    assert met.keys() == set(FACES)


@pytest.mark.parametrize("rules", [Rules(), ONE_DECK], ids=["default", "one deck"])
@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_a_hand_allows_no_move_that_filters_do_not_know_in_its_category(dealt, rules, plan):
    try:
        hands = dealt(rules, plan, 60)
    except NothingToDealError:
        return
    for situation in hands:
        assert {move for move in MOVES if situation.category in CATEGORIES_OF[move]} >= set(situation.legal)
        assert (situation.category in CATEGORIES_OF["split"]) == ("split" in situation.legal)
