"""Wrong answers, a page at a time; page 1 and page 1,000 cost the same."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import or_, select, text
from sqlalchemy.orm import Session

from trainer.storage.decisions import DecisionQuery, DecisionRow, decision_row, decisions
from trainer.storage.models import Decision, RuleSet

NEWEST, COSTLIEST = "newest", "costliest"


@dataclass(frozen=True)
class MistakeQuery:
    """Which mistakes, in which order; empty fields do not filter.

    ``after`` continues behind a row: its cost and id.
    """

    order: str = NEWEST
    category: str = ""
    upcard_rank: int = 0
    strategy_hash: str = ""
    session_id: int = 0
    after: tuple[float, int] | None = None


def list_missed_and_slow(session: Session, sitting_id: int, limit: int) -> Sequence[DecisionRow]:
    """The hands of one practice session that went wrong or took long, costliest and then slowest first."""
    wanted = decisions().where(
        Decision.session_id == sitting_id, or_(Decision.is_mistake, Decision.is_slow),
    ).order_by(Decision.ev_cost.desc(), Decision.time_ms.desc(), Decision.id)
    return [decision_row(row) for row in session.execute(wanted.limit(limit))]


def list_mistakes(session: Session, user_id: int, query: MistakeQuery, limit: int) -> Sequence[DecisionRow]:
    """Up to ``limit`` mistakes in order; ids break ties, so that no row is skipped or repeated."""
    wanted = _narrow(decisions(), user_id, query)
    if query.order == NEWEST:
        if query.after:
            wanted = wanted.where(Decision.id < query.after[1])
        return _first(session, wanted.order_by(Decision.id.desc()), limit)
    by_cost = wanted.order_by(Decision.ev_cost.desc(), Decision.id.desc())
    if query.after is None:
        return _first(session, by_cost, limit)
    # Two steps, each of which an index can begin at: the rest of this cost, then what cost less.
    cost, key = query.after
    alike = wanted.where(Decision.ev_cost == cost, Decision.id < key).order_by(Decision.id.desc())
    found = _first(session, alike, limit)
    return [*found, *_first(session, by_cost.where(Decision.ev_cost < cost), limit - len(found))]


def _first(session: Session, wanted: DecisionQuery, limit: int) -> Sequence[DecisionRow]:
    return [decision_row(row) for row in session.execute(wanted.limit(limit))] if limit else []


def _narrow(wanted: DecisionQuery, user_id: int, query: MistakeQuery) -> DecisionQuery:
    # Written out, so that both databases see that the partial indexes fit.
    wanted = wanted.where(Decision.user_id == user_id, text("decisions.is_mistake"))
    if query.category:
        wanted = wanted.where(Decision.category == query.category)
    if query.upcard_rank:
        wanted = wanted.where(Decision.upcard_rank == query.upcard_rank)
    if query.session_id:
        wanted = wanted.where(Decision.session_id == query.session_id)
    if query.strategy_hash:
        wanted = wanted.where(Decision.rule_set_id.in_(
            select(RuleSet.id).where(RuleSet.strategy_hash == query.strategy_hash)))
    return wanted
