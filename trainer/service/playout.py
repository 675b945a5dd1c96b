"""Playing a drill's hand out: each decision judged, split hands in turn, the dealer, the settlement, the next hand.

The first hand under a plan is an open question like any drill's until something is done with it: it is dealt by a
page's GET, pruned after a day, and makes no user. Its seat comes with its first answer.
"""

import secrets
from dataclasses import replace
from datetime import datetime
from random import Random

from trainer.drill.plan import INSURANCE_FOCUS, Mode, Plan
from trainer.drill.situation import Situation, UnseenCards
from trainer.engine.cards import CARDS_PER_DECK, TEN, full_shoe
from trainer.engine.rule_key import rules_for
from trainer.engine.rules import Rules
from trainer.service.dealing import Dealer
from trainer.service.drill import HAND_LIFETIME, SITTING_GAP
from trainer.service.keeping import keep
from trainer.service.playing import Judged, Play
from trainer.service.preferences import Preferences
from trainer.service.seat import Seat, is_readable
from trainer.service.seat_keeping import Asked, NotSeatedError, SeatKeeper, TableState, milliseconds, new_decision
from trainer.service.strategies import StrategyCache
from trainer.storage.decisions import NewDecision
from trainer.storage.questions import (
    QuestionRow,
    add_question,
    find_question,
    open_question,
    prune_questions,
    take_question,
)
from trainer.storage.sittings import count_in_sitting, ensure_sitting
from trainer.storage.tables import PurseRow, SeatRow, find_seat, save_seat
from trainer.storage.transaction import Connection, transaction
from trainer.storage.users import UserRow, ensure_rule_set, ensure_user
from trainer.table.amount import CHIP
from trainer.table.log import HandLog
from trainer.table.opening import opening_shoe
from trainer.table.round import Player, open_round
from trainer.table.solo import PLAYER, SoloTable
from trainer.table.spec import CUSTOM_KEY, PLAY_OUT, table_for

BET = 10 * CHIP


