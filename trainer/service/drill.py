"""Drilling: dealing a hand, judging an answer, once."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from trainer.drill import timing
from trainer.drill.grade import Grade, Judgement, grade, judge
from trainer.drill.mix import Kind
from trainer.drill.plan import RUN_MODES, Plan
from trainer.drill.pool import NothingToDealError
from trainer.drill.situation import Situation
from trainer.service.dealing import Dealer, PlanFinishedError
from trainer.service.keeping import keep, local_day, paces_after
from trainer.service.preferences import Preferences
from trainer.service.runs import NotRunningError, Run, check_running, count_in_run, running
from trainer.service.strategies import StrategyCache
from trainer.storage.decisions import DecisionRow, NewDecision, find_decision
from trainer.storage.memories import count_due
from trainer.storage.questions import (
    QuestionRow,
    add_question,
    find_question,
    mark_hinted,
    open_question,
    prune_questions,
    take_question,
)
from trainer.storage.sittings import Sitting, count_in_sitting, ensure_sitting
from trainer.storage.transaction import Connection, DuplicateError, StorageError, transaction
from trainer.storage.users import ensure_rule_set, ensure_user, find_settings, mark_seen, save_settings

__all__ = [
    "Answer",
    "DecisionRow",
    "DrillService",
    "HandExpiredError",
    "HandNotFoundError",
    "NotRunningError",
    "NothingToDealError",
    "PlanFinishedError",
    "QuestionRow",
    "StorageError",
]

HAND_LIFETIME = timedelta(hours=24)
SITTING_GAP = timedelta(minutes=30)
# Why a hand was dealt is told where it is more than chance.
LABELLED = frozenset({Kind.WEAK, Kind.REVIEW})


class HandNotFoundError(LookupError):
    """No such hand, or not this visitor's."""


class HandExpiredError(LookupError):
    """The hand was dealt too long ago to be answered."""


@dataclass(frozen=True)
class Answer:
    """A stored answer and, where it was the first to its hand, the session and the streak or sprint after it.

    ``due`` is then how many cells of the chart are left to review, and ``preferences`` what the answer was graded by.
    """

    decision: DecisionRow
    sitting: Sitting | None = None
    run: Run | None = None
    due: int | None = None
    preferences: Preferences | None = None

    @property
    def is_new(self) -> bool:
        """False where the hand had been answered before."""
        return self.sitting is not None


