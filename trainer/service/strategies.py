"""Solved rule sets, kept in memory and on disk so that each is solved once."""

import hashlib
import io
import os
import tempfile
import threading
import time
import zipfile
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from trainer.engine.cards import full_shoe
from trainer.engine.odds import DealerOdds
from trainer.engine.player import Table
from trainer.engine.rules import Rules
from trainer.engine.solution import full_table
from trainer.engine.strategy import ENGINE_VERSION, Strategy, derive

_DIGEST_BYTES = 32
# Who only looks at a rule set may not fill the line, nor the server's threads, before those who play.
_MOST_VISITORS = 3
_LONGEST_PAUSE_SECONDS = 0.5


class SolverBusyError(RuntimeError):
    """Another rule set is being solved; ``retry_after_seconds`` says when to ask again."""

    def __init__(self, retry_after_seconds: int) -> None:
        super().__init__("another rule set is being worked out just now")
        self.retry_after_seconds = retry_after_seconds


class StrategyCache:
    """Strategies by strategy hash: in memory, else on disk, else solved.

    ``folder`` may not exist yet and may be shared by several processes: files are written under a
    temporary name and renamed, begin with a digest of what follows, and are replaced where
    that or their content does not fit. Nothing is unpickled. Both stores are bounded, the
    longest unused going first. One rule set is solved at a time; who has waited ``wait_seconds`` gets
    ``SolverBusyError``. Where the folder cannot be written, strategies are kept in memory only.
    """

    def __init__(
        self, folder: Path, *, in_memory: int = 24, on_disk_bytes: int = 256 * 2**20, wait_seconds: float = 5.0
    ) -> None:
        self._folder = folder
        self._in_memory = in_memory
        self._on_disk_bytes = on_disk_bytes
        self._wait_seconds = wait_seconds
        self._strategies: OrderedDict[str, Strategy] = OrderedDict()
        self._odds: OrderedDict[tuple[int, bool], DealerOdds] = OrderedDict()
        self._guard = threading.Lock()
        self._solving = threading.Lock()
        self._visiting = threading.Lock()
        self._visitors = 0

    def get(self, rules: Rules) -> Strategy:
        """The strategy of a rule set; its ``rules`` are the normalised ones, without insurance or shuffle."""
        key = rules.strategy_hash
        found = self._recall(key) or self._load(rules)
        if found is not None:
            return self._remember(key, found)
        with self._turn():
            return self._recall(key) or self._remember(key, self._load(rules) or self._solve(rules))

    def find(self, rules: Rules) -> Strategy | None:
        """The strategy of a rule set if it is in memory or on disk; never waits, and pushes nothing out."""
        return self._recall(rules.strategy_hash) or self._load(rules)

    @contextmanager
    def table(self, rules: Rules) -> Iterator[Table]:
        """A rule set's full table, to work out something that is not kept here; it is the caller's while inside.

        It shares dealer odds with what is solved, so it takes its turn with it. Only a few may stand in this line:
        anybody more gets ``SolverBusyError`` at once. While others wait in it, each pauses for as long as the work
        took, so that a crowd of lookers leaves half of the time to those who drill.
        """
        with self._place_in_line(), self._visiting:
            start = time.monotonic()
            with self._turn():
                yield full_table(_plain(rules), self._odds_for(rules))
            if self._visitors > 1:
                time.sleep(min(time.monotonic() - start, _LONGEST_PAUSE_SECONDS))

    @contextmanager
    def _place_in_line(self) -> Iterator[None]:
        with self._guard:
            if self._visitors >= _MOST_VISITORS:
                raise SolverBusyError(retry_after_seconds=1)
            self._visitors += 1
        try:
            yield
        finally:
            with self._guard:
                self._visitors -= 1

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """One at a time; ``SolverBusyError`` for who has waited too long."""
        if not self._solving.acquire(timeout=self._wait_seconds):
            raise SolverBusyError(retry_after_seconds=2)
        try:
            yield
        finally:
            self._solving.release()

    def _recall(self, key: str) -> Strategy | None:
        with self._guard:
            if key in self._strategies:
                self._strategies.move_to_end(key)
            return self._strategies.get(key)

    def _remember(self, key: str, strategy: Strategy) -> Strategy:
        with self._guard:
            strategy = self._strategies.setdefault(key, strategy)
            self._strategies.move_to_end(key)
            while len(self._strategies) > self._in_memory:
                self._strategies.popitem(last=False)
        return strategy

    def _solve(self, rules: Rules) -> Strategy:
        strategy = derive(_plain(rules), self._odds_for(rules))
        self._save(strategy)
        return strategy

    def _odds_for(self, rules: Rules) -> DealerOdds:
        """Dealer odds, shared with the rule set before where decks and soft 17 are the same; only in one's turn."""
        shoe_key = (rules.decks, rules.dealer_hits_soft_17)
        odds = self._odds.pop(shoe_key, None)
        if odds is None:
            odds = DealerOdds(full_shoe(rules.decks), rules.dealer_hits_soft_17)
        self._odds[shoe_key] = odds
        while len(self._odds) > 2:
            self._odds.popitem(last=False)
        return odds

    def _path(self, rules: Rules) -> Path:
        return self._folder / f"{rules.strategy_hash}-{ENGINE_VERSION}.npz"

    def _load(self, rules: Rules) -> Strategy | None:
        path = self._path(rules)
        try:
            content = path.read_bytes()
            digest, payload = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
            if hashlib.sha256(payload).digest() != digest:
                return None
            with zipfile.ZipFile(io.BytesIO(payload)) as saved:
                arrays = {name.removesuffix(".npy"): _read_array(saved, name) for name in saved.namelist()}
            plain = _plain(rules)
            if str(arrays.pop("rules")) != plain.to_json():
                return None
            strategy = Strategy.from_arrays(plain, arrays)
            os.utime(path)
        except (OSError, EOFError, ValueError, TypeError, KeyError, zipfile.BadZipFile):
            return None
        return strategy

    def _save(self, strategy: Strategy) -> None:
        payload = io.BytesIO()
        np.savez(payload, allow_pickle=False, rules=np.array(strategy.rules.to_json()), **strategy.to_arrays())
        content = payload.getvalue()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._folder, suffix=".tmp")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(hashlib.sha256(content).digest() + content)
                os.replace(name, self._path(strategy.rules))
            except OSError:
                os.unlink(name)
                raise
            self._shrink()
        except OSError:
            # A full or read-only disk costs time, never an answer.
            return

    def _shrink(self) -> None:
        """Delete the longest unused files until the rest fit."""
        files = sorted(((path.stat().st_mtime, path.stat().st_size, path) for path in self._folder.iterdir()
                        if path.suffix in (".npz", ".tmp")), reverse=True)
        total = 0
        for _, size, path in files:
            total += size
            if total > self._on_disk_bytes:
                path.unlink(missing_ok=True)


def _read_array(saved: zipfile.ZipFile, name: str) -> np.ndarray:
    with saved.open(name) as file:
        return np.lib.format.read_array(file, allow_pickle=False)


def _plain(rules: Rules) -> Rules:
    """The rules as far as strategy goes, so that equal strategies are kept under one description."""
    return Rules.from_mapping({"insurance": "none", "shuffle": "hand"}, base=rules.normalised())
