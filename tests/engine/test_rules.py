import json
from dataclasses import FrozenInstanceError, fields
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trainer.engine.actions import legal_actions
from trainer.engine.cards import FACES, Card
from trainer.engine.errors import RulesError
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import FIELDS, Rules

STABLE = settings(derandomize=True, deadline=None)

DEFAULTS = {
    "decks": 6,
    "dealer_hits_soft_17": False,
    "hole_card": "peek",
    "blackjack_pays": "3:2",
    "double_on": "any",
    "double_soft": True,
    "double_cards": "two",
    "double_after_split": True,
    "max_split_hands": 4,
    "split_by": "value",
    "no_split": (),
    "resplit_aces": False,
    "hit_split_aces": False,
    "surrender": "none",
    "insurance": "half",
    "shuffle": "78",
}
YES_NO = ("dealer_hits_soft_17", "double_soft", "double_after_split", "resplit_aces", "hit_split_aces")
NO_RANKS_BUT = {rank: tuple(other for other in range(1, 11) if other != rank) for rank in range(1, 11)}

cuts = st.integers(1, 416)
shuffles = st.just("hand") | cuts.map(str) | st.tuples(cuts, cuts).map(lambda cut: f"{min(cut)}-{max(cut)}")
random_rules = st.builds(
    Rules,
    decks=st.integers(1, 8),
    hole_card=st.sampled_from(["peek", "enhc", "obo"]),
    blackjack_pays=st.sampled_from(["3:2", "6:5", "7:5", "1:1", "2:1"]),
    double_on=st.sampled_from(["any", "9-11", "10-11", "none"]),
    double_cards=st.sampled_from(["two", "any"]),
    max_split_hands=st.integers(1, 4),
    split_by=st.sampled_from(["value", "rank"]),
    no_split=st.sets(st.integers(1, 10)) | st.sampled_from(sorted(NO_RANKS_BUT.values())),
    surrender=st.sampled_from(["none", "late", "early"]),
    insurance=st.sampled_from(["none", "half", "up-to-half"]),
    shuffle=shuffles,
    **dict.fromkeys(YES_NO, st.booleans()),
)


def faults_of(values):
    with pytest.raises(RulesError) as error:
        Rules.from_mapping(values)
    return error.value.faults


def test_the_fields_and_their_defaults():
    assert Rules().to_dict() == DEFAULTS
    assert list(FIELDS) == list(DEFAULTS) == [field.name for field in fields(Rules)]


