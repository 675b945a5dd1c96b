"""Somebody alone at a table, round after round, with residents where the table has them."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from random import Random
from typing import Any

from trainer.engine.rules import Rules
from trainer.table.errors import ChipsError, SeatError, TurnError
from trainer.table.event import Event, Happening
from trainer.table.purse import Account, Purse
from trainer.table.record import from_json, round_data, round_of, to_json
from trainer.table.resident import NAMES
from trainer.table.round import Player, Round, open_round
from trainer.table.shoe import fresh_shoe, next_shoe
from trainer.table.spec import CUSTOM_KEY, TableSpec, spec_for
from trainer.table.step import step

PLAYER = "you"


@dataclass(frozen=True)
class SoloTable:
    """A table with one person at it.

    ``rules`` are given for a custom table only. ``own`` boxes are the player's, the others the residents', whose
    stacks are ``residents``; the player's begin at box ``place`` (0 is the dealer's left). ``round``: the present one,
    or the last. ``shuffled``: whether that began with a new shuffle.
    """

    key: str
    rules: Rules | None = None
    own: int = 1
    residents: tuple[int, ...] = ()
    place: int = 0
    has_clock: bool = True
    account: Account = field(default_factory=Account)
    round: Round | None = None
    shuffled: bool = False

    @property
    def spec(self) -> TableSpec:
        return spec_for(self.key, self.rules)

    @property
    def is_playing(self) -> bool:
        """Whether a round is in progress."""
        return self.round is not None and not self.round.is_over

    @property
    def own_boxes(self) -> range:
        """The numbers of the player's boxes."""
        return range(self.place, self.place + self.own)

    @property
    def last_bets(self) -> tuple[int, ...]:
        """What the player bet on each own box in the present or last round, for the same again."""
        return tuple(self.round.boxes[number].bet for number in self.own_boxes) if self.round else (0,) * self.own

    def to_json(self) -> str:
        """For the server's own keeping: it tells the whole shoe."""
        data = {name: getattr(self, name) for name in _PLAIN}
        return to_json(data | {
            "rules": self.rules.to_dict() if self.rules else None,
            "account": asdict(self.account),
            "round": round_data(self.round) if self.round else None,
        })

    @classmethod
    def from_json(cls, text: str) -> "SoloTable":
        """Read what :meth:`to_json` wrote; ``StateError`` for anything else."""
        return from_json(text, _solo_of)


@dataclass(frozen=True)
class Taken:
    """A table and its player's purse after an event, and what happened."""

    table: SoloTable
    purse: Purse
    happenings: tuple[Happening, ...]


def sit_down(
    spec: TableSpec, purse: Purse, *, own: int = 1, residents: int = 0, place: int = 0, has_clock: bool = True
) -> SoloTable:
    """Take boxes at a table; ``SeatError`` where there are not as many, or the table is not open to this purse."""
    if not 1 <= own <= spec.most_own or not 0 <= residents <= spec.most_residents or own + residents > spec.most_boxes:
        raise SeatError(f"{own} boxes and {residents} residents do not fit; this table has {spec.most_boxes} boxes, "
                        f"{spec.most_own} at most for you and {spec.most_residents} for residents")
    if not 0 <= place <= residents:
        raise SeatError(f"box {place + 1} cannot be the first of yours")
    if not spec.is_open_to(purse.refilled(spec.purse).stack):
        raise SeatError(f"{spec.title} is open to larger purses only")
    rules = spec.terms.rules if spec.key == CUSTOM_KEY else None
    return SoloTable(spec.key, rules, own, (spec.purse.start,) * residents, place, has_clock)


def begin_round(table: SoloTable, purse: Purse, random: Random, now: int) -> tuple[SoloTable, Purse]:
    """Open the next round, the purse and the residents refilled first, the shoe shuffled where it is time.

    ``random`` shuffles: the system's for real play. ``TurnError`` while a round is in progress here or, from the same
    purse, elsewhere; ``ChipsError`` where the smallest bet is out of reach.
    """
    if table.is_playing:
        raise TurnError("the round in progress comes first")
    if purse.table not in (None, table.key):
        raise TurnError("a round is in progress at another table that plays from the same purse")
    spec = table.spec
    purse = purse.refilled(spec.purse)
    if purse.stack < spec.terms.smallest:
        raise ChipsError(f"{spec.title} takes larger bets than you have chips for")
    stacks = [stack if stack >= spec.terms.smallest else spec.purse.start for stack in table.residents]
    players = [Player(PLAYER, purse.stack), *(
        Player(name, stack, is_resident=True) for name, stack in zip(NAMES, stacks, strict=False))]
    seats = list(range(1, len(players)))
    owners = [*seats[: table.place], *[0] * table.own, *seats[table.place :]]
    terms = spec.terms if table.has_clock else replace(spec.terms, clock=None)
    if table.round is None:
        shoe, shuffled = fresh_shoe(terms.rules, random), True
    else:
        shoe, shuffled = next_shoe(terms.rules, random, table.round.shoe, table.round.dealt)
    opened = open_round(terms, players, owners, shoe, now=now)
    return replace(table, round=opened, shuffled=shuffled), replace(purse, table=table.key)


def take(table: SoloTable, purse: Purse, event: Event) -> Taken:
    """Apply an event to the round in progress, by whomever; raises what :func:`trainer.table.step.step` does.

    The purse follows the player's stack; once the round is over the account is made up and the purse is free.
    """
    if table.round is None:
        raise TurnError("no round has begun")
    taken = step(table.round, event)
    after = taken.round
    purse = purse.with_stack(after.players[0].stack)
    table = replace(table, round=after, residents=tuple(player.stack for player in after.players[1:]))
    if after.is_over:
        purse = replace(purse, table=None)
        bets = [after.boxes[number].bet for number in table.own_boxes if after.boxes[number].bet]
        table = replace(table, account=table.account.with_hands(len(bets), sum(bets), after.result_of(0)))
    return Taken(table, purse, taken.happenings)


_PLAIN = ("key", "own", "residents", "place", "has_clock", "shuffled")


def _solo_of(data: Mapping[str, Any]) -> SoloTable:
    plain = {name: data[name] for name in _PLAIN}
    return SoloTable(**plain | {
        "residents": tuple(data["residents"]),
        "rules": Rules.from_mapping(data["rules"]) if data["rules"] else None,
        "account": Account(**data["account"]),
        "round": round_of(data["round"]) if data["round"] else None,
    })
