"""Drilling: dealing a hand, judging an answer, once."""

import secrets
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

from trainer.drill import timing
from trainer.drill.grade import Grade, Judgement, grade, judge
from trainer.drill.plan import Mode, Plan
from trainer.drill.pool import NothingToDealError
from trainer.drill.select import deal
from trainer.drill.situation import Situation
from trainer.engine.cards import parse_ranks
from trainer.engine.errors import EngineError
from trainer.engine.presets import rules_for
from trainer.engine.rules import Rules
from trainer.service.preferences import Preferences
from trainer.service.strategies import StrategyCache
from trainer.storage.decisions import DecisionRow, NewDecision, add_decision, find_decision
from trainer.storage.mistakes import COSTLIEST, MistakeQuery, list_missed_and_slow, list_mistakes
from trainer.storage.questions import (
    QuestionRow,
    add_question,
    find_question,
    mark_hinted,
    open_question,
    prune_questions,
    take_question,
)
from trainer.storage.sittings import Sitting, count_in_sitting, ensure_sitting, find_sitting
from trainer.storage.tallies import count
from trainer.storage.transaction import DuplicateError, StorageError, transaction
from trainer.storage.users import UserRow, ensure_rule_set, ensure_user, find_user, mark_seen, save_settings

__all__ = ["Answer", "DecisionRow", "DrillService", "HandExpiredError", "HandNotFoundError", "NothingToDealError",
           "PlanFinishedError", "QuestionRow", "StorageError"]

HAND_LIFETIME = timedelta(hours=24)
SITTING_GAP = timedelta(minutes=30)
# So many mistakes are dealt again at most in one go.
MOST_MISTAKES = 50
# A hand that was missed over and over must not crowd the others out.
_MOST_LOOKED_AT = 500


class HandNotFoundError(LookupError):
    """No such hand, or not this visitor's."""


class HandExpiredError(LookupError):
    """The hand was dealt too long ago to be answered."""


class PlanFinishedError(EngineError):
    """A plan with an end, such as one's own mistakes, has dealt everything it had."""


@dataclass(frozen=True)
class Answer:
    """A stored answer and, where it was the first to its hand, the practice session after it."""

    decision: DecisionRow
    sitting: Sitting | None = None

    @property
    def is_new(self) -> bool:
        """False where the hand had been answered before."""
        return self.sitting is not None


