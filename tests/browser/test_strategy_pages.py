"""Charts, cells and the calculator by keyboard, on paper, on a phone and without JavaScript."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.watch import Watch

_PAGE_OF_A_PDF = re.compile(rb"/Type\s*/Page\b(?!s)")
_DARK_INK = """(selector) => [...document.querySelectorAll(selector)].map((each) => {
  const style = getComputedStyle(each);
  return [style.color, style.backgroundColor];
})"""


def _focus_by_tab(page: Page, name: re.Pattern[str], most: int) -> None:
    """Press Tab until the link of this name has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        label = page.evaluate("document.activeElement.getAttribute('aria-label') || document.activeElement.textContent")
        if name.search(label):
            return
    raise AssertionError(f"no {name.pattern} within {most} presses")


def test_a_chart_is_walked_a_cell_opened_and_drilled_by_keyboard(page: Page) -> None:
    page.goto("/charts/shoe-h17?section=hard")
    _focus_by_tab(page, re.compile(r"^Rh: surrender, else hit, hard 16 against 10; some of these hands"), 120)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/charts/shoe-h17/h16/T$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Hard 16 against 10")
    _focus_by_tab(page, re.compile(r"Hard 15 against 10"), 30)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Hard 15 against 10")
    _focus_by_tab(page, re.compile("^Drill this cell$"), 40)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"rows=h15&upcards=T"))
    expect(page.locator(".felt .total")).to_contain_text("15")


def test_a_row_is_drilled_from_its_head(page: Page) -> None:
    page.goto("/charts/hall-of-thoth")
    page.get_by_role("link", name="A-7: drill soft 18").click()
    expect(page.locator(".felt .total")).to_contain_text("18")


@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize("path", ["/charts/shoe-h17", "/charts/squarescores?table=exact",
                                  "/charts/decks~4.hole_card~obo.no_split~A-T.surrender~early"])
def test_a_chart_prints_on_one_page(page: Page, path: str, paper: str) -> None:
    page.goto(path)
    assert len(_PAGE_OF_A_PDF.findall(page.pdf(format=paper))) == 1


def test_a_printed_chart_is_black_on_white_with_all_its_tables(page: Page) -> None:
    page.emulate_media(media="print", color_scheme="dark")
    page.goto("/charts/shoe-h17")
    for caption in ("Hard hands", "Soft hands", "Pairs", "Surrender"):
        expect(page.locator("caption", has_text=caption)).to_be_visible()
    for hidden in (page.locator("header.site"), page.locator(".choices").first, page.locator(".actions")):
        expect(hidden).to_be_hidden()
    greys = re.compile(r"rgb\((\d+), \1, \1\)")
    for colours in page.evaluate(_DARK_INK, ".section tbody td, .legend dt, .lead"):
        assert all(greys.fullmatch(colour) or colour == "rgba(0, 0, 0, 0)" for colour in colours), colours
    looks = page.evaluate("""() => Object.fromEntries(["s", "d", "p", "r", "h"].map((code) => {
        const cell = document.querySelector(`.section .code-${code}`), style = getComputedStyle(cell);
        const link = getComputedStyle(cell.querySelector("a"));
        return [code, [style.backgroundColor, style.outlineStyle, link.textDecorationLine].join()];
    }))""")
    assert len(set(looks.values())) == len(looks)


def test_a_hand_is_put_together_card_by_card_without_losing_the_place(page: Page) -> None:
    page.goto("/hands?rules=shoe-h17")
    page.get_by_role("button", name="8: add to your cards").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#cards")).to_have_value("8")
    expect(page.locator("#live")).to_have_text("One card more at least.")
    expect(page.locator("#add-8")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.locator("#cards")).to_have_value("88")
    page.get_by_role("button", name="A: dealer’s upcard").click()
    expect(page.locator("#result")).to_have_text("8-8 (hard 16) against A: surrender")
    expect(page.locator("#live")).to_have_text("8-8 (hard 16) against A: surrender")
    expect(page).to_have_url(re.compile(r"/hands/88/A\?rules=shoe-h17$"))
    page.get_by_role("button", name="10: seen elsewhere").click()
    expect(page).to_have_url(re.compile(r"/hands/88/A\?rules=shoe-h17&seen=T$"))
    page.go_back()
    expect(page.locator("#seen")).to_have_value("")
    expect(page.locator("#result")).to_be_visible()


def test_enter_in_a_field_works_the_hand_out(page: Page, watch: Watch) -> None:
    watch.expect_status(422)
    page.goto("/hands?rules=classic")
    page.get_by_label("Your cards", exact=True).fill("10 6 9")
    page.keyboard.press("Enter")
    expect(page.locator("#cards-error")).to_contain_text("bust")
    expect(page.locator("#cards")).to_be_focused()
    page.get_by_label("Your cards", exact=True).fill("10 6")
    page.locator("#upcard").fill("10")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/hands/T6/T\?rules=classic$"))
    expect(page.locator("#result")).to_be_visible()


def test_the_calculator_works_without_javascript(open_context: Callable[..., BrowserContext]) -> None:
    page = open_context(java_script_enabled=False).new_page()
    page.goto("/hands?rules=hall-of-thoth")
    for name in ("A: add to your cards", "7: add to your cards", "9: dealer’s upcard"):
        page.get_by_role("button", name=name).click()
    expect(page).to_have_url(re.compile(r"/hands/A7/9\?rules=hall-of-thoth$"))
    expect(page.locator("#result")).to_contain_text("A-7 (soft 18) against 9: hit")


def test_on_a_phone_the_answer_comes_into_view(open_context: Callable[..., BrowserContext]) -> None:
    page = open_context(viewport={"width": 360, "height": 740}).new_page()
    page.goto("/hands?rules=hall-of-thoth&cards=A7")
    page.get_by_role("button", name="9: dealer’s upcard").click()
    expect(page.locator("#result")).to_be_in_viewport()


def test_two_presses_at_once_are_one_card(page: Page) -> None:
    page.goto("/hands?rules=hall-of-thoth")
    held: list[Route] = []
    page.route("**/hands?*", lambda route: held.append(route))  # until both presses are made
    with page.expect_request("**/hands?*"):
        page.locator("#add-5").dblclick()
    page.evaluate("0")  # what was asked for until now has come to be held
    for route in held:
        route.continue_()
    expect(page.locator("#cards")).to_have_value("5")
    page.evaluate("0")
    assert len(held) == 1
