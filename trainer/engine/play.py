"""A complete way of playing a table: what is done with every first hand, and by what moves it goes on."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from trainer.engine.cards import RANKS, TEN
from trainer.engine.chart import Chart
from trainer.engine.deal import deal_chances, reach_chances, same_face_shares
from trainer.engine.derivation import surrender_values
from trainer.engine.lattice import BoolArray, FloatArray, IntArray, pair_row
from trainer.engine.player import DOUBLE, HIT, STAND, Table, best_moves, double_mask, pick
from trainer.engine.policy import TotalPolicy, cell_rows
from trainer.engine.solution import exact_hit, exact_splits, split_results
from trainer.engine.split import SplitResult


@dataclass(frozen=True, eq=False)
class FirstHand:
    """One two-card hand, or the part of it that pairs in one way, against each upcard (upcards,).

    ``share``: the part of the hand's composition that is meant: 1, but for tens where pairs go by face.
    Surrendered where ``surrenders``, else split where ``splits``, else played by ``move``. ``is_upcard_face``:
    a pair of the upcard's own face, which means something for such tens against a ten only.
    """

    row: int
    share: FloatArray
    move: IntArray
    surrenders: BoolArray
    splits: BoolArray
    split: SplitResult | None
    is_upcard_face: bool = False


@dataclass(frozen=True, eq=False)
class Play:
    """First hands, naturals left out, and the moves (hands, upcards) for hands that came by hitting."""

    first: tuple[FirstHand, ...]
    later: IntArray


def exact_play(table: Table) -> Play:
    """Every first hand by its highest EV, hands after a split by the engine's fixed policy."""
    hit = exact_hit(table)
    moves = best_moves(table, hit, double_mask(table.rules, table.lattice, is_split=False))
    value = pick(moves, table.stand, hit, table.double)
    surrender = _surrender_or_never(table)
    results = exact_splits(table, with_counts=True)

    def decide(row: int, key: tuple[int, bool] | None, share: FloatArray) -> FirstHand:
        split = results[key] if key else None
        best = value[row] if split is None else np.maximum(value[row], split.value)
        splits = np.zeros(len(table.upcards), dtype=bool) if split is None else split.value > value[row]
        return FirstHand(row, share, moves[row], surrender[row] > best, splits, split, bool(key and key[1]))

    return Play(tuple(decide(*hand) for hand in _first_hands(table, results)), moves)


def chart_play(table: Table, chart: Chart) -> Play:
    """Every hand, split hands included, by one chart; where the rules forbid its move, by the fallback."""
    policy = TotalPolicy.of(chart)
    later = policy.moves(table, is_split=False)
    results = split_results(table, policy.moves(table, is_split=True), with_counts=True)
    may_double = double_mask(table.rules, table.lattice, is_split=False)
    may_surrender = table.rules.surrender != "none"
    surrenders = policy.surrenders[cell_rows(table.lattice)] & may_surrender
    never = np.zeros(len(table.upcards), dtype=bool)

    def decide(row: int, key: tuple[int, bool] | None, share: FloatArray) -> FirstHand:
        if key is None:
            return FirstHand(row, share, later[row], surrenders[row], never, None)
        codes = chart.pair[key[0] - 1]
        plain = np.where(np.isin(codes, ("H", "D", "Rh")), HIT, STAND)
        move = np.where(np.isin(codes, ("D", "Ds")) & may_double[row], DOUBLE, plain)
        gives_up = np.isin(codes, ("Rh", "Rs", "Rp")) & may_surrender
        return FirstHand(row, share, move, gives_up, np.isin(codes, ("P", "Rp")), results[key], key[1])

    return Play(tuple(decide(*hand) for hand in _first_hands(table, results)), later)


def multi_card_chances(table: Table, play: Play) -> FloatArray:
    """(hands, upcards): chance of holding each hand of three and more cards by hitting a first hand.

    Given the upcard, before any peek. Hands that a split, a double or a surrender ended are not among them.
    """
    dealt = deal_chances(table)
    hitting = np.zeros_like(dealt)
    for hand in play.first:
        draws = (hand.move == HIT) & ~hand.splits & ~hand.surrenders
        hitting[hand.row] += dealt[hand.row] * hand.share * draws
    is_first = (table.lattice.sizes == 2)[:, None]
    reached = reach_chances(table, hitting, is_first | (play.later == HIT))
    return np.where(is_first, 0.0, reached)


def _first_hands(
    table: Table, results: dict[tuple[int, bool], SplitResult]
) -> Iterator[tuple[int, tuple[int, bool] | None, FloatArray]]:
    """Row, key of the split (none where it is no pair) and share of every two-card hand but the natural."""
    lattice = table.lattice
    whole = np.ones(len(table.upcards))
    pairs = {pair_row(lattice, rank): rank for rank in RANKS}
    for row in np.flatnonzero(lattice.sizes == 2).tolist():
        rank = pairs.get(row)
        if row == lattice.natural_row:
            continue
        if rank is None or (rank, False) not in results:
            yield row, None, whole
        elif (rank, True) not in results:
            yield row, (rank, False), whole
        else:
            shares = np.array([same_face_shares(table.rules.decks, int(upcard)) for upcard in table.upcards])
            yield row, (TEN, False), shares[:, 0]
            yield row, (TEN, True), shares[:, 1]
            yield row, None, 1.0 - shares.sum(axis=1)


def _surrender_or_never(table: Table) -> FloatArray:
    never = np.full(table.stand.shape, -np.inf)
    return never if table.rules.surrender == "none" else surrender_values(table)
