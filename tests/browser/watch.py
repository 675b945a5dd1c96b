"""Listens to everything that a browser asks for and complains of."""

import re

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, WebError


class Watch:
    """Requests and complaints of the pages that it follows.

    ``expected``: patterns of complaints that the test provokes.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self.expected: list[str] = []
        self.requests: list[Request] = []
        self.complaints: list[str] = []

    def follow(self, context: BrowserContext) -> None:
        """Listen to all pages of a context, those still to be opened included."""
        context.on("request", self._note)
        context.on("console", self._hear)
        context.on("weberror", self._on_error)

    def expect_status(self, *statuses: int) -> None:
        """The test provokes answers of these statuses, which a browser reports."""
        self.expected += [f"responded with a status of {status}" for status in statuses]

    @property
    def posts(self) -> list[str]:
        """What was posted, as paths."""
        return [request.url.removeprefix(self.address) for request in self.requests if request.method == "POST"]

    @property
    def answers(self) -> list[str]:
        """The hands that an answer was posted to."""
        return [path for path in self.posts if re.fullmatch(r"/hand/[\w-]{22}", path)]

    def check(self) -> None:
        """Fail on requests to another host and on complaints that were not expected."""
        assert {request.url for request in self.requests if not request.url.startswith(f"{self.address}/")} == set()
        assert [text for text in self.complaints if not any(re.search(each, text) for each in self.expected)] == []

    def _note(self, request: Request) -> None:
        self.requests.append(request)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning", "assert"):
            self.complaints.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def _on_error(self, error: WebError) -> None:
        self.complaints.append(f"uncaught: {error.error}")
