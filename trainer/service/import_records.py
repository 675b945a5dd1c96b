"""The records of an export but the decisions: what each must hold, whoever wrote the file."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from trainer.drill.memory import Memory
from trainer.drill.plan import RUN_MODES
from trainer.drill.situation import CATEGORIES
from trainer.engine.chart import SECTIONS
from trainer.engine.errors import RulesError
from trainer.engine.rules import Rules
from trainer.service.import_decisions import MOST_MS
from trainer.service.import_fields import Fields
from trainer.service.import_reading import ImportFaultError
from trainer.service.preferences import MAX_DAILY_GOAL, Preferences, is_allowed
from trainer.service.rule_sets import SavingError, read_name

_PACES_KEPT = 50
_HASH = r"[0-9a-f]{16}"

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
    found = {name: list(fields.wholes(name, _PACES_KEPT, MOST_MS)) for name in CATEGORIES if fields.has(name)}
    return {name: times for name, times in found.items() if times}
