"""Decisions of the past, and chart cells with mistakes in them, as lines of a table."""

from dataclasses import dataclass
from datetime import UTC
from zoneinfo import ZoneInfo

from trainer.drill.parameters import row_name
from trainer.drill.plan import Mode, Plan
from trainer.drill.words import shown_face
from trainer.engine.cards import label_of
from trainer.engine.chart import Cell
from trainer.engine.rule_key import key_of
from trainer.engine.rules import Rules
from trainer.service.mistakes import CellRecord, DecisionRow
from trainer.web.figures import percent_text, query_url, seconds_text
from trainer.web.hand_view import labels_for
from trainer.web.plan_view import mode_title
from trainer.web.rule_choice import strategy_title


@dataclass(frozen=True)
class MistakeView:
    """One decision of the past in a list."""

    url: str
    hand: str
    upcard: str
    chosen: str
    expected: str
    cost: str
    seconds: str
    is_right: bool
    when: str
    day: str
    when_iso: str
    mode: str
    rules: str
    is_right_since: bool


@dataclass(frozen=True)
class CellView:
    """What was made of one chart cell; ``drill_url`` deals it, or insurance, again."""

    title: str
    drill_url: str
    list_url: str
    mistakes: int
    decisions: int
    right: str
    lost: str
    rules: str


def mistake_view(
    decision: DecisionRow, rules: str = "", time_zone: str = "", *, is_right_since: bool = False
) -> MistakeView:
    """One past decision, its time in the user's time zone where that is known."""
    local = decision.created_at.astimezone(ZoneInfo(time_zone) if time_zone else UTC)
    labels = labels_for(decision.situation)
    return MistakeView(
        url=f"/hand/{decision.token}",
        hand="-".join(map(shown_face, decision.situation.hand.cards)),
        upcard=shown_face(decision.situation.upcard),
        chosen=labels[decision.chosen],
        expected=labels[decision.grade.expected],
        cost=f"{decision.ev_cost:.4f}",
        seconds=seconds_text(decision.seconds),
        is_right=decision.is_right,
        when=f"{local.day} {local:%b %Y, %H:%M}{'' if time_zone else ' UTC'}",
        day=f"{local.day} {local:%b %Y}",
        when_iso=decision.created_at.isoformat(timespec="seconds"),
        mode=mode_title(decision.mode),
        rules=rules,
        is_right_since=is_right_since,
    )


def cell_view(record: CellRecord, rules: Rules) -> CellView:
    """One cell's record; ``rules`` is a rule set of its strategy."""
    key, upcard = key_of(rules), label_of(record.upcard_rank)
    if record.category == "insurance":
        title, plan, narrowed = "Insurance", Plan(key, Mode.INSURANCE), {"category": "insurance"}
    else:
        cell = Cell(record.category, record.row, record.upcard_rank)
        title, row = f"{cell.section.capitalize()} {cell}", row_name(cell)
        plan, narrowed = Plan(key, Mode.FOCUS, rows=(row,), upcards=(upcard,)), {"row": row, "upcard": upcard}
    sums = record.sums
    return CellView(
        title, f"/?{plan.to_query()}", query_url("/mistakes", **narrowed, rules=key), record.mistakes,
        sums.decisions, percent_text(sums.accuracy), f"{sums.ev_lost:.4f}", strategy_title(rules),
    )
