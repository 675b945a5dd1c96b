"""The pages that look back, with a million decisions stored against a thousand.

Of a thousand decisions few would be mistakes that a narrow filter passes, and a short list is drawn sooner than a full
page whatever lies behind it. So the thousand have enough of these among them: both sides list 25.
"""

import re
import secrets
import sqlite3
import statistics
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from random import Random
from urllib.parse import quote

import flask_migrate

from app import create_app
from bench.history import RULES_KEYS, Lesson, build
from bench.timing import aim
from trainer.config import Settings
from trainer.drill.plan import Plan
from trainer.drill.select import deal
from trainer.engine.presets import RULE_SETS
from trainer.storage.questions import add_question
from trainer.storage.transaction import transaction
from trainer.storage.users import ensure_rule_set

FEW, MANY = 1_000, 1_000_000
_RUNS, _WARM_UP = 30, 5


def run(folder: Path) -> None:
    """Print how long every page takes with many and with few decisions; ``folder`` is for the databases."""
    few, many = _Client(folder / "few", FEW, _LESSONS), _Client(folder / "many", MANY)
    size = many.database.stat().st_size
    print(f"{MANY:,} decisions made in {many.built_seconds:.0f} s; database {size / 2**20:.0f} MB, "
          f"{size / MANY:.0f} bytes a decision with indexes and tallies")
    print("where few would have less than a page of mistakes for a filter, they are given one")
    print(f"{'page (rows listed with few, with many)':50} {f'{FEW:,}':>9} {f'{MANY:,}':>9} {'ratio':>6}")
    for name, path in _PAGES.items():
        here, there = path(few), path(many)
        rows = f" ({few.rows(here)}, {many.rows(there)})" if "mistakes" in name else ""
        _print(name + rows, lambda path=here: few.seconds(path), lambda path=there: many.seconds(path))
    _print("one answer", few.answer_seconds, many.answer_seconds)


class _Client:
    """A browser on an application with a history."""

    def __init__(self, instance: Path, count: int, lessons: Sequence[Lesson] = ()) -> None:
        self._app = create_app({"SETTINGS": Settings(instance), "WTF_CSRF_ENABLED": False})
        with self._app.app_context():
            flask_migrate.upgrade()
        self._client, self._random = self._app.test_client(), Random(2)
        self._client.get("/")
        with self._client.session_transaction() as session:
            self._visitor = session["visitor"]
        self.database = instance / "trainer.db"
        start = time.perf_counter()
        build(self._app, self.database, self._visitor, count, lessons)
        self.built_seconds = time.perf_counter() - start

    def seconds(self, path: str) -> float:
        """How long one request takes."""
        start = time.perf_counter()
        response = self._client.get(path)
        seconds = time.perf_counter() - start
        if response.status_code != 200:
            raise RuntimeError(f"{path} answered {response.status}")
        return seconds

    def rows(self, path: str) -> int:
        """How many mistakes a page lists."""
        return self._client.get(path).text.count("<time ")

    def answer_seconds(self) -> float:
        """How long one answer takes, its hand dealt before."""
        rules, token = RULE_SETS[Plan().rules_key], secrets.token_urlsafe(16)
        with self._app.app_context(), transaction(writes=True) as connection:
            situation = deal(rules, self._app.extensions["strategies"].get(rules), Plan(), self._random)
            add_question(connection, token=token, visitor=self._visitor, plan=Plan().to_query(), position=0,
                         rule_set_id=ensure_rule_set(connection, rules), situation=situation,
                         dealt_at=datetime.now(UTC))
        start = time.perf_counter()
        response = self._client.post(f"/hand/{token}", data={"action": "stand"}, headers={"HX-Request": "true"})
        seconds = time.perf_counter() - start
        if response.status_code != 200 or not re.search('id="verdict"', response.text):
            raise RuntimeError(f"an answer got {response.status}")
        return seconds

    def middle(self, order: str) -> str:
        """The ``after`` of a page half-way down the list of mistakes."""
        with closing(sqlite3.connect(self.database)) as connection:
            half = connection.execute("SELECT count(*) / 2 FROM decisions WHERE is_mistake").fetchone()[0]
            cost, at, key = connection.execute(
                f"SELECT ev_cost, created_at, id FROM decisions WHERE is_mistake ORDER BY {order} LIMIT 1 OFFSET ?",
                (half,)).fetchone()
        return quote(f"{cost!r},{at.replace(' ', 'T')}+00:00,{key}")

    def month(self, days_ago: int) -> str:
        """The dates of a month from the first decision on that is no longer ago."""
        with closing(sqlite3.connect(self.database)) as connection:
            first = date.fromisoformat(connection.execute("SELECT min(day) FROM decisions WHERE day >= ?", (
                str(datetime.now(UTC).date() - timedelta(days=days_ago)),)).fetchone()[0])
        return f"since={first}&until={first + timedelta(days=30)}"


