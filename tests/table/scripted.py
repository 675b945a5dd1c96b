"""Rounds from shoes whose first cards are chosen, answered by words."""

from trainer.engine.actions import Action
from trainer.engine.cards import parse_cards
from trainer.engine.rules import Rules
from trainer.table.event import Event, EventKind
from trainer.table.record import from_json, round_data, round_of, to_json
from trainer.table.round import Player, open_round
from trainer.table.shoe import Shoe, full_deck
from trainer.table.step import step
from trainer.table.terms import Terms

CHIP = 10


def rigged(text, rules, rest=None):
    """A whole shoe whose first cards have these faces, in this order."""
    deck, front = list(full_deck(rules.decks)), []
    for wanted in parse_cards(text):
        card = next(card for card in deck if card.face == wanted.face and wanted.suit in (None, card.suit))
        deck.remove(card)
        front.append(card)
    cards = (*front, *deck)
    return Shoe(cards, len(cards) if rest is None else rest)


def event(round_, word, box=None, amount=0, **fields):
    """The event by which a box, the first that is awaited unless it is named, answers with a word; amounts in chips."""
    box = round_.awaited[0] if box is None else box
    if word in set(Action):
        return Event(EventKind.MOVE, round_.step, box, action=Action(word), **fields)
    return Event(EventKind(word), round_.step, box, amount=round(amount * CHIP), **fields)


def play(round_, *words):
    """The round after each box in turn has answered with the next word; a number is a bet or insurance."""
    for word in words:
        if isinstance(word, str):
            round_ = step(round_, event(round_, word)).round
        else:
            kind = "bet" if round_.phase == "betting" else "insure"
            round_ = step(round_, event(round_, kind, amount=word)).round
    return round_


def table(text, rules=None, *, stack=1_000, boxes=1, owners=None, players=None, rest=None, now=0, **terms):
    """A round that waits for bets.

    ``text`` in the order of the deal: a card to each box, the upcard, a second to each box, the hole card where there
    is one, then as they are drawn.
    """
    rules = rules or Rules()
    players = players or (Player("you", stack * CHIP),)
    owners = (0,) * boxes if owners is None else owners
    return open_round(Terms(rules, **terms), players, owners, rigged(text, rules, rest), now=now)


def dealt(text, rules=None, *words, bet=10, **place):
    """A round of one box after its bet and these answers."""
    return play(table(text, rules, **place), bet, *words)


def nets(round_):
    """What each line won, in chips, by the reason's word."""
    return [(str(line.reason), line.net / CHIP) for line in round_.lines]


def won(round_):
    """What all lines come to, in chips."""
    return sum(line.net for line in round_.lines) / CHIP


def on_layout(round_):
    """All chips staked and not settled yet."""
    return sum(box.staked for box in round_.boxes) - sum(line.stake for line in round_.lines)


def bank_result(round_):
    """What the bank has won on the lines so far."""
    return -sum(line.net for line in round_.lines)


def round_to_json(round_):
    """A round as a table or a log stores it."""
    return to_json(round_data(round_))


def round_from_json(text):
    return from_json(text, round_of)
