"""A Redis server of a test's own, which may be stopped, frozen and started again."""

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import redis

SHARED = os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/0")


class RedisServer:
    """A process on a free port, with nothing kept on disk."""

    def __init__(self, program: str, folder: Path) -> None:
        self._program, self._folder = program, folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self._port}/0"
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(
            [self._program, "--port", str(self._port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
             "--dir", str(self._folder)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with closing(redis.Redis.from_url(self.url, retry=redis.retry.Retry(
                redis.backoff.ConstantBackoff(0.05), 200), retry_on_error=[redis.ConnectionError])) as client:
            assert client.ping()

    def count(self) -> int:
        """How many keys it holds."""
        with closing(redis.Redis.from_url(self.url)) as client:
            return client.dbsize()

    def stop(self) -> None:
        self._process.kill()
        self._process.wait(timeout=30)

    def freeze(self) -> None:
        """Keep it from answering, its port open."""
        self._process.send_signal(signal.SIGSTOP)


@contextmanager
def own_redis(folder: Path) -> Iterator[RedisServer]:
    """A private server; skips where there is no program for it, and fails where ``CI`` is ``true``."""
    program = shutil.which("redis-server")
    if program is None:
        _missing("redis-server is not on the PATH")
    server = RedisServer(str(program), folder)
    try:
        yield server
    finally:
        server.stop()


def shared_redis() -> str:
    """The address of the Redis server that the environment names, or the one on the standard port."""
    try:
        with closing(redis.Redis.from_url(SHARED, socket_connect_timeout=3)) as client:
            client.ping()
    except redis.RedisError as error:
        _missing(f"no Redis at {SHARED}: {error}")
    return SHARED


def _missing(reason: str) -> None:
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
