"""One round as it stands: who plays, what lies on the table, what is asked of whom."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from trainer.engine.cards import ACE, TEN, Card, composition_of
from trainer.engine.hands import total_of
from trainer.table.errors import SeatError
from trainer.table.shoe import Shoe, most_boxes
from trainer.table.terms import Terms


class Phase(StrEnum):
    """Parts of a round in which it waits for somebody, in their order, and its end."""

    BETTING = "betting"
    INSURANCE = "insurance"
    EARLY_SURRENDER = "early surrender"
    PLAYING = "playing"
    SETTLED = "settled"


class Ending(StrEnum):
    """How a hand came to be over; a hand doubled face down stood, whatever the card is."""

    NATURAL = "natural"
    STOOD = "stood"
    BUST = "bust"
    SURRENDERED = "surrendered"
    FORFEITED = "forfeited"


class Reason(StrEnum):
    """Why a line of the settlement paid what it paid."""

    NATURAL = "natural"
    EVEN_MONEY = "even money"
    WIN = "win"
    DEALER_BUST = "dealer bust"
    PUSH = "push"
    LOSE = "lose"
    BUST = "bust"
    DEALER_NATURAL = "dealer natural"
    ORIGINAL_BET_ONLY = "original bet only"
    SURRENDER = "surrender"
    FORFEIT = "forfeit"
    INSURANCE_WON = "insurance won"
    INSURANCE_LOST = "insurance lost"


@dataclass(frozen=True)
class Player:
    """Someone at the table and their chips, those on the layout not counted; a resident is played by the chart."""

    name: str
    stack: int
    is_resident: bool = False


@dataclass(frozen=True)
class HeldHand:
    """A hand of a box: its cards in the order in which they came, and how it ended (``None``: not yet).

    ``is_face_down``: its last card has not been turned, and nobody may see it.
    """

    cards: tuple[Card, ...]
    is_doubled: bool = False
    is_face_down: bool = False
    ending: Ending | None = None

    @property
    def total(self) -> int:
        """The best total, over 21 where it is bust."""
        return total_of(composition_of(self.cards))

    @property
    def visible(self) -> tuple[Card, ...]:
        """The cards that lie face up."""
        return self.cards[:-1] if self.is_face_down else self.cards


@dataclass(frozen=True)
class Box:
    """A place for a bet. ``player`` indexes the round's players; a bet of 0 is none.

    ``is_awaited``: it owes an answer to the question that is put to all boxes now (bet, insurance, early surrender).
    """

    player: int
    bet: int = 0
    hands: tuple[HeldHand, ...] = ()
    insurance: int = 0
    has_even_money: bool = False
    is_awaited: bool = False

    @property
    def has_natural(self) -> bool:
        return len(self.hands) == 1 and self.hands[0].ending == Ending.NATURAL

    @property
    def is_forfeited(self) -> bool:
        """Whether its player gave it up."""
        return any(hand.ending == Ending.FORFEITED for hand in self.hands)

    @property
    def staked(self) -> int:
        """What lies on the layout for it while nothing is paid: its hands' bets and insurance."""
        return sum(self.stake(hand) for hand in self.hands) + self.insurance if self.hands else self.bet

    def stake(self, hand: HeldHand) -> int:
        """What is bet on one of its hands."""
        return self.bet * 2 if hand.is_doubled else self.bet


@dataclass(frozen=True)
class Line:
    """One line of the settlement: what was staked, what came back, and why.

    ``hand`` counts the box's hands from 0 and is ``None`` for its insurance.
    """

    box: int
    hand: int | None
    stake: int
    returned: int
    reason: Reason

    @property
    def net(self) -> int:
        """What the player won, below 0 lost."""
        return self.returned - self.stake


@dataclass(frozen=True)
class Round:
    """A round at one moment. Immutable; :func:`trainer.table.step.step` makes the next one.

    ``dealt`` cards of the shoe have come. ``dealer``: upcard first, the hole card or later cards after it;
    ``is_hole_up``: they all lie face up. ``active``: box and hand that must move, while boxes play.
    ``lines``: what has been settled so far. ``step`` counts events; ``asked_at`` is the step from which on the
    present question stands, so that an event from before it is stale; ``deadline`` in milliseconds of the
    caller's clock, ``None`` where nothing presses.
    """

    terms: Terms
    players: tuple[Player, ...]
    boxes: tuple[Box, ...]
    shoe: Shoe
    phase: Phase = Phase.BETTING
    dealt: int = 0
    dealer: tuple[Card, ...] = ()
    is_hole_up: bool = False
    active: tuple[int, int] | None = None
    lines: tuple[Line, ...] = ()
    step: int = 0
    asked_at: int = 0
    deadline: int | None = None

    @property
    def upcard(self) -> Card:
        return self.dealer[0]

    @property
    def is_over(self) -> bool:
        return self.phase == Phase.SETTLED

    @property
    def cards_left(self) -> int:
        """Cards left in the shoe, for all to see."""
        return self.shoe.left(self.dealt)

    @property
    def awaited(self) -> tuple[int, ...]:
        """The boxes that must answer before anything goes on; of boxes that play, the one whose turn it is."""
        if self.active is not None:
            return (self.active[0],)
        return tuple(number for number, box in enumerate(self.boxes) if box.is_awaited)

    def asked_hand(self, box: int) -> HeldHand:
        """The hand that a box with cards answers for: the active one while boxes play, its first before."""
        place = self.active[1] if self.active is not None else 0
        return self.boxes[box].hands[place]

    def player_of(self, box: int) -> Player:
        """Whose box it is."""
        return self.players[self.boxes[box].player]

    def result_of(self, player: int) -> int:
        """What the lines so far come to for one player."""
        return sum(line.net for line in self.lines if self.boxes[line.box].player == player)


def may_hide_natural(upcard: Card) -> bool:
    """Whether the dealer's next card could make a natural."""
    return upcard.rank in (ACE, TEN)


def open_round(
    terms: Terms, players: Sequence[Player], owners: Sequence[int], shoe: Shoe, *, now: int = 0
) -> Round:
    """A round that waits for bets.

    ``owners``: for each box from the dealer's left, the place of its player in ``players``. ``now`` in
    milliseconds starts the clock, where there is one. ``SeatError`` where the shoe serves fewer boxes.
    """
    limit = most_boxes(terms.rules)
    if not 1 <= len(owners) <= limit:
        raise SeatError(f"{len(owners)} boxes are not possible here; use 1 to {limit}")
    if any(owner not in range(len(players)) for owner in owners):
        raise SeatError("a box belongs to no player of the round")
    if any(player.stack < 0 for player in players):
        raise SeatError("nobody plays on fewer than no chips")
    deadline = now + terms.clock.bet_seconds * 1000 if terms.clock else None
    boxes = tuple(Box(owner, is_awaited=True) for owner in owners)
    return Round(terms, tuple(players), boxes, shoe, deadline=deadline)
