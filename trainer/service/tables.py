"""Playing at a table: sitting down, betting, deciding, leaving; every change in one transaction and one order."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from trainer.drill.plan import Plan
from trainer.engine.rule_key import key_of
from trainer.engine.rules import Rules
from trainer.service.keeping import keep
from trainer.service.playing import Judged, Play
from trainer.service.preferences import Preferences
from trainer.service.seat import AT_ONCE, Seat, is_readable
from trainer.service.seat_keeping import Asked, NotSeatedError, SeatKeeper, TableState, new_decision
from trainer.storage.decisions import NewDecision
from trainer.storage.tables import (
    PurseRow,
    RoundRow,
    add_round,
    find_purse,
    find_seat,
    purses_of,
    save_purse,
    save_seat,
    seated_at,
)
from trainer.storage.transaction import Connection, transaction
from trainer.storage.users import UserRow, ensure_user, find_user
from trainer.table.errors import StaleEventError, TurnError
from trainer.table.purse import Purse
from trainer.table.round import Phase
from trainer.table.solo import sit_down
from trainer.table.spec import CUSTOM_KEY, PLAY_OUT, TableSpec, purse_key, table_spec

__all__ = ["Asked", "NotSeatedError", "RoundRow", "TableService", "TableState"]

TABLE_MODE = "table"


class TableService(SeatKeeper):
    """The use cases of the tables."""

    def _rules_of(self, key: str) -> Rules:
        return table_spec(key).terms.rules

    def _keep_chips(self, connection: Connection, user_id: int, play: Play) -> None:
        save_purse(connection, user_id, PurseRow(purse_key(play.seat.key), play.seat.purse, play.seat.purse_version))
        for row in play.rounds:
            add_round(connection, user_id, play.seat.key, row)

    def _keep_decision(
        self, connection: Connection, user: UserRow, key: str, judged: Judged,  # noqa: ARG002
        preferences: Preferences, now: datetime,
    ) -> NewDecision:
        plan = Plan(key_of(judged.situation.rules))
        new = new_decision(connection, user, judged, plan, TABLE_MODE, preferences, now)
        keep(connection, new, preferences.daily_goal)
        return new

    def _purse_of(self, connection: Connection, user_id: int, key: str) -> PurseRow | None:
        return find_purse(connection, user_id, purse_key(key))

    def purses(self, visitor: str | None) -> tuple[Mapping[str, Purse], Sequence[str]]:
        """A visitor's purses by key, and the addresses of the tables at which they sit."""
        if visitor is None:
            return {}, ()
        with transaction() as connection:
            user = find_user(connection, visitor)
            return (purses_of(connection, user.id), _tables(seated_at(connection, user.id))) if user else ({}, ())

    def rounds_in_play(self, visitor: str | None) -> Sequence[str]:
        """The addresses of the tables at which a round of the visitor's is in progress."""
        purses, _ = self.purses(visitor)
        return [key.removeprefix(f"{CUSTOM_KEY}:") if purse.table == CUSTOM_KEY else purse.table
                for key, purse in purses.items() if purse.table]

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
        with transaction(writes=True) as connection:
            user = ensure_user(connection, visitor, now)
            row, stored = find_seat(connection, user.id, key), find_purse(connection, user.id, purse_key(key))
            if row and row.is_seated and is_readable(row):
                return
            purse = stored.purse if stored else spec.purse.new()
            # Chips may be bound to a round that nobody can read any more.
            is_stuck = bool(row and row.is_seated) and purse.table == spec.key
            purse = replace(purse, table=None) if is_stuck else purse
            table = sit_down(spec, purse, own=own, residents=residents, place=place,
                             has_clock=has_clock and spec.terms.clock is not None)
            number, version = (row.number, row.version) if row else (0, 0)
            seat = Seat(key, table, purse, number=number, first=number, version=version,
                        is_hinting=row.is_hinting if row else False, verdicts=row.verdicts if row else AT_ONCE)
            save_seat(connection, user.id, seat.to_row(), now)
            if stored is None or is_stuck:
                save_purse(connection, user.id, PurseRow(purse_key(key), purse, stored.version if stored else 0))

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

    def leave(self, visitor: str | None, key: str, now: datetime) -> None:
        """Get up; ``TurnError`` while cards are on the table."""
        def work(play: Play) -> None:
            play.sit_out()
            if play.seat.table.is_playing:
                raise TurnError("finish the round first; it is kept for you if you go away")
            play.seat = replace(play.seat, is_seated=False)

        self._change(visitor, key, now, Preferences(), work, always=True)


def _tables(keys: Sequence[str]) -> Sequence[str]:
    """The seats that are at tables: hands that are played out have one of their own."""
    return [key for key in keys if not key.startswith(PLAY_OUT)]


def _is_stale(seat: Seat, asked: Asked) -> bool:
    return seat.round is None or seat.number != asked.number or asked.step < seat.round.asked_at
