"""What axe has against a page, and what hangs over its edge."""

from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_FAST = {"resultTypes": ["violations"], "preload": False, "iframes": False}
_ALL = {**_FAST, "runOnly": {"type": "tag", "values": _TAGS}}
_COLOURS = {**_FAST, "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
_RUN = """async (options) => {
  const found = await axe.run(document, options);
  return found.violations.flatMap(({id, nodes}) => nodes.map(({target, any, all, none}) =>
    `${id} at ${target.join(" ")}: ${[...any, ...all, ...none].map((each) => each.message).join("; ")}`));
}"""
# 320 px is also what is left of 1280 px at a zoom of 400%.
_WIDTHS = (1280, 360, 320)
_WIDTH_FOR_LARGE_TEXT = 640
# How many pixels the page is wider than its window, and every label that is wider than its button.
_OVERHANG = """() => {
  const root = document.documentElement;
  const spilt = [...document.querySelectorAll(".move, .button, .chip, button")]
    .filter((each) => each.offsetParent && each.scrollWidth > each.clientWidth + 1)
    .map((each) => each.firstChild.textContent.trim());
  return [root.scrollWidth - root.clientWidth, spilt];
}"""
# Text twice as large, as a browser's text-only zoom does it; cards are pictures.
_DOUBLE_TEXT = """() => {
  const holds = (each) => [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const texts = [...document.querySelectorAll("body *")].filter((each) =>
    (holds(each) || each.matches("input, select")) && !each.closest(".card, svg, script"));
  const sizes = texts.map((each) => parseFloat(getComputedStyle(each).fontSize));
  texts.forEach((each, index) => { each.style.fontSize = `${2 * sizes[index]}px`; });
}"""


def axe_violations(page: Page, where: str) -> list[str]:
    """What axe has against a page, light; and dark, where only colours are others."""
    return [*axe_in(page, where, "light"), *axe_in(page, where, "dark", _COLOURS)]


def axe_in(page: Page, where: str, scheme: Literal["light", "dark"], options: dict[str, Any] = _ALL) -> list[str]:
    """What axe has against a page in one colour scheme."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    page.emulate_media(color_scheme=scheme)
    return [f"{where}, {scheme}: {violation}" for violation in page.evaluate(_RUN, options)]


def overhangs(page: Page, name: str) -> list[str]:
    """In which widths the page is wider than the window, or a label wider than its button."""
    found = []
    for width in _WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        found.append((f"{name}, {width} px", *page.evaluate(_OVERHANG)))
    page.set_viewport_size({"width": _WIDTH_FOR_LARGE_TEXT, "height": 800})
    page.evaluate(_DOUBLE_TEXT)
    found.append((f"{name}, {_WIDTH_FOR_LARGE_TEXT} px, text twice as large", *page.evaluate(_OVERHANG)))
    return [f"{where}: {sideways} px over the edge, too wide for their buttons: {spilt}"
            for where, sideways, spilt in found if sideways > 0 or spilt]
