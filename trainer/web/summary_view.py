"""Figures in words: the strip above the hand, a practice session looked back on, progress by category."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from trainer.drill.plan import MistakeFilter, Mode, Plan
from trainer.drill.timing import median_seconds
from trainer.drill.words import shown_face
from trainer.service.progress import CategoryLine, DecisionRow, Sitting, Summary
from trainer.web.hand_view import labels_for

CATEGORY_TITLES: Mapping[str, str] = {
    "hard": "Hard", "soft": "Soft", "pair": "Pairs", "insurance": "Insurance", "": "All but insurance",
}
NOTHING = "\N{EN DASH}"


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


def mistake_view(decision: DecisionRow, rules: str = "", time_zone: str = "") -> MistakeView:
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
        mode=decision.mode.replace("-", " "),
        rules=rules,
    )


def percent_text(share: float | None) -> str:
    """A share with one decimal, never rounded up to all or down to nothing."""
    if share is None:
        return NOTHING
    if 0 < share < 1:
        share = min(max(share, 0.0005), 0.9994)
    return f"{100 * share:.1f}%"


def seconds_text(seconds: float | None) -> str:
    """A time to answer."""
    return NOTHING if seconds is None else f"{seconds:.1f} s"


def query_url(path: str, **parameters: str) -> str:
    """A path with those parameters that are not empty."""
    query = urlencode({name: value for name, value in parameters.items() if value})
    return f"{path}?{query}" if query else path
