"""A whole session at every kind of table: sit down, bet, play, be hinted, leave, come back; to the chip."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looks import axe_in
from tests.browser.table_page import Seen, expect_heading, overhang, press, read, sit
from tests.service.stacked import Stacked
from trainer.table.amount import CHIP
from trainer.table.spec import table_spec

SAVED = "decks~2.surrender~early.shuffle~hand"
# By address: the boxes that one takes, and the residents who sit there, too.
TABLES = {
    "openseat": {},
    "scribes": {"own": 1, "residents": 2, "place": 1},
    "priests": {"own": 2, "residents": 1, "place": 1},
    "pharaoh": {"own": 1, "residents": 4, "place": 4},
    "classic": {"own": 2},
    "live-casino": {"own": 3},
    "squarescores": {"own": 1},
    "shoe-h17": {"own": 1},
    SAVED: {"own": 1},
}
SCHEMES = ("light", "dark")
# What has not been pressed yet is pressed first, so that a session has as many moves as its hands allow.
WISHES = ("i", "p", "r", "d", "h", "s", "n")


class Session:
    """Somebody at one table; counts what was pressed, and keeps an eye on the chips."""

    def __init__(self, page: Page, dice: Stacked, key: str) -> None:
        self.page, self.dice, self.key, self.spec = page, dice, key, table_spec(key)
        self.own, self.residents = TABLES[key].get("own", 1), TABLES[key].get("residents", 0)
        self.pressed: set[str] = set()
        self.faults: list[str] = []
        self.rounds, self.costs, self.has_clock = 0, 0.0, False

    def sit(self, *, has_clock: bool = False) -> float:
        """Take the seat; the chips one sits down with."""
        clock = {"clock": has_clock} if self.spec.terms.clock else {}
        sit(self.page, self.key, **TABLES[self.key], **clock)
        self.rounds, self.costs, self.has_clock = 0, 0.0, has_clock
        return read(self.page).stack

    def lay(self, first: str, up: str, second: str = "") -> None:
        """Have all boxes dealt the same in the next round, which must be the first of a shoe."""
        boxes = self.own + self.residents
        self.dice.lay(" ".join([first] * boxes + [up] + [second] * (boxes if second else 0)))

    def look_over(self, where: str) -> None:
        """Axe in one of the colour schemes, by turns, and nothing beyond the window's edge."""
        scheme = SCHEMES[(list(TABLES).index(self.key) + len(where)) % 2]
        self.faults += axe_in(self.page, f"{self.key}, {where}", scheme)
        assert overhang(self.page) == {360: 0, 1280: 0}, where

    def play(self, *, is_hinted: bool = False, is_away: bool = False) -> Seen:
        """A round with the bets that lie there, to its end."""
        before = read(self.page)
        press(self.page, " ")
        self.dice.lay("")
        if is_away:
            self.go_away_and_come_back()
        insured, decisions = 0.0, 0
        while not (seen := read(self.page)).is_open:
            assert seen.stack == before.stack + seen.settled - seen.staked - insured
            assert self.page.locator("[data-seconds]").count() == self.has_clock
            if is_hinted and decisions == 0:
                self.switch_hints("off")
                expect(self.page.locator(".hint .evs")).to_be_visible()
            insured += self.decide(seen)
            decisions += 1
        self.check_end(before, seen, decisions, is_hinted=is_hinted and decisions > 0)
        if is_hinted and decisions:
            self.switch_hints("on")
        return seen

    def switch_hints(self, then_to: str) -> None:
        """By keyboard; ``then_to`` is what the button does after that."""
        self.page.locator("#hints").focus()
        press(self.page, "Enter")
        expect(self.page.locator("#hints")).to_have_text(f"Turn hints {then_to}")

    def decide(self, seen: Seen) -> float:
        """Press a key for the hand that is asked; what that insures it for."""
        fresh = [key for key in WISHES if key in seen.keys and key not in self.pressed]
        key = fresh[0] if fresh else "s" if "s" in seen.keys else "n"
        press(self.page, key)
        self.pressed.add(key)
        return seen.hands[0][0] / 2 if key == "i" and "insurance" in seen.heading else 0.0

    def go_away_and_come_back(self) -> None:
        """To the same hand."""
        seen = read(self.page)
        assert not seen.is_open
        self.look_over("in play")
        self.page.goto("/tables")
        card = self.page.locator(f".tables li:has(a[href='/tables/{self.key}'])")
        expect(card).to_contain_text("You have a seat here")
        card.get_by_role("link").click()
        expect_heading(self.page, re.escape(seen.heading))
        self.page.wait_for_load_state()
        assert read(self.page) == seen

    def check_end(self, before: Seen, seen: Seen, decisions: int, *, is_hinted: bool) -> None:
        """Every hand with what it paid and why, every decision with its reason and its cost, and all the chips."""
        result = sum(result for *_, result, _ in seen.lines)
        assert seen.stack == before.stack + result
        assert seen.bets == before.bets
        assert all(why for *_, why in seen.lines)
        paid = sorted((stake, result) for name, stake, result, _ in seen.lines if "nsurance" not in name)
        assert paid == sorted(map(tuple, seen.hands))
        amount = f"{abs(result):,.1f}".removesuffix(".0")
        assert seen.heading.startswith(
            f"You won {amount} " if result > 0 else f"You lost {amount} " if result else "Nothing won")
        assert len(seen.marks) == decisions <= len(seen.reasons)
        assert ["neither right nor wrong" in mark for mark in seen.marks] == [is_hinted] * decisions
        self.rounds += 1
        costs = re.findall(r"(?:of a bet|bets), ([\d,]+\.\d\d)", " ".join(seen.marks))
        self.costs += sum(float(cost.replace(",", "")) for cost in costs)

    def check_figures(self, seen: Seen, began_with: float) -> None:
        """What the sitting came to."""
        assert seen.figures["hands"] == self.rounds * self.own
        assert seen.figures["result"] == seen.stack - began_with
        assert seen.figures["EV given up"] == pytest.approx(self.costs, abs=0.2)


