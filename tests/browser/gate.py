"""Stands between a request and the service, so that tests decide when an answer comes and whether."""

import threading
from typing import Any

import pytest

from trainer.service.drill import DrillService, StorageError

_PATIENCE_SECONDS = 20.0


class Gate:
    """Holds back answers to hands until it is opened."""

    def __init__(self, service: DrillService, monkeypatch: pytest.MonkeyPatch) -> None:
        self._arrived, self._opened = threading.Event(), threading.Event()
        answer = service.answer

        def held(*arguments: Any) -> Any:
            self._arrived.set()
            assert self._opened.wait(_PATIENCE_SECONDS)
            return answer(*arguments)

        monkeypatch.setattr(service, "answer", held)

    def wait_for_answer(self) -> None:
        """Wait until the server has got an answer."""
        assert self._arrived.wait(_PATIENCE_SECONDS)

    def open(self) -> None:
        """Let all answers through."""
        self._opened.set()


def fail_once(service: DrillService, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make one use of the service fail as it does when the database cannot be written."""
    works = getattr(service, name)
    failed = threading.Event()

    def once(*arguments: Any) -> Any:
        if not failed.is_set():
            failed.set()
            raise StorageError("database is locked")
        return works(*arguments)

    monkeypatch.setattr(service, name, once)
