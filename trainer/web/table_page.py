"""Everything that the pages of the tables read."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from trainer.drill.plan import Plan
from trainer.engine.rule_key import key_of
from trainer.engine.strategy import Strategy
from trainer.service.seat import AT_ONCE
from trainer.service.tables import TableState
from trainer.table.amount import CHIP, shown
from trainer.table.purse import Purse
from trainer.table.spec import CUSTOM_KEY, TABLES, TableSpec, purse_key, table_spec
from trainer.web.plan_view import plan_title
from trainer.web.rule_choice import title_of
from trainer.web.table_felt import FeltView, felt_view
from trainer.web.table_lines import Figures, figures_view
from trainer.web.table_sheet import (
    HintView,
    LineView,
    MarkView,
    QuestionView,
    headline,
    hint_view,
    line_views,
    mark_views,
    question_view,
)
from trainer.web.table_words import tell
from trainer.web.wording import describe_rules

CHIP_KEYS = "123456789"


@dataclass(frozen=True)
class TableCard:
    """One table in the choice of tables; ``closed`` says why one cannot sit down there now."""

    key: str
    title: str
    about: tuple[str, ...]
    purse: str
    is_seated: bool
    closed: str


@dataclass(frozen=True)
class SitPage:
    """A table before one sits down: what may be chosen."""

    card: TableCard
    most_own: int
    most_residents: int
    has_clock: bool
    rules_key: str
    message: str = ""


@dataclass(frozen=True)
class ChipView:
    """One denomination: ``label`` as it stands on the chip, ``name`` in full."""

    value: str
    label: str
    name: str
    key: str


@dataclass(frozen=True)
class BetView:
    """Making bets: (label, value) of each own box, the chips, and the limits."""

    boxes: tuple[tuple[str, str], ...]
    chips: tuple[ChipView, ...]
    least: str
    most: str
    step: str
    is_again: bool
    may_open: bool


@dataclass(frozen=True)
class TablePage:
    """A table with its owner at it.

    ``latest`` is the decision before the one that is asked, ``marks`` the others of the round, or all of a round that
    is over. ``address`` is where its forms go, ``plan`` what is
    drilled where a hand is played out. ``is_adjusting``: bets are being made up, so that the focus stays where it is.
    ``seconds_left`` while a clock runs.
    """

    key: str
    title: str
    rules_key: str
    rules_line: str
    unit: str
    stack: str
    number: int
    step: int
    felt: FeltView
    question: QuestionView | None
    bet: BetView | None
    heading: str
    is_over: bool
    hint: HintView | None
    latest: MarkView | None
    marks: tuple[MarkView, ...]
    lines: tuple[LineView, ...]
    figures: Figures | None
    spoken: str
    is_hinting: bool
    verdicts: str
    seconds_left: int | None
    address: str
    plan: str = ""
    message: str = ""
    is_adjusting: bool = False


def table_page(
    state: TableState, strategy: Strategy, now: datetime, *, bets: Sequence[str] | None = None, message: str = "",
    is_adjusting: bool = False, address: str = "", plan: Plan | None = None,
) -> TablePage:
    """The page of a seat; ``bets`` are what is typed in already, ``message`` says why something was refused.

    ``address``: where its forms go, the table's own unless it is given; ``plan``: of a hand that is played out, which
    has neither bets nor figures.
    """
    seat, view = state.seat, state.view
    question, marks, is_playing = question_view(state), mark_views(state), seat.table.is_playing
    hint = state.hints.get(question.box) if question else None
    is_over = view is not None and not is_playing
    return TablePage(
        key=seat.key, title=plan_title(plan) if plan else table_title(seat.key),
        rules_key=key_of(seat.spec.terms.rules),
        rules_line=" · ".join(describe_rules(seat.spec.terms.rules)[:4]), unit=seat.spec.purse.unit,
        stack=shown(seat.purse.stack), number=seat.number, step=view.step if view else 0, felt=felt_view(state),
        question=question, bet=None if plan else _bet_view(state, bets), is_over=is_over,
        heading=question.heading if question else headline(state) if is_over else "Place your bet",
        hint=hint_view(hint, strategy) if hint else None, latest=marks[-1] if marks and is_playing else None,
        marks=marks[:-1] if is_playing else marks, lines=line_views(state),
        figures=figures_view(state) if seat.table.account.hands and not is_playing and not plan else None,
        spoken=_spoken(state, marks),
        is_hinting=seat.is_hinting, verdicts=seat.verdicts, seconds_left=_seconds_left(state, now), message=message,
        address=address or f"/tables/{seat.key}", plan=plan.to_query() if plan else "", is_adjusting=is_adjusting,
    )


def table_title(key: str) -> str:
    """What a table is called: a rule set of the visitor's own by the name that they gave it."""
    return TABLES[key].title if key in TABLES else title_of(key)


