"""Mistakes by time, row and move; sums by month, filled from those by day."""

from collections import defaultdict

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_CATEGORY_DAY, _CATEGORY_MONTH = 2, 4
_INDEXES = {"ix_mistakes_newest": ("created_at", "id"), "ix_mistakes_costliest": ("ev_cost", "created_at", "id")}
_INDEXES_BEFORE = {"ix_mistakes_newest": ("id",), "ix_mistakes_costliest": ("ev_cost", "id")}
_KEY = ("user_id", "strategy_hash", "category", "row", "upcard_rank", "mode")
_SUMS = ("decisions", "right", "hinted", "ev_lost", "ev_cost")
_TALLIES = sa.table("tallies", *map(sa.column, (*_KEY, "scope", *_SUMS, "times")), sa.column("day", sa.Date()))


def upgrade() -> None:
    _replace(_INDEXES, ["category", "row", "upcard_rank", "rule_set_id", "chosen"])
    _sum_up_months()


def downgrade() -> None:
    op.execute(_TALLIES.delete().where(_TALLIES.c.scope == _CATEGORY_MONTH))
    _replace(_INDEXES_BEFORE, ["category", "upcard_rank", "rule_set_id"])


def _replace(indexes: dict[str, tuple[str, ...]], filtered: list[str]) -> None:
    is_mistake = sa.text("is_mistake")
    for name, ordered in indexes.items():
        op.drop_index(name, "decisions")
        op.create_index(name, "decisions", ["user_id", *ordered, *filtered],
                        sqlite_where=is_mistake, postgresql_where=is_mistake)


def _sum_up_months() -> None:
    connection = op.get_bind()
    months: defaultdict[tuple[object, ...], list[float]] = defaultdict(lambda: [0] * len(_SUMS))
    times: defaultdict[tuple[object, ...], defaultdict[int, int]] = defaultdict(lambda: defaultdict(int))
    for row in connection.execute(sa.select(_TALLIES).where(_TALLIES.c.scope == _CATEGORY_DAY)):
        key = (*(getattr(row, name) for name in _KEY), row.day.replace(day=1))
        months[key] = [total + getattr(row, name) for total, name in zip(months[key], _SUMS, strict=True)]
        for entry in row.times.split():
            bucket, count = entry.split(":")
            times[key][int(bucket)] += int(count)
    rows = [{
        **dict(zip((*_KEY, "day"), key, strict=True)), **dict(zip(_SUMS, sums, strict=True)), "scope": _CATEGORY_MONTH,
        "times": " ".join(f"{bucket}:{times[key][bucket]}" for bucket in sorted(times[key])),
    } for key, sums in months.items()]
    if rows:
        connection.execute(_TALLIES.insert(), rows)
