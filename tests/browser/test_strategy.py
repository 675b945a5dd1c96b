"""Building a rule set, sharing it and drilling by it; the edge's lines; lessons: as a browser shows them."""

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.drill_page import DrillPage
from tests.browser.watch import Watch
from trainer.engine.rules import Rules
from trainer.engine.strategy import derive
from trainer.engine.variation import single_changes

PHONE = {"width": 360, "height": 740}
_SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def _choose(page: Page, label: str, words: str) -> None:
    """Change one rule and wait for what it does."""
    with page.expect_response(re.compile(r"/rules/hall-of-thoth\?")):
        page.get_by_label(label, exact=True).select_option(label=words)
    expect(page.locator(".htmx-request, .htmx-swapping, .htmx-settling")).to_have_count(0)


def test_the_builder_shows_what_a_change_does_and_keeps_the_focus(page: Page) -> None:
    page.goto("/rules/hall-of-thoth")
    expect(page.locator("#preview")).to_contain_text("As it is")
    page.get_by_label("Surrender", exact=True).focus()
    _choose(page, "Surrender", "late")
    rules = Rules(surrender="late")
    after, before = derive(rules), derive(Rules())
    changed = before.chart.differences(after.chart)
    expect(page.locator("#preview ins")).to_have_count(len(changed))
    expect(page.locator("#preview-line")).to_contain_text(f"−{abs(100 * after.by_chart.edge):.4f}%")
    expect(page.locator("#live")).to_contain_text(f"{len(changed)} cells of the chart changed")
    expect(page.get_by_label("Surrender", exact=True)).to_be_focused()
    expect(page).to_have_url(re.compile("/rules/hall-of-thoth$"))
    _choose(page, "Surrender", "none")
    expect(page.locator("#preview ins")).to_have_count(0)


def test_the_builder_is_used_by_keys_alone(page: Page) -> None:
    page.goto("/rules/hall-of-thoth")
    page.get_by_label("Decks", exact=True).focus()
    with page.expect_response(re.compile("decks=1")):
        page.keyboard.type("1")
    expect(page.locator("#preview")).to_contain_text("One deck")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Dealer on soft 17", exact=True)).to_be_focused()


def test_nonsense_is_told_at_the_field_and_goes_when_it_is_put_right(page: Page, watch: Watch) -> None:
    watch.expect_status(422)
    page.goto("/rules/hall-of-thoth")
    field = page.get_by_label("Shuffle", exact=True)
    for text, is_wrong in (("soon", True), ("60-75", False)):
        field.fill(text)
        with page.expect_response(re.compile("shuffle=")):
            field.press("Tab")
        if is_wrong:
            expect(page.locator("#shuffle-error")).to_contain_text("“soon” is not allowed here")
            expect(field).to_have_attribute("aria-invalid", "true")
            expect(field).to_have_accessible_description(re.compile("is not allowed here"))
            expect(page.locator("#preview")).to_contain_text("Nothing can be shown")
        else:
            expect(page.locator("#shuffle-error")).to_be_empty()
            expect(field).not_to_have_attribute("aria-invalid", "true")
        expect(field).to_have_value(text)
    expect(page.locator("#preview-line")).to_contain_text("Edge by the chart")


def test_what_is_saved_is_shared_by_its_address_and_drilled(
    page: Page, watch: Watch, open_context: Callable[..., BrowserContext]
) -> None:
    watch.expect_status(422)
    page.goto("/rules/hall-of-thoth")
    _choose(page, "Decks", "2")
    _choose(page, "Double on", "10 and 11")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#name-error")).to_have_text("Give it a name.")
    expect(page.get_by_label("Save under a name")).to_have_accessible_description("Give it a name.")
    page.get_by_label("Save under a name").fill("Our <b>table</b>")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved as Our <b>table</b>.")).to_be_visible()
    own = page.get_by_role("link", name="Our <b>table</b>", exact=True)
    address = own.get_attribute("href")
    assert address is not None
    other = open_context().new_page()
    other.goto(address)
    expect(other.get_by_label("Decks", exact=True)).to_have_value("2")
    expect(other.get_by_label("Double on", exact=True)).to_have_value("10-11")
    expect(other.locator("h1")).to_have_text("Two decks, double on two cards of 10 to 11")
    other.get_by_role("link", name="Drill these rules").click()
    assert DrillPage(other).wait_for_question().player
    expect(other.locator(".rules-line")).to_contain_text("Two decks")
    expect(other.locator(".rules-line")).to_contain_text("double 10 to 11")
    page.get_by_role("link", name="Drill Our").click()
    page.locator("summary.chip").click()
    expect(page.get_by_label("Rule set").locator("option:checked")).to_have_text("Our <b>table</b>")