def sit_page(key: str, purse: Purse, *, message: str = "") -> SitPage:
    """A table before one sits down."""
    spec = table_spec(key)
    card = table_card(key, {purse_key(key): purse}, ())
    return SitPage(card, spec.most_own, spec.most_residents, spec.terms.clock is not None, key_of(spec.terms.rules),
                   message)


def table_card(key: str, purses: Mapping[str, Purse], seated: Sequence[str]) -> TableCard:
    """One table with its terms in short phrases."""
    spec = table_spec(key)
    purse = purses.get(purse_key(key), spec.purse.new()).refilled(spec.purse)
    closed = "" if spec.is_open_to(purse.stack) else f"Opens from {shown(spec.opens_from)} {spec.purse.unit}"
    return TableCard(key, table_title(key), _about(spec), f"{shown(purse.stack)} {spec.purse.unit}", key in seated,
                     closed)


def _about(spec: TableSpec) -> tuple[str, ...]:
    terms, unit = spec.terms, spec.purse.unit
    boxes = "one box" if spec.most_own == 1 else f"up to {spec.most_own} boxes"
    company = f", up to {spec.most_residents} residents who play the chart" if spec.most_residents else ""
    clock = ", a clock if you like" if terms.clock else ""
    shoe = "a fresh shoe every hand" if terms.rules.cut_range is None else "a cut card in the shoe"
    hidden = ", doubled cards face down" if terms.doubles_face_down else ""
    rules = " · ".join(describe_rules(terms.rules)[:3])
    return (rules, f"Bets of {shown(terms.smallest)} to {shown(terms.largest)} {unit}, {boxes}{company}{clock}",
            f"{shoe.capitalize()}{hidden}" + ("" if spec.key != CUSTOM_KEY else ", a purse of its own"))


def _bet_view(state: TableState, typed: Sequence[str] | None) -> BetView | None:
    seat, view = state.seat, state.view
    if seat.table.is_playing and not (view and view.phase == "betting" and seat.awaited()):
        return None
    spec, own = seat.spec, seat.table.own
    last = seat.table.last_bets
    usual = [str(bet // CHIP) for bet in last] if any(last) else [str(spec.terms.smallest // CHIP)] * own
    values = list(typed) if typed is not None and len(typed) == own else usual
    labels = ["Bet"] if own == 1 else [f"Box {place}" for place in range(1, own + 1)]
    chips = tuple(ChipView(str(chip // CHIP), _on_chip(chip), shown(chip), CHIP_KEYS[place])
                  for place, chip in enumerate(spec.chips))
    return BetView(tuple(zip(labels, values, strict=True)), chips, shown(spec.terms.smallest),
                   shown(spec.terms.largest), shown(spec.terms.bet_step), any(last),
                   seat.table.has_clock and not seat.table.is_playing)


def _on_chip(amount: int) -> str:
    """Thousands in short, so that four chips fit side by side on a phone: ``50K``."""
    thousands = amount // (1_000 * CHIP)
    return f"{thousands}K" if thousands >= 10 else shown(amount)


def _spoken(state: TableState, marks: Sequence[MarkView]) -> str:
    """The verdict on what was just decided, then what happened; the heading says the rest."""
    decided = any(each.told not in ("bet", "sits out") for each in state.happenings)
    verdict = f"{marks[-1].heading}. " if marks and decided and state.seat.verdicts == AT_ONCE else ""
    return verdict + tell(state)


def _seconds_left(state: TableState, now: datetime) -> int | None:
    if state.view is None or state.view.deadline is None or not state.seat.table.is_playing:
        return None
    return max(0, math.ceil(state.view.deadline / 1000 - now.timestamp()))
