"""What the pages of rules show: rule sets side by side, and what changing one does to its chart and edge."""

from collections.abc import Sequence
from dataclasses import dataclass

from trainer.drill.parameters import row_name
from trainer.drill.words import shown_rank, signed
from trainer.engine.chart import MEANINGS, ROWS, SECTIONS, UPCARD_ORDER, Cell
from trainer.engine.presets import DEFAULT_KEY, RULE_SETS, TITLES
from trainer.engine.rule_key import key_of
from trainer.engine.rules import FIELDS, Rules
from trainer.service.appraisal import Appraisal
from trainer.web.hand_view import look_of
from trainer.web.rule_words import LABELS, value_words
from trainer.web.wording import describe_rules

_SECTION_TITLES = {"hard": "Hard hands", "soft": "Soft hands", "pair": "Pairs"}


@dataclass(frozen=True)
class ComparedRow:
    """One rule over the rule sets: (words, whether it is other than in the usual game) for each."""

    label: str
    cells: tuple[tuple[str, bool], ...]


@dataclass(frozen=True)
class Comparison:
    """The rule sets that ship side by side: only rules in which they differ, the others told in ``common``."""

    columns: tuple[tuple[str, str], ...]
    rows: tuple[ComparedRow, ...]
    edges: tuple[tuple[str, tuple[str, ...]], ...]
    common: str


@dataclass(frozen=True)
class ChangedCell:
    """A cell of a row in which something changes; ``before`` is empty where this one stays."""

    code: str
    look: str
    meaning: str
    before: str
    before_meaning: str


@dataclass(frozen=True)
class ChangedRow:
    """A row of the chart in which something changes."""

    label: str
    cells: tuple[ChangedCell, ...]


@dataclass(frozen=True)
class ChangedSection:
    """A table of the chart, its changed rows only."""

    title: str
    rows: tuple[ChangedRow, ...]


@dataclass(frozen=True)
class EdgeLine:
    """An edge before and after a change, in per cent, and the change in percentage points."""

    label: str
    before: str
    after: str
    change: str


@dataclass(frozen=True)
class PreviewView:
    """What the built rule set is, against the one started from."""

    key: str
    told: tuple[str, ...]
    is_same: bool
    changed_cells: int
    sections: tuple[ChangedSection, ...]
    edges: tuple[EdgeLine, ...]
    summary: str


def compare(appraisals: Sequence[Appraisal]) -> Comparison:
    """The rule sets that ship, with their appraisals in the same order."""
    sets = [rules.to_dict() for rules in RULE_SETS.values()]
    usual = RULE_SETS[DEFAULT_KEY].to_dict()
    rows = tuple(
        ComparedRow(LABELS[name], tuple((value_words(name, each[name]), each[name] != usual[name]) for each in sets))
        for name in FIELDS if any(each[name] != usual[name] for each in sets)
    )
    same = [f"{LABELS[name].lower()}: {value_words(name, usual[name])}" for name in FIELDS
            if all(each[name] == usual[name] for each in sets)]
    edges = (("Edge by the chart", tuple(percent_edge(each.by_chart.edge) for each in appraisals)),
             ("Edge by exact play", tuple(percent_edge(each.exact.edge) for each in appraisals)))
    return Comparison(tuple(TITLES.items()), rows, edges, "; ".join(same))


def preview_view(rules: Rules, base: Rules, after: Appraisal, before: Appraisal) -> PreviewView:
    """What a change of rules does."""
    changed = changed_cells(rules, base, after, before)
    chart, exact = after.by_chart.edge, after.exact.edge
    cells = f"{len(changed)} cell{'' if len(changed) == 1 else 's'} of the chart"
    return PreviewView(
        key=key_of(rules),
        told=tuple(describe_rules(rules)),
        is_same=rules.rule_set_hash == base.rule_set_hash,
        changed_cells=len(changed),
        sections=_sections(changed, after, before),
        edges=(edge_line("By the chart", before.by_chart.edge, chart),
               edge_line("By exact play", before.exact.edge, exact)),
        summary=f"Edge by the chart {percent_edge(chart)}, {cells} changed",
    )


def changed_cells(rules: Rules, base: Rules, after: Appraisal, before: Appraisal) -> list[Cell]:
    """The cells in which two charts differ, of the rows that either game ever asks."""
    return [cell for cell in before.chart.differences(after.chart)
            if is_asked(rules, cell.section, cell.row) or is_asked(base, cell.section, cell.row)]


def is_asked(rules: Rules, section: str, row: int) -> bool:
    """Whether a chart's row is ever asked: a pair's where it may be split, else its total's."""
    pair = {("hard", 4): 2, ("soft", 12): 1}.get((section, row))
    if section == "pair":
        return rules.can_split_rank(row)
    return pair is None or not rules.can_split_rank(pair)


def edge_line(label: str, before: float, after: float) -> EdgeLine:
    """Two edges, in bets, side by side."""
    return EdgeLine(label, percent_edge(before), percent_edge(after), signed(100 * (after - before)))


def percent_edge(edge: float) -> str:
    """An edge in per cent of the bet, to four decimals."""
    return f"{signed(100 * edge)}%"


def _sections(changed: Sequence[Cell], after: Appraisal, before: Appraisal) -> tuple[ChangedSection, ...]:
    names = {row_name(cell) for cell in changed}
    sections = []
    for section in SECTIONS:
        rows = [row for row in _reading_order(section) if row_name(Cell(section, row, 1)) in names]
        if rows:
            sections.append(ChangedSection(_SECTION_TITLES[section],
                                           tuple(_row(section, row, after, before) for row in rows)))
    return tuple(sections)


def _reading_order(section: str) -> tuple[int, ...]:
    """Aces and high totals first, as the chart has them."""
    return (1, *reversed(ROWS[section][1:])) if section == "pair" else tuple(reversed(ROWS[section]))


def _row(section: str, row: int, after: Appraisal, before: Appraisal) -> ChangedRow:
    cells = []
    for upcard in UPCARD_ORDER:
        cell = Cell(section, row, upcard)
        code, old = after.chart.code(cell), before.chart.code(cell)
        is_changed = code != old
        cells.append(ChangedCell(code, look_of(code), MEANINGS[code], old if is_changed else "",
                                 MEANINGS[old] if is_changed else ""))
    return ChangedRow(Cell(section, row, 1).row_label, tuple(cells))


UPCARDS = tuple(map(shown_rank, UPCARD_ORDER))
