"""What is dealt: by chance, from a list of one's own mistakes, or by what was answered before."""

import secrets
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from random import Random

from trainer.drill.adapt import ADAPTIVE, Dealt, deal_adapted
from trainer.drill.mix import MIXED_HANDS, Kind
from trainer.drill.plan import RUN_MODES, Mode, Plan
from trainer.drill.pool import NothingToDealError
from trainer.drill.practice import Practice, Record
from trainer.drill.select import deal, deal_other
from trainer.drill.sheet import sheet_of
from trainer.drill.situation import Situation
from trainer.engine.chart import Cell
from trainer.engine.errors import EngineError
from trainer.engine.rule_key import rules_for
from trainer.engine.rules import Rules
from trainer.engine.strategy import Strategy
from trainer.service.mistakes import query_of
from trainer.service.preferences import Preferences
from trainer.service.runs import running
from trainer.service.strategies import StrategyCache
from trainer.storage.cells import records_of_chart
from trainer.storage.decisions import last_situation
from trainer.storage.memories import memories_of
from trainer.storage.mistakes import COSTLIEST, list_missed_and_slow, list_mistakes
from trainer.storage.progress import count_hands
from trainer.storage.sittings import find_sitting
from trainer.storage.sums import Sums
from trainer.storage.transaction import Connection, transaction
from trainer.storage.users import find_user

# So many mistakes are dealt again at most in one go.
MOST_MISTAKES = 50
# A hand that was missed over and over must not crowd the others out.
_MOST_LOOKED_AT = 500


class PlanFinishedError(EngineError):
    """A plan with an end, such as one's own mistakes, has dealt everything it had."""


class Dealer:
    """Chooses hands; knows who asks, and what they answered before."""

    def __init__(self, strategies: StrategyCache) -> None:
        self._strategies = strategies

    def deal(self, visitor: str, plan: Plan, position: int, now: datetime) -> Dealt:
        """A hand under a plan, and why it was dealt.

        ``position`` counts the hands of the plan from 0: it picks the hand where a seed, or a list of mistakes, fixes
        the order. ``NothingToDealError`` where there is no such hand, ``PlanFinishedError`` at a list's end,
        ``NotRunningError`` where a streak or a sprint has to be started first.
        """
        rules = rules_for(plan.rules_key)
        strategy = self._strategies.get(rules)
        if plan.mode is Mode.MISTAKES:
            return Dealt(_deal_mistake(visitor, plan, rules, position), Kind.MIXED)
        if plan.mode in ADAPTIVE:
            return _deal_adapted(visitor, plan.mode, rules, strategy, now)
        random = Random(f"{plan.to_query()}#{position}") if plan.is_seeded else _dice()  # noqa: S311
        return Dealt(deal(rules, strategy, plan, random), Kind.MIXED)


def load_practice(connection: Connection, user_id: int, strategy: Strategy) -> Practice:
    """Where a user stands on a strategy's chart."""
    records = records_of_chart(connection, user_id, strategy.rules.strategy_hash)
    return practice_with(connection, user_id, strategy, records)


def practice_with(connection: Connection, user_id: int, strategy: Strategy, records: Mapping[Cell, Sums]) -> Practice:
    """The same from what was read before: the record of every cell that was ever asked."""
    sheet = sheet_of(strategy)
    return Practice.of(sheet, memories_of(connection, user_id, sheet.strategy_hash), {
        cell: Record(sums.decisions, sums.right, sums.ev_lost) for cell, sums in records.items()})


def _deal_adapted(visitor: str, mode: Mode, rules: Rules, strategy: Strategy, now: datetime) -> Dealt:
    """A hand that hangs on what the visitor answered before; a newcomer's default mix is mixed."""
    with transaction() as connection:
        user = find_user(connection, visitor)
        user_id = user.id if user else None
        asked = last_situation(connection, user_id) if user_id is not None else None
        last = asked if asked and asked.rules.strategy_hash == rules.strategy_hash else None
        position = running(connection, user_id, mode, rules.strategy_hash, now).answers if mode in RUN_MODES else 0
        if mode is Mode.DEFAULT_MIX and (user_id is None or count_hands(connection, user_id) < MIXED_HANDS):
            return Dealt(deal_other(rules, strategy, last, _dice()), Kind.MIXED)
        practice = (
            Practice.of(sheet_of(strategy)) if user_id is None else load_practice(connection, user_id, strategy))
    dealt = deal_adapted(rules, strategy, mode, practice, _dice(), now=now, last=last, position=position)
    # Before the first answer nothing is known to be weak.
    return dealt if any(practice.memories) else replace(dealt, kind=Kind.MIXED)


def _deal_mistake(visitor: str, plan: Plan, rules: Rules, position: int) -> Situation:
    """The next of the visitor's own mistakes, each hand once, costliest first."""
    found = _mistakes(visitor, plan, rules)
    hands = list(dict.fromkeys(_shape(situation) for situation in found))[:MOST_MISTAKES]
    if not hands:
        raise NothingToDealError("there are no such mistakes to go over")
    if position >= len(hands):
        raise PlanFinishedError("that was all of them")
    return next(situation for situation in found if _shape(situation) == hands[position])


def _mistakes(visitor: str, plan: Plan, rules: Rules) -> list[Situation]:
    wanted = plan.mistakes
    with transaction() as connection:
        user = find_user(connection, visitor)
        if user is None:
            raise NothingToDealError("there are no mistakes to go over yet")
        if wanted.session:
            own = find_sitting(connection, visitor, wanted.session)
            found = list_missed_and_slow(connection, own.id, _MOST_LOOKED_AT) if own else []
        else:
            strategy = "" if wanted.all_rules else rules.strategy_hash
            zone = Preferences.from_stored(user.settings).time_zone
            found = list_mistakes(connection, user.id, query_of(wanted, strategy, COSTLIEST, zone), _MOST_LOOKED_AT)
    return [row.situation.off_table for row in found]


def _dice() -> Random:
    return Random(secrets.token_bytes(16))  # noqa: S311 - what a learner is dealt need not be secret


def _shape(situation: Situation) -> tuple[object, ...]:
    """What makes two questions the same hand."""
    rules = situation.rules.strategy_hash
    return (rules, situation.hand.composition, situation.upcard.rank, situation.legal, situation.unseen)
