"""Cards, ranks and shoes.

A *rank* is 1 to 10: an ace is 1 and every ten-value card is 10. A *face* is what is
printed on the card, so that a king and a jack are told apart where a rule needs it.
A *composition* is a vector of ten counts, one a rank, ace first.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from trainer.engine.errors import CardError

Composition = tuple[int, ...]

RANKS = range(1, 11)
ACE = 1
TEN = 10
FACES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")
SUITS = ("s", "h", "d", "c")
RANK_LABELS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T")
CARDS_PER_DECK = 52

_RANK_OF = {face: min(place, TEN) for place, face in enumerate(FACES, start=1)}
_SUIT_SYMBOLS = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}
_CARD = re.compile(r"(10|[A2-9TJQK])([SHDC♠♥♦♣]?)", re.IGNORECASE)
_SEPARATORS = re.compile(r"[\s,;+-]*")
_MAX_CARDS_TEXT = 2_000


@dataclass(frozen=True)
class Card:
    """A face and, where it is known, a suit.

    >>> Card("K", "d").rank, str(Card("T", "h"))
    (10, 'Th')
    """

    face: str
    suit: str | None = None

    def __post_init__(self) -> None:
        if self.face not in FACES:
            raise CardError(f"{self.face!r} is no card face; use one of {' '.join(FACES)}")
        if self.suit is not None and self.suit not in SUITS:
            raise CardError(f"{self.suit!r} is no suit; use one of {' '.join(SUITS)}")

    @property
    def rank(self) -> int:
        """1 for an ace, 10 for ten, jack, queen and king, else the number."""
        return _RANK_OF[self.face]

    def __str__(self) -> str:
        return self.face + (self.suit or "")


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards as people write them: ``A,7``, ``A7``, ``10 6``, ``T6``, ``AsKd``, ``A♠ K♦``.

    Raises ``CardError`` naming the part that is no card. An empty text is no card at all
    and gives an empty tuple.

    >>> [str(card) for card in parse_cards("10 6")]
    ['T', '6']
    """
    if len(text) > _MAX_CARDS_TEXT:
        raise CardError(f"a list of cards of {len(text)} characters is too long")
    cards: list[Card] = []
    position = _skip_separators(text, 0)
    while position < len(text):
        match = _CARD.match(text, position)
        if match is None:
            raise CardError(f"{text[position : position + 12]!r} is no card; write cards like A7, 10 6 or AsKd")
        face, suit = match[1].upper(), match[2].lower()
        cards.append(Card("T" if face == "10" else face, _SUIT_SYMBOLS.get(suit, suit) or None))
        position = _skip_separators(text, match.end())
    return tuple(cards)


def parse_upcard(text: str) -> Card:
    """Read exactly one card; ``CardError`` where the text holds none or several."""
    cards = parse_cards(text)
    if len(cards) != 1:
        raise CardError(f"{text[:40]!r} is not one card; write the upcard like 6, T or A")
    return cards[0]


def parse_ranks(text: str) -> tuple[int, ...]:
    """Read a set of ranks such as ``4,5,10``; sorted, each once."""
    return tuple(sorted({card.rank for card in parse_cards(text)}))


def label_of(rank: int) -> str:
    """``A``, ``2`` to ``9``, ``T``."""
    return RANK_LABELS[rank - 1]


def composition_of(cards: Iterable[Card]) -> Composition:
    """Count cards by rank, ace first."""
    counts = [0] * 10
    for card in cards:
        counts[card.rank - 1] += 1
    return tuple(counts)


def full_shoe(decks: int) -> Composition:
    """The composition of a whole shoe: 4 a deck of ace to nine, 16 a deck of tens."""
    return (4 * decks,) * 9 + (16 * decks,)


def _skip_separators(text: str, position: int) -> int:
    match = _SEPARATORS.match(text, position)
    return match.end() if match else position
