"""From a key to the verdict on the screen, in Chromium on the same machine."""

import shutil
import statistics
from pathlib import Path

import flask_migrate
from playwright.sync_api import Page, sync_playwright

from app import create_app
from bench.server import serving
from bench.timing import aim
from trainer.config import Settings

_HANDS, _WARM_UP = 40, 5
_WAIT_MS = 10_000
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# From the key going down to the task after the frame in which the verdict is painted.
_WATCH = """() => {
  window.verdictTimes = [];
  let pressed = null;
  document.addEventListener("keydown", () => { pressed = performance.now(); }, true);
  new MutationObserver(() => {
    if (pressed === null || !document.getElementById("verdict")) return;
    const start = pressed;
    pressed = null;
    requestAnimationFrame(() => {
      const painted = new MessageChannel();
      painted.port1.onmessage = () => window.verdictTimes.push(performance.now() - start);
      painted.port2.postMessage(null);
    });
  }).observe(document.body, {childList: true, subtree: true});
}"""


def run(folder: Path) -> None:
    """Print median and 95th percentile; ``folder`` is for the database."""
    executable = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if executable is None:
        print("No Chromium here: the time from key to verdict is not measured.")
        return
    app = create_app({"SETTINGS": Settings(folder / "screen")})
    with app.app_context():
        flask_migrate.upgrade()
    with serving("app:create_app()", folder / "screen") as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        try:
            times = _measure(browser.new_page(), f"http://127.0.0.1:{server.port}/")[_WARM_UP:]
        finally:
            browser.close()
    median, p95 = statistics.median(times), sorted(times)[int(len(times) * 0.95)]
    print(f"Key to verdict on screen over {len(times)} hands: median {median:.0f} ms{aim(median, 100, ' ms')}; "
          f"95th percentile {p95:.0f} ms")


def _measure(page: Page, url: str) -> list[float]:
    """Times of so many hands by keyboard: stand or decline, then the next hand, all in one page."""
    page.goto(url)
    page.evaluate(_WATCH)
    for answered in range(1, _HANDS + _WARM_UP + 1):
        page.wait_for_selector("form.moves [data-key]:enabled", timeout=_WAIT_MS)
        page.keyboard.press("s" if page.query_selector('[data-key="s"]') else "n")
        page.wait_for_function("count => window.verdictTimes.length === count", arg=answered, timeout=_WAIT_MS)
        _settle(page)
        page.keyboard.press("Space")
        page.wait_for_selector("#asked", timeout=_WAIT_MS)
        _settle(page)
    times: list[float] = page.evaluate("() => window.verdictTimes")
    return times


def _settle(page: Page) -> None:
    """Wait until htmx has taken charge of what it swapped in; a key before that would load a whole page."""
    page.wait_for_function("() => !document.querySelector('.htmx-request, .htmx-added, .htmx-settling')",
                           timeout=_WAIT_MS)
