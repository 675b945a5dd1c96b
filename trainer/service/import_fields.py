"""The fields of an export, each checked by type and range, and named where it is wrong."""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from trainer.service.import_reading import ImportFaultError

_EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
_HIGHEST = 2**31 - 1
_MISSING: Any = object()


class Fields:
    """One object of a file, read field by field; ``ImportFaultError`` names the field that is wrong."""

    def __init__(self, value: object, place: str) -> None:
        if not isinstance(value, dict):
            raise ImportFaultError(place, "must be an object.")
        self._values: Mapping[str, Any] = value
        self._place = place

    def fault(self, name: str, message: str) -> ImportFaultError:
        """What to raise of a field."""
        return ImportFaultError(f"{self._place}.{name}", message)

    def text(self, name: str, most: int = 60, default: str | None = None) -> str:
        """A text of up to so many characters."""
        value = self._get(name, default)
        if not isinstance(value, str) or len(value) > most:
            raise self.fault(name, f"must be a text of up to {most} characters.")
        return value

    def like(self, name: str, pattern: str, such: str) -> str:
        """A text of a certain form."""
        value = self.text(name)
        if not re.fullmatch(pattern, value, re.ASCII):
            raise self.fault(name, f"must be {such}.")
        return value

    def one_of(self, name: str, allowed: Collection[str], default: str | None = None) -> str:
        """One of a few words."""
        value = self._get(name, default)
        if not isinstance(value, str) or value not in allowed:
            raise self.fault(name, f"must be one of {', '.join(each or 'nothing' for each in allowed)}.")
        return value

    def whole(self, name: str, lowest: int = 0, highest: int = _HIGHEST) -> int:
        """A whole number of a range."""
        value = self._get(name, None)
        if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= highest:
            raise self.fault(name, f"must be a whole number from {lowest} to {highest}.")
        return value

    def whole_or_none(self, name: str, lowest: int = 0, highest: int = _HIGHEST) -> int | None:
        """A whole number of a range, or null."""
        return None if self._get(name, _MISSING) is None else self.whole(name, lowest, highest)

    def number(self, name: str) -> float:
        """Any number."""
        return as_number(self._get(name, None), f"{self._place}.{name}")

    def flag(self, name: str) -> bool:
        """True or false."""
        value = self._get(name, None)
        if not isinstance(value, bool):
            raise self.fault(name, "must be true or false.")
        return value

    def list_of_texts(self, name: str) -> Sequence[str]:
        """A list of texts."""
        value = self._get(name, None)
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self.fault(name, "must be a list of texts.")
        return value

    def wholes(self, name: str, most: int, highest: int) -> Sequence[int]:
        """A list of up to so many whole numbers from 0."""
        value = self._get(name, None)
        if not isinstance(value, list) or len(value) > most or not all(
                isinstance(each, int) and not isinstance(each, bool) and 0 <= each <= highest for each in value):
            raise self.fault(name, f"must be a list of up to {most} whole numbers from 0 to {highest}.")
        return value

    def has(self, name: str) -> bool:
        """Whether there is such a field at all."""
        return name in self._values

    def numbers(self, name: str) -> Mapping[str, float]:
        """An object of numbers."""
        value = self._get(name, None)
        if not isinstance(value, dict):
            raise self.fault(name, "must be an object of numbers.")
        return {key: as_number(each, f"{self._place}.{name}") for key, each in value.items()}

    def moment(self, name: str, now: datetime) -> datetime:
        """A time with an offset, neither in the future nor before this century; in UTC."""
        try:
            value = datetime.fromisoformat(self.text(name))
        except ValueError as error:
            if isinstance(error, ImportFaultError):
                raise
            value = None
        if value is None or value.utcoffset() is None:
            raise self.fault(name, "must be a time with an offset, such as 2031-03-04T12:00:00+00:00.")
        # Compared as it is: at the ends of the calendar there is no UTC to turn it into.
        if not _EARLIEST <= value <= now:
            raise self.fault(name, "must be a time from the year 2000 on that is not in the future.")
        return value.astimezone(UTC)

    def day(self, name: str) -> date:
        """A day."""
        text = self.like(name, r"\d{4}-\d{2}-\d{2}", "a day such as 2031-03-04")
        try:
            return date.fromisoformat(text)
        except ValueError:
            raise self.fault(name, "must be a day that there is.") from None

    def _get(self, name: str, default: Any) -> Any:
        value = self._values.get(name, _MISSING)
        if value is not _MISSING:
            return value
        if default is None or default is _MISSING:
            raise self.fault(name, "is missing.")
        return default


def as_number(value: object, place: str) -> float:
    """A number, or ``ImportFaultError``."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or abs(value) > 1e300:
        raise ImportFaultError(place, "must be a number.")
    return float(value)
