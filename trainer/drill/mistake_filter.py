"""Which past mistakes are meant: to be listed, or to be dealt again; readable from and written to a URL."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date
from typing import Self

from trainer.drill.parameters import ROWS_BY_NAME, UPCARDS_BY_NAME, PlanError, one_of
from trainer.drill.situation import CATEGORIES, DECLINE, INSURE
from trainer.engine.actions import Action

MOVES = (*map(str, Action), INSURE, DECLINE)
# The categories that a move is made in; early surrender is declined on any hand, as insurance is.
CATEGORIES_OF: Mapping[str, tuple[str, ...]] = {
    **{str(action): tuple(name for name in CATEGORIES if name != "insurance") for action in Action},
    str(Action.SPLIT): ("pair",), INSURE: ("insurance",), DECLINE: CATEGORIES,
}


@dataclass(frozen=True)
class MistakeFilter:
    """Mistakes of a category, a chart row (``h16``), an upcard (``T``), with a move that was chosen, between two days.

    Empty fields do not filter. ``session`` picks one practice session; without it they are those on the rule set of
    whatever holds the filter, with ``all_rules`` on any.
    """

    category: str = ""
    row: str = ""
    upcard: str = ""
    move: str = ""
    since: str = ""
    until: str = ""
    session: int = 0
    all_rules: bool = False

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> Self:
        """Read a URL's parameters; ``PlanError`` for nonsense."""
        session = query.get("session", "")
        if session and not re.fullmatch(r"[0-9]{1,18}", session, re.ASCII):
            raise PlanError("session", "a session is a number")
        return cls(
            one_of(query, "category", ("", *CATEGORIES)), one_of(query, "row", ("", *ROWS_BY_NAME)),
            one_of(query, "upcard", ("", *UPCARDS_BY_NAME)), one_of(query, "move", ("", *MOVES)),
            _day(query, "since"), _day(query, "until"), int(session or 0), one_of(query, "scope", ("", "all")) == "all",
        )

    def to_query(self) -> dict[str, str]:
        """The URL's parameters; what does not filter is left out."""
        own = {each.name: str(getattr(self, each.name) or "") for each in fields(self) if each.name != "all_rules"}
        return {name: value for name, value in {**own, "scope": "all" if self.all_rules else ""}.items() if value}


def _day(query: Mapping[str, str], name: str) -> str:
    value = query.get(name, "")
    try:
        if value and date.fromisoformat(value).isoformat() != value:
            raise ValueError
    except ValueError:
        raise PlanError(name, f"{value[:20]!r} is no day; write it as 2031-01-31") from None
    return value
