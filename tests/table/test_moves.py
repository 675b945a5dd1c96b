"""What a table may have asked, by the rules and the cards alone."""

import pytest

from trainer.engine.cards import parse_cards, parse_upcard
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules
from trainer.table.moves import possible_answers

EARLY, LATE = Rules(surrender="early"), Rules(surrender="late")
STAND_HIT, DOUBLE, SPLIT = ("stand", "hit"), ("stand", "hit", "double"), ("stand", "hit", "double", "split")
GIVE_UP = ("surrender", "decline")


@pytest.mark.parametrize(("rules", "cards", "upcard", "expected"), [
    (Rules(), "T6", "T", {DOUBLE, STAND_HIT}),  # the second without chips
    (Rules(), "T33", "T", {STAND_HIT}),
    (Rules(), "88", "6", {SPLIT, DOUBLE, STAND_HIT}),  # the fourth hand of the box is split no more
    (Rules(double_after_split=False), "88", "6", {SPLIT, ("stand", "hit", "split"), STAND_HIT}),
    (Rules(), "AA", "6", {SPLIT, STAND_HIT}),  # of split aces nothing is asked
    (Rules(resplit_aces=True), "AA", "6", {SPLIT, STAND_HIT, ("stand", "split")}),
    (Rules(), "A5", "6", {DOUBLE, STAND_HIT}),
    (Rules(no_split="8"), "88", "6", {DOUBLE, STAND_HIT}),
    (RULE_SETS["classic"], "TQ", "6", {STAND_HIT}),
    (LATE, "T6", "T", {(*DOUBLE, "surrender"), (*STAND_HIT, "surrender"), DOUBLE, STAND_HIT}),  # the latter split
    (EARLY, "T6", "T", {DOUBLE, STAND_HIT, GIVE_UP}),
    (EARLY, "T6", "9", {(*DOUBLE, "surrender"), (*STAND_HIT, "surrender"), DOUBLE, STAND_HIT}),
    (EARLY, "T33", "A", {STAND_HIT}),
    (Rules(surrender="early", hole_card="enhc"), "96", "A", {
        (*DOUBLE, "surrender"), (*STAND_HIT, "surrender"), DOUBLE, STAND_HIT}),
])
def test_by_splits_chips_and_what_the_dealer_has_looked_at(rules, cards, upcard, expected):
    assert possible_answers(rules, parse_cards(cards), parse_upcard(upcard)) == expected
