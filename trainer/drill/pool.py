"""Which hands a mode may deal and how often: lists of hand and upcard with weights.

Weights follow the exact chances of a full shoe: given no dealer's natural where the game
peeks before the decision, unconditional where it does not.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from math import comb
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from trainer.drill.plan import Mode, Plan
from trainer.engine.actions import Action
from trainer.engine.cards import RANKS, TEN, Card, full_shoe, label_of
from trainer.engine.chart import Cell
from trainer.engine.deal import same_face_shares
from trainer.engine.errors import EngineError
from trainer.engine.hands import BLACKJACK, Hand
from trainer.engine.lattice import FloatArray
from trainer.engine.solution import SURRENDER_VALUE, is_before_peek
from trainer.engine.strategy import Strategy

CLOSE_CALL_EV = 0.05
# A surrender is worth drilling where it is right, and where it is wrong by little enough to be taken for right.
SURRENDER_CALL_EV = 0.1


class NothingToDealError(EngineError):
    """The rules have no hand of the kind that was asked for."""


@dataclass(frozen=True)
class Candidate:
    """A hand by its ranks against an upcard rank.

    ``is_pair`` is set for two tens where pairs go by face: whether their faces are alike.
    """

    composition: tuple[int, ...]
    upcard: int
    is_pair: bool | None = None

    def hand(self) -> Hand:
        """The hand with faces that pair, or do not, as meant."""
        if self.is_pair is False:
            return Hand((Card("K"), Card("Q")))
        return Hand.from_composition(self.composition)


@dataclass(frozen=True, eq=False)
class Pool:
    """Candidates and their running weights, the last one 1; ``pick`` maps a number below 1 to one of them."""

    candidates: tuple[Candidate, ...]
    running: FloatArray

    @classmethod
    def of(cls, candidates: list[Candidate], weights: list[float] | FloatArray) -> "Pool":
        """Normalise weights; ``NothingToDealError`` where nothing has any."""
        total = float(np.sum(weights)) if len(candidates) else 0.0
        if total <= 0:
            raise NothingToDealError("these rules have no such hand")
        running = np.cumsum(weights) / total
        running[-1] = 1.0
        return cls(tuple(candidates), running)

    def pick(self, chance: float) -> Candidate:
        return self.candidates[int(np.searchsorted(self.running, chance, side="right"))]


# Pools are worked out once for each strategy that is still in use.
_POOLS: WeakKeyDictionary[Strategy, dict[Hashable, Pool]] = WeakKeyDictionary()
_CELL_POOLS: WeakKeyDictionary[Strategy, dict[Cell, Pool]] = WeakKeyDictionary()


def pool_for(strategy: Strategy, plan: Plan) -> Pool:
    """The pool of a plan's mode; ``NothingToDealError`` where the rules have no such hand, or the mode has no pool."""
    builders: dict[Mode, Callable[[Strategy, Plan], Pool]] = {
        Mode.MIXED: lambda strategy, _: _mixed(strategy),
        Mode.FOCUS: _focus,
        Mode.CLOSE_CALLS: lambda strategy, _: _close_calls(strategy),
        Mode.MULTI_CARD: lambda strategy, _: _multi_card(strategy),
    }
    if plan.mode not in builders:
        raise NothingToDealError("this way of practising deals by what was answered before")
    key = (plan.mode, plan.focus, plan.rows, plan.upcards)
    pools = _POOLS.setdefault(strategy, {})
    if key not in pools:
        if len(pools) > 40:
            pools.clear()
        pools[key] = builders[plan.mode](strategy, plan)
    return pools[key]


def pool_of_cell(strategy: Strategy, cell: Cell) -> Pool:
    """A cell's two-card hands by frequency, three-card ones where it has none; ``NothingToDealError`` without."""
    if strategy not in _CELL_POOLS:
        _CELL_POOLS[strategy] = {
            each: Pool.of([candidate for candidate, _ in hands], [weight for _, weight in hands])
            for each, hands in _by_cell(strategy, lambda *_: True).items()}
    if cell not in _CELL_POOLS[strategy]:
        raise NothingToDealError(f"these rules have no hand for {cell}")
    return _CELL_POOLS[strategy][cell]


def first_hands(strategy: Strategy) -> list[tuple[Candidate, float]]:
    """Every two-card hand that has a decision, with its chance; chances are not normalised."""
    lattice = strategy.solution.lattice
    rows = np.flatnonzero((lattice.sizes == 2) & (lattice.totals < BLACKJACK))
    chances = hand_chances(strategy, strategy.weights, rows, card_count=2)
    found = []
    for row, by_upcard in zip(rows.tolist(), chances, strict=True):
        composition = tuple(lattice.compositions[row].tolist())
        for upcard in RANKS:
            chance = float(by_upcard[upcard - 1])
            if chance > 0:
                found += _by_face(strategy, Candidate(composition, upcard), chance)
    return found


def cell_of_candidate(strategy: Strategy, candidate: Candidate) -> Cell:
    """The chart cell that decides a first hand, or a hand of more cards."""
    hand = candidate.hand()
    rank = hand.cards[0].rank
    splittable = hand.is_pair(strategy.rules.split_by) and strategy.rules.can_split_rank(rank)
    if splittable:
        return Cell("pair", rank, candidate.upcard)
    return Cell("soft" if hand.is_soft else "hard", hand.total, candidate.upcard)


def _mixed(strategy: Strategy) -> Pool:
    candidates, weights = zip(*first_hands(strategy), strict=True)
    return Pool.of(list(candidates), list(weights))


