"""The records of an export: what each must hold, whoever wrote the file."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any

from trainer.drill.grade import GRADINGS
from trainer.drill.memory import Memory
from trainer.drill.mix import Kind
from trainer.drill.parameters import PlanError
from trainer.drill.plan import RUN_MODES, Mode, Plan
from trainer.drill.situation import CATEGORIES
from trainer.drill.timing import MAX_SECONDS
from trainer.engine.chart import SECTIONS
from trainer.engine.errors import RulesError
from trainer.engine.rules import Rules
from trainer.service.import_fields import Fields
from trainer.service.import_reading import ImportFaultError
from trainer.service.preferences import MAX_DAILY_GOAL, Preferences, is_allowed
from trainer.service.rule_sets import SavingError, read_name

# Why a hand was dealt is told where it is more than chance; older exports do not tell it.
KINDS = ("", *map(str, Kind))
_MOST_MS = round(MAX_SECONDS * 1000)
_PACES_KEPT = 50
_HASH = r"[0-9a-f]{16}"


@dataclass(frozen=True)
class FileDecision:
    """A decision as a file tells it, less what the engine works out anew; ``sitting`` and ``rules`` name others."""

    token: str
    rules: str
    sitting: int | None
    plan: str
    position: int
    mode: str
    kind: str
    cards: str
    upcard: str
    tens_left: int | None
    cards_left: int | None
    chosen: str
    grading: str
    is_hinted: bool
    is_slow: bool
    time_ms: int | None
    day: date
    answered_at: datetime


def read_decision(value: object, place: str, now: datetime) -> FileDecision:
    """Check a decision; its cards and moves are left for the engine."""
    fields = Fields(value, place)
    _check_worked_out(fields)
    mode = fields.one_of("mode", list(Mode))
    found = FileDecision(
        fields.like("token", "[A-Za-z0-9_-]{22}", "22 letters, digits, dashes or underscores"), fields.text("rules"),
        fields.whole_or_none("sitting", 1, 2**63 - 1), _plan(fields, mode), fields.whole("position"), mode,
        fields.one_of("kind", KINDS, ""), fields.text("cards", 64), fields.text("upcard", 2),
        fields.whole_or_none("tens_left", 0, 1_000), fields.whole_or_none("cards_left", 1, 1_000),
        fields.text("chosen", 12), fields.one_of("grading", GRADINGS), fields.flag("is_hinted"),
        fields.flag("is_slow"), fields.whole_or_none("time_ms", 0, _MOST_MS), fields.day("day"),
        fields.moment("answered_at", now),
    )
    if (found.time_ms is None) != found.is_hinted:
        raise fields.fault("time_ms", "must be null where the chart was in view, and nowhere else.")
    if found.is_slow and found.is_hinted:
        raise fields.fault("is_slow", "must be false where the chart was in view.")
    if abs(found.day - found.answered_at.date()) > timedelta(days=1):
        raise fields.fault("day", "must be the day of the answer.")
    return found


def _check_worked_out(fields: Fields) -> None:
    """What is worked out anew must still be of its type."""
    fields.one_of("category", CATEGORIES)
    fields.whole("row", 0, 21)
    fields.list_of_texts("legal")
    fields.text("chart_move", 12)
    fields.text("exact_move", 12)
    fields.numbers("evs")
    fields.number("ev_cost")
    fields.flag("is_right")


def _plan(fields: Fields, mode: str) -> str:
    text = fields.text("plan", 1_000)
    try:
        query, plan_mode = _canonical(text)
    except PlanError:
        raise fields.fault("plan", "must be the query of a practice that there is.") from None
    if plan_mode != mode:
        raise fields.fault("mode", "must be that of the plan.")
    return query


@lru_cache(maxsize=1024)
def _canonical(text: str) -> tuple[str, str]:
    plan = Plan.from_text(text)
    return plan.to_query(), str(plan.mode)


def read_sitting(value: object, place: str, now: datetime) -> tuple[int, tuple[str, bool]]:
    """A sitting's number, when it began, whether it is over; its figures follow from its decisions."""
    fields = Fields(value, place)
    for name in ("hands", "right", "hinted", "streak"):
        fields.whole(name)
    fields.number("ev_lost")
    fields.moment("last_at", now)
    return fields.whole("id", 1, 2**63 - 1), (fields.moment("started_at", now).isoformat(), fields.flag("is_ended"))


