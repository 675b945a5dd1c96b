"""Runs migrations on the application's own database, in the application context that ``flask db`` has pushed."""

from alembic import context

from trainer.storage import models  # noqa: F401 - the tables register themselves
from trainer.storage.database import db


def run() -> None:
    """One transaction for all steps; batches, since SQLite cannot alter most things in place."""
    with db.engine.connect() as connection:
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
