"""Long practices, every verdict and every number of them held against the engine."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.drill_page import DrillPage, Seen
from tests.browser.reference import KEYS, Reference, look_up
from tests.browser.watch import Watch
from trainer.engine.strategy import Strategy

Strategies = Callable[[str], Strategy]

# Late surrender: all five moves come up.
RULES = "shoe-h17"


def _choose(reference: Reference, hand: int) -> str:
    """The best move twice, then a wrong one, another each time."""
    wrong = reference.wrong_moves
    return wrong[hand // 3 % len(wrong)] if hand % 3 == 2 else reference.best


def _expect_verdict(seen: Seen, reference: Reference, move: str, hands: int) -> None:
    assert seen.heading == reference.heading(move)
    assert list(seen.evs) == reference.ev_rows(move)
    assert (seen.is_right, seen.is_wrong) == (reference.is_right(move), not reference.is_right(move))
    cost = reference.evs[reference.best] - reference.evs[move]
    told = f"gives up {cost:.4f} {'bets' if cost > 1 else 'of a bet'}"
    assert any(told in remark for remark in seen.remarks) == (cost > 0)
    assert seen.hands == hands
    assert seen.alert == ""


def test_fifty_hands_by_keyboard_alone(drill: DrillPage, strategy_of: Strategies) -> None:
    used = set()
    seen = drill.open(f"rules={RULES}&mode=mixed&seed=keyboard")
    for hand in range(50):
        reference = look_up(strategy_of(RULES), seen.dealer, seen.player)
        assert set(seen.moves) == set(reference.evs)
        move = _choose(reference, hand)
        used.add(move)
        drill.press(KEYS[move])
        _expect_verdict(drill.wait_for_verdict(), reference, move, hand + 1)
        drill.press("Enter" if hand % 2 else "Space")
        seen = drill.wait_for_question()
    assert used == set(KEYS)


def test_twelve_hands_without_javascript(
    open_context: Callable[..., BrowserContext], strategy_of: Strategies
) -> None:
    drill = DrillPage(open_context(java_script_enabled=False).new_page(), has_script=False)
    seen = drill.open(f"rules={RULES}&mode=mixed&seed=plain")
    for hand in range(12):
        reference = look_up(strategy_of(RULES), seen.dealer, seen.player)
        move = _choose(reference, hand)
        if hand % 2:
            drill.move(move).click()
        else:
            drill.move(move).press("Enter")
        _expect_verdict(drill.wait_for_verdict(), reference, move, hand + 1)
        drill.next_hand.press("Enter")
        seen = drill.wait_for_question()


def test_the_same_seed_deals_the_same_hands(drill: DrillPage, open_context: Callable[..., BrowserContext]) -> None:
    other = DrillPage(open_context().new_page())
    first, second = drill.open("mode=mixed&seed=twin"), other.open("mode=mixed&seed=twin")
    for _ in range(2):
        assert first.cards == second.cards
        drill.answer("stand")
        other.answer("hit")
        first, second = drill.deal_next(), other.deal_next()


def test_chart_against_exact_play_is_told(drill: DrillPage, strategy_of: Strategies) -> None:
    """Ten and two against a four: the chart stands, exact play of six decks hits by a hair."""
    seeds = iter(range(200))
    reference = Reference({}, "", "")
    while reference.chart == reference.best:
        seen = drill.open(f"mode=focus&rows=h12&upcards=4&seed={next(seeds)}")
        reference = look_up(strategy_of("hall-of-thoth"), seen.dealer, seen.player)
    verdict = drill.answer(reference.chart)
    assert verdict.heading == "Right: stand (or hit)"
    assert any("chart and the exact play" in remark for remark in verdict.remarks)
    expect(drill.page.get_by_text("The chart has one answer for every 12 v 4: stand.")).to_be_visible()


def test_insurance_by_its_keys(drill: DrillPage) -> None:
    seen = drill.open("mode=insurance&seed=keys")
    assert seen.dealer.startswith("ace")
    assert seen.moves == ("insure", "decline")
    drill.press("n")
    first = drill.wait_for_verdict()
    assert [row[2] for row in first.evs if row[0] in ("No insurance", "Decline")] == [True]
    drill.press("Space")
    drill.wait_for_question()
    drill.press("i")
    second = drill.wait_for_verdict()
    assert [row[2] for row in second.evs if row[0] in ("Insurance", "Even money")] == [True]
    assert second.hands == 2


def test_the_answer_is_not_on_the_page_before_it_is_given(page: Page, drill: DrillPage) -> None:
    drill.open("rules=shoe-h17&mode=focus&rows=p8&upcards=A")
    for selector in ("#verdict", ".evs", ".chart-row", "[data-advance]", ".chosen"):
        assert page.locator(selector).count() == 0


def test_a_visit_to_every_page_stays_on_this_host_and_logs_nothing(page: Page, drill: DrillPage, watch: Watch) -> None:
    drill.open("mode=mixed&seed=visit")
    page.get_by_role("button", name="Show the chart").click()
    page.locator(".chart-row").wait_for()
    drill.answer("stand")
    drill.deal_next()
    page.get_by_role("button", name="Finish").click()
    for name in ("Tables", "Progress", "Mistakes", "Strategy", "Learn", "Settings", "Drill"):
        page.get_by_role("banner").get_by_role("link", name=name).click()
        expect(page.get_by_role("banner").get_by_role("link", name=name)).to_have_attribute("aria-current", "page")
    assert len(watch.requests) > 20
    assert watch.strangers == []
    assert watch.complaints == []
