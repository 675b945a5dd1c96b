"""The rule sets that ship, by key."""

from collections.abc import Mapping
from types import MappingProxyType

from trainer.engine.rules import Rules

DEFAULT_KEY = "hall-of-thoth"

_TWO_HANDS_BY_RANK: dict[str, object] = {"split_by": "rank", "max_split_hands": 2}
_NINE_TO_ELEVEN: dict[str, object] = {"double_on": "9-11", "double_after_split": False, "shuffle": "60-75"}

RULE_SETS: Mapping[str, Rules] = MappingProxyType({
    "hall-of-thoth": Rules(),
    "openseat": Rules(shuffle="hand"),
    "classic": Rules.from_mapping({
        **_TWO_HANDS_BY_RANK, **_NINE_TO_ELEVEN,
        "hole_card": "enhc", "no_split": "4,5,10", "insurance": "none",
    }),
    "live-casino": Rules.from_mapping({**_TWO_HANDS_BY_RANK, **_NINE_TO_ELEVEN, "insurance": "up-to-half"}),
    "squarescores": Rules.from_mapping({**_TWO_HANDS_BY_RANK, "decks": 1, "insurance": "none", "shuffle": "hand"}),
    "shoe-h17": Rules(dealer_hits_soft_17=True, surrender="late"),
})

TITLES: Mapping[str, str] = MappingProxyType({
    "hall-of-thoth": "Hall of Thoth",
    "openseat": "Openseat",
    "classic": "Classic",
    "live-casino": "Live casino",
    "squarescores": "Squarescores (home game)",
    "shoe-h17": "Casino shoe, H17",
})
