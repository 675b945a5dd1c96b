"""Wrong answers, a page at a time; page 1 and page 1,000 cost the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, literal, or_, select, text, tuple_

from trainer.storage.decisions import DECISIONS, DecisionQuery, DecisionRow, decision_row, decisions
from trainer.storage.models import Decision, RuleSet

NEWEST, COSTLIEST = "newest", "costliest"
_ORDERS = {
    NEWEST: (DECISIONS.c.created_at, DECISIONS.c.id),
    COSTLIEST: (DECISIONS.c.ev_cost, DECISIONS.c.created_at, DECISIONS.c.id),
}


Place = tuple[float, datetime, int]


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
    columns = _ORDERS[query.order]
    wanted = _narrow(decisions(), user_id, query).order_by(*(column.desc() for column in columns))
    if query.after:
        # One comparison of whole rows, which an index can begin at.
        place = zip(query.after[-len(columns):], columns, strict=True)
        wanted = wanted.where(tuple_(*columns) < tuple_(*(literal(value, column.type) for value, column in place)))
    return [decision_row(row) for row in connection.execute(wanted.limit(limit))]


def place_of(mistake: DecisionRow) -> Place:
    """Where a list goes on behind a mistake."""
    return mistake.ev_cost, mistake.created_at, mistake.id


def _narrow(wanted: DecisionQuery, user_id: int, query: MistakeQuery) -> DecisionQuery:
    # Written out, so that both databases see that the partial indexes fit.
    wanted = wanted.where(DECISIONS.c.user_id == user_id, text("decisions.is_mistake"))
    section, row = query.row or ("", 0)
    equal = (("category", query.category), ("category", section), ("row", row), ("upcard_rank", query.upcard_rank),
             ("chosen", query.move))
    wanted = wanted.where(*(DECISIONS.c[name] == value for name, value in equal if value))
    if query.since:
        wanted = wanted.where(DECISIONS.c.created_at >= query.since)
    if query.before:
        wanted = wanted.where(DECISIONS.c.created_at < query.before)
    if query.strategy_hash:
        wanted = wanted.where(DECISIONS.c.rule_set_id.in_(
            select(RuleSet.id).where(RuleSet.strategy_hash == query.strategy_hash)))
    return wanted
