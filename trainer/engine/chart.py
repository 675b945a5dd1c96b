"""The chart: one move for each total or pair against each upcard, the table a person can learn."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from trainer.engine.actions import Action
from trainer.engine.cards import Card, label_of
from trainer.engine.hands import Hand
from trainer.engine.rules import Rules

CODES = ("H", "S", "D", "Ds", "P", "Rh", "Rs", "Rp")
PREFERENCES: Mapping[str, tuple[Action, Action]] = MappingProxyType({
    "H": (Action.HIT, Action.STAND),
    "S": (Action.STAND, Action.STAND),
    "D": (Action.DOUBLE, Action.HIT),
    "Ds": (Action.DOUBLE, Action.STAND),
    "P": (Action.SPLIT, Action.HIT),
    "Rh": (Action.SURRENDER, Action.HIT),
    "Rs": (Action.SURRENDER, Action.STAND),
    "Rp": (Action.SURRENDER, Action.SPLIT),
})
MEANINGS: Mapping[str, str] = MappingProxyType({
    "H": "hit",
    "S": "stand",
    "D": "double, else hit",
    "Ds": "double, else stand",
    "P": "split",
    "Rh": "surrender, else hit",
    "Rs": "surrender, else stand",
    "Rp": "surrender, else split",
})
SECTIONS = ("hard", "soft", "pair")
ROWS: Mapping[str, range] = MappingProxyType({"hard": range(4, 21), "soft": range(12, 21), "pair": range(1, 11)})
# Pages show upcards in the order of the cards' worth, ace last.
UPCARD_ORDER = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)

CodeArray = NDArray[np.str_]


@dataclass(frozen=True, order=True)
class Cell:
    """One place on the chart: section ``hard``, ``soft`` or ``pair``, total or pair rank, upcard rank."""

    section: str
    row: int
    upcard: int

    @property
    def row_label(self) -> str:
        """``16``, ``A-7`` or ``8-8``."""
        if self.section == "hard":
            return str(self.row)
        if self.section == "soft":
            return f"A-{label_of(self.row - 11)}"
        return f"{_shown(self.row)}-{_shown(self.row)}"

    def __str__(self) -> str:
        return f"{self.row_label} v {_shown(self.upcard)}"


@dataclass(frozen=True, eq=False)
class Chart:
    """A complete total-dependent strategy, as codes by section.

    ``hard`` (17, 10) totals 4 to 20, ``soft`` (9, 10) totals 12 to 20, ``pair`` (10, 10) ranks ace to ten;
    columns are upcard ranks ace to ten. 21 always stands.
    """

    hard: CodeArray
    soft: CodeArray
    pair: CodeArray

    def __post_init__(self) -> None:
        for section in SECTIONS:
            codes = getattr(self, section)
            if codes.shape != (len(ROWS[section]), 10) or not np.isin(codes, CODES).all():
                raise ValueError(f"a chart's {section} section needs {len(ROWS[section])} by 10 codes of {CODES}")
            codes.setflags(write=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Chart) and not self.differences(other)

    def __hash__(self) -> int:
        return hash(tuple(self.section(name).tobytes() for name in SECTIONS))

    def section(self, name: str) -> CodeArray:
        """The codes of one section."""
        codes: CodeArray = getattr(self, name)
        return codes

    def code(self, cell: Cell) -> str:
        """The chart's code in a cell."""
        return str(self.section(cell.section)[cell.row - ROWS[cell.section].start, cell.upcard - 1])

    def move(self, hand: Hand, upcard: Card, legal: Sequence[Action]) -> Action:
        """What the chart says on these cards when only ``legal`` moves are open."""
        if len(legal) == 1:
            return legal[0]
        for action in PREFERENCES[self.code(cell_of(hand, upcard, legal))]:
            if action in legal:
                return action
        # A pair at the split limit whose cell says Rp or P is played as its total.
        return self.move(hand, upcard, [action for action in legal if action != Action.SPLIT])

    def differences(self, other: "Chart") -> list[Cell]:
        """The cells in which the two charts say different things."""
        return [cell for cell in cells() if self.code(cell) != other.code(cell)]


def cell_of(hand: Hand, upcard: Card, legal: Sequence[Action]) -> Cell:
    """The cell that decides a hand: the pair's where it may be split now, else its total's.

    Only for hands of less than 21, which always stands and has no cell.
    """
    if Action.SPLIT in legal:
        return Cell("pair", hand.cards[0].rank, upcard.rank)
    return Cell("soft" if hand.is_soft else "hard", hand.total, upcard.rank)


def cells() -> Iterator[Cell]:
    """Every cell: sections, rows and upcards in the order in which they are shown."""
    for section in SECTIONS:
        for row in ROWS[section]:
            for upcard in UPCARD_ORDER:
                yield Cell(section, row, upcard)


def asked_rows(rules: Rules, section: str) -> tuple[int, ...]:
    """The rows of a section that decide a first hand: high totals first, pairs from aces down.

    Two twos and two aces are totals, hard 4 and soft 12, only where they may not be split.
    """
    if section == "pair":
        ranks = (1, *reversed(ROWS[section][1:]))
        return tuple(rank for rank in ranks if rules.can_split_rank(rank))
    pairs = {("hard", 4): 2, ("soft", 12): 1}
    return tuple(row for row in reversed(ROWS[section])
                 if (section, row) not in pairs or not rules.can_split_rank(pairs[section, row]))


def _shown(rank: int) -> str:
    return "10" if rank == 10 else label_of(rank)
