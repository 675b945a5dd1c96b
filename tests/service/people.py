"""Guests who have practised, and everything that is stored of anybody, to be compared."""

from datetime import timedelta

from sqlalchemy import func, select

from tests.service.history import START, VISITORS, practise
from trainer.storage.models import Account, Decision, Login, PracticeSession, Question, Tally, User
from trainer.storage.transaction import transaction

GUEST, OTHER_GUEST = VISITORS
PASSWORD, OTHER_PASSWORD = "x7 bridge", "y8 tunnel"
EVERYTHING = (Account, Decision, Login, PracticeSession, Question, Tally, User)


def two_guests(service, answers=60):
    """Two guests with a history each; the time after."""
    return practise(service, answers)[1] + timedelta(minutes=1)


def sizes(*models):
    """How many rows of each table there are."""
    with transaction() as connection:
        return [connection.execute(select(func.count()).select_from(model)).scalar_one() for model in models]


def users():
    """Every user's id and visitor, in order."""
    with transaction() as connection:
        return [tuple(row) for row in connection.execute(select(User.id, User.visitor).order_by(User.id))]


def decisions_of(visitor):
    """The tokens of what somebody has answered."""
    with transaction() as connection:
        return set(connection.execute(select(Decision.token).join(User, User.id == Decision.user_id).where(
            User.visitor == visitor)).scalars())


def open_hands_of(visitor):
    with transaction() as connection:
        return set(connection.execute(select(Question.token).where(Question.visitor == visitor)).scalars())


__all__ = ["EVERYTHING", "GUEST", "OTHER_GUEST", "OTHER_PASSWORD", "PASSWORD", "START", "decisions_of", "open_hands_of",
           "sizes", "two_guests", "users"]
