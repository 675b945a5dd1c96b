"""The focus goes where the news is, and the news is said once."""

from collections.abc import Callable

import pytest
from flask import Flask
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.drill_page import DrillPage
from tests.browser.gate import fail_once
from tests.browser.watch import Watch

SEED = "rules=shoe-h17&mode=mixed&seed=focus"


def test_focus_goes_to_the_verdict_and_on_to_the_question(drill: DrillPage) -> None:
    drill.open(SEED)
    for action in ("hit", "stand", "stand"):
        assert drill.answer(action).focus == "verdict"
        expect(drill.verdict).to_be_focused()
        assert drill.deal_next().focus == "asked"
        expect(drill.question).to_be_focused()


def test_the_next_tab_after_the_verdict_leads_into_it(drill: DrillPage) -> None:
    """Not to the top of the page: what comes next in the tab order is what stands below the verdict."""
    drill.open(SEED)
    drill.answer("hit")
    for _ in range(6):
        drill.press("Tab")
        if drill.next_hand.evaluate("link => link === document.activeElement"):
            break
        assert drill.page.evaluate("document.activeElement.closest('#hand') !== null")
    expect(drill.next_hand).to_be_focused()
    drill.press("Enter")
    assert drill.wait_for_question().focus == "asked"


def test_the_moves_are_reached_by_tab_and_pressed_by_space(drill: DrillPage) -> None:
    drill.open(SEED)
    drill.move("stand").focus()
    drill.press("Space")
    seen = drill.wait_for_verdict()
    assert [row[0] for row in seen.evs if row[2]] == ["Stand"]
    assert seen.hands == 1


def test_the_verdict_is_announced_once(page: Page, drill: DrillPage) -> None:
    drill.open(SEED)
    assert drill.read().live == ("",)
    page.evaluate("""() => {
      window.said = [];
      const live = document.getElementById("live");
      new MutationObserver(() => window.said.push(live.textContent.trim())).observe(
        live, {childList: true, characterData: true, subtree: true});
    }""")
    verdict = drill.answer("hit")
    cost = [remark for remark in verdict.remarks if "gives up" in remark]
    assert verdict.live == (" ".join([f"{verdict.heading}.", *cost]),)
    question = drill.deal_next()
    assert len(question.live) == 1
    assert question.live[0].startswith(f"Dealer shows {question.dealer}. You have {', '.join(question.player)}: ")
    assert page.evaluate("window.said") == [*verdict.live, *question.live]


@pytest.mark.parametrize("button", ["Show the chart", "Skip this hand"])
def test_focus_stays_in_the_hand_after_its_other_buttons(page: Page, drill: DrillPage, button: str) -> None:
    before = drill.open(SEED)
    page.get_by_role("button", name=button).click()
    expect(drill.question).to_be_focused()
    assert (drill.read().cards == before.cards) == (button == "Show the chart")


def test_focus_stays_on_the_move_that_could_not_be_saved(
    drill: DrillPage, watch: Watch, served_app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch.expect_status(503)
    drill.open(SEED)
    fail_once(served_app.extensions["drill"], "answer", monkeypatch)
    drill.move("hit").click()
    expect(drill.page.get_by_role("alert")).to_be_visible()
    expect(drill.move("hit")).to_be_focused()


def test_focus_is_on_the_verdict_without_javascript(open_context: Callable[..., BrowserContext]) -> None:
    drill = DrillPage(open_context(java_script_enabled=False).new_page(), has_script=False)
    drill.open(SEED)
    drill.answer("hit")
    expect(drill.verdict).to_be_focused()


def test_the_first_tab_of_a_page_skips_to_its_content(page: Page, drill: DrillPage) -> None:
    drill.open(SEED)
    drill.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    expect(page.get_by_role("link", name="Skip to content")).to_be_in_viewport(ratio=1)
    drill.press("Enter")
    drill.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")
