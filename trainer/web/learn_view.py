"""What the lessons show: hands with every move's worth by the visitor's own rules, and hands to try."""

from dataclasses import dataclass

from trainer.drill.grade import Judgement, judge
from trainer.drill.parameters import row_name
from trainer.drill.plan import Mode, Plan
from trainer.drill.situation import Situation
from trainer.drill.words import shown_rank, upcard_phrase
from trainer.engine.cards import Card, label_of
from trainer.engine.chart import MEANINGS
from trainer.engine.hands import Hand
from trainer.engine.rules import Rules
from trainer.engine.strategy import Strategy
from trainer.web.ev_view import EvView, ev_bars
from trainer.web.hand_view import LABELS, ChartRowView, chart_row_view


@dataclass(frozen=True)
class ExampleView:
    """A hand against an upcard: every legal move's worth as bars, and what the chart says."""

    title: str
    evs: tuple[EvView, ...]
    zero_x: float
    chart_code: str
    chart_words: str
    chart_row: ChartRowView


@dataclass(frozen=True)
class TryView:
    """A link that deals hands of one cell of the chart."""

    label: str
    url: str


def judged(strategy: Strategy, rules: Rules, cards: str, upcard: str) -> tuple[Situation, Judgement]:
    """A first hand such as ``A7`` against an upcard, worked out."""
    situation = Situation(rules, Hand.parse(cards), Card(upcard))
    return situation, judge(strategy, situation)


def example_view(strategy: Strategy, rules: Rules, cards: str, upcard: str) -> ExampleView:
    """A hand of a lesson."""
    situation, judgement = judged(strategy, rules, cards, upcard)
    cell, row = situation.cell, chart_row_view(situation, strategy)
    assert cell is not None  # noqa: S101 - only insurance has none
    assert row is not None  # noqa: S101
    code = strategy.chart.code(cell)
    evs, zero = ev_bars(judgement.evs, LABELS, judgement.exact)
    hand = "-".join(shown_rank(card.rank) for card in situation.hand.cards)
    return ExampleView(f"{hand} {upcard_phrase(situation.upcard)}", evs, zero, code, MEANINGS[code], row)


def try_view(rules_key: str, rules: Rules, cards: str, upcard: str) -> TryView:
    """A link to practise the cell that decides a hand."""
    cell = Situation(rules, Hand.parse(cards), Card(upcard)).cell
    assert cell is not None  # noqa: S101
    plan = Plan(rules_key, Mode.FOCUS, rows=(row_name(cell),), upcards=(label_of(cell.upcard),))
    named = {"hard": f"Hard {cell.row}", "soft": f"Soft {cell.row}", "pair": cell.row_label}[cell.section]
    return TryView(f"{named} {upcard_phrase(Card(upcard))}", f"/?{plan.to_query()}")
