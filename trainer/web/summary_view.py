"""Figures in words: the strip above the hand, a practice session looked back on, progress by category."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trainer.drill.mistake_filter import MistakeFilter
from trainer.drill.plan import Mode, Plan
from trainer.drill.timing import median_seconds
from trainer.service.progress import CategoryLine, Sitting, Summary
from trainer.web.figures import NOTHING, percent_text, seconds_text
from trainer.web.mistake_view import MistakeView, mistake_view

CATEGORY_TITLES: Mapping[str, str] = {
    "hard": "Hard", "soft": "Soft", "pair": "Pairs", "insurance": "Insurance", "": "All but insurance",
}


@dataclass(frozen=True)
class StripView:
    """The running figures of a practice session."""

    hands: int
    right: str
    streak: int
    lost_per_100: str
    median: str


@dataclass(frozen=True)
class LineView:
    """One category in a table of progress."""

    title: str
    decisions: int
    right: str
    lost_per_100: str
    median: str
    hinted: int


@dataclass(frozen=True)
class SummaryView:
    """A practice session looked back on."""

    hands: int
    headline: str
    lines: Sequence[LineView]
    to_practise: Sequence[MistakeView]
    practise_url: str
    again_url: str


def strip_view(sitting: Sitting | None) -> StripView:
    """The strip; all but empty before the first answer."""
    if sitting is None:
        return StripView(0, NOTHING, 0, NOTHING, NOTHING)
    decided = sitting.decided
    return StripView(
        sitting.hands,
        percent_text(sitting.right / decided if decided else None),
        sitting.streak,
        f"{100 * sitting.ev_lost / decided:.2f}" if decided else NOTHING,
        seconds_text(median_seconds(sitting.times)),
    )


def line_view(line: CategoryLine) -> LineView:
    """A category's figures."""
    sums = line.sums
    lost = sums.ev_lost_per_100
    return LineView(
        CATEGORY_TITLES[line.category], sums.decisions, percent_text(sums.accuracy),
        NOTHING if lost is None else f"{lost:.2f}", seconds_text(line.median_seconds), sums.hinted,
    )


def summary_view(summary: Summary, plan: Plan) -> SummaryView:
    """The page at a session's end; ``plan`` is what to go on with."""
    sitting = summary.sitting
    wrong = sitting.decided - sitting.right
    hands = f"{sitting.hands} hand{'' if sitting.hands == 1 else 's'}"
    headline = f"{hands}, all right" if not wrong and sitting.decided else f"{hands}, {wrong} wrong"
    redo = Plan(plan.rules_key, Mode.MISTAKES, mistakes=MistakeFilter(session=sitting.id))
    return SummaryView(
        sitting.hands, headline, tuple(map(line_view, summary.lines)),
        tuple(mistake_view(decision) for decision in summary.to_practise),
        f"/?{redo.to_query()}" if summary.to_practise else "", f"/?{plan.to_query()}",
    )
