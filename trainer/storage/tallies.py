"""Running sums, kept with every answer, so that pages need not read the history."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from sqlalchemy import select, tuple_
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from trainer.drill import timing
from trainer.storage.decisions import NewDecision
from trainer.storage.models import (
    ALL_DAYS,
    ALL_MODES,
    ALL_ROWS,
    CATEGORY,
    CATEGORY_DAY,
    CELL,
    CELL_DAY,
    Tally,
)

_KEY = ("user_id", "scope", "strategy_hash", "category", "row", "upcard_rank", "mode", "day")
_SUMS = ("decisions", "right", "hinted", "ev_lost", "ev_cost", "times")


@dataclass(frozen=True)
class Sums:
    """Sums over decisions.

    ``decisions``: those that count for accuracy, hinted ones not among them; ``ev_lost``: cost of wrong ones,
    ``ev_cost``: of all that count, in bets; ``times``: histogram of answers that count.
    """

    decisions: int = 0
    right: int = 0
    hinted: int = 0
    ev_lost: float = 0.0
    ev_cost: float = 0.0
    times: timing.Histogram = field(default_factory=dict)

    def __add__(self, other: "Sums") -> "Sums":
        return Sums(
            self.decisions + other.decisions, self.right + other.right, self.hinted + other.hinted,
            self.ev_lost + other.ev_lost, self.ev_cost + other.ev_cost, timing.merge([self.times, other.times]),
        )

    @property
    def accuracy(self) -> float | None:
        """Share of right answers; none without answers."""
        return self.right / self.decisions if self.decisions else None

    @property
    def ev_lost_per_100(self) -> float | None:
        return 100 * self.ev_lost / self.decisions if self.decisions else None


def sums_of(new: NewDecision) -> Sums:
    """What one answer adds to every sum over it."""
    if new.is_hinted:
        return Sums(hinted=1)
    right, cost = int(new.grade.is_right), new.grade.ev_cost
    times = {} if new.seconds is None else timing.add({}, new.seconds)
    return Sums(1, right, 0, 0.0 if right else cost, cost, times)


def count(session: Session, new: NewDecision, strategy_hash: str) -> None:
    """Add one answer to its four tallies; the transaction must hold the write lock."""
    cell = new.situation.cell
    row, upcard = (cell.row if cell else ALL_ROWS), new.situation.upcard.rank
    keys = [
        (CELL_DAY, row, upcard, new.mode, new.day),
        (CELL, row, upcard, ALL_MODES, ALL_DAYS),
        (CATEGORY_DAY, ALL_ROWS, ALL_ROWS, ALL_MODES, new.day),
        (CATEGORY, ALL_ROWS, ALL_ROWS, ALL_MODES, ALL_DAYS),
    ]
    full_keys = [(new.user_id, scope, strategy_hash, new.situation.category, *rest) for scope, *rest in keys]
    columns = tuple_(*(getattr(Tally, name) for name in _KEY))
    found = session.execute(
        select(*(getattr(Tally, name) for name in (*_KEY, *_SUMS))).where(columns.in_(full_keys)).with_for_update()
    ).all()
    known = {tuple(each[: len(_KEY)]): _sums(*each[len(_KEY) :]) for each in found}
    added = sums_of(new)
    values = [dict(zip(_KEY, key, strict=True)) | _columns(known.get(key, Sums()) + added) for key in full_keys]
    insert = sqlite.insert if session.get_bind().dialect.name == "sqlite" else postgresql.insert
    statement = insert(Tally).values(values)
    session.execute(statement.on_conflict_do_update(
        index_elements=_KEY, set_={name: statement.excluded[name] for name in _SUMS}))


def category_sums(session: Session, user_id: int, strategies: Sequence[str], since: date | None) -> dict[str, Sums]:
    """Sums by category over all days, or from the local day ``since`` on."""
    query = select(Tally.category, *(getattr(Tally, name) for name in _SUMS)).where(
        Tally.user_id == user_id, Tally.scope == (CATEGORY if since is None else CATEGORY_DAY),
        Tally.strategy_hash.in_(strategies))
    if since is not None:
        query = query.where(Tally.day >= since)
    by_category: dict[str, Sums] = {}
    for category, *sums in session.execute(query):
        by_category[category] = by_category.get(category, Sums()) + _sums(*sums)
    return by_category


def strategies_of(session: Session, user_id: int) -> list[str]:
    """The strategy hashes that a user has practised."""
    query = select(Tally.strategy_hash).where(Tally.user_id == user_id, Tally.scope == CATEGORY).distinct()
    return sorted(session.execute(query).scalars())


def _sums(decisions: int, right: int, hinted: int, ev_lost: float, ev_cost: float, times: str) -> Sums:
    return Sums(decisions, right, hinted, ev_lost, ev_cost, timing.from_text(times))


def _columns(sums: Sums) -> dict[str, object]:
    return {
        "decisions": sums.decisions, "right": sums.right, "hinted": sums.hinted,
        "ev_lost": sums.ev_lost, "ev_cost": sums.ev_cost, "times": timing.to_text(sums.times),
    }
