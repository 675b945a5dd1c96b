"""Filling in an empty chart from memory, and what each cell's mistake would cost at the table."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from trainer.drill.sheet import Sheet
from trainer.engine.chart import CODES, Cell
from trainer.engine.errors import EngineError


class FillError(EngineError):
    """An entry that no chart of these rules can have; ``cell`` is where it stands."""

    def __init__(self, cell: Cell, message: str) -> None:
        super().__init__(message)
        self.cell = cell


@dataclass(frozen=True)
class Mark:
    """One cell marked.

    ``entered``: a code, or empty where the cell was left blank, which is neither right nor wrong. ``ev_lost``: in
    bets, each time the cell is met; ``ev_lost_per_100``: per 100 rounds, by how often that is, split hands not counted.
    """

    cell: Cell
    entered: str
    expected: str
    is_right: bool
    ev_lost: float
    ev_lost_per_100: float


@dataclass(frozen=True)
class FilledChart:
    """A chart marked, in its order."""

    marks: tuple[Mark, ...]

    @property
    def right(self) -> int:
        return sum(mark.is_right for mark in self.marks)

    @property
    def blank(self) -> int:
        return sum(not mark.entered for mark in self.marks)

    @property
    def wrong(self) -> tuple[Mark, ...]:
        """The wrong ones, dearest at the table first."""
        found = [mark for mark in self.marks if mark.entered and not mark.is_right]
        return tuple(sorted(found, key=lambda mark: -mark.ev_lost_per_100))

    @property
    def ev_lost_per_100(self) -> float:
        """What playing the filled-in cells loses per 100 rounds, in bets, against the chart; blanks lose nothing."""
        return sum(mark.ev_lost_per_100 for mark in self.marks)


def cells_to_fill(sheet: Sheet, section: str = "") -> tuple[Cell, ...]:
    """The empty chart: every cell that comes up, or those of one section."""
    return tuple(cell for cell in sheet.cells if section in ("", cell.section))


def codes_to_fill(sheet: Sheet, cell: Cell) -> tuple[str, ...]:
    """The codes that may be entered in a cell: those that the rules allow on some hand there."""
    costs = sheet.costs[sheet.index[cell]]
    return tuple(code for code, cost in zip(CODES, costs, strict=True) if not np.isnan(cost))


def read_code(sheet: Sheet, cell: Cell, text: str) -> str:
    """The code that was typed into a cell, capitals or not, spaces around it or not; empty for a blank.

    ``FillError`` where it is none that these rules allow there.
    """
    typed, allowed = text.strip(), codes_to_fill(sheet, cell)
    found = [code for code in ("", *allowed) if code.lower() == typed.lower()]
    if not found:
        raise FillError(cell, f"{typed[:10]!r} is no answer for {cell}; use one of {', '.join(allowed)}")
    return found[0]


def mark_chart(sheet: Sheet, entries: Mapping[Cell, str], section: str = "") -> FilledChart:
    """Mark what was filled in, ``entries`` being codes of :data:`~trainer.engine.chart.CODES` by cell.

    A code is right where it is the chart's, and where it costs nothing: that plays every hand of the cell alike, or
    better. Cells that are missing are blank. ``FillError`` for a code or a cell that is not to be filled.
    """
    asked = dict.fromkeys(cells_to_fill(sheet, section))
    for cell, code in entries.items():
        if cell not in asked:
            raise FillError(cell, f"this chart has no {cell.section} row {cell.row} against upcard {cell.upcard}")
        if code not in codes_to_fill(sheet, cell):
            allowed = ", ".join(codes_to_fill(sheet, cell))
            raise FillError(cell, f"{code[:10]!r} is no answer for {cell}; use one of {allowed}")
    return FilledChart(tuple(_mark(sheet, cell, entries.get(cell, "")) for cell in asked))


def _mark(sheet: Sheet, cell: Cell, entered: str) -> Mark:
    place = sheet.index[cell]
    lost = float(sheet.costs[place, CODES.index(entered)]) if entered else 0.0
    expected = sheet.codes[place]
    is_right = bool(entered) and (entered == expected or lost == 0.0)
    return Mark(cell, entered, expected, is_right, lost, 100.0 * float(sheet.frequency[place]) * lost)
