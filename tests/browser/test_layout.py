"""Nothing hangs over the edge, and on a phone what is needed next is in reach."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.drill_page import DrillPage
from tests.browser.looks import overhangs
from tests.browser.people import NEWCOMER, PARTS, Practised
from tests.browser.watch import Watch

PHONE = {"width": 360, "height": 740}
SMALL_PHONE = {"width": 360, "height": 640}
DESKTOP = {"width": 1280, "height": 800}
_QUESTIONS = ("question", "question with five moves", "question with five cards", "insurance", "even money")
_VERDICTS = ("right", "wrong", "wrong of five moves", "verdict on five cards", "chart against exact play",
             "insurance taken", "even money declined", "verdict with the chart in view")


@pytest.mark.parametrize("part", range(PARTS))
def test_no_page_scrolls_sideways(open_as: Callable[..., Page], practised: Practised, watch: Watch, part: int) -> None:
    watch.expect_status(400, 404, 422)
    page = open_as(practised.cookie, viewport=DESKTOP)  # nothing is folded then
    found = []
    for name, path in practised.part(part).items():
        page.set_viewport_size(DESKTOP)
        page.goto(path)
        found += overhangs(page, name)
    assert not found, "\n".join(found)


def test_no_page_of_a_newcomer_scrolls_sideways(page: Page) -> None:
    found = []
    for name, path in NEWCOMER.items():
        page.goto(path)
        found += overhangs(page, name)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", _QUESTIONS)
def test_the_moves_of_a_phone_are_in_reach(open_as: Callable[..., Page], practised: Practised, name: str) -> None:
    page = open_as(practised.cookie, viewport=PHONE)
    page.goto(practised.paths[name])
    for button in page.locator("button.move").all():
        expect(button).to_be_in_viewport(ratio=1)
    bar = page.locator(".bar.moves").bounding_box()
    for card in page.locator(".felt .card").all():
        box = card.bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= bar["y"]


def test_the_figures_of_a_session_take_two_lines_of_a_phone(
    open_as: Callable[..., Page], practised: Practised
) -> None:
    page = open_as(practised.cookie, viewport=PHONE)
    for name in ("question", "review, nothing due"):
        page.goto(practised.paths[name])
        figures = page.locator("#strip dl > div")
        assert len({figure.bounding_box()["y"] for figure in figures.all()}) == 2, name
        finish, strip = page.locator("#strip button").bounding_box(), page.locator("#strip").bounding_box()
        assert finish["y"] + finish["height"] <= strip["y"] + strip["height"]
        assert strip["height"] < 45


@pytest.mark.parametrize("name", _VERDICTS)
def test_verdict_and_evs_stand_above_the_bar_of_a_phone(
    open_as: Callable[..., Page], practised: Practised, name: str
) -> None:
    page = open_as(practised.cookie, viewport=PHONE)
    page.goto(practised.paths[name])
    expect(DrillPage(page).next_hand).to_be_in_viewport(ratio=1)
    _expect_verdict_above_bar(page)


def test_a_hand_answered_on_a_small_phone_keeps_its_cards_in_view(
    open_as: Callable[..., Page], practised: Practised
) -> None:
    page = open_as(practised.cookie, viewport=SMALL_PHONE)
    drill = DrillPage(page)
    drill.open(practised.paths["question with five cards"].removeprefix("/?"))
    for _ in range(2):
        drill.answer("stand")
        for card in page.locator(".felt .card").all():
            expect(card).to_be_in_viewport(ratio=1)
        expect(drill.verdict).to_be_in_viewport(ratio=1)
        drill.deal_next()


def _expect_verdict_above_bar(page: Page) -> None:
    bar = page.locator(".bar.next").bounding_box()
    for selector in ("#verdict", ".evs"):
        box = page.locator(selector).bounding_box()
        assert box["y"] >= 0, selector
        assert box["y"] + box["height"] <= bar["y"], selector
