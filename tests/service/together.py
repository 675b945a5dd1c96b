"""Calls that begin at the same moment."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier


def at_once(app, calls):
    """The results of calls that begin together, each in a thread of its own."""
    barrier = Barrier(len(calls))

    def run(call):
        with app.app_context():
            barrier.wait(timeout=30)
            return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))
