"""What every form at a table sends: which question it answers, whole numbers, the browser's time zone."""

from flask import request

from trainer.service.preferences import Preferences
from trainer.service.tables import Asked
from trainer.table.amount import CHIP, read_chips
from trainer.web import visitor as who


def asked() -> Asked:
    """The question that the form is for; ``BetError`` where it does not say."""
    return Asked(whole(request.form.get("number", "")), whole(request.form.get("step", "")))


def whole(text: str) -> int:
    """A whole number as forms send it; ``BetError`` for anything else."""
    return read_chips(text) // CHIP


def told_preferences() -> Preferences:
    """The visitor's settings, with the time zone that the browser tells."""
    return who.preferences().at_home(request.form.get("time_zone", ""))
