"""How a hand ends, not only what it is worth: the exact distribution of the result."""

import numpy as np

from trainer.engine.dealer import FINAL_TOTALS
from trainer.engine.lattice import FloatArray, IntArray
from trainer.engine.player import HIT, STAND, Table, with_bust

# Ways to end, in bets won or lost on one hand; a doubled push is told apart from a plain one.
LOSE_2, LOSE_1, PUSH_1, PUSH_2, WIN_1, WIN_2 = range(6)
# Counted beside the ends: the hand was not bust, the bet was doubled; where the dealer peeks,
# only if there is no dealer's natural, since else the hand is never played.
NOT_BUST, DOUBLED = 6, 7
MEASURES = 8

RESULT_NAMES = ("lose 2", "lose 1", "push", "win 1", "win 2", "natural")
_BUST = np.eye(MEASURES)[LOSE_1]


def stand_distribution(table: Table) -> FloatArray:
    """(hands, upcards, measures) of standing; a dealer's natural is among the losses."""
    totals = table.odds.totals(table.lattice.compositions)
    player = table.lattice.totals[:, None, None]
    final = np.asarray(FINAL_TOTALS)
    ends = np.zeros((*table.stand.shape, MEASURES))
    ends[..., PUSH_1] = (totals * (final == player)).sum(axis=-1)
    ends[..., LOSE_1] = (totals * (final > player)).sum(axis=-1) + table.natural
    ends[..., WIN_1] = 1.0 - ends[..., PUSH_1] - ends[..., LOSE_1]
    ends[..., NOT_BUST] = _played(table)
    return ends


def double_distribution(table: Table, stand: FloatArray) -> FloatArray:
    """(hands, upcards, measures) of one card for twice the bet, whether or not the rules allow it."""
    once = table.mean_over_next_card(with_bust(stand, _BUST), slice(None))
    ends = np.zeros_like(once)
    ends[..., [LOSE_2, PUSH_2, WIN_2, NOT_BUST]] = once[..., [LOSE_1, PUSH_1, WIN_1, NOT_BUST]]
    ends[..., DOUBLED] = _played(table)
    if table.rules.loses_only_original_bets:
        ends[..., LOSE_2] -= table.natural
        ends[..., LOSE_1] += table.natural
    return ends


def follow_distribution(table: Table, moves: IntArray) -> tuple[FloatArray, FloatArray]:
    """Measures (hands, upcards, measures) of hitting and of the hand itself, later hands played by ``moves``."""
    stand = stand_distribution(table)
    double = double_distribution(table, stand)
    hit = np.empty_like(stand)
    ends = with_bust(stand, _BUST)
    for rows in reversed(table.lattice.levels):
        hit[rows] = table.mean_over_next_card(ends, rows)
        move = moves[rows][..., None]
        ends[rows] = np.where(move == STAND, stand[rows], np.where(move == HIT, hit[rows], double[rows]))
    return hit, ends[:-1]


def given_no_natural(ends: FloatArray, natural: float) -> FloatArray:
    """The ends of one hand after the peek; a dealer's natural was a plain loss before it."""
    left = ends.copy()
    left[LOSE_1] -= natural
    return left / max(1.0 - natural, float(np.finfo(float).tiny))


def named(ends: FloatArray) -> dict[str, float]:
    """One distribution by name, as :data:`RESULT_NAMES` has it; it adds up to 1."""
    values = ends.tolist()
    return dict(zip(RESULT_NAMES, (
        values[LOSE_2], values[LOSE_1], values[PUSH_1] + values[PUSH_2], values[WIN_1], values[WIN_2], 0.0,
    ), strict=True))


def named_natural(natural: float) -> dict[str, float]:
    """The player's natural: paid unless the dealer has one too, with chance ``natural``."""
    return dict(zip(RESULT_NAMES, (0.0, 0.0, natural, 0.0, 0.0, 1.0 - natural), strict=True))


def _played(table: Table) -> FloatArray:
    """Chance that the hand is played at all."""
    return 1.0 - table.natural if table.rules.is_peek else np.ones_like(table.natural)