_ONE, _LAST, _LONG_AGO = RULES_KEYS[0], RULES_KEYS[-1], 730
_LESSONS = (
    Lesson(30, lambda case: (case.category, case.upcard_rank, case.strategy_hash) == (
        "pair", 10, RULE_SETS[_LAST].strategy_hash)),
    Lesson(30, lambda case: (case.category, case.row, case.upcard_rank) == ("hard", 16, 10)),
    Lesson(30, lambda case: (case.category, case.row, case.upcard_rank) == ("hard", 16, 10), "stand", _LONG_AGO),
)
_PAGES: dict[str, Callable[[_Client], str]] = {
    "/": lambda _: "/",
    "/progress": lambda _: "/progress",
    "/progress, 90 days": lambda _: "/progress?period=90",
    "/progress, one rule set, 30 days": lambda _: f"/progress?period=30&rules={_ONE}",
    "/mistakes": lambda _: "/mistakes",
    "/mistakes, costliest": lambda _: "/mistakes?order=costliest",
    "/mistakes, hard hands": lambda _: "/mistakes?category=hard",
    "/mistakes, v ten, costliest": lambda _: "/mistakes?order=costliest&upcard=T",
    "/mistakes, one rule set": lambda _: f"/mistakes?rules={_LAST}",
    "/mistakes, pairs v ten, one rule set": lambda _: f"/mistakes?category=pair&upcard=T&rules={_LAST}",
    "/mistakes, hard 16 v ten": lambda _: "/mistakes?row=h16&upcard=T",
    "/mistakes, hard 16 v ten, costliest": lambda _: "/mistakes?row=h16&upcard=T&order=costliest",
    "/mistakes, hard 16 v ten, one rule set": lambda _: f"/mistakes?row=h16&upcard=T&rules={_ONE}",
    "/mistakes, hard 16 v ten, stood, a month": lambda client: (
        f"/mistakes?row=h16&upcard=T&move=stand&{client.month(_LONG_AGO)}"),
    "/mistakes, doubled, costliest": lambda _: "/mistakes?move=double&order=costliest",
    "/mistakes, a move that is never made": lambda _: "/mistakes?move=surrender",
    "/mistakes, such a move, costliest": lambda _: "/mistakes?move=surrender&order=costliest",
    "/mistakes, stood, a month two years ago": lambda client: f"/mistakes?move=stand&{client.month(_LONG_AGO)}",
    "/mistakes, by cell": lambda _: "/mistakes?order=cells",
    "/mistakes, a filter that nothing passes": lambda _: "/mistakes?category=insurance&upcard=5",
    "/mistakes, half-way down": lambda client: f"/mistakes?after={client.middle('created_at DESC, id DESC')}",
    "/mistakes, half-way down, costliest": lambda client: (
        f"/mistakes?order=costliest&after={client.middle('ev_cost DESC, created_at DESC, id DESC')}"),
}


def _print(name: str, few: Callable[[], float], many: Callable[[], float]) -> None:
    """Medians of runs in turn, so that both see the same machine."""
    times = [(few(), many()) for _ in range(_RUNS + _WARM_UP)][_WARM_UP:]
    short, long = (statistics.median(column) * 1000 for column in zip(*times, strict=True))
    print(f"{name:50} {short:6.2f} ms {long:6.2f} ms {long / short:6.2f}{aim(long / short, 1.5)}")
