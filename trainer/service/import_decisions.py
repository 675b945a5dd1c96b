"""The decisions of an export: what each must hold, whoever wrote the file; its cards and moves are for the engine."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import lru_cache

from trainer.drill.grade import GRADINGS
from trainer.drill.mix import Kind
from trainer.drill.parameters import PlanError
from trainer.drill.plan import Mode, Plan
from trainer.drill.situation import CATEGORIES, DECLINE
from trainer.drill.timing import MAX_SECONDS
from trainer.engine.actions import Action
from trainer.service.import_fields import Fields
from trainer.service.tables import TABLE_MODE

# Why a hand was dealt is told where it is more than chance; older exports do not tell it.
KINDS = ("", *map(str, Kind))
MOST_MS = round(MAX_SECONDS * 1000)
_MODES = (*map(str, Mode), TABLE_MODE)
_MODES_PLAYED = (TABLE_MODE, str(Mode.PLAY_OUT))
_PLAYED_WORDS = frozenset((*map(str, Action), DECLINE))
# All cards of eight decks.
_MOST_SEEN = 8 * 52 * 2


@dataclass(frozen=True)
class AtTable:
    """What a decision at a table hung on besides its cards, which only the file can tell.

    ``seen``: the other cards in view, ``None`` where insurance was asked, whose worth hangs on the cards left.
    ``evs``: of every move of ``legal``, in which order counts; both are empty for insurance, and ``chart_move`` too.
    """

    seen: str | None
    legal: Sequence[str]
    evs: Mapping[str, float]
    chart_move: str
    ev_cost: float


@dataclass(frozen=True)
class FileDecision:
    """A decision as a file tells it, less what the engine works out anew; ``sitting`` and ``rules`` name others.

    ``at_table`` is given for one that was made at a table or in a hand played out, but for insurance in the latter.
    """

    token: str
    rules: str
    sitting: int | None
    plan: str
    position: int
    mode: str
    kind: str
    cards: str
    upcard: str
    tens_left: int | None
    cards_left: int | None
    chosen: str
    grading: str
    is_hinted: bool
    is_slow: bool
    time_ms: int | None
    day: date
    answered_at: datetime
    at_table: AtTable | None = None

    @property
    def section(self) -> str:
        """The list of the file in which it stands."""
        return "decisions" if self.at_table is None or self.at_table.seen is None else "table_decisions"


def read_decision(value: object, place: str, now: datetime) -> FileDecision:
    """Check a decision; its cards and moves are left for the engine."""
    fields = Fields(value, place)
    found = _decision(fields, now, _MODES)
    if found.mode != TABLE_MODE:
        return found
    if found.tens_left is None:
        raise fields.fault("mode", f"cannot be {TABLE_MODE}: here stands of tables insurance alone.")
    return replace(found, at_table=AtTable(None, (), {}, "", fields.number("ev_cost")))


def read_table_decision(value: object, place: str, now: datetime) -> FileDecision:
    """Check a decision that was made at a table or in a hand played out, and was not about insurance."""
    fields = Fields(value, place)
    found = _decision(fields, now, _MODES_PLAYED)
    for name in ("tens_left", "cards_left"):
        if getattr(found, name) is not None:
            raise fields.fault(name, "must be null here.")
    at_table = AtTable(fields.text("seen", _MOST_SEEN), fields.list_of_texts("legal"), fields.numbers("evs"),
                       fields.text("chart_move", 12), fields.number("ev_cost"))
    if not _PLAYED_WORDS.issuperset(at_table.legal) or len(set(at_table.legal)) < len(at_table.legal):
        raise fields.fault("legal", "must be moves, each once.")
    if set(at_table.evs) != set(at_table.legal):
        raise fields.fault("evs", "must be one of every legal move.")
    return replace(found, at_table=at_table)


def _decision(fields: Fields, now: datetime, modes: Collection[str]) -> FileDecision:
    _check_worked_out(fields)
    mode = fields.one_of("mode", modes)
    found = FileDecision(
        fields.like("token", "[A-Za-z0-9_-]{22}", "22 letters, digits, dashes or underscores"), fields.text("rules"),
        fields.whole_or_none("sitting", 1, 2**63 - 1), _plan(fields, mode), fields.whole("position"), mode,
        fields.one_of("kind", KINDS, ""), fields.text("cards", 64), fields.text("upcard", 2),
        fields.whole_or_none("tens_left", 0, 1_000), fields.whole_or_none("cards_left", 1, 1_000),
        fields.text("chosen", 12), fields.one_of("grading", GRADINGS), fields.flag("is_hinted"),
        fields.flag("is_slow"), fields.whole_or_none("time_ms", 0, MOST_MS), fields.day("day"),
        fields.moment("answered_at", now),
    )
    if (found.time_ms is None) != found.is_hinted:
        raise fields.fault("time_ms", "must be null where the chart was in view, and nowhere else.")
    if found.is_slow and found.is_hinted:
        raise fields.fault("is_slow", "must be false where the chart was in view.")
    if abs(found.day - found.answered_at.date()) > timedelta(days=1):
        raise fields.fault("day", "must be the day of the answer.")
    if mode == TABLE_MODE and found.sitting is not None:
        raise fields.fault("sitting", "must be null: at tables there is none.")
    return found


def _check_worked_out(fields: Fields) -> None:
    """What is worked out anew must still be of its type."""
    fields.one_of("category", CATEGORIES)
    fields.whole("row", 0, 21)
    fields.list_of_texts("legal")
    fields.text("chart_move", 12)
    fields.text("exact_move", 12)
    fields.numbers("evs")
    fields.number("ev_cost")
    fields.flag("is_right")


def _plan(fields: Fields, mode: str) -> str:
    text = fields.text("plan", 1_000)
    try:
        query, plan_mode = _canonical(text)
    except PlanError:
        raise fields.fault("plan", "must be the query of a practice that there is.") from None
    # A table's names its rules and nothing else.
    if plan_mode != (Mode.MIXED if mode == TABLE_MODE else mode):
        raise fields.fault("mode", "must be that of the plan.")
    return query


@lru_cache(maxsize=1024)
def _canonical(text: str) -> tuple[str, str]:
    plan = Plan.from_text(text)
    return plan.to_query(), str(plan.mode)
