"""Runs migrations on the application's own database, in the application context that ``flask db`` has pushed."""

from alembic import context
from sqlalchemy import text

from trainer.storage import imports, models  # noqa: F401 - the tables register themselves
from trainer.storage.database import db

# Any number that nothing else on this database locks.
_TURN = 2_021_742


def run() -> None:
    """One transaction for all steps; batches, since SQLite cannot alter most things in place."""
    with db.engine.connect() as connection:
        if connection.dialect.name == "postgresql":  # of machines that start at once, one migrates and the rest wait
            connection.execute(text("SET lock_timeout = 0"))
            connection.execute(text("SELECT pg_advisory_xact_lock(:turn)"), {"turn": _TURN})
        context.configure(
            connection=connection,
            target_metadata=db.metadata,
            render_as_batch=True,
            compare_type=True,
        )
        with context.begin_transaction():
            context.run_migrations()
        connection.commit()


run()
