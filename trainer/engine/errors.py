"""What can be wrong with a request to the engine, told apart by cause."""

from collections.abc import Sequence
from dataclasses import dataclass


class EngineError(ValueError):
    """Base of every error that the engine raises for bad input."""


class CardError(EngineError):
    """A text that is no card, or no list of cards."""


class ImpossibleHandError(EngineError):
    """Cards that no one could hold here: none, over 21, or more than the shoe has."""


class IllegalActionError(EngineError):
    """A move that the rules do not allow on this hand."""


@dataclass(frozen=True)
class Fault:
    """One rule field that cannot be read: which, what was given, what is allowed."""

    field: str
    value: object
    allowed: str

    def __str__(self) -> str:
        return f"{self.field}: {_shorten(self.value)} is not allowed; use {self.allowed}"


class RulesError(EngineError):
    """Rule fields that cannot be read; ``faults`` lists all of them, not the first."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(map(str, self.faults)))


def _shorten(value: object, limit: int = 60) -> str:
    """The value as text, cut so that a hostile one cannot flood a message."""
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 3] + "..."
