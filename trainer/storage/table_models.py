"""The tables of the tables: purses, places with their rounds, what each round came to."""

from datetime import datetime

from sqlalchemy import BigInteger, Float, ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from trainer.storage.database import Model, UtcDateTime


class TablePurse(Model):
    """A user's chips; tables with the same ``key`` share them. The fields of :class:`trainer.table.purse.Purse`."""

    __tablename__ = "table_purses"

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    key: Mapped[str] = mapped_column(Text, primary_key=True)
    version: Mapped[int]
    stack: Mapped[int] = mapped_column(BigInteger)
    biggest: Mapped[int] = mapped_column(BigInteger)
    refills: Mapped[int]
    table_key: Mapped[str | None] = mapped_column(Text)


class TableSeat(Model):
    """A user's place at one table.

    ``version`` counts the writes, so that of two at once the second starts anew. ``state`` and ``log`` are the table
    and its present round as JSON, the shoe included; ``marks`` what was decided in that round. ``number`` counts
    rounds over all sittings, of which the present one began after ``first``.
    """

    __tablename__ = "table_seats"

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    key: Mapped[str] = mapped_column(Text, primary_key=True)
    version: Mapped[int]
    is_seated: Mapped[bool]
    state: Mapped[str] = mapped_column(Text)
    log: Mapped[str] = mapped_column(Text)
    marks: Mapped[str] = mapped_column(Text)
    number: Mapped[int]
    first: Mapped[int]
    is_hinting: Mapped[bool]
    hinted_at: Mapped[int]
    verdicts: Mapped[str] = mapped_column(String(8))
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)


class TableRound(Model):
    """What one round at a table came to, in tenths of a chip: for the lines of result and luck."""

    __tablename__ = "table_rounds"

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    key: Mapped[str] = mapped_column(Text, primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    hands: Mapped[int]
    wagered: Mapped[int] = mapped_column(BigInteger)
    result: Mapped[int] = mapped_column(BigInteger)
    ev_given_up: Mapped[float] = mapped_column(Float)
