"""What happened at a table, as sentences to be read out: each event once, in order."""

from collections.abc import Iterator

from trainer.drill.words import card_name
from trainer.service.tables import TableState
from trainer.table.event import Happening, Told
from trainer.web.table_felt import box_name

_PLAIN = {
    Told.NO_BETS: "Nobody bets.",
    Told.NO_NATURAL: "The dealer has no natural.",
    Told.TIME_UP: "Time is up.",
}
# (said of you, said of somebody else)
_MOVES = {
    Told.STOOD: ("stand", "stands"),
    Told.HIT: ("hit", "hits"),
    Told.DOUBLED: ("double", "doubles"),
    Told.SPLIT: ("split", "splits"),
    Told.SURRENDERED: ("surrender", "surrenders"),
    Told.SITS_OUT: ("sit out", "sits out"),
    Told.INSURED: ("insure", "insures"),
    Told.EVEN_MONEY: ("take even money", "takes even money"),
}


def tell(state: TableState) -> str:
    """Everything that this request brought about and everybody sees, but for bets and payments."""
    return " ".join(_sentences(state))


def _sentences(state: TableState) -> Iterator[str]:
    for each in state.happenings:
        if each.told in _PLAIN:
            yield _PLAIN[each.told]
        elif each.told in _MOVES:
            yield _move(state, each)
        elif each.told == Told.BUST:
            yield "The dealer is bust." if each.box is None else "Bust."
        elif each.card is not None:
            yield _card(state, each)


def _move(state: TableState, each: Happening) -> str:
    name = box_name(state, each.box or 0)
    verb = _MOVES[each.told][0 if name == "You" else 1]
    if each.card is not None:
        return f"{name} {verb}: {card_name(each.card)}."
    return f"{name} {verb}{', face down' if each.told == Told.DOUBLED else ''}."


def _card(state: TableState, each: Happening) -> str:
    assert each.card is not None  # noqa: S101 - the caller looked
    name = card_name(each.card)
    if each.told == Told.UPCARD:
        return f"Dealer shows {name}."
    if each.told == Told.DEALER_TURNS:
        return f"Dealer turns {name}."
    if each.told == Told.DEALER_DRAWS:
        return f"Dealer draws {name}."
    return f"{box_name(state, each.box or 0)}: {name}."