class DrillService:
    """The use cases of the drill page."""

    def __init__(self, strategies: StrategyCache) -> None:
        self._strategies = strategies

    def open_hand(self, visitor: str, plan: Plan, position: int, now: datetime) -> QuestionRow:
        """The hand that the visitor has open under this plan, or a new one.

        ``position`` counts the hands of the plan from 0: it picks the hand where a seed, or a list of mistakes, fixes
        the order. ``NothingToDealError`` where the rules have no such hand, ``PlanFinishedError`` at a list's end.
        """
        query = plan.to_query()
        with transaction() as session:
            found = open_question(session, visitor, query, now - HAND_LIFETIME)
        if found:
            return found
        situation = self._deal(visitor, plan, position)
        token = secrets.token_urlsafe(16)
        with transaction(writes=True) as session:
            prune_questions(session, now - HAND_LIFETIME)
            add_question(session, token=token, visitor=visitor, plan=query, position=position,
                         rule_set_id=ensure_rule_set(session, situation.rules), situation=situation, dealt_at=now)
            question = find_question(session, token, visitor)
        if question is None:
            raise HandNotFoundError(token)
        return question

    def look_up(self, visitor: str, token: str, now: datetime) -> QuestionRow | DecisionRow:
        """The visitor's own hand, open or answered; ``HandNotFoundError`` or ``HandExpiredError`` otherwise."""
        with transaction() as session:
            question = find_question(session, token, visitor)
            found = question or find_decision(session, token, visitor)
        if found is None:
            raise HandNotFoundError(token)
        if isinstance(found, QuestionRow) and found.dealt_at < now - HAND_LIFETIME:
            raise HandExpiredError(token)
        return found

    def answer(self, visitor: str, token: str, move: str, preferences: Preferences, now: datetime) -> Answer:
        """Judge and store an answer; a hand that is answered already keeps its first answer, which is returned.

        ``preferences`` grade it and, by their time zone, say what day it is; a new time zone is kept with the answer.
        ``IllegalActionError where the move is not allowed on the hand; nothing is stored then.
        """
        found = self.look_up(visitor, token, now)
        if isinstance(found, DecisionRow):
            return Answer(found)
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
        """Show the chart before the answer: the decision will count as hinted. Insurance has no chart to show."""
        found = self.look_up(visitor, token, now)
        if isinstance(found, QuestionRow) and not found.situation.is_insurance:
            with transaction(writes=True) as session:
                mark_hinted(session, token)
            return self.look_up(visitor, token, now)
        return found

    def skip(self, visitor: str, token: str, now: datetime) -> QuestionRow | DecisionRow:
        """Take an open hand away without recording anything; what it was."""
        found = self.look_up(visitor, token, now)
        if isinstance(found, QuestionRow):
            with transaction(writes=True) as session:
                take_question(session, token, visitor)
        return found

    def judge(self, situation: Situation) -> Judgement:
        """What every move of a situation is worth."""
        return judge(self._strategies.get(situation.rules), situation)

    def _deal(self, visitor: str, plan: Plan, position: int) -> Situation:
        rules: Rules = rules_for(plan.rules_key)
        strategy = self._strategies.get(rules)
        if plan.mode is Mode.MISTAKES:
            return self._deal_mistake(visitor, plan, rules, position)
        random = Random(f"{plan.to_query()}#{position}") if plan.is_seeded else Random(secrets.token_bytes(16))  # noqa: S311
        return deal(rules, strategy, plan, random)

    def _deal_mistake(self, visitor: str, plan: Plan, rules: Rules, position: int) -> Situation:
        """The next of the visitor's own mistakes, each hand once, costliest first."""
        wanted = plan.mistakes
        with transaction() as session:
            user = find_user(session, visitor)
            if user is None:
                raise NothingToDealError("there are no mistakes to go over yet")
            if wanted.session:
                own = find_sitting(session, visitor, wanted.session)
                found = list_missed_and_slow(session, own.id, _MOST_LOOKED_AT) if own else []
            else:
                strategy = "" if wanted.all_rules else rules.strategy_hash
                query = MistakeQuery(COSTLIEST, wanted.category, _rank(wanted.upcard), strategy)
                found = list_mistakes(session, user.id, query, _MOST_LOOKED_AT)
        hands = list(dict.fromkeys(_shape(row.situation) for row in found))[:MOST_MISTAKES]
        if not hands:
            raise NothingToDealError("there are no such mistakes to go over")
        if position >= len(hands):
            raise PlanFinishedError("that was all of them")
        return next(row.situation for row in found if _shape(row.situation) == hands[position])

    def _store(
        self, question: QuestionRow, judgement: Judgement, graded: Grade, preferences: Preferences, now: datetime
    ) -> Answer | None:
        """Everything an answer changes, in one transaction; ``None`` where it was not the first."""
        with transaction(writes=True) as session:
            is_hinted = take_question(session, question.token, question.visitor)
            if is_hinted is None:
                return None
            user = ensure_user(session, question.visitor, now)
            if preferences.time_zone != user.settings.get("time_zone", ""):
                save_settings(session, user.id, asdict(preferences))
            sitting = ensure_sitting(session, user.id, now, now - SITTING_GAP)
            # As it is stored, in milliseconds: the sums can then be counted again from the history.
            seconds = round(timing.capped((now - question.dealt_at).total_seconds()), 3)
            category = question.situation.category
            new = NewDecision(
                token=question.token, user_id=user.id, session_id=sitting.id,
                rule_set_id=question.rule_set_id, plan=question.plan, position=question.position,
                mode=str(Plan.from_text(question.plan).mode), situation=question.situation,
                judgement=judgement, grade=graded, grading=preferences.grading, is_hinted=is_hinted,
                is_slow=not is_hinted and timing.is_slow(seconds, user.paces.get(category, [])),
                seconds=None if is_hinted else seconds, day=_local_day(now, preferences), created_at=now,
            )
            count(session, new, question.situation.rules.strategy_hash)
            mark_seen(session, user.id, now, _with_pace(user, new))
            return Answer(add_decision(session, new), count_in_sitting(session, sitting, new))


def _with_pace(user: UserRow, new: NewDecision) -> dict[str, list[int]]:
    if new.seconds is None or not new.grade.is_right:
        return user.paces
    return user.paces | {new.category: timing.with_pace(user.paces.get(new.category, []), new.seconds)}


def _local_day(now: datetime, preferences: Preferences) -> date:
    zone = ZoneInfo(preferences.time_zone) if preferences.time_zone else UTC
    return now.astimezone(zone).date()


def _shape(situation: Situation) -> tuple[object, ...]:
    """What makes two questions the same hand."""
    rules = situation.rules.strategy_hash
    return (rules, situation.hand.composition, situation.upcard.rank, situation.legal, situation.unseen)


def _rank(upcard: str) -> int:
    return parse_ranks(upcard)[0] if upcard else 0


