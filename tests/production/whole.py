"""Whether a database is whole, whatever it went through: every figure counted again from the single answers."""

from collections.abc import Iterable, Mapping

from sqlalchemy import select

from tests.service.history import recount_sittings, recount_tallies, stored_sittings, stored_tallies
from trainer.storage.models import Decision, Question
from trainer.storage.transaction import transaction


def assert_whole(acknowledged: Iterable[str] = ()) -> int:
    """All that was acknowledged is there, once, and counted once; how many answers there are."""
    with transaction() as connection:
        tokens = list(connection.execute(select(Decision.token)).scalars())
        open_hands = set(connection.execute(select(Question.token)).scalars())
    assert len(tokens) == len(set(tokens))
    assert set(acknowledged) <= set(tokens)
    assert not open_hands & set(tokens)
    for stored, counted in ((stored_tallies(), recount_tallies()), (stored_sittings(), recount_sittings())):
        found = differences(stored, counted)
        assert not found, found
    return len(tokens)


def differences(stored: Mapping[object, object], counted: Mapping[object, object]) -> dict[object, object]:
    """What is stored and what it should be, wherever the two are not the same."""
    keys = stored.keys() | counted.keys()
    return {key: (stored.get(key), counted.get(key)) for key in keys if stored.get(key) != counted.get(key)}
