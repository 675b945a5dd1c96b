"""axe finds nothing: every page, every state of the hand, light and dark."""

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.drill_page import DrillPage
from tests.browser.gate import fail_once
from tests.browser.people import NEWCOMER, Practised
from tests.browser.watch import Watch
from trainer.engine.presets import RULE_SETS

_SCHEMES = ("light", "dark")
_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_FAST = {"resultTypes": ["violations"], "preload": False, "iframes": False}
_ALL = {**_FAST, "runOnly": {"type": "tag", "values": _TAGS}}
_COLOURS = {**_FAST, "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
_RUN = """async (options) => {
  const found = await axe.run(document, options);
  return found.violations.flatMap(({id, nodes}) => nodes.map(({target, any, all, none}) =>
    `${id} at ${target.join(" ")}: ${[...any, ...all, ...none].map((each) => each.message).join("; ")}`));
}"""
# Made of the same parts as another page: left out for time's sake.
_LIKE_ANOTHER = {
    "verdict on five cards", "insurance taken", "question without a hole card", "question with five cards",
    "summary, all right", *(f"lesson {slug}" for slug in ("doubling", "splitting", "surrender", "ev", "two-tables")),
    *(f"chart of {key}" for key in RULE_SETS if key not in ("shoe-h17", "squarescores")),
}
SEED = "rules=shoe-h17&mode=mixed&seed=axe"


def find_violations(page: Page, where: str) -> list[str]:
    """What axe has against a page, light; and dark, where only colours are others."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found: list[str] = []
    for scheme, options in (("light", _ALL), ("dark", _COLOURS)):
        page.emulate_media(color_scheme=scheme)
        found += [f"{where}, {scheme}: {violation}" for violation in page.evaluate(_RUN, options)]
    return found


def test_pages_of_somebody_who_has_practised(
    open_as: Callable[..., Page], practised: Practised, watch: Watch
) -> None:
    watch.expect_status(400, 404, 422)
    page = open_as(practised.cookie)
    found = []
    for name, path in practised.paths.items():
        if name not in _LIKE_ANOTHER:
            page.goto(path)
            found += find_violations(page, name)
    assert not found, "\n".join(found)


def test_the_drill_on_a_phone(open_as: Callable[..., Page], practised: Practised) -> None:
    page = open_as(practised.cookie, viewport={"width": 360, "height": 740})
    found = []
    for name in ("question with five moves", "chart against exact play"):
        page.goto(practised.paths[name])
        found += find_violations(page, name)
    assert not found, "\n".join(found)


def test_pages_of_a_newcomer(page: Page) -> None:
    found = []
    for name, path in NEWCOMER.items():
        page.goto(path)
        found += find_violations(page, name)
    assert not found, "\n".join(found)


def test_every_state_of_a_hand_as_it_is_swapped_in(page: Page, drill: DrillPage) -> None:
    drill.open(SEED)
    page.get_by_role("button", name="Show the chart").click()
    expect(page.locator(".chart-row")).to_be_visible()
    drill.settle()
    found = find_violations(page, "chart in view")
    drill.answer("stand")
    found += find_violations(page, "verdict")
    drill.deal_next()
    found += find_violations(page, "next question")
    page.locator("summary.chip").click()
    found += find_violations(page, "menu")
    assert not found, "\n".join(found)


def test_alerts(
    page: Page, drill: DrillPage, watch: Watch, served_app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch.expect_status(503)
    watch.expect_no_connection()
    drill.open(SEED)
    fail_once(served_app.extensions["drill"], "answer", monkeypatch)
    drill.press("h")
    expect(page.get_by_role("alert")).to_contain_text("not saved")
    found = find_violations(page, "fault of the server")
    page.context.set_offline(True)
    drill.press("h")
    expect(page.get_by_role("alert")).to_contain_text("No connection")
    found += find_violations(page, "no connection")
    assert not found, "\n".join(found)


def test_settings_refused_and_saved(page: Page, watch: Watch) -> None:
    watch.expect_status(422)
    page.goto("/settings")
    page.get_by_label("Costs are shown for a bet of").fill("0")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".field-error")).to_be_visible()
    found = find_violations(page, "refused")
    page.get_by_label("Costs are shown for a bet of").fill("5")
    page.get_by_label("Four-colour deck").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    found += find_violations(page, "saved")
    page.goto(f"/?{SEED}")
    found += find_violations(page, "four colours")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("theme", _SCHEMES)
def test_a_theme_set_against_the_system(open_context: Callable[..., BrowserContext], theme: str) -> None:
    page = open_context().new_page()
    page.goto("/settings")
    page.get_by_label(theme, exact=True).check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    drill = DrillPage(page)
    drill.open(SEED)
    drill.answer("hit")
    found = find_violations(page, theme)
    assert not found, "\n".join(found)
