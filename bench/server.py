"""The application under gunicorn as ``make run`` serves it, on a free port of this machine, always stopped again."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_START_SECONDS, _STOP_SECONDS = 30.0, 10.0


@dataclass(frozen=True)
class Server:
    """A running gunicorn: its port, and its master process."""

    port: int
    pid: int

    def cpu_seconds(self) -> float:
        """Processor time of all its workers so far; 0 where the system does not tell."""
        pids = Path(f"/proc/{self.pid}/task/{self.pid}/children")
        workers = pids.read_text().split() if pids.exists() else []
        fields = [Path(f"/proc/{worker}/stat").read_text().rpartition(")")[2].split() for worker in workers]
        return sum(int(each[11]) + int(each[12]) for each in fields) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(factory: str, instance: Path, environment: Mapping[str, str] | None = None) -> Iterator[Server]:
    """``factory``, served from ``instance`` with the project's own gunicorn settings."""
    with socket.create_server(("127.0.0.1", 0), backlog=128) as listening:
        port, descriptor = listening.getsockname()[1], listening.fileno()
        command = [sys.executable, "-m", "gunicorn", "--config", "gunicorn.conf.py", "--bind", f"fd://{descriptor}",
                   factory]
        server = subprocess.Popen(
            command, cwd=ROOT, pass_fds=[descriptor],
            env={**os.environ, "TRAINER_INSTANCE": str(instance), "DATABASE_URL": "", **(environment or {})})
        try:
            _wait_for(port, server)
            yield Server(port, server.pid)
        finally:
            _stop(server)


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=1):
                return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError("gunicorn did not start")


def _stop(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


@dataclass(frozen=True)
class Load:
    """What a run of ``bench.load`` measured, and what the workers had to do for it."""

    seconds: float
    latencies: Sequence[float]
    statuses: Mapping[str, int]
    cpu_seconds: float

    @property
    def cpu_ms(self) -> float:
        """Processor time of an answer."""
        return 1000 * self.cpu_seconds / len(self.latencies)

    @property
    def per_second(self) -> float:
        return len(self.latencies) / self.seconds

    def percentile_ms(self, percent: float) -> float:
        """The time within which so many per cent were answered."""
        ordered = sorted(self.latencies)
        return 1000 * ordered[min(int(len(ordered) * percent / 100), len(ordered) - 1)]


def load(server: Server, requests: Sequence[Sequence[str]], seconds: float) -> Load:
    """Send raw requests, one list a connection; every answer must be a success."""
    job = json.dumps({"port": server.port, "seconds": seconds, "requests": requests})
    before = server.cpu_seconds()
    done = subprocess.run([sys.executable, "-m", "bench.load"], input=job, capture_output=True, text=True,
                          check=True, cwd=ROOT, timeout=seconds + 30)
    found = Load(**json.loads(done.stdout), cpu_seconds=server.cpu_seconds() - before)
    if set(found.statuses) != {"200"}:
        raise RuntimeError(f"not every answer was a success: {Counter(found.statuses)}")
    return found
