"""What the calculator shows: the fields, the cards, and a hand worked out."""

from collections.abc import Mapping
from dataclasses import dataclass

from flask import url_for

from trainer.drill.parameters import row_name
from trainer.drill.plan import Mode, Plan
from trainer.drill.words import card_name, gerund, percent, shown_face, shown_rank, signed, upcard_phrase
from trainer.engine.actions import Action
from trainer.engine.cards import TEN, Card, composition_of, label_of
from trainer.engine.chart import UPCARD_ORDER
from trainer.engine.rule_key import rules_for
from trainer.service.calculator import Calculation, FieldError, Query
from trainer.web.chart_view import row_title
from trainer.web.ev_view import EndView, EvView, condition_of, dealer_bar, ev_bars
from trainer.web.hand_view import LABELS, CardView
from trainer.web.rule_address import cell_url
from trainer.web.rule_choice import offered
from trainer.web.wording import sentence

_SUITS = "shcd"


@dataclass(frozen=True)
class OutcomeView:
    """How a hand ends by one move, in per cent; empty where it is not broken down."""

    label: str
    wins: str
    pushes: str
    loses: str
    busts: str
    note: str


@dataclass(frozen=True)
class ResultView:
    """A hand worked out."""

    heading: str
    chart: str
    evs: tuple[EvView, ...]
    zero_x: float
    condition: str
    outcomes: tuple[OutcomeView, ...]
    dealer_title: str
    dealer: tuple[EndView, ...]
    insurance: str
    insurance_url: str
    cell_title: str
    cell_url: str
    drill_url: str


@dataclass(frozen=True)
class CalculatorPage:
    """Everything the calculator's templates read; ``ranks`` are (name in a URL, shown, spoken)."""

    title: str
    rules_key: str
    rule_sets: tuple[tuple[str, str], ...]
    has_peek: bool
    cards_text: str
    upcard_text: str
    seen_text: str
    errors: Mapping[str, str]
    ranks: tuple[tuple[str, str, str], ...]
    cards: tuple[CardView, ...]
    dealer: CardView | None
    missing: str
    result: ResultView | None


def calculator_page(
    rules_key: str, cards: str, upcard: str, seen: str, *,
    error: FieldError | None = None, query: Query | None = None, result: Calculation | None = None,
) -> CalculatorPage:
    """The page of the fields' texts, with what is wrong in one of them, or with the hand that they make."""
    ranks = (*UPCARD_ORDER[-1:], *UPCARD_ORDER[:-1])
    view = _result(result, query, rules_key) if result and query else None
    return CalculatorPage(
        title=view.heading if view else "Work out any hand",
        rules_key=rules_key,
        rule_sets=tuple(offered(rules_key)),
        has_peek=rules_for(rules_key).is_peek,
        cards_text=cards[:200],
        upcard_text=upcard[:40],
        seen_text=seen[:800],
        errors={error.field: sentence(str(error))} if error else {},
        ranks=tuple((label_of(rank), shown_rank(rank), card_name(Card(label_of(rank)))) for rank in ranks),
        cards=tuple(_card(card, index) for index, card in enumerate(query.cards)) if query else (),
        dealer=_card(query.upcard, 2) if query and query.upcard else None,
        missing=_missing(query) if query else "",
        result=view,
    )


def _missing(query: Query) -> str:
    """What is still to be chosen."""
    if query.is_complete:
        return ""
    if not query.cards:
        return "Choose your cards: press them, or type them."
    if len(query.cards) < 2:
        return "One card more at least."
    return "Now the dealer’s upcard."


def _card(card: Card, place: int) -> CardView:
    """A card of no suit in particular; the suit drawn is for the look alone."""
    return CardView(shown_face(card), _SUITS[place % 4], card_name(card))


def _result(found: Calculation, query: Query, rules_key: str) -> ResultView:
    decision, hand, upcard = found.decision, found.decision.hand, found.decision.upcard
    evs = {str(action): ev for action, ev in decision.evs.items()}
    bars, zero = ev_bars(evs, LABELS, str(decision.best))
    kind = "soft" if hand.is_soft else "hard"
    cards = "-".join(map(shown_face, hand.cards))
    cell, up = found.cell, label_of(upcard.rank)
    seen = composition_of((*hand.cards, upcard, *query.seen))
    return ResultView(
        heading=f"{cards} ({kind} {hand.total}) against {shown_face(upcard)}: {LABELS[decision.best].lower()}",
        chart=_chart_sentence(found, is_depleted=bool(query.seen)),
        evs=bars,
        zero_x=zero,
        condition=condition_of(found.rules, len(hand.cards), upcard.rank),
        outcomes=tuple(_outcome(found, action) for action in decision.evs),
        dealer_title=f"Where the dealer ends {upcard_phrase(upcard)}",
        dealer=dealer_bar(decision.dealer),
        insurance="" if found.insurance is None else signed(found.insurance),
        insurance_url=url_for("insurance.show", rules=rules_key, tens=seen[TEN - 1], others=sum(seen) - seen[TEN - 1]),
        cell_title=f"{row_title(cell)} against {shown_rank(cell.upcard)}" if cell else "",
        cell_url=cell_url(rules_key, cell) if cell else "",
        drill_url=f"/?{Plan(rules_key, Mode.FOCUS, rows=(row_name(cell),), upcards=(up,)).to_query()}" if cell else "",
    )


def _chart_sentence(found: Calculation, *, is_depleted: bool) -> str:
    """The chart beside the exact move."""
    decision, chart = found.decision, found.chart
    if found.cell is None:
        return "21 stands by itself."
    if chart == decision.best:
        return f"The chart says {chart} too."
    gain = decision.evs[decision.best] - decision.evs[chart]
    amount = f"{gain:.4f}" if gain >= 0.00005 else "less than 0.0001"
    why = "with the cards seen gone" if is_depleted else "for these very cards"
    every = f"{row_title(found.cell)} against {shown_rank(found.cell.upcard)}"
    return (f"The chart has one answer for every {every} from a full shoe: {chart}. "
            f"Here, {why}, {gerund(decision.best)} is better by {amount}.")


def _outcome(found: Calculation, action: Action) -> OutcomeView:
    """One move's results put together; twice the bet and once the bet are one column."""
    results = found.decision.results.get(action)
    if results is None:
        return OutcomeView(LABELS[action], "", "", "", "", "several hands: not broken down")
    if action == Action.SURRENDER:
        return OutcomeView(LABELS[action], "", "", "", "", "half the bet is lost")
    wins, loses = (sum(results[f"{way} {bets}"] for bets in (1, 2)) for way in ("win", "lose"))
    note = "for two bets" if action == Action.DOUBLE else ""
    return OutcomeView(LABELS[action], percent(wins, 2), percent(results["push"], 2), percent(loses, 2),
                       percent(found.decision.busts[action], 2), note)
