"""A long history by bulk insert: real situations, really judged, with tallies and practice sessions that fit."""

import base64
import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import NamedTuple

from flask import Flask

from trainer.drill import timing
from trainer.drill.grade import Judgement, grade, judge
from trainer.drill.plan import Mode, Plan
from trainer.drill.select import deal
from trainer.drill.situation import Situation
from trainer.engine.presets import RULE_SETS
from trainer.storage.models import ALL_DAYS, ALL_MODES, ALL_ROWS, CATEGORY, CATEGORY_DAY, CATEGORY_MONTH, CELL, CELL_DAY
from trainer.storage.transaction import transaction
from trainer.storage.users import ensure_rule_set, ensure_user

SPAN = timedelta(days=3 * 365)
RULES_KEYS = tuple(RULE_SETS)[:4]
_MODES = ({"mode": Mode.MIXED}, {"mode": Mode.MULTI_CARD}, {"mode": Mode.CLOSE_CALLS}, {"mode": Mode.INSURANCE},
          *({"mode": Mode.FOCUS, "focus": focus} for focus in ("hard", "soft", "pair")))
_SITUATIONS_A_PLAN, _HANDS_A_SITTING = 80, 50
_WRONG, _HINTED, _SLOW_SECONDS = 0.13, 0.04, 12.0
_CHUNK = 20_000


class Place(NamedTuple):
    """What the tallies know of a situation."""

    strategy_hash: str
    category: str
    row: int
    upcard_rank: int
    mode: str


@dataclass(frozen=True)
class _Case:
    """A judged situation and what is stored of it, whoever answers it and whatever they answer."""

    plan: Plan
    situation: Situation
    judgement: Judgement
    rule_set_id: int
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    place: Place
    columns: tuple[object, ...]


@dataclass
class _Sums:
    """Sums as ``trainer.storage.tallies`` keeps them."""

    decisions: int = 0
    right: int = 0
    hinted: int = 0
    ev_lost: float = 0.0
    ev_cost: float = 0.0
    times: Counter[int] = field(default_factory=Counter)

    def add(self, is_right: bool, is_hinted: bool, cost: float, bucket: int) -> None:
        if is_hinted:
            self.hinted += 1
            return
        self.decisions += 1
        self.right += is_right
        self.ev_lost += 0.0 if is_right else cost
        self.ev_cost += cost
        self.times[bucket] += 1

    def columns(self) -> tuple[object, ...]:
        return (self.decisions, self.right, self.hinted, self.ev_lost, self.ev_cost, timing.to_text(self.times))


@dataclass(frozen=True)
class Lesson:
    """Mistakes that there are to be: so many with this move, or any, in situations that fit.

    They are spread over the history, or begin so many days ago.
    """

    count: int
    fits: Callable[[Place], bool]
    move: str = ""
    days_ago: int | None = None


def build(
    app: Flask, database: Path, visitor: str, count: int, lessons: Sequence[Lesson] = (), seed: int = 1
) -> None:
    """Give a visitor so many decisions of the last three years, the last a few minutes ago; ``lessons`` among them."""
    random, end = Random(seed), datetime.now(UTC) - timedelta(minutes=5)
    with app.app_context(), transaction(writes=True) as connection:
        user_id = ensure_user(connection, visitor, end - SPAN).id
        rule_sets = {key: ensure_rule_set(connection, RULE_SETS[key]) for key in RULES_KEYS}
    cases = _cases(app, rule_sets, random)
    history = _History(user_id, cases, count, end, random, lessons)
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        connection.execute("PRAGMA cache_size=-400000")
        for number in range(0, count, _CHUNK):
            rows = list(history.rows(range(number, min(number + _CHUNK, count))))
            _insert(connection, "decisions", _DECISION_COLUMNS, rows)
        _insert(connection, "practice_sessions", _SITTING_COLUMNS, history.sittings)
        _insert(connection, "tallies", _TALLY_COLUMNS, history.tallies())
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


