"""The tables.

``decisions`` is the history and is only ever added to. ``tallies`` are sums over it, kept in
the same transaction, so that no page reads the history; a tally's scope says what it sums over.
"""

from datetime import date, datetime
from typing import cast

from sqlalchemy import (
    Date,
    Float,
    ForeignKey,
    Index,
    Integer,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from trainer.storage.database import BigId, Model, UtcDateTime

# What a tally sums over; what a scope leaves open has the value below in its key.
CELL_DAY, CELL, CATEGORY_DAY, CATEGORY, CATEGORY_MONTH = range(5)
ALL_DAYS = date(1, 1, 1)
ALL_ROWS = 0
ALL_MODES = ""


def table_of(model: type[Model]) -> Table:
    """The table of a model, for statements that are built once and want plain rows."""
    return cast(Table, model.__table__)


class User(Model):
    """Someone who has answered or set something; a guest is known by ``visitor`` alone.

    ``settings`` and ``paces`` are JSON; paces are the times of the latest right answers by category, in milliseconds.
    """

    __tablename__ = "users"

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    visitor: Mapped[str] = mapped_column(String(32), unique=True)
    settings: Mapped[str] = mapped_column(Text, default="{}")
    paces: Mapped[str] = mapped_column(Text, default="{}")
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    last_seen_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Account(Model):
    """A name and a password for a user, who is a guest without one.

    ``username_key`` is the name as it is compared; the hashes are one-way.
    """

    __tablename__ = "accounts"

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    username: Mapped[str] = mapped_column(String(32))
    username_key: Mapped[str] = mapped_column(String(128), unique=True)
    password_hash: Mapped[str] = mapped_column(String(255))
    recovery_hash: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Login(Model):
    """A browser that is logged in to an account; ``key`` is a digest of what its cookie holds."""

    __tablename__ = "logins"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("accounts.user_id", ondelete="CASCADE"), index=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class RuleSet(Model):
    """A game by its content: ``rules`` is the whole description as JSON, whatever it was called."""

    __tablename__ = "rule_sets"
    __table_args__ = (Index("ix_rule_sets_strategy", "strategy_hash"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    rule_set_hash: Mapped[str] = mapped_column(String(16), unique=True)
    strategy_hash: Mapped[str] = mapped_column(String(16))
    rules: Mapped[str] = mapped_column(Text)


class SavedRules(Model):
    """A rule set that a user keeps under a name; ``name_key`` is the name as names are compared.

    A user has one name for one rule set.
    """

    __tablename__ = "saved_rules"
    __table_args__ = (UniqueConstraint("user_id", "name_key"), UniqueConstraint("user_id", "rule_set_id"))

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    rule_set_id: Mapped[int] = mapped_column(ForeignKey("rule_sets.id"))
    name: Mapped[str] = mapped_column(String(60))
    name_key: Mapped[str] = mapped_column(String(180))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Question(Model):
    """A hand on somebody's screen, waiting for an answer; gone once it is answered.

    It belongs to a visitor, who may not be a user yet. ``plan`` is the choice of practice that dealt it, ``kind`` why
    this hand, where the plan adapts to the user.
    """

    __tablename__ = "questions"
    __table_args__ = (Index("ix_questions_visitor", "visitor", "plan"),)

    token: Mapped[str] = mapped_column(String(22), primary_key=True)
    visitor: Mapped[str] = mapped_column(String(32))
    plan: Mapped[str] = mapped_column(Text)
    position: Mapped[int] = mapped_column(Integer)
    rule_set_id: Mapped[int] = mapped_column(ForeignKey("rule_sets.id"))
    cards: Mapped[str] = mapped_column(String(64))
    upcard: Mapped[str] = mapped_column(String(2))
    tens_left: Mapped[int | None] = mapped_column(SmallInteger)
    cards_left: Mapped[int | None] = mapped_column(SmallInteger)
    kind: Mapped[str] = mapped_column(String(12), default="")
    is_hinted: Mapped[bool] = mapped_column(default=False)
    dealt_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)


class PracticeSession(Model):
    """One sitting: its running figures, for the strip above the hand."""

    __tablename__ = "practice_sessions"
    __table_args__ = (Index("ix_practice_sessions_user", "user_id", "id"),)

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    started_at: Mapped[datetime] = mapped_column(UtcDateTime)
    last_at: Mapped[datetime] = mapped_column(UtcDateTime)
    is_ended: Mapped[bool] = mapped_column(default=False)
    hands: Mapped[int] = mapped_column(default=0)
    right: Mapped[int] = mapped_column(default=0)
    hinted: Mapped[int] = mapped_column(default=0)
    streak: Mapped[int] = mapped_column(default=0)
    ev_lost: Mapped[float] = mapped_column(Float, default=0.0)
    times: Mapped[str] = mapped_column(Text, default="")


# What a list of mistakes can be narrowed by.
_FILTERED = ("category", "row", "upcard_rank", "rule_set_id", "chosen")


class Decision(Model):
    """One answer, with everything that was known and shown then.

    ``token`` is the question's, so that a question can be answered once. ``seen``: at a table, the other cards in
    view. ``evs`` is JSON of every legal move's EV. ``time_ms`` is empty where no time counts. ``is_mistake``: neither
    right nor hinted.
    """

    __tablename__ = "decisions"
    __table_args__ = (
        Index("ix_decisions_user", "user_id", "id"),
        # Pages of mistakes walk the first two, filters included, without touching the other decisions, or enter the
        # third where few pass.
        Index("ix_mistakes_newest", "user_id", "created_at", "id", *_FILTERED,
              sqlite_where=text("is_mistake"), postgresql_where=text("is_mistake")),
        Index("ix_mistakes_costliest", "user_id", "category", "ev_cost", "created_at", "id", *_FILTERED[1:],
              sqlite_where=text("is_mistake"), postgresql_where=text("is_mistake")),
        Index("ix_mistakes_places", "user_id", "rule_set_id", "chosen", "upcard_rank", "category", "row", "created_at",
              "ev_cost", "id", sqlite_where=text("is_mistake"), postgresql_where=text("is_mistake")),
        Index("ix_decisions_session", "session_id"),
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    token: Mapped[str] = mapped_column(String(22), unique=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    session_id: Mapped[int | None] = mapped_column(ForeignKey("practice_sessions.id", ondelete="SET NULL"))
    rule_set_id: Mapped[int] = mapped_column(ForeignKey("rule_sets.id"))
    plan: Mapped[str] = mapped_column(Text)
    position: Mapped[int] = mapped_column(Integer)
    mode: Mapped[str] = mapped_column(String(16))
    kind: Mapped[str] = mapped_column(String(12), default="")
    cards: Mapped[str] = mapped_column(String(64))
    upcard: Mapped[str] = mapped_column(String(2))
    tens_left: Mapped[int | None] = mapped_column(SmallInteger)
    cards_left: Mapped[int | None] = mapped_column(SmallInteger)
    seen: Mapped[str | None] = mapped_column(Text)
    category: Mapped[str] = mapped_column(String(12))
    row: Mapped[int] = mapped_column(SmallInteger)
    upcard_rank: Mapped[int] = mapped_column(SmallInteger)
    legal: Mapped[str] = mapped_column(String(64))
    chosen: Mapped[str] = mapped_column(String(12))
    chart_move: Mapped[str] = mapped_column(String(12))
    exact_move: Mapped[str] = mapped_column(String(12))
    evs: Mapped[str] = mapped_column(Text)
    ev_cost: Mapped[float] = mapped_column(Float)
    grading: Mapped[str] = mapped_column(String(8))
    is_right: Mapped[bool]
    is_hinted: Mapped[bool]
    is_mistake: Mapped[bool]
    is_slow: Mapped[bool]
    time_ms: Mapped[int | None] = mapped_column(Integer)
    day: Mapped[date] = mapped_column(Date)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Tally(Model):
    """Sums over one user's decisions on one strategy.

    ``scope`` CELL_DAY: a chart cell, a mode and a local day; CELL: the cell over all modes and days;
    CATEGORY_DAY, CATEGORY_MONTH and CATEGORY: all cells of a category and all modes, by day, by month (its first day
    stands for it), and over all days.
    """

    __tablename__ = "tallies"
    # SQLite keeps the rows in the order of the key, so that days or cells to be summed lie together.
    __table_args__ = ({"sqlite_with_rowid": False},)

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    scope: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    strategy_hash: Mapped[str] = mapped_column(String(16), primary_key=True)
    category: Mapped[str] = mapped_column(String(12), primary_key=True)
    row: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    upcard_rank: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    mode: Mapped[str] = mapped_column(String(16), primary_key=True)
    day: Mapped[date] = mapped_column(Date, primary_key=True)
    decisions: Mapped[int] = mapped_column(default=0)
    right: Mapped[int] = mapped_column(default=0)
    hinted: Mapped[int] = mapped_column(default=0)
    ev_lost: Mapped[float] = mapped_column(Float, default=0.0)
    ev_cost: Mapped[float] = mapped_column(Float, default=0.0)
    times: Mapped[str] = mapped_column(Text, default="")


class CellMemory(Model):
    """What one user remembers of one chart cell: the fields of :class:`trainer.drill.memory.Memory`."""

    __tablename__ = "cell_memories"
    __table_args__ = (Index("ix_cell_memories_due", "user_id", "due"),)

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    strategy_hash: Mapped[str] = mapped_column(String(16), primary_key=True)
    category: Mapped[str] = mapped_column(String(12), primary_key=True)
    row: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    upcard_rank: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    state: Mapped[int] = mapped_column(SmallInteger)
    step: Mapped[int | None] = mapped_column(SmallInteger)
    stability: Mapped[float] = mapped_column(Float)
    difficulty: Mapped[float] = mapped_column(Float)
    due: Mapped[datetime] = mapped_column(UtcDateTime)
    answered_at: Mapped[datetime] = mapped_column(UtcDateTime)
    seen_at: Mapped[datetime] = mapped_column(UtcDateTime)
    is_first_right: Mapped[bool]
    run: Mapped[int]
    recent: Mapped[float] = mapped_column(Float)
    recent_wrong: Mapped[float] = mapped_column(Float)
    kept_asked: Mapped[int]
    kept_right: Mapped[int]


class Run(Model):
    """A streak or a sprint, from its first hand to its end; ``score`` is hands in a row, or points."""

    __tablename__ = "runs"
    __table_args__ = (Index("ix_runs_user", "user_id", "mode", "strategy_hash", "id"),)

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    mode: Mapped[str] = mapped_column(String(16))
    strategy_hash: Mapped[str] = mapped_column(String(16))
    started_at: Mapped[datetime] = mapped_column(UtcDateTime)
    is_ended: Mapped[bool] = mapped_column(default=False)
    answers: Mapped[int] = mapped_column(default=0)
    right: Mapped[int] = mapped_column(default=0)
    score: Mapped[float] = mapped_column(Float, default=0.0)


class GoalDay(Model):
    """A local day on which a user who has set a daily goal answered; ``goal`` is what it was on that day."""

    __tablename__ = "goal_days"

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    day: Mapped[date] = mapped_column(Date, primary_key=True)
    goal: Mapped[int]
    hands: Mapped[int]
