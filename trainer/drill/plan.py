"""What a user has chosen to practise: mode, focus, rule set and seed; readable from and written to a URL."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from typing import Self
from urllib.parse import parse_qsl, urlencode

from trainer.drill.mistake_filter import MistakeFilter
from trainer.drill.parameters import ROWS_BY_NAME, UPCARDS_BY_NAME, PlanError, one_of, read_rules, row_name
from trainer.engine.cards import label_of
from trainer.engine.chart import SECTIONS, Cell
from trainer.engine.presets import DEFAULT_KEY


class Mode(StrEnum):
    """Ways to choose the next hand."""

    MIXED = "mixed"
    FOCUS = "focus"
    INSURANCE = "insurance"
    MULTI_CARD = "multi-card"
    CLOSE_CALLS = "close-calls"
    MISTAKES = "mistakes"
    DEFAULT_MIX = "default-mix"
    WEAK_SPOTS = "weak-spots"
    REVIEW = "review"
    STREAK = "streak"
    SPRINT = "sprint"
    FILL = "fill-the-chart"
    PLAY_OUT = "play-it-out"


# What these deal hangs on what went before, so that no seed could bring it back.
UNSEEDED = frozenset({Mode.MISTAKES, Mode.DEFAULT_MIX, Mode.WEAK_SPOTS, Mode.REVIEW, Mode.STREAK, Mode.SPRINT,
                      Mode.FILL, Mode.PLAY_OUT})


# These are started by hand, come to an end, and have personal bests.
RUN_MODES = frozenset({Mode.STREAK, Mode.SPRINT})

FOCUSES = ("hard", "soft", "pair", "surrender")
# Hands to begin with that are asked about insurance; a mode of its own where hands are not played out.
INSURANCE_FOCUS = "insurance"
_MAX_SEED = 40
_MAX_LIST = 400
_PRINTABLE = re.compile(r"[\w .:-]*", re.ASCII)


@dataclass(frozen=True)
class Plan:
    """One choice of practice.

    ``focus`` is one of :data:`FOCUSES` or empty; ``rows`` (such as ``h16``, ``s18``, ``p8``)
    and ``upcards`` (``A``, ``2`` to ``9``, ``T``) pick a part of the chart instead, an empty
    one meaning all; playing it out takes them for its opening hands, and :data:`INSURANCE_FOCUS` as well. Filling the
    chart takes a section of it as its focus, or none for all of it. ``seed`` fixes the dice; empty: chance.
    """

    rules_key: str = DEFAULT_KEY
    mode: Mode = Mode.MIXED
    focus: str = ""
    rows: tuple[str, ...] = ()
    upcards: tuple[str, ...] = ()
    seed: str = ""
    mistakes: MistakeFilter = field(default_factory=MistakeFilter)

    @classmethod
    def from_query(cls, query: Mapping[str, str], default: "Plan | None" = None) -> Self:
        """Read a URL's parameters; what is missing comes from ``default``. ``PlanError`` for nonsense.

        A focus or a part of the chart without a mode means the focus mode.
        """
        base = default or Plan()
        rules_key = read_rules(query.get("rules", base.rules_key))
        # An empty part that is named is the whole chart.
        has_part = any(name in query for name in ("focus", "rows", "upcards"))
        fallback = Mode.FOCUS if has_part else base.mode
        if "seed" in query and fallback in UNSEEDED:
            fallback = Mode.MIXED
        mode = Mode(one_of(query, "mode", list(Mode), fallback))
        seed = query.get("seed", "" if "mode" in query else base.seed)
        if len(seed) > _MAX_SEED or not _PRINTABLE.fullmatch(seed):
            raise PlanError("seed", f"a seed is up to {_MAX_SEED} letters, digits, spaces, dots or dashes")
        plan = cls(rules_key, mode, seed="" if mode in UNSEEDED else seed)
        if mode is Mode.MISTAKES:
            mistakes = MistakeFilter.from_query(query) if "mode" in query else base.mistakes
            return replace(plan, mistakes=mistakes)
        if mode is Mode.FILL:
            kept = base.focus if base.mode is Mode.FILL and "mode" not in query else ""
            return replace(plan, focus=one_of(query, "focus", ("", *SECTIONS), kept))
        if mode not in (Mode.FOCUS, Mode.PLAY_OUT):
            return plan
        if not has_part and base.mode is mode and (mode is Mode.FOCUS or "mode" not in query):
            return replace(plan, focus=base.focus, rows=base.rows, upcards=base.upcards)
        if not has_part:
            return replace(plan, focus="hard" if mode is Mode.FOCUS else "")
        rows, upcards = _read_rows(query.get("rows", "")), _read_upcards(query.get("upcards", ""))
        opening = (INSURANCE_FOCUS,) if mode is Mode.PLAY_OUT else ()
        focus = one_of(query, "focus", ("", *FOCUSES, *opening), "")
        if focus and (rows or upcards):
            raise PlanError("focus", "choose either a focus or a part of the chart, not both")
        return replace(plan, focus=focus, rows=rows, upcards=upcards)

    @staticmethod
    @lru_cache(maxsize=512)  # the same few are read with every hand
    def from_text(query: str) -> "Plan":
        """Read what :meth:`to_query` wrote."""
        return Plan.from_query(dict(parse_qsl(query, keep_blank_values=True)))

    def to_query(self) -> str:
        """The URL's query string that names this plan, and nothing that is a default within it."""
        named = {
            "rules": self.rules_key, "mode": str(self.mode), "focus": self.focus, "rows": ",".join(self.rows),
            "upcards": ",".join(self.upcards), "seed": self.seed, **self.mistakes.to_query(),
        }
        kept = {name: value for name, value in named.items() if value}
        if self.mode is Mode.FOCUS and not (self.focus or self.rows or self.upcards):
            kept["focus"] = ""
        return urlencode(kept, safe=",")

    @property
    def is_seeded(self) -> bool:
        return bool(self.seed)

    def includes(self, cell: Cell) -> bool:
        """Whether a cell is in the picked part of the chart."""
        rows = not self.rows or row_name(cell) in self.rows
        return rows and (not self.upcards or label_of(cell.upcard) in self.upcards)


def _read_rows(text: str) -> tuple[str, ...]:
    return _read_list("rows", text, list(ROWS_BY_NAME))


def _read_upcards(text: str) -> tuple[str, ...]:
    return _read_list("upcards", text, list(UPCARDS_BY_NAME))


def _read_list(name: str, text: str, allowed: list[str]) -> tuple[str, ...]:
    if len(text) > _MAX_LIST:
        raise PlanError(name, f"the list of {name} is too long")
    chosen = [part for part in text.replace(" ", ",").split(",") if part]
    for part in chosen:
        if part not in allowed:
            raise PlanError(name, f"{part[:20]!r} is not on the chart; {name} are {', '.join(allowed)}")
    return tuple(each for each in allowed if each in chosen)