_CASE_COLUMNS = ("rule_set_id", "plan", "mode", "cards", "upcard", "tens_left", "cards_left", "category", "row",
                 "upcard_rank", "legal", "chart_move", "exact_move", "evs")
_DECISION_COLUMNS = (*_CASE_COLUMNS, "token", "user_id", "session_id", "position", "chosen", "ev_cost", "grading",
                     "is_right", "is_hinted", "is_mistake", "is_slow", "time_ms", "day", "created_at")
_SITTING_COLUMNS = ("id", "user_id", "started_at", "last_at", "is_ended", "hands", "right", "hinted", "streak",
                    "ev_lost", "times")
_TALLY_COLUMNS = ("user_id", "scope", "strategy_hash", "category", "row", "upcard_rank", "mode", "day", "decisions",
                  "right", "hinted", "ev_lost", "ev_cost", "times")


def _cases(app: Flask, rule_sets: dict[str, int], random: Random) -> list[_Case]:
    cases = []
    for rules_key, rule_set_id in rule_sets.items():
        rules = RULE_SETS[rules_key]
        strategy = app.extensions["strategies"].get(rules)
        for mode in _MODES:
            plan = Plan(rules_key, **mode)
            if plan.mode is Mode.INSURANCE and rules.insurance == "none":
                continue
            for _ in range(_SITUATIONS_A_PLAN):
                situation = deal(rules, strategy, plan, random)
                cases.append(_case(plan, situation, judge(strategy, situation), rule_set_id))
    return [case for case in cases if case.wrong]


def _case(plan: Plan, situation: Situation, judgement: Judgement, rule_set_id: int) -> _Case:
    cell, unseen = situation.cell, situation.unseen
    right = tuple(move for move in judgement.evs if grade(judgement, move).is_right)
    row, upcard_rank = cell.row if cell else ALL_ROWS, situation.upcard.rank
    return _Case(
        plan, situation, judgement, rule_set_id, right,
        tuple(move for move in judgement.evs if move not in right),
        Place(situation.rules.strategy_hash, situation.category, row, upcard_rank, str(plan.mode)),
        (rule_set_id, plan.to_query(), str(plan.mode), situation.cards_text, str(situation.upcard),
         unseen.tens if unseen else None, unseen.cards if unseen else None, situation.category, row, upcard_rank,
         ",".join(situation.legal), judgement.chart, judgement.exact, json.dumps(dict(judgement.evs))),
    )


