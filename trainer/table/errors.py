"""Why a table refuses something, told apart by cause; whatever is refused has changed nothing."""

from trainer.engine.errors import EngineError


class TableError(EngineError):
    """Base of every error that a table raises for bad input."""


class BetError(TableError):
    """An amount that is no bet at this table, or no insurance of this bet."""


class ChipsError(TableError):
    """Not enough chips for what was asked."""


class TurnError(TableError):
    """Not asked now: another box, another hand or another part of the round is on."""


class StaleEventError(TurnError):
    """An answer to a question that has been answered, such as the second click of two."""


class LateEventError(TurnError):
    """An answer after its deadline, or a clock called out before it."""


class SeatError(TableError):
    """Boxes, players or residents that this table does not take, or a table that is not open to this purse."""


class StateError(TableError):
    """A stored state that cannot be read: another version, or not one of ours."""
