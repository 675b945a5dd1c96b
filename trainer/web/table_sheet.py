"""The sheet beside the felt: what is asked, what the decisions were worth, what every hand paid and why."""

from collections.abc import Mapping
from dataclasses import dataclass

from trainer.drill.situation import DECLINE, INSURE
from trainer.drill.words import shown_face, shown_rank
from trainer.engine.cards import parse_cards, parse_upcard
from trainer.engine.hands import Hand
from trainer.engine.strategy import Strategy
from trainer.service.playing import Hint, insurance_bounds
from trainer.service.seat import Mark
from trainer.service.tables import TableState
from trainer.table.amount import CHIP, shown
from trainer.table.judgement import EVEN_MONEY
from trainer.table.round import Line, Reason
from trainer.table.view import BoxView
from trainer.web.ev_view import EvView, ev_bars
from trainer.web.hand_view import KEYS, LABELS, ChartRowView, MoveView, chart_row_view, labels_for
from trainer.web.table_felt import box_name, own_box_name, signed_chips, total_text
from trainer.web.wording import bets_given_up

_ORDER = ("hit", "stand", "double", "split", "surrender", "insure", EVEN_MONEY, DECLINE)
_LABELS: Mapping[str, str] = {**LABELS, EVEN_MONEY: "Even money"}
_KEYS: Mapping[str, str] = {**KEYS, EVEN_MONEY: KEYS["insure"]}


@dataclass(frozen=True)
class QuestionView:
    """A decision that is open: of which box, what may be answered, the range of insurance where it may be chosen."""

    heading: str
    box: int
    moves: tuple[MoveView, ...]
    insurance: tuple[str, str] | None


@dataclass(frozen=True)
class HintView:
    """The chart's move and every answer's worth."""

    heading: str
    evs: tuple[EvView, ...]
    zero_x: float
    chart_row: ChartRowView | None


@dataclass(frozen=True)
class MarkView:
    """A decision of the round, judged; ``reasons`` in sentences, ``url`` is its page in the history."""

    hand: str
    heading: str
    cost: str
    note: str
    is_right: bool
    url: str
    evs: tuple[EvView, ...]
    zero_x: float
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class LineView:
    """One line of the settlement."""

    hand: str
    stake: str
    result: str
    why: str


def question_view(state: TableState) -> QuestionView | None:
    """What the viewer is asked now; nothing while bets are made or the round is over."""
    view, round_ = state.view, state.seat.round
    awaited = state.seat.awaited()
    if view is None or round_ is None or not awaited or view.phase == "betting":
        return None
    box = view.boxes[awaited[0]]
    name = box_name(state, awaited[0]) if state.seat.table.own > 1 else ""
    labels = dict(_LABELS) | ({DECLINE: "Decline"} if EVEN_MONEY in box.answers else {})
    labels |= {DECLINE: "Play on"} if view.phase == "early surrender" else {}
    moves = tuple(MoveView(word, labels[word], _KEYS[word]) for word in _ORDER if word in box.answers)
    least, most = insurance_bounds(round_, awaited[0])
    bounds = (shown(least), shown(most)) if "insure" in box.answers and least < most else None
    return QuestionView(_asked(view.phase, box, name), awaited[0], moves, bounds)


def hint_view(hint: Hint, strategy: Strategy) -> HintView:
    """A hint as the sheet shows it."""
    situation, judgement = hint.situation, hint.judgement
    labels = labels_for(situation)
    evs, zero = ev_bars(judgement.evs, labels, judgement.exact)
    who = "Best" if situation.is_insurance else "The chart says"
    return HintView(f"{who}: {labels[judgement.chart].lower()}", evs, zero, chart_row_view(situation, strategy))


def mark_views(state: TableState) -> tuple[MarkView, ...]:
    """The decisions of the round that may be shown by now, latest last."""
    return tuple(_mark(mark, state) for mark in state.seat.shown_marks)


def line_views(state: TableState) -> tuple[LineView, ...]:
    """What each of the viewer's hands and insurance bets paid, and why."""
    if state.view is None or state.seat.table.is_playing:
        return ()
    return tuple(LineView(_hand_name(state, line), shown(line.stake), signed_chips(line.net) if line.net else "0",
                          _why(state, line))
                 for line in state.view.lines if line.box in state.seat.table.own_boxes)


def headline(state: TableState) -> str:
    """What a round came to for the viewer, and whether the clock decided for them at the last."""
    told = _told(state)
    return f"Time ran out. {told}" if state.seat.marks and state.seat.marks[-1].is_clocks else told


def _told(state: TableState) -> str:
    lines = [line for line in state.view.lines if line.box in state.seat.table.own_boxes] if state.view else []
    if not lines:
        return "You sat that one out"
    net, unit = sum(line.net for line in lines), state.seat.spec.purse.unit
    if net == 0:
        return "Nothing won, nothing lost"
    return f"You {'won' if net > 0 else 'lost'} {shown(abs(net))} {unit}"