class PlayOutService(SeatKeeper):
    """The use cases of the mode *play it out*. A plan has a seat of its own, whose key is :func:`seat_key`."""

    def __init__(self, strategies: StrategyCache, random: Random | None = None) -> None:
        super().__init__(strategies, random)
        self._dealer = Dealer(strategies)

    def find_hand(self, visitor: str | None, plan: Plan, now: datetime) -> TableState | None:
        """The hand under a plan as it stands; ``None`` before the first is dealt."""
        if visitor is None:
            return None
        try:
            return self.look(visitor, seat_key(plan), now)
        except NotSeatedError:
            question = _question(visitor, plan, now)
        return self._unseated(plan, question) if question else None

    def open_hand(self, visitor: str, plan: Plan, now: datetime) -> TableState:
        """The hand under a plan as it stands, or a first one, dealt now.

        ``NothingToDealError`` where the plan's part of the chart has no hands.
        """
        return self.find_hand(visitor, plan, now) or self._unseated(plan, self._ask_first(visitor, plan, now))

    def next_hand(self, visitor: str, plan: Plan, number: int, now: datetime) -> TableState:
        """Deal the hand after hand ``number``; where that has been done already, what became of it.

        ``NothingToDealError`` as for :meth:`open_hand`.
        """
        situation, key = self._opening(visitor, plan, now), seat_key(plan)
        with transaction(writes=True) as connection:
            user = ensure_user(connection, visitor, now)
            row = find_seat(connection, user.id, key)
            seat = Seat.from_rows(row, None) if row and is_readable(row) else replace(
                _new_seat(plan, row), number=number)
            if seat.number == number and not seat.table.is_playing:
                save_seat(connection, user.id, self._dealt(seat, situation, now).seat.to_row(), now)
        return self.look(visitor, key, now)

    def answer(
        self, visitor: str | None, key: str, asked: Asked, box: int, word: str, amount: int | None,
        preferences: Preferences, now: datetime,
    ) -> TableState:
        """Decide, as at any seat; a hand that was only a question until now gets its seat."""
        self._ensure_seat(visitor, key, now)
        return super().answer(visitor, key, asked, box, word, amount, preferences, now)

    def set_options(
        self, visitor: str | None, key: str, now: datetime, *, is_hinting: bool, verdicts: str
    ) -> TableState:
        """Hints on or off, as at any seat."""
        self._ensure_seat(visitor, key, now)
        return super().set_options(visitor, key, now, is_hinting=is_hinting, verdicts=verdicts)

    def _unseated(self, plan: Plan, question: QuestionRow) -> TableState:
        """A first hand; what nobody sees of its shoe is shuffled anew whenever it is shown."""
        play = self._dealt(_new_seat(plan, None), question.situation, question.dealt_at)
        return self._state(None, play, self._strategies.get(question.situation.rules))

    def _ask_first(self, visitor: str, plan: Plan, now: datetime) -> QuestionRow:
        """Deal a first hand."""
        situation, token = self._opening(visitor, plan, now), secrets.token_urlsafe(16)
        with transaction(writes=True) as connection:
            prune_questions(connection, now - HAND_LIFETIME)
            add_question(connection, token=token, visitor=visitor, plan=plan.to_query(), position=0,
                         rule_set_id=ensure_rule_set(connection, situation.rules), situation=situation, dealt_at=now)
            question = find_question(connection, token, visitor)
        if question is None:
            raise NotSeatedError(seat_key(plan))
        return question

    def _ensure_seat(self, visitor: str | None, key: str, now: datetime) -> None:
        """Make a seat of the open question under a plan, unless there is one already."""
        question = _question(visitor, plan_of(key), now) if visitor else None
        if visitor is None or question is None:
            return
        with transaction(writes=True) as connection:
            if take_question(connection, question.token, visitor) is None:
                return  # another request was faster
            user = ensure_user(connection, visitor, now)
            row = find_seat(connection, user.id, key)
            if row is None or not is_readable(row):
                play = self._dealt(_new_seat(plan_of(key), row), question.situation, question.dealt_at)
                save_seat(connection, user.id, play.seat.to_row(), now)

    def _opening(self, visitor: str, plan: Plan, now: datetime) -> Situation:
        """A hand to begin with, as a fresh shoe deals it."""
        situation = self._dealer.deal(visitor, _opening_plan(plan), 0, now).situation
        if situation.unseen is None:
            return situation
        decks = situation.rules.decks
        tens = full_shoe(decks)[TEN - 1] - situation.hand.composition[TEN - 1]
        return replace(situation, unseen=UnseenCards(tens, decks * CARDS_PER_DECK - len(situation.hand.cards) - 1))

    def _dealt(self, seat: Seat, situation: Situation, now: datetime) -> Play:
        """The seat with the next hand bet on and dealt, up to its first decision."""
        terms, hits = seat.spec.terms, len(situation.hand.cards) - 2
        if hits:  # which came after insurance and early surrender were answered and the dealer had looked
            terms = replace(terms, rules=replace(terms.rules, insurance="none", surrender="none"))
        shoe = opening_shoe(terms.rules, situation.hand.cards, situation.upcard, self._random)
        purse = seat.spec.purse.new()
        opened = open_round(terms, [Player(PLAYER, purse.stack)], [0], shoe, now=milliseconds(now))
        begun = replace(seat, table=replace(seat.table, round=opened), purse=purse, log=HandLog(opened), marks=(),
                        number=seat.number + 1, hinted_at=-1)
        play = Play(begun, self._strategies.get(situation.rules), self._random, milliseconds(now))
        play.bet([BET])
        play.draw(hits)
        return play

    def _rules_of(self, key: str) -> Rules:
        return rules_for(plan_of(key).rules_key)

    def _keep_decision(
        self, connection: Connection, user: UserRow, key: str, judged: Judged, preferences: Preferences, now: datetime
    ) -> NewDecision:
        plan = plan_of(key)
        sitting = ensure_sitting(connection, user.id, now, now - SITTING_GAP)
        new = new_decision(
            connection, user, _by_rules_of(plan, judged), plan, str(plan.mode), preferences, now, sitting.id)
        keep(connection, new, preferences.daily_goal)
        count_in_sitting(connection, sitting, new)
        return new

    def _keep_chips(self, connection: Connection, user_id: int, play: Play) -> None:
        """Nothing: a hand's chips are gone with it."""

    def _purse_of(self, connection: Connection, user_id: int, key: str) -> PurseRow | None:  # noqa: ARG002
        return None  # every hand is bet from a full one


def seat_key(plan: Plan) -> str:
    """The key of a plan's seat."""
    return f"{PLAY_OUT}{plan.to_query()}"


def plan_of(key: str) -> Plan:
    """The inverse of :func:`seat_key`."""
    return Plan.from_text(key.removeprefix(PLAY_OUT))


def _question(visitor: str, plan: Plan, now: datetime) -> QuestionRow | None:
    """The first hand under a plan while it is open."""
    with transaction() as connection:
        return open_question(connection, visitor, plan.to_query(), now - HAND_LIFETIME)


def _opening_plan(plan: Plan) -> Plan:
    """What chooses the opening hands: the picked part of the chart, else weak spots, reviews and all hands mixed."""
    if plan.focus == INSURANCE_FOCUS:
        return Plan(plan.rules_key, Mode.INSURANCE)
    is_part = bool(plan.focus or plan.rows or plan.upcards)
    return replace(plan, mode=Mode.FOCUS if is_part else Mode.DEFAULT_MIX)


def _new_seat(plan: Plan, before: SeatRow | None) -> Seat:
    """A seat at which nothing has been dealt, in the place of one that cannot be read any more."""
    rules = rules_for(plan.rules_key)
    insurance = "none" if rules.insurance == "none" else "half"
    played = Rules.from_mapping({"insurance": insurance, "shuffle": "hand"}, base=rules)
    return Seat(seat_key(plan), SoloTable(CUSTOM_KEY, played, has_clock=False), table_for(played).purse.new(),
                version=before.version if before else 0)


def _by_rules_of(plan: Plan, judged: Judged) -> Judged:
    """A decision under the rules that the plan names, which have the same moves."""
    return replace(judged, situation=replace(judged.situation, rules=rules_for(plan.rules_key)))
