"""Playing at a table: sitting down, betting, deciding, leaving; every change in one transaction and one order."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from random import Random, SystemRandom

from trainer.drill.plan import Plan
from trainer.engine.actions import Action
from trainer.engine.rule_key import key_of
from trainer.engine.strategy import Strategy
from trainer.service.keeping import keep, local_day
from trainer.service.playing import Hint, Judged, Play, hints_for
from trainer.service.preferences import Preferences
from trainer.service.seat import AT_ONCE, Seat, purse_key, rules_of_table, table_spec
from trainer.service.strategies import StrategyCache
from trainer.storage.decisions import NewDecision
from trainer.storage.tables import (
    ConflictError,
    PurseRow,
    RoundRow,
    add_round,
    find_purse,
    find_seat,
    last_rounds,
    purses_of,
    save_purse,
    save_seat,
    seated_at,
)
from trainer.storage.transaction import DuplicateError, Session, StorageError, transaction
from trainer.storage.users import ensure_rule_set, ensure_user, find_user
from trainer.table.errors import SeatError, StaleEventError, TurnError
from trainer.table.event import Event, EventKind, Happening
from trainer.table.purse import Purse
from trainer.table.round import Phase
from trainer.table.solo import PLAYER, sit_down
from trainer.table.spec import TableSpec
from trainer.table.view import RoundView, view_of

__all__ = ["NotSeatedError", "RoundRow", "TableService", "TableState"]

TABLE_MODE = "table"
# So often a request starts anew after another one of the same user's has been faster.
_TRIES = 5
_ROUNDS_DRAWN = 200


class NotSeatedError(LookupError):
    """Nobody sits there: not this visitor, at least."""


@dataclass(frozen=True)
class TableState:
    """A seat as its owner may see it.

    ``view`` is the present or last round; ``happenings`` what this request brought about; ``hints`` by box, where they
    are asked for; ``rounds`` of this sitting, oldest first, while none is being played; ``edge`` of exact play in bets.
    """

    seat: Seat
    view: RoundView | None
    happenings: tuple[Happening, ...]
    hints: Mapping[int, Hint]
    rounds: Sequence[RoundRow]
    edge: float


@dataclass(frozen=True)
class Asked:
    """Which question an answer is for: the number of its round, and its step."""

    number: int
    step: int


class TableService:
    """The use cases of the tables. ``random`` shuffles and bets for residents: the system's own for real play."""

    def __init__(self, strategies: StrategyCache, random: Random | None = None) -> None:
        self._strategies, self._random = strategies, random or SystemRandom()

    def purses(self, visitor: str | None) -> tuple[Mapping[str, Purse], Sequence[str]]:
        """A visitor's purses by key, and the addresses of the tables at which they sit."""
        if visitor is None:
            return {}, ()
        with transaction() as session:
            user = find_user(session, visitor)
            return (purses_of(session, user.id), seated_at(session, user.id)) if user else ({}, ())

    def purse_at(self, visitor: str | None, key: str) -> tuple[TableSpec, Purse]:
        """A table and what the visitor would play from there."""
        spec = table_spec(key)
        purses, _ = self.purses(visitor)
        return spec, purses.get(purse_key(key), spec.purse.new()).refilled(spec.purse)

    def sit_down(
        self, visitor: str, key: str, now: datetime, *, own: int = 1, residents: int = 0, place: int = 0,
        has_clock: bool = True,
    ) -> None:
        """Take a seat, where the visitor has none there; ``SeatError`` where that is not possible."""
        spec = table_spec(key)
        with transaction(writes=True) as session:
            user = ensure_user(session, visitor, now)
            row, stored = find_seat(session, user.id, key), find_purse(session, user.id, purse_key(key))
            if row and row.is_seated:
                return
            purse = stored.purse if stored else spec.purse.new()
            table = sit_down(spec, purse, own=own, residents=residents, place=place,
                             has_clock=has_clock and spec.terms.clock is not None)
            number, version = (row.number, row.version) if row else (0, 0)
            seat = Seat(key, table, purse, number=number, first=number, version=version,
                        is_hinting=row.is_hinting if row else False, verdicts=row.verdicts if row else AT_ONCE)
            save_seat(session, user.id, seat.to_rows()[0], now)
            if stored is None:
                save_purse(session, user.id, PurseRow(purse_key(key), purse))

    def look(self, visitor: str | None, key: str, now: datetime) -> TableState:
        """The visitor's seat as it is now, the clock's doings included; ``NotSeatedError`` where there is none."""
        return self._change(visitor, key, now, Preferences(), lambda _play: None)

    def begin(self, visitor: str | None, key: str, number: int, now: datetime) -> TableState:
        """Open the round after round ``number`` for bets, so that its clock begins to run."""
        def work(play: Play) -> None:
            play.open_round(number)
            play.catch_up()

        return self._change(visitor, key, now, Preferences(), work)

    def bet(
        self, visitor: str | None, key: str, asked: Asked, amounts: Sequence[int], preferences: Preferences,
        now: datetime,
    ) -> TableState:
        """Bet on the own boxes, in tenths, and be dealt cards; opens the round where that has not been done.

        ``BetError`` or ``ChipsError`` where that is no bet; nothing has changed then.
        """
        def work(play: Play) -> None:
            if not play.seat.table.is_playing:
                play.open_round(asked.number)
            elif _is_stale(play.seat, asked) or play.seat.round is None or play.seat.round.phase != Phase.BETTING:
                raise StaleEventError("that has been bet already")
            play.bet(amounts)

        return self._change(visitor, key, now, preferences, work)

    def answer(
        self, visitor: str | None, key: str, asked: Asked, box: int, word: str, amount: int | None,
        preferences: Preferences, now: datetime,
    ) -> TableState:
        """Decide: a move, or ``insure``, ``even money``, ``decline``; ``amount`` of insurance in tenths,
        ``None`` for half the bet.

        The second answer to a question changes nothing. ``TableError`` or ``IllegalActionError`` where the answer is
        none; nothing has changed then.
        """
        event = _event(asked, box, word, amount)
        is_half = word == EventKind.INSURE and amount is None

        def work(play: Play) -> None:
            if play.seat.number != asked.number:
                raise StaleEventError("that round is over")
            play.answer(event, is_half=is_half)

        return self._change(visitor, key, now, preferences, work)

    def set_options(
        self, visitor: str | None, key: str, now: datetime, *, is_hinting: bool, verdicts: str
    ) -> TableState:
        """Hints on or off; verdicts after each decision or after the round."""
        def work(play: Play) -> None:
            play.seat = replace(play.seat.with_hinting(is_hinting=is_hinting), verdicts=verdicts)

        return self._change(visitor, key, now, Preferences(), work, always=True)

    def leave(self, visitor: str | None, key: str, now: datetime) -> None:
        """Get up; ``TurnError`` while cards are on the table."""
        def work(play: Play) -> None:
            play.sit_out()
            if play.seat.table.is_playing:
                raise TurnError("finish the round first; it is kept for you if you go away")
            play.seat = replace(play.seat, is_seated=False)

        self._change(visitor, key, now, Preferences(), work, always=True)

    def _change(
        self, visitor: str | None, key: str, now: datetime, preferences: Preferences, work: Callable[[Play], None], *,
        always: bool = False,
    ) -> TableState:
        """Read, work out, store over what was read; anew where another request has been faster."""
        strategy = self._strategies.get(rules_of_table(key))
        for _ in range(_TRIES):
            user_id, seat = _read(visitor, key)
            play = self._play(seat, strategy, preferences, now)
            try:
                work(play)
            except StaleEventError:  # what was asked is done already
                play, always = self._play(seat, strategy, preferences, now), False
            if not play.has_changed and play.seat.number == seat.number and not always:
                return self._state(user_id, play, strategy)
            try:
                with transaction(writes=True) as session:
                    _store(session, visitor or "", play, preferences, now)
            except (ConflictError, DuplicateError):
                continue
            return self._state(user_id, play, strategy)
        raise StorageError("too many at once")

    def _play(self, seat: Seat, strategy: Strategy, preferences: Preferences, now: datetime) -> Play:
        play = Play(seat, strategy.chart, self._random, round(now.timestamp() * 1000), preferences.grading)
        play.catch_up()
        return play

    def _state(self, user_id: int, play: Play, strategy: Strategy) -> TableState:
        seat = play.seat
        rounds: Sequence[RoundRow] = ()
        if not seat.table.is_playing:
            with transaction() as session:
                rounds = last_rounds(session, user_id, seat.key, seat.first, _ROUNDS_DRAWN)
        hints = hints_for(seat, strategy.chart) if seat.is_hinting else {}
        view = view_of(seat.round, PLAYER) if seat.round else None
        return TableState(seat, view, tuple(play.happenings), hints, rounds, strategy.exact.edge)


