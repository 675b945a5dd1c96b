"""The application as it is served: under gunicorn, in processes of its own, with people who use it by HTTP alone."""

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parents[1]
TOKEN = re.compile(r'action="/hand/([\w-]{22})"')
CSRF = re.compile(r'name="csrf_token" value="([^"]+)"')
_TIMEOUT_SECONDS = 30


@contextmanager
def served(instance: Path, workers: int = 2, **environment: str) -> Iterator[tuple[int, subprocess.Popen]]:
    """The port and the process of an application on a folder of its own, killed in the end if it still runs."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        # The workers inherit the socket, so that a request waits for them instead of being refused.
        process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "--workers", str(workers), "--bind", f"fd://{listening.fileno()}",
             "--log-level", "critical", "app:create_app()"],
            cwd=ROOT, pass_fds=[listening.fileno()], start_new_session=True,
            env=os.environ | {"TRAINER_INSTANCE": str(instance), "SECRET_KEY": "test", "DATABASE_URL": "",
                              "REDIS_URL": ""} | environment,
        )
    try:
        yield port, process
    finally:
        kill(process)


def kill(process: subprocess.Popen) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(timeout=_TIMEOUT_SECONDS)


class Browser:
    """A person without JavaScript: follows links, keeps the cookie."""

    def __init__(self, port: int, cookie: str = "") -> None:
        self.port, self.cookie = port, cookie

    def send(self, method: str, path: str, **form: str) -> tuple[http.client.HTTPResponse, str]:
        """One request; the response and its text."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=_TIMEOUT_SECONDS)) as connection:
            connection.request(method, path, urlencode(form) or None, {
                "Cookie": self.cookie, "Content-Type": "application/x-www-form-urlencoded"})
            response = connection.getresponse()
            text = response.read().decode()
            set_cookie = response.getheader("Set-Cookie")
            self.cookie = set_cookie.partition(";")[0] if set_cookie else self.cookie
            return response, text

    def post(self, path: str, **form: str) -> tuple[http.client.HTTPResponse, str]:
        """Send a form with the token of a page."""
        return self.send("POST", path, csrf_token=CSRF.search(self.send("GET", "/settings")[1])[1], **form)

    def open_hand(self) -> tuple[str, str]:
        """The hand on the table, and the token of its page."""
        page = self.send("GET", "/?mode=mixed")[1]
        return TOKEN.search(page)[1], CSRF.search(page)[1]

    def answer_next(self) -> str:
        """Answer the open hand; its token once the answer is acknowledged."""
        token, csrf = self.open_hand()
        response, text = self.send("POST", f"/hand/{token}", action="stand", csrf_token=csrf)
        assert (response.status, response.getheader("Location")) == (303, f"/hand/{token}"), text
        return token

    def log_in(self, name: str, password: str) -> tuple[http.client.HTTPResponse, str]:
        return self.post("/login", username=name, password=password)

    def copy(self, port: int) -> "Browser":
        """The same cookie at another port."""
        return Browser(port, self.cookie)
