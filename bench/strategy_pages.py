"""Charts, cells, the calculator and insurance: how long the server takes for a page."""

import statistics
import tempfile
import time
from pathlib import Path

import flask_migrate
from flask.testing import FlaskClient

from app import create_app
from bench.timing import aim, median_seconds
from trainer.config import Settings

_RUNS = 30
_SEEN = "55TTA92277KQJ34866A"
# Path and the most milliseconds that are aimed at.
_PAGES = {
    "chart": ("/charts/shoe-h17", 30),
    "exact table": ("/charts/shoe-h17?table=exact", 30),
    "chart, built rules": ("/charts/decks~2.surrender~early.shuffle~hand", 30),
    "cell, the one with most hands": ("/charts/hall-of-thoth/h16/T", 50),
    "calculator, hard": ("/hands/T6/T?rules=hall-of-thoth", 150),
    "calculator, soft, cards seen": (f"/hands/A7/9?rules=hall-of-thoth&seen={_SEEN}", 150),
    "calculator, low pair": ("/hands/22/7?rules=hall-of-thoth", 150),
    "calculator, low pair, cards seen": (f"/hands/22/7?rules=hall-of-thoth&seen={_SEEN}", 150),
    "calculator, eight decks, aces": ("/hands/AA/T?rules=decks~8.resplit_aces~yes.hit_split_aces~yes", 150),
    "insurance": ("/insurance?rules=hall-of-thoth&tens=3&others=40", 30),
    "chart.csv": ("/charts/shoe-h17/chart.csv", 30),
    "evs.csv": ("/charts/shoe-h17/evs.csv", 2_000),
}


def run() -> None:
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        app = create_app({"SETTINGS": Settings(Path(folder))})
        with app.app_context():
            flask_migrate.upgrade()
        client = app.test_client()
        _print_first(client)
        for name, (path, limit) in _PAGES.items():
            runs = 3 if name == "evs.csv" else _RUNS
            _get(client, path)  # solved, and its template compiled, before it counts
            milliseconds = 1000 * median_seconds(lambda path=path: _get(client, path), runs)
            print(f"{name:36} {milliseconds:7.1f} ms{aim(milliseconds, limit, ' ms')}")


def _print_first(client: FlaskClient) -> None:
    """What a rule set costs that nobody has asked for yet: it is solved, its chart derived and surveyed."""
    times = []
    for decks in (3, 5, 7):
        start = time.perf_counter()
        _get(client, f"/charts/decks~{decks}.surrender~late")
        times.append(1000 * (time.perf_counter() - start))
    print(f"{'chart of rules never asked for':36} {statistics.median(times):7.1f} ms, solving them included")


def _get(client: FlaskClient, path: str) -> None:
    response = client.get(path, follow_redirects=True)
    if response.status_code != 200 or not response.data:
        raise RuntimeError(f"{path} answered {response.status}")


if __name__ == "__main__":
    run()
