"""Somebody's place at a table between two requests: the table, the purse, and what was decided in the present round."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from trainer.drill.situation import INSURE
from trainer.storage.tables import PurseRow, SeatRow
from trainer.table.errors import StateError
from trainer.table.log import HandLog
from trainer.table.purse import Purse
from trainer.table.round import Phase, Round
from trainer.table.solo import SoloTable
from trainer.table.spec import TableSpec

AT_ONCE, AT_THE_END = "decision", "round"
VERDICTS = (AT_ONCE, AT_THE_END)
NOT_HINTED = -1


@dataclass(frozen=True)
class Mark:
    """One decision of a round, judged for the cards in view.

    ``box`` and ``place`` of the hand, ``cards`` as they lay then (``AsKd``), ``evs`` in original bets by answer,
    ``ev_cost`` in original bets, ``cost`` in tenths of a chip. ``token`` is the decision's in the history, empty for
    what the clock did. ``reasons`` in sentences.
    """

    box: int
    place: int
    cards: str
    upcard: str
    chosen: str
    expected: str
    chart: str
    exact: str
    evs: Mapping[str, float]
    ev_cost: float
    cost: float
    is_right: bool
    is_hinted: bool
    is_estimate: bool
    token: str = ""
    reasons: Sequence[str] = ()

    @property
    def is_clocks(self) -> bool:
        """Whether the clock decided."""
        return not self.token

    @property
    def is_insurance(self) -> bool:
        """Whether insurance, or even money, was decided about."""
        return INSURE in self.evs


@dataclass(frozen=True)
class Seat:
    """A place at the table with the address ``key``.

    ``number`` counts rounds over all sittings, of which the present one began after ``first``. ``hinted_at``: the
    step of the question whose answer was in view though hints are off now. ``verdicts``: one of :data:`VERDICTS`.
    """

    key: str
    table: SoloTable
    purse: Purse
    log: HandLog | None = None
    marks: tuple[Mark, ...] = ()
    number: int = 0
    first: int = 0
    is_seated: bool = True
    is_hinting: bool = False
    hinted_at: int = NOT_HINTED
    verdicts: str = AT_ONCE
    version: int = 0
    purse_version: int = 0

    @property
    def round(self) -> Round | None:
        return self.table.round

    @property
    def spec(self) -> TableSpec:
        return self.table.spec

    @property
    def served_at(self) -> int:
        """When the present question was first shown, in milliseconds: with the event that led to it."""
        return self.log.events[-1].at if self.log and self.log.events else 0

    @property
    def shown_marks(self) -> Sequence[Mark]:
        """The decisions of the round whose verdicts may be seen by now, latest last.

        That on one box's insurance would tell the other boxes, which are asked about the same card.
        """
        if self.table.is_playing and self.verdicts == AT_THE_END:
            return ()
        is_insuring = self.round is not None and self.round.phase == Phase.INSURANCE and self.awaited()
        return [mark for mark in self.marks if not (is_insuring and mark.is_insurance)]

    @property
    def is_verdict_shown(self) -> bool:
        """Whether the present question came with the verdict on another, which takes time to read."""
        return bool(self.shown_marks)

    @property
    def is_hint_shown(self) -> bool:
        """Whether the answer to the present question is, or was, in view."""
        return self.is_hinting or (self.round is not None and self.hinted_at == self.round.asked_at)

    def awaited(self) -> Sequence[int]:
        """The player's own boxes that must answer now."""
        return [box for box in self.round.awaited if box in self.table.own_boxes] if self.round else []

    def with_hinting(self, *, is_hinting: bool) -> "Seat":
        """Hints on or off; the question that is open stays hinted where its answer has been seen."""
        hinted_at = self.round.asked_at if self.round and self.is_hint_shown else NOT_HINTED
        return replace(self, is_hinting=is_hinting, hinted_at=hinted_at)

    def to_row(self) -> SeatRow:
        """What is stored of it, but for the purse."""
        marks = json.dumps([asdict(mark) for mark in self.marks])
        return SeatRow(self.key, self.version, self.is_seated, self.table.to_json(),
                       self.log.to_json() if self.log else "", marks, self.number, self.first, self.is_hinting,
                       self.hinted_at, self.verdicts)

    @classmethod
    def from_rows(cls, row: SeatRow, purse: PurseRow | None) -> "Seat":
        """The inverse of :meth:`to_row`; a purse that is not stored yet is a new one."""
        table = SoloTable.from_json(row.state)
        return cls(
            row.key, table, purse.purse if purse else table.spec.purse.new(),
            HandLog.from_json(row.log) if row.log else None, tuple(Mark(**mark) for mark in json.loads(row.marks)),
            row.number, row.first, row.is_seated, row.is_hinting, row.hinted_at, row.verdicts, row.version,
            purse.version if purse else 0)


def is_readable(row: SeatRow) -> bool:
    """Whether a stored seat is of this version of the program."""
    try:
        Seat.from_rows(row, None)
    except StateError:
        return False
    return True
