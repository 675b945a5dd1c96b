"""The application served for real, and a browser to open it with.

A browser that is not installed skips these tests; where ``CI`` is ``true`` it fails them.
"""

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from waitress import create_server, wasyncore

from app import create_app
from tests.browser.drill_page import DrillPage
from tests.browser.people import Person, Practised, practise
from tests.browser.watch import Watch
from tests.service.stacked import Stacked
from trainer.config import Settings
from trainer.engine.presets import RULE_SETS
from trainer.engine.strategy import Strategy, derive
from trainer.storage.database import db

_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# What nobody looks at here: suggestions under the address bar, two pages of the browser's own that it loads for every
# page of ours and that cost more than ours, and a process held ready for another site. The rest is what Playwright
# switches off by this argument, of which only the last one counts.
_FEATURES_OFF = (
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "SpareRendererForSitePerProcess",
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled",
    "PreconnectToSearch",
)
_ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
              "--disable-component-update", "--disable-sync", f"--disable-features={','.join(_FEATURES_OFF)}")
# An edge page solves a dozen rule sets: on a machine with other work to do that takes a while.
_TIMEOUT_MS = 30_000
expect.set_options(timeout=_TIMEOUT_MS)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One browser for all tests, which keeps pages for Back and Forward as people's browsers do."""
    path = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if path is None:
        reason = f"no browser here: none of {', '.join(_BROWSERS)} is on the PATH"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=_ARGUMENTS, ignore_default_args=["--disable-back-forward-cache"])
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def served_app(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory, migrated_database: Path, solved_folder: Path
) -> Flask:
    """The application as it is installed, its forms protected; made only where there is a browser to look at it."""
    assert browser.is_connected()
    folder = tmp_path_factory.mktemp("served")
    shutil.copy(migrated_database, folder / "trainer.db")
    os.symlink(solved_folder, folder / "strategies")
    return create_app({
        "SETTINGS": Settings(folder, secret_key="test"),
        "TESTING": False,
        "PROPAGATE_EXCEPTIONS": False,
        # All people of all tests come from one address.
        "RATE_LIMITS": dict.fromkeys(("registrations", "logins by address"), "1000 per minute"),
    })


@pytest.fixture(scope="package")
def address(served_app: Flask) -> Iterator[str]:
    """Where the application is served, such as ``http://127.0.0.1:40001``."""
    # Waitress closes what it sends when a browser goes away in the middle, and is what Windows users serve with.
    sockets: dict[int, Any] = {}
    server = create_server(
        served_app, map=sockets, host="127.0.0.1", port=0, threads=8, clear_untrusted_proxy_headers=True)
    thread = threading.Thread(target=server.run, name="served application")
    thread.start()
    yield f"http://127.0.0.1:{server.effective_port}"
    server.trigger.pull_trigger(lambda: wasyncore.close_all(sockets))  # in its thread, which ends with its last socket
    thread.join()
    server.task_dispatcher.shutdown()
    with served_app.app_context():
        db.engine.dispose()


@pytest.fixture(scope="package")
def strategy_of() -> Callable[[str], Strategy]:
    """The strategy of a rule set by its key, derived for these tests."""
    return cache(lambda rules_key: derive(RULE_SETS[rules_key]))


@pytest.fixture(scope="package")
def practised(served_app: Flask, strategy_of: Callable[[str], Strategy]) -> Practised:
    """Somebody with something on every page."""
    return practise(Person(served_app, strategy_of))


@pytest.fixture
def watch(address: str) -> Iterator[Watch]:
    """What the pages of a test ask for and complain of; complaints that the test does not name fail it."""
    watch = Watch(address)
    yield watch
    assert watch.strangers == []
    assert watch.unexpected == []


@pytest.fixture
def open_context(browser: Browser, address: str, watch: Watch) -> Iterator[Callable[..., BrowserContext]]:
    """Open the browser of another person, with Playwright's options; still pictures unless they say otherwise."""
    contexts: list[BrowserContext] = []

    def open_one(**options: Any) -> BrowserContext:
        context = browser.new_context(base_url=address, **{"reduced_motion": "reduce", "locale": "en-GB", **options})
        context.set_default_timeout(_TIMEOUT_MS)
        watch.follow(context)
        contexts.append(context)
        return context

    yield open_one
    for context in contexts:
        context.close()


@pytest.fixture
def page(open_context: Callable[..., BrowserContext]) -> Page:
    """A page in a new person's browser."""
    return open_context().new_page()


@pytest.fixture
def open_as(open_context: Callable[..., BrowserContext], address: str) -> Callable[..., Page]:
    """Open a page in the browser of somebody with a cookie, with Playwright's options."""

    def open_one(cookie: str, **options: Any) -> Page:
        context = open_context(**options)
        context.add_cookies([{"name": "session", "value": cookie, "url": address}])
        return context.new_page()

    return open_one


@pytest.fixture
def dice(served_app: Flask, monkeypatch: pytest.MonkeyPatch) -> Stacked:
    """What tables, and hands that are played out, shuffle with: the same for every test, and to be laid."""
    dice = Stacked()
    for service in ("tables", "playout"):
        monkeypatch.setattr(served_app.extensions[service], "_random", dice)
    return dice


@pytest.fixture
def drill(page: Page) -> DrillPage:
    """The drill on that page."""
    return DrillPage(page)
