"""What every hand and every insurance bet pays, and when."""

from trainer.engine.cards import Card, composition_of
from trainer.engine.hands import BLACKJACK, is_natural, total_of
from trainer.engine.rules import Rules
from trainer.table.draft import Draft
from trainer.table.round import Box, Ending, HeldHand, Line, Reason, may_hide_natural


def settle_known(draft: Draft) -> None:
    """Settle what the look under the upcard made sure: insurance is lost; naturals and the like, where paid at once.

    Call it once the dealer has looked and found nothing, or has nothing to look at.
    """
    is_peek, may_be_natural = draft.rules.is_peek, may_hide_natural(draft.dealer[0])
    for number in draft.playing():
        box = draft.boxes[number]
        if box.insurance and is_peek:
            draft.settle(Line(number, None, box.insurance, 0, Reason.INSURANCE_LOST))
        if not draft.terms.pays_at_once:
            continue
        if box.has_even_money:
            draft.settle(Line(number, 0, box.bet, 2 * box.bet, Reason.EVEN_MONEY))
        elif box.has_natural and (is_peek or not may_be_natural):
            draft.settle(_natural_line(draft.rules, number, box))
        elif box.hands[0].ending == Ending.SURRENDERED:
            settle_surrender(draft, number)


def settle_surrender(draft: Draft, number: int) -> None:
    """Half the bet goes back, whatever the dealer turns out to have."""
    box = draft.boxes[number]
    draft.settle(Line(number, 0, box.bet, box.bet // 2, Reason.SURRENDER))


def settle_rest(draft: Draft) -> None:
    """Settle every hand and insurance bet that has no line yet."""
    settled = {(line.box, line.hand) for line in draft.lines}
    has_natural = is_natural(composition_of(draft.dealer))
    for number in draft.playing():
        box = draft.boxes[number]
        for place, hand in enumerate(box.hands):
            if (number, place) not in settled:
                returned, reason = _outcome(draft.rules, box, place, hand, draft.dealer, has_natural=has_natural)
                draft.settle(Line(number, place, box.stake(hand), returned, reason))
        if box.insurance and (number, None) not in settled:
            is_won = has_natural and not box.is_forfeited
            won, reason = (3 * box.insurance, Reason.INSURANCE_WON) if is_won else (0, Reason.INSURANCE_LOST)
            draft.settle(Line(number, None, box.insurance, won, reason))


def is_pending(draft: Draft) -> bool:
    """Whether the dealer's second card still decides something where no hand is left to beat and none has been taken.

    A natural of the player's, insurance, and, where a dealer's natural takes original bets only, anything beyond those.
    """
    if not may_hide_natural(draft.dealer[0]):
        return False
    return any(
        box.insurance
        or (box.has_natural and not box.has_even_money)
        or (draft.rules.loses_only_original_bets and box.staked > box.bet)
        for box in draft.boxes
    )


def _natural_line(rules: Rules, number: int, box: Box) -> Line:
    payout = rules.blackjack_payout
    return Line(number, 0, box.bet, box.bet + box.bet * payout.numerator // payout.denominator, Reason.NATURAL)


def _outcome(
    rules: Rules, box: Box, place: int, hand: HeldHand, dealer: tuple[Card, ...], *, has_natural: bool
) -> tuple[int, Reason]:
    """What comes back for one hand, its stake included, and why."""
    stake = box.stake(hand)
    if hand.ending == Ending.FORFEITED:
        return 0, Reason.FORFEIT
    if box.has_even_money:
        return 2 * box.bet, Reason.EVEN_MONEY
    if hand.ending == Ending.SURRENDERED:
        return box.bet // 2, Reason.SURRENDER
    if hand.ending == Ending.NATURAL:
        return (stake, Reason.PUSH) if has_natural else (_natural_line(rules, 0, box).returned, Reason.NATURAL)
    if has_natural and rules.loses_only_original_bets and box.staked - box.insurance > box.bet:
        # Of all that lies in the box one bet is lost, whatever has become of its hands.
        return (stake if place else stake - box.bet), Reason.ORIGINAL_BET_ONLY
    if hand.ending == Ending.BUST:
        return 0, Reason.BUST
    if has_natural:
        return 0, Reason.DEALER_NATURAL
    return _compare(hand.total, total_of(composition_of(dealer)), stake)


def _compare(total: int, dealer: int, stake: int) -> tuple[int, Reason]:
    if dealer > BLACKJACK:
        return 2 * stake, Reason.DEALER_BUST
    if total > dealer:
        return 2 * stake, Reason.WIN
    return (stake, Reason.PUSH) if total == dealer else (0, Reason.LOSE)
