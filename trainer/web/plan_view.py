"""What is practised, in words, and the links that change it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlencode

from trainer.drill.plan import Mode, Plan


@dataclass(frozen=True)
class Choice:
    """A link that changes what is practised; ``note`` is what its label ends in, under an id where that changes."""

    label: str
    url: str
    is_current: bool
    note: str = ""
    note_id: str = ""


MODE_TITLES: Mapping[Mode, str] = {
    Mode.MIXED: "All hands",
    Mode.FOCUS: "Part of the chart",
    Mode.MULTI_CARD: "Three cards and more",
    Mode.CLOSE_CALLS: "Close calls",
    Mode.INSURANCE: "Insurance",
    Mode.MISTAKES: "Your mistakes",
    Mode.DEFAULT_MIX: "A mix for you",
    Mode.WEAK_SPOTS: "Weak spots",
    Mode.REVIEW: "Review",
    Mode.STREAK: "Streak",
    Mode.SPRINT: "Sprint",
    Mode.FILL: "Fill the chart",
    Mode.PLAY_OUT: "Play it out",
}
# What a mode deals, said behind its name, where that alone does not say it.
MODE_MEANINGS: Mapping[Mode, str] = {
    Mode.MIXED: "as often as a real shoe deals them.",
    Mode.MULTI_CARD: "as hits by the chart lead to them.",
    Mode.CLOSE_CALLS: "hands whose best two moves lie within 0.05 of a bet.",
    Mode.MISTAKES: "hands that you got wrong.",
    Mode.DEFAULT_MIX: "hands from a real shoe; once you have answered 50, also those you get wrong and reviews.",
    Mode.WEAK_SPOTS: "hands by how often they come, what they cost when wrong, and how often you miss them.",
    Mode.REVIEW: "hands that you have answered before, each again when you are about to forget it.",
}
FOCUS_TITLES: Mapping[str, str] = {"hard": "Hard", "soft": "Soft", "pair": "Pairs", "surrender": "Surrender"}


def plan_title(plan: Plan) -> str:
    """What is practised, in a few words."""
    if plan.mode is not Mode.FOCUS:
        return MODE_TITLES[plan.mode]
    if plan.focus:
        return {"hard": "Hard hands", "soft": "Soft hands", "pair": "Pairs", "surrender": "Surrender"}[plan.focus]
    return MODE_TITLES[plan.mode]


def mode_title(mode: str) -> str:
    """What the mode is called in which a decision was made; one of no plan was made at a table."""
    return MODE_TITLES[Mode(mode)] if mode in set(Mode) else "Table"


def due_text(due: int) -> str:
    """How many are due for review, behind its name; nothing where none is."""
    return f" ({due} due)" if due else ""


@lru_cache(maxsize=256)
def quick_choices(plan: Plan) -> tuple[Choice, ...]:
    """The chips above the hand."""
    rules = {"rules": plan.rules_key}
    choices = [Choice(title, f"/?{urlencode(rules | {'mode': str(mode)})}", plan.mode is mode)
               for mode, title in ((Mode.DEFAULT_MIX, "For you"), (Mode.MIXED, "All"))]
    for focus in ("hard", "soft", "pair"):
        url = f"/?{urlencode(rules | {'mode': 'focus', 'focus': focus})}"
        choices.append(Choice(FOCUS_TITLES[focus], url, plan.mode is Mode.FOCUS and plan.focus == focus))
    return tuple(choices)


@lru_cache(maxsize=256)
def more_choices(plan: Plan, due_text: str) -> tuple[Choice, ...]:
    """The rest of the ways to practise; review with what is due."""
    rules = {"rules": plan.rules_key}
    review = f"/?{urlencode(rules | {'mode': str(Mode.REVIEW)})}"
    surrender = f"/?{urlencode(rules | {'mode': 'focus', 'focus': 'surrender'})}"
    modes = (Mode.MULTI_CARD, Mode.CLOSE_CALLS, Mode.INSURANCE, Mode.MISTAKES, Mode.STREAK, Mode.SPRINT, Mode.FILL,
             Mode.PLAY_OUT)
    weak, *others = (Choice(MODE_TITLES[mode], f"/?{urlencode(rules | {'mode': str(mode)})}", plan.mode is mode)
                     for mode in (Mode.WEAK_SPOTS, *modes))
    return (
        weak, Choice(MODE_TITLES[Mode.REVIEW], review, plan.mode is Mode.REVIEW, due_text, "due"),
        Choice("Surrender", surrender, plan.mode is Mode.FOCUS and plan.focus == "surrender"), *others,
    )
