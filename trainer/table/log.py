"""A hand's log: how it began and every event since, from which it can be played again."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from trainer.table.event import Event, Happening, Step
from trainer.table.record import event_data, event_of, from_json, round_data, round_of, to_json
from trainer.table.round import Round
from trainer.table.step import step


@dataclass(frozen=True)
class HandLog:
    """``opening``: the round as it was opened, its shoe included; ``events`` in order."""

    opening: Round
    events: tuple[Event, ...] = ()

    def add(self, event: Event) -> "HandLog":
        """The log with one event more."""
        return replace(self, events=(*self.events, event))

    def replay(self) -> Step:
        """The round after all events, and everything that happened in it."""
        round_: Round = self.opening
        happenings: tuple[Happening, ...] = ()
        for event in self.events:
            taken = step(round_, event)
            round_, happenings = taken.round, happenings + taken.happenings
        return Step(round_, happenings)

    def to_json(self) -> str:
        """For the server's own keeping: it tells the whole shoe."""
        return to_json({"opening": round_data(self.opening), "events": [event_data(event) for event in self.events]})

    @classmethod
    def from_json(cls, text: str) -> "HandLog":
        """Read what :meth:`to_json` wrote; ``StateError`` for anything else."""
        return from_json(text, _log_of)


def _log_of(data: Mapping[str, Any]) -> HandLog:
    return HandLog(round_of(data["opening"]), tuple(map(event_of, data["events"])))
