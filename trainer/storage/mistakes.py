"""Wrong answers, a page at a time; page 1 and page 1,000 cost the same.

Where many pass a filter, a walk through all in order soon meets a page of them. Where few do, an index leads to those,
and they are put in order.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    Select,
    TextClause,
    func,
    literal,
    or_,
    select,
    text,
    tuple_,
    union_all,
)

from trainer.drill.mistake_filter import CATEGORIES_OF
from trainer.drill.situation import CATEGORIES
from trainer.engine.chart import UPCARD_ORDER
from trainer.storage.cells import RECORDS, CellRecord, record_of
from trainer.storage.decisions import DECISIONS, DecisionRow, decision_row, decisions
from trainer.storage.models import CATEGORY, CELL, Decision, RuleSet, Tally, table_of

_TALLIES = table_of(Tally)
NEWEST, COSTLIEST = "newest", "costliest"
_ORDERS = {
    NEWEST: ("created_at", "id"),
    COSTLIEST: ("ev_cost", "created_at", "id"),
}
_PLACE = ("strategy_hash", "category", "row", "upcard_rank")
# So many are put in order at once.
_FEW = 1_000
_MANY = _FEW + 1

Place = tuple[float, datetime, int]
Keys = Select[*tuple[Any, ...]]
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
    most = _most_by_category(connection, user_id, query) if _facets(query) else dict.fromkeys(CATEGORIES, _MANY)
    if not most:
        return []
    # An index alone says which come; only those are read.
    keys = _keys(connection, user_id, query, most, limit).subquery()
    wanted = decisions().where(DECISIONS.c.id.in_(select(keys.c.id))).order_by(*(
        DECISIONS.c[name].desc() for name in _ORDERS[query.order]))
    return [decision_row(row) for row in connection.execute(wanted)]


def list_cells(
    connection: Connection, user_id: int, query: MistakeQuery, limit: int, offset: int = 0
) -> list[CellRecord]:
    """Chart cells with mistakes in them, costliest first; a query's order, move and days do not apply to them."""
    mistakes = _TALLIES.c.decisions - _TALLIES.c.right
    wanted = RECORDS.where(
        _TALLIES.c.user_id == user_id, mistakes > 0, *_facets(replace(query, move="")),
    ).order_by(_TALLIES.c.ev_lost.desc(), mistakes.desc(), *(_TALLIES.c[name] for name in _PLACE))
    return [record_of(row) for row in connection.execute(wanted.limit(limit).offset(offset))]


def place_of(mistake: DecisionRow) -> Place:
    """Where a list goes on behind a mistake."""
    return mistake.ev_cost, mistake.created_at, mistake.id


def _keys(
    connection: Connection, user_id: int, query: MistakeQuery, most: Mapping[str, int], limit: int
) -> Keys:
    """The next of the mistakes, of which there are no more than ``most``, by what they are put in order by."""
    if query.order == NEWEST:
        return _list(connection, user_id, query, sum(most.values()), limit)
    # What mistakes cost in one category is far from what they cost in another, so each has a list of its own.
    lists = (_list(connection, user_id, replace(query, category=category), number, limit).subquery()
             for category, number in most.items())
    return _first(union_all(*map(select, lists)).subquery(), query, limit)


def _list(connection: Connection, user_id: int, query: MistakeQuery, most: int, limit: int) -> Keys:
    """What passes, looked up or walked; by cost of one category."""
    # The limit keeps the order out of it, which would have all walked through.
    some = select(*(DECISIONS.c[name] for name in _ORDERS[query.order])).where(*_mistakes_of(user_id)).limit(_FEW + 1)
    days = _days(query, DECISIONS.c.created_at)
    if most <= _FEW or query.move:
        at_places = some.where(*_places(user_id, query))
        if most <= _FEW or _count(connection, at_places) <= _FEW:
            return _first(at_places.where(*_hidden(query)).subquery(), query, limit)
    if days and _count(connection, some.where(*days)) <= _FEW:
        return _first(some.where(*days, *_hidden(query)).subquery(), query, limit)
    entry = days if query.order == NEWEST else [DECISIONS.c.category == query.category]
    return _first(DECISIONS, query, limit).where(*_mistakes_of(user_id), *entry, *_hidden(query))


