"""The ways to practise that adapt, that run, and that ask for the whole chart, as a browser shows them."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.drill_page import DrillPage
from tests.browser.looks import axe_violations, overhangs
from tests.browser.people import Person
from tests.browser.reference import KEYS, look_up
from tests.browser.watch import Watch
from trainer.drill.fill import cells_to_fill
from trainer.drill.sheet import sheet_of
from trainer.engine.strategy import Strategy
from trainer.web.fill_view import field_name

Strategies = Callable[[str], Strategy]
RULES = "hall-of-thoth"
PHONE = {"width": 360, "height": 740}
MISSED = tuple(f"rules={RULES}&mode=focus&rows={row}&upcards={upcard}"
               for row, upcard in (("h16", "T"), ("s18", "9"), ("p8", "6")))
# Two hands in five are weak spots: chance does not leave them out of so many.
MANY = 40


class ServerClock:
    """The server's clock, which a test puts on."""

    def __init__(self) -> None:
        self._ahead = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self._ahead

    def put_on(self, **amount: float) -> None:
        self._ahead += timedelta(**amount)


@pytest.fixture
def server_clock(served_app: Flask, monkeypatch: pytest.MonkeyPatch) -> ServerClock:
    """Read by all requests of the test."""
    assert served_app.extensions["drill"]
    clock = ServerClock()
    monkeypatch.setattr("trainer.web.visitor.now", clock)
    return clock


@pytest.fixture
def person(served_app: Flask, strategy_of: Strategies) -> Person:
    """Somebody who has missed three cells of the chart."""
    person = Person(served_app, strategy_of)
    for query in MISSED:
        person.answer_wrong(query)
    return person


def _expect_good_looks(page: Page, where: str) -> None:
    """Nothing for axe, light or dark, and nothing over the edge at any width; the text is twice as large after it."""
    found = axe_violations(page, where) + overhangs(page, where)
    assert not found, "\n".join(found)


def _figures(page: Page) -> dict[str, str]:
    """The strip above the hand."""
    strip = page.locator("#strip dl")
    return dict(zip(strip.locator("dt").all_inner_texts(), strip.locator("dd").all_inner_texts(), strict=True))


def _press(drill: DrillPage, strategy: Strategy, *, right: bool = True) -> None:
    """Answer the open hand by a key."""
    seen = drill.wait_for_question()
    reference = look_up(strategy, seen.dealer, seen.player)
    drill.press(KEYS[reference.chart if right else reference.wrong_moves[-1]])


# What adapts


def test_the_mix_is_called_for_you_and_labels_weak_spots(open_as: Callable[..., Page], person: Person) -> None:
    for number in range(50):
        person.answer_wrong(f"rules={RULES}&mode=mixed&seed={number}")
    page = open_as(person.cookie)
    page.goto(f"/?rules={RULES}&mode=default-mix")
    expect(page.get_by_role("link", name="For you")).to_have_attribute("aria-current", "true")
    drill = DrillPage(page)
    for _ in range(MANY):
        drill.wait_for_question()
        if page.locator(".tag").all_inner_texts() == ["Weak spot"]:
            break
        page.get_by_role("button", name="Skip this hand").click()
        drill.settle()
    expect(page.locator(".tag")).to_have_text("Weak spot")
    drill.answer("stand")
    _expect_good_looks(page, "for you, answered")


def test_weak_spots_are_found_in_the_menu_and_labelled(open_as: Callable[..., Page], person: Person) -> None:
    page = open_as(person.cookie)
    drill = DrillPage(page)
    drill.open(f"rules={RULES}&mode=mixed")
    page.locator("summary", has_text="More").click()
    page.get_by_role("link", name="Weak spots", exact=True).click()
    for _ in range(3):
        drill.wait_for_question()
        expect(page.locator(".tag")).to_have_text("Weak spot")
        drill.answer("stand")
        drill.deal_next()
    page.locator("summary", has_text="Weak spots").click()
    expect(page.locator(".menu")).to_be_visible()
    # Of text in the very colour of its ground axe does not know whether it is meant to be seen.
    ink, ground = page.locator("summary.chip").evaluate(
        "(each) => [getComputedStyle(each).color, getComputedStyle(each).backgroundColor]")
    assert ink != ground
    _expect_good_looks(page, "weak spots, the menu open")


def test_reviews_count_down_to_none(
    open_as: Callable[..., Page], person: Person, strategy_of: Strategies, server_clock: ServerClock
) -> None:
    server_clock.put_on(hours=1)
    page = open_as(person.cookie, viewport=PHONE)
    drill = DrillPage(page)
    drill.open(f"rules={RULES}&mode=mixed")
    page.locator("summary", has_text="More").click()
    page.get_by_role("link", name="Review (3 due)").click()
    for due in (3, 2, 1):
        _press_after_label(drill, strategy_of(RULES), due)
        drill.next_hand.click()
    expect(page.get_by_role("heading", name="Nothing to deal here")).to_be_visible()
    expect(page.locator("#hand p", has_text="Nothing is due for review.")).to_be_visible()
    assert _figures(page)["due"] == "0"
    expect(page.locator("#due")).to_have_text("")
    _expect_good_looks(page, "no review is left")


