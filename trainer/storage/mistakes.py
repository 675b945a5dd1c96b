"""Wrong answers, a page at a time; page 1 and page 1,000 cost the same."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, Table, TextClause, func, literal, or_, select, text, tuple_

from trainer.drill.mistake_filter import CATEGORIES_OF
from trainer.storage.cells import RECORDS, CellRecord, record_of
from trainer.storage.decisions import DECISIONS, DecisionRow, decision_row, decisions
from trainer.storage.models import CELL, Decision, RuleSet, Tally, table_of

_TALLIES = table_of(Tally)
NEWEST, COSTLIEST = "newest", "costliest"
_ORDERS = {
    NEWEST: (DECISIONS.c.created_at, DECISIONS.c.id),
    COSTLIEST: (DECISIONS.c.ev_cost, DECISIONS.c.created_at, DECISIONS.c.id),
}
_PLACE = ("strategy_hash", "category", "row", "upcard_rank")
# So many are put in order at once.
_FEW = 500

Place = tuple[float, datetime, int]
Conditions = list[ColumnElement[bool] | TextClause]


@dataclass(frozen=True)
class MistakeQuery:
    """Which mistakes, in which order; empty fields do not filter.

    ``row`` is a chart row by section and number, ``move`` what was chosen; ``since`` is included, ``before`` is not.
    ``after`` continues behind a row: its cost, time and id.
    """

    order: str = NEWEST
    category: str = ""
    row: tuple[str, int] | None = None
    upcard_rank: int = 0
    strategy_hash: str = ""
    move: str = ""
    since: datetime | None = None
    before: datetime | None = None
    after: Place | None = None


def list_missed_and_slow(connection: Connection, sitting_id: int, limit: int) -> Sequence[DecisionRow]:
    """The hands of one practice session that went wrong or took long, costliest and then slowest first."""
    wanted = decisions().where(
        Decision.session_id == sitting_id, or_(Decision.is_mistake, Decision.is_slow),
    ).order_by(Decision.ev_cost.desc(), Decision.time_ms.desc(), Decision.id)
    return [decision_row(row) for row in connection.execute(wanted.limit(limit))]


def list_mistakes(connection: Connection, user_id: int, query: MistakeQuery, limit: int) -> Sequence[DecisionRow]:
    """Up to ``limit`` mistakes in order; time and then ids break ties, so that no row is skipped or repeated."""
    if _facets(query, _TALLIES):
        limit = min(limit, _count_at_most(connection, user_id, query))
    if not limit:
        return []
    columns = _ORDERS[query.order]
    wanted = decisions().where(*_mistakes_of(user_id), *_facets(query, DECISIONS), *_others(connection, user_id, query))
    if query.after:
        # One comparison of whole rows, which an index can begin at.
        place = zip(query.after[-len(columns):], columns, strict=True)
        wanted = wanted.where(tuple_(*columns) < tuple_(*(literal(value, column.type) for value, column in place)))
    found = connection.execute(wanted.order_by(*(column.desc() for column in columns)).limit(limit))
    return [decision_row(row) for row in found]


def list_cells(
    connection: Connection, user_id: int, query: MistakeQuery, limit: int, offset: int = 0
) -> list[CellRecord]:
    """Chart cells with mistakes in them, costliest first; a query's order, move and days do not apply to them."""
    mistakes = _TALLIES.c.decisions - _TALLIES.c.right
    wanted = RECORDS.where(
        _TALLIES.c.user_id == user_id, mistakes > 0, *_facets(replace(query, move=""), _TALLIES),
    ).order_by(_TALLIES.c.ev_lost.desc(), mistakes.desc(), *(_TALLIES.c[name] for name in _PLACE))
    return [record_of(row) for row in connection.execute(wanted.limit(limit).offset(offset))]


def place_of(mistake: DecisionRow) -> Place:
    """Where a list goes on behind a mistake."""
    return mistake.ev_cost, mistake.created_at, mistake.id


def _mistakes_of(user_id: int) -> Conditions:
    # Written out, so that both databases see that the partial indexes fit.
    return [DECISIONS.c.user_id == user_id, text("decisions.is_mistake")]


def _facets(query: MistakeQuery, table: Table) -> Conditions:
    """Where a mistake happened, as the decisions say it and the tallies of cells as well."""
    section, row = query.row or ("", 0)
    equal = (("category", query.category), ("category", section), ("row", row), ("upcard_rank", query.upcard_rank))
    found: Conditions = [table.c[name] == value for name, value in equal if value]
    if query.move:
        found.append(table.c.category.in_(CATEGORIES_OF[query.move]))
    if query.strategy_hash and table is _TALLIES:
        found.append(_TALLIES.c.strategy_hash == query.strategy_hash)
    elif query.strategy_hash:
        found.append(DECISIONS.c.rule_set_id.in_(
            select(RuleSet.id).where(RuleSet.strategy_hash == query.strategy_hash)))
    return found


def _count_at_most(connection: Connection, user_id: int, query: MistakeQuery) -> int:
    """No more mistakes than this pass a filter, by the tallies: who looks for more walks past all the others."""
    wanted = select(func.sum(_TALLIES.c.decisions - _TALLIES.c.right)).where(
        _TALLIES.c.user_id == user_id, _TALLIES.c.scope == CELL, *_facets(query, _TALLIES))
    return connection.execute(wanted).scalar_one() or 0


def _others(connection: Connection, user_id: int, query: MistakeQuery) -> Conditions:
    """What only the decisions know: the move and the days."""
    days = _days(query, DECISIONS.c.created_at)
    if days and query.order == COSTLIEST and not _are_few(connection, [*_mistakes_of(user_id), *days]):
        # Put so that no index can look them up: in the order of cost the first that fit come before all are sorted.
        days = _days(query, func.coalesce(DECISIONS.c.created_at, DECISIONS.c.created_at))
    return [*days, *([DECISIONS.c.chosen == query.move] if query.move else [])]


def _days(query: MistakeQuery, at: ColumnElement[datetime]) -> Conditions:
    return [*([at >= query.since] if query.since else []), *([at < query.before] if query.before else [])]


def _are_few(connection: Connection, conditions: Conditions) -> bool:
    some = select(DECISIONS.c.id).where(*conditions).limit(_FEW + 1).subquery()
    return connection.execute(select(func.count()).select_from(some)).scalar_one() <= _FEW
