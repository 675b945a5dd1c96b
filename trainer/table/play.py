"""What each move does to the hand that makes it, once it is known to be legal."""

from collections.abc import Callable
from dataclasses import replace

from trainer.engine.actions import Action
from trainer.engine.cards import ACE
from trainer.engine.hands import BLACKJACK
from trainer.table.draft import Draft
from trainer.table.event import Told
from trainer.table.round import Ending, HeldHand
from trainer.table.settlement import settle_surrender


def stand(draft: Draft, box: int, place: int) -> None:
    """Take no more cards."""
    end_hand(draft, box, place, Ending.STOOD)
    draft.tell(Told.STOOD, box, place)


def hit(draft: Draft, box: int, place: int) -> None:
    """Take one card; 21 stands by itself when the turn goes on."""
    hand = HeldHand((*draft.boxes[box].hands[place].cards, draft.draw()))
    draft.tell(Told.HIT, box, place, hand.cards[-1])
    if hand.total > BLACKJACK:
        hand = replace(hand, ending=Ending.BUST)
        draft.tell(Told.BUST, box, place)
    draft.set_hand(box, place, hand)


def double(draft: Draft, box: int, place: int) -> None:
    """One more bet and one last card, face down where the table has it so."""
    draft.pay(box, -draft.boxes[box].bet)
    cards = (*draft.boxes[box].hands[place].cards, draft.draw())
    hand = HeldHand(cards, is_doubled=True, is_face_down=draft.terms.doubles_face_down)
    is_bust = hand.total > BLACKJACK and not hand.is_face_down
    draft.set_hand(box, place, replace(hand, ending=Ending.BUST if is_bust else Ending.STOOD))
    draft.tell(Told.DOUBLED, box, place, None if hand.is_face_down else cards[-1], draft.boxes[box].bet)
    if is_bust:
        draft.tell(Told.BUST, box, place)


def split(draft: Draft, box: int, place: int) -> None:
    """One more bet, and two hands of one card each."""
    draft.pay(box, -draft.boxes[box].bet)
    draft.tell(Told.SPLIT, box, place, amount=draft.boxes[box].bet)
    hands = draft.boxes[box].hands
    pair = [HeldHand((card,)) for card in hands[place].cards]
    if pair[0].cards[0].rank == ACE:  # both get their second card at once, others when their turn comes
        for offset, hand in enumerate(pair):
            pair[offset] = HeldHand((*hand.cards, draft.draw()))
            draft.tell(Told.CARD, box, place + offset, pair[offset].cards[-1])
    draft.change(box, hands=(*hands[:place], *pair, *hands[place + 1 :]))


def surrender(draft: Draft, box: int, place: int) -> None:
    """Give up half the bet."""
    end_hand(draft, box, place, Ending.SURRENDERED)
    draft.tell(Told.SURRENDERED, box, place)
    if draft.terms.pays_at_once:
        settle_surrender(draft, box)


def end_hand(draft: Draft, box: int, place: int, ending: Ending) -> None:
    """Nothing more is done with a hand."""
    draft.set_hand(box, place, replace(draft.boxes[box].hands[place], ending=ending))


MOVES: dict[Action, Callable[[Draft, int, int], None]] = {
    Action.STAND: stand,
    Action.HIT: hit,
    Action.DOUBLE: double,
    Action.SPLIT: split,
    Action.SURRENDER: surrender,
}
