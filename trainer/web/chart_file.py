"""Charts and EVs as CSV files: where they come from in the first rows, text that no spreadsheet runs."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence

from flask import Response

from trainer.drill.parameters import row_name
from trainer.engine.actions import Action
from trainer.engine.cards import ACE, label_of
from trainer.engine.chart import MEANINGS, SECTIONS, UPCARD_ORDER, Cell, asked_rows
from trainer.engine.listing import list_rows
from trainer.engine.rules import Rules
from trainer.engine.solution import is_before_peek
from trainer.engine.strategy import ENGINE_VERSION, Strategy
from trainer.web.chart_view import TABLES, chart_of, row_title
from trainer.web.wording import describe_rules, rules_title

# What a spreadsheet takes for the start of a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_ROWS_IN_ONE_GO = 500


def csv_response(name: str, rows: Iterable[Sequence[object]]) -> Response:
    """A download, sent as it is written; numbers stand as they are, texts escaped."""
    return Response(_lines(rows), mimetype="text/csv", headers={
        "Content-Disposition": f'attachment; filename="{name}"', "X-Content-Type-Options": "nosniff"})


def chart_rows(strategy: Strategy, rules_key: str, rules: Rules, table: str) -> Iterator[Sequence[object]]:
    """The provenance, then a row of codes for each row of the chart."""
    codes = " / ".join(f"{code} = {meaning}" for code, meaning in MEANINGS.items())
    yield from _provenance(rules_key, rules, f"{TABLES[table]}; codes: {codes}")
    yield ("row", "hand", *(label_of(upcard) for upcard in UPCARD_ORDER))
    chart = chart_of(strategy, table)
    for section in SECTIONS:
        for row in asked_rows(rules, section):
            cells = [Cell(section, row, upcard) for upcard in UPCARD_ORDER]
            yield (row_name(cells[0]), row_title(cells[0]), *(chart.code(cell) for cell in cells))


def ev_rows(strategy: Strategy, rules_key: str, rules: Rules) -> Iterator[Sequence[object]]:
    """The provenance, then a row for each hand of two and more cards against each upcard; empty: not allowed."""
    given = "given no dealer's natural" if rules.is_peek else "a dealer's natural included"
    if is_before_peek(rules, 2, ACE):
        given += ", but two-card hands against T and A before the dealer looks"
    yield from _provenance(rules_key, rules, f"EVs in units of the original bet, {given}; first hands, full shoe; "
                           "a hit on 21, which nobody may do, is a number to check")
    yield ("hand", "upcard", *(str(action) for action in Action), "chart", "exact")
    for row in list_rows(strategy, all_hands=True):
        worth: Mapping[Action, object] = row.evs
        yield (row.hand, row.upcard, *(worth.get(action, "") for action in Action), str(row.chart), str(row.exact))


def escaped(value: object) -> object:
    """A text that a spreadsheet would run gets an apostrophe before it; numbers stay numbers.

    >>> escaped("=1+1"), escaped("hard 16"), escaped(-0.5)
    ("'=1+1", 'hard 16', -0.5)
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _provenance(rules_key: str, rules: Rules, content: str) -> Iterator[Sequence[object]]:
    yield (f"# {content}",)
    yield (f"# Rules: {rules_title(rules_key)} ({rules_key}): {', '.join(describe_rules(rules))}",)
    yield (f"# Blackjack trainer, engine version {ENGINE_VERSION}; derived from the rules, nothing typed in",)


def _lines(rows: Iterable[Sequence[object]]) -> Iterator[str]:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    for number, row in enumerate(rows, start=1):
        writer.writerow([escaped(value) for value in row])
        if not number % _ROWS_IN_ONE_GO:
            yield text.getvalue()
            text.seek(0)
            text.truncate()
    yield text.getvalue()
