"""How a round goes on by itself: the deal, the questions before play, the peek, whose turn it is, the dealer."""

from dataclasses import replace

from trainer.engine.actions import Action, legal_actions
from trainer.engine.cards import composition_of
from trainer.engine.dealer import draws
from trainer.engine.hands import BLACKJACK, is_natural, total_of
from trainer.engine.insurance import is_insurance_offered
from trainer.table.draft import Draft
from trainer.table.event import Told
from trainer.table.moves import insurance_range
from trainer.table.round import Ending, HeldHand, Phase, may_hide_natural
from trainer.table.settlement import is_pending, settle_known, settle_rest

_STAND_ONLY = (Action.STAND,)


def after_bets(draft: Draft) -> None:
    """Deal once every box has bet or sits out; a round without bets is over."""
    if draft.is_awaited():
        return
    given_up = {line.box for line in draft.lines}
    order = [number for number, box in enumerate(draft.boxes) if box.bet and number not in given_up]
    if not order:
        draft.tell(Told.NO_BETS)
        _end(draft)
        return
    _deal(draft, order)
    _offer_insurance(draft)
    after_insurance(draft)


def after_insurance(draft: Draft) -> None:
    """Offer early surrender once insurance is answered, where it is given up before the dealer looks."""
    if draft.is_awaited():
        return
    if draft.rules.is_peek and draft.rules.surrender == "early" and may_hide_natural(draft.dealer[0]):
        for number in draft.playing():
            if draft.boxes[number].hands[0].ending is None:
                draft.change(number, is_awaited=True)
                draft.tell(Told.SURRENDER_OFFERED, number)
        if draft.is_awaited():
            draft.ask(Phase.EARLY_SURRENDER, _seconds(draft, "insurance"))
    after_early_surrender(draft)


def after_early_surrender(draft: Draft) -> None:
    """The dealer looks, pays what is sure, and the boxes play; a dealer's natural ends the round."""
    if draft.is_awaited():
        return
    draft.phase = Phase.PLAYING
    if draft.rules.is_peek and may_hide_natural(draft.dealer[0]):
        if is_natural(composition_of(draft.dealer)):
            _turn_hole_card(draft)
            _end(draft)
            return
        draft.tell(Told.NO_NATURAL)
    settle_known(draft)
    next_turn(draft)


def next_turn(draft: Draft) -> None:
    """Ask the next hand that has a choice, from the dealer's left; after the last the dealer plays.

    A split hand gets its second card now. Hands without a choice stand.
    """
    start = draft.active[0] if draft.active else 0
    for number in range(start, len(draft.boxes)):
        for place in range(len(draft.boxes[number].hands)):
            if draft.boxes[number].hands[place].ending is None and _has_choice(draft, number, place):
                draft.active = number, place
                draft.ask(Phase.PLAYING, _seconds(draft, "move"))
                draft.tell(Told.TURN, number, place)
                return
    draft.active = None
    _play_dealer(draft)


def _has_choice(draft: Draft, number: int, place: int) -> bool:
    box = draft.boxes[number]
    hand = box.hands[place]
    if len(hand.cards) == 1:
        hand = HeldHand((*hand.cards, draft.draw()))
        draft.tell(Told.CARD, number, place, hand.cards[-1])
        draft.set_hand(number, place, hand)
    spare = draft.players[box.player].stack // box.bet
    if legal_actions(draft.rules, hand.cards, hands=len(box.hands), spare_bets=spare) != _STAND_ONLY:
        return True
    draft.set_hand(number, place, replace(hand, ending=Ending.STOOD))
    return False


def _deal(draft: Draft, order: list[int]) -> None:
    first = {}
    for number in order:
        first[number] = draft.draw()
        draft.tell(Told.CARD, number, 0, first[number])
    draft.dealer = (draft.draw(),)
    draft.tell(Told.UPCARD, card=draft.dealer[0])
    for number in order:
        cards = (first[number], draft.draw())
        draft.tell(Told.CARD, number, 0, cards[1])
        ending = Ending.NATURAL if is_natural(composition_of(cards)) else None
        draft.change(number, hands=(HeldHand(cards, ending=ending),))
    if draft.rules.is_peek:
        draft.dealer = (*draft.dealer, draft.draw())
        draft.tell(Told.HOLE_CARD)


def _offer_insurance(draft: Draft) -> None:
    """Ask every box that has a natural or the chips for insurance."""
    if not is_insurance_offered(draft.rules, draft.dealer[0].rank):
        return
    for number in draft.playing():
        box = draft.boxes[number]
        least, _ = insurance_range(draft.rules, box.bet)
        if box.has_natural or draft.players[box.player].stack >= least:
            draft.change(number, is_awaited=True)
            draft.tell(Told.EVEN_MONEY_OFFERED if box.has_natural else Told.INSURANCE_OFFERED, number)
    if draft.is_awaited():
        draft.ask(Phase.INSURANCE, _seconds(draft, "insurance"))


def _play_dealer(draft: Draft) -> None:
    """Draw only if some hand is left to beat; take a second card also where a natural would still matter."""
    is_left = any(hand.ending == Ending.STOOD for box in draft.boxes for hand in box.hands)
    if len(draft.dealer) > 1:
        _turn_hole_card(draft)
    elif is_left or is_pending(draft):
        draft.is_hole_up = True
        _draw(draft)
    while is_left and len(draft.dealer) > 1 and draws(composition_of(draft.dealer), draft.rules.dealer_hits_soft_17):
        _draw(draft)
    if total_of(composition_of(draft.dealer)) > BLACKJACK:
        draft.tell(Told.BUST)
    _end(draft)


def _draw(draft: Draft) -> None:
    card = draft.draw()
    draft.dealer = (*draft.dealer, card)
    draft.tell(Told.DEALER_DRAWS, card=card)


def _turn_hole_card(draft: Draft) -> None:
    draft.is_hole_up = True
    draft.tell(Told.DEALER_TURNS, card=draft.dealer[1])


def _end(draft: Draft) -> None:
    """Turn what lies face down and settle everything that is not settled yet."""
    draft.phase, draft.active, draft.deadline = Phase.SETTLED, None, None
    draft.asked_at = draft.before.step + 1
    for number in draft.playing():
        for place, hand in enumerate(draft.boxes[number].hands):
            if hand.is_face_down:
                ending = Ending.BUST if hand.total > BLACKJACK else Ending.STOOD
                draft.set_hand(number, place, replace(hand, is_face_down=False, ending=ending))
                draft.tell(Told.CARDS_TURNED, number, place, hand.cards[-1])
    settle_rest(draft)


def _seconds(draft: Draft, question: str) -> int | None:
    clock = draft.terms.clock
    if clock is None:
        return None
    return clock.move_seconds if question == "move" else clock.insurance_seconds