@pytest.mark.parametrize(
    ("name", "given_value", "value"),
    [
        *[("decks", decks, decks) for decks in range(1, 9)],
        *[("decks", str(decks), decks) for decks in range(1, 9)],
        ("decks", " 2 ", 2),
        *product(YES_NO, [True, "yes", "Yes", " TRUE ", "on", "1"], [True]),
        *product(YES_NO, [False, "no", "NO", " false ", "off", "0"], [False]),
        *[("hole_card", value, value) for value in ("peek", "enhc", "obo")],
        ("hole_card", " ENHC ", "enhc"),
        *[("blackjack_pays", value, value) for value in ("3:2", "6:5", "7:5", "1:1", "2:1")],
        *[("double_on", value, value) for value in ("any", "9-11", "10-11", "none")],
        *[("double_cards", value, value) for value in ("two", "any")],
        *[("max_split_hands", hands, hands) for hands in (1, 2, 3, 4)],
        *[("max_split_hands", str(hands), hands) for hands in (1, 2, 3, 4)],
        *[("split_by", value, value) for value in ("value", "rank")],
        ("no_split", (), ()),
        ("no_split", "none", ()),
        ("no_split", " None ", ()),
        ("no_split", "", ()),
        ("no_split", "4,5,10", (4, 5, 10)),
        ("no_split", "T 5 4", (4, 5, 10)),
        ("no_split", "K", (10,)),
        ("no_split", "A,10", (1, 10)),
        ("no_split", [10, 5, 4, 4], (4, 5, 10)),
        ("no_split", {1}, (1,)),
        ("no_split", ["A", "10", 5], (1, 5, 10)),
        *[("surrender", value, value) for value in ("none", "late", "early")],
        *[("insurance", value, value) for value in ("none", "half", "up-to-half")],
        ("shuffle", "hand", "hand"),
        ("shuffle", " HAND ", "hand"),
        ("shuffle", 78, "78"),
        ("shuffle", "78", "78"),
        ("shuffle", "078", "78"),
        ("shuffle", "1", "1"),
        ("shuffle", "416", "416"),
        ("shuffle", "60-75", "60-75"),
        ("shuffle", "060-075", "60-75"),
        ("shuffle", "60-60", "60"),
    ],
)
def test_valid_values_are_read_typed_or_as_text(name, given_value, value):
    read = getattr(Rules.from_mapping({name: given_value}), name)
    assert (read, type(read)) == (value, type(value))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *product(("decks", "max_split_hands"), [0, -1, 9, 1.0, True, None, "", "0", "9", "-1", "+1", "1.0", "1e0"]),
        *product(("decks", "max_split_hands"), ["one", "²", "٢", "1\x00", "1 2", "9" * 5_000, [1], {}]),
        ("max_split_hands", 5),
        *product(YES_NO, [None, 0, 1, 2, "", "2", "y", "maybe", "yes no", "\x00", [], [True]]),
        *product(("hole_card", "double_on", "split_by", "surrender", "insurance"), [None, "", "any of", 3, True, []]),
        ("hole_card", "none"),
        ("blackjack_pays", "3-2"),
        ("blackjack_pays", "9:5"),
        ("blackjack_pays", 1.5),
        ("blackjack_pays", "1:0"),
        ("double_on", "9 - 11"),
        ("double_on", "8-11"),
        ("double_cards", "three"),
        ("split_by", "face"),
        ("surrender", "yes"),
        ("insurance", "full"),
        *product(["no_split"], [None, 4, "x", "11", "4,5,x", [0], [11], [True], [4.0], ["4,5"], [""], [[4]], "no"]),
        *product(["shuffle"], [None, True, 1.5, 0, -5, 417, "0", "417", "", "-5", "60-", "75-60", "0-5", "1-417"]),
        *product(["shuffle"], ["60–75", "60-70-75", "sixty", "half", "1000", "٧٨", "78\x00", [78], "9" * 5_000]),
    ],
)
def test_an_invalid_value_is_one_fault_that_says_what_is_allowed(name, value):
    (fault,) = faults_of({name: value})
    assert (fault.field, fault.value, fault.allowed) == (name, value, FIELDS[name].allowed)
    assert str(fault).startswith(f"{name}: ")
    assert fault.allowed in str(fault)
    assert len(str(fault)) < 250


def test_all_faults_are_reported_at_once():
    wrong = dict.fromkeys(DEFAULTS, "wrong")
    faults = faults_of(wrong)
    assert [(fault.field, fault.value) for fault in faults] == list(wrong.items())
    with pytest.raises(RulesError) as error:
        Rules(**wrong)
    assert error.value.faults == faults
    assert all(f"{name}: 'wrong' is not allowed" in str(error.value) for name in DEFAULTS)


def test_unknown_fields_are_faults_beside_the_others():
    faults = faults_of({"deck": 6, "decks": 9, "": 1, "surrender": "late"})
    assert [(fault.field, fault.value) for fault in faults] == [("deck", 6), ("", 1), ("decks", 9)]


def test_an_unknown_field_alone_is_a_fault():
    (fault,) = faults_of({"penetration": 0.75})
    assert str(fault) == "penetration: 0.75 is not allowed; use a field that exists"


def test_a_hostile_field_name_is_cut():
    (fault,) = faults_of({"x" * 10_000: "y" * 10_000})
    assert len(str(fault)) < 200


def test_a_mapping_changes_its_base_only_where_it_says():
    base = RULE_SETS["classic"]
    changed = Rules.from_mapping({"decks": "8"}, base=base)
    assert changed.to_dict() == base.to_dict() | {"decks": 8}


@STABLE
@given(random_rules)
def test_rules_round_trip_through_json(rules):
    text = rules.to_json()
    assert Rules.from_json(text) == rules
    assert list(json.loads(text)) == list(DEFAULTS)
    assert "\n" not in text


@STABLE
@given(random_rules)
def test_rules_round_trip_through_form_texts(rules):
    texts = rules.to_text()
    assert all(isinstance(text, str) for text in texts.values())
    assert Rules.from_mapping(texts) == rules


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "6", '"x"', "[1]", "NaN", "\x00", '{"decks": 9}', '{"deck": 6}', '{"decks": 1e999}',
     '{"decks": ' + "9" * 5_000 + "}", "[" * 100_000, '{"no_split":' + "[" * 100_000],
    ids=lambda text: text[:20],
)
def test_what_is_no_rule_set_in_json_is_a_rules_error(text):
    with pytest.raises(RulesError):
        Rules.from_json(text)


