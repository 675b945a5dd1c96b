"""One request at a table: events applied one after the other, own decisions judged on the way."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random

from trainer.drill import timing
from trainer.drill.explain import explain
from trainer.drill.grade import Grade, Judgement, grade
from trainer.drill.situation import INSURE, Situation, TableCards, UnseenCards
from trainer.engine.actions import Action
from trainer.engine.cards import TEN
from trainer.engine.chart import Chart
from trainer.engine.hands import Hand
from trainer.engine.strategy import Strategy
from trainer.service.seat import NOT_HINTED, Mark, Seat
from trainer.storage.tables import RoundRow
from trainer.table.errors import BetError, ChipsError, StaleEventError, TurnError
from trainer.table.event import Event, EventKind, Happening
from trainer.table.judgement import EVEN_MONEY, answer_of, ev_cost, judge
from trainer.table.judgement import Judgement as TableJudgement
from trainer.table.log import HandLog
from trainer.table.moves import answers, insurance_range
from trainer.table.record import cards_text
from trainer.table.resident import resident_event
from trainer.table.round import Phase, Round
from trainer.table.solo import begin_round, take
from trainer.table.step import time_up
from trainer.table.view import seen_cards, unseen_counts


@dataclass(frozen=True)
class Judged:
    """A decision as the history keeps it.

    ``seconds`` from its first showing to its answer, none where it was hinted; ``tells_pace``: there was nothing else
    to read in that time.
    """

    token: str
    situation: Situation
    judgement: Judgement
    grade: Grade
    is_hinted: bool
    seconds: float | None
    tells_pace: bool


@dataclass(frozen=True)
class Hint:
    """A decision that is open, and what each answer to it is worth."""

    situation: Situation
    judgement: Judgement


class Play:
    """Lives for one request. ``now`` in milliseconds; ``grading`` marks decisions by chart or exact play."""

    def __init__(self, seat: Seat, strategy: Strategy, random: Random, now: int, grading: str = "chart") -> None:
        self.seat = seat
        self.judged: list[Judged] = []
        self.happenings: list[Happening] = []
        self.rounds: list[RoundRow] = []
        self._strategy, self._random, self._now, self._grading = strategy, random, now, grading

    @property
    def has_changed(self) -> bool:
        return bool(self.happenings)

    def catch_up(self) -> None:
        """Let the clock and the residents do what is theirs until somebody else is awaited or the round is over."""
        while self.seat.round is not None:
            round_ = self.seat.round
            event = time_up(round_, self._now)
            if event:
                self._judge_clock(round_)
            else:
                event = resident_event(round_, self._strategy.chart, self._random, self._now)
            if event is None:
                return
            self._apply(event)

    def open_round(self, number: int) -> None:
        """Begin the round after round ``number``; ``StaleEventError`` where it has begun already."""
        seat = self.seat
        if number != seat.number or seat.table.is_playing:
            raise StaleEventError("that round has begun already")
        table, purse = begin_round(seat.table, seat.purse, self._random, self._now)
        log = HandLog(table.round) if table.round else None
        self.seat = replace(seat, table=table, purse=purse, number=seat.number + 1, marks=(), hinted_at=NOT_HINTED,
                            log=log)

    def bet(self, amounts: Sequence[int]) -> None:
        """Bet on the own boxes, in tenths; of several boxes those with 0 sit out."""
        boxes = list(self.seat.table.own_boxes)
        if len(amounts) != len(boxes) or not any(amounts):
            raise BetError("nothing was bet")
        if sum(amounts) > self.seat.purse.stack:
            raise ChipsError("you have not enough chips for that")
        for box, amount in zip(boxes, amounts, strict=True):
            kind = EventKind.BET if amount else EventKind.SIT_OUT
            self._apply(Event(kind, self._step, box, amount=amount, at=self._now))
        self.catch_up()

    def draw(self, cards: int) -> None:
        """Hit so many times before anything is asked: an opening hand of three cards and more has come so."""
        for _ in range(cards):
            self._apply(Event(EventKind.MOVE, self._step, self.seat.table.place, action=Action.HIT, at=self._now))

    def sit_out(self) -> None:
        """Bet nothing on any own box that has not bet."""
        for box in self.seat.awaited():
            self._apply(Event(EventKind.SIT_OUT, self._step, box, at=self._now))
        self.catch_up()

    def answer(self, event: Event, *, is_half: bool = False) -> None:
        """A decision of the player's: judged, then applied; ``is_half``: insurance for half of whatever the bet is."""
        round_ = self.seat.round
        if round_ is None:
            raise TurnError("no round has begun")
        if event.box not in self.seat.table.own_boxes:
            raise TurnError("that box is not yours")
        amount = round_.boxes[event.box].bet // 2 if is_half else event.amount
        event = replace(event, at=self._now, amount=amount)
        is_answer = answer_of(event) in answers(round_, event.box)
        if is_answer and _has_choice(round_, event.box) and event.step >= round_.asked_at:
            judgement = judge(round_, event.box, self._strategy.chart)
            before = self.seat
            self._apply(event)
            self._mark(before, round_, judgement, event)
        else:
            self._apply(event)  # which raises, and says why
        self.catch_up()

    @property
    def _step(self) -> int:
        return self.seat.round.step if self.seat.round else 0

    def _apply(self, event: Event) -> None:
        seat = self.seat
        taken = take(seat.table, seat.purse, event)
        self.seat = replace(seat, table=taken.table, purse=taken.purse, log=seat.log.add(event) if seat.log else None)
        self.happenings += taken.happenings
        if taken.table.round and taken.table.round.is_over:
            self._count(seat, self.seat)

    def _count(self, before: Seat, after: Seat) -> None:
        """Note what a round came to; costs are added as decisions are marked."""
        earlier, account = before.table.account, after.table.account
        if account.hands > earlier.hands:
            self.rounds.append(RoundRow(after.number, account.hands - earlier.hands, account.wagered - earlier.wagered,
                                        account.result - earlier.result, sum(mark.cost for mark in after.marks)))

    def _mark(self, before: Seat, round_: Round, judgement: TableJudgement, event: Event) -> None:
        drill, is_hinted = _drill_judgement(judgement), before.is_hint_shown
        cost = ev_cost(round_, judgement, event)
        graded = replace(grade(drill, _drill_word(answer_of(event)), self._grading), ev_cost=cost)
        token, situation = secrets.token_urlsafe(16), situation_at(round_, event.box, drill)
        seconds = None if is_hinted else self._seconds_since(before.served_at)
        self.judged.append(Judged(token, situation, drill, graded, is_hinted, seconds, not before.is_verdict_shown))
        self._add_mark(round_, event.box, judgement, graded, is_hinted, token)

    def _seconds_since(self, shown: int) -> float:
        """A time to answer as it counts and is stored, to the millisecond."""
        return round(timing.capped((self._now - shown) / 1000), 3)

    def _judge_clock(self, round_: Round) -> None:
        """What the clock does costs as well, though it is nobody's decision."""
        for box in filter(partial(_has_choice, round_), self.seat.awaited()):
            judgement = judge(round_, box, self._strategy.chart)
            chosen = "stand" if round_.active else str(EventKind.DECLINE)
            graded = grade(_drill_judgement(judgement), chosen, self._grading)
            self._add_mark(round_, box, judgement, graded, is_hinted=False, token="")

    def _add_mark(
        self, round_: Round, box: int, judgement: TableJudgement, graded: Grade, is_hinted: bool, token: str
    ) -> None:
        place, cost = round_.active[1] if round_.active else 0, graded.ev_cost * round_.boxes[box].bet
        drill = _drill_judgement(judgement)
        reasons = explain(self._strategy, situation_at(round_, box, drill), drill)
        mark = Mark(box, place, cards_text(round_.asked_hand(box).cards), str(round_.upcard), graded.chosen,
                    graded.expected, drill.chart, drill.exact, dict(drill.evs), graded.ev_cost, cost, graded.is_right,
                    is_hinted, judgement.is_estimate, token, reasons)
        table = replace(self.seat.table, account=self.seat.table.account.with_decision(cost))
        self.seat = replace(self.seat, table=table, marks=(*self.seat.marks, mark))
        if self.rounds:  # the decision ended its round
            self.rounds[-1] = replace(self.rounds[-1], ev_given_up=sum(each.cost for each in self.seat.marks))


