"""Reading an export, of any origin, bit by bit: one element of a list at a time, nothing deep, long or wide.

What a file may hold is bounded before it is built, so that the memory it takes hangs on its largest element alone.
"""

from collections.abc import Iterator
from itertools import count
from typing import IO, Any

import ijson

_MOST_LETTERS = 1_000
_DEEPEST = 3
_LISTS = frozenset({"open_hands", "sittings", "memories", "runs", "goal_days", "saved_rules", "decisions",
                    "table_decisions"})
_OTHERS = frozenset({"format", "version", "account", "settings", "paces", "rule_sets"})
# What an object or a list inside an element may hold at most; rule sets by name are the only long one.
_WIDEST = 64
MOST_RULE_SETS = 500

Event = tuple[str, Any]


class ImportFaultError(ValueError):
    """The file cannot be imported; ``place`` says where, such as ``decisions[12].cards``, the message what is wrong."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(message)
        self.place, self.kept = place, 0

    def __str__(self) -> str:
        return f"{self.place} {self.args[0]}"


def entries(stream: IO[bytes]) -> Iterator[tuple[str, int | None, Any]]:
    """What an export holds: (name, index, element) of its lists, (name, ``None``, value) of all else that is known.

    A list is named first, with an empty one as its value. ``ImportFaultError`` where the file is no JSON object, or
    holds something that no export does.
    """
    events = _events(stream)
    if next(events, None) != ("start_map", None):
        raise ImportFaultError("The file", "is not an export: it is no JSON object.")
    named: set[str] = set()
    for event, name in events:
        if event == "end_map":
            break
        if name in named:
            raise ImportFaultError(name, "stands there twice.")
        if name in _LISTS | _OTHERS:
            named.add(name)
            yield from _section(events, name)
        else:
            _skip(events)
    for _ in events:  # what follows the end is no JSON, which reading on finds
        pass


def _section(events: Iterator[Event], name: str) -> Iterator[tuple[str, int | None, Any]]:
    event, value = next(events)
    if name not in _LISTS:
        widest = MOST_RULE_SETS if name == "rule_sets" else _WIDEST
        yield name, None, _build(events, event, value, name, _DEEPEST, widest)
        return
    if event != "start_array":
        raise ImportFaultError(name, "must be a list.")
    yield name, None, []
    for index in count():
        event, value = next(events)
        if event == "end_array":
            return
        yield name, index, _build(events, event, value, f"{name}[{index}]", _DEEPEST - 1, _WIDEST)


def _build(events: Iterator[Event], event: str, value: Any, place: str, depth: int, widest: int) -> Any:
    """The value that begins with this event."""
    if event not in ("start_map", "start_array"):
        return value
    if depth == 0:
        raise ImportFaultError(place, "is nested deeper than anything in an export.")
    found: dict[str, Any] = {}
    for number, (event, key) in enumerate(events):
        if event in ("end_map", "end_array"):
            return found if event == "end_map" else list(found.values())
        if number >= widest:
            raise ImportFaultError(place, f"holds more than {widest} values.")
        inner, name = (next(events), key) if event == "map_key" else ((event, key), str(number))
        found[name] = _build(events, *inner, place, depth - 1, _WIDEST)
    raise AssertionError("a parser ends what it began")


def _skip(events: Iterator[Event]) -> None:
    """Pass by one value of any kind."""
    depth = 0
    for event, _ in events:
        depth += event.startswith("start_") - event.startswith("end_")
        if depth == 0:
            return


def _events(stream: IO[bytes]) -> Iterator[Event]:
    """The parser's events; its errors, of whatever kind, are told as one."""
    try:
        for event, value in ijson.basic_parse(stream, use_float=True):
            if isinstance(value, str) and len(value) > _MOST_LETTERS:
                raise ImportFaultError("The file", f"holds a text of {len(value):,} characters; no export does.")
            yield event, value
    except ImportFaultError:
        raise
    except (ijson.JSONError, ValueError, OverflowError):
        raise ImportFaultError("The file", "is broken: it is no JSON, or only a part of it.") from None
