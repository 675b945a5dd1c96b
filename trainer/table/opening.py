"""A round that begins with a certain hand: for a drill that is played out."""

from collections.abc import Sequence
from random import Random

from trainer.engine.cards import Card, composition_of
from trainer.engine.hands import is_natural
from trainer.engine.insurance import is_insurance_offered
from trainer.engine.rules import Rules
from trainer.table.round import may_hide_natural
from trainer.table.shoe import Shoe, full_deck, shuffled


def opening_shoe(rules: Rules, hand: Sequence[Card], upcard: Card, random: Random) -> Shoe:
    """A whole shoe that deals ``hand`` to a single box against ``upcard``; what follows is as random as ever.

    Cards beyond the second come as the first hits. Where the dealer looks before the hand is asked anything, the hole
    card makes no natural: such shoes are shuffled again, so that all others stay as likely as they are. Where insurance
    or early surrender is asked first the hole card may be any.
    """
    cards, rest = _without_natural(hand), list(full_deck(rules.decks))
    laid = [_take(rest, card) for card in (cards[0], upcard, *cards[1:])]
    is_asked_first = rules.surrender == "early" or is_insurance_offered(rules, upcard.rank)
    has_looked = rules.is_peek and may_hide_natural(upcard) and not is_asked_first
    while True:
        order = shuffled(rest, random)
        if not (has_looked and is_natural(composition_of((upcard, order[0])))):
            break
    if rules.is_peek:
        front, order = (*laid[:3], order[0], *laid[3:]), order[1:]
    else:
        front = tuple(laid)
    everything = (*front, *order)
    return Shoe(everything, len(everything))


def _without_natural(hand: Sequence[Card]) -> tuple[Card, ...]:
    """The hand in an order in which its first two cards are no natural."""
    if len(hand) > 2 and is_natural(composition_of(hand[:2])):
        return (hand[0], hand[2], hand[1], *hand[3:])
    return tuple(hand)


def _take(rest: list[Card], wanted: Card) -> Card:
    """Take a card out of the deck, of any suit where it has none."""
    card = next(card for card in rest if card.face == wanted.face and wanted.suit in (None, "", card.suit))
    rest.remove(card)
    return card