def open_table(session: Session) -> None:
    """What it takes before one may sit down there."""
    page = session.page
    if session.key == SAVED:
        page.goto(f"/rules/{SAVED}")
        page.get_by_label("Save under a name").fill("Two decks at home")
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.get_by_text("Saved as Two decks at home.")).to_be_visible()
        page.goto("/tables")
        page.get_by_role("link", name="Two decks at home").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Two decks at home")
    if session.key == "pharaoh":  # which wants a larger purse than one begins with
        sit(page, "priests", residents=0, place=0, clock=False)
        page.locator("input[name=bet]").fill("50000")
        session.dice.lay("A 6 K")
        page.locator("#deal").click()
        expect_heading(page, "You won 75,000 debens")


def get_up(page: Page) -> None:
    page.locator(".more summary").click()
    page.get_by_role("button", name="Get up").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Tables")


@pytest.mark.parametrize("key", TABLES)
def test_a_session(page: Page, dice: Stacked, key: str) -> None:
    session = Session(page, dice, key)
    open_table(session)
    stack = session.sit()
    least, second = (chip // CHIP for chip in session.spec.chips[:2])
    page.get_by_role("button", name=f"Add {second:,}", exact=True).click()
    expect(page.locator("input[name=bet]").first).to_have_value(str(least + second))
    press(page, "c", "1")  # and Space deals, though a chip was clicked before
    session.look_over("betting")
    assert read(page).bets == [least] * session.own

    session.lay("9", "A")
    session.play(is_away=True)
    assert ("i" in session.pressed) == (session.spec.terms.rules.insurance != "none")
    while not session.play(is_hinted=True).marks:
        pass
    last = session.play()
    session.look_over("settled")
    session.check_figures(last, stack)

    get_up(page)
    assert session.sit(has_clock=bool(session.spec.terms.clock)) == last.stack
    session.pressed.discard("p")
    session.lay("8", "6", "8")
    last = session.play()
    assert "p" in session.pressed
    assert len(last.hands) > session.own
    session.check_figures(last, last.stack - last.figures["result"])
    assert not session.faults, "\n".join(session.faults)
