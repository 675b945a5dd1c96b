"""The first tables: users, rule sets, open hands, practice sessions, decisions, tallies."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "rule_sets",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("rule_set_hash", sa.String(length=16), nullable=False),
        sa.Column("strategy_hash", sa.String(length=16), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("rule_set_hash"),
    )
    op.create_table(
        "users",
        sa.Column("id", _BIG_ID, nullable=False),
        sa.Column("visitor", sa.String(length=32), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("paces", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("visitor"),
    )
    op.create_table(
        "practice_sessions",
        sa.Column("id", _BIG_ID, nullable=False),
        sa.Column("user_id", _BIG_ID, nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("is_ended", sa.Boolean(), nullable=False),
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.Column("right", sa.Integer(), nullable=False),
        sa.Column("hinted", sa.Integer(), nullable=False),
        sa.Column("streak", sa.Integer(), nullable=False),
        sa.Column("ev_lost", sa.Float(), nullable=False),
        sa.Column("times", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("practice_sessions") as batch:
        batch.create_index("ix_practice_sessions_user", ["user_id", "id"])

    op.create_table(
        "questions",
        sa.Column("token", sa.String(length=22), nullable=False),
        sa.Column("visitor", sa.String(length=32), nullable=False),
        sa.Column("plan", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("rule_set_id", sa.Integer(), nullable=False),
        sa.Column("cards", sa.String(length=64), nullable=False),
        sa.Column("upcard", sa.String(length=2), nullable=False),
        sa.Column("tens_left", sa.SmallInteger(), nullable=True),
        sa.Column("cards_left", sa.SmallInteger(), nullable=True),
        sa.Column("is_hinted", sa.Boolean(), nullable=False),
        sa.Column("dealt_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["rule_set_id"],
            ["rule_sets.id"],
        ),
        sa.PrimaryKeyConstraint("token"),
    )
    with op.batch_alter_table("questions") as batch:
        batch.create_index(batch.f("ix_questions_dealt_at"), ["dealt_at"])
        batch.create_index("ix_questions_visitor", ["visitor", "plan"])

    op.create_table(
        "tallies",
        sa.Column("user_id", _BIG_ID, nullable=False),
        sa.Column("scope", sa.SmallInteger(), nullable=False),
        sa.Column("strategy_hash", sa.String(length=16), nullable=False),
        sa.Column("category", sa.String(length=12), nullable=False),
        sa.Column("row", sa.SmallInteger(), nullable=False),
        sa.Column("upcard_rank", sa.SmallInteger(), nullable=False),
        sa.Column("mode", sa.String(length=16), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("decisions", sa.Integer(), nullable=False),
        sa.Column("right", sa.Integer(), nullable=False),
        sa.Column("hinted", sa.Integer(), nullable=False),
        sa.Column("ev_lost", sa.Float(), nullable=False),
        sa.Column("ev_cost", sa.Float(), nullable=False),
        sa.Column("times", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", "scope", "strategy_hash", "category", "row", "upcard_rank", "mode", "day"),
    )
    op.create_table(
        "decisions",
        sa.Column("id", _BIG_ID, nullable=False),
        sa.Column("token", sa.String(length=22), nullable=False),
        sa.Column("user_id", _BIG_ID, nullable=False),
        sa.Column("session_id", _BIG_ID, nullable=True),
        sa.Column("rule_set_id", sa.Integer(), nullable=False),
        sa.Column("plan", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("mode", sa.String(length=16), nullable=False),
        sa.Column("cards", sa.String(length=64), nullable=False),
        sa.Column("upcard", sa.String(length=2), nullable=False),
        sa.Column("tens_left", sa.SmallInteger(), nullable=True),
        sa.Column("cards_left", sa.SmallInteger(), nullable=True),
        sa.Column("category", sa.String(length=12), nullable=False),
        sa.Column("row", sa.SmallInteger(), nullable=False),
        sa.Column("upcard_rank", sa.SmallInteger(), nullable=False),
        sa.Column("legal", sa.String(length=64), nullable=False),
        sa.Column("chosen", sa.String(length=12), nullable=False),
        sa.Column("chart_move", sa.String(length=12), nullable=False),
        sa.Column("exact_move", sa.String(length=12), nullable=False),
        sa.Column("evs", sa.Text(), nullable=False),
        sa.Column("ev_cost", sa.Float(), nullable=False),
        sa.Column("grading", sa.String(length=8), nullable=False),
        sa.Column("is_right", sa.Boolean(), nullable=False),
        sa.Column("is_hinted", sa.Boolean(), nullable=False),
        sa.Column("is_mistake", sa.Boolean(), nullable=False),
        sa.Column("is_slow", sa.Boolean(), nullable=False),
        sa.Column("time_ms", sa.Integer(), nullable=True),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["rule_set_id"],
            ["rule_sets.id"],
        ),
        sa.ForeignKeyConstraint(["session_id"], ["practice_sessions.id"], ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("token"),
    )
    with op.batch_alter_table("decisions") as batch:
        batch.create_index("ix_decisions_session", ["session_id"])
        batch.create_index("ix_decisions_user", ["user_id", "id"])
        batch.create_index(
            "ix_mistakes_costliest",
            ["user_id", "ev_cost", "id", "category", "upcard_rank", "rule_set_id"],
            sqlite_where=sa.text("is_mistake"),
            postgresql_where=sa.text("is_mistake"),
        )
        batch.create_index(
            "ix_mistakes_newest",
            ["user_id", "id", "category", "upcard_rank", "rule_set_id"],
            sqlite_where=sa.text("is_mistake"),
            postgresql_where=sa.text("is_mistake"),
        )


def downgrade() -> None:
    with op.batch_alter_table("decisions") as batch:
        batch.drop_index(
            "ix_mistakes_newest", sqlite_where=sa.text("is_mistake"), postgresql_where=sa.text("is_mistake")
        )
        batch.drop_index(
            "ix_mistakes_costliest", sqlite_where=sa.text("is_mistake"), postgresql_where=sa.text("is_mistake")
        )
        batch.drop_index("ix_decisions_user")
        batch.drop_index("ix_decisions_session")

    op.drop_table("decisions")
    op.drop_table("tallies")
    with op.batch_alter_table("questions") as batch:
        batch.drop_index("ix_questions_visitor")
        batch.drop_index(batch.f("ix_questions_dealt_at"))

    op.drop_table("questions")
    with op.batch_alter_table("practice_sessions") as batch:
        batch.drop_index("ix_practice_sessions_user")

    op.drop_table("practice_sessions")
    op.drop_table("users")
    op.drop_table("rule_sets")
