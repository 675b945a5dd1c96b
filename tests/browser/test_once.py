"""A hand is one decision, however it is pressed, sent again or come back to."""

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from flask import Flask
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.drill_page import DrillPage
from tests.browser.gate import Gate
from tests.browser.watch import Watch

SEED = "rules=shoe-h17&mode=mixed&seed=once"


@pytest.fixture
def gate(served_app: Flask, monkeypatch: pytest.MonkeyPatch) -> Gate:
    """Holds the server's answers back until it is opened."""
    return Gate(served_app.extensions["drill"], monkeypatch)


def test_a_double_click_is_one_decision(drill: DrillPage, watch: Watch) -> None:
    drill.open(SEED)
    drill.move("hit").dblclick()
    seen = drill.wait_for_verdict()
    assert [row[0] for row in seen.evs if row[2]] == ["Hit"]
    assert (seen.hands, seen.alert) == (1, "")
    assert len(watch.answers) == 1


def test_clicks_during_the_wait_are_one_decision(drill: DrillPage, watch: Watch, gate: Gate) -> None:
    drill.open(SEED)
    drill.move("hit").dblclick()
    gate.wait_for_answer()
    drill.move("stand").click()
    gate.open()
    seen = drill.wait_for_verdict()
    assert [row[0] for row in seen.evs if row[2]] == ["Hit"]
    assert (seen.hands, seen.alert) == (1, "")
    assert len(watch.answers) == 1


def test_two_keys_in_a_row_are_one_decision(drill: DrillPage, watch: Watch) -> None:
    drill.open(SEED)
    drill.press("h")
    drill.press("s")
    seen = drill.wait_for_verdict()
    assert [row[0] for row in seen.evs if row[2]] == ["Hit"]
    assert (seen.hands, seen.alert) == (1, "")
    assert len(watch.answers) == 1


def test_keys_during_the_wait_do_nothing(drill: DrillPage, watch: Watch, gate: Gate) -> None:
    drill.open(SEED)
    drill.press("h")
    gate.wait_for_answer()
    for key in ("s", "h", "Space", "d"):
        drill.press(key)
    gate.open()
    seen = drill.wait_for_verdict()
    assert [row[0] for row in seen.evs if row[2]] == ["Hit"]
    assert seen.hands == 1
    assert len(watch.answers) == 1


def test_a_double_click_without_javascript_is_one_decision(open_context: Callable[..., BrowserContext]) -> None:
    drill = DrillPage(open_context(java_script_enabled=False).new_page(), has_script=False)
    drill.open(SEED)
    drill.move("hit").dblclick()
    seen = drill.wait_for_verdict()
    assert [row[0] for row in seen.evs if row[2]] == ["Hit"]
    assert seen.hands == 1


def test_a_double_click_on_next_hand_deals_one_hand(drill: DrillPage) -> None:
    drill.open(SEED)
    drill.answer("stand")
    drill.next_hand.dblclick()
    second = drill.wait_for_question()
    drill.page.reload()
    assert drill.wait_for_question().cards == second.cards


def test_a_double_tap_on_a_phone_reaches_only_the_first_button(page: Page, drill: DrillPage, watch: Watch) -> None:
    """The bar at the bottom holds the moves, then "Next hand": the second tap must not press what came in between."""
    page.set_viewport_size({"width": 360, "height": 740})
    drill.open(SEED)
    _press_twice(page, drill.move("hit"), drill.verdict)
    verdict = drill.read()
    assert verdict.heading
    _press_twice(page, drill.next_hand, drill.question)
    assert drill.read().asked
    assert len(watch.answers) == 1


def _press_twice(page: Page, target: Locator, result: Locator) -> None:
    """A double click whose second half comes when the page has changed already."""
    target.click()
    result.wait_for()
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)


def test_another_tab_gets_the_first_verdict(page: Page, drill: DrillPage) -> None:
    other = DrillPage(page.context.new_page())
    assert drill.open(SEED).cards == other.open(SEED).cards
    drill.answer("hit")
    seen = other.answer("stand")
    assert [row[0] for row in seen.evs if row[2]] == ["Hit"]
    assert seen.hands == 1


def test_a_reload_keeps_the_open_hand(drill: DrillPage) -> None:
    first = drill.open("mode=mixed")
    drill.page.reload()
    assert drill.wait_for_question().cards == first.cards


def test_back_after_an_answer_brings_no_answered_question(page: Page, drill: DrillPage) -> None:
    asked = drill.open(SEED)
    path = _form_path(page)
    drill.answer("hit")
    page.get_by_role("link", name="Progress", exact=True).click()
    expect(page.get_by_role("heading", name="Progress")).to_be_visible()
    page.go_back(wait_until="commit")
    expect(page.locator("#hand")).to_be_visible()
    seen = drill.read()
    assert seen.heading or (_form_path(page) != path and seen.cards != asked.cards)
    assert seen.hands == 1


def test_back_from_the_next_hand_and_forward_again_brings_the_open_hand(page: Page, drill: DrillPage) -> None:
    page.goto("/settings")
    drill.open(SEED)
    path = _form_path(page)
    drill.answer("hit")
    second = drill.deal_next()
    page.go_back(wait_until="commit")
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    page.go_forward(wait_until="commit")
    expect(page.locator("#hand")).to_be_visible()
    seen = drill.read()
    assert (seen.cards, seen.hands) == (second.cards, 1)
    assert _form_path(page) != path


def test_back_without_javascript_brings_no_answered_question(open_context: Callable[..., BrowserContext]) -> None:
    page = open_context(java_script_enabled=False).new_page()
    drill = DrillPage(page, has_script=False)
    drill.open(SEED)
    first = _form_path(page)
    verdict = drill.answer("hit")
    drill.deal_next()
    page.go_back(wait_until="commit")
    expect(drill.verdict).to_have_text(verdict.heading)
    page.go_back(wait_until="commit")
    expect(drill.question).to_be_visible()
    assert _form_path(page) != first
    drill.answer("stand")
    assert drill.read().hands == 2


def test_an_answered_hand_stays_answered_at_its_own_address(page: Page, drill: DrillPage) -> None:
    drill.open(SEED)
    path = _form_path(page)
    verdict = drill.answer("hit")
    page.goto(path)
    seen = drill.wait_for_verdict()
    assert (seen.heading, seen.evs, seen.moves) == (verdict.heading, verdict.evs, ())


def _form_path(page: Page) -> str:
    """Where the open question's answer is sent."""
    path = page.locator("form.moves").get_attribute("action")
    assert path is not None
    return urlsplit(path).path
