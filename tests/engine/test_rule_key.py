"""Rule sets by key: those that ship and those that are written out."""

import re

import pytest
from hypothesis import given

from tests import strategies
from trainer.engine.errors import RulesError
from trainer.engine.presets import RULE_SETS
from trainer.engine.rule_key import MAX_KEY_LENGTH, canonical_key, is_key, key_of, rules_for
from trainer.engine.rules import Rules


@pytest.mark.parametrize("key", RULE_SETS)
def test_a_shipped_rule_set_is_found_by_its_key(key):
    assert rules_for(key) is RULE_SETS[key]
    assert key_of(RULE_SETS[key]) == canonical_key(key) == key


@given(strategies.rules(most_decks=8))
@strategies.examples(300)
def test_any_rule_set_has_one_key_that_an_address_takes(rules):
    key = key_of(rules)
    assert re.fullmatch(r"[A-Za-z0-9._~-]+", key)
    assert len(key) <= MAX_KEY_LENGTH
    assert rules_for(key).rule_set_hash == rules.rule_set_hash
    assert key_of(rules.normalised()) == canonical_key(key) == key


def test_fields_may_come_in_any_order_and_with_what_is_usual():
    assert canonical_key("surrender~late.decks~2.hole_card~peek") == canonical_key("decks~2.surrender~late")
    assert canonical_key("decks~6") == "hall-of-thoth"
    assert rules_for("blackjack_pays~6to5") == Rules(blackjack_pays="6:5")


@pytest.mark.parametrize("key", ["", "vegas", "Classic", "\x00", "x" * 5_000, "decks=2", "~", "."])
def test_an_unknown_key_is_an_error_that_lists_the_keys(key):
    assert not is_key(key)
    with pytest.raises(RulesError) as error:
        rules_for(key)
    if "~" not in key:
        assert all(each in str(error.value) for each in RULE_SETS)
    assert len(str(error.value)) < 300


@pytest.mark.parametrize(("key", "fields"), [
    ("decks~9", ["decks"]), ("decks~", ["decks"]), ("colour~red", ["colour"]),
    ("decks~9.surrender~often", ["decks", "surrender"]), ("decks~2.decks~3", ["rules"]),
    ("decks~2.", [""]), ("decks~2." + "x" * MAX_KEY_LENGTH, ["rules"]), ("no_split~A-K-13", ["no_split"]),
])
def test_a_key_that_cannot_be_read_names_every_fault(key, fields):
    with pytest.raises(RulesError) as error:
        rules_for(key)
    assert [fault.field for fault in error.value.faults] == fields
