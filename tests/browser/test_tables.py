"""A sitting at a table by keyboard alone, on a phone, and what axe has against every state of it."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.looks import axe_violations
from tests.browser.table_page import expect_heading, press, sit
from tests.browser.watch import Watch
from tests.service.stacked import Stacked


def test_a_sitting_by_keyboard(page: Page, dice: Stacked) -> None:
    sit(page)
    press(page, "2", "c", "1", "1")
    expect(page.locator("input[name=bet]")).to_have_value("20")
    dice.lay("8 6 8 T 3 T 9 T")
    press(page, " ")
    expect_heading(page, "Your move: 16")
    press(page, "p")
    expect_heading(page, "Your move, hand 1 of 2: 11")
    assert page.evaluate("document.activeElement.id") == "asked"
    press(page, "d")
    expect_heading(page, "Your move, hand 2 of 2: 17")
    press(page, "s")
    expect_heading(page, "You won 60 chips")
    expect(page.locator("#stack")).to_have_text("1,060")
    expect(page.locator(".marks > li")).to_have_count(3)
    dice.lay("T 6 2 T T")
    press(page, " ")
    expect(page.locator("#stack")).to_have_text("1,040")
    page.reload()
    expect_heading(page, "Your move: 12")
    press(page, "h")
    expect_heading(page, "You lost 20 chips")
    expect(page.locator("svg.trend")).to_have_count(2)


def test_each_event_is_announced_once(page: Page, dice: Stacked) -> None:
    sit(page)
    dice.lay("T 6 2 T 5")
    press(page, " ")
    live = page.locator("#live")
    expect(live).to_have_text(re.compile(r"^You: ten of \w+\. Dealer shows six of \w+\. You: two of \w+\.$"))
    press(page, "h")
    expect(live).to_have_text(re.compile(r"^Stand, not hit\. You hit: five of \w+\.$"))


def test_insurance_hints_and_even_money_by_keyboard(page: Page, dice: Stacked) -> None:
    sit(page)
    dice.lay("T A 9 7")
    press(page, " ")
    expect_heading(page, "Take insurance")
    page.locator("#hints").click()
    expect(page.locator(".hint h3")).to_have_text("Best: no insurance")
    press(page, "n")
    expect(page.locator(".hint h3")).to_have_text("The chart says: stand")
    press(page, "s")
    dice.lay("K A A 7")
    press(page, " ")
    expect_heading(page, "Take even money")
    press(page, "i")
    expect_heading(page, "You won 10 chips")


@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing_in_any_state(open_context: Callable[..., BrowserContext], dice: Stacked, watch: Watch,
                                        width: int) -> None:
    watch.expect_status(422)
    page = open_context(viewport={"width": width, "height": 740}).new_page()
    sit(page)
    found = axe_violations(page, "bets")
    page.locator("input[name=bet]").fill("15")
    page.locator("#deal").click()
    expect(page.locator("#refused")).to_be_visible()
    found += axe_violations(page, "refused")
    page.locator("input[name=bet]").fill("10")
    dice.lay("8 6 8 T 3 T 9 T")
    page.locator("#deal").click()
    expect_heading(page, "Your move: 16")
    page.locator("#hints").click()
    expect(page.locator(".hint")).to_be_visible()
    found += axe_violations(page, "hint")
    page.locator("#hints").click()
    press(page, "p")
    found += axe_violations(page, "split")
    press(page, "h", "s")
    found += axe_violations(page, "over")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("key", ["openseat", "live-casino", "scribes"])
def test_nothing_scrolls_sideways_on_a_phone(
    open_context: Callable[..., BrowserContext], dice: Stacked, key: str
) -> None:
    page = open_context(viewport={"width": 360, "height": 740}).new_page()
    page.goto(f"/tables/{key}")
    for name, most in (("own", "5" if key == "live-casino" else "1"), ("residents", "4"), ("place", "2")):
        if page.locator(f"#{name}").count():
            page.locator(f"#{name}").fill(most)
    dice.lay("8 8 8 8 8 6 8 8 8 8 8")
    page.get_by_role("button", name="Sit down").click()
    page.locator("#deal").click()
    expect_heading(page, r"(Your move|Box 1)")
    for _ in range(3):
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        bar = page.locator("form.bar").bounding_box()
        assert bar is not None
        assert bar["y"] + bar["height"] == pytest.approx(740, abs=1)
        press(page, "p" if page.locator("[data-key=p]").count() else "s")


def test_without_javascript(open_context: Callable[..., BrowserContext], dice: Stacked) -> None:
    page = open_context(java_script_enabled=False).new_page()
    page.goto("/tables/openseat")
    page.get_by_role("button", name="Sit down").click()
    page.get_by_role("button", name="Add 50", exact=True).click()
    expect(page.locator("input[name=bet]")).to_have_value("60")
    dice.lay("T 6 2 T 9")
    page.locator("#deal").click()
    page.get_by_role("button", name="Hit").click()
    expect_heading(page, "Nothing won|You (won|lost)")


def test_a_double_click_is_one_move(page: Page, dice: Stacked) -> None:
    sit(page)
    dice.lay("2 6 3 T 2 2 2")
    press(page, " ")
    page.get_by_role("button", name="Hit").dblclick()
    expect_heading(page, "Your move: 7")


@pytest.mark.usefixtures("dice")
def test_a_hand_played_out_by_keyboard(page: Page) -> None:
    page.goto("/?mode=play-it-out&rows=p8&upcards=6")
    expect_heading(page, "Your move: 16")
    found = axe_violations(page, "the first hand")
    press(page, "p")
    expect_heading(page, "Your move, hand 1 of 2")
    expect(page.locator(".verdict h3")).to_have_text("Right: split")
    assert page.evaluate("document.activeElement.id") == "asked"
    found += axe_violations(page, "a split hand")
    for _ in range(8):
        if page.locator("#deal").count():
            break
        press(page, "s")
    expect(page.locator(".marks > li").first).to_contain_text("8-8 v 6")
    found += axe_violations(page, "settled")
    press(page, " ")
    expect_heading(page, "Your move: 16")
    assert not found, "\n".join(found)
