"""A seat between reading and writing: every change in one transaction and one order, whatever happens at once."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from random import Random, SystemRandom

from trainer.drill import timing
from trainer.drill.plan import Plan
from trainer.engine.actions import Action
from trainer.engine.rules import Rules
from trainer.engine.strategy import Strategy
from trainer.service.keeping import local_day, paces_after
from trainer.service.playing import Hint, Judged, Play, hints_for
from trainer.service.preferences import Preferences
from trainer.service.seat import Seat
from trainer.service.strategies import StrategyCache
from trainer.storage.decisions import NewDecision
from trainer.storage.tables import ConflictError, PurseRow, RoundRow, find_seat, last_rounds, save_seat
from trainer.storage.transaction import Connection, DuplicateError, transaction
from trainer.storage.users import UserRow, ensure_rule_set, ensure_user, find_user, mark_seen
from trainer.table.errors import SeatError, StaleEventError, StateError
from trainer.table.event import Event, EventKind, Happening
from trainer.table.solo import PLAYER
from trainer.table.view import RoundView, view_of

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


class SeatKeeper(ABC):
    """What tables and hands that are played out have in common.

    ``random`` shuffles and bets for residents: the system's own for real play.
    """

    def __init__(self, strategies: StrategyCache, random: Random | None = None) -> None:
        self._strategies, self._random = strategies, random or SystemRandom()

    def look(self, visitor: str | None, key: str, now: datetime) -> TableState:
        """The visitor's seat as it is now, the clock's doings included; ``NotSeatedError`` where there is none."""
        return self._change(visitor, key, now, Preferences(), lambda _play: None)

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

    @abstractmethod
    def _rules_of(self, key: str) -> Rules:
        """What is played at a seat."""

    @abstractmethod
    def _keep_decision(
        self, connection: Connection, user: UserRow, key: str, judged: Judged, preferences: Preferences, now: datetime
    ) -> NewDecision:
        """Store a decision with all that is summed up over it."""

    @abstractmethod
    def _keep_chips(self, connection: Connection, user_id: int, play: Play) -> None:
        """Store what a request brought about beside the seat and its decisions."""

    @abstractmethod
    def _purse_of(self, connection: Connection, user_id: int, key: str) -> PurseRow | None:
        """The purse as it is stored."""

    def _change(
        self, visitor: str | None, key: str, now: datetime, preferences: Preferences, work: Callable[[Play], None], *,
        always: bool = False,
    ) -> TableState:
        """Read, work out, store over what was read; where another request has been faster, anew in its turn."""
        strategy = self._strategies.get(self._rules_of(key))

        def try_on(seat: Seat) -> tuple[Play, bool]:
            play = self._play(seat, strategy, preferences, now)
            try:
                work(play)
                is_told = always
            except StaleEventError:  # what was asked is done already
                play, is_told = self._play(seat, strategy, preferences, now), False
            return play, is_told or play.has_changed or play.seat.number != seat.number

        with transaction() as connection:
            user_id, seat = self._read(connection, visitor, key)
        play, is_changed = try_on(seat)
        try:
            if is_changed:
                with transaction(writes=True) as connection:
                    self._store(connection, visitor or "", play, preferences, now)
        except (ConflictError, DuplicateError):
            # Now nobody else's turn may come between reading and writing.
            with transaction(writes=True) as connection:
                ensure_user(connection, visitor or "", now)
                play, is_changed = try_on(self._read(connection, visitor, key)[1])
                if is_changed:
                    self._store(connection, visitor or "", play, preferences, now)
        return self._state(user_id, play, strategy)

    def _play(self, seat: Seat, strategy: Strategy, preferences: Preferences, now: datetime) -> Play:
        play = Play(seat, strategy, self._random, milliseconds(now), preferences.grading)
        play.catch_up()
        return play

    def _state(self, user_id: int | None, play: Play, strategy: Strategy) -> TableState:
        seat = play.seat
        rounds: Sequence[RoundRow] = ()
        if user_id is not None and not seat.table.is_playing:
            with transaction() as connection:
                rounds = last_rounds(connection, user_id, seat.key, seat.first, _ROUNDS_DRAWN)
        hints = hints_for(seat, strategy.chart) if seat.is_hinting else {}
        view = view_of(seat.round, PLAYER) if seat.round else None
        return TableState(seat, view, tuple(play.happenings), hints, rounds, strategy.exact.edge)

    def _read(self, connection: Connection, visitor: str | None, key: str) -> tuple[int, Seat]:
        user = find_user(connection, visitor) if visitor else None
        row = find_seat(connection, user.id, key) if user else None
        purse = self._purse_of(connection, user.id, key) if user else None
        if user is None or row is None or not row.is_seated:
            raise NotSeatedError(key)
        try:
            return user.id, Seat.from_rows(row, purse)
        except StateError:  # of another version of the program: one sits down anew
            raise NotSeatedError(key) from None

    def _store(self, connection: Connection, visitor: str, play: Play, preferences: Preferences, now: datetime) -> None:
        user = ensure_user(connection, visitor, now)
        save_seat(connection, user.id, play.seat.to_row(), now)
        self._keep_chips(connection, user.id, play)
        paces, at = user.paces, user.moment(now)
        for judged in play.judged:
            new = self._keep_decision(connection, user, play.seat.key, judged, preferences, at)
            paces = paces_after(paces, new) if judged.tells_pace else paces
        mark_seen(connection, user.id, at, paces)


def new_decision(
    connection: Connection, user: UserRow, judged: Judged, plan: Plan, mode: str, preferences: Preferences,
    now: datetime, session_id: int | None = None,
) -> NewDecision:
    """A judged decision as the history keeps it; it is slow by what the user takes for hands like it."""
    is_slow = judged.tells_pace and judged.seconds is not None and timing.is_slow(
        judged.seconds, user.paces.get(judged.situation.category, []))
    return NewDecision(
        token=judged.token, user_id=user.id, session_id=session_id,
        rule_set_id=ensure_rule_set(connection, judged.situation.rules), plan=plan.to_query(), position=0, mode=mode,
        kind="", situation=judged.situation, judgement=judged.judgement, grade=judged.grade,
        grading=preferences.grading, is_hinted=judged.is_hinted, is_slow=is_slow, seconds=judged.seconds,
        day=local_day(now, preferences), created_at=now,
    )


def milliseconds(now: datetime) -> int:
    """A moment on the clock of rounds."""
    return round(now.timestamp() * 1000)


def _event(asked: Asked, box: int, word: str, amount: int | None) -> Event:
    if word in set(Action):
        return Event(EventKind.MOVE, asked.step, box, action=Action(word))
    if word not in (EventKind.INSURE, EventKind.EVEN_MONEY, EventKind.DECLINE):
        raise SeatError(f"{word[:40]!r} is no answer here" if word else "choose a move first")
    return Event(EventKind(word), asked.step, box, amount=amount or 0 if word == EventKind.INSURE else 0)
