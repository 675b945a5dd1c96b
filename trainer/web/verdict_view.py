"""What the drill page shows of a judged answer: plain values, worked out before any template sees them."""

import math
from dataclasses import dataclass

from trainer.drill.explain import explain
from trainer.drill.grade import Grade, Judgement
from trainer.drill.situation import Situation
from trainer.drill.words import gerund, shown_face, upcard_phrase
from trainer.engine.strategy import Strategy
from trainer.service.drill import DecisionRow
from trainer.web.ev_view import EndView, EvView, condition_of, dealer_bar, ev_bars
from trainer.web.hand_view import ChartRowView, chart_row_view, labels_for
from trainer.web.wording import bets_given_up

_MOST_SEEN_SHOWN = 24


@dataclass(frozen=True)
class VerdictView:
    """An answer judged."""

    is_right: bool
    heading: str
    cost: str
    evs: tuple[EvView, ...]
    zero_x: float
    reasons: tuple[str, ...]
    note: str
    chart_row: ChartRowView | None
    dealer_title: str
    dealer: tuple[EndView, ...]
    condition: str
    spoken: str


def verdict_view(decision: DecisionRow, strategy: Strategy, bet_unit: int) -> VerdictView:
    """Everything that is shown once an answer is in."""
    situation, judgement, grade = decision.situation, decision.judgement, decision.grade
    evs, zero = ev_bars(judgement.evs, labels_for(situation), judgement.exact, grade.chosen)
    heading = _heading(situation, decision)
    cost = _cost(situation, judgement, grade, bet_unit)
    dealer = () if situation.is_insurance or situation.table else dealer_bar(strategy.solution.dealer_outcomes(
        situation.hand, situation.upcard))
    return VerdictView(
        is_right=grade.is_right,
        heading=heading,
        cost=cost,
        evs=evs,
        zero_x=zero,
        reasons=tuple(_reasons(strategy, situation, judgement)),
        note=_note(decision),
        chart_row=chart_row_view(situation, strategy),
        dealer_title=f"Where the dealer ends {upcard_phrase(situation.upcard)}",
        dealer=dealer,
        condition=_condition(situation),
        spoken=f"{heading}. {cost}".strip(),
    )


def _reasons(strategy: Strategy, situation: Situation, judgement: Judgement) -> list[str]:
    """In words; of a hand at a table, where other cards were out as well, what the numbers are given on, too."""
    reasons = explain(strategy, situation, judgement)
    if situation.table is None:
        return reasons
    seen = situation.table.seen
    if not seen:
        return [*reasons, "Played at a table, with no other cards in view."]
    shown = f": {', '.join(map(shown_face, seen))}" if len(seen) <= _MOST_SEEN_SHOWN else ""
    other = "one other card" if len(seen) == 1 else f"{len(seen)} other cards"
    return [*reasons, f"Played at a table, and worked out with the {other} in view taken out of the shoe{shown}."]


def _heading(situation: Situation, decision: DecisionRow) -> str:
    labels = labels_for(situation)
    chosen, expected = labels[decision.chosen], labels[decision.grade.expected]
    if decision.is_hinted:
        return f"{chosen}, with the chart in view" if decision.is_right else f"{expected}, not {chosen.lower()}"
    if not decision.is_right and situation.is_insurance:
        return f"{expected} was right"  # "no insurance, not insurance" would take two readings
    if not decision.is_right:
        return f"{expected}, not {chosen.lower()}"
    if decision.judgement.tables_differ and decision.grading == "chart":
        other = decision.exact_move if decision.chosen == decision.chart_move else decision.chart_move
        return f"Right: {chosen.lower()} (or {labels[other].lower()})"
    return f"Right: {chosen.lower()}"


def _cost(situation: Situation, judgement: Judgement, grade: Grade, bet_unit: int) -> str:
    """What the choice gave up against the best move, in bets and in chips."""
    if grade.ev_cost <= 0:
        return ""
    name = gerund(grade.chosen)
    if situation.hand.is_natural:
        name = {"insure": "taking even money", "decline": "declining"}[grade.chosen]
    chips = grade.ev_cost * bet_unit
    amount = f"about {chips:.2f}" if chips >= 0.01 else "less than 0.01"
    told = f"{name.capitalize()} gives up {bets_given_up(grade.ev_cost)}, {amount} on a bet of {bet_unit}."
    shown = [round(ev, 4) for ev in (judgement.best_ev, judgement.evs[grade.chosen], grade.ev_cost)]
    # Who takes the figures shown from each other would wonder.
    return told if math.isclose(shown[0] - shown[1], shown[2], abs_tol=5e-5) else f"{told} All figures are rounded."


def _note(decision: DecisionRow) -> str:
    """Said beside a move that is marked right though another is worth more, or that does not count."""
    if decision.is_hinted:
        return "You had the chart in view, so this counts as neither right nor wrong."
    if decision.is_right and decision.grading == "chart" and decision.judgement.tables_differ:
        return "Here the chart and the exact play of these cards differ. Either counts as right."
    if decision.grading == "exact" and decision.judgement.tables_differ:
        return "Graded by exact play, as your settings say. The chart would have it otherwise."
    return ""


def _condition(situation: Situation) -> str:
    if situation.is_insurance:
        return "" if situation.hand.is_natural else "Insurance is a bet of half the first."
    return condition_of(situation.rules, len(situation.hand.cards), situation.upcard.rank)
