"""Mistakes by cost in each category; by rules, move and place, for lists that few of them pass."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

_COSTLIEST = ("category", "ev_cost", "created_at", "id", "row", "upcard_rank", "rule_set_id", "chosen")
_COSTLIEST_BEFORE = ("ev_cost", "created_at", "id", "category", "row", "upcard_rank", "rule_set_id", "chosen")
_PLACES = ("rule_set_id", "chosen", "upcard_rank", "category", "row", "created_at", "ev_cost", "id")


def upgrade() -> None:
    op.drop_index("ix_mistakes_costliest", "decisions")
    _create("ix_mistakes_costliest", _COSTLIEST)
    _create("ix_mistakes_places", _PLACES)


def downgrade() -> None:
    op.drop_index("ix_mistakes_places", "decisions")
    op.drop_index("ix_mistakes_costliest", "decisions")
    _create("ix_mistakes_costliest", _COSTLIEST_BEFORE)


def _create(name: str, columns: tuple[str, ...]) -> None:
    is_mistake = sa.text("is_mistake")
    op.create_index(name, "decisions", ["user_id", *columns], sqlite_where=is_mistake, postgresql_where=is_mistake)