def _first(rows: FromClause, query: MistakeQuery, limit: int) -> Keys:
    """The first of some, behind the place where a list goes on."""
    columns = [rows.c[name] for name in _ORDERS[query.order]]
    wanted = select(*columns).order_by(*(column.desc() for column in columns)).limit(limit)
    if not query.after:
        return wanted
    # One comparison of whole rows, which an index can begin at.
    place = zip(query.after[-len(columns):], columns, strict=True)
    return wanted.where(tuple_(*columns) < tuple_(*(literal(value, column.type) for value, column in place)))


def _mistakes_of(user_id: int) -> Conditions:
    # Written out, so that both databases see that the partial indexes fit.
    return [DECISIONS.c.user_id == user_id, text("decisions.is_mistake")]


def _facets(query: MistakeQuery) -> Conditions:
    """The filters as far as the tallies of cells know them: all but the days, of the move where it can be made."""
    found: Conditions = [_TALLIES.c[name] == value for name, value in _cell(query)]
    if query.strategy_hash:
        found.append(_TALLIES.c.strategy_hash == query.strategy_hash)
    if query.move:
        found.append(_TALLIES.c.category.in_(CATEGORIES_OF[query.move]))
    return found


def _most_by_category(connection: Connection, user_id: int, query: MistakeQuery) -> dict[str, int]:
    """No more mistakes than these pass a filter, by the tallies; a category where none do is left out."""
    most = func.sum(_TALLIES.c.decisions - _TALLIES.c.right)
    wanted = select(_TALLIES.c.category, most.label("most")).where(
        _TALLIES.c.user_id == user_id, _TALLIES.c.scope == CELL, *_facets(query)).group_by(_TALLIES.c.category)
    return {row.category: row.most for row in connection.execute(wanted) if row.most}


def _places(user_id: int, query: MistakeQuery) -> Conditions:
    """The filters as conditions on the first columns of ``ix_mistakes_places``, in their order and without a gap."""
    played = select(_TALLIES.c.strategy_hash).where(_TALLIES.c.user_id == user_id, _TALLIES.c.scope == CATEGORY)
    rules = select(RuleSet.id).where(
        RuleSet.strategy_hash == query.strategy_hash if query.strategy_hash else RuleSet.strategy_hash.in_(played))
    found: Conditions = [DECISIONS.c.rule_set_id.in_(rules),
                         DECISIONS.c.chosen.in_([query.move] if query.move else list(CATEGORIES_OF))]
    category, row = query.row or (query.category, 0)
    if query.upcard_rank or category:
        found.append(DECISIONS.c.upcard_rank.in_([query.upcard_rank] if query.upcard_rank else UPCARD_ORDER))
    if category:
        found.append(DECISIONS.c.category == category)
    if row:
        found.append(DECISIONS.c.row == row)
    return found


def _hidden(query: MistakeQuery) -> Conditions:
    """All filters, put so that no index can look them up: what is walked or looked up by is settled before."""
    found: Conditions = [_covered(name) == value for name, value in _cell(query)]
    if query.move:
        found.append(_covered("chosen") == query.move)
    if query.strategy_hash:
        found.append(_covered("rule_set_id").in_(
            select(RuleSet.id).where(RuleSet.strategy_hash == query.strategy_hash)))
    return [*found, *_days(query, _covered("created_at"))]


def _cell(query: MistakeQuery) -> list[tuple[str, object]]:
    """What a query says of the cell of the chart, by columns that decisions and tallies have alike."""
    section, row = query.row or ("", 0)
    said = (("category", query.category), ("category", section), ("row", row), ("upcard_rank", query.upcard_rank))
    return [(name, value) for name, value in said if value]


def _covered(name: str) -> ColumnElement[Any]:
    return func.coalesce(DECISIONS.c[name], DECISIONS.c[name])


def _days(query: MistakeQuery, at: ColumnElement[datetime]) -> Conditions:
    return [*([at >= query.since] if query.since else []), *([at < query.before] if query.before else [])]


def _count(connection: Connection, some: Select[*tuple[Any, ...]]) -> int:
    return connection.execute(select(func.count()).select_from(some.subquery())).scalar_one()
