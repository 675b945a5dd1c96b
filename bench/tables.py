"""A move at a table, from request to fragment; and two hundred tables at once on two workers."""

import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

import flask_migrate
from flask.testing import FlaskClient

from app import create_app
from bench.server import ROOT, serving
from bench.timing import aim
from trainer.config import Settings

MOVES, TABLES, SECONDS, THINK_SECONDS = 300, 200, 20.0, 4.0
_HIDDEN = re.compile(r'name="(csrf_token|number|step|box)" value="([^"]*)"')
_ANSWER = re.compile(r'name="action" value="([a-z ]+)"')


def run() -> None:
    """Print the medians of moves, each judged for the cards in view, and what many at once wait for."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        app = create_app({"SETTINGS": Settings(Path(folder))})
        with app.app_context():
            flask_migrate.upgrade()
        for key, fields in (("openseat", {}), ("scribes", {"own": "2", "residents": "3", "place": "1"})):
            moves, bets = _play(app.test_client(), key, fields, Random(1))
            print(f"{key:9} a move {_figures(moves)}{aim(statistics.median(moves), 60, ' ms in the middle')}"
                  f"   a bet {_figures(bets)}")
        cookies = [_seated(app.test_client()) for _ in range(TABLES)]
        _many(Path(folder), cookies)


def _play(client: FlaskClient, key: str, fields: dict[str, str], random: Random) -> tuple[list[float], list[float]]:
    """Times in milliseconds of moves and of bets."""
    page = _sit(client, key, fields)
    times: dict[str, list[float]] = {"answer": [], "bet": []}
    while len(times["answer"]) < MOVES:
        what, data = next_request(page, random)
        start = time.perf_counter()
        response = client.post(f"/tables/{key}/{what}", data=data, headers={"HX-Request": "true"})
        times[what].append(1000 * (time.perf_counter() - start))
        page = response.text
    return times["answer"], times["bet"]


def next_request(page: str, random: Random) -> tuple[str, dict[str, str | list[str]]]:
    """What a player does next on a page: a bet of the smallest, or any open answer; and the form for it."""
    form = page[page.index('class="moves bar') :]
    data: dict[str, str | list[str]] = dict(reversed(_HIDDEN.findall(form[: form.index("</form>")])))
    answers = _ANSWER.findall(form)
    if answers:
        return "answer", data | {"action": random.choice(answers)}
    return "bet", data | {"bet": re.findall(r'name="bet" value="(\d+)"', form)}


def _sit(client: FlaskClient, key: str, fields: dict[str, str]) -> str:
    token = dict(_HIDDEN.findall(client.get(f"/tables/{key}").text))["csrf_token"]
    client.post(f"/tables/{key}/sit", data=fields | {"csrf_token": token})
    return client.get(f"/tables/{key}").text


def _seated(client: FlaskClient) -> str:
    _sit(client, "openseat", {})
    cookie = client.get_cookie("session")
    return "" if cookie is None else cookie.value


def _many(instance: Path, cookies: list[str]) -> None:
    with serving("app:create_app()", instance) as server:
        job = json.dumps({"port": server.port, "seconds": SECONDS, "think": THINK_SECONDS, "cookies": cookies})
        done = subprocess.run([sys.executable, "-m", "bench.table_load"], input=job, capture_output=True, text=True,
                              check=True, cwd=ROOT, timeout=SECONDS + 60)
    times = sorted(json.loads(done.stdout))
    p50, p99 = (times[int(len(times) * share)] for share in (0.5, 0.99))
    print(f"{TABLES} tables, 2 workers, a request every {THINK_SECONDS:.0f} s each: {len(times) / SECONDS:.0f}/s  "
          f"p50 {p50:.0f} ms  p99 {p99:.0f} ms")


def _figures(times: list[float]) -> str:
    ordered = sorted(times)
    return f"p50 {statistics.median(ordered):5.1f} ms  p99 {ordered[int(len(ordered) * 0.99)]:5.1f} ms"
