"""What the insurance page shows."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from trainer.drill.words import percent, signed
from trainer.engine.cards import ACE, parse_cards
from trainer.engine.insurance import (
    BREAK_EVEN_SHARE,
    GOOD_TOTAL,
    Habit,
    ev_of_share,
    even_money_evs,
    insurance_ev,
    insures_all,
    insures_good,
    insures_naturals,
    is_insurance_offered,
    price_of_habit,
    ten_share,
)
from trainer.engine.rule_key import rules_for
from trainer.engine.rules import Rules
from trainer.web.figures import query_url
from trainer.web.plan_view import Choice
from trainer.web.rule_address import rule_choices
from trainer.web.rule_choice import title_of

# The dealer's ace with two cards that hold so many tens; which other cards they are does not matter.
_HELD = {"no ten": "A 55", "one ten": "A 5T", "two tens": "A TT"}
_NATURAL = "A AT"
_HABITS = {
    "Every hand, even money on naturals": insures_all,
    f"Good hands only: hard or soft {GOOD_TOTAL} and 20": insures_good,
    "Naturals only: even money": insures_naturals,
}


@dataclass(frozen=True)
class DeckRow:
    """One number of decks: insurance by tens held, then even money taken and declined."""

    decks: int
    is_here: bool
    figures: tuple[tuple[str, str], ...]
    taken: str
    declined: str


@dataclass(frozen=True)
class HabitRow:
    """What one habit does: how often, what it adds each time, to the mean hand, and to a thousand."""

    label: str
    often_per_1000: str
    each_time: str
    percent_of_bet: str
    per_1000: str


@dataclass(frozen=True)
class SeenView:
    """The answer to so many tens and other cards seen."""

    share: str
    ev: str
    verdict: str


@dataclass(frozen=True)
class InsurancePage:
    """Everything the insurance page's template reads."""

    title: str
    rules_key: str
    choices: tuple[Choice, ...]
    is_offered: bool
    is_up_to_half: bool
    pays: str
    held: tuple[str, ...]
    decks: tuple[DeckRow, ...]
    habits: tuple[HabitRow, ...]
    tens_text: str
    others_text: str
    errors: Mapping[str, str]
    seen: SeenView | None
    break_even: str
    is_even_money_good: bool


def insurance_page(
    rules_key: str, typed: Mapping[str, str], share: float | None, errors: Mapping[str, str]
) -> InsurancePage:
    """The page for one rule set; ``share`` answers the form, where it was filled in."""
    rules = rules_for(rules_key)
    taken, declined = even_money_evs(rules, parse_cards(_NATURAL))
    return InsurancePage(
        title=title_of(rules_key),
        rules_key=rules_key,
        choices=rule_choices(rules_key, lambda key: query_url("/insurance", rules=key)),
        is_offered=is_insurance_offered(rules, ACE),
        is_up_to_half=rules.insurance == "up-to-half",
        pays=rules.blackjack_pays.replace(":", " to "),
        held=tuple(_HELD),
        decks=tuple(_deck_row(replace(rules, decks=decks), is_here=decks == rules.decks) for decks in range(1, 9)),
        habits=tuple(_habit_row(label, price_of_habit(rules, takes)) for label, takes in _HABITS.items()),
        tens_text=typed["tens"][:12],
        others_text=typed["others"][:12],
        errors=errors,
        seen=_seen(share) if share is not None else None,
        break_even=percent(float(BREAK_EVEN_SHARE), 2),
        is_even_money_good=taken > declined,
    )


def _deck_row(rules: Rules, *, is_here: bool) -> DeckRow:
    figures = []
    for cards in _HELD.values():
        seen = parse_cards(cards)
        figures.append((signed(insurance_ev(rules, seen)), percent(ten_share(rules, seen), 2)))
    taken, declined = even_money_evs(rules, parse_cards(_NATURAL))
    return DeckRow(rules.decks, is_here, tuple(figures), signed(taken), signed(declined))


def _habit_row(label: str, habit: Habit) -> HabitRow:
    return HabitRow(label, f"{1000 * habit.often:.2f}", signed(habit.ev_each_time), f"{signed(100 * habit.ev)}%",
                    signed(1000 * habit.ev, 3))


def _seen(share: float) -> SeenView:
    ev = ev_of_share(share)
    verdict = "Turn it down" if ev < 0 else "Take it" if ev > 0 else "It is all the same"
    return SeenView(percent(share, 2), signed(ev), verdict)
