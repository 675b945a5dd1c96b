"""One question: the cards, what may be done with them, and where it belongs on the chart."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from trainer.engine.actions import Action, legal_actions
from trainer.engine.cards import ACE, CARDS_PER_DECK, Card, full_shoe, parse_cards, parse_upcard
from trainer.engine.chart import Cell, cell_of
from trainer.engine.errors import ImpossibleHandError
from trainer.engine.hands import Hand
from trainer.engine.rules import Rules

INSURE = "insure"
DECLINE = "decline"
INSURANCE_MOVES = (INSURE, DECLINE)

CATEGORIES = ("hard", "soft", "pair", "insurance")


@dataclass(frozen=True)
class UnseenCards:
    """What is left of a part-used shoe once the player's cards and the upcard are out: the hole card is in it."""

    tens: int
    cards: int

    @property
    def ten_share(self) -> float:
        """Chance that the hole card is a ten."""
        return self.tens / self.cards


@dataclass(frozen=True)
class TableCards:
    """What a table adds to a hand: ``seen``, the cards in view beside it and the upcard, and the ``moves`` open then.

    A hand after a split, or one whose player lacks the chips for a second bet, has fewer moves than its cards alone.
    """

    seen: tuple[Card, ...]
    moves: tuple[str, ...]


@dataclass(frozen=True)
class Situation:
    """A decision to be made.

    ``unseen`` is given for an insurance decision, and only then; ``table`` for any other that was made at a table. The
    rest are first decisions on a full shoe.
    """

    rules: Rules
    hand: Hand
    upcard: Card
    unseen: UnseenCards | None = None
    table: TableCards | None = None

    def __post_init__(self) -> None:
        if len(self.hand.cards) < 2:
            raise ImpossibleHandError(f"{self.hand} is one card; a decision needs two or more")
        if self.unseen is not None:
            self._check_unseen(self.unseen)
        elif self.hand.total >= 21:
            raise ImpossibleHandError(f"{self.hand} is 21; it stands by itself and is never asked")

    @classmethod
    def from_text(cls, rules: Rules, cards: str, upcard: str, unseen: UnseenCards | None = None) -> "Situation":
        """Read the cards as they are stored: ``AsKd``."""
        return cls(rules, Hand(parse_cards(cards)), parse_upcard(upcard), unseen)

    @property
    def is_insurance(self) -> bool:
        """Whether insurance, or even money, is what is asked."""
        return self.unseen is not None

    @cached_property
    def legal(self) -> tuple[str, ...]:
        """Every move that may be chosen, in the order in which they are shown."""
        if self.is_insurance:
            return INSURANCE_MOVES
        if self.table is not None:
            return self.table.moves
        return tuple(str(action) for action in self._legal_actions)

    @cached_property
    def cell(self) -> Cell | None:
        """The chart's cell that decides the hand; none for insurance."""
        return None if self.is_insurance else cell_of(self.hand, self.upcard, self._legal_actions)

    @property
    def category(self) -> str:
        """One of :data:`CATEGORIES`; a pair is a hand that may be split now."""
        cell = self.cell
        return cell.section if cell else "insurance"

    @property
    def cards_text(self) -> str:
        """The hand as it is stored, in the order in which it came."""
        return "".join(map(str, self.hand.cards))

    @property
    def off_table(self) -> "Situation":
        """The same cards as a drill asks them: a first decision on a full shoe."""
        return replace(self, table=None)

    @cached_property
    def _legal_actions(self) -> Sequence[Action]:
        # Early surrender is asked before anything else may be chosen: the cell is that of the whole choice.
        if self.table is not None and DECLINE not in self.table.moves:
            return [Action(move) for move in self.table.moves]
        return legal_actions(self.rules, self.hand.cards)

    def _check_unseen(self, unseen: UnseenCards) -> None:
        if self.upcard.rank != ACE or len(self.hand.cards) != 2:
            raise ImpossibleHandError("insurance is offered on two cards against an ace only")
        tens_left = full_shoe(self.rules.decks)[9] - self.hand.composition[9]
        cards_left = self.rules.decks * CARDS_PER_DECK - len(self.hand.cards) - 1
        others, others_left = unseen.cards - unseen.tens, cards_left - tens_left
        if not (0 <= unseen.tens <= tens_left and 0 <= others <= others_left and unseen.cards > 0):
            raise ImpossibleHandError(f"{unseen.tens} tens in {unseen.cards} cards cannot be left of this shoe")
