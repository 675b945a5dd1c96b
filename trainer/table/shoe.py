"""The shoe: real cards in the order in which they come, and when they are shuffled anew."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from trainer.engine.cards import FACES, SUITS, Card
from trainer.engine.rules import Rules

# Every card of a deck as one object each, by the way it is written.
CARDS = {str(card): card for card in (Card(face, suit) for face in FACES for suit in SUITS)}

_PIPS_PER_DECK = 340  # aces count 1
_MOST_PIPS_OF_A_HAND = 30  # hit on a hard 20
_MOST_PIPS_OF_THE_DEALER = 26  # drawn to 16
_MOST_BOXES = 5


@dataclass(frozen=True)
class Shoe:
    """Cards in the order in which they come.

    The first ``rest`` have not been dealt since the last shuffle. The others have: they are shuffled under, and come
    only if a round in progress runs out of the rest. ``cut``: a shoe of fewer cards is not dealt from again; ``None``
    where every hand has a fresh one.
    """

    cards: tuple[Card, ...]
    rest: int
    cut: int | None = None

    def left(self, dealt: int) -> int:
        """How many cards are left to deal when ``dealt`` have come, as anyone at the table can see."""
        return (self.rest if dealt <= self.rest else len(self.cards)) - dealt

    def seen_before(self, dealt: int) -> tuple[Card, ...]:
        """The cards of earlier rounds that cannot come before the next shuffle, in no telling order."""
        return self.cards[self.rest :] if dealt <= self.rest else ()


@lru_cache(maxsize=8)
def full_deck(decks: int) -> tuple[Card, ...]:
    """All cards of so many decks, unshuffled."""
    return tuple(CARDS.values()) * decks


def fresh_shoe(rules: Rules, random: Random) -> Shoe:
    """All decks shuffled (Fisher-Yates), and, for a game with a cut card, where it lies."""
    cards = shuffled(full_deck(rules.decks), random)
    return Shoe(cards, len(cards), None if rules.cut_range is None else random.randint(*rules.cut_range))


def next_shoe(rules: Rules, random: Random, shoe: Shoe, dealt: int) -> tuple[Shoe, bool]:
    """The shoe for the next round after ``dealt`` cards of this one, and whether it is freshly shuffled."""
    if shoe.cut is None or shoe.left(dealt) < shoe.cut:
        return fresh_shoe(rules, random), True
    under = dealt + shoe.left(dealt)
    rest, gone = shoe.cards[dealt:under], shoe.cards[:dealt] + shoe.cards[under:]
    return Shoe(rest + shuffled(gone, random), len(rest), shoe.cut), False


def shuffled(cards: Sequence[Card], random: Random) -> tuple[Card, ...]:
    """The cards in uniformly random order, as far as ``random`` is."""
    order = list(cards)
    random.shuffle(order)
    return tuple(order)


def most_boxes(rules: Rules) -> int:
    """How many boxes a shoe of these rules serves, five at most, so that no round can run out of cards.

    By pips: no hand ever holds more than 30, the dealer 26, a deck 340.

    >>> most_boxes(Rules()), most_boxes(Rules(decks=1))
    (5, 2)
    """
    hands = (rules.decks * _PIPS_PER_DECK - _MOST_PIPS_OF_THE_DEALER - 1) // _MOST_PIPS_OF_A_HAND
    return min(_MOST_BOXES, hands // rules.max_split_hands)
