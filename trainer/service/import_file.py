"""An upload, checked as a whole and spooled: the decisions a line each, all else beside them.

Nothing is stored before every field of the file has been read; what the engine has to say of the hands comes later.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import IO, Any, TextIO

from trainer.service import import_records as records
from trainer.service.import_fields import Fields
from trainer.service.import_reading import ImportFaultError, entries

FORMAT = "blackjack-trainer"
VERSIONS = (1, 2)
_HEAD, _DECISIONS = "head.json", "decisions.jsonl"


@dataclass
class Head:
    """Everything of a file but its decisions.

    ``sittings``: number to beginning and whether it is over; ``goal_days``: day to goal, hands, and decisions of that
    day in the file; ``runs`` and ``saved_rules`` as :mod:`trainer.service.import_records` reads them; ``rule_sets``:
    JSON by the names that the file gives them.
    """

    decisions: int = 0
    settings: dict[str, Any] = field(default_factory=dict)
    paces: dict[str, list[int]] = field(default_factory=dict)
    sittings: dict[str, tuple[str, bool]] = field(default_factory=dict)
    runs: list[tuple[str, str, str, bool]] = field(default_factory=list)
    goal_days: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    saved_rules: list[tuple[str, str, str, str]] = field(default_factory=list)
    rule_sets: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Line:
    """A spooled decision: its place in the file, and which of its local day's it is, from 0."""

    index: int
    of_day: int
    decision: records.FileDecision

    @property
    def place(self) -> str:
        return f"decisions[{self.index}]"


def spool(stream: IO[bytes], folder: Path, now: datetime) -> Head:
    """Check a whole upload and write what it holds into a folder. ``ImportFaultError`` names the place at fault."""
    with (folder / _DECISIONS).open("w", encoding="ascii") as file:
        head = _Spooling(file, now).read(stream)
    (folder / _HEAD).write_text(json.dumps(asdict(head)), encoding="ascii")
    return head


def read_head(folder: Path) -> Head:
    """What :func:`spool` wrote beside the decisions."""
    return Head(**json.loads((folder / _HEAD).read_text(encoding="ascii")))


def read_lines(folder: Path, offset: int, size: int) -> tuple[list[Line], int]:
    """Up to ``size`` decisions from a byte of the spool on, and the byte behind them."""
    with (folder / _DECISIONS).open("rb") as file:
        file.seek(offset)
        texts = [text for _, text in zip(range(size), file, strict=False)]
    return [_line(text) for text in texts], offset + sum(map(len, texts))


def _line(text: bytes) -> Line:
    index, of_day, *values = json.loads(text)
    values[-2:] = date.fromisoformat(values[-2]), datetime.fromisoformat(values[-1])
    return Line(index, of_day, records.FileDecision(*values))


class _Spooling:
    """One reading of an upload."""

    def __init__(self, file: TextIO, now: datetime) -> None:
        self._file, self._now, self._head = file, now, Head()
        self._names: set[str] = set()
        self._days: Counter[str] = Counter()
        # Where each rule set and sitting is named first, to be told where there is none.
        self._rules: dict[str, str] = {}
        self._sittings: dict[int, str] = {}
        self._take: Mapping[str, Callable[[Any, str], None]] = {
            "open_hands": records.check_open_hand, "memories": records.check_memory, "sittings": self._sitting,
            "runs": self._run, "goal_days": self._goal_day, "saved_rules": self._saved, "decisions": self._decision,
        }

    def read(self, stream: IO[bytes]) -> Head:
        for name, index, value in _of_version(entries(stream)):
            self._names.add(name)
            if index is not None:
                self._take[name](value, f"{name}[{index}]")
            elif name not in self._take:
                self._other(name, value)
        self._check_names()
        head, days = self._head, self._days
        head.goal_days = {day: (goal, hands, days[day]) for day, (goal, hands, _) in head.goal_days.items()}
        return head

    def _decision(self, value: object, place: str) -> None:
        found = records.read_decision(value, place, self._now)
        self._rules.setdefault(found.rules, f"{place}.rules")
        if found.sitting is not None:
            self._sittings.setdefault(found.sitting, f"{place}.sitting")
        day = found.day.isoformat()
        values = [*list(found.__dict__.values())[:-2], day, found.answered_at.isoformat()]
        self._file.write(json.dumps([self._head.decisions, self._days[day], *values]) + "\n")
        self._head.decisions += 1
        self._days[day] += 1

    def _sitting(self, value: object, place: str) -> None:
        key, found = records.read_sitting(value, place, self._now)
        if self._head.sittings.setdefault(str(key), found) is not found:
            raise ImportFaultError(f"{place}.id", "stands there twice.")

    def _run(self, value: object, place: str) -> None:
        self._head.runs.append(records.read_run(value, place, self._now))

    def _goal_day(self, value: object, place: str) -> None:
        day, (goal, hands) = records.read_goal_day(value, place)
        if day in self._head.goal_days:
            raise ImportFaultError(f"{place}.day", "stands there twice.")
        self._head.goal_days[day] = goal, hands, 0

    def _saved(self, value: object, place: str) -> None:
        found = records.read_saved(value, place, self._now)
        self._rules.setdefault(found[2], f"{place}.rules")
        self._head.saved_rules.append(found)

    def _other(self, name: str, value: object) -> None:
        if name == "rule_sets":
            self._head.rule_sets = records.read_rule_sets(value)
        elif name == "settings":
            self._head.settings = records.read_settings(value)
        elif name == "paces":
            self._head.paces = dict(records.read_paces(value))
        elif name == "account" and value is not None:
            Fields(value, name).text("username")

    def _check_names(self) -> None:
        """Everything that is named must be there."""
        missing = {"decisions", "sittings", "rule_sets", "settings", "paces"} - self._names
        if missing:
            raise ImportFaultError(min(missing), "is missing.")
        for rules, place in self._rules.items():
            if rules not in self._head.rule_sets:
                raise ImportFaultError(place, "names no rule set of the file.")
        for key, place in self._sittings.items():
            if str(key) not in self._head.sittings:
                raise ImportFaultError(place, "names no sitting of the file.")


def _of_version(found: Iterator[tuple[str, int | None, Any]]) -> Iterator[tuple[str, int | None, Any]]:
    """Format and version come first, so that whatever else a newer version holds is not looked at."""
    for wanted, allowed in (("format", (FORMAT,)), ("version", VERSIONS)):
        name, _, value = next(found, ("", None, None))
        if name != wanted:
            raise ImportFaultError("The file", "is not an export: it does not begin with format and version.")
        if isinstance(value, bool) or not isinstance(value, (str, int)) or value not in allowed:
            known = " or ".join(map(str, allowed))
            raise ImportFaultError(wanted, f"must be {known}; another one cannot be read here.")
    yield from found
