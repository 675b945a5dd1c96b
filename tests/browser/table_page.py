"""A table as a person sees it and plays at it by keyboard."""

import re
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.drill_page import SETTLE

# Everything of a table that tests add up, read in one go; a hand is (stake, result or none).
_READ = """() => {
  const text = (each) => each?.textContent.replace(/\\s+/g, " ").trim() ?? "";
  const number = (shown) => Number(shown.replaceAll(",", "").replace("\\u2212", "-"));
  const all = (selector, pick) => [...document.querySelectorAll(selector)].map(pick);
  const result = (shown) => shown === "push" ? 0 : number(shown);
  return {
    stack: number(text(document.querySelector("#stack"))),
    heading: text(document.querySelector("#asked")),
    cards: all(".felt .card[aria-label]", (card) => card.getAttribute("aria-label")),
    hands: all(".box.own .held", (hand) => [
      number(text(hand.querySelector(".stake span"))),
      hand.querySelector(".stake strong") ? result(text(hand.querySelector(".stake strong"))) : null,
    ]),
    bets: all("input[name=bet]", (field) => Number(field.value)),
    keys: all("form.bar button[name=action]", (button) => button.dataset.key),
    is_open: document.querySelector("#deal") !== null,
    lines: all("table.hands tbody tr", (row) => [
      text(row.cells[0]), number(text(row.cells[1])), number(text(row.cells[2])), text(row.cells[3])]),
    marks: all(".marks > li", text),
    reasons: all(".marks details .why", text),
    figures: Object.fromEntries(all(".sitting dl div", (each) => [
      text(each.querySelector("dt")), number(text(each.querySelector("dd")))])),
  };
}"""
# How far the page, and what is in its bar, goes beyond the window.
_OVERHANG = """() => Math.max(document.documentElement.scrollWidth - window.innerWidth,
  ...[...document.querySelectorAll(".bar > *, .chips > *")].map((each) => each.getBoundingClientRect().right
    - window.innerWidth))"""


@dataclass(frozen=True)
class Seen:
    """A table at one moment, in chips; ``hands`` are the player's own, ``lines`` (hand, bet, result, why)."""

    stack: float
    heading: str
    cards: list[str]
    hands: list[tuple[float, float | None]]
    bets: list[int]
    keys: list[str]
    is_open: bool
    lines: list[tuple[str, float, float, str]]
    marks: list[str]
    reasons: list[str]
    figures: dict[str, float]

    @property
    def staked(self) -> float:
        """What lies on the own hands that are not settled yet."""
        return sum(stake for stake, result in self.hands if result is None)

    @property
    def settled(self) -> float:
        """What the own hands that are settled have won."""
        return sum(result for _, result in self.hands if result is not None)


def read(page: Page) -> Seen:
    """What the table shows."""
    found: dict[str, Any] = page.evaluate(_READ)
    return Seen(**found)


def press(page: Page, *keys: str) -> None:
    """Press keys, each once the one before has had its effect."""
    for key in keys:
        page.keyboard.press(key)
        page.wait_for_function("() => !document.querySelector('.htmx-request')")
        page.evaluate(SETTLE)


def expect_heading(page: Page, text: str) -> None:
    """Wait for what is asked, or what a round came to."""
    expect(page.locator("#asked")).to_have_text(re.compile(text))


def sit(page: Page, key: str = "openseat", **choice: object) -> None:
    """Open a table and take a seat; ``choice`` fills in the form, ``clock`` by whether it is to run."""
    page.goto(f"/tables/{key}")
    for name, value in choice.items():
        field = page.locator(f"[name={name}]")
        if isinstance(value, bool):
            field.set_checked(value)
        else:
            field.fill(str(value))
    page.locator("h1").click()  # away from what was filled in
    page.keyboard.press(" ")
    expect(page.locator("#deal")).to_be_visible()
    page.wait_for_load_state()  # until then no script listens for keys


def overhang(page: Page) -> dict[int, float]:
    """By how many pixels something goes beyond the window, by its width."""
    found = {}
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        found[width] = max(0.0, page.evaluate(_OVERHANG))
    return found
