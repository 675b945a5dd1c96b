"""Listens to everything that a browser asks for and complains of."""

import re

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, WebError


class Watch:
    """Requests and complaints of the pages that it follows."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.requests: list[Request] = []
        self.complaints: list[str] = []
        self._expected: list[str] = []

    def follow(self, context: BrowserContext) -> None:
        """Listen to all pages of a context, those still to be opened included."""
        context.on("request", self._note)
        context.on("console", self._hear)
        context.on("weberror", self._on_error)

    def expect_status(self, *statuses: int) -> None:
        """The test provokes answers of these statuses: the browser reports them, and htmx too."""
        for status in statuses:
            self._expected += [f"responded with a status of {status} ", f"Response Status Error Code {status} from"]

    def expect_no_connection(self) -> None:
        """The test cuts the connection."""
        self._expected += ["net::ERR_INTERNET_DISCONNECTED", "error: htmx:(sendError|afterRequest) "]

    @property
    def posts(self) -> list[str]:
        """What was posted, as paths."""
        return [request.url.removeprefix(self.address) for request in self.requests if request.method == "POST"]

    @property
    def answers(self) -> list[str]:
        """The hands that an answer was posted to."""
        return [path for path in self.posts if re.fullmatch(r"/hand/[\w-]{22}", path)]

    @property
    def strangers(self) -> list[str]:
        """What was asked for from another host."""
        return [request.url for request in self.requests if not request.url.startswith(f"{self.address}/")]

    @property
    def unexpected(self) -> list[str]:
        """Complaints that the test did not provoke."""
        return [text for text in self.complaints if not any(re.search(each, text) for each in self._expected)]

    def _note(self, request: Request) -> None:
        self.requests.append(request)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning", "assert"):
            self.complaints.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def _on_error(self, error: WebError) -> None:
        self.complaints.append(f"uncaught: {error.error}")
