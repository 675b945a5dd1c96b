"""Settings from the environment, read once, frozen."""

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self


@dataclass(frozen=True)
class Settings:
    """Where things lie and what protects them.

    ``instance``: the folder for everything that the program writes; ``database_url`` and ``secret_key`` are made
    from it where they are empty. ``redis_url``: where rate limits are counted, in each process's memory where it is
    empty; ``trusted_proxies``: how many proxies stand in front; ``is_request_logged``: a line for every request;
    ``import_megabytes``: how large a file somebody may import.
    """

    instance: Path
    database_url: str = ""
    secret_key: str = ""
    redis_url: str = ""
    trusted_proxies: int = 0
    is_request_logged: bool = False
    import_megabytes: int = 64

    @classmethod
    def from_environment(cls, environment: Mapping[str, str], root: Path) -> Self:
        """``TRAINER_INSTANCE`` (else ``instance`` under the folder ``root``) and what else the README names.

        ``ValueError`` where one of them makes no sense.
        """
        return cls(
            instance=Path(environment.get("TRAINER_INSTANCE") or root / "instance").resolve(),
            database_url=environment.get("DATABASE_URL", ""),
            secret_key=environment.get("SECRET_KEY", ""),
            redis_url=environment.get("REDIS_URL", ""),
            trusted_proxies=_number(environment, "TRUSTED_PROXIES", 10),
            is_request_logged=bool(_number(environment, "REQUEST_LOG", 1)),
            import_megabytes=_number(environment, "IMPORT_MEGABYTES", 1024, 64),
        )

    def resolved_database_url(self) -> str:
        """The database's address; SQLite in ``instance`` where none is given."""
        if self.database_url.startswith("postgres://"):  # as some hosts write it; SQLAlchemy wants the whole name
            return self.database_url.replace("postgres://", "postgresql://", 1)
        return self.database_url or f"sqlite:///{(self.instance / 'trainer.db').as_posix()}"

    def resolved_secret_key(self) -> str:
        """The given key, or one that is made once and kept in ``instance``, the same for every worker."""
        if self.secret_key:
            return self.secret_key
        path = self.instance / "secret_key"
        if not path.exists():
            self.instance.mkdir(parents=True, exist_ok=True)
            draft = path.with_suffix(f".{secrets.token_hex(4)}")
            descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w") as file:
                file.write(secrets.token_hex(32))
            try:
                # Of several workers that start at once, the first link stands and all read that one.
                os.link(draft, path)
            except FileExistsError:
                pass
            finally:
                draft.unlink()
        return path.read_text().strip()


def _number(environment: Mapping[str, str], name: str, highest: int, default: int = 0) -> int:
    text = environment.get(name) or str(default)
    if not text.isascii() or not text.isdigit() or int(text) > highest:
        raise ValueError(f"{name} must be a whole number from 0 to {highest}, not {text[:40]!r}")
    return int(text)