def _read(visitor: str | None, key: str) -> tuple[int, Seat]:
    with transaction() as session:
        user = find_user(session, visitor) if visitor else None
        row = find_seat(session, user.id, key) if user else None
        purse = find_purse(session, user.id, purse_key(key)) if user else None
    if user is None or row is None or not row.is_seated:
        raise NotSeatedError(key)
    return user.id, Seat.from_rows(row, purse)


def _store(session: Session, visitor: str, play: Play, preferences: Preferences, now: datetime) -> None:
    user = ensure_user(session, visitor, now)
    seat, purse = play.seat.to_rows()
    save_seat(session, user.id, seat, now)
    save_purse(session, user.id, purse)
    for row in play.rounds:
        add_round(session, user.id, seat.key, row)
    for judged in play.judged:
        keep(session, _new_decision(session, user.id, judged, preferences, now), preferences.daily_goal)


def _new_decision(
    session: Session, user_id: int, judged: Judged, preferences: Preferences, now: datetime
) -> NewDecision:
    rules = judged.situation.rules
    return NewDecision(
        token=judged.token, user_id=user_id, session_id=None, rule_set_id=ensure_rule_set(session, rules),
        plan=Plan(key_of(rules)).to_query(), position=0, mode=TABLE_MODE, kind="", situation=judged.situation,
        judgement=judged.judgement, grade=judged.grade, grading=preferences.grading, is_hinted=judged.is_hinted,
        is_slow=False, seconds=None, day=local_day(now, preferences), created_at=now,
    )


def _is_stale(seat: Seat, asked: Asked) -> bool:
    return seat.round is None or seat.number != asked.number or asked.step < seat.round.asked_at


def _event(asked: Asked, box: int, word: str, amount: int | None) -> Event:
    if word in set(Action):
        return Event(EventKind.MOVE, asked.step, box, action=Action(word))
    if word not in (EventKind.INSURE, EventKind.EVEN_MONEY, EventKind.DECLINE):
        raise SeatError(f"{word[:40]!r} is no answer here" if word else "choose a move first")
    return Event(EventKind(word), asked.step, box, amount=amount or 0 if word == EventKind.INSURE else 0)
