"""Many players at once, in a process of its own: ``python -m bench.table_load < job``; prints times in milliseconds.

The job is JSON: ``port``, ``seconds``, ``think`` (the longest pause before a request), one of ``cookies`` a player.
"""

import asyncio
import json
import sys
import time
from itertools import chain
from random import Random
from urllib.parse import urlencode

from bench.tables import next_request


async def _exchange(port: int, request: str) -> str:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request.encode())
    answer = (await reader.read()).decode()
    writer.close()
    if " 200 " not in answer[:20]:
        raise RuntimeError(answer[:200])
    return answer


async def _play(port: int, cookie: str, seconds: float, think: float, random: Random) -> list[float]:
    head = f"Host: 127.0.0.1\r\nConnection: close\r\nCookie: session={cookie}\r\n"
    page = await _exchange(port, f"GET /tables/openseat HTTP/1.1\r\n{head}\r\n")
    times, end = [], time.perf_counter() + seconds
    while True:
        await asyncio.sleep(2 * think * random.random())
        if time.perf_counter() >= end:
            return times
        what, data = next_request(page, random)
        body = urlencode(data, doseq=True)
        start = time.perf_counter()
        page = await _exchange(port, f"POST /tables/openseat/{what} HTTP/1.1\r\n{head}HX-Request: true\r\n"
                               "Content-Type: application/x-www-form-urlencoded\r\n"
                               f"Content-Length: {len(body)}\r\n\r\n{body}")
        times.append(1000 * (time.perf_counter() - start))


async def _all(port: int, seconds: float, think: float, cookies: list[str]) -> list[float]:
    players = (_play(port, cookie, seconds, think, Random(cookie)) for cookie in cookies)
    return list(chain.from_iterable(await asyncio.gather(*players)))


if __name__ == "__main__":
    json.dump(asyncio.run(_all(**json.load(sys.stdin))), sys.stdout)
