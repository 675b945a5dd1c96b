"""What a hand is: its totals, its names, and the ways to write it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from trainer.engine.cards import ACE, RANK_LABELS, TEN, Card, Composition, composition_of, label_of, parse_cards
from trainer.engine.errors import ImpossibleHandError

BLACKJACK = 21


def hard_total(composition: Sequence[int]) -> int:
    """The total with every ace counted as 1."""
    return sum(rank * count for rank, count in enumerate(composition, start=1))


def is_soft(composition: Sequence[int]) -> bool:
    """Whether an ace can count as 11.

    >>> is_soft((3, 0, 0, 0, 0, 1, 0, 0, 0, 0)), is_soft((2, 0, 0, 0, 0, 0, 0, 0, 0, 1))
    (True, False)
    """
    return composition[0] > 0 and hard_total(composition) <= 11


def total_of(composition: Sequence[int]) -> int:
    """The best total: an ace counts as 11 where that does not bust."""
    return hard_total(composition) + (10 if is_soft(composition) else 0)


def is_natural(composition: Sequence[int]) -> bool:
    """An ace and a ten-value card and nothing else."""
    return sum(composition) == 2 and composition[0] == 1 and composition[TEN - 1] == 1


def label(composition: Sequence[int]) -> str:
    """The hand's ranks, ace first: ``A7``, ``TT``, ``223``."""
    return "".join(RANK_LABELS[index] * count for index, count in enumerate(composition))


def composition_from_label(text: str) -> Composition:
    """The inverse of :func:`label`; any order of cards is read."""
    return composition_of(parse_cards(text))


@dataclass(frozen=True)
class Hand:
    """The cards in front of a player, in the order in which they came.

    ``cards`` is never empty and never over 21: ``ImpossibleHandError`` otherwise.

    >>> hand = Hand.parse("AAA6")
    >>> hand.total, hand.is_soft, hand.totals
    (19, True, (9, 19))
    """

    cards: tuple[Card, ...]

    def __post_init__(self) -> None:
        if not self.cards:
            raise ImpossibleHandError("a hand needs at least one card")
        if self.total > BLACKJACK:
            raise ImpossibleHandError(f"{self} is bust: it totals {self.total}")

    @classmethod
    def parse(cls, text: str) -> "Hand":
        """Read a hand as people write it (see :func:`trainer.engine.cards.parse_cards`)."""
        return cls(parse_cards(text))

    @classmethod
    def from_composition(cls, composition: Sequence[int]) -> "Hand":
        """The hand with these counts; every ten-value card becomes a ten, so two are a pair."""
        return cls(tuple(Card(label_of(rank)) for rank, count in enumerate(composition, 1) for _ in range(count)))

    @cached_property
    def composition(self) -> Composition:
        return composition_of(self.cards)

    @cached_property
    def total(self) -> int:
        return total_of(self.composition)

    @cached_property
    def is_soft(self) -> bool:
        return is_soft(self.composition)

    @property
    def totals(self) -> tuple[int, ...]:
        """Both totals of a soft hand, low first; the one total of a hard hand."""
        return (self.total - 10, self.total) if self.is_soft else (self.total,)

    @property
    def is_natural(self) -> bool:
        """Whether the cards make a natural; a split hand of the same cards is only 21."""
        return is_natural(self.composition)

    def is_pair(self, split_by: str) -> bool:
        """Two cards alike, by value (``K`` and ``10`` are) or by rank (``K`` and ``K`` only)."""
        if len(self.cards) != 2:
            return False
        first, second = self.cards
        return first.face == second.face if split_by == "rank" else first.rank == second.rank

    @property
    def is_ace_first(self) -> bool:
        """Whether the first card is an ace: after a split, the mark of split aces."""
        return self.cards[0].rank == ACE

    def __str__(self) -> str:
        return "-".join(map(str, self.cards))
