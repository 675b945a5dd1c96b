"""Single changes of rules: one field each, every game once, nothing that changes nothing."""

import pytest
from hypothesis import given

from tests.strategies import examples, rules
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules
from trainer.engine.variation import single_changes


@pytest.mark.parametrize("key", RULE_SETS)
def test_there_are_about_fifteen(key):
    assert 12 <= len(single_changes(RULE_SETS[key])) <= 20


@examples(60)
@given(rules(most_decks=8))
def test_each_is_another_game_by_one_field(any_rules):
    changes = single_changes(any_rules)
    hashes = [change.rules.strategy_hash for change in changes]
    assert len(set(hashes)) == len(hashes)
    assert any_rules.strategy_hash not in hashes
    for change in changes:
        assert change.rules == Rules.from_mapping({change.field: change.value}, base=any_rules)
        before, after = any_rules.to_dict(), change.rules.to_dict()
        assert [name for name in before if before[name] != after[name]] == [change.field]


def test_what_has_no_effect_is_left_out():
    fields = {change.field for change in single_changes(Rules(double_on="none", max_split_hands=2))}
    assert not fields & {"double_soft", "double_cards", "double_after_split", "resplit_aces"}


def test_decks_come_last_so_that_odds_are_shared():
    fields = [change.field for change in single_changes(Rules())]
    assert fields[-3:] == ["decks"] * 3
