"""Purses, places at tables and what their rounds came to; the cards seen at a table beside a decision's own."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("decisions", sa.Column("seen", sa.Text(), nullable=True))
    _create("table_purses", (
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("stack", sa.BigInteger(), nullable=False),
        sa.Column("biggest", sa.BigInteger(), nullable=False),
        sa.Column("refills", sa.Integer(), nullable=False),
        sa.Column("table_key", sa.Text(), nullable=True),
    ))
    _create("table_seats", (
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("is_seated", sa.Boolean(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("log", sa.Text(), nullable=False),
        sa.Column("marks", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("is_hinting", sa.Boolean(), nullable=False),
        sa.Column("hinted_at", sa.Integer(), nullable=False),
        sa.Column("verdicts", sa.String(length=8), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
    ))
    _create("table_rounds", (
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.Column("wagered", sa.BigInteger(), nullable=False),
        sa.Column("result", sa.BigInteger(), nullable=False),
        sa.Column("ev_given_up", sa.Float(), nullable=False),
    ), sa.Column("number", sa.Integer(), nullable=False))


def downgrade() -> None:
    for table in ("table_rounds", "table_seats", "table_purses"):
        op.drop_table(table)
    with op.batch_alter_table("decisions") as batch:
        batch.drop_column("seen")


def _create(table: str, columns: tuple[sa.Column[Any], ...], *own_key: sa.Column[Any]) -> None:
    """A table whose rows belong to a user and a table, and to what ``own_key`` adds."""
    op.create_table(
        table,
        sa.Column("user_id", _BIG_ID, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        *own_key, *columns,
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", "key", *(column.name for column in own_key)),
    )
