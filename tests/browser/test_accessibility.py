"""axe finds nothing: every page, every state of the hand, light and dark."""

from collections.abc import Callable

import pytest
from flask import Flask
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.drill_page import DrillPage
from tests.browser.gate import fail_once
from tests.browser.looks import axe_violations
from tests.browser.people import NEWCOMER, PARTS, Practised
from tests.browser.watch import Watch
from trainer.engine.presets import RULE_SETS

_SCHEMES = ("light", "dark")
# Made of the same parts as another page: left out for time's sake.
_LIKE_ANOTHER = {
    "verdict on five cards", "insurance taken", "question without a hole card", "question with five cards",
    "summary, all right", *(f"lesson {slug}" for slug in ("doubling", "splitting", "surrender", "ev", "two-tables")),
    *(f"chart of {key}" for key in RULE_SETS if key not in ("shoe-h17", "squarescores")),
}
SEED = "rules=shoe-h17&mode=mixed&seed=axe"


@pytest.mark.parametrize("part", range(PARTS))
def test_pages_of_somebody_who_has_practised(
    open_as: Callable[..., Page], practised: Practised, watch: Watch, part: int
) -> None:
    watch.expect_status(400, 404, 422)
    page = open_as(practised.cookie)
    found = []
    for name, path in practised.part(part).items():
        if name not in _LIKE_ANOTHER:
            page.goto(path)
            found += axe_violations(page, name)
    assert not found, "\n".join(found)


def test_the_drill_on_a_phone(open_as: Callable[..., Page], practised: Practised) -> None:
    page = open_as(practised.cookie, viewport={"width": 360, "height": 740})
    found = []
    for name in ("question with five moves", "chart against exact play"):
        page.goto(practised.paths[name])
        found += axe_violations(page, name)
    assert not found, "\n".join(found)


def test_pages_of_a_newcomer(page: Page) -> None:
    found = []
    for name, path in NEWCOMER.items():
        page.goto(path)
        found += axe_violations(page, name)
    assert not found, "\n".join(found)


def test_every_state_of_a_hand_as_it_is_swapped_in(page: Page, drill: DrillPage) -> None:
    drill.open(SEED)
    page.get_by_role("button", name="Show the chart").click()
    expect(page.locator(".chart-row")).to_be_visible()
    drill.settle()
    found = axe_violations(page, "chart in view")
    drill.answer("stand")
    found += axe_violations(page, "verdict")
    drill.deal_next()
    found += axe_violations(page, "next question")
    page.locator("summary.chip").click()
    found += axe_violations(page, "menu")
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
    found = axe_violations(page, "fault of the server")
    page.context.set_offline(True)
    drill.press("h")
    expect(page.get_by_role("alert")).to_contain_text("No connection")
    found += axe_violations(page, "no connection")
    assert not found, "\n".join(found)


def test_settings_refused_and_saved(page: Page, watch: Watch) -> None:
    watch.expect_status(422)
    page.goto("/settings")
    page.get_by_label("Costs are shown for a bet of").fill("0")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".field-error")).to_be_visible()
    found = axe_violations(page, "refused")
    page.get_by_label("Costs are shown for a bet of").fill("5")
    page.get_by_label("Four-colour deck").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    found += axe_violations(page, "saved")
    page.goto(f"/?{SEED}")
    found += axe_violations(page, "four colours")
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
    found = axe_violations(page, theme)
    assert not found, "\n".join(found)
