"""What the drill page shows of a judged answer: plain values, worked out before any template sees them."""

from collections.abc import Mapping
from dataclasses import dataclass

from trainer.drill.explain import explain
from trainer.drill.grade import Grade
from trainer.drill.situation import Situation
from trainer.drill.words import gerund, signed, upcard_phrase
from trainer.engine.strategy import Strategy
from trainer.service.drill import DecisionRow
from trainer.web.hand_view import ChartRowView, chart_row_view, labels_for

# Bars are drawn in a box of this width.
_BAR_WIDTH = 200.0


@dataclass(frozen=True)
class EvView:
    """One move's bar: ``x`` and ``width`` in the bar's box, from the zero line."""

    label: str
    value: str
    x: float
    width: float
    look: str
    is_best: bool
    is_chosen: bool


@dataclass(frozen=True)
class EndView:
    """One way for the dealer to end: its share in per cent, and where its piece of the bar starts."""

    label: str
    share: str
    x: float
    width: float
    look: str


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
    cost = _cost(situation, grade, bet_unit)
    dealer = () if situation.is_insurance else _dealer_bar(strategy.solution.dealer_outcomes(
        situation.hand, situation.upcard))
    return VerdictView(
        is_right=grade.is_right,
        heading=heading,
        cost=cost,
        evs=evs,
        zero_x=zero,
        reasons=tuple(explain(strategy, situation, judgement)),
        note=_note(decision),
        chart_row=chart_row_view(situation, strategy),
        dealer_title=f"Where the dealer ends {upcard_phrase(situation.upcard)}",
        dealer=dealer,
        condition=_condition(situation),
        spoken=f"{heading}. {cost}".strip(),
    )


def _heading(situation: Situation, decision: DecisionRow) -> str:
    labels = labels_for(situation)
    chosen, expected = labels[decision.chosen], labels[decision.grade.expected]
    if decision.is_hinted:
        return f"{chosen}, with the chart in view" if decision.is_right else f"{expected}, not {chosen.lower()}"
    if not decision.is_right:
        return f"{expected}, not {chosen.lower()}"
    if decision.judgement.tables_differ and decision.grading == "chart":
        other = decision.exact_move if decision.chosen == decision.chart_move else decision.chart_move
        return f"Right: {chosen.lower()} (or {labels[other].lower()})"
    return f"Right: {chosen.lower()}"


def _cost(situation: Situation, grade: Grade, bet_unit: int) -> str:
    """What the choice gave up against the best move, in bets and in chips."""
    if grade.ev_cost <= 0:
        return ""
    name = gerund(grade.chosen)
    if situation.hand.is_natural:
        name = {"insure": "taking even money", "decline": "declining"}[grade.chosen]
    chips = grade.ev_cost * bet_unit
    amount = f"about {chips:.2f}" if chips >= 0.01 else "less than 0.01"
    return f"{name.capitalize()} gives up {grade.ev_cost:.4f} of a bet, {amount} on a bet of {bet_unit}."


def _note(decision: DecisionRow) -> str:
    """Said beside a move that is marked right though another is worth more, or that does not count."""
    if decision.is_hinted:
        return "You had the chart in view, so this counts as neither right nor wrong."
    if decision.is_right and decision.grading == "chart" and decision.judgement.tables_differ:
        return "Here the chart and the exact play of these cards differ. Either counts as right."
    return ""


def ev_bars(
    evs: Mapping[str, float], labels: Mapping[str, str], best: str, chosen: str = ""
) -> tuple[tuple[EvView, ...], float]:
    """A bar for every move, the best first, and where their zero line stands."""
    low, high = min(0.0, *evs.values()), max(0.0, *evs.values())
    scale = _BAR_WIDTH / max(high - low, 1e-9)
    zero = -low * scale
    bars = []
    for move, ev in sorted(evs.items(), key=lambda pair: -pair[1]):
        is_best = move == best
        width = max(abs(ev) * scale, 0.6)
        look = "bar-best" if is_best else "bar-negative" if ev < 0 else "bar-positive"
        bars.append(EvView(labels[move], signed(ev), round(zero + min(ev, 0.0) * scale, 2), round(width, 2), look,
                           is_best, move == chosen))
    return tuple(bars), round(zero, 2)


def _dealer_bar(outcomes: Mapping[str, float]) -> tuple[EndView, ...]:
    ends, x = [], 0.0
    for name, chance in outcomes.items():
        if chance <= 0:
            continue
        width = _BAR_WIDTH * chance
        ends.append(EndView(name, f"{100 * chance:.1f}%", round(x, 2), round(width, 2), f"end-{name}"))
        x += width
    return tuple(ends)


def _condition(situation: Situation) -> str:
    if situation.is_insurance:
        return "Insurance is a bet of half the first."
    if not situation.rules.is_peek:
        return "A dealer’s natural included: nobody has looked yet."
    if situation.rules.surrender == "early" and len(situation.hand.cards) == 2 and situation.upcard.rank in (1, 10):
        return "A dealer’s natural included: you decide before the dealer looks."
    if situation.upcard.rank in (1, 10):
        return "Given that the dealer has looked and has no natural."
    return ""
