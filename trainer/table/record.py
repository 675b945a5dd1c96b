"""Rounds and events as JSON: written with a version, read back to equal objects, refused where they are not ours.

For the server's own keeping: hidden cards and the whole shoe are in it.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any, TypeVar

from trainer.engine.actions import Action
from trainer.engine.cards import Card
from trainer.engine.errors import EngineError
from trainer.engine.rules import Rules
from trainer.table.errors import StateError
from trainer.table.event import Event, EventKind
from trainer.table.round import Box, Ending, HeldHand, Line, Phase, Player, Reason, Round
from trainer.table.shoe import CARDS, Shoe
from trainer.table.terms import Clock, Terms

# Changes whenever what is written changes.
STATE_VERSION = 1

Data = dict[str, Any]
_Read = TypeVar("_Read")


def to_json(data: Data) -> str:
    """Data with the version put in front, as one line."""
    return json.dumps({"version": STATE_VERSION} | data, separators=(",", ":"))


def from_json(text: str, read: Callable[[Mapping[str, Any]], _Read]) -> _Read:
    """Check the version and let ``read`` make of the data what it is; whatever it trips over is a ``StateError``."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise StateError("a stored table is no JSON") from None
    version = data.get("version") if isinstance(data, dict) else None
    if version != STATE_VERSION or isinstance(version, bool):
        raise StateError(f"a stored table of version {str(version)[:20]!r} cannot be read; this is {STATE_VERSION}")
    try:
        return read(data)
    except StateError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, EngineError) as error:
        raise StateError(f"a stored table cannot be read: {type(error).__name__} {str(error)[:80]}") from None


def round_data(round_: Round) -> Data:
    """A round as plain data; cards as one text."""
    return {
        "terms": terms_data(round_.terms),
        "players": [asdict(player) for player in round_.players],
        "boxes": [asdict(box) | {"hands": [_hand_data(hand) for hand in box.hands]} for box in round_.boxes],
        "shoe": shoe_data(round_.shoe),
        "phase": round_.phase,
        "dealt": round_.dealt,
        "dealer": cards_text(round_.dealer),
        "is_hole_up": round_.is_hole_up,
        "active": round_.active,
        "lines": [asdict(line) for line in round_.lines],
        "step": round_.step,
        "asked_at": round_.asked_at,
        "deadline": round_.deadline,
    }


def round_of(data: Mapping[str, Any]) -> Round:
    """The inverse of :func:`round_data`."""
    return Round(
        terms=terms_of(data["terms"]),
        players=tuple(Player(**player) for player in data["players"]),
        boxes=tuple(Box(**box | {"hands": tuple(map(_hand_of, box["hands"]))}) for box in data["boxes"]),
        shoe=shoe_of(data["shoe"]),
        phase=Phase(data["phase"]),
        dealt=data["dealt"],
        dealer=cards_of_text(data["dealer"]),
        is_hole_up=data["is_hole_up"],
        active=None if data["active"] is None else (data["active"][0], data["active"][1]),
        lines=tuple(Line(**line | {"reason": Reason(line["reason"])}) for line in data["lines"]),
        step=data["step"],
        asked_at=data["asked_at"],
        deadline=data["deadline"],
    )


def terms_data(terms: Terms) -> Data:
    """Terms as plain data."""
    clock = asdict(terms.clock) if terms.clock else None
    return asdict(terms) | {"rules": terms.rules.to_dict(), "clock": clock}


def terms_of(data: Mapping[str, Any]) -> Terms:
    """The inverse of :func:`terms_data`."""
    clock = Clock(**data["clock"]) if data["clock"] else None
    return Terms(**dict(data) | {"rules": Rules.from_mapping(data["rules"]), "clock": clock})


def shoe_data(shoe: Shoe) -> Data:
    """A shoe as plain data, its order included."""
    return {"cards": cards_text(shoe.cards), "rest": shoe.rest, "cut": shoe.cut}


def shoe_of(data: Mapping[str, Any]) -> Shoe:
    """The inverse of :func:`shoe_data`."""
    return Shoe(cards_of_text(data["cards"]), data["rest"], data["cut"])


def event_data(event: Event) -> Data:
    """An event as plain data."""
    return asdict(event)


def event_of(data: Mapping[str, Any]) -> Event:
    """The inverse of :func:`event_data`."""
    action = None if data["action"] is None else Action(data["action"])
    return Event(EventKind(data["kind"]), data["step"], data["box"], data["amount"], action, data["at"])


def cards_text(cards: Sequence[Card]) -> str:
    """``AsKd``."""
    return "".join(map(str, cards))


@lru_cache(maxsize=256)
def cards_of_text(text: str) -> tuple[Card, ...]:
    """The inverse of :func:`cards_text`, every card with its suit."""
    if len(text) % 2:
        raise StateError("half a card is left over")
    return tuple(CARDS[text[place : place + 2]] for place in range(0, len(text), 2))


def _hand_data(hand: HeldHand) -> Data:
    return asdict(hand) | {"cards": cards_text(hand.cards)}


def _hand_of(data: Mapping[str, Any]) -> HeldHand:
    ending = None if data["ending"] is None else Ending(data["ending"])
    return HeldHand(cards_of_text(data["cards"]), data["is_doubled"], data["is_face_down"], ending)
