"""The felt of a table: cards, totals, bets and results of every box, as the viewer may see them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from trainer.engine.cards import parse_cards
from trainer.service.tables import TableState
from trainer.table.amount import shown
from trainer.table.round import Ending
from trainer.table.view import BoxView, HandView
from trainer.web.hand_view import CardView, drawn_card

_ENDINGS = {Ending.NATURAL: "blackjack", Ending.BUST: "bust", Ending.SURRENDERED: "surrendered",
            Ending.FORFEITED: "given up", Ending.STOOD: ""}


@dataclass(frozen=True)
class SeenCard:
    """A card on the felt; ``card`` is none for one that lies face down. ``is_new``: this request brought it."""

    card: CardView | None
    is_new: bool = False


@dataclass(frozen=True)
class FeltHand:
    """One hand: ``total`` such as ``7 / 17``, ``note`` how it ended, ``result`` what it won once that is settled."""

    cards: tuple[SeenCard, ...]
    total: str
    note: str
    stake: str
    is_active: bool
    result: str = ""
    result_look: str = ""


@dataclass(frozen=True)
class FeltBox:
    """One box and whose it is."""

    name: str
    is_own: bool
    bet: str
    hands: tuple[FeltHand, ...]
    insurance: str
    is_awaited: bool


@dataclass(frozen=True)
class FeltView:
    """The dealer and the boxes, from the dealer's left; ``shoe`` says what is left to be dealt."""

    dealer: FeltHand | None
    boxes: tuple[FeltBox, ...]
    shoe: str


def felt_view(state: TableState) -> FeltView:
    """What lies on the table."""
    view = state.view
    if view is None:
        return FeltView(None, (), "")
    new = {str(each.card) for each in state.happenings if each.card is not None}
    dealer = _hand(view.dealer, new) if view.dealer and view.dealer.cards else None
    boxes = tuple(_box(state, number, box, new) for number, box in enumerate(view.boxes))
    return FeltView(dealer, boxes, shoe_text(state))


def shoe_text(state: TableState) -> str:
    """How many cards are left, or that every hand has a fresh shoe."""
    if state.view is None:
        return ""
    if state.seat.spec.terms.rules.cut_range is None:
        return "fresh shoe each hand"
    anew = "shuffled anew, " if state.seat.table.shuffled else ""
    return f"{anew}{state.view.cards_left} cards left"


def box_name(state: TableState, number: int) -> str:
    """``You``, ``Your box 2``, just ``Box 2`` where nobody else sits there, or the resident's name."""
    table = state.seat.table
    if number not in table.own_boxes:
        return state.view.boxes[number].player if state.view else ""
    name = own_box_name(state, number)
    return "You" if not name else f"Your {name.lower()}" if table.residents else name


def own_box_name(state: TableState, number: int) -> str:
    """``Box 2`` where only the viewer's own are told apart, nothing where there is but one."""
    table = state.seat.table
    return "" if table.own == 1 else f"Box {number - table.place + 1}"


def total_text(total: int, *, is_soft: bool) -> str:
    """``7 / 17`` for a soft hand that may count either way."""
    return f"{total - 10} / {total}" if is_soft and total < 21 else str(total)


def signed_chips(amount: float) -> str:
    """Tenths of a chip as chips with a sign."""
    text = shown(round(abs(amount)))
    return text if text == "0" else ("+" if amount > 0 else "\N{MINUS SIGN}") + text


def _box(state: TableState, number: int, box: BoxView, new: Collection[str]) -> FeltBox:
    results = {line.hand: line.net for line in state.view.lines if line.box == number} if state.view else {}
    hands = tuple(_hand(hand, new, results.get(place)) for place, hand in enumerate(box.hands))
    return FeltBox(box_name(state, number), box.is_own, shown(box.bet) if box.bet else "", hands,
                   shown(box.insurance) if box.insurance else "even money" if box.has_even_money else "",
                   box.is_awaited)


def _hand(hand: HandView, new: Collection[str], net: int | None = None) -> FeltHand:
    total = "" if hand.total is None else total_text(hand.total, is_soft=hand.is_soft)
    ending = _ENDINGS[Ending(hand.ending)] if hand.ending else ""
    note = " ".join(filter(None, ("doubled" if hand.is_doubled else "", ending)))
    look = "" if net is None else "won" if net > 0 else "lost" if net < 0 else ""
    return FeltHand(_cards(hand.cards, new), total, note, shown(hand.stake), hand.is_active,
                    "" if net is None else signed_chips(net) if net else "push", look)


def _cards(cards: Sequence[str | None], new: Collection[str]) -> tuple[SeenCard, ...]:
    return tuple(SeenCard(drawn_card(parse_cards(text)[0]), text in new) if text else SeenCard(None) for text in cards)
