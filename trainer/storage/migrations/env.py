"""Runs migrations on the application's own database, in the application context that ``flask db`` has pushed."""

import time

from alembic import context
from sqlalchemy import text

from trainer.storage import imports, models  # noqa: F401 - the tables register themselves
from trainer.storage.database import begin, db
from trainer.storage.writers import file_turn

# Any number that nothing else on this database locks.
_TURN = 2_021_742
# A long history takes its time.
_PATIENCE_SECONDS = 3_600.0


def run() -> None:
    """One transaction for all steps; batches, since SQLite cannot alter most things in place.

    Of processes and machines that start at once one migrates, and the rest wait.
    """
    with file_turn(db.engine, time.monotonic() + _PATIENCE_SECONDS), db.engine.connect() as connection:
        begin(connection, writes=True)
        if connection.dialect.name == "postgresql":
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
