"""How one rule field is read: from a typed value, a form or a command line alike.

A reader takes whatever was given and returns the canonical value, or raises
``ValueError``; :mod:`trainer.engine.rules` turns that into a fault that names the field.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from trainer.engine.cards import RANKS, label_of, parse_ranks

_WORDS = {"yes": True, "true": True, "on": True, "1": True, "no": False, "false": False, "off": False, "0": False}
_SHUFFLE = re.compile(r"([0-9]{1,3})(?:-([0-9]{1,3}))?")
MAX_CUT = 416


@dataclass(frozen=True)
class RuleField:
    """A reader, what it allows in words, and the values a form can offer (none: free text)."""

    read: Callable[[object], object]
    allowed: str
    choices: tuple[str, ...] = ()


def whole_number(low: int, high: int) -> RuleField:
    """A whole number from ``low`` to ``high``, or its digits."""

    def read(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise ValueError
        if isinstance(value, str) and not re.fullmatch(r"[0-9]{1,4}", value.strip(), re.ASCII):
            raise ValueError
        number = int(value)
        if not low <= number <= high:
            raise ValueError
        return number

    return RuleField(read, f"a whole number from {low} to {high}", tuple(map(str, range(low, high + 1))))


def yes_no() -> RuleField:
    """A boolean, or a word for one."""

    def read(value: object) -> bool:
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.strip().lower() in _WORDS:
            return _WORDS[value.strip().lower()]
        raise ValueError

    return RuleField(read, "yes or no", ("yes", "no"))


def one_of(*choices: str) -> RuleField:
    """One of a few words."""

    def read(value: object) -> str:
        if isinstance(value, str) and value.strip().lower() in choices:
            return value.strip().lower()
        raise ValueError

    return RuleField(read, f"one of {', '.join(choices)}", choices)


def rank_set() -> RuleField:
    """Ranks, each once and sorted; as numbers, labels or one text."""

    def read(value: object) -> tuple[int, ...]:
        if isinstance(value, str):
            return () if value.strip().lower() == "none" else parse_ranks(value)
        if isinstance(value, Iterable):
            return tuple(sorted({_rank(item) for item in value}))
        raise ValueError

    return RuleField(read, f"none, or ranks such as 4,5,10 out of {', '.join(map(label_of, RANKS))}")


def shuffle_point() -> RuleField:
    """When the shoe is shuffled again: ``hand``, a number of cards left, or a range of such numbers."""

    def read(value: object) -> str:
        text = str(value).strip().lower() if isinstance(value, int | str) and not isinstance(value, bool) else ""
        if text == "hand":
            return text
        match = _SHUFFLE.fullmatch(text)
        if match is None:
            raise ValueError
        low, high = int(match[1]), int(match[2] or match[1])
        if not 1 <= low <= high <= MAX_CUT:
            raise ValueError
        return str(low) if low == high else f"{low}-{high}"

    return RuleField(read, f"hand, a number of cards from 1 to {MAX_CUT}, or a range such as 60-75")


def _rank(item: object) -> int:
    if isinstance(item, int) and not isinstance(item, bool) and item in RANKS:
        return item
    if isinstance(item, str) and len(ranks := parse_ranks(item)) == 1:
        return ranks[0]
    raise ValueError
