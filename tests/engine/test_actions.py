import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from trainer.engine.actions import Action, legal_actions, require_legal
from trainer.engine.cards import FACES, Card, parse_cards
from trainer.engine.errors import IllegalActionError, ImpossibleHandError
from trainer.engine.hands import Hand
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import FIELDS, Rules

STABLE = settings(derandomize=True, deadline=None, max_examples=200)
LETTERS = {
    Action.STAND: "S", Action.HIT: "H", Action.DOUBLE: "D", Action.SPLIT: "P", Action.SURRENDER: "R",
}

BY_RANK = {"split_by": "rank"}
LATE = {"surrender": "late"}
ANY_CARDS = {"double_cards": "any"}
NO_DAS = {"double_after_split": False}
NINE_TO_ELEVEN = {"double_on": "9-11"}
TEN_ELEVEN = {"double_on": "10-11"}
RSA = {"resplit_aces": True}
HSA = {"hit_split_aces": True}

random_rules = st.builds(
    Rules.from_mapping,
    st.fixed_dictionaries({name: st.sampled_from(field.choices) for name, field in FIELDS.items() if field.choices}
                          | {"no_split": st.sets(st.integers(1, 10), max_size=4)}),
)
random_cards = st.lists(st.sampled_from(FACES).map(Card), min_size=1, max_size=6).map(tuple)
random_places = st.fixed_dictionaries({"hands": st.integers(1, 5), "spare_bets": st.none() | st.integers(0, 4)})


def moves(text, values=None, **place):
    actions = legal_actions(Rules(**values or {}), parse_cards(text), **place)
    return "".join(LETTERS[action] for action in actions)


@pytest.mark.parametrize(
    ("cards", "values", "expected"),
    [
        # first hands
        ("T6", {}, "SHD"),
        ("T6", LATE, "SHDR"),
        ("T6", {"surrender": "early"}, "SHDR"),
        ("T6", {"double_on": "none"}, "SH"),
        ("T24", {}, "SH"),
        ("T24", LATE, "SH"),
        ("9", {}, "SH"),
        # pairs by value and by rank
        ("88", {}, "SHDP"),
        ("88", LATE, "SHDPR"),
        ("88", BY_RANK, "SHDP"),
        ("8s8d", BY_RANK, "SHDP"),
        ("KT", {}, "SHDP"),
        ("KT", BY_RANK, "SHD"),
        ("KQ", BY_RANK, "SHD"),
        ("KK", BY_RANK, "SHDP"),
        ("TT", BY_RANK, "SHDP"),
        ("AA", {}, "SHDP"),
        ("98", {}, "SHD"),
        ("222", {}, "SH"),
        # pairs that may not be split
        ("88", {"max_split_hands": 1}, "SHD"),
        ("88", {"no_split": "8"}, "SHD"),
        ("88", {"no_split": "4,5,10"}, "SHDP"),
        ("44", {"no_split": "4,5,10"}, "SHD"),
        ("QJ", {"no_split": "4,5,10"}, "SHD"),
        ("AA", {"no_split": "A"}, "SHD"),
        # doubling on some totals
        ("62", NINE_TO_ELEVEN, "SH"),
        ("63", NINE_TO_ELEVEN, "SHD"),
        ("64", NINE_TO_ELEVEN, "SHD"),
        ("65", NINE_TO_ELEVEN, "SHD"),
        ("66", NINE_TO_ELEVEN, "SHP"),
        ("63", TEN_ELEVEN, "SH"),
        ("64", TEN_ELEVEN, "SHD"),
        ("65", TEN_ELEVEN, "SHD"),
        ("75", TEN_ELEVEN, "SH"),
        ("65", {"double_on": "none"}, "SH"),
        # a soft hand counts as its soft total
        ("A8", {}, "SHD"),
        ("A8", NINE_TO_ELEVEN, "SH"),
        ("A9", TEN_ELEVEN, "SH"),
        ("A2", NINE_TO_ELEVEN, "SH"),
        ("A8", {"double_soft": False}, "SH"),
        ("AA", {"double_soft": False}, "SHP"),
        ("63", {"double_soft": False}, "SHD"),
        # doubling on more cards
        ("234", ANY_CARDS, "SHD"),
        ("234", ANY_CARDS | TEN_ELEVEN, "SH"),
        ("2345", ANY_CARDS, "SHD"),
        ("2345", ANY_CARDS | NINE_TO_ELEVEN, "SH"),
        ("A23", ANY_CARDS, "SHD"),
        ("A23", ANY_CARDS | {"double_soft": False}, "SH"),
        ("A6T", ANY_CARDS | {"double_soft": False}, "SHD"),
        ("5", ANY_CARDS, "SH"),
        # 21 stands
        ("AK", {}, "S"),
        ("AT", LATE, "S"),
        ("777", ANY_CARDS, "S"),
        ("A9A", ANY_CARDS, "S"),
    ],
)
def test_first_hands(cards, values, expected):
    assert moves(cards, values) == expected


