"""Taking one's data along: export and import of a long history, in seconds and peak memory."""

import multiprocessing
import shutil
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import flask_migrate
from flask import Flask

from bench.history import build
from trainer.config import Settings
from trainer.service import recount
from trainer.service.own_data import export_csv, export_json

DECISIONS = 100_000
_VISITOR, _OTHER = "b" * 32, "c" * 32


def run() -> None:
    """Print how long each takes for 100,000 decisions, and how much memory it needs beyond that of the program."""
    with tempfile.TemporaryDirectory(prefix="bench-data-") as name:
        folder = Path(name)
        app = _app(folder / "one")
        build(app, folder / "one" / "trainer.db", _VISITOR, DECISIONS)
        _measure("export, JSON", _export_json, folder)
        _measure("export, CSV", _export_csv, folder)
        shutil.copytree(folder / "one" / "strategies", folder / "other" / "strategies")
        _measure("import, upload", _upload, folder)
        _measure("import, steps", _steps, folder)
        _measure("import again", _again, folder)
        _measure("beside another", _beside, folder)
        _measure("recount", _recount, folder)


def _measure(name: str, work: Callable[[Path], str], folder: Path) -> None:
    """Each in a process of its own, whose peak is its own."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        seconds, megabytes, told = pool.apply(_timed, (work, folder))
    print(f"{name:15}: {seconds:6.1f} s  {megabytes:5.0f} MB more at the peak  {told}")


def _timed(work: Callable[[Path], str], folder: Path) -> tuple[float, float, str]:
    for name in ("one", "other"):
        _app(folder / name)
    before, start = _peak(), time.perf_counter()
    told = work(folder)
    return time.perf_counter() - start, _peak() - before, told


def _peak() -> float:
    """This process's largest size so far, in megabytes; not its parent's, which ``getrusage`` would pass on."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def _export_json(folder: Path) -> str:
    with _app(folder / "one").app_context(), (folder / "export.json").open("w") as file:
        file.writelines(export_json(_VISITOR, None, datetime.now(UTC)))
    return f"{(folder / 'export.json').stat().st_size / 2**20:.0f} MB"


def _export_csv(folder: Path) -> str:
    with _app(folder / "one").app_context():
        return f"{sum(map(len, export_csv(_VISITOR, str))) / 2**20:.0f} MB"


def _upload(folder: Path) -> str:
    app = _app(folder / "other")
    with app.app_context(), (folder / "export.json").open("rb") as file:
        return f"{app.extensions['importer'].begin(_OTHER, file, datetime.now(UTC)).total:,} decisions"


def _steps(folder: Path) -> str:
    return _work_off(_app(folder / "other"), _OTHER)


def _again(folder: Path) -> str:
    app = _app(folder / "other")
    with app.app_context(), (folder / "export.json").open("rb") as file:
        app.extensions["importer"].begin(_OTHER, file, datetime.now(UTC))
    return _work_off(app, _OTHER)


def _beside(folder: Path) -> str:
    """By somebody else on the same server: every token is taken already."""
    app = _app(folder / "one")
    with app.app_context(), (folder / "export.json").open("rb") as file:
        app.extensions["importer"].begin(_OTHER, file, datetime.now(UTC))
    return _work_off(app, _OTHER)


def _work_off(app: Flask, visitor: str) -> str:
    longest, steps = 0.0, 0
    with app.app_context():
        while True:
            start = time.perf_counter()
            progress = app.extensions["importer"].step(visitor, datetime.now(UTC))
            longest, steps = max(longest, time.perf_counter() - start), steps + 1
            if progress.is_over:
                return f"{progress.added:,} new, {steps} steps, the longest {longest:.1f} s"


def _recount(folder: Path) -> str:
    with _app(folder / "other").app_context():
        found = [each for report in recount.recount(None, fix=False) for each in report.differences]
    return f"{len(found)} differences"


def _app(instance: Path) -> Flask:
    from app import create_app

    app = create_app({"SETTINGS": Settings(instance, secret_key="bench")})
    if not (instance / "trainer.db").exists():
        with app.app_context():
            flask_migrate.upgrade()
    return app
