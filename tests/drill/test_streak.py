
from itertools import pairwise
from random import Random

import pytest

from tests.drill.games import GAMES
from trainer.drill.sheet import neighbours, sheet_of
from trainer.drill.streak import streak_cell
from trainer.engine.chart import PREFERENCES, ROWS
from trainer.engine.rules import Rules


def streak(sheet, seed):
    random, cells = Random(seed), []
    while cell := streak_cell(sheet, len(cells), random):
        cells.append(cell)
    return cells


def margin(strategy, cell):
    return strategy.margins[cell.section][cell.row - ROWS[cell.section].start, cell.upcard - 1]


@pytest.mark.parametrize("name", GAMES)
def test_margins_never_widen(name, strategy_of):
    strategy = strategy_of(GAMES[name])
    for seed in range(30):
        margins = [margin(strategy, cell) for cell in streak(sheet_of(strategy), seed)]
        assert all(after <= before for before, after in pairwise(margins))
        assert margins[0] > 0.2
        assert margins[-1] < 0.02


@pytest.mark.parametrize("name", GAMES)
def test_every_hand_has_a_look_alike_from_the_start(name, strategy_of):
    strategy = strategy_of(GAMES[name])

    def first_move(cell):
        return PREFERENCES[strategy.chart.code(cell)][0]

    for cell in streak(sheet_of(strategy), 1):
        assert any(first_move(near) != first_move(cell) for near in neighbours(cell))


def test_a_streak_is_long_never_repeats_a_cell_and_can_be_completed(strategy_of):
    sheet = sheet_of(strategy_of(Rules()))
    hands = -(-sum(bool(alike) for alike in sheet.lookalikes) // 3)
    for seed in range(20):
        cells = streak(sheet, seed)
        assert len(cells) == hands == len(set(cells)) > 50
    assert streak_cell(sheet, hands, Random(1)) is None


def test_streaks_differ_and_together_ask_every_cell_with_a_look_alike(strategy_of):
    sheet = sheet_of(strategy_of(Rules()))
    assert streak(sheet, 1) == streak(sheet, 1) != streak(sheet, 2)
    asked = {cell for seed in range(60) for cell in streak(sheet, seed)}
    assert asked == {cell for cell, alike in zip(sheet.cells, sheet.lookalikes, strict=True) if alike}
