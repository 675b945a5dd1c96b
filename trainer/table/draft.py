"""A round while one event is worked out: a copy that may be changed, and what happened so far."""

from dataclasses import replace
from typing import Any

from trainer.engine.cards import Card
from trainer.table.errors import ChipsError
from trainer.table.event import Happening, Step, Told
from trainer.table.round import Box, HeldHand, Line, Phase, Round


class Draft:
    """Lives for one step only, so that a round itself never changes.

    The fields are those of :class:`Round`; ``now`` is the time of the event, in milliseconds.
    """

    def __init__(self, round_: Round, now: int) -> None:
        self.before = round_
        self.terms = round_.terms
        self.rules = round_.terms.rules
        self.now = now
        self.players = list(round_.players)
        self.boxes = list(round_.boxes)
        self.phase = round_.phase
        self.dealt = round_.dealt
        self.dealer = round_.dealer
        self.is_hole_up = round_.is_hole_up
        self.active = round_.active
        self.lines = list(round_.lines)
        self.asked_at = round_.asked_at
        self.deadline = round_.deadline
        self.happenings: list[Happening] = []

    def finish(self) -> Step:
        """The round after the event."""
        before = self.before
        after = Round(
            self.terms, tuple(self.players), tuple(self.boxes), before.shoe, self.phase, self.dealt, self.dealer,
            self.is_hole_up, self.active, tuple(self.lines), before.step + 1, self.asked_at, self.deadline,
        )
        return Step(after, tuple(self.happenings))

    def tell(
        self, told: Told, box: int | None = None, hand: int | None = None, card: Card | None = None, amount: int = 0
    ) -> None:
        self.happenings.append(Happening(told, box, hand, card, amount))

    def draw(self) -> Card:
        """The next card. A shoe never runs out in mid-round: see :func:`trainer.table.shoe.most_boxes`."""
        card = self.before.shoe.cards[self.dealt]
        self.dealt += 1
        return card

    def pay(self, box: int, amount: int) -> None:
        """Move chips to the player of a box or, below 0, from them; ``ChipsError`` where they have too few."""
        number = self.boxes[box].player
        player = self.players[number]
        if player.stack + amount < 0:
            raise ChipsError(f"{player.name} has not enough chips for that")
        self.players[number] = replace(player, stack=player.stack + amount)

    def settle(self, line: Line) -> None:
        """Put a line on the settlement and pay it."""
        self.lines.append(line)
        if line.returned:
            self.pay(line.box, line.returned)
        self.tell(Told.SETTLED, line.box, line.hand, amount=line.net)

    def change(self, box: int, **changes: Any) -> Box:
        """Change fields of a box."""
        self.boxes[box] = replace(self.boxes[box], **changes)
        return self.boxes[box]

    def set_hand(self, box: int, hand: int, held: HeldHand) -> None:
        """Put a hand in the place of another."""
        hands = self.boxes[box].hands
        self.change(box, hands=(*hands[:hand], held, *hands[hand + 1 :]))

    def playing(self) -> list[int]:
        """The boxes that have cards, from the dealer's left."""
        return [number for number, box in enumerate(self.boxes) if box.hands]

    def is_awaited(self) -> bool:
        """Whether a box owes an answer to the question put to all."""
        return any(box.is_awaited for box in self.boxes)

    def ask(self, phase: Phase, seconds: int | None) -> None:
        """Open a question; events from before are stale from now on."""
        self.phase = phase
        self.asked_at = self.before.step + 1
        self.deadline = None if seconds is None else self.now + seconds * 1000
