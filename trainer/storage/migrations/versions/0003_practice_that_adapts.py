"""Memories of chart cells, streaks and sprints, daily goals; why a hand was dealt."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    for table in ("questions", "decisions"):
        op.add_column(table, sa.Column("kind", sa.String(length=12), nullable=False, server_default=""))
    op.create_table(
        "cell_memories",
        sa.Column("user_id", _BIG_ID, nullable=False),
        sa.Column("strategy_hash", sa.String(length=16), nullable=False),
        sa.Column("category", sa.String(length=12), nullable=False),
        sa.Column("row", sa.SmallInteger(), nullable=False),
        sa.Column("upcard_rank", sa.SmallInteger(), nullable=False),
        sa.Column("state", sa.SmallInteger(), nullable=False),
        sa.Column("step", sa.SmallInteger(), nullable=True),
        sa.Column("stability", sa.Float(), nullable=False),
        sa.Column("difficulty", sa.Float(), nullable=False),
        sa.Column("due", sa.DateTime(timezone=True), nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("is_first_right", sa.Boolean(), nullable=False),
        sa.Column("run", sa.Integer(), nullable=False),
        sa.Column("recent", sa.Float(), nullable=False),
        sa.Column("recent_wrong", sa.Float(), nullable=False),
        sa.Column("kept_asked", sa.Integer(), nullable=False),
        sa.Column("kept_right", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", "strategy_hash", "category", "row", "upcard_rank"),
    )
    op.create_index("ix_cell_memories_due", "cell_memories", ["user_id", "due"])
    op.create_table(
        "runs",
        sa.Column("id", _BIG_ID, nullable=False),
        sa.Column("user_id", _BIG_ID, nullable=False),
        sa.Column("mode", sa.String(length=16), nullable=False),
        sa.Column("strategy_hash", sa.String(length=16), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("is_ended", sa.Boolean(), nullable=False),
        sa.Column("answers", sa.Integer(), nullable=False),
        sa.Column("right", sa.Integer(), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_runs_user", "runs", ["user_id", "mode", "strategy_hash", "id"])
    op.create_table(
        "goal_days",
        sa.Column("user_id", _BIG_ID, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("goal", sa.Integer(), nullable=False),
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", "day"),
    )


def downgrade() -> None:
    for table in ("goal_days", "runs", "cell_memories"):
        op.drop_table(table)
    for table in ("questions", "decisions"):
        with op.batch_alter_table(table) as batch:
            batch.drop_column("kind")
