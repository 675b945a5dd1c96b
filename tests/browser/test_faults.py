"""When the server fails or the connection is lost, the hand stays and the next try counts."""

from collections.abc import Callable

import pytest
from flask import Flask
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.drill_page import DrillPage
from tests.browser.gate import fail_once
from tests.browser.watch import Watch

SEED = "rules=shoe-h17&mode=mixed&seed=faults"


def test_an_answer_that_cannot_be_stored_is_told_and_taken_the_next_time(
    drill: DrillPage, watch: Watch, served_app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch.expect_status(503)
    before = drill.open(SEED)
    fail_once(served_app.extensions["drill"], "answer", monkeypatch)
    drill.press("h")
    expect(drill.page.get_by_role("alert")).to_contain_text("Your answer was not saved. Try it again in a moment.")
    expect(drill.page.get_by_role("alert")).to_be_in_viewport(ratio=1)
    seen = drill.read()
    assert (seen.cards, seen.moves, seen.hands) == (before.cards, before.moves, 0)
    drill.press("h")
    seen = drill.wait_for_verdict()
    assert (seen.hands, seen.alert) == (1, "")


def test_without_javascript_a_failed_answer_gets_a_page_and_back_brings_the_hand(
    open_context: Callable[..., BrowserContext], watch: Watch, served_app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch.expect_status(503)
    page = open_context(java_script_enabled=False).new_page()
    drill = DrillPage(page, has_script=False)
    before = drill.open(SEED)
    fail_once(served_app.extensions["drill"], "answer", monkeypatch)
    drill.move("hit").click()
    expect(page.get_by_text("Your answer was not saved. Try it again in a moment.")).to_be_visible()
    page.go_back(wait_until="commit")
    assert drill.wait_for_question().cards == before.cards
    assert drill.answer("hit").hands == 1


def test_a_next_hand_that_cannot_be_dealt_leaves_the_verdict(
    drill: DrillPage, watch: Watch, served_app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch.expect_status(503)
    drill.open(SEED)
    verdict = drill.answer("hit")
    fail_once(served_app.extensions["drill"], "open_hand", monkeypatch)
    drill.press("Space")
    expect(drill.page.get_by_role("alert")).to_be_visible()
    assert drill.read().heading == verdict.heading
    drill.press("Space")
    seen = drill.wait_for_question()
    assert (seen.hands, seen.alert) == (1, "")


def test_a_lost_connection_is_told_and_the_next_press_counts(page: Page, drill: DrillPage, watch: Watch) -> None:
    watch.expect_no_connection()
    before = drill.open(SEED)
    page.context.set_offline(True)
    drill.press("h")
    expect(page.get_by_role("alert")).to_contain_text("Your answer was not saved")
    expect(page.get_by_role("alert")).to_be_in_viewport(ratio=1)
    assert drill.read().cards == before.cards
    page.context.set_offline(False)
    drill.press("h")
    seen = drill.wait_for_verdict()
    assert (seen.hands, seen.alert) == (1, "")


def test_a_connection_lost_between_hands_does_not_speak_of_an_answer(
    page: Page, drill: DrillPage, watch: Watch
) -> None:
    """The answer before is saved: only the next hand is missing."""
    watch.expect_no_connection()
    drill.open(SEED)
    verdict = drill.answer("hit")
    page.context.set_offline(True)
    drill.press("Space")
    expect(page.get_by_role("alert")).to_contain_text("No connection")
    expect(page.get_by_role("alert")).not_to_contain_text("not saved")
    assert drill.read().heading == verdict.heading
    page.context.set_offline(False)
    drill.press("Space")
    assert drill.wait_for_question().alert == ""


def test_a_hand_skipped_in_another_tab_gets_a_way_on(page: Page, drill: DrillPage, watch: Watch) -> None:
    watch.expect_status(404)
    drill.open(SEED)
    other = DrillPage(page.context.new_page())
    other.open(SEED)
    other.page.get_by_role("button", name="Skip this hand").click()
    expect(other.question).to_be_focused()
    drill.press("h")
    expect(page.get_by_role("alert")).to_contain_text("That hand is not on your table")
    page.get_by_role("alert").get_by_role("link", name="Deal a hand").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    assert drill.wait_for_question().cards == other.read().cards


def test_a_browser_that_forgot_its_cookie_is_told_what_to_do(page: Page, drill: DrillPage, watch: Watch) -> None:
    watch.expect_status(400)
    drill.open(SEED)
    page.context.clear_cookies()
    drill.press("h")
    expect(page.get_by_role("alert")).to_contain_text("Load the page again")
    page.reload()
    drill.wait_for_question()
    drill.press("h")
    assert drill.wait_for_verdict().hands == 1


def test_the_page_for_a_fault_leads_on(page: Page, drill: DrillPage, watch: Watch) -> None:
    watch.expect_status(404)
    page.goto("/nowhere")
    expect(page).to_have_title("Nothing is here – Blackjack trainer")
    page.get_by_role("link", name="Deal a hand").click()
    assert drill.wait_for_question().hands == 0
