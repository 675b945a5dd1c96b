"""What may be seen of a round: whatever shows one is built on this, never on the round itself.

Every card that lies face up is seen by everyone; the hole card before it is turned, a card that was doubled face down
before settlement, and the shoe are seen by nobody.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from trainer.engine.cards import Card, Composition, composition_of, full_shoe
from trainer.engine.hands import is_soft, total_of
from trainer.table.moves import answers
from trainer.table.round import Box, HeldHand, Line, Round


@dataclass(frozen=True)
class HandView:
    """A hand: ``cards`` as written, ``None`` for one that lies face down; ``total`` and ``is_soft`` of what is seen.

    ``total`` is ``None`` where a card is hidden. ``ending`` as in the round; ``is_active``: it must move now.
    """

    cards: tuple[str | None, ...]
    total: int | None
    is_soft: bool
    stake: int
    is_doubled: bool
    ending: str | None
    is_active: bool


@dataclass(frozen=True)
class BoxView:
    """A box. ``answers``: what its player may do with it now, empty unless it is the viewer's own."""

    player: str
    is_own: bool
    is_resident: bool
    bet: int
    hands: tuple[HandView, ...]
    insurance: int
    has_even_money: bool
    is_awaited: bool
    answers: tuple[str, ...]


@dataclass(frozen=True)
class RoundView:
    """A round as one viewer may see it; ``dealer`` is like a hand, ``None`` before the deal.

    ``step`` is what the viewer's next event answers; ``deadline`` in milliseconds; ``stacks`` by player's name.
    """

    phase: str
    step: int
    deadline: int | None
    cards_left: int
    dealer: HandView | None
    boxes: tuple[BoxView, ...]
    stacks: Mapping[str, int]
    lines: tuple[Line, ...]


def view_of(round_: Round, viewer: str | None) -> RoundView:
    """What a player, by name, or an onlooker (``None``) may see."""
    return RoundView(
        phase=round_.phase,
        step=round_.step,
        deadline=round_.deadline,
        cards_left=round_.cards_left,
        dealer=_dealer(round_),
        boxes=tuple(_box(round_, number, box, viewer) for number, box in enumerate(round_.boxes)),
        stacks={player.name: player.stack for player in round_.players},
        lines=round_.lines,
    )


def visible_dealer(round_: Round) -> tuple[Card, ...]:
    """The dealer's cards that lie face up."""
    return round_.dealer if round_.is_hole_up else round_.dealer[:1]


def seen_cards(round_: Round) -> tuple[Card, ...]:
    """Every card that a player at the table has seen since the last shuffle, this round's included."""
    boxes = (card for box in round_.boxes for hand in box.hands for card in hand.visible)
    return (*round_.shoe.seen_before(round_.dealt), *visible_dealer(round_), *boxes)


def unseen_counts(round_: Round) -> Composition:
    """By rank, ace first, what a player cannot rule out: the shoe less the cards seen, the hole card among it."""
    held, seen = full_shoe(round_.terms.rules.decks), composition_of(seen_cards(round_))
    return tuple(all_ - gone for all_, gone in zip(held, seen, strict=True))


def _dealer(round_: Round) -> HandView | None:
    if not round_.dealer:
        return None
    visible = visible_dealer(round_)
    hidden = len(round_.dealer) - len(visible)
    counts = composition_of(visible)
    return HandView((*map(str, visible), *[None] * hidden), None if hidden else total_of(counts), is_soft(counts),
                    0, is_doubled=False, ending=None, is_active=False)


def _box(round_: Round, number: int, box: Box, viewer: str | None) -> BoxView:
    player = round_.players[box.player]
    is_own = player.name == viewer
    return BoxView(
        player.name, is_own, player.is_resident, box.bet,
        tuple(_hand(box, hand, is_active=round_.active == (number, place)) for place, hand in enumerate(box.hands)),
        box.insurance, box.has_even_money, number in round_.awaited,
        answers(round_, number) if is_own else (),
    )


def _hand(box: Box, hand: HeldHand, *, is_active: bool) -> HandView:
    cards = (*map(str, hand.visible), *([None] if hand.is_face_down else []))
    counts = composition_of(hand.visible)
    total = None if hand.is_face_down else total_of(counts)
    return HandView(cards, total, is_soft(counts), box.stake(hand), hand.is_doubled, hand.ending, is_active)
