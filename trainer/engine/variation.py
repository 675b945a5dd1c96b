"""What a game could be with one rule changed, for pricing each rule on its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from trainer.engine.rules import Rules

# The values that are common at tables, in the order in which they are told; decks last, since they share no odds.
_COMMON: Mapping[str, tuple[object, ...]] = MappingProxyType({
    "dealer_hits_soft_17": (False, True),
    "hole_card": ("peek", "enhc"),
    "blackjack_pays": ("3:2", "6:5"),
    "double_on": ("any", "9-11", "10-11"),
    "double_soft": (True, False),
    "double_cards": ("two", "any"),
    "double_after_split": (True, False),
    "max_split_hands": (1, 2, 4),
    "resplit_aces": (True, False),
    "hit_split_aces": (True, False),
    "surrender": ("none", "late", "early"),
    "decks": (1, 2, 6, 8),
})


@dataclass(frozen=True)
class Change:
    """One rule field put to another value, and the game that results."""

    field: str
    value: object
    rules: Rules


def single_changes(rules: Rules) -> tuple[Change, ...]:
    """Every common change of one rule that makes another game of it, each game once.

    What changes nothing here, such as re-splitting aces where no hand may be split twice, is left out.

    >>> [change.value for change in single_changes(Rules()) if change.field == "decks"]
    [1, 2, 8]
    """
    found: dict[str, Change] = {}
    for field, values in _COMMON.items():
        for value in values:
            changed = Rules.from_mapping({field: value}, base=rules)
            if changed.strategy_hash != rules.strategy_hash:
                found.setdefault(changed.strategy_hash, Change(field, value, changed))
    return tuple(found.values())
