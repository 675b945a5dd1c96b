"""Where rate limits are counted when one process serves: in its memory, at the cost of a dictionary look-up.

The memory storage that the library brings starts a thread for nearly every count and never forgets a key.
"""

import time
from collections import deque
from threading import Lock

from limits.storage import MemoryStorage

SWEEP_SECONDS = 60.0


class ProcessStorage(MemoryStorage):
    """Moving windows as queues of times; those that have run out are swept away once a minute."""

    STORAGE_SCHEME = ["process"]  # noqa: RUF012 - as the library has it

    def __init__(self, uri: str | None = None, wrap_exceptions: bool = False, **options: str) -> None:
        super().__init__(uri, wrap_exceptions, **options)
        self._lock = Lock()
        self._windows: dict[str, tuple[int, deque[float]]] = {}
        self._swept_at = time.time()

    def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Count ``amount`` unless that makes more than ``limit`` in the last ``expiry`` seconds; whether it did."""
        now = time.time()
        with self._lock:
            self._sweep(now)
            times = self._windows.setdefault(key, (expiry, deque()))[1]
            while times and times[0] <= now - expiry:
                times.popleft()
            if len(times) + amount > limit:
                return False
            times.extend([now] * amount)
            return True

    def get_moving_window(self, key: str, limit: int, expiry: int) -> tuple[float, int]:  # noqa: ARG002
        """When the oldest count of the window was made, and how many there are."""
        now = time.time()
        with self._lock:
            times = [each for each in self._windows.get(key, (expiry, ()))[1] if each > now - expiry]
        return (times[0] if times else now), len(times)

    def _sweep(self, now: float) -> None:
        if now - self._swept_at >= SWEEP_SECONDS:
            self._swept_at = now
            self._windows = {key: (expiry, times) for key, (expiry, times) in self._windows.items()
                             if times and times[-1] > now - expiry}
