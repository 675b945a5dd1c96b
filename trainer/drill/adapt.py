"""Dealing the next hand of a mode that goes by what the user answered before, as real cards."""

from dataclasses import dataclass
from datetime import datetime
from random import Random

from trainer.drill.mix import Kind, Pick, pick
from trainer.drill.plan import Mode
from trainer.drill.pool import NothingToDealError
from trainer.drill.practice import Practice
from trainer.drill.select import deal_cell, deal_other
from trainer.drill.situation import Situation
from trainer.drill.streak import streak_cell
from trainer.engine.rules import Rules
from trainer.engine.strategy import Strategy

ADAPTIVE = frozenset({Mode.DEFAULT_MIX, Mode.WEAK_SPOTS, Mode.REVIEW, Mode.STREAK, Mode.SPRINT})


@dataclass(frozen=True)
class Dealt:
    """A hand and why it was dealt, which the page may say."""

    situation: Situation
    kind: Kind


def deal_adapted(
    rules: Rules, strategy: Strategy, mode: Mode, practice: Practice, random: Random, *, now: datetime,
    last: Situation | None = None, position: int = 0,
) -> Dealt:
    """The next hand of one of :data:`ADAPTIVE`.

    ``last`` is the situation just asked, on these rules: only a review may ask the same hand again. ``position``
    counts the hands of a streak from 0. ``NothingToDealError`` where nothing is due, or the streak is complete.
    """
    chosen = _choose(mode, practice, random, now, last, position)
    if chosen.cell is None:
        return Dealt(deal_other(rules, strategy, last, random), chosen.kind)
    return Dealt(deal_cell(rules, strategy, chosen.cell, random), chosen.kind)


def _choose(
    mode: Mode, practice: Practice, random: Random, now: datetime, last: Situation | None, position: int
) -> Pick:
    if mode is Mode.STREAK:
        cell = streak_cell(practice.sheet, position, random)
        if cell is None:
            raise NothingToDealError("that was the whole streak, to the closest call on the chart")
        return Pick(Kind.STREAK, cell)
    if mode is Mode.SPRINT:
        return Pick(Kind.MIXED)
    chosen = pick(practice, mode, now, random, last.cell if last else None)
    if chosen is None:
        raise NothingToDealError("nothing is due for review")
    return chosen
