"""Dice that lay chosen cards on top of every shoe they shuffle, and a person who plays with them."""

from datetime import UTC, datetime, timedelta
from random import Random

from trainer.engine.cards import parse_cards
from trainer.service.preferences import Preferences
from trainer.service.tables import Asked, TableService

START = datetime(2031, 5, 1, 18, tzinfo=UTC)
CHIP = 10


class Stacked(Random):
    """Shuffles by seed; what ``lay`` names comes first, by faces, in the order of the deal."""

    def __init__(self, seed: int = 1) -> None:
        super().__init__(seed)
        self._top = ()

    def lay(self, text: str) -> None:
        self._top = parse_cards(text)

    def shuffle(self, cards: list) -> None:
        super().shuffle(cards)
        for place, wanted in enumerate(self._top if len(cards) >= 52 else ()):
            found = next(index for index in range(place, len(cards)) if cards[index].face == wanted.face)
            cards[place], cards[found] = cards[found], cards[place]


class Guest:
    """Somebody at one table, whose clock the test moves."""

    def __init__(self, service: TableService, dice: Stacked, visitor: str = "a" * 32, key: str = "openseat",
                 **preferences: object) -> None:
        self.service, self.dice, self.visitor, self.key = service, dice, visitor, key
        self.preferences = Preferences(**preferences)
        self.now = START
        self.state = None

    def sit(self, **choice: object) -> "Guest":
        self.service.sit_down(self.visitor, self.key, self.now, **choice)
        return self.look()

    def look(self) -> "Guest":
        self.state = self.service.look(self.visitor, self.key, self.now)
        return self

    def wait(self, seconds: float) -> "Guest":
        self.now += timedelta(seconds=seconds)
        return self

    @property
    def seat(self):
        return self.state.seat

    @property
    def asked(self) -> Asked:
        return Asked(self.seat.number, self.seat.round.step if self.seat.round else 0)

    def bet(self, *chips: int, cards: str = "", asked: Asked | None = None) -> "Guest":
        if cards:
            self.dice.lay(cards)
        self.state = self.service.bet(self.visitor, self.key, asked or self.asked, [chip * CHIP for chip in chips],
                                      self.preferences, self.now)
        return self

    def say(self, *words: str, asked: Asked | None = None, amount: int | None = None) -> "Guest":
        for word in words:
            box = (self.seat.awaited() or [0])[0]
            self.state = self.service.answer(self.visitor, self.key, asked or self.asked, box, word, amount,
                                             self.preferences, self.now)
        return self

    @property
    def stack(self) -> float:
        return self.seat.purse.stack / CHIP
