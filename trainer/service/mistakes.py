"""Mistakes: lists of them by the page, one by one or by chart cell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

from trainer.drill.mistake_filter import MistakeFilter
from trainer.drill.parameters import ROWS_BY_NAME, UPCARDS_BY_NAME
from trainer.engine.rules import Rules
from trainer.storage.cells import CellRecord
from trainer.storage.decisions import DecisionRow
from trainer.storage.memories import last_right
from trainer.storage.mistakes import COSTLIEST, NEWEST, MistakeQuery, Place, list_cells, list_mistakes, place_of
from trainer.storage.saved_rules import rules_of_strategies
from trainer.storage.transaction import Connection, transaction
from trainer.storage.users import find_user

__all__ = ["COSTLIEST", "NEWEST", "CellRecord", "DecisionRow", "Place"]

PAGE_SIZE = 25


@dataclass(frozen=True)
class MistakePage:
    """Some mistakes and, where there are more, where the next page begins.

    ``right_since`` are the ids of those whose cell was answered again since, the last time right.
    """

    mistakes: Sequence[DecisionRow]
    next_after: Place | None
    right_since: frozenset[int] = frozenset()


@dataclass(frozen=True)
class CellPage:
    """Chart cells with mistakes in them, costliest first, the rules of their strategies, and whether more follow."""

    cells: Sequence[CellRecord]
    rules: Mapping[str, Rules]
    has_more: bool


def query_of(
    wanted: MistakeFilter, strategy_hash: str, order: str, time_zone: str = "", after: Place | None = None
) -> MistakeQuery:
    """A filter as the database is asked: days are those of the time zone, ``strategy_hash`` is empty for any rules."""
    zone = ZoneInfo(time_zone) if time_zone else UTC
    return MistakeQuery(
        order, wanted.category, ROWS_BY_NAME.get(wanted.row), UPCARDS_BY_NAME.get(wanted.upcard, 0), strategy_hash,
        wanted.move, _midnight(wanted.since, zone), _midnight(wanted.until, zone, days=1), after,
    )


def page_of_mistakes(visitor: str | None, query: MistakeQuery) -> MistakePage:
    """One page of a visitor's own mistakes."""
    if visitor is None:
        return MistakePage((), None)
    with transaction() as connection:
        user = find_user(connection, visitor)
        if user is None:
            return MistakePage((), None)
        found = list_mistakes(connection, user.id, query, PAGE_SIZE + 1)
        page = found[:PAGE_SIZE]
        right_since = _right_since(connection, user.id, page)
    return MistakePage(page, place_of(page[-1]) if len(found) > PAGE_SIZE else None, right_since)


def page_of_cells(visitor: str | None, wanted: MistakeFilter, strategy_hash: str, page: int) -> CellPage:
    """One page, from 0, of the cells that a visitor gets wrong; a filter's move and days do not apply to them."""
    if visitor is None:
        return CellPage((), {}, has_more=False)
    with transaction() as connection:
        user = find_user(connection, visitor)
        query = query_of(wanted, strategy_hash, COSTLIEST)
        found = list_cells(connection, user.id, query, PAGE_SIZE + 1, page * PAGE_SIZE) if user else []
        rules = rules_of_strategies(connection, {record.strategy_hash for record in found})
    return CellPage(found[:PAGE_SIZE], rules, len(found) > PAGE_SIZE)


def _right_since(connection: Connection, user_id: int, mistakes: Sequence[DecisionRow]) -> frozenset[int]:
    """Which mistakes were made good. Insurance is no cell: what is right there hangs on the cards left."""
    places = {each.id: (each.situation.rules.strategy_hash, cell) for each in mistakes if (cell := each.situation.cell)}
    answered = last_right(connection, user_id, set(places.values())) if places else {}
    return frozenset(each.id for each in mistakes
                     if each.id in places and answered.get(places[each.id], each.created_at) > each.created_at)


def _midnight(day: str, zone: tzinfo, days: int = 0) -> datetime | None:
    """When a local day begins, or that many days later; at the ends of the calendar there is no such limit."""
    if not day:
        return None
    try:
        return datetime.combine(date.fromisoformat(day) + timedelta(days), time(), zone).astimezone(UTC)
    except OverflowError:
        return None