class DrillService:
    """The use cases of the drill page."""

    def __init__(self, strategies: StrategyCache) -> None:
        self._strategies, self._dealer = strategies, Dealer(strategies)

    def open_hand(self, visitor: str, plan: Plan, position: int, now: datetime) -> QuestionRow:
        """The hand that the visitor has open under this plan, or a new one.

        ``position`` and errors are those of :meth:`Dealer.deal`.
        """
        query = plan.to_query()
        with transaction() as connection:
            check_running(connection, visitor, plan, now)
            found = open_question(connection, visitor, query, now - HAND_LIFETIME)
        if found:
            return found
        dealt = self._dealer.deal(visitor, plan, position, now)
        token = secrets.token_urlsafe(16)
        with transaction(writes=True) as connection:
            prune_questions(connection, now - HAND_LIFETIME)
            add_question(connection, token=token, visitor=visitor, plan=query, position=position,
                         rule_set_id=ensure_rule_set(connection, dealt.situation.rules), situation=dealt.situation,
                         kind=str(dealt.kind) if dealt.kind in LABELLED else "", dealt_at=now)
            question = find_question(connection, token, visitor)
        if question is None:
            raise HandNotFoundError(token)
        return question

    def look_up(self, visitor: str, token: str, now: datetime) -> QuestionRow | DecisionRow:
        """The visitor's own hand, open or answered; ``HandNotFoundError`` or ``HandExpiredError`` otherwise."""
        with transaction() as connection:
            return _find(connection, visitor, token, now)

    def answer(
        self, visitor: str, token: str, move: str, preferences: Preferences | None, now: datetime, time_zone: str = ""
    ) -> Answer:
        """Judge and store an answer; a hand that is answered already keeps its first answer, which is returned.

        ``preferences``, the visitor's own where none are given, grade it and, by their time zone, say what day it is;
        a ``time_zone`` that the browser tells goes before theirs, and a new one is kept with the answer.
        ``IllegalActionError`` where the move is not allowed on the hand, ``NotRunningError`` where the hand belongs to
        a streak or a sprint that is over; nothing is stored then.
        """
        with transaction() as connection:
            found = _find(connection, visitor, token, now)
            preferences = preferences or Preferences.from_stored(find_settings(connection, visitor))
        if isinstance(found, DecisionRow):
            return Answer(found)
        preferences = preferences.at_home(time_zone)
        judgement = self.judge(found.situation)
        graded = grade(judgement, move, preferences.grading)
        try:
            answer = self._store(found, judgement, graded, preferences, now)
        except DuplicateError:
            answer = None
        if answer:
            return answer
        first = self.look_up(visitor, token, now)
        if not isinstance(first, DecisionRow):
            raise HandNotFoundError(token)
        return Answer(first)

    def hint(self, visitor: str, token: str, now: datetime) -> QuestionRow | DecisionRow:
        """Show the chart before the answer: the decision will count as hinted.

        Insurance has no chart to show, and streaks and sprints are no place for one.
        """
        found = self.look_up(visitor, token, now)
        if isinstance(found, QuestionRow) and not found.situation.is_insurance and not is_of_run(found):
            with transaction(writes=True) as connection:
                mark_hinted(connection, token)
            return self.look_up(visitor, token, now)
        return found

    def skip(self, visitor: str, token: str, now: datetime) -> QuestionRow | DecisionRow:
        """Take an open hand away without recording anything; what it was. A streak's or a sprint's stays."""
        found = self.look_up(visitor, token, now)
        if isinstance(found, QuestionRow) and not is_of_run(found):
            with transaction(writes=True) as connection:
                take_question(connection, token, visitor)
        return found

    def judge(self, situation: Situation) -> Judgement:
        """What every move of a situation is worth."""
        return judge(self._strategies.get(situation.rules), situation)

    def _store(
        self, question: QuestionRow, judgement: Judgement, graded: Grade, preferences: Preferences, now: datetime
    ) -> Answer | None:
        """Everything an answer changes, in one transaction; ``None`` where it was not the first."""
        mode, strategy_hash = Plan.from_text(question.plan).mode, question.situation.rules.strategy_hash
        with transaction(writes=True) as connection:
            is_hinted = take_question(connection, question.token, question.visitor)
            if is_hinted is None:
                return None
            user = ensure_user(connection, question.visitor, now)
            if preferences.time_zone != user.settings.get("time_zone", ""):
                # Nothing else: what was not set is not chosen, and another page may have saved settings meanwhile.
                save_settings(connection, user.id, user.settings | {"time_zone": preferences.time_zone})
            at = user.moment(now)
            run = running(connection, user.id, mode, strategy_hash, now) if mode in RUN_MODES else None
            sitting = ensure_sitting(connection, user.id, at, at - SITTING_GAP)
            # As it is stored, in milliseconds: the sums can then be counted again from the history.
            seconds = round(timing.capped((now - question.dealt_at).total_seconds()), 3)
            category = question.situation.category
            new = NewDecision(
                token=question.token, user_id=user.id, session_id=sitting.id,
                rule_set_id=question.rule_set_id, plan=question.plan, position=question.position,
                mode=str(mode), kind=question.kind, situation=question.situation,
                judgement=judgement, grade=graded, grading=preferences.grading, is_hinted=is_hinted,
                is_slow=not is_hinted and timing.is_slow(seconds, user.paces.get(category, [])),
                seconds=None if is_hinted else seconds, day=local_day(at, preferences), created_at=at,
            )
            mark_seen(connection, user.id, at, paces_after(user.paces, new))
            decision = keep(connection, new, preferences.daily_goal)
            return Answer(
                decision, count_in_sitting(connection, sitting, new),
                count_in_run(connection, run, judgement, graded, now) if run else None,
                count_due(connection, user.id, now).get(strategy_hash, 0), preferences)


def _find(connection: Connection, visitor: str, token: str, now: datetime) -> QuestionRow | DecisionRow:
    """The visitor's own hand, open or answered."""
    found = find_question(connection, token, visitor) or find_decision(connection, token, visitor)
    if found is None:
        raise HandNotFoundError(token)
    if isinstance(found, QuestionRow) and found.dealt_at < now - HAND_LIFETIME:
        raise HandExpiredError(token)
    return found


def is_of_run(question: QuestionRow) -> bool:
    """Whether a hand belongs to a streak or a sprint."""
    return Plan.from_text(question.plan).mode in RUN_MODES
