"""The solo tables: what is played where, for what, and with whom."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from trainer.engine.presets import RULE_SETS, TITLES
from trainer.engine.rule_key import rules_for
from trainer.engine.rules import Rules
from trainer.table.amount import CHIP
from trainer.table.errors import SeatError
from trainer.table.purse import PurseTerms
from trainer.table.shoe import most_boxes
from trainer.table.terms import Clock, Terms

CUSTOM_KEY = "custom"
# How the addresses of seats begin at which single hands are played out, without a purse.
PLAY_OUT = "play?"


@dataclass(frozen=True)
class TableSpec:
    """A table: ``chips`` are the denominations that bets are made of, ``opens_from`` the stack it takes to sit down.

    ``most_boxes`` are for all who play, residents too; of these the player takes up to ``most_own``.
    ``is_last_resort``: it is open to whoever can make its smallest bet, so that no purse is shut out everywhere.
    """

    key: str
    title: str
    terms: Terms
    purse: PurseTerms
    chips: tuple[int, ...]
    opens_from: int
    most_boxes: int = 1
    most_own: int = 1
    most_residents: int = 0
    is_last_resort: bool = False

    def is_open_to(self, stack: int) -> bool:
        """Whether someone with this stack may sit down."""
        return stack >= (self.terms.smallest if self.is_last_resort else self.opens_from)


def table_for(rules: Rules) -> TableSpec:
    """A table for any rule set: 1,000 chips, bets of 10 to 500, as many boxes as the shoe serves."""
    return _chip_table(CUSTOM_KEY, "Your own rules", rules)


def spec_for(key: str, rules: Rules | None = None) -> TableSpec:
    """The table of that key, ``rules`` being those of a custom one; ``SeatError`` naming the keys that exist."""
    if key == CUSTOM_KEY and rules is not None:
        return table_for(rules)
    if key not in TABLES:
        raise SeatError(f"there is no table {key[:40]!r}; the tables are {', '.join(TABLES)}")
    return TABLES[key]


def table_spec(address: str) -> TableSpec:
    """The table of an address: one of those that ship, or one for the rule set of that key; ``RulesError`` else."""
    return TABLES[address] if address in TABLES else table_for(rules_for(address))


def purse_key(address: str) -> str:
    """The purse that is played from: shared by the tables of one house, its own for every other rule set."""
    spec = table_spec(address)
    return f"{CUSTOM_KEY}:{address}" if spec.key == CUSTOM_KEY else spec.purse.key


def _chip_table(key: str, title: str, rules: Rules, *, boxes: int | None = None, face_down: bool = False) -> TableSpec:
    chips = tuple(CHIP * worth for worth in (10, 50, 100, 500))
    limit = most_boxes(rules) if boxes is None else boxes
    return TableSpec(
        key, title, Terms(rules, doubles_face_down=face_down),
        PurseTerms(key, "chips", 1_000 * CHIP, 10 * CHIP), chips, chips[0], limit, limit,
    )


def _hall_table(key: str, title: str, worths: tuple[int, ...], largest: int, *, is_last_resort: bool) -> TableSpec:
    chips = tuple(CHIP * worth for worth in worths)
    terms = Terms(RULE_SETS["hall-of-thoth"], chips[0], CHIP * largest, chips[0], pays_at_once=False, clock=Clock())
    return TableSpec(key, title, terms, PurseTerms("hall-of-thoth", "debens", 50_000 * CHIP, 100 * CHIP), chips,
                     10 * chips[0], most_boxes=5, most_own=5, most_residents=4, is_last_resort=is_last_resort)


TABLES: Mapping[str, TableSpec] = MappingProxyType({
    spec.key: spec
    for spec in (
        _chip_table("openseat", TITLES["openseat"], RULE_SETS["openseat"], boxes=1),
        _hall_table("scribes", "Hall of Thoth: Scribes’ table", (100, 500, 1_000, 5_000), 5_000, is_last_resort=True),
        _hall_table("priests", "Hall of Thoth: Priests’ table", (1_000, 5_000, 10_000, 50_000), 50_000,
                    is_last_resort=False),
        _hall_table("pharaoh", "Hall of Thoth: Pharaoh’s table", (10_000, 50_000, 100_000, 500_000), 500_000,
                    is_last_resort=False),
        _chip_table("classic", TITLES["classic"], RULE_SETS["classic"], face_down=True),
        _chip_table("live-casino", TITLES["live-casino"], RULE_SETS["live-casino"], face_down=True),
        _chip_table("squarescores", TITLES["squarescores"], RULE_SETS["squarescores"]),
        _chip_table("shoe-h17", TITLES["shoe-h17"], RULE_SETS["shoe-h17"]),
    )
})