def test_rules_are_immutable_hashable_values():
    rules = Rules()
    with pytest.raises(FrozenInstanceError):
        rules.decks = 1
    assert rules == Rules(decks="6", no_split="none", shuffle=78)
    assert rules != Rules(decks=5)
    assert len({Rules(no_split=[5, 4]), Rules(no_split="4,5"), rules}) == 2


def test_one_deck_alone_is_valid_and_fresh_for_every_hand():
    assert Rules(decks=1).cut_range is None
    assert Rules(decks=1).rule_set_hash == Rules(decks=1, shuffle="hand").rule_set_hash


@pytest.mark.parametrize(
    ("decks", "shuffle", "cut_range"),
    [
        (6, "hand", None),
        (6, "78", (78, 78)),
        (6, "60-75", (60, 75)),
        (6, "155", (155, 155)),
        (6, "156", None),
        (6, "416", None),
        (1, "25", (25, 25)),
        (1, "26", None),
        (1, "60-75", None),
        (3, "77", (77, 77)),
        (3, "78", None),
    ],
)
def test_a_cut_at_or_beyond_half_the_shoe_means_fresh(decks, shuffle, cut_range):
    assert Rules(decks=decks, shuffle=shuffle).cut_range == cut_range


@pytest.mark.parametrize(
    ("pays", "payout"),
    [("3:2", Fraction(3, 2)), ("6:5", Fraction(6, 5)), ("7:5", Fraction(7, 5)), ("1:1", 1), ("2:1", 2)],
)
def test_what_a_natural_pays(pays, payout):
    assert Rules(blackjack_pays=pays).blackjack_payout == payout


@pytest.mark.parametrize(
    ("hole_card", "peeks", "only_original"), [("peek", True, True), ("obo", False, True), ("enhc", False, False)]
)
def test_what_a_hole_card_means(hole_card, peeks, only_original):
    rules = Rules(hole_card=hole_card)
    assert (rules.is_peek, rules.loses_only_original_bets) == (peeks, only_original)


@pytest.mark.parametrize(
    ("values", "aces", "eights", "tens"),
    [
        ({}, 2, 4, 4),
        ({"resplit_aces": True}, 4, 4, 4),
        ({"max_split_hands": 2, "resplit_aces": True}, 2, 2, 2),
        ({"max_split_hands": 1}, 1, 1, 1),
        ({"no_split": "A,10"}, 1, 4, 1),
    ],
)
def test_how_many_hands_a_pair_may_become(values, aces, eights, tens):
    rules = Rules(**values)
    assert [rules.split_hand_limit(rank) for rank in (1, 8, 10)] == [aces, eights, tens]
    assert [rules.can_split_rank(rank) for rank in (1, 8, 10)] == [limit > 1 for limit in (aces, eights, tens)]


ONLY_ACES = {"no_split": NO_RANKS_BUT[1]}
ONLY_TENS = {"no_split": NO_RANKS_BUT[10]}
NO_ACES = {"no_split": "A"}
NO_TENS = {"no_split": "10"}
NO_SPLITS = {"max_split_hands": 1}


@pytest.mark.parametrize(
    ("base", "name", "values"),
    [
        ({"max_split_hands": 2}, "resplit_aces", [True, False]),
        (NO_SPLITS, "resplit_aces", [True, False]),
        (NO_ACES, "resplit_aces", [True, False]),
        (NO_SPLITS, "hit_split_aces", [True, False]),
        (NO_ACES, "hit_split_aces", [True, False]),
        (NO_SPLITS, "double_after_split", [True, False]),
        ({"no_split": range(1, 11)}, "double_after_split", [True, False]),
        ({"double_on": "none"}, "double_after_split", [True, False]),
        (ONLY_ACES, "double_after_split", [True, False]),
        (ONLY_TENS | {"double_on": "9-11"}, "double_after_split", [True, False]),
        (ONLY_ACES | {"hit_split_aces": True, "double_on": "9-11"}, "double_after_split", [True, False]),
        (NO_SPLITS, "no_split", ["none", "8", "A,10"]),
        ({"no_split": range(1, 11)}, "max_split_hands", [1, 2, 3, 4]),
        (ONLY_ACES, "max_split_hands", [2, 3, 4]),
        (NO_SPLITS, "split_by", ["value", "rank"]),
        (NO_TENS, "split_by", ["value", "rank"]),
        ({"double_on": "9-11"}, "double_soft", [True, False]),
        ({"double_on": "10-11"}, "double_soft", [True, False]),
        ({"double_on": "none"}, "double_soft", [True, False]),
        ({"double_on": "none"}, "double_cards", ["two", "any"]),
        ({"hole_card": "enhc"}, "surrender", ["late", "early"]),
        ({"hole_card": "obo"}, "surrender", ["late", "early"]),
        ({}, "shuffle", ["hand", "156", "200", "156-160", "416"]),
        ({"decks": 1}, "shuffle", ["hand", "26", "60-75", "78"]),
    ],
)
def test_combinations_that_mean_nothing_do_not_change_the_hashes(base, name, values):
    rule_sets = [Rules(**base | {name: value}) for value in values]
    assert len({rules.rule_set_hash for rules in rule_sets}) == 1
    assert len({rules.strategy_hash for rules in rule_sets}) == 1