def test_a_double_click_saves_once_and_back_shows_what_was_built(page: Page, watch: Watch) -> None:
    page.goto("/rules/classic?decks=8")
    page.get_by_label("Save under a name").fill("Twice")
    page.get_by_role("button", name="Save", exact=True).dblclick()
    expect(page.get_by_text("Saved as Twice.")).to_be_visible()
    assert len([path for path in watch.posts if path.endswith("/save")]) == 1
    page.go_back(wait_until="commit")
    expect(page.get_by_label("Decks", exact=True)).to_have_value("8")
    expect(page.locator("#preview-line")).to_contain_text("Edge by the chart")


def test_a_rule_set_is_renamed_and_deleted(page: Page) -> None:
    page.goto("/rules/decks~8")
    page.get_by_label("Save under a name").fill("Eight")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("Rename or delete").click()
    page.get_by_label("Name", exact=True).fill("Shoe of eight")
    page.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("link", name="Shoe of eight", exact=True)).to_be_visible()
    page.get_by_text("Rename or delete").click()
    page.get_by_role("button", name="Delete Shoe of eight").click()
    expect(page.get_by_text("Deleted Shoe of eight.")).to_be_visible()
    expect(page.locator("#own")).to_contain_text("None yet.")


def test_the_worth_of_each_rule_comes_in_line_by_line(page: Page) -> None:
    changes = single_changes(Rules())
    page.goto("/edge")
    expect(page.locator("#swings .paths")).to_be_visible(timeout=60_000)
    expect(page.locator("#changes tbody tr")).to_have_count(len(changes), timeout=60_000)
    expect(page.locator("#live")).to_have_text(f"All {len(changes)} changes are worked out.")
    texts = page.locator("#changes tbody td:nth-child(2)").all_inner_texts()
    worths = [float(text.replace("−", "-")) for text in texts]
    assert worths == sorted(worths, reverse=True)
    page.get_by_label("Bet, in chips").fill("100")
    page.get_by_label("Bet, in chips").press("Enter")
    expect(page.locator("#plays tbody tr", has_text="The chart").locator("td").nth(2)).to_have_text(
        f"−{abs(100 * 70 * derive(Rules()).by_chart.edge):.2f}")


def test_without_javascript_everything_is_there(open_context: Callable[..., BrowserContext]) -> None:
    page = open_context(java_script_enabled=False).new_page()
    page.goto("/rules/hall-of-thoth")
    page.get_by_label("Surrender", exact=True).select_option("late")
    page.get_by_role("button", name="Show what changes").click()
    expect(page.locator("#preview ins").first).to_be_visible()
    expect(page.get_by_label("Surrender", exact=True)).to_have_value("late")
    page.get_by_label("Save under a name").fill("Late")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved as Late.")).to_be_visible()
    page.goto("/edge?rules=squarescores")
    page.get_by_role("link", name="Work out all at once").click()
    expect(page.locator("#changes tbody tr")).to_have_count(len(single_changes(Rules(decks=1, split_by="rank",
                                                                                     max_split_hands=2))))
    expect(page.locator("#swings .paths")).to_be_visible()


@pytest.mark.parametrize("lesson", ["soft-and-hard", "splitting"])
def test_a_hand_of_a_lesson_is_dealt(page: Page, drill: DrillPage, lesson: str) -> None:
    page.goto("/learn")
    page.locator(f"a[href='/learn/{lesson}']").click()
    link = page.locator(".tries a").first
    upcard = link.inner_text().partition(" with ")[2]
    link.click()
    seen = drill.wait_for_question()
    faces = {"a 7 up": "seven", "a 10 up": ("ten", "jack", "queen", "king")}
    assert seen.dealer.startswith(faces[upcard])


def test_the_navigation_of_a_phone_stays_on_one_line(open_context: Callable[..., BrowserContext]) -> None:
    page = open_context(viewport=PHONE).new_page()
    for path in ("/", "/rules", "/edge", "/learn"):
        page.goto(path)
        tops = {round(link.bounding_box()["y"]) for link in page.locator("nav[aria-label=Site] a").all()}
        assert len(tops) == 1, path
        assert page.evaluate(_SIDEWAYS) <= 0
    expect(page.locator("nav[aria-label=Site] [aria-current]")).to_have_text("Learn")
    page.goto("/edge")
    expect(page.locator("nav[aria-label=Strategy] [aria-current]")).to_have_text("Edge")


def test_what_htmx_brings_passes_axe(page: Page, watch: Watch) -> None:
    watch.expect_status(422)
    page.set_viewport_size(PHONE)
    page.goto("/rules/hall-of-thoth")
    _choose(page, "Dealer on soft 17", "hits")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#name-error")).to_be_visible()
    page.get_by_label("Shuffle", exact=True).fill("soon")
    page.get_by_label("Shuffle", exact=True).press("Tab")
    expect(page.locator("#shuffle-error")).not_to_be_empty()
    found = Axe().run(page).response["violations"]
    assert found == []
    assert page.evaluate(_SIDEWAYS) <= 0
