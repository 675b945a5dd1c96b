"""Cards, moves and numbers in words, the same in every sentence and on every page."""

from trainer.engine.cards import TEN, Card, label_of

_SUIT_NAMES = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
_FACE_NAMES = {
    "A": "ace", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight",
    "9": "nine", "T": "ten", "J": "jack", "Q": "queen", "K": "king",
}
_GERUNDS = {
    "stand": "standing", "hit": "hitting", "double": "doubling", "split": "splitting",
    "surrender": "surrendering", "insure": "insuring", "decline": "declining",
}


def shown_rank(rank: int) -> str:
    """A rank as players write it: ``A``, ``2`` to ``10``."""
    return "10" if rank == TEN else label_of(rank)


def shown_face(card: Card) -> str:
    """What is printed on the card: ``A``, ``10``, ``K``."""
    return "10" if card.face == "T" else card.face


def card_name(card: Card) -> str:
    """``ten of hearts``; only the face where the suit is not known."""
    face = _FACE_NAMES[card.face]
    return f"{face} of {_SUIT_NAMES[card.suit]}" if card.suit else face


def upcard_phrase(upcard: Card) -> str:
    """``with an ace up``, ``with a 10 up``."""
    if upcard.rank == 1:
        return "with an ace up"
    return f"with {'an' if upcard.rank == 8 else 'a'} {shown_rank(upcard.rank)} up"


def gerund(move: str) -> str:
    """``standing`` for ``stand``."""
    return _GERUNDS[move]


def signed(value: float, digits: int = 4) -> str:
    """A number with its sign, a true minus included, and no sign on what rounds to zero."""
    text = f"{abs(value):.{digits}f}"
    if float(text) == 0:
        return text
    return ("+" if value > 0 else "\N{MINUS SIGN}") + text


def percent(share: float, digits: int = 0) -> str:
    """A share as a percentage; what is more than nothing never shows as 0%."""
    text = f"{100 * share:.{digits}f}%"
    return "under 1%" if digits == 0 and text == "0%" and share > 0 else text
