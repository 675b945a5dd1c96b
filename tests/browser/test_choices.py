"""What a person can choose: settings, what is dealt, and going over a session's mistakes."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.drill_page import DrillPage, Seen
from tests.browser.reference import KEYS, look_up
from tests.browser.watch import Watch
from trainer.engine.strategy import Strategy

Strategies = Callable[[str], Strategy]
DARK_PAPER = "rgb(18, 24, 21)"


def _save_settings(page: Page, *labels: str) -> None:
    page.goto("/settings")
    for label in labels:
        page.get_by_label(label, exact=True).check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()


def _paper(page: Page) -> str:
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


def test_the_theme_follows_the_system_until_it_is_set(open_context: Callable[..., BrowserContext]) -> None:
    page = open_context(color_scheme="dark").new_page()
    page.goto("/settings")
    assert _paper(page) == DARK_PAPER
    _save_settings(page, "light")
    assert _paper(page) != DARK_PAPER
    page.emulate_media(color_scheme="light")
    _save_settings(page, "dark")
    assert _paper(page) == DARK_PAPER
    page.goto("/?mode=mixed")
    assert _paper(page) == DARK_PAPER


def test_a_four_colour_deck_has_four_colours(page: Page) -> None:
    colours = """() => ["s", "h", "d", "c"].map((suit) => {
      const card = document.querySelector(".card").cloneNode(true);
      card.className = `card suit-${suit}`;
      document.querySelector(".cards").append(card);
      return getComputedStyle(card).color;
    })"""
    page.goto("/?mode=mixed")
    assert len(set(page.evaluate(colours))) == 2
    _save_settings(page, "Four-colour deck: blue diamonds, green clubs")
    page.goto("/?mode=mixed")
    assert len(set(page.evaluate(colours))) == 4


def test_settings_say_what_is_wrong_beside_the_field(page: Page, watch: Watch) -> None:
    watch.expect_status(422)
    page.goto("/settings")
    page.get_by_label("Costs are shown for a bet of").fill("0")
    page.get_by_role("button", name="Save").click()
    field = page.get_by_label("Costs are shown for a bet of")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(re.compile("Enter a whole number from 1"))


def _best(strategy: Strategy, seen: Seen) -> str:
    return look_up(strategy, seen.dealer, seen.player).best


def test_a_right_answer_goes_on_by_itself_and_a_wrong_one_does_not(
    page: Page, drill: DrillPage, strategy_of: Strategies
) -> None:
    _save_settings(page, "After a right answer, deal the next hand by itself")
    page.clock.install()
    first = drill.open("mode=focus&rows=h16&upcards=T&seed=a")
    drill.press(KEYS[_best(strategy_of("hall-of-thoth"), first)])
    drill.wait_for_verdict()
    page.clock.fast_forward(2_000)
    expect(drill.question).to_be_focused()
    second = drill.read()
    assert second.hands == 1
    drill.press(KEYS[look_up(strategy_of("hall-of-thoth"), second.dealer, second.player).wrong_moves[0]])
    verdict = drill.wait_for_verdict()
    page.clock.fast_forward(60_000)
    assert drill.read().heading == verdict.heading


def test_a_hand_of_the_past_does_not_go_on_by_itself(page: Page, drill: DrillPage, strategy_of: Strategies) -> None:
    """Somebody who opens an old hand, or loads a verdict again, wants to read it."""
    seen = drill.open("mode=mixed&seed=past")
    path = page.locator("form.moves").get_attribute("action")
    assert path is not None
    verdict = drill.answer(_best(strategy_of("hall-of-thoth"), seen))
    _save_settings(page, "After a right answer, deal the next hand by itself")
    page.clock.install()
    page.goto(path)
    drill.wait_for_verdict()
    page.clock.fast_forward(60_000)
    assert drill.read().heading == verdict.heading


@pytest.mark.parametrize(("chip", "asked"), [("Hard", "Hard hand"), ("Soft", "Soft hand"), ("Pairs", "Pair")])
def test_the_chips_deal_what_they_say(page: Page, drill: DrillPage, chip: str, asked: str) -> None:
    drill.open("mode=mixed")
    page.get_by_role("link", name=chip, exact=True).click()
    expect(page.get_by_role("link", name=chip, exact=True)).to_have_attribute("aria-current", "true")
    for _ in range(3):
        assert drill.wait_for_question().asked == f"{asked}: what is the best move?"
        drill.answer("stand")
        drill.deal_next()
    page.goto("/")
    assert drill.wait_for_question().asked.startswith(asked)


def test_the_menu_changes_the_mode_and_the_rules(page: Page, drill: DrillPage) -> None:
    drill.open("mode=mixed")
    page.locator("summary", has_text="More").click()
    page.get_by_role("link", name="Insurance", exact=True).click()
    assert drill.wait_for_question().moves == ("insure", "decline")
    expect(page.locator("summary", has_text="Insurance")).to_be_visible()
    page.get_by_role("link", name="All", exact=True).click()
    drill.wait_for_question()
    page.locator("summary", has_text="More").click()
    page.get_by_label("Rule set").select_option("Casino shoe, H17")
    page.get_by_role("button", name="Deal these rules").click()
    expect(page.locator(".rules-line")).to_contain_text("late surrender")
    assert "rules=shoe-h17" in page.url
    assert "mode=mixed" in page.url


def test_the_menu_is_used_by_keys_alone(page: Page, drill: DrillPage) -> None:
    drill.open("mode=mixed")
    page.locator("summary", has_text="More").press("Enter")
    for name in ("Weak spots", "Review", "Surrender"):
        drill.press("Tab")
        expect(page.get_by_role("link", name=name, exact=True)).to_be_focused()
    drill.press("Tab")
    drill.press("Enter")
    drill.wait_for_question()
    assert len(drill.read().player) >= 3


def test_a_part_of_the_chart_is_picked_and_dealt(page: Page, drill: DrillPage) -> None:
    drill.open("rules=hall-of-thoth&mode=mixed")
    page.locator("summary", has_text="More").click()
    page.get_by_role("link", name="Pick a part of the chart").click()
    page.get_by_role("group", name="Dealer’s upcard").get_by_label("6", exact=True).check()
    page.get_by_label("A-7", exact=True).check()
    page.get_by_role("button", name="Drill these").first.click()
    for _ in range(2):
        seen = drill.wait_for_question()
        assert seen.dealer.startswith("six")
        assert seen.total == "8 / 18 soft"
        drill.answer("stand")
        drill.deal_next()


def test_a_session_ends_with_a_summary_whose_mistakes_are_practised_before_going_on(
    page: Page, drill: DrillPage, strategy_of: Strategies
) -> None:
    seen = drill.open("rules=hall-of-thoth&mode=focus&focus=soft&seed=summary")
    missed = set()
    for hand in range(4):
        reference = look_up(strategy_of("hall-of-thoth"), seen.dealer, seen.player)
        if hand % 2:
            missed.add(_shape(seen))
        drill.answer(reference.wrong_moves[0] if hand % 2 else reference.best)
        seen = drill.deal_next()
    page.get_by_role("button", name="Finish").click()
    expect(page.get_by_role("heading", name="4 hands, 2 wrong")).to_be_visible()
    expect(page.get_by_role("table", name="Hands, each with your move").locator("tbody tr")).to_have_count(2)
    page.get_by_role("link", name="Practise just those").click()
    again = set()
    for _ in missed:
        seen = drill.wait_for_question()
        again.add(_shape(seen))
        drill.answer(_best(strategy_of("hall-of-thoth"), seen))
        drill.next_hand.click()
    expect(page.get_by_text("That was all of them. Back to soft hands.")).to_be_visible()
    assert again == missed
    assert drill.wait_for_question().asked.startswith("Soft hand")
    assert "focus=soft" in page.url


def test_a_mistake_is_listed_and_drilled(page: Page, drill: DrillPage, strategy_of: Strategies) -> None:
    seen = drill.open("rules=hall-of-thoth&mode=focus&focus=pair&seed=mistake")
    wrong = look_up(strategy_of("hall-of-thoth"), seen.dealer, seen.player).wrong_moves[0]
    verdict = drill.answer(wrong)
    page.get_by_role("link", name="Mistakes", exact=True).click()
    expect(page.get_by_role("table", name="Hands, each with your move").locator("tbody tr")).to_have_count(1)
    page.get_by_role("table", name="Hands, each with your move").locator("tbody tr a").click()
    assert drill.wait_for_verdict().heading == verdict.heading
    page.go_back(wait_until="commit")
    page.get_by_role("link", name="Drill these").click()
    assert _shape(drill.wait_for_question()) == _shape(seen)


def _shape(seen: Seen) -> tuple[str, tuple[str, ...]]:
    """A hand but for suits and the order of its cards; ten-value cards are alike."""
    faces = [name.split(" of ")[0] for name in (seen.dealer, *seen.player)]
    values = ["ten" if face in ("jack", "queen", "king") else face for face in faces]
    return values[0], tuple(sorted(values[1:]))
