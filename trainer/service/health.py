"""Whether what the program needs is there."""

from trainer.storage.transaction import ping


def check_storage() -> None:
    """``StorageError`` where the database does not answer."""
    ping()
