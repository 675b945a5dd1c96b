"""Which moves the rules allow on a hand: the one source for buttons, guards, dealing and grading."""

from collections.abc import Sequence
from enum import StrEnum

from trainer.engine.cards import Card
from trainer.engine.errors import IllegalActionError
from trainer.engine.hands import BLACKJACK, Hand
from trainer.engine.rules import DOUBLE_TOTALS, Rules


class Action(StrEnum):
    """The moves, in the order in which they are shown and in which equal EVs are ranked."""

    STAND = "stand"
    HIT = "hit"
    DOUBLE = "double"
    SPLIT = "split"
    SURRENDER = "surrender"


def legal_actions(
    rules: Rules,
    cards: Sequence[Card],
    *,
    hands: int = 1,
    spare_bets: int | None = None,
    is_after_peek: bool = False,
) -> tuple[Action, ...]:
    """Every move open on a hand that is being played, in the order of :class:`Action`.

    ``cards`` is the hand as it came, first card first; ``hands`` is how many hands the box
    holds now, this one included, so that more than one means that it comes from a split;
    ``spare_bets`` is how many more original bets the bankroll covers (``None``: any number);
    ``is_after_peek``: the dealer has looked under an ace or a ten, so that early surrender is over.
    Raises ``ImpossibleHandError`` where the cards are none or over 21.

    >>> from trainer.engine.cards import parse_cards
    >>> [str(action) for action in legal_actions(Rules(), parse_cards("88"), spare_bets=0)]
    ['stand', 'hit']
    """
    hand = Hand(tuple(cards))
    if hand.total == BLACKJACK:
        return (Action.STAND,)
    is_split = hands > 1
    has_second_bet = spare_bets is None or spare_bets > 0
    is_frozen = is_split and hand.is_ace_first and len(hand.cards) > 1 and not rules.hit_split_aces
    allowed = [Action.STAND]
    if not is_frozen:
        allowed.append(Action.HIT)
    if has_second_bet and not is_frozen and can_double(
        rules, hand.total, is_soft=hand.is_soft, card_count=len(hand.cards), is_split=is_split
    ):
        allowed.append(Action.DOUBLE)
    if has_second_bet and hand.is_pair(rules.split_by) and hands < rules.split_hand_limit(hand.cards[0].rank):
        allowed.append(Action.SPLIT)
    may_surrender = rules.surrender == "late" or (rules.surrender == "early" and not is_after_peek)
    if may_surrender and len(hand.cards) == 2 and not is_split:
        allowed.append(Action.SURRENDER)
    return tuple(allowed)


def require_legal(action: Action, legal: Sequence[Action]) -> None:
    """``IllegalActionError`` where ``action`` is not one of ``legal``."""
    if action not in legal:
        raise IllegalActionError(f"{action} is not allowed on this hand; the moves are {', '.join(legal)}")


def can_double(rules: Rules, total: int, *, is_soft: bool, card_count: int, is_split: bool) -> bool:
    """Whether the rules allow doubling a hand of this total; a soft hand counts as its soft total.

    Aces split without ``hit_split_aces`` get one card each and are never asked; the caller
    knows that, this function does not.
    """
    if card_count < 2 or (card_count > 2 and rules.double_cards == "two"):
        return False
    if total >= BLACKJACK or (is_split and not rules.double_after_split):
        return False
    return total in DOUBLE_TOTALS[rules.double_on] and (rules.double_soft or not is_soft)
