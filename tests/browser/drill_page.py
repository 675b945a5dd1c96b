"""The drill as a person sees and uses it."""

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Locator, Page

# Everything of the drill that tests compare, read in one go.
_READ = """() => {
  const text = (selector) => document.querySelector(selector)?.textContent.replace(/\\s+/g, " ").trim() ?? "";
  const all = (selector, pick) => [...document.querySelectorAll(selector)].map(pick);
  return {
    cards: all(".felt .card", (card) => card.getAttribute("aria-label")),
    dealer: document.querySelector(".felt .card")?.getAttribute("aria-label") ?? "",
    player: all(".seat:last-of-type .card", (card) => card.getAttribute("aria-label")),
    total: text(".total"),
    moves: all("button.move", (button) => button.value),
    asked: text("#asked"),
    heading: text("#verdict"),
    is_right: document.querySelector(".verdict.good") !== null,
    is_wrong: document.querySelector(".verdict.bad") !== null,
    remarks: all(".verdict p", (each) => each.textContent),
    evs: all(".evs tbody tr", (row) => [
      row.querySelector("th").firstChild.textContent.trim(),
      row.querySelector(".number").textContent,
      row.querySelector(".you") !== null,
    ]),
    hands: Number(text("#strip dd")),
    live: all("#live", (each) => each.textContent.trim()),
    alert: text("#alert"),
    focus: document.activeElement === document.body ? "body" : document.activeElement.id,
  };
}"""
# Resolves once nothing is in motion any more.
SETTLE = """async () => {
  const isMoving = () => document.querySelector(".htmx-request, .htmx-swapping, .htmx-settling, .htmx-added");
  while (isMoving()) await new Promise(requestAnimationFrame);
}"""


@dataclass(frozen=True)
class Seen:
    """The drill at one moment; ``evs`` are (move, number, whether it was chosen), as they stand on the page."""

    cards: tuple[str, ...]
    dealer: str
    player: tuple[str, ...]
    total: str
    moves: tuple[str, ...]
    asked: str
    heading: str
    is_right: bool
    is_wrong: bool
    remarks: tuple[str, ...]
    evs: tuple[tuple[str, str, bool], ...]
    hands: int
    live: tuple[str, ...]
    alert: str
    focus: str


class DrillPage:
    """A page that shows the drill."""

    def __init__(self, page: Page, *, has_script: bool = True) -> None:
        self.page = page
        self._has_script = has_script

    @property
    def question(self) -> Locator:
        return self.page.locator("#asked")

    @property
    def verdict(self) -> Locator:
        return self.page.locator("#verdict")

    @property
    def next_hand(self) -> Locator:
        return self.page.get_by_role("link", name="Next hand")

    def move(self, action: str) -> Locator:
        """The button of a move."""
        return self.page.locator(f"button.move[value={action}]")

    def open(self, query: str = "mode=mixed&seed=browser") -> Seen:
        """Have a hand dealt."""
        self.page.goto(f"/?{query}")
        return self.wait_for_question()

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def answer(self, action: str) -> Seen:
        """Click a move and wait for the verdict."""
        self.move(action).click()
        return self.wait_for_verdict()

    def deal_next(self) -> Seen:
        """Click for the next hand and wait for it."""
        self.next_hand.click()
        return self.wait_for_question()

    def wait_for_question(self) -> Seen:
        self.question.wait_for()
        return self.read()

    def wait_for_verdict(self) -> Seen:
        self.verdict.wait_for()
        return self.read()

    def read(self) -> Seen:
        """What the page shows once nothing is in motion any more."""
        self.settle()
        found: dict[str, Any] = self.page.evaluate(_READ)
        return Seen(**{name: _frozen(value) for name, value in found.items()})

    def settle(self) -> None:
        """Wait until no request runs and what it brought is in its place."""
        if self._has_script:
            self.page.evaluate(SETTLE)


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