def _close_calls(strategy: Strategy) -> Pool:
    return _filtered(strategy, lambda evs: len(evs) > 1 and evs[-1] - evs[-2] < CLOSE_CALL_EV)


def _filtered(strategy: Strategy, keeps: Callable[[list[float]], bool]) -> Pool:
    """First hands whose sorted EVs are of interest, by frequency."""
    kept = [(candidate, weight) for candidate, weight in first_hands(strategy)
            if keeps(sorted(evs_of(strategy, candidate).values()))]
    return Pool.of([candidate for candidate, _ in kept], [weight for _, weight in kept])


def _focus(strategy: Strategy, plan: Plan) -> Pool:
    """Every cell of the focus as often as any other, its hands by their frequency."""
    candidates, weights = [], []
    for hands in _by_cell(strategy, lambda *hand: _is_in_focus(strategy, plan, *hand)).values():
        total = sum(weight for _, weight in hands)
        candidates += [candidate for candidate, _ in hands]
        weights += [weight / total for _, weight in hands]
    return Pool.of(candidates, weights)


def _by_cell(
    strategy: Strategy, keeps: Callable[[Cell, Candidate], bool]
) -> dict[Cell, list[tuple[Candidate, float]]]:
    """The hands that a cell is asked with, and their chances, of the cells and hands that are kept."""
    by_cell: dict[Cell, list[tuple[Candidate, float]]] = {}
    for candidate, weight in [*first_hands(strategy), *_three_card_stand_ins(strategy)]:
        cell = cell_of_candidate(strategy, candidate)
        if keeps(cell, candidate):
            by_cell.setdefault(cell, []).append((candidate, weight))
    return by_cell


def _is_in_focus(strategy: Strategy, plan: Plan, cell: Cell, candidate: Candidate) -> bool:
    if plan.focus == "surrender":
        evs = evs_of(strategy, candidate)
        others = [ev for action, ev in evs.items() if action != Action.SURRENDER]
        return Action.SURRENDER in evs and max(others) < SURRENDER_VALUE + SURRENDER_CALL_EV
    if plan.focus:
        return cell.section == plan.focus and (cell.section != "hard" or cell.row >= 5)
    return plan.includes(cell)


def _three_card_stand_ins(strategy: Strategy) -> list[tuple[Candidate, float]]:
    """Three-card hands for hard and soft totals that no first hand makes, such as hard 20 where tens split."""
    made = {(cell.section, cell.row) for candidate, _ in first_hands(strategy)
            for cell in [cell_of_candidate(strategy, candidate)]}
    lattice, shoe = strategy.solution.lattice, full_shoe(strategy.rules.decks)
    found = []
    for row in np.flatnonzero((lattice.sizes == 3) & (lattice.totals < BLACKJACK)).tolist():
        if (("soft" if lattice.is_soft[row] else "hard"), int(lattice.totals[row])) in made:
            continue
        composition = tuple(lattice.compositions[row].tolist())
        for upcard in RANKS:
            ways = 1
            for rank, count in enumerate(composition, start=1):
                ways *= comb(shoe[rank - 1] - (rank == upcard), count)
            if ways:
                natural = strategy.solution.natural[row, upcard - 1] if strategy.rules.is_peek else 0.0
                found.append((Candidate(composition, upcard), float(ways * shoe[upcard - 1] * (1.0 - natural))))
    return found


def _multi_card(strategy: Strategy) -> Pool:
    lattice = strategy.solution.lattice
    rows = np.flatnonzero((lattice.sizes > 2) & (lattice.totals < BLACKJACK))
    chances = hand_chances(strategy, strategy.reached, rows, card_count=3)
    where, columns = np.nonzero(chances > 0)
    compositions = lattice.compositions[rows[where]].tolist()
    candidates = [Candidate(tuple(composition), int(column) + 1)
                  for composition, column in zip(compositions, columns, strict=True)]
    return Pool.of(candidates, chances[where, columns])


def hand_chances(strategy: Strategy, given_upcard: FloatArray, rows: NDArray[np.int64], card_count: int) -> FloatArray:
    """(rows, 10): chances of hand and upcard together, with no natural where the decision comes after a peek."""
    rules, natural = strategy.rules, np.nan_to_num(strategy.solution.natural[rows])
    shoe = np.array(full_shoe(rules.decks), dtype=float)
    chances = np.nan_to_num(given_upcard[rows]) * shoe / shoe.sum()
    for upcard in RANKS:
        if rules.is_peek and not is_before_peek(rules, card_count, upcard):
            chances[:, upcard - 1] *= 1.0 - natural[:, upcard - 1]
    return np.where(np.isfinite(strategy.solution.stand[rows]), chances, 0.0)


def _by_face(strategy: Strategy, candidate: Candidate, chance: float) -> list[tuple[Candidate, float]]:
    """Two tens told apart by their faces, where that decides whether they are a pair."""
    rules = strategy.rules
    if candidate.composition[TEN - 1] != 2 or rules.split_by == "value" or not rules.can_split_rank(TEN):
        return [(candidate, chance)]
    alike = sum(same_face_shares(rules.decks, candidate.upcard))
    return [(Candidate(candidate.composition, candidate.upcard, is_pair), chance * share)
            for is_pair, share in ((True, alike), (False, 1.0 - alike)) if share > 0]


def evs_of(strategy: Strategy, candidate: Candidate) -> dict[Action, float]:
    """Every legal move's EV on a candidate's hand."""
    return dict(strategy.solution.evs(candidate.hand(), Card(label_of(candidate.upcard))))
