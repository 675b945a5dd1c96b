"""A user's settings: what there is to set, its defaults, and how it is read and saved."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime
from functools import lru_cache
from typing import Any, Self
from zoneinfo import available_timezones

from trainer.drill.grade import GRADINGS
from trainer.engine.presets import DEFAULT_KEY
from trainer.engine.rule_key import is_key
from trainer.storage.transaction import transaction
from trainer.storage.users import ensure_user, find_settings, save_settings

THEMES = ("system", "light", "dark")
MAX_BET_UNIT = 100_000
MAX_DAILY_GOAL = 10_000


@dataclass(frozen=True)
class Preferences:
    """Settings with their defaults.

    ``rules``: the rule set that a drill starts with; ``grading``: by chart or exact play; ``auto_advance``: go on
    by itself after a right answer; ``bet_unit``: what costs are shown for, in chips; ``daily_goal``: hands a day, 0
    for none; ``time_zone``: for local days, empty until the browser has told it.
    """

    rules: str = DEFAULT_KEY
    grading: str = "chart"
    theme: str = "system"
    four_colour: bool = False
    auto_advance: bool = False
    reduced_motion: bool = False
    shortcuts: bool = True
    bet_unit: int = 10
    daily_goal: int = 0
    time_zone: str = ""

    @classmethod
    def from_stored(cls, values: Mapping[str, Any]) -> Self:
        """Read stored settings; what is unknown, missing or no longer allowed falls back to the default."""
        kept = {each.name: values[each.name] for each in fields(cls)
                if each.name in values and is_allowed(each.name, values[each.name])}
        return cls(**kept)

    def at_home(self, time_zone: str) -> Self:
        """These with the time zone that a browser tells, so that days are the user's own; nonsense is passed over."""
        return replace(self, time_zone=time_zone) if is_time_zone(time_zone) else self


def is_allowed(name: str, value: object) -> bool:
    """Whether a setting can be that."""
    choices: dict[str, Any] = {"grading": GRADINGS, "theme": THEMES}
    if name in choices:
        return isinstance(value, str) and value in choices[name]
    if name == "rules":
        return isinstance(value, str) and is_key(value)
    if name == "bet_unit":
        return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MAX_BET_UNIT
    if name == "daily_goal":
        return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_DAILY_GOAL
    if name == "time_zone":
        return value == "" or (isinstance(value, str) and is_time_zone(value))
    return isinstance(value, bool)


def is_time_zone(name: str) -> bool:
    """Whether there is a time zone of that name."""
    return name in _time_zones()


@lru_cache(maxsize=1)
def _time_zones() -> frozenset[str]:
    """Looked up once: it reads hundreds of files."""
    return frozenset(available_timezones())


def load_preferences(visitor: str | None) -> Preferences:
    """A visitor's settings, the defaults where there are none yet."""
    if visitor is None:
        return Preferences()
    with transaction() as connection:
        return Preferences.from_stored(find_settings(connection, visitor))


def save_preferences(visitor: str, preferences: Preferences, now: datetime) -> None:
    """Keep a visitor's settings; makes the user where there is none yet."""
    with transaction(writes=True) as connection:
        user = ensure_user(connection, visitor, now)
        save_settings(connection, user.id, asdict(preferences))
