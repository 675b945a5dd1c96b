"""What a box may answer now: the engine's legal moves, and what is open before them."""

from collections.abc import Sequence

from trainer.engine.actions import Action, legal_actions
from trainer.engine.cards import Card
from trainer.engine.rules import Rules
from trainer.table.event import EventKind
from trainer.table.round import Phase, Round, may_hide_natural

# Before the dealer looks a hand is given up or not.
EARLY_ANSWERS = (Action.SURRENDER, EventKind.DECLINE)


def legal_moves(round_: Round, *, with_chips: bool = True) -> tuple[Action, ...]:
    """Every move open on the active hand, in the order of ``Action``; none where no hand is active.

    Without ``with_chips`` those that the player's stack does not cover are among them.
    """
    if round_.active is None:
        return ()
    number, place = round_.active
    box = round_.boxes[number]
    rules = round_.terms.rules
    return legal_actions(
        rules,
        box.hands[place].cards,
        hands=len(box.hands),
        spare_bets=round_.players[box.player].stack // box.bet if with_chips else None,
        is_after_peek=rules.is_peek and may_hide_natural(round_.upcard),
    )


def moves_before_peek(round_: Round, box: int) -> tuple[Action, ...]:
    """Every move that the first hand of a box has before the dealer looks, early surrender among them."""
    holder = round_.boxes[box]
    spare = round_.players[holder.player].stack // holder.bet
    return legal_actions(round_.terms.rules, holder.hands[0].cards, spare_bets=spare)


def possible_answers(rules: Rules, cards: Sequence[Card], upcard: Card) -> frozenset[tuple[str, ...]]:
    """Every list of answers that a hand can have past insurance, whatever was split before and for whatever chips.

    A hand that can only stand is asked nothing.
    """
    has_looked = rules.is_peek and may_hide_natural(upcard)
    found: set[tuple[str, ...]] = {
        legal_actions(rules, cards, hands=hands, spare_bets=spare, is_after_peek=has_looked)
        for hands in range(1, rules.split_hand_limit(cards[0].rank) + 1) for spare in (0, None)}
    if has_looked and rules.surrender == "early" and len(cards) == 2:
        found.add(EARLY_ANSWERS)
    return frozenset(each for each in found if len(each) > 1)


def answers(round_: Round, box: int) -> tuple[str, ...]:
    """Every word with which a box may answer now: moves or kinds of events; none where it is not asked."""
    if box not in round_.awaited:
        return ()
    stack = round_.player_of(box).stack
    if round_.phase == Phase.BETTING:
        return (EventKind.BET, EventKind.SIT_OUT) if stack >= round_.terms.smallest else (EventKind.SIT_OUT,)
    if round_.phase == Phase.EARLY_SURRENDER:
        return EARLY_ANSWERS
    if round_.phase == Phase.PLAYING:
        return legal_moves(round_)
    if round_.boxes[box].has_natural:
        return EventKind.EVEN_MONEY, EventKind.DECLINE
    least, _ = insurance_range(round_.terms.rules, round_.boxes[box].bet)
    return (EventKind.INSURE, EventKind.DECLINE) if stack >= least else (EventKind.DECLINE,)


def insurance_range(rules: Rules, bet: int) -> tuple[int, int]:
    """Least and most that insurance of a bet may be: half of it, or a tenth of a chip up to half."""
    return (bet // 2 if rules.insurance == "half" else 1), bet // 2