def _asked(phase: str, box: BoxView, name: str) -> str:
    """The question as a heading; ``name`` tells which of several own boxes is asked."""
    prefix = f"{name}: " if name else ""
    if phase == "insurance":
        return prefix + ("Take even money?" if EVEN_MONEY in box.answers else "Take insurance?")
    if phase == "early surrender":
        return f"{prefix}Surrender before the dealer looks?"
    hand = next((hand for hand in box.hands if hand.is_active), box.hands[0])
    which = f", hand {box.hands.index(hand) + 1} of {len(box.hands)}" if len(box.hands) > 1 else ""
    return f"{name or 'Your move'}{which}: {total_text(hand.total or 0, is_soft=hand.is_soft)}"


def _mark(mark: Mark, state: TableState) -> MarkView:
    cards = parse_cards(mark.cards)
    is_even_money = mark.is_insurance and Hand(cards).is_natural
    labels = dict(LABELS) | ({INSURE: "Even money", DECLINE: "Decline"} if is_even_money else {})
    labels |= {DECLINE: "Play on"} if "surrender" in mark.evs else {}
    evs, zero = ev_bars(mark.evs, labels, mark.exact, mark.chosen)
    shown_cards = f"{'-'.join(map(shown_face, cards))} v {shown_rank(parse_upcard(mark.upcard).rank)}"
    hand = ", ".join(filter(None, (own_box_name(state, mark.box), shown_cards)))
    cost = f"gives up {bets_given_up(mark.ev_cost)}, {mark.cost / CHIP:,.2f} {state.seat.spec.purse.unit}"
    return MarkView(hand, _heading(mark, labels), cost if mark.ev_cost > 0 else "", _note(mark), mark.is_right,
                    f"/hand/{mark.token}" if mark.token else "", evs, zero,
                    tuple(mark.reasons))


def _heading(mark: Mark, labels: Mapping[str, str]) -> str:
    chosen, expected = labels[mark.chosen], labels[mark.expected]
    if mark.is_clocks:
        return f"Time ran out: {chosen.lower()}"
    if mark.is_right:
        return f"{chosen}, with a hint" if mark.is_hinted else f"Right: {chosen.lower()}"
    if mark.is_insurance:
        return f"{expected} was right"
    return f"{expected}, not {chosen.lower()}"


def _note(mark: Mark) -> str:
    if mark.is_estimate:
        return "So few cards are left that some of those seen were put back: an estimate."
    if mark.is_hinted:
        return "With the hint in view this counts as neither right nor wrong."
    if mark.is_right and mark.ev_cost > 0:
        return f"Right by the chart. These very cards do better by {LABELS[mark.exact].lower()}."
    if mark.is_right and mark.chart != mark.exact:
        return f"The chart would {LABELS[mark.chart].lower()}; for these very cards this is better. Either counts."
    return ""


def _hand_name(state: TableState, line: Line) -> str:
    name = own_box_name(state, line.box)
    if line.hand is None:
        return ", ".join(filter(None, (name, "insurance"))).capitalize()
    view = state.view.boxes[line.box] if state.view else None
    hand = view.hands[line.hand] if view and view.hands else None
    cards = "-".join(shown_face(parse_cards(text)[0]) for text in hand.cards if text) if hand else ""
    return ", ".join(filter(None, (name, cards, "doubled" if hand and hand.is_doubled else "")))


def _why(state: TableState, line: Line) -> str:
    """Why a line paid what it paid."""
    view = state.view
    dealer = view.dealer.total if view and view.dealer else None
    own = view.boxes[line.box].hands[line.hand].total if view and line.hand is not None and (
        view.boxes[line.box].hands) else None
    pays = state.seat.spec.terms.rules.blackjack_pays.replace(":", " to ")
    return {
        Reason.NATURAL: f"Blackjack pays {pays}",
        Reason.EVEN_MONEY: "Even money: one bet, whatever the dealer has",
        Reason.WIN: f"{own} beats {dealer}",
        Reason.DEALER_BUST: f"The dealer is bust with {dealer}",
        Reason.PUSH: f"Push: both have {own}" if own == dealer else "Push: two naturals",
        Reason.LOSE: f"{dealer} beats {own}",
        Reason.BUST: f"Bust with {own}",
        Reason.DEALER_NATURAL: "The dealer has a natural",
        Reason.ORIGINAL_BET_ONLY: "The dealer’s natural takes the first bet only",
        Reason.SURRENDER: "Surrendered: half the bet comes back",
        Reason.FORFEIT: "Given up",
        Reason.INSURANCE_WON: "The dealer has a natural: insurance pays 2 to 1",
        Reason.INSURANCE_LOST: "The dealer has no natural",
    }[line.reason]