def _press_after_label(drill: DrillPage, strategy: Strategy, due: int) -> None:
    drill.wait_for_question()
    expect(drill.page.locator(".tag")).to_have_text("Review")
    assert _figures(drill.page)["due"] == str(due)
    _press(drill, strategy)
    drill.wait_for_verdict()
    assert _figures(drill.page)["due"] == str(due - 1)


def test_a_mistake_made_good_says_so(open_as: Callable[..., Page], person: Person) -> None:
    person.answer_right(MISSED[0])
    page = open_as(person.cookie)
    page.goto("/mistakes")
    table = page.get_by_role("table", name="Hands, each with your move")
    expect(table.locator("tbody tr")).to_have_count(3)
    expect(table.locator("tr", has_text="right since")).to_have_count(1)
    _expect_good_looks(page, "right since")


# Streak and sprint


def test_a_streak_runs_to_its_first_mistake_and_starts_again_by_keys(
    page: Page, drill: DrillPage, strategy_of: Strategies
) -> None:
    page.goto(f"/?rules={RULES}&mode=streak")
    drill.press("Space")
    for length in range(3):
        drill.wait_for_question()
        assert _figures(page) == {"in a row": str(length)}
        expect(page.get_by_role("button", name="Skip this hand")).to_have_count(0)
        _press(drill, strategy_of(RULES))
        drill.wait_for_verdict()
        drill.press("Space")
    _press(drill, strategy_of(RULES), right=False)
    assert drill.wait_for_verdict().is_wrong
    _press_next_to_result(page, drill, "3 in a row – your best yet")
    drill.press("Tab")
    expect(page.get_by_role("button", name="Start again")).to_be_focused()
    drill.press("Enter")
    _press(drill, strategy_of(RULES), right=False)
    drill.wait_for_verdict()
    _press_next_to_result(page, drill, "0 in a row")
    expect(page.get_by_text("Your best: 3 in a row.")).to_be_visible()
    _expect_good_looks(page, "a streak that is over")


def _press_next_to_result(page: Page, drill: DrillPage, result: str) -> None:
    drill.press("Space")
    expect(page.locator("#result")).to_have_text(result)
    expect(page.locator("#result")).to_be_focused()


def test_a_sprints_clock_runs_and_leads_to_the_result(
    page: Page, drill: DrillPage, strategy_of: Strategies, server_clock: ServerClock
) -> None:
    page.clock.install()
    page.goto(f"/?rules={RULES}&mode=sprint")
    page.get_by_role("button", name="Start").click()
    drill.wait_for_question()
    assert 50 < int(_figures(page)["seconds left"]) <= 60
    before = int(_figures(page)["seconds left"])
    page.clock.run_for(10_000)
    assert before - 11 <= int(_figures(page)["seconds left"]) <= before - 9
    _press(drill, strategy_of(RULES))
    expect(page.locator(".last.good")).to_contain_text("is right")
    expect(drill.question).to_be_focused()
    _press(drill, strategy_of(RULES), right=False)
    expect(page.locator(".last.bad")).to_contain_text("not")
    assert axe_violations(page, "a sprint") == []
    server_clock.put_on(seconds=61)
    page.clock.run_for(61_000)
    expect(page.locator("#result")).to_have_text(re.compile(r"points: 1 of 2 right"))
    _expect_good_looks(page, "a sprint that is over")


def test_a_sprint_on_a_phone_keeps_cards_and_moves_in_reach(open_context: Callable[..., BrowserContext]) -> None:
    page = open_context(viewport=PHONE).new_page()
    page.goto(f"/?rules={RULES}&mode=sprint")
    page.get_by_role("button", name="Start").click()
    drill = DrillPage(page)
    drill.wait_for_question()
    drill.move("stand").click()
    expect(page.locator(".last")).to_be_visible()
    for each in (*page.locator("button.move").all(), *page.locator(".felt .card").all()):
        expect(each).to_be_in_viewport(ratio=1)
    expect(page.locator(".clock")).to_be_in_viewport(ratio=1)


# The chart from memory


def _type_codes(page: Page, codes: list[str]) -> None:
    """A code a cell; where another could follow from it, Space goes on."""
    for code in codes:
        page.keyboard.type(code.lower())
        if code == "D":
            page.keyboard.press("Space")


