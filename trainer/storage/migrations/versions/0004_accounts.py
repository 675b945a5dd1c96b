"""Accounts: a name and a password for a user, and the browsers that are logged in."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("user_id", _BIG_ID, nullable=False),
        sa.Column("username", sa.String(length=32), nullable=False),
        sa.Column("username_key", sa.String(length=128), nullable=False),
        sa.Column("password_hash", sa.String(length=255), nullable=False),
        sa.Column("recovery_hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id"),
        sa.UniqueConstraint("username_key"),
    )
    op.create_table(
        "logins",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("user_id", _BIG_ID, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["accounts.user_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("key"),
    )
    with op.batch_alter_table("logins") as batch:
        batch.create_index(batch.f("ix_logins_user_id"), ["user_id"])


def downgrade() -> None:
    with op.batch_alter_table("logins") as batch:
        batch.drop_index(batch.f("ix_logins_user_id"))

    op.drop_table("logins")
    op.drop_table("accounts")
