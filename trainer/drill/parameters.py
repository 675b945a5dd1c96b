"""The words that a URL uses for chart rows, upcards and choices, and how one is read."""

from collections.abc import Collection, Mapping

from trainer.engine.cards import label_of
from trainer.engine.chart import ROWS, SECTIONS, UPCARD_ORDER, Cell
from trainer.engine.errors import EngineError, RulesError
from trainer.engine.rule_key import canonical_key


class PlanError(EngineError):
    """A choice of practice that does not exist; ``parameter`` names the part at fault."""

    def __init__(self, parameter: str, message: str) -> None:
        super().__init__(message)
        self.parameter = parameter


def row_name(cell: Cell) -> str:
    """A chart row as a URL names it: ``h16``, ``s18``, ``p8``, ``pA``, ``pT``.

    >>> row_name(Cell("pair", 1, 6)), row_name(Cell("soft", 18, 6))
    ('pA', 's18')
    """
    return cell.section[0] + (label_of(cell.row) if cell.section == "pair" else str(cell.row))


# Chart rows, by section and number, and upcards by those names, in reading order.
ROWS_BY_NAME: Mapping[str, tuple[str, int]] = {
    row_name(Cell(section, row, 1)): (section, row) for section in SECTIONS for row in ROWS[section]
}
UPCARDS_BY_NAME: Mapping[str, int] = {label_of(upcard): upcard for upcard in UPCARD_ORDER}


def one_of(query: Mapping[str, str], name: str, allowed: Collection[str], default: str = "") -> str:
    """A parameter that must be one of a few words; ``PlanError`` names them."""
    value = query.get(name, default)
    if value not in allowed:
        shown = ", ".join(str(each) for each in allowed if each)
        raise PlanError(name, f"{value[:40]!r} is no {name} here; use one of {shown}")
    return value


def read_rules(key: str) -> str:
    """The one key of a rule set; ``PlanError`` where there is none."""
    try:
        return canonical_key(key)
    except RulesError as error:
        raise PlanError("rules", f"there are no such rules here: {error}") from None
