"""The tables as rows: one for each hand and upcard, as they are printed and compared with other programs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from trainer.engine.actions import Action
from trainer.engine.cards import RANKS, TEN, Card, label_of
from trainer.engine.deal import same_face_shares
from trainer.engine.hands import Hand, label
from trainer.engine.strategy import Strategy


@dataclass(frozen=True)
class Row:
    """One hand against one upcard.

    ``evs``: the legal moves' EVs, and hitting 21, which no one may do, as a number to check;
    ``chart`` and ``exact``: the moves of the two tables. ``TT`` is a pair; where pairs go by
    face its split against a ten is the mean over the faces that the upcard may have.
    """

    hand: str
    upcard: str
    evs: Mapping[Action, float]
    chart: Action
    exact: Action


def list_rows(strategy: Strategy, *, all_hands: bool = False) -> Iterator[Row]:
    """Two-card hands, or all of two cards and more, against every upcard the shoe can then show."""
    solution = strategy.solution
    lattice = solution.lattice
    for row in np.flatnonzero(lattice.sizes >= 2 if all_hands else lattice.sizes == 2).tolist():
        hand = Hand.from_composition(lattice.compositions[row].tolist())
        for upcard in (upcard for upcard in RANKS if np.isfinite(solution.stand[row, upcard - 1])):
            evs = evs_against_rank(strategy, hand, upcard)
            legal = tuple(evs)
            if not hand.is_natural:
                evs[Action.HIT] = float(solution.hit[row, upcard - 1]) if hand.total == 21 else evs[Action.HIT]
            yield Row(label(hand.composition), label_of(upcard), evs,
                      strategy.chart.move(hand, Card(label_of(upcard)), legal),
                      max(legal, key=lambda action: evs[action]))


def evs_against_rank(strategy: Strategy, hand: Hand, upcard: int) -> dict[Action, float]:
    """Every legal move's EV against an upcard of a rank, whatever its face; see :class:`Row` for ``TT``."""
    is_by_face = strategy.rules.split_by == "rank" and hand.is_pair("rank") and hand.cards[0].rank == TEN
    if upcard != TEN or not is_by_face:
        return dict(strategy.solution.evs(hand, Card(label_of(upcard))))
    unlike, like = (dict(strategy.solution.evs(hand, Card(face))) for face in ("K", "T"))
    if Action.SPLIT in unlike:
        weights = same_face_shares(strategy.rules.decks, upcard)
        unlike[Action.SPLIT] = float(np.average([unlike[Action.SPLIT], like[Action.SPLIT]], weights=weights))
    return unlike
