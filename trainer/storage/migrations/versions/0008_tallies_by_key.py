"""On SQLite the tallies lie in the order of their key, so that sums over days or cells read what lies together."""

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    _lay_out(with_rowid=False)


def downgrade() -> None:
    _lay_out(with_rowid=True)


def _lay_out(*, with_rowid: bool) -> None:
    """Write the table anew; other databases have no such choice."""
    if op.get_bind().dialect.name == "sqlite":
        with op.batch_alter_table("tallies", recreate="always", table_kwargs={"sqlite_with_rowid": with_rowid}):
            pass