@pytest.mark.parametrize(
    ("cards", "values", "hands", "expected"),
    [
        # the split limit
        ("88", {}, 2, "SHDP"),
        ("88", {}, 3, "SHDP"),
        ("88", {}, 4, "SHD"),
        ("88", {"max_split_hands": 3}, 2, "SHDP"),
        ("88", {"max_split_hands": 3}, 3, "SHD"),
        ("88", {"max_split_hands": 2}, 2, "SHD"),
        ("KT", {}, 2, "SHDP"),
        ("KT", BY_RANK, 2, "SHD"),
        # never a surrender
        ("T6", LATE, 2, "SHD"),
        ("88", {"surrender": "early"}, 2, "SHDP"),
        # doubling after a split
        ("83", {}, 2, "SHD"),
        ("83", NO_DAS, 2, "SH"),
        ("83", NO_DAS, 1, "SHD"),
        ("88", NO_DAS, 2, "SHP"),
        ("83", NINE_TO_ELEVEN, 2, "SHD"),
        ("84", NINE_TO_ELEVEN, 2, "SH"),
        ("823", {}, 2, "SH"),
        ("823", ANY_CARDS, 2, "SHD"),
        ("823", ANY_CARDS | NO_DAS, 2, "SH"),
        # split aces are frozen
        ("A7", {}, 2, "S"),
        ("A7", LATE, 4, "S"),
        ("AA", {}, 2, "S"),
        ("AA", RSA, 2, "SP"),
        ("AA", RSA, 3, "SP"),
        ("AA", RSA, 4, "S"),
        ("AA", RSA | {"max_split_hands": 2}, 2, "S"),
        ("AA", HSA, 2, "SHD"),
        ("AA", RSA | HSA, 2, "SHDP"),
        ("AA", RSA | HSA, 4, "SHD"),
        ("A7", HSA, 2, "SHD"),
        ("A7", HSA | NO_DAS, 2, "SH"),
        ("A7", HSA | {"double_soft": False}, 2, "SH"),
        ("A23", HSA, 2, "SH"),
        ("A23", HSA | ANY_CARDS, 2, "SHD"),
        # but an ace drawn to another card is not
        ("8A", {}, 2, "SHD"),
        # 21 on a split hand stands
        ("AT", HSA, 2, "S"),
        ("TA", {}, 2, "S"),
        ("777", ANY_CARDS, 3, "S"),
    ],
)
def test_hands_from_a_split(cards, values, hands, expected):
    assert moves(cards, values, hands=hands) == expected


@pytest.mark.parametrize(
    ("cards", "spare_bets", "expected"),
    [("88", 0, "SHR"), ("88", 1, "SHDPR"), ("88", 3, "SHDPR"), ("88", None, "SHDPR"), ("T6", 0, "SHR"), ("AK", 0, "S")],
)
def test_doubling_and_splitting_need_a_second_bet(cards, spare_bets, expected):
    assert moves(cards, LATE, spare_bets=spare_bets) == expected


@pytest.mark.parametrize(("surrender", "expected"), [("none", "SHD"), ("late", "SHDR"), ("early", "SHD")])
def test_early_surrender_is_over_once_the_dealer_has_looked(surrender, expected):
    assert moves("T6", {"surrender": surrender}, is_after_peek=True) == expected


@pytest.mark.parametrize(
    ("key", "cards", "expected"),
    [
        ("hall-of-thoth", "KT", "SHDP"),
        ("classic", "44", "SH"),
        ("classic", "55", "SHD"),
        ("classic", "A8", "SH"),
        ("classic", "99", "SHP"),
        ("live-casino", "55", "SHDP"),
        ("live-casino", "KQ", "SH"),
        ("squarescores", "KQ", "SHD"),
        ("shoe-h17", "T6", "SHDR"),
    ],
)
def test_the_rule_sets_that_ship(key, cards, expected):
    assert "".join(LETTERS[action] for action in legal_actions(RULE_SETS[key], parse_cards(cards))) == expected


@pytest.mark.parametrize("cards", ["", "TT2", "KQ5", "9993"])
def test_no_move_is_open_on_no_cards_or_a_bust(cards):
    with pytest.raises(ImpossibleHandError):
        legal_actions(Rules(), parse_cards(cards))


@STABLE
@given(random_rules, random_cards, random_places)
def test_moves_are_open_only_where_their_conditions_hold(rules, cards, place):
    assume(sum(card.rank for card in cards) <= 21)
    legal, hand = legal_actions(rules, cards, **place), Hand(cards)
    is_split, has_bet = place["hands"] > 1, place["spare_bets"] != 0
    assert legal[0] == Action.STAND
    assert list(legal) == [action for action in Action if action in legal]
    if hand.total == 21:
        assert legal == (Action.STAND,)
    if Action.DOUBLE in legal:
        assert Action.HIT in legal
        assert has_bet
        assert rules.double_on != "none"
        assert len(cards) == 2 or (len(cards) > 2 and rules.double_cards == "any")
        assert not is_split or rules.double_after_split
        assert rules.double_soft or not hand.is_soft
    if Action.SPLIT in legal:
        assert has_bet
        assert hand.is_pair(rules.split_by)
        assert cards[0].rank not in rules.no_split
        assert place["hands"] < rules.max_split_hands
        assert cards[0].face != "A" or not is_split or rules.resplit_aces
    if Action.SURRENDER in legal:
        assert rules.surrender != "none"
        assert len(cards) == 2
        assert not is_split
    if Action.HIT not in legal:
        assert hand.total == 21 or (is_split and cards[0].face == "A" and not rules.hit_split_aces)


@STABLE
@given(random_rules, random_cards, random_places)
def test_a_larger_purse_never_closes_a_move(rules, cards, place):
    assume(sum(card.rank for card in cards) <= 21)
    richer = place | {"spare_bets": None}
    assert set(legal_actions(rules, cards, **place)) <= set(legal_actions(rules, cards, **richer))


def test_moves_are_in_the_order_in_which_they_are_shown():
    assert [str(action) for action in Action] == ["stand", "hit", "double", "split", "surrender"]


def test_a_legal_move_passes():
    for action in (Action.STAND, Action.HIT):
        require_legal(action, (Action.STAND, Action.HIT))


def test_an_illegal_move_is_an_error_that_names_the_legal_ones():
    with pytest.raises(IllegalActionError, match="split is not allowed on this hand; the moves are stand, hit"):
        require_legal(Action.SPLIT, (Action.STAND, Action.HIT))
