"""``flask strategy``: the engine's tables on the command line.

Imports the engine and the cache of solved rule sets, no page and no storage.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any

import click
from flask import current_app
from flask.cli import AppGroup

from trainer.drill.words import shown_rank, signed
from trainer.engine.actions import Action
from trainer.engine.advice import ADVICE
from trainer.engine.cards import label_of, parse_cards, parse_upcard
from trainer.engine.chart import MEANINGS, ROWS, SECTIONS, UPCARD_ORDER, Cell, Chart
from trainer.engine.decision import Decision, decide
from trainer.engine.edge import chart_edge
from trainer.engine.errors import EngineError, Fault, RulesError
from trainer.engine.hands import Hand
from trainer.engine.insurance import insurance_ev, is_insurance_offered
from trainer.engine.listing import Row, list_rows
from trainer.engine.presets import DEFAULT_KEY, RULE_SETS, TITLES
from trainer.engine.rule_key import rules_for
from trainer.engine.rules import FIELDS, Rules
from trainer.engine.solution import full_table
from trainer.engine.strategy import Strategy
from trainer.service.strategies import StrategyCache
from trainer.web.wording import describe_rules

strategy = AppGroup("strategy", help="Exact strategy tables, charts and edges of any rule set.")

TABLE_HEADER = ("hand", "upcard", *(str(action) for action in Action), "chart", "exact")


def strategy_command(default_format: str) -> Callable[[Callable[..., str]], click.Command]:
    """A command with the options that all of them share; its function returns the text to print."""

    def decorate(function: Callable[..., str]) -> click.Command:
        @wraps(function)
        def run(rules_key: str, settings: tuple[str, ...], output: str, **options: Any) -> None:
            try:
                text = function(_read_rules(rules_key, settings), output, **options)
            except EngineError as error:
                raise click.UsageError(str(error)) from None
            click.echo(text)

        command = strategy.command(function.__name__.removeprefix("show_"))(run)
        for option in (
            click.option("--format", "output", type=click.Choice(["text", "csv", "json"]), default=default_format,
                         show_default=True),
            click.option("--set", "settings", multiple=True, metavar="FIELD=VALUE",
                         help="Change one rule; may be given several times."),
            click.option("--rules", "rules_key", default=DEFAULT_KEY, show_default=True,
                         help=f"One of {', '.join(RULE_SETS)}."),
        ):
            command = option(command)
        return command

    return decorate


@strategy_command("csv")
@click.option("--hands", type=click.Choice(["two-card", "all"]), default="two-card", show_default=True)
def show_table(rules: Rules, output: str, hands: str) -> str:
    """Every move's EV for every hand and upcard, with the chart's and the exact move."""
    rows = list_rows(_strategy(rules), all_hands=hands == "all")
    if output == "json":
        return json.dumps([_row_object(row) for row in rows], indent=1)
    if output == "csv":
        return _csv([TABLE_HEADER, *(_row_texts(row, repr) for row in rows)])
    return _columns([TABLE_HEADER, *(_row_texts(row, signed) for row in rows)])


@strategy_command("text")
@click.argument("hand")
@click.argument("upcard")
@click.option("--seen", default="", metavar="CARDS", help="Cards already seen elsewhere, such as 5,5,TTA.")
def show_ev(rules: Rules, output: str, hand: str, upcard: str, seen: str) -> str:
    """What every legal move is worth on one hand, and how it ends."""
    up, others = parse_upcard(upcard), parse_cards(seen)
    decision = decide(rules, Hand.parse(hand), up, others)
    chart_move = _strategy(rules).chart.move(decision.hand, up, tuple(decision.evs))
    insurance = None
    if is_insurance_offered(rules, up.rank):
        insurance = insurance_ev(rules, (*decision.hand.cards, up, *others))
    if output == "json":
        return json.dumps(_decision_object(decision, chart_move, insurance), indent=1)
    if output == "csv":
        moves = [(move, repr(ev), move == decision.best, move == chart_move) for move, ev in decision.evs.items()]
        return _csv([("move", "ev", "exact", "chart"), *moves])
    return _decision_text(decision, chart_move, insurance)


@strategy_command("text")
def show_chart(rules: Rules, output: str) -> str:
    """The chart as people know it."""
    worked_out = _strategy(rules)
    chart = worked_out.chart
    if output == "json":
        return json.dumps({section: {
            (label_of(row) if section == "pair" else str(row)): {
                label_of(upcard): chart.code(Cell(section, row, upcard)) for upcard in UPCARD_ORDER}
            for row in ROWS[section]
        } for section in SECTIONS}, indent=1)
    lines = [(section, *row) for section in SECTIONS for row in _chart_rows(chart, section)]
    if output == "csv":
        return _csv([("section", "hand", *map(shown_rank, UPCARD_ORDER)), *lines])
    text = [", ".join(describe_rules(rules)) + "."]
    for section, title in (("hard", "Hard"), ("soft", "Soft"), ("pair", "Pairs")):
        text += ["", _columns([(title, *map(shown_rank, UPCARD_ORDER)), *_chart_rows(chart, section)])]
    used = {chart.code(Cell(section, row, upcard))
            for section in SECTIONS for row in ROWS[section] for upcard in UPCARD_ORDER}
    text += ["", *(f"{code:<3}{meaning}" for code, meaning in MEANINGS.items() if code in used)]
    text += ["", f"Edge: exact {_percent(worked_out.exact.edge)}, by this chart {_percent(worked_out.by_chart.edge)}."]
    return "\n".join(text)


@strategy_command("json")
def show_edge(rules: Rules, output: str) -> str:
    """The edge of the whole game from a full shoe, and what printed advice gives up."""
    worked_out = _strategy(rules)
    table = full_table(rules)
    advice = {name: chart_edge(table, build(rules)).edge for name, build in ADVICE.items()}
    exact, chart = worked_out.exact, worked_out.by_chart
    if output == "json":
        return json.dumps({
            "exact": exact.edge,
            "chart": chart.edge,
            "by_upcard": _by_upcard(exact.by_upcard),
            "chart_by_upcard": _by_upcard(chart.by_upcard),
            "advice": advice,
            "means": {name: getattr(chart, name) for name in _MEANS},
        }, indent=1)
    rows = [("exact", exact.edge), ("chart", chart.edge), *advice.items()]
    by_upcard = [(f"exact v {upcard}", value) for upcard, value in _by_upcard(exact.by_upcard).items()]
    if output == "csv":
        return _csv([("play", "edge"), *((name, repr(value)) for name, value in (*rows, *by_upcard))])
    return _columns([(name, _percent(value)) for name, value in (*rows, *by_upcard)]) + (
        "\n\nPer cent of the bet, dealt from a full shoe; a cut card costs a little more.")


@strategy_command("text")
def show_rules(rules: Rules, output: str) -> str:
    """The rule sets that ship, and the fields that --set takes."""
    if output == "json":
        return json.dumps({
            "rule_sets": {key: each.to_text() for key, each in RULE_SETS.items()},
            "fields": {name: field.allowed for name, field in FIELDS.items()},
            "chosen": rules.to_text() | {"rule_set_hash": rules.rule_set_hash, "strategy_hash": rules.strategy_hash},
        }, indent=1)
    values = [each.to_text() for each in RULE_SETS.values()]
    table = [("field", *RULE_SETS), *((name, *(each[name] for each in values)) for name in FIELDS)]
    if output == "csv":
        return _csv(table)
    fields = _columns([(name, field.allowed) for name, field in FIELDS.items()])
    sets = "\n".join(f"{key}: {TITLES[key]}. {', '.join(describe_rules(each))}." for key, each in RULE_SETS.items())
    return f"{sets}\n\n{_columns(table)}\n\nFields for --set FIELD=VALUE:\n{fields}"


_MEANS = ("hands", "doubles", "splits", "surrenders", "busts", "pushes", "naturals", "dealer_naturals")


def _read_rules(key: str, settings: Iterable[str]) -> Rules:
    values: dict[str, object] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise RulesError([Fault("--set", setting, "FIELD=VALUE")])
        values[name.strip()] = value.strip()
    return Rules.from_mapping(values, base=rules_for(key))


def _strategy(rules: Rules) -> Strategy:
    cache: StrategyCache = current_app.extensions["strategies"]
    return cache.get(rules)


def _row_object(row: Row) -> dict[str, object]:
    return {"hand": row.hand, "upcard": row.upcard, **{str(action): row.evs.get(action) for action in Action},
            "chart": row.chart, "exact": row.exact}


def _row_texts(row: Row, write: Callable[[float], str]) -> tuple[str, ...]:
    evs = (write(row.evs[action]) if action in row.evs else "" for action in Action)
    return (row.hand, row.upcard, *evs, row.chart, row.exact)


def _decision_object(decision: Decision, chart_move: Action, insurance: float | None) -> dict[str, object]:
    return {
        "hand": str(decision.hand),
        "upcard": str(decision.upcard),
        "total": decision.hand.total,
        "soft": decision.hand.is_soft,
        "given_no_dealer_natural": decision.is_after_peek,
        "ev": decision.evs,
        "results": decision.results,
        "exact": decision.best,
        "chart": chart_move,
        "dealer": decision.dealer,
        "insurance": insurance,
    }


def _decision_text(decision: Decision, chart_move: Action, insurance: float | None) -> str:
    hand = decision.hand
    kind = "natural" if hand.is_natural else "soft" if hand.is_soft else "hard"
    condition = "given no dealer's natural" if decision.is_after_peek else "a dealer's natural included"
    names = ["move", "ev", *dict.fromkeys(name for result in decision.results.values() for name in result)]
    rows = []
    for move in sorted(decision.evs, key=lambda action: -decision.evs[action]):
        result = decision.results.get(move, {})
        chances = (f"{100 * result[name]:.2f}%" if name in result else "" for name in names[2:])
        rows.append((str(move), signed(decision.evs[move], 6), *chances))
    dealer = [(name, f"{100 * chance:.2f}%") for name, chance in decision.dealer.items()]
    lines = [
        f"{hand} ({kind} {hand.total}) against {decision.upcard}; EVs in bets, {condition}.",
        "",
        _columns([tuple(names), *rows]),
        "",
        f"Best: {decision.best}. Chart: {chart_move}.",
        "",
        "Dealer: " + ", ".join(f"{name} {chance}" for name, chance in dealer) + ".",
    ]
    if insurance is not None:
        lines.append(f"Insurance: {signed(insurance, 6)} per unit of the insurance bet.")
    return "\n".join(lines)


def _chart_rows(chart: Chart, section: str) -> list[tuple[str, ...]]:
    return [(Cell(section, row, 1).row_label, *(chart.code(Cell(section, row, upcard)) for upcard in UPCARD_ORDER))
            for row in ROWS[section]]


def _by_upcard(values: Mapping[int, float]) -> dict[str, float]:
    return {label_of(rank): value for rank, value in values.items()}


def _percent(value: float) -> str:
    return f"{signed(100 * value, 4)}%"


def _csv(rows: Iterable[Iterable[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().rstrip("\n")


def _columns(rows: Iterable[tuple[str, ...]]) -> str:
    table = list(rows)
    widths = [max(len(row[column]) if column < len(row) else 0 for row in table) for column in range(len(table[0]))]
    return "\n".join("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=False)).rstrip()
                     for row in table)
