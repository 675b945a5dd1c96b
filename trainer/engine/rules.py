"""The one description of a game: every rule that changes what a hand is worth or how it is dealt."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Self

from trainer.engine.cards import ACE, CARDS_PER_DECK, RANKS, TEN, label_of
from trainer.engine.errors import Fault, RulesError
from trainer.engine.field import RuleField, one_of, rank_set, shuffle_point, whole_number, yes_no

FIELDS: dict[str, RuleField] = {
    "decks": whole_number(1, 8),
    "dealer_hits_soft_17": yes_no(),
    "hole_card": one_of("peek", "enhc", "obo"),
    "blackjack_pays": one_of("3:2", "6:5", "7:5", "1:1", "2:1"),
    "double_on": one_of("any", "9-11", "10-11", "none"),
    "double_soft": yes_no(),
    "double_cards": one_of("two", "any"),
    "double_after_split": yes_no(),
    "max_split_hands": whole_number(1, 4),
    "split_by": one_of("value", "rank"),
    "no_split": rank_set(),
    "resplit_aces": yes_no(),
    "hit_split_aces": yes_no(),
    "surrender": one_of("none", "late", "early"),
    "insurance": one_of("none", "half", "up-to-half"),
    "shuffle": shuffle_point(),
}

DOUBLE_TOTALS: dict[str, range] = {
    "any": range(2, 22),
    "9-11": range(9, 12),
    "10-11": range(10, 12),
    "none": range(0),
}

# Fields that change how a shoe is used or what a side bet may be, never what a move is worth.
_NOT_STRATEGY = ("insurance", "shuffle")


@dataclass(frozen=True)
class Rules:
    """A rule set; the defaults are a common six-deck game.

    Values are read leniently (``"6"``, ``"yes"``, ``"4,5,10"``) and kept canonical. Everything
    that cannot be read is reported at once: ``RulesError.faults``. Instances are immutable,
    hashable, and equal where the fields are.

    >>> Rules(decks="2", no_split="4,5,10").no_split
    (4, 5, 10)
    """

    decks: int = 6
    dealer_hits_soft_17: bool = False
    hole_card: str = "peek"
    blackjack_pays: str = "3:2"
    double_on: str = "any"
    double_soft: bool = True
    double_cards: str = "two"
    double_after_split: bool = True
    max_split_hands: int = 4
    split_by: str = "value"
    no_split: tuple[int, ...] = ()
    resplit_aces: bool = False
    hit_split_aces: bool = False
    surrender: str = "none"
    insurance: str = "half"
    shuffle: str = "78"

    def __post_init__(self) -> None:
        faults = []
        for name, field in FIELDS.items():
            given = getattr(self, name)
            try:
                object.__setattr__(self, name, field.read(given))
            except ValueError:
                faults.append(Fault(name, given, field.allowed))
        if faults:
            raise RulesError(faults)

    @classmethod
    def from_mapping(cls, values: Mapping[str, object], base: "Rules | None" = None) -> Self:
        """``base`` (or the defaults) with ``values`` in place; unknown names are faults too."""
        unknown = [Fault(str(name)[:60], value, "a field that exists") for name, value in values.items()
                   if name not in FIELDS]
        known = (base or cls()).to_dict() | {name: value for name, value in values.items() if name in FIELDS}
        try:
            rules = cls(**known)
        except RulesError as error:
            raise RulesError([*unknown, *error.faults]) from None
        if unknown:
            raise RulesError(unknown)
        return rules

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what :meth:`to_json` wrote; ``RulesError`` for anything else."""
        try:
            values = json.loads(text)
        except (ValueError, RecursionError):
            raise RulesError([Fault("rules", text, "a JSON object of rule fields")]) from None
        if not isinstance(values, dict):
            raise RulesError([Fault("rules", values, "a JSON object of rule fields")])
        return cls.from_mapping(values)

    def to_dict(self) -> dict[str, Any]:
        """Field names to plain values, in the order of the fields; ``no_split`` as ranks 1 to 10."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def to_json(self) -> str:
        """All fields as one line of JSON; :meth:`from_json` reads it back to an equal object."""
        return json.dumps(self.to_dict(), separators=(",", ":"))

    def to_text(self) -> dict[str, str]:
        """Field names to the texts that a form or a command line takes."""
        return {name: text_of(value) for name, value in self.to_dict().items()}

    @property
    def is_peek(self) -> bool:
        """Whether the dealer looks for a natural before the players act."""
        return self.hole_card == "peek"

    @property
    def loses_only_original_bets(self) -> bool:
        """Whether a dealer's natural leaves the second bets of doubles and splits alone."""
        return self.hole_card != "enhc"

    @property
    def blackjack_payout(self) -> Fraction:
        """What a natural pays, in bets."""
        high, low = self.blackjack_pays.split(":")
        return Fraction(int(high), int(low))

    @property
    def cut_range(self) -> tuple[int, int] | None:
        """Fewest and most cards left that call for a reshuffle; ``None``: fresh for every hand.

        A cut at or beyond half the shoe means fresh for every hand.
        """
        if self.shuffle == "hand":
            return None
        low, _, high = self.shuffle.partition("-")
        if int(low) * 2 >= self.decks * CARDS_PER_DECK:
            return None
        return int(low), int(high or low)

    def can_split_rank(self, rank: int) -> bool:
        """Whether two cards of this rank may be split at all."""
        return self.max_split_hands > 1 and rank not in self.no_split

    def split_hand_limit(self, rank: int) -> int:
        """The most hands that one hand of this rank may become; 1 where it may not be split."""
        if not self.can_split_rank(rank):
            return 1
        return self.max_split_hands if rank != ACE or self.resplit_aces else 2

    def normalised(self) -> "Rules":
        """The same game with every field that has no effect put to one fixed value."""
        changes: dict[str, Any] = {"shuffle": "hand"} if self.cut_range is None else {}
        splittable = {rank for rank in RANKS if self.can_split_rank(rank)}
        if not splittable:
            changes |= {"max_split_hands": 1, "no_split": ()}
        if TEN not in splittable:
            changes["split_by"] = "value"
        if ACE not in splittable:
            changes |= {"resplit_aces": False, "hit_split_aces": False}
        if self.max_split_hands <= 2:
            changes["resplit_aces"] = False
        if splittable == {ACE} and not self.resplit_aces:
            changes["max_split_hands"] = 2
        if not self._can_double_after_split(splittable):
            changes["double_after_split"] = False
        if self.double_on != "any":  # a soft hand counts 12 or more, so no soft double is left
            changes["double_soft"] = False
        if self.double_on == "none":
            changes["double_cards"] = "two"
        if not self.is_peek and self.surrender == "late":  # a flat half either way: nothing is looked at first
            changes["surrender"] = "early"
        return replace(self, **changes)

    def _can_double_after_split(self, splittable: set[int]) -> bool:
        """Whether any hand after a split, if doubling were allowed then, could be doubled.

        Hands of two cards decide it, or of any number: what three cards can total, two can too, but for
        hands from an ace or a ten, whose two cards are soft or total 12 and more.
        """
        if self.double_on == "none":
            return False
        played_on = splittable - (set() if self.hit_split_aces else {ACE})
        if self.double_on == "any":
            is_hard = bool(played_on - {ACE}) or self.double_cards == "any"
            return bool(played_on) and (is_hard or self.double_soft)
        # Totals of 9 to 11 at most: a ten never comes to them, an ace only by being soft, which counts 12 and more.
        return bool(played_on - {ACE, TEN})

    @cached_property
    def rule_set_hash(self) -> str:
        """Names the rule set by content: 16 hex digits, equal for games that play alike."""
        return _digest(self.normalised().to_dict())

    @cached_property
    def strategy_hash(self) -> str:
        """Names everything that a move's value depends on: the rule set less shuffle and insurance."""
        return _digest({name: value for name, value in self.normalised().to_dict().items()
                        if name not in _NOT_STRATEGY})


def text_of(value: object) -> str:
    """A field's value as a form or a command line writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ",".join("10" if rank == TEN else label_of(rank) for rank in value) or "none"
    return str(value)


def _digest(values: Mapping[str, object]) -> str:
    text = json.dumps(values, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
