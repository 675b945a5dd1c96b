"""What may happen to a round, and what is told of it."""

from dataclasses import dataclass
from enum import StrEnum

from trainer.engine.actions import Action
from trainer.engine.cards import Card
from trainer.table.round import Round


class EventKind(StrEnum):
    """``DECLINE`` turns down whatever is offered: insurance, even money, early surrender."""

    BET = "bet"
    SIT_OUT = "sit out"
    INSURE = "insure"
    EVEN_MONEY = "even money"
    DECLINE = "decline"
    MOVE = "move"
    FORFEIT = "forfeit"
    TIME_UP = "time up"


@dataclass(frozen=True)
class Event:
    """One answer to a round, or its clock.

    ``step``: the round's step that it answers. ``amount`` in tenths, for bets and insurance; ``action`` for moves;
    ``at`` in milliseconds of the caller's clock.
    """

    kind: EventKind
    step: int
    box: int = 0
    amount: int = 0
    action: Action | None = None
    at: int = 0


class Told(StrEnum):
    """What can be told to everyone at the table."""

    BET = "bet"
    SITS_OUT = "sits out"
    NO_BETS = "no bets"
    CARD = "card"
    UPCARD = "upcard"
    HOLE_CARD = "hole card"
    INSURANCE_OFFERED = "insurance offered"
    EVEN_MONEY_OFFERED = "even money offered"
    INSURED = "insured"
    EVEN_MONEY = "even money"
    DECLINED = "declined"
    SURRENDER_OFFERED = "surrender offered"
    NO_NATURAL = "no natural"
    TURN = "turn"
    STOOD = "stood"
    HIT = "hit"
    DOUBLED = "doubled"
    SPLIT = "split"
    SURRENDERED = "surrendered"
    FORFEITED = "forfeited"
    BUST = "bust"
    TIME_UP = "time up"
    DEALER_TURNS = "dealer turns"
    DEALER_DRAWS = "dealer draws"
    CARDS_TURNED = "cards turned"
    SETTLED = "settled"


@dataclass(frozen=True)
class Happening:
    """One thing that happened. ``card`` is ``None`` for one that lies face down; ``amount``: bet, stake, or net won."""

    told: Told
    box: int | None = None
    hand: int | None = None
    card: Card | None = None
    amount: int = 0


@dataclass(frozen=True)
class Step:
    """A round after an event, and what happened, in order."""

    round: Round
    happenings: tuple[Happening, ...]
