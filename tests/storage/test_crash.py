"""Workers killed in the middle of answers: what was acknowledged is there, once."""

import http.client
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event, Lock

from trainer.drill.timing import from_text

ROOT = Path(__file__).resolve().parents[2]
ANSWERS, PEOPLE = 240, 4
TOKEN = re.compile(r'action="/hand/([\w-]{22})"')
CSRF = re.compile(r'name="csrf_token" value="([^"]+)"')


@contextmanager
def served(instance):
    """The application under gunicorn on a port of its own, killed in the end if it still runs."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        # The workers inherit the socket, so that a request waits for them instead of being refused.
        process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "--workers", "2", "--bind", f"fd://{listening.fileno()}",
             "--log-level", "critical", "app:create_app()"],
            cwd=ROOT, env=os.environ | {"TRAINER_INSTANCE": str(instance), "SECRET_KEY": "test", "DATABASE_URL": ""},
            pass_fds=[listening.fileno()], start_new_session=True,
        )
    try:
        yield port, process
    finally:
        kill(process)


def kill(process):
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(timeout=30)


class Browser:
    """A person without JavaScript: follows links, keeps the cookie."""

    def __init__(self, port):
        self.port, self.cookie = port, ""

    def send(self, method, path, form=""):
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as connection:
            connection.request(method, path, form or None, {
                "Cookie": self.cookie, "Content-Type": "application/x-www-form-urlencoded"})
            response = connection.getresponse()
            text = response.read().decode()
            set_cookie = response.getheader("Set-Cookie")
            self.cookie = set_cookie.partition(";")[0] if set_cookie else self.cookie
            return response, text

    def answer_next(self):
        """Answer the open hand; its token once the answer is acknowledged."""
        page = self.send("GET", "/?mode=mixed")[1]
        token, csrf = TOKEN.search(page)[1], CSRF.search(page)[1]
        response, text = self.send("POST", f"/hand/{token}", f"action=stand&csrf_token={csrf}")
        assert (response.status, response.getheader("Location")) == (303, f"/hand/{token}"), text
        return token


def test_every_acknowledged_answer_survives_a_kill_and_none_is_there_twice(instance):
    acknowledged, guard, enough = [], Lock(), Event()

    def practise(browser):
        try:
            while True:
                token = browser.answer_next()
                with guard:
                    acknowledged.append(token)
                    if len(acknowledged) >= ANSWERS:
                        enough.set()
        except (OSError, http.client.HTTPException):
            assert enough.is_set()  # the server is gone, as was meant

    with served(instance) as (port, process), ThreadPoolExecutor(PEOPLE) as pool:
        browsers = [Browser(port) for _ in range(PEOPLE)]
        people = [pool.submit(practise, browser) for browser in browsers]
        assert enough.wait(timeout=120)
        kill(process)
        for person in people:
            person.result(timeout=60)
    assert len(acknowledged) >= ANSWERS
    stored = assert_whole(instance, acknowledged)

    with served(instance) as (port, process):
        assert sum(stored) <= len(acknowledged) + PEOPLE
        for browser in browsers:
            browser.port = port
            acknowledged.append(browser.answer_next())
            assert browser.send("GET", f"/hand/{acknowledged[0]}")[0].status in (200, 404)
        assert process.poll() is None
    assert sum(assert_whole(instance, acknowledged)) == sum(stored) + PEOPLE


def assert_whole(instance, acknowledged):
    """The file is sound, every answer is there once and counted once; answers by user."""
    with closing(sqlite3.connect(instance / "trainer.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        tokens = [token for token, in connection.execute("SELECT token FROM decisions")]
        assert len(tokens) == len(set(tokens))
        assert set(acknowledged) <= set(tokens)
        assert connection.execute(
            "SELECT count(*) FROM questions WHERE token IN (SELECT token FROM decisions)").fetchone() == (0,)
        by_user = connection.execute(
            "SELECT user_id, count(*), sum(is_right) FROM decisions GROUP BY user_id ORDER BY user_id").fetchall()
        for scope in range(4):
            assert connection.execute("SELECT user_id, sum(decisions), sum(right) FROM tallies WHERE scope = ? "
                                      "GROUP BY user_id ORDER BY user_id", (scope,)).fetchall() == by_user
            times = connection.execute("SELECT times FROM tallies WHERE scope = ?", (scope,)).fetchall()
            assert sum(sum(from_text(text).values()) for text, in times) == len(tokens)
        assert connection.execute("SELECT user_id, sum(hands), sum(right) FROM practice_sessions "
                                  "GROUP BY user_id ORDER BY user_id").fetchall() == by_user
    return [count for _, count, _ in by_user]
