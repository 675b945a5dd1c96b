import pytest

from trainer.engine.presets import DEFAULT_KEY, RULE_SETS, TITLES
from trainer.engine.rules import FIELDS

COLUMNS = (
    "decks", "dealer_hits_soft_17", "hole_card", "double_on", "double_after_split", "split_by", "max_split_hands",
    "no_split", "resplit_aces", "hit_split_aces", "insurance", "surrender", "shuffle",
)
TABLE = {
    "hall-of-thoth": "6 no peek any yes value 4 none no no half none 78",
    "openseat": "6 no peek any yes value 4 none no no half none hand",
    "classic": "6 no enhc 9-11 no rank 2 4,5,10 no no none none 60-75",
    "live-casino": "6 no peek 9-11 no rank 2 none no no up-to-half none 60-75",
    "squarescores": "1 no peek any yes rank 2 none no no none none hand",
    "shoe-h17": "6 yes peek any yes value 4 none no no half late 78",
}
SAME_EVERYWHERE = {"blackjack_pays": "3:2", "double_soft": "yes", "double_cards": "two"}


def test_six_rule_sets_ship():
    assert list(RULE_SETS) == list(TITLES) == list(TABLE)
    assert len(set(TITLES.values())) == 6


@pytest.mark.parametrize("key", TABLE)
def test_a_rule_set_is_as_published(key):
    row = dict(zip(COLUMNS, TABLE[key].split(), strict=True)) | SAME_EVERYWHERE
    assert set(row) == set(FIELDS)
    assert RULE_SETS[key].to_text() == row


@pytest.mark.parametrize(
    ("key", "cut_range"),
    [("hall-of-thoth", (78, 78)), ("openseat", None), ("classic", (60, 75)), ("live-casino", (60, 75)),
     ("squarescores", None), ("shoe-h17", (78, 78))],
)
def test_when_a_rule_set_reshuffles(key, cut_range):
    assert RULE_SETS[key].cut_range == cut_range


def test_no_two_rule_sets_are_the_same_game():
    assert len({rules.rule_set_hash for rules in RULE_SETS.values()}) == 6
    assert len({rules.strategy_hash for rules in RULE_SETS.values()}) == 5


def test_the_default_is_hall_of_thoth():
    assert DEFAULT_KEY == "hall-of-thoth"


def test_the_rule_sets_cannot_be_changed():
    with pytest.raises(TypeError):
        RULE_SETS["mine"] = RULE_SETS["classic"]
