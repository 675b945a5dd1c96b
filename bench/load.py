"""A lean client in a process of its own: ``python -m bench.load < job``; keeps every connection busy and times answers.

The job is JSON: ``port``, ``seconds``, and for each connection the list of its raw requests. It ends
when the time is up or one connection has no request left, so that all were busy all the time. Printed is JSON:
``seconds``, ``latencies`` in seconds, ``statuses`` with their counts.
"""

import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator

_CONNECT_SECONDS = 10.0


class Run:
    """What all connections of a job share."""

    def __init__(self) -> None:
        self.latencies: list[float] = []
        self.statuses: Counter[str] = Counter()
        self.is_over = asyncio.get_running_loop().create_future()

    def stop(self, fault: Exception | None = None) -> None:
        """End the job; a fault ends it with an error."""
        if self.is_over.done():
            return
        if fault:
            self.is_over.set_exception(fault)
        else:
            self.is_over.set_result(None)


class Connection(asyncio.Protocol):
    """One keep-alive connection: a request, its whole answer, the next request."""

    def __init__(self, run: Run, requests: Iterator[bytes]) -> None:
        self._run, self._requests = run, requests
        self._received = b""
        self._sent_at = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def send(self) -> None:
        """Send the next request; none left ends the job."""
        request = next(self._requests, None)
        if request is None:
            self._run.stop()
            return
        self._sent_at = time.perf_counter()
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, separator, body = self._received.partition(b"\r\n\r\n")
        if not separator or len(body) < _content_length(head):
            return
        if not self._run.is_over.done():
            self._run.latencies.append(time.perf_counter() - self._sent_at)
            self._run.statuses[head[9:12].decode()] += 1
        self._received = b""
        self.send()

    def connection_lost(self, fault: Exception | None) -> None:
        self._run.stop(fault or ConnectionError("the server closed a connection"))


def _content_length(head: bytes) -> int:
    _, _, rest = head.lower().partition(b"\r\ncontent-length:")
    return int(rest.partition(b"\r\n")[0])


async def drive(port: int, seconds: float, requests: list[list[str]]) -> dict[str, object]:
    """Keep one connection a list busy; see the module."""
    run, loop = Run(), asyncio.get_running_loop()
    connections = []
    for own in requests:
        raw = iter([each.encode() for each in own])
        opening = loop.create_connection(lambda raw=raw: Connection(run, raw), "127.0.0.1", port)
        connections.append((await asyncio.wait_for(opening, _CONNECT_SECONDS))[1])
    start = time.perf_counter()
    for connection in connections:
        connection.send()
    loop.call_later(seconds, run.stop)
    await run.is_over
    return {"seconds": time.perf_counter() - start, "latencies": run.latencies, "statuses": run.statuses}


if __name__ == "__main__":
    json.dump(asyncio.run(drive(**json.load(sys.stdin))), sys.stdout)
