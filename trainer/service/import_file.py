"""An upload, checked as a whole and spooled: the decisions a line each in order of time, all else beside them.

Nothing is stored before every field of the file has been read; what the engine has to say of the hands comes later.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from heapq import merge
from pathlib import Path
from typing import IO, Any, TextIO

from trainer.service import import_records as records
from trainer.service.import_decisions import AtTable, FileDecision, read_decision, read_table_decision
from trainer.service.import_fields import Fields
from trainer.service.import_reading import ImportFaultError, entries

FORMAT = "blackjack-trainer"
VERSIONS = (1, 2)
_HEAD, _DECISIONS, _TABLES, _BOTH = "head.json", "decisions.jsonl", "table_decisions.jsonl", "both.jsonl"


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
    """A spooled decision: its place in its list of the file, and which of its local day's it is, from 0."""

    index: int
    of_day: int
    decision: FileDecision

    @property
    def place(self) -> str:
        return f"{self.decision.section}[{self.index}]"


def spool(stream: IO[bytes], folder: Path, now: datetime) -> Head:
    """Check a whole upload and write what it holds into a folder. ``ImportFaultError`` names the place at fault."""
    with (folder / _DECISIONS).open("w", encoding="ascii") as drilled, \
            (folder / _TABLES).open("w", encoding="ascii") as played:
        head = _Spooling(drilled, played, now).read(stream)
    if (folder / _TABLES).stat().st_size:
        _merge(folder)
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


def _merge(folder: Path) -> None:
    """Both lists, each in the order in which it stands, as one: so memories are folded, and a day's hands counted.

    Lines are taken apart no further than that needs: there may be very many.
    """
    days: Counter[bytes] = Counter()
    with (folder / _DECISIONS).open("rb") as drilled, (folder / _TABLES).open("rb") as played, \
            (folder / _BOTH).open("wb") as file:
        for text in merge(drilled, played, key=lambda text: _end(text)[1]):
            index, _, others = text.split(b", ", 2)
            day, _ = _end(text)
            file.write(b", ".join((index, b"%d" % days[day], others)))
            days[day] += 1
    (folder / _BOTH).replace(folder / _DECISIONS)
    (folder / _TABLES).unlink()


def _text(line: Line) -> str:
    *values, day, answered_at, at_table = line.decision.__dict__.values()
    values += [*([at_table.__dict__] if at_table else []), day.isoformat(), answered_at.isoformat()]
    return json.dumps([line.index, line.of_day, *values]) + "\n"


def _end(text: bytes) -> tuple[bytes, bytes]:
    """The local day and the time of a spooled line; times in UTC are in the order of their letters."""
    *_, day, _, answered_at, _ = text.rsplit(b'"', 4)
    return day, answered_at


def _line(text: bytes) -> Line:
    index, of_day, *values, day, answered_at = json.loads(text)
    at_table = AtTable(**values.pop()) if isinstance(values[-1], dict) else None
    values += [date.fromisoformat(day), datetime.fromisoformat(answered_at), at_table]
    return Line(index, of_day, FileDecision(*values))


class _Spooling:
    """One reading of an upload."""

    def __init__(self, drilled: TextIO, played: TextIO, now: datetime) -> None:
        self._drilled, self._played, self._now, self._head = drilled, played, now, Head()
        self._names: set[str] = set()
        self._days: Counter[str] = Counter()
        self._sections: Counter[str] = Counter()
        # Where each rule set and sitting is named first, to be told where there is none.
        self._rules: dict[str, str] = {}
        self._sittings: dict[int, str] = {}
        self._take: Mapping[str, Callable[[Any, str], None]] = {
            "open_hands": records.check_open_hand, "memories": records.check_memory, "sittings": self._sitting,
            "runs": self._run, "goal_days": self._goal_day, "saved_rules": self._saved, "decisions": self._decision,
            "table_decisions": self._table_decision,
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
        self._spool(self._drilled, read_decision(value, place, self._now), place)

    def _table_decision(self, value: object, place: str) -> None:
        self._spool(self._played, read_table_decision(value, place, self._now), place)

    def _spool(self, file: TextIO, found: FileDecision, place: str) -> None:
        self._rules.setdefault(found.rules, f"{place}.rules")
        if found.sitting is not None:
            self._sittings.setdefault(found.sitting, f"{place}.sitting")
        day = found.day.isoformat()
        file.write(_text(Line(self._sections[found.section], self._days[day], found)))
        self._head.decisions += 1
        self._sections[found.section] += 1
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