@pytest.mark.parametrize(
    ("base", "name", "values"),
    [
        ({}, "decks", list(range(1, 9))),
        ({}, "dealer_hits_soft_17", [False, True]),
        ({}, "hole_card", ["peek", "enhc", "obo"]),
        ({}, "blackjack_pays", ["3:2", "6:5", "7:5", "1:1", "2:1"]),
        ({}, "double_on", ["any", "9-11", "10-11", "none"]),
        ({}, "double_soft", [True, False]),
        ({}, "double_cards", ["two", "any"]),
        ({}, "double_after_split", [True, False]),
        ({}, "max_split_hands", [1, 2, 3, 4]),
        ({}, "split_by", ["value", "rank"]),
        ({}, "no_split", ["none", "A", "10", "4,5,10"]),
        ({}, "resplit_aces", [True, False]),
        ({"max_split_hands": 3}, "resplit_aces", [True, False]),
        ({"max_split_hands": 2}, "hit_split_aces", [True, False]),
        (ONLY_ACES | {"resplit_aces": True}, "max_split_hands", [2, 3, 4]),
        (ONLY_ACES | {"hit_split_aces": True}, "double_after_split", [True, False]),
        (ONLY_TENS, "double_after_split", [True, False]),
        ({}, "surrender", ["none", "late", "early"]),
        ({"hole_card": "enhc"}, "surrender", ["none", "early"]),
    ],
)
def test_what_changes_a_strategy_changes_both_hashes(base, name, values):
    rule_sets = [Rules(**base | {name: value}) for value in values]
    assert len({rules.rule_set_hash for rules in rule_sets}) == len(values)
    assert len({rules.strategy_hash for rules in rule_sets}) == len(values)


@pytest.mark.parametrize(
    ("name", "values"),
    [("insurance", ["none", "half", "up-to-half"]), ("shuffle", ["hand", "78", "155", "60-75", "60"])],
)
def test_shuffle_and_insurance_are_of_the_rule_set_and_not_of_the_strategy(name, values):
    rule_sets = [Rules(**{name: value}) for value in values]
    assert len({rules.rule_set_hash for rules in rule_sets}) == len(values)
    assert len({rules.strategy_hash for rules in rule_sets}) == 1


def test_hall_of_thoth_and_openseat_share_a_strategy_but_are_two_rule_sets():
    one, other = RULE_SETS["hall-of-thoth"], RULE_SETS["openseat"]
    assert one.strategy_hash == other.strategy_hash
    assert one.rule_set_hash != other.rule_set_hash


def test_hashes_are_names_that_can_be_stored():
    # What people have learned is kept under these: a change here orphans it and needs a migration.
    assert Rules().rule_set_hash == "33b27ea37d4d3e9d"
    assert Rules().strategy_hash == "a1a3b03ee8179282"


@STABLE
@given(random_rules)
def test_normalising_twice_changes_nothing_more(rules):
    once = rules.normalised()
    assert once.normalised() == once
    assert (once.rule_set_hash, once.strategy_hash) == (rules.rule_set_hash, rules.strategy_hash)


TWO_CARDS = [(Card(first), Card(second)) for first, second in product(FACES[:11], repeat=2)]
THREE_CARDS = [(*cards, Card(third)) for cards in TWO_CARDS for third in "A2356" if sum(c.rank for c in cards) < 15]


@settings(STABLE, max_examples=25)
@given(random_rules)
def test_normalising_leaves_every_legal_move_as_it_was(rules):
    normalised = rules.normalised()
    for cards in TWO_CARDS + THREE_CARDS:
        assert legal_actions(rules, cards) == legal_actions(normalised, cards)
        if len(cards) == 3 and cards[0].rank == 1 and not rules.hit_split_aces:
            continue  # split aces get one card each: no one can hold three
        for hands in range(2, rules.split_hand_limit(cards[0].rank) + 1):
            assert legal_actions(rules, cards, hands=hands) == legal_actions(normalised, cards, hands=hands)
