"""Everything that the drill's templates read, whether a hand is one question or is played out."""

from dataclasses import dataclass
from urllib.parse import parse_qsl

from flask import url_for

from trainer.drill.plan import RUN_MODES, Plan
from trainer.engine.rule_key import rules_for
from trainer.service.drill import SITTING_GAP
from trainer.service.overview import count_reviews
from trainer.service.progress import Sitting, running_sitting
from trainer.service.runs import standing
from trainer.web import visitor as who
from trainer.web.hand_view import HandView
from trainer.web.plan_view import MODE_MEANINGS, Choice, due_text, more_choices, plan_title, quick_choices
from trainer.web.run_view import LastView, RunView, run_view
from trainer.web.summary_view import StripView, strip_view
from trainer.web.table_page import TablePage
from trainer.web.verdict_view import VerdictView


@dataclass(frozen=True)
class DrillPage:
    """The frame, and in it a question or a verdict, or the ``table`` at which a hand is played out."""

    plan: Plan
    title: str
    quick: tuple[Choice, ...]
    more: tuple[Choice, ...]
    strip: StripView
    next_url: str
    hand: HandView | None
    verdict: VerdictView | None
    message: str
    is_waiting: bool
    run: RunView | None
    last: LastView | None
    due: int
    table: TablePage | None
    openings: tuple[Choice, ...]

    @property
    def due_text(self) -> str:
        """What is due for review, behind its name."""
        return due_text(self.due)

    @property
    def meaning(self) -> str:
        """What the mode deals, to be said behind its name; nothing where that says it."""
        return MODE_MEANINGS.get(self.plan.mode, "")

    @property
    def plan_fields(self) -> list[tuple[str, str]]:
        """The plan as form fields, all but the rule set, which the form's own field chooses."""
        fields = parse_qsl(self.plan.to_query(), keep_blank_values=True)
        return [(name, value) for name, value in fields if name != "rules"]


def drill_page(
    plan: Plan, *, hand: HandView | None = None, verdict: VerdictView | None = None, message: str = "",
    is_waiting: bool = False, sitting: Sitting | None = None, last: LastView | None = None, due: int | None = None,
    table: TablePage | None = None, openings: tuple[Choice, ...] = (),
) -> DrillPage:
    """The page of a plan; the ``sitting`` and what is ``due`` are looked up where they are not known yet."""
    visitor, now = who.known_visitor(), who.now()
    strip = strip_view(sitting or running_sitting(visitor, now - SITTING_GAP))
    run = run_view(plan, standing(visitor, plan), now) if plan.mode in RUN_MODES else None
    if due is None:
        due = count_reviews(visitor, rules_for(plan.rules_key).strategy_hash, now)
    return DrillPage(plan, plan_title(plan), quick_choices(plan), more_choices(plan, due_text(due)), strip,
                     drill_url(plan), hand, verdict, message, is_waiting, run, last, due, table, openings)


def drill_url(plan: Plan) -> str:
    """Where a plan is drilled."""
    return f"{url_for('drill.home')}?{plan.to_query()}"
