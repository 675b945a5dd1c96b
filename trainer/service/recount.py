"""Counting again: whether all that is summed up of anybody's answers is what the answers say."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from math import isclose
from typing import Any

from trainer.engine.chart import Cell
from trainer.service.credentials import username_key
from trainer.storage import recount as books
from trainer.storage.accounts import lock_users
from trainer.storage.importing import state_of
from trainer.storage.recount import Books
from trainer.storage.transaction import Connection, transaction

# Sums of the same numbers in another order differ by less, whatever their number.
_TOLERANCE = 1e-6
_TRIES = 3
_PEOPLE_AT_A_TIME = 500


class NoSuchUserError(LookupError):
    """There is no account of that name."""


@dataclass(frozen=True)
class Difference:
    """One figure that is stored otherwise than it is counted; ``None`` for one that is not there at all."""

    what: str
    where: str
    stored: object
    counted: object

    def __str__(self) -> str:
        return f"{self.what} of {self.where}: {self.stored} stored, {self.counted} counted"


@dataclass(frozen=True)
class Report:
    """What was found of one user; ``name`` is empty for a guest."""

    user_id: int
    name: str
    differences: list[Difference]


def recount(username: str | None, *, fix: bool) -> Iterator[Report]:
    """Count again for one account or for everybody, user by user, and rewrite what differs if wanted.

    ``NoSuchUserError`` where there is no account of that name.
    """
    key = None if username is None else username_key(username)
    last, is_found = 0, False
    while True:
        with transaction() as connection:
            found = books.people(connection, last, key, _PEOPLE_AT_A_TIME)
        for last, visitor, name in found:
            is_found = True
            yield Report(last, name, _differences_of(last, visitor, fix=fix))
        if not found or key is not None:
            break
    if key is not None and not is_found:
        raise NoSuchUserError(username)


def _differences_of(user_id: int, visitor: str, *, fix: bool) -> list[Difference]:
    """Read without a lock as long as nobody answers meanwhile; the last time, and to rewrite, under one."""
    for attempt in range(_TRIES):
        with transaction(writes=attempt == _TRIES - 1) as connection:
            if attempt == _TRIES - 1:
                lock_users(connection, visitor)
            before = state_of(connection, user_id)
            found, counted = _compare(connection, user_id)
            if state_of(connection, user_id) == before:
                break
    if found and fix:
        with transaction(writes=True) as connection:
            lock_users(connection, visitor)
            if state_of(connection, user_id) != before:
                counted = books.counted_books(connection, user_id)
            books.replace_books(connection, user_id, counted)
    return found


def _compare(connection: Connection, user_id: int) -> tuple[list[Difference], Books]:
    stored, counted = books.stored_books(connection, user_id), books.counted_books(connection, user_id)
    pending = books.pending(connection, user_id)
    settled = [replace(each, memories={place: memory for place, memory in each.memories.items()
                                       if place not in pending}) for each in (stored, counted)]
    return differences(*settled), counted


def differences(stored: Books, counted: Books) -> list[Difference]:
    """Every figure of two books that differs, by more than another order of adding explains."""
    return [
        *_between("tally", stored.tallies, counted.tallies),
        *_between("memory", stored.memories, counted.memories),
        *_between("sitting", stored.sittings, counted.sittings),
    ]


def _between(kind: str, stored: Mapping[Any, Any], counted: Mapping[Any, Any]) -> Iterator[Difference]:
    for key in sorted({*stored, *counted}, key=_words):
        where = f"{kind} {_words(key)}"
        if key not in stored or key not in counted:
            yield Difference("presence", where, stored.get(key), counted.get(key))
            continue
        own, other = _flat(stored[key]), _flat(counted[key])
        yield from (Difference(name, where, own[name], other[name]) for name in own
                    if not _is_same(own[name], other[name]))


def _flat(value: Any) -> dict[str, Any]:
    """The figures of one entry by name."""
    found = asdict(value)
    return found | found.pop("sums", {})


def _is_same(one: object, other: object) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return isclose(one, other, rel_tol=1e-9, abs_tol=_TOLERANCE)
    return one == other


def _words(key: object) -> str:
    """A key in words; of a cell that no chart has, too."""
    if isinstance(key, Cell):
        return f"{key.section} {key.row} v {key.upcard}"
    return " ".join(filter(None, map(_words, key))) if isinstance(key, tuple) else str(key)
