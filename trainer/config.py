"""Settings from the environment, read once, frozen."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self


@dataclass(frozen=True)
class Settings:
    """Where things lie. ``instance``: the folder for everything that the program writes."""

    instance: Path

    @classmethod
    def from_environment(cls, environment: Mapping[str, str], root: Path) -> Self:
        """``TRAINER_INSTANCE``, or ``instance`` under the project's folder ``root``."""
        return cls(instance=Path(environment.get("TRAINER_INSTANCE") or root / "instance").resolve())