def test_a_chart_is_filled_in_by_keys_alone(page: Page, strategy_of: Strategies) -> None:
    page.goto(f"/?rules={RULES}&mode=fill-the-chart&focus=soft")
    expect(page).to_have_url(re.compile(rf"/fill\?rules={RULES}&section=soft$"))
    strategy = strategy_of(RULES)
    boxes = page.locator("form table input")
    by_name = {field_name(cell): strategy.chart.code(cell) for cell in cells_to_fill(sheet_of(strategy), "soft")}
    names = boxes.evaluate_all("(all) => all.map((each) => each.name)")
    assert set(names) == set(by_name)
    boxes.first.focus()
    _type_codes(page, [by_name[name] for name in names])
    expect(page.get_by_role("button", name="Mark it")).to_be_focused()
    assert boxes.evaluate_all("(all) => all.map((each) => each.value)") == [by_name[name] for name in names]
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=2).first).to_have_text(f"All {len(names)} right")
    expect(page.get_by_role("heading", level=2).first).to_be_focused()


def test_arrow_keys_go_from_cell_to_cell_and_codes_go_on(page: Page) -> None:
    page.goto("/fill?rules=shoe-h17&section=hard")
    page.locator("#h162").focus()
    for key, name in (("ArrowRight", "h163"), ("ArrowDown", "h153"), ("ArrowLeft", "h152"), ("ArrowUp", "h162"),
                      ("s", "h163"), ("r", "h163"), ("h", "h164"), ("d", "h164"), ("s", "h165"), ("x", "h165"),
                      ("Enter", "h166"), ("ArrowLeft", "h165"), ("ArrowLeft", "h164"), ("Backspace", "h164"),
                      ("ArrowUp", "h174"), ("ArrowUp", "h184"), ("ArrowUp", "h194"), ("ArrowUp", "h204"),
                      ("ArrowUp", "h204")):
        page.keyboard.press(key)
        expect(page.locator(f"#{name}")).to_be_focused()
    for key, name in (("d", "h204"), ("d", "h205"), ("r", "h206"), ("s", "h207"), ("d", "h207"), ("Space", "h208")):
        page.keyboard.press(key)
        expect(page.locator(f"#{name}")).to_be_focused()
    assert [page.locator(f"#h20{upcard}").input_value() for upcard in "4567"] == ["D", "D", "Rs", "D"]
    values = {name: page.locator(f"#{name}").input_value() for name in ("h162", "h163", "h164", "h165")}
    assert values == {"h162": "S", "h163": "Rh", "h164": "", "h165": "x"}


def test_every_state_of_a_chart_filled_in_looks_good(
    open_context: Callable[..., BrowserContext], watch: Watch
) -> None:
    watch.expect_status(422)
    page = open_context(viewport={"width": 1280, "height": 800}).new_page()
    for name, value in (("faulty", "xx"), ("marked", "S"), ("kept", "S")):
        page.goto("/fill?rules=shoe-h17")
        for box, text in (("h202", "H"), ("h203", "S"), ("p8A", "Rp"), ("s184", value)):
            page.locator(f"#{box}").fill(text)
        page.get_by_role("button", name="Mark it").click()
        expect(page.get_by_role("heading", level=2).first).to_be_focused()
        if name == "kept":
            page.get_by_role("button", name="Keep what is right").click()
            expect(page.locator("#p8A")).to_have_value("Rp")
        _expect_good_looks(page, name)


def test_back_from_the_marks_brings_what_was_typed(page: Page) -> None:
    page.goto("/fill?rules=classic&section=pair")
    page.locator("#p82").focus()
    page.keyboard.type("php")
    page.get_by_role("button", name="Mark it").dblclick()
    expect(page.get_by_role("heading", level=2).first).to_have_text("2 of 3 right")
    page.go_back(wait_until="commit")
    for name, value in (("p82", "P"), ("p83", "H"), ("p84", "P")):
        expect(page.locator(f"#{name}")).to_have_value(value)


def test_a_fault_is_told_at_its_field(page: Page, watch: Watch) -> None:
    watch.expect_status(422)
    page.goto("/fill?rules=classic&section=pair")
    page.locator("#p8T").fill("rh")
    page.get_by_role("button", name="Mark it").click()
    field = page.get_by_label("pair of 8s v 10")
    expect(field).to_have_value("rh")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(re.compile("use one of H, S"))
    page.get_by_role("link", name="pair of 8s v 10").click()
    expect(field).to_be_focused()


def test_a_chart_is_filled_in_without_javascript_on_a_phone(open_context: Callable[..., BrowserContext]) -> None:
    page = open_context(java_script_enabled=False, viewport=PHONE).new_page()
    page.goto("/fill?rules=classic&section=soft")
    page.get_by_label("soft 20 v 2", exact=True).fill("s")
    page.get_by_label("soft 13 v 2", exact=True).fill("S")
    expect(page.get_by_text("Arrow keys go from cell to cell")).to_be_hidden()
    page.get_by_role("button", name="Mark it").click()
    expect(page.get_by_role("heading", level=2).first).to_have_text("1 of 2 right")
    expect(page.get_by_role("link", name="soft 20 v 2: right, S")).to_be_visible()
    page.get_by_role("link", name="Drill Soft 13 v 2").click()
    expect(page.locator(".felt .total")).to_contain_text("13")
