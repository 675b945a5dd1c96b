"""Answers per second under gunicorn, beside a bare view that stores one row through the same stack.

On SQLite, and on PostgreSQL too where ``BENCH_POSTGRES_URL`` names an empty database.
"""

import os
import re
import secrets
import statistics
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from urllib.parse import urlencode

import flask_migrate
from flask import Flask

from bench.server import Load, load, serving
from bench.timing import aim
from trainer.config import Settings
from trainer.drill.grade import judge
from trainer.drill.plan import Plan
from trainer.drill.select import deal
from trainer.engine.presets import RULE_SETS
from trainer.storage.questions import add_question
from trainer.storage.transaction import transaction
from trainer.storage.users import ensure_rule_set

CONNECTIONS, ROUNDS, SECONDS = 50, 5, 4.0
# More than a connection can get through in a round.
_HANDS = 100
_WARM_UP_HANDS = 8
_RIGHT_SHARE = 0.85


def run(folder: Path) -> None:
    """Print answers per second and latencies; ``folder`` is for the database."""
    print(f"{CONNECTIONS} connections, 2 workers, {ROUNDS} rounds of {SECONDS:.0f} s each in turn, medians")
    _print("as shipped", *_compare(folder / "full", {}, ROUNDS))
    _print("synchronous=NORMAL", *_compare(folder / "normal", {"BENCH_SYNCHRONOUS": "NORMAL"}, 2))
    postgres = os.environ.get("BENCH_POSTGRES_URL")
    if postgres:
        _print("PostgreSQL", *_compare(folder / "postgresql", {"DATABASE_URL": postgres}, ROUNDS))
    else:
        print("PostgreSQL: not measured, BENCH_POSTGRES_URL names no database")


def _compare(instance: Path, environment: dict[str, str], rounds: int) -> tuple[list[Load], list[Load]]:
    from app import create_app

    app = create_app({"SETTINGS": Settings(instance, environment.get("DATABASE_URL", ""))})
    with app.app_context():
        flask_migrate.upgrade()
    visitors = [Visitor(app) for _ in range(CONNECTIONS)]
    answers, bare = [], []
    with (serving("bench.bare:create_trainer()", instance, environment) as trainer,
          serving("bench.bare:create_bare()", instance, environment) as bare_view):
        load(trainer, [each.answers(_WARM_UP_HANDS) for each in visitors], SECONDS)
        load(bare_view, [each.bare(_WARM_UP_HANDS) for each in visitors], SECONDS)
        for _ in range(rounds):
            answers.append(load(trainer, [each.answers(_HANDS) for each in visitors], SECONDS))
            bare.append(load(bare_view, [each.bare(_HANDS * 3) for each in visitors], SECONDS))
    return answers, bare


class Visitor:
    """A browser that has opened the page: its cookie, its CSRF token, and hands dealt ahead."""

    def __init__(self, app: Flask) -> None:
        client = app.test_client()
        page = client.get("/")
        self._app = app
        self._csrf = re.search(r'name="csrf_token" value="([^"]+)"', page.text)[1]
        self._cookie = page.headers["Set-Cookie"].partition(";")[0]
        with client.session_transaction() as session:
            self._id = session["visitor"]
        self._random = Random(self._id)

    def answers(self, count: int) -> list[str]:
        """Requests that answer so many new hands as htmx does."""
        rules = RULE_SETS[Plan().rules_key]
        strategy = self._app.extensions["strategies"].get(rules)
        requests = []
        with self._app.app_context(), transaction(writes=True) as connection:
            rule_set_id = ensure_rule_set(connection, rules)
            for position in range(count):
                situation = deal(rules, strategy, Plan(), self._random)
                token = secrets.token_urlsafe(16)
                add_question(connection, token=token, visitor=self._id, plan=Plan().to_query(), position=position,
                             rule_set_id=rule_set_id, situation=situation, dealt_at=datetime.now(UTC))
                judgement = judge(strategy, situation)
                is_right = self._random.random() < _RIGHT_SHARE
                move = judgement.chart if is_right else self._random.choice(list(judgement.evs))
                requests.append(self._post(f"/hand/{token}", action=move))
        return requests

    def bare(self, count: int) -> list[str]:
        """As many requests of the same size to the bare view."""
        return [self._post(f"/bare/{secrets.token_urlsafe(16)}", action="stand") for _ in range(count)]

    def _post(self, path: str, **fields: str) -> str:
        body = urlencode({"csrf_token": self._csrf, "time_zone": "Europe/Berlin", **fields})
        return (f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {self._cookie}\r\nHX-Request: true\r\n"
                f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n{body}")


def _print(name: str, answers: Sequence[Load], bare: Sequence[Load]) -> None:
    for label, loads in (("answers", answers), ("bare view", bare)):
        p50, p99 = (statistics.median(each.percentile_ms(percent) for each in loads) for percent in (50, 99))
        cpu_ms = statistics.median(each.cpu_ms for each in loads)
        print(f"{name}, {label:9}: {statistics.median(each.per_second for each in loads):6.0f}/s  p50 {p50:5.0f} ms"
              f"  p99 {p99:5.0f} ms  {cpu_ms:5.2f} ms of processor time each"
              + (aim(p99, 100, " ms at the 99th percentile") if label == "answers" else ""))
    ratio = statistics.median(a.per_second / b.per_second for a, b in zip(answers, bare, strict=True))
    cpu = statistics.median(b.cpu_ms / a.cpu_ms for a, b in zip(answers, bare, strict=True) if a.cpu_ms)
    print(f"{name}, ratio    : {ratio:6.2f} of the bare view's throughput, {cpu:.2f} by processor time"
          + aim(ratio, 0.6, at_least=True))
