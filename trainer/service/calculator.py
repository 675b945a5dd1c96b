"""Any hand worked out: texts in, every move's exact worth out, and what is wrong told by field."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from trainer.engine.actions import Action
from trainer.engine.cards import Card, parse_cards, parse_upcard
from trainer.engine.chart import Cell, cell_of
from trainer.engine.decision import Decision, decide, require_cards
from trainer.engine.errors import EngineError
from trainer.engine.hands import BLACKJACK, Hand
from trainer.engine.insurance import insurance_ev, is_insurance_offered
from trainer.engine.rules import Rules
from trainer.service.strategies import StrategyCache

MOST_CARDS = 21
_Read = TypeVar("_Read")


class FieldError(EngineError):
    """A field that cannot be read: ``field`` is ``cards``, ``upcard`` or ``seen``."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True)
class Query:
    """What is asked: the player's cards as they came, the upcard where it is known, the cards ``seen`` elsewhere."""

    cards: tuple[Card, ...]
    upcard: Card | None
    seen: tuple[Card, ...]

    @property
    def is_complete(self) -> bool:
        """Whether there is a hand to decide."""
        return len(self.cards) > 1 and self.upcard is not None


@dataclass(frozen=True)
class Calculation:
    """A hand worked out.

    ``chart``: the move of the full shoe's chart, and ``cell`` its cell, none for 21, which stands by itself.
    ``insurance``: EV per unit of the insurance bet, where it is offered.
    """

    rules: Rules
    decision: Decision
    chart: Action
    cell: Cell | None
    insurance: float | None


def read_query(rules: Rules, cards: str, upcard: str, seen: str) -> Query:
    """Read the fields of a hand that may not be complete yet; ``FieldError`` for what no shoe of the rules can deal."""
    query = Query(
        _at("cards", lambda: parse_cards(cards)),
        _at("upcard", lambda: parse_upcard(upcard) if upcard.strip() else None),
        _at("seen", lambda: parse_cards(seen)),
    )
    _check_hand(query.cards)
    up = (query.upcard,) if query.upcard else ()
    _at("cards", lambda: require_cards(rules, (*query.cards, *up)))
    _at("seen", lambda: require_cards(rules, (*query.cards, *up, *query.seen)))
    return query


def work_out(strategies: StrategyCache, rules: Rules, query: Query) -> Calculation:
    """Every move of a complete query, exactly, from the shoe less the cards seen."""
    hand, upcard = Hand(query.cards), query.upcard
    if upcard is None:
        raise FieldError("upcard", "choose the dealer's upcard")
    if len(hand.cards) < 2:
        raise FieldError("cards", "a hand to decide has two cards or more")
    decision = decide(rules, hand, upcard, query.seen)
    legal = tuple(decision.evs)
    cell = cell_of(hand, upcard, legal) if hand.total < BLACKJACK else None
    chart = strategies.get(rules).chart.move(hand, upcard, legal)
    insurance = None
    if is_insurance_offered(rules, upcard.rank) and len(hand.cards) == 2:
        insurance = insurance_ev(rules, (*hand.cards, upcard, *query.seen))
    return Calculation(rules, decision, chart, cell, insurance)


def _check_hand(cards: Sequence[Card]) -> None:
    if len(cards) > MOST_CARDS:
        raise FieldError("cards", f"a hand of {len(cards)} cards is bust")
    if cards and _at("cards", lambda: Hand(tuple(cards))).is_natural:
        raise FieldError("cards", "an ace and a ten are a natural, which has no move; Insurance prices even money")


def _at(field: str, read: Callable[[], _Read]) -> _Read:
    """What ``read`` gives; its errors become the field's."""
    try:
        return read()
    except EngineError as error:
        raise FieldError(field, str(error)) from None
