"""Keys press buttons, and nothing but what a person meant."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.drill_page import DrillPage
from tests.browser.watch import Watch

SEED = "rules=shoe-h17&mode=mixed&seed=keys"


@pytest.fixture
def expect_no_answer(drill: DrillPage, watch: Watch) -> Callable[[], None]:
    """Check that nothing was answered, and that the hand can still be."""

    def check() -> None:
        drill.settle()
        assert watch.posts == []
        expect(drill.question).to_be_visible()
        drill.page.evaluate("document.activeElement.blur()")
        drill.press("h")
        assert drill.wait_for_verdict().hands == 1
        assert len(watch.answers) == 1

    return check


@pytest.mark.parametrize("held", ["Control", "Alt", "Meta"])
def test_a_key_with_a_modifier_is_left_alone(
    drill: DrillPage, expect_no_answer: Callable[[], None], held: str
) -> None:
    drill.open(SEED)
    drill.press(f"{held}+h")
    drill.press(f"{held}+d")
    expect_no_answer()


def test_shift_and_caps_lock_do_no_harm(drill: DrillPage) -> None:
    drill.open(SEED)
    drill.press("Shift+H")
    assert [row[0] for row in drill.wait_for_verdict().evs if row[2]] == ["Hit"]


def test_a_key_held_down_is_one_press(page: Page, drill: DrillPage, watch: Watch) -> None:
    drill.open(SEED)
    page.keyboard.down("h")
    drill.wait_for_verdict()
    for _ in range(3):
        page.keyboard.down("h")
    page.keyboard.up("h")
    page.keyboard.down("Space")
    second = drill.wait_for_question()
    for _ in range(3):
        page.keyboard.down("Space")
    page.keyboard.up("Space")
    seen = drill.read()
    assert (seen.cards, seen.hands) == (second.cards, 1)
    assert len(watch.answers) == 1


def test_repeats_of_a_key_do_not_answer(
    page: Page, drill: DrillPage, expect_no_answer: Callable[[], None]
) -> None:
    drill.open(SEED)
    page.locator("summary.chip").click()
    page.locator("#rules").focus()
    page.keyboard.down("h")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.down("h")
    page.keyboard.up("h")
    expect_no_answer()


def test_typing_is_no_answer(page: Page, drill: DrillPage, expect_no_answer: Callable[[], None]) -> None:
    drill.open(SEED)
    page.locator("summary.chip").click()
    page.locator("#rules").focus()
    drill.press("s")
    page.evaluate("""() => {
      for (const name of ["input", "textarea"]) document.querySelector("main").append(document.createElement(name));
    }""")
    for field in ("main > input", "main > textarea"):
        page.locator(field).press_sequentially("hsdpr ")
        expect(page.locator(field)).to_have_value("hsdpr ")
    expect_no_answer()


def test_keys_of_moves_that_are_not_there_do_nothing(
    drill: DrillPage, expect_no_answer: Callable[[], None]
) -> None:
    assert "split" not in drill.open("mode=focus&focus=hard&seed=keys").moves
    for key in ("p", "r", "i", "n", "x", "Space", "Enter", "Escape", "ArrowDown"):
        drill.press(key)
    expect_no_answer()


def test_space_on_a_focused_button_presses_that_button(page: Page, drill: DrillPage, watch: Watch) -> None:
    first = drill.open(SEED)
    page.get_by_role("button", name="Skip this hand").focus()
    drill.press("Space")
    expect(drill.question).to_be_focused()
    seen = drill.read()
    assert seen.cards != first.cards
    assert (watch.answers, seen.hands) == ([], 0)
    assert len(watch.posts) == 1


def test_space_on_a_focused_summary_folds_it(page: Page, drill: DrillPage) -> None:
    drill.open(SEED)
    verdict = drill.answer("hit")
    more = page.locator("summary.chip")
    more.focus()
    drill.press("Space")
    expect(page.locator("details.more")).to_have_attribute("open", "")
    drill.press("Enter")
    expect(page.locator("details.more")).not_to_have_attribute("open", "")
    assert drill.read().heading == verdict.heading


def test_enter_on_a_focused_link_follows_it(page: Page, drill: DrillPage) -> None:
    drill.open(SEED)
    drill.answer("hit")
    page.get_by_role("link", name="Strategy", exact=True).press("Enter")
    page.wait_for_url("**/charts/*")


def test_space_on_another_link_deals_no_hand(page: Page, drill: DrillPage) -> None:
    drill.open(SEED)
    verdict = drill.answer("hit")
    page.get_by_role("link", name="Strategy", exact=True).press("Space")
    assert drill.read().heading == verdict.heading


@pytest.mark.parametrize("key", ["Space", "Enter"])
def test_both_keys_work_on_the_focused_next_hand(drill: DrillPage, key: str) -> None:
    """Its label names the key, so that it has to work there of all places."""
    drill.open(SEED)
    drill.answer("hit")
    drill.next_hand.press(key)
    expect(drill.question).to_be_focused()
    assert drill.read().hands == 1


def test_shortcuts_switched_off_leave_all_keys_alone(page: Page, drill: DrillPage, watch: Watch) -> None:
    drill.open(SEED)
    expect(page.locator("kbd")).not_to_have_count(0)
    page.goto("/settings")
    page.get_by_label("Keys: H S D P R").uncheck()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    drill.open(SEED)
    expect(page.locator("kbd")).to_have_count(0)
    for key in ("h", "s", "d", "r"):
        drill.press(key)
    drill.settle()
    assert watch.answers == []
    verdict = drill.answer("hit")
    drill.press("Space")
    assert drill.read().heading == verdict.heading
    drill.next_hand.press("Enter")
    drill.wait_for_question()