def hints_for(seat: Seat, chart: Chart) -> dict[int, Hint]:
    """For every own box that has a choice, what each answer is worth; nothing while bets are made."""
    round_ = seat.round
    if round_ is None:
        return {}
    hints = {}
    for box in filter(partial(_has_choice, round_), seat.awaited()):
        judgement = _drill_judgement(judge(round_, box, chart))
        hints[box] = Hint(situation_at(round_, box, judgement), judgement)
    return hints


def situation_at(round_: Round, box: int, judgement: Judgement) -> Situation:
    """The decision that a box has to make, with the cards in view."""
    rules, hand = round_.terms.rules, Hand(round_.asked_hand(box).cards)
    if round_.phase == Phase.INSURANCE:
        unseen = unseen_counts(round_)
        return Situation(rules, hand, round_.upcard, UnseenCards(unseen[TEN - 1], sum(unseen)))
    seen = list(seen_cards(round_))
    for card in (*hand.cards, round_.upcard):
        seen.remove(card)
    return Situation(rules, hand, round_.upcard, table=TableCards(tuple(seen), tuple(judgement.evs)))


def _has_choice(round_: Round, box: int) -> bool:
    """Whether a box has a decision to make: past betting, and with more than one answer.

    Insurance of one box may take the chips for that of the next, which was offered at the same time.
    """
    return round_.phase != Phase.BETTING and len(answers(round_, box)) > 1


def insurance_bounds(round_: Round, box: int) -> tuple[int, int]:
    """Least and most that insurance of a box may be, in tenths."""
    return insurance_range(round_.terms.rules, round_.boxes[box].bet)


def _drill_word(word: str) -> str:
    """The drill's word for an answer: even money is insurance of a natural."""
    return INSURE if word == EVEN_MONEY else word


def _drill_judgement(judgement: TableJudgement) -> Judgement:
    evs = {_drill_word(word): ev for word, ev in judgement.evs.items()}
    return Judgement(evs, _drill_word(judgement.chart), _drill_word(judgement.exact))