class _History:
    """Rows of the tables, one decision after the other."""

    def __init__(
        self, user_id: int, cases: Sequence[_Case], count: int, end: datetime, random: Random,
        lessons: Sequence[Lesson],
    ) -> None:
        self._user_id, self._cases, self._random = user_id, cases, random
        self._count, self._end = count, end
        self._lessons = {number: lesson for offset, lesson in enumerate(lessons)
                         for number in self._numbers_of(lesson, offset)}
        self._tallies: defaultdict[tuple[object, ...], _Sums] = defaultdict(_Sums)
        self._sitting, self._streak, self._started = _Sums(), 0, ""
        self.sittings: list[tuple[object, ...]] = []

    def rows(self, numbers: range) -> Iterator[tuple[object, ...]]:
        """Decisions by number, counted in the tallies and sittings as they come."""
        for number in numbers:
            yield self._row(number)

    def tallies(self) -> list[tuple[object, ...]]:
        return [(self._user_id, *key, *sums.columns()) for key, sums in self._tallies.items()]

    def _row(self, number: int) -> tuple[object, ...]:
        random = self._random
        if lesson := self._lessons.get(number):
            case, chosen = random.choice([(case, move) for case in self._cases for move in case.wrong
                                          if lesson.fits(case.place) and lesson.move in ("", move)])
            is_hinted = False
        else:
            case, is_hinted = random.choice(self._cases), random.random() < _HINTED
            chosen = random.choice(case.wrong if random.random() < _WRONG else case.right)
        graded = grade(case.judgement, chosen)
        seconds = timing.capped(random.lognormvariate(1.0, 0.6))
        now = self._time_of(number)
        self._tally(case, graded.is_right, is_hinted, graded.ev_cost, seconds, now)
        self._sit(number, graded.is_right, is_hinted, graded.ev_cost, seconds, now)
        return (
            *case.columns, base64.urlsafe_b64encode(random.randbytes(16))[:22].decode(), self._user_id,
            number // _HANDS_A_SITTING + 1, number % _HANDS_A_SITTING, chosen, graded.ev_cost, "chart",
            graded.is_right, is_hinted, not graded.is_right and not is_hinted,
            not is_hinted and seconds > _SLOW_SECONDS, None if is_hinted else round(seconds * 1000),
            str(now.date()), _stored(now),
        )

    def _numbers_of(self, lesson: Lesson, offset: int) -> Sequence[int]:
        """Which decisions are its mistakes: spread over the whole history, or one after the other."""
        if lesson.days_ago is None:
            return range(offset, self._count, self._count // lesson.count)
        start = self._end - timedelta(days=lesson.days_ago)
        first = next(number for number in range(self._count) if self._time_of(number) >= start)
        return range(first, first + lesson.count)

    def _time_of(self, number: int) -> datetime:
        """Sittings are spread evenly; within one a hand takes five seconds."""
        sitting, hand = divmod(number, _HANDS_A_SITTING)
        last = (self._count - 1) // _HANDS_A_SITTING
        start = self._end - timedelta(seconds=5 * _HANDS_A_SITTING) - SPAN * (last - sitting) / max(last, 1)
        return start + timedelta(seconds=5 * hand)

    def _tally(
        self, case: _Case, is_right: bool, is_hinted: bool, cost: float, seconds: float, now: datetime
    ) -> None:
        strategy_hash, category, row, upcard, mode = case.place
        day, every = str(now.date()), ALL_DAYS.isoformat()
        bucket = timing.bucket_of(seconds)
        for key in (
            (CELL_DAY, strategy_hash, category, row, upcard, mode, day),
            (CELL, strategy_hash, category, row, upcard, ALL_MODES, every),
            (CATEGORY_DAY, strategy_hash, category, ALL_ROWS, ALL_ROWS, ALL_MODES, day),
            (CATEGORY_MONTH, strategy_hash, category, ALL_ROWS, ALL_ROWS, ALL_MODES, f"{day[:7]}-01"),
            (CATEGORY, strategy_hash, category, ALL_ROWS, ALL_ROWS, ALL_MODES, every),
        ):
            self._tallies[key].add(is_right, is_hinted, cost, bucket)

    def _sit(
        self, number: int, is_right: bool, is_hinted: bool, cost: float, seconds: float, now: datetime
    ) -> None:
        sitting, hand = divmod(number, _HANDS_A_SITTING)
        if hand == 0:
            self._sitting, self._streak, self._started = _Sums(), 0, _stored(now)
        sums = self._sitting
        sums.add(is_right, is_hinted, cost, timing.bucket_of(seconds))
        self._streak = self._streak if is_hinted else self._streak + 1 if is_right else 0
        if hand == _HANDS_A_SITTING - 1 or number == self._count - 1:
            self.sittings.append((
                sitting + 1, self._user_id, self._started, _stored(now), number < self._count - 1, hand + 1,
                sums.right, sums.hinted, self._streak, sums.ev_lost, timing.to_text(sums.times)))


def _stored(now: datetime) -> str:
    """A time as SQLAlchemy has SQLite keep it."""
    return now.strftime("%Y-%m-%d %H:%M:%S.%f")


def _insert(
    connection: sqlite3.Connection, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]]
) -> None:
    names, marks = ", ".join(f'"{name}"' for name in columns), ", ".join("?" * len(columns))
    connection.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", rows)
