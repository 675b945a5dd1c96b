"""Workers killed in the middle of answers: what was acknowledged is there, once."""

import http.client
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Event, Lock

from tests.serving import Browser, kill, served
from trainer.drill.timing import from_text

ANSWERS, PEOPLE = 240, 4


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
