"""Rule sets that nobody has asked for before: how fast each is looked at, and what that does to those who drill."""

import os
import resource
import statistics
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from pathlib import Path
from random import Random
from urllib.parse import urlencode

import flask_migrate
from threadpoolctl import threadpool_limits

from app import create_app
from bench.answers import Visitor
from bench.server import Load, load, serving
from bench.timing import aim, yardstick_seconds
from trainer.config import Settings
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import FIELDS, Rules
from trainer.engine.variation import single_changes
from trainer.service.appraisal import Appraiser
from trainer.service.strategies import StrategyCache

PREVIEWS, BURST = 40, 100
CONNECTIONS, ROUNDS, SECONDS = 20, 3, 4.0
_PREVIEWERS = 4


def run() -> None:
    """Print every figure with its aim; wall time, and processor time where others may share the machine."""
    print(f"Yardstick: {yardstick_seconds():.3f} s")
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, threadpool_limits(1):
        _previews(Path(folder))
        _changes(Path(folder))
        _memory(Path(folder))
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        _drill_beside_previews(Path(folder))


def new_rules(random: Random, count: int) -> list[Rules]:
    """Rule sets of one to eight decks that differ in strategy."""
    choices = {name: field.choices for name, field in FIELDS.items() if field.choices}
    found: dict[str, Rules] = {}
    while len(found) < count:
        rules = Rules.from_mapping({name: random.choice(values) for name, values in choices.items()})
        found[rules.strategy_hash] = rules
    return list(found.values())


def _previews(folder: Path) -> None:
    """The builder's answer to a change, by htmx, each of a rule set never seen."""
    app = create_app({"SETTINGS": Settings(folder / "previews")})
    with app.app_context():
        flask_migrate.upgrade()
    client = app.test_client()
    client.get("/rules/hall-of-thoth")
    times, cpu = [], []
    for rules in new_rules(Random(1), PREVIEWS):
        start, start_cpu = time.perf_counter(), time.process_time()
        response = client.get(f"/rules/hall-of-thoth?{urlencode(rules.to_text())}", headers={"HX-Request": "true"})
        times.append(1000 * (time.perf_counter() - start))
        cpu.append(1000 * (time.process_time() - start_cpu))
        if response.status_code != 200:
            raise RuntimeError(f"a preview answered {response.status}")
    for name, values in (("wall", times), ("processor", cpu)):
        print(f"preview of a rule set never seen, {name:9}: median {statistics.median(values):4.0f} ms, "
              f"slowest of {PREVIEWS} {max(values):4.0f} ms" + aim(max(values), 500, " ms"))


def _changes(folder: Path) -> None:
    """Every single change of each rule set that ships, from nothing."""
    for key, rules in RULE_SETS.items():
        appraiser = Appraiser(StrategyCache(folder / key))
        start, start_cpu = time.perf_counter(), time.process_time()
        for each in (rules, *(change.rules for change in single_changes(rules))):
            appraiser.appraise(each)
        wall, cpu = time.perf_counter() - start, time.process_time() - start_cpu
        print(f"worth of {len(single_changes(rules))} changes of {key:14}: wall {wall:.2f} s, processor {cpu:.2f} s"
              + aim(cpu, 5, " s"))


def _memory(folder: Path) -> None:
    """What a burst of rule sets leaves behind, measured from when dealer odds for a few shoes are there."""
    rules = new_rules(Random(2), 2 * BURST)
    appraiser = Appraiser(StrategyCache(folder / "burst"))
    sizes = []
    for part in (rules[:BURST], rules[BURST:]):
        for each in part:
            appraiser.appraise(each)
        sizes.append(_resident_mb())
    print(f"resident after {BURST} rule sets {sizes[0]:.0f} MB, after {2 * BURST} {sizes[1]:.0f} MB"
          + aim(sizes[1] - sizes[0], 16, " MB more"))
    print(f"peak so far {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def _resident_mb() -> float:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def _drill_beside_previews(folder: Path) -> None:
    """Answers under gunicorn, without and with people who look at one new rule set after another."""
    app = create_app({"SETTINGS": Settings(folder)})
    with app.app_context():
        flask_migrate.upgrade()
    visitors = [Visitor(app) for _ in range(CONNECTIONS)]
    loads: dict[str, list[Load]] = {"alone": [], "beside previews": []}
    statuses: Counter[int] = Counter()
    with serving("app:create_app()", folder) as server:
        load(server, [each.answers(8) for each in visitors], SECONDS)
        for number in range(ROUNDS):
            loads["alone"].append(load(server, [each.answers(120) for each in visitors], SECONDS))
            with _previewing(server.port, Random(number), statuses):
                loads["beside previews"].append(load(server, [each.answers(120) for each in visitors], SECONDS))
    for name, found in loads.items():
        p50, p99 = (statistics.median(each.percentile_ms(percent) for each in found) for percent in (50, 99))
        print(f"answers {name:15}: {statistics.median(each.per_second for each in found):5.0f}/s  p50 {p50:5.0f} ms  "
              f"p99 {p99:5.0f} ms")
    print(f"previews meanwhile, by status: {dict(statuses)} ({_PREVIEWERS} people; 503 asks to come back in a second)")


class _previewing:  # noqa: N801 - a context manager
    """Several people who change rules as fast as they are answered, until the end."""

    def __init__(self, port: int, random: Random, statuses: Counter[int]) -> None:
        self._port, self._statuses, self._stop = port, statuses, threading.Event()
        self._threads = [threading.Thread(target=self._look, args=(Random(random.random()),))
                         for _ in range(_PREVIEWERS)]

    def __enter__(self) -> None:
        for thread in self._threads:
            thread.start()

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _look(self, random: Random) -> None:
        while not self._stop.is_set():
            query = urlencode(new_rules(random, 1)[0].to_text())
            request = urllib.request.Request(f"http://127.0.0.1:{self._port}/rules/hall-of-thoth?{query}")
            try:
                with urllib.request.urlopen(request, timeout=30) as response:
                    self._statuses[response.status] += 1
            except urllib.error.HTTPError as error:
                self._statuses[error.code] += 1
                self._stop.wait(float(error.headers.get("Retry-After", 1)))
