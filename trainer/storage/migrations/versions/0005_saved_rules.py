"""Rule sets that users keep under names of their own."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "saved_rules",
        sa.Column("id", _BIG_ID, nullable=False),
        sa.Column("user_id", _BIG_ID, nullable=False),
        sa.Column("rule_set_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("name_key", sa.String(length=180), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["rule_set_id"], ["rule_sets.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("user_id", "name_key"),
        sa.UniqueConstraint("user_id", "rule_set_id"),
    )
    with op.batch_alter_table("rule_sets") as batch:
        batch.create_index("ix_rule_sets_strategy", ["strategy_hash"])


def downgrade() -> None:
    with op.batch_alter_table("rule_sets") as batch:
        batch.drop_index("ix_rule_sets_strategy")
    op.drop_table("saved_rules")
