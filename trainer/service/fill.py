"""Filling in an empty chart from memory: what there is to fill in, and how it was done. Nothing is stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from trainer.drill.fill import FilledChart, FillError, Mark, cells_to_fill, codes_to_fill, mark_chart, read_code
from trainer.drill.sheet import Sheet, sheet_of
from trainer.engine.chart import CODES, Cell
from trainer.engine.rules import Rules
from trainer.service.strategies import StrategyCache

__all__ = ["FilledChart", "Filling", "Mark", "Sheet", "fill_in"]


@dataclass(frozen=True)
class Filling:
    """A chart to be filled in, ``cells`` in its order.

    ``faults`` are messages by cell about what was typed and cannot be read; ``marked`` is there once all can.
    """

    sheet: Sheet
    cells: tuple[Cell, ...]
    typed: Mapping[Cell, str] = field(default_factory=dict)
    faults: Mapping[Cell, str] = field(default_factory=dict)
    marked: FilledChart | None = None

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes that some cell here can have by these rules."""
        allowed = {code for cell in self.cells for code in codes_to_fill(self.sheet, cell)}
        return tuple(code for code in CODES if code in allowed)


def fill_in(
    strategies: StrategyCache, rules: Rules, section: str = "", typed: Mapping[Cell, str] | None = None
) -> Filling:
    """The chart of these rules, or a section of it: empty, or marked where something was typed, blanks included."""
    sheet = sheet_of(strategies.get(rules))
    cells = cells_to_fill(sheet, section)
    if typed is None:
        return Filling(sheet, cells)
    entries, faults = {}, {}
    for cell in cells:
        try:
            entries[cell] = read_code(sheet, cell, typed.get(cell, ""))
        except FillError as error:
            faults[cell] = str(error)
    if faults:
        return Filling(sheet, cells, typed, faults)
    filled = {cell: code for cell, code in entries.items() if code}
    return Filling(sheet, cells, filled, marked=mark_chart(sheet, filled, section))
