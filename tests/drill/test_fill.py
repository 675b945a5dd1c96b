from random import Random

import pytest

from tests.drill.games import GAMES
from trainer.drill.fill import FillError, cells_to_fill, codes_to_fill, mark_chart
from trainer.drill.sheet import sheet_of
from trainer.engine.actions import Action
from trainer.engine.advice import short_version
from trainer.engine.chart import CODES, PREFERENCES, ROWS, SECTIONS, Cell, Chart
from trainer.engine.edge import chart_edge
from trainer.engine.rules import Rules
from trainer.engine.solution import full_table


@pytest.fixture(scope="module")
def strategy(strategy_of):
    return strategy_of(Rules())


@pytest.fixture(scope="module")
def sheet(strategy):
    return sheet_of(strategy)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("section", ["", "hard", "soft", "pair"])
def test_the_charts_own_codes_are_all_right_and_lose_nothing(name, section, strategy_of):
    strategy = strategy_of(GAMES[name])
    own = sheet_of(strategy)
    entries = {cell: strategy.chart.code(cell) for cell in cells_to_fill(own, section)}
    filled = mark_chart(own, entries, section)
    assert filled.right == len(entries) == len(filled.marks)
    assert (filled.blank, filled.wrong, filled.ev_lost_per_100) == (0, (), 0)


def random_entries(sheet, seed):
    random = Random(seed)
    return {cell: random.choice(codes_to_fill(sheet, cell)) for cell in sheet.cells if random.random() < 0.8}


@pytest.mark.parametrize("seed", range(5))
def test_marks_say_what_the_sheet_says_and_add_up(sheet, seed):
    entries = random_entries(sheet, seed)
    filled = mark_chart(sheet, entries)
    assert [mark.cell for mark in filled.marks] == list(sheet.cells)
    for place, mark in enumerate(filled.marks):
        code = entries.get(mark.cell, "")
        lost = float(sheet.costs[place, CODES.index(code)]) if code else 0.0
        assert (mark.entered, mark.expected, mark.ev_lost) == (code, sheet.codes[place], lost)
        assert mark.ev_lost_per_100 == pytest.approx(100 * sheet.frequency[place] * lost)
        assert mark.is_right == (code == sheet.codes[place] or (code != "" and lost == 0))
    assert filled.ev_lost_per_100 == pytest.approx(sum(mark.ev_lost_per_100 for mark in filled.marks))
    assert filled.right + filled.blank + len(filled.wrong) == len(filled.marks)
    assert filled.blank == len(sheet.cells) - len(entries)
    costs = [mark.ev_lost_per_100 for mark in filled.wrong]
    assert costs == sorted(costs, reverse=True)
    assert all(mark.ev_lost > 0 for mark in filled.wrong)


def complete_chart(chart, entries):
    """The chart with what was filled in, for the engine to price the whole game by, split hands included."""
    sections = {name: chart.section(name).copy() for name in SECTIONS}
    for cell, code in entries.items():
        sections[cell.section][cell.row - ROWS[cell.section].start, cell.upcard - 1] = code
    return Chart(**sections)


def test_a_filled_in_advice_loses_what_the_engine_says(strategy, sheet):
    advice = short_version(Rules())
    entries = {cell: advice.code(cell) for cell in sheet.cells}
    lost = mark_chart(sheet, entries).ev_lost_per_100
    engine = chart_edge(full_table(Rules()), complete_chart(strategy.chart, entries)).edge
    # The engine also counts the hands that come from a split.
    assert lost == pytest.approx(100 * (strategy.by_chart.edge - engine), rel=0.01)


@pytest.mark.parametrize(("cell", "code"), [
    (Cell("pair", 8, 10), "H"), (Cell("pair", 9, 7), "P"), (Cell("pair", 10, 5), "P"), (Cell("pair", 1, 6), "H"),
])
def test_a_pairs_mistake_loses_exactly_what_the_engine_says(strategy, sheet, cell, code):
    entries = {**dict(zip(sheet.cells, sheet.codes, strict=True)), cell: code}
    engine = chart_edge(full_table(Rules()), complete_chart(strategy.chart, entries)).edge
    lost = mark_chart(sheet, entries).ev_lost_per_100
    assert lost == pytest.approx(100 * (strategy.by_chart.edge - engine), rel=0.005)


@pytest.mark.parametrize(("cell", "code"), [
    (Cell("hard", 16, 10), "P"), (Cell("hard", 16, 10), "Rh"), (Cell("hard", 16, 10), "X"), (Cell("soft", 18, 2), ""),
    (Cell("hard", 4, 2), "H"), (Cell("hard", 21, 2), "S"), (Cell("pair", 8, 11), "P"),
])
def test_what_no_chart_of_these_rules_can_have_is_refused_at_its_cell(sheet, cell, code):
    with pytest.raises(FillError) as caught:
        mark_chart(sheet, {cell: code})
    assert caught.value.cell == cell


def test_a_cell_of_another_section_is_refused(sheet):
    with pytest.raises(FillError):
        mark_chart(sheet, {Cell("hard", 16, 10): "H"}, "soft")


@pytest.mark.parametrize("name", GAMES)
def test_what_may_be_entered_is_what_the_rules_allow(name, strategy_of):
    rules, sheet = GAMES[name], sheet_of(strategy_of(GAMES[name]))
    for cell in sheet.cells:
        moves = {PREFERENCES[code][0] for code in codes_to_fill(sheet, cell)}
        assert {Action.HIT, Action.STAND} <= moves
        assert (Action.SPLIT in moves) == (cell.section == "pair")
        if rules.surrender == "none":
            assert Action.SURRENDER not in moves
        if rules.double_on == "9-11" and cell.section == "hard" and rules.double_cards == "two":
            assert (Action.DOUBLE in moves) == (9 <= cell.row <= 11)
        assert sheet.codes[sheet.index[cell]] in codes_to_fill(sheet, cell)