def read_run(value: object, place: str, now: datetime) -> tuple[str, str, str, bool]:
    """Mode, strategy hash, beginning and whether it is over; answers and score follow from the decisions."""
    fields = Fields(value, place)
    fields.whole("answers")
    fields.whole("right")
    fields.number("score")
    return (fields.one_of("mode", sorted(RUN_MODES)), fields.like("strategy", _HASH, "16 hexadecimal digits"),
            fields.moment("started_at", now).isoformat(), fields.flag("is_ended"))


def read_goal_day(value: object, place: str) -> tuple[str, tuple[int, int]]:
    """A day, its goal and its hands."""
    fields = Fields(value, place)
    return fields.day("day").isoformat(), (fields.whole("goal", 1, MAX_DAILY_GOAL), fields.whole("hands", 1))


def read_saved(value: object, place: str, now: datetime) -> tuple[str, str, str, str]:
    """Name, name as names are compared, rules and time of a saved rule set."""
    fields = Fields(value, place)
    name = fields.text("name", 400)
    try:
        kept, key = read_name(name)
    except SavingError as error:
        raise fields.fault("name", f"cannot be kept: {error}") from None
    return kept, key, fields.text("rules"), fields.moment("saved_at", now).isoformat()


def check_memory(value: object, place: str) -> None:
    """A memory, which is worked out anew from the decisions."""
    fields = Fields(value, place)
    fields.like("strategy", _HASH, "16 hexadecimal digits")
    fields.one_of("section", SECTIONS)
    fields.whole("row")
    fields.whole("upcard", 1, 10)
    for name in ("stability", "difficulty", "recent", "recent_wrong", "state", "run", "kept_asked", "kept_right"):
        fields.number(name)
    fields.whole_or_none("step")
    fields.flag("is_first_right")
    try:
        Memory.from_dict({name: each for name, each in dict(value).items()  # type: ignore[call-overload]
                          if name not in ("strategy", "section", "row", "upcard")})
    except (KeyError, TypeError, ValueError, OverflowError):
        raise ImportFaultError(place, "is no memory of a cell.") from None


def check_open_hand(value: object, place: str) -> None:
    """An open hand, which stays where it is."""
    Fields(value, place).text("token")


def read_rule_sets(value: object) -> dict[str, str]:
    """Rule sets by the names that the file gives them, each as its JSON."""
    if not isinstance(value, dict):
        raise ImportFaultError("rule_sets", "must be an object.")
    return {name: _rules(name, each) for name, each in value.items()}


def _rules(name: str, value: object) -> str:
    place = f"rule_sets[{ascii(name)[:40]}]"
    if not isinstance(value, dict):
        raise ImportFaultError(place, "must be an object.")
    try:
        return Rules.from_mapping(value).to_json()
    except RulesError as error:
        raise ImportFaultError(place, f"are no rules: {ascii(str(error))[1:200]}.") from None


def read_settings(value: object) -> dict[str, Any]:
    """Settings, empty where there were none."""
    if not isinstance(value, dict):
        raise ImportFaultError("settings", "must be an object.")
    for name, default in asdict(Preferences()).items():
        if not is_allowed(name, value.get(name, default)):
            raise ImportFaultError(f"settings.{name}", "cannot be set to that.")
    return asdict(Preferences.from_stored(value)) if value else {}


def read_paces(value: object) -> Mapping[str, list[int]]:
    """The latest times of right answers by category."""
    fields = Fields(value, "paces")
    found = {name: list(fields.wholes(name, _PACES_KEPT, _MOST_MS)) for name in CATEGORIES if fields.has(name)}
    return {name: times for name, times in found.items() if times}
