"""An empty chart, what is typed into it, and how it is marked."""

import pytest

from trainer.drill.fill import mark_chart
from trainer.drill.sheet import sheet_of
from trainer.engine.chart import CODES, SECTIONS, Cell
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules
from trainer.service.fill import fill_in
from trainer.service.strategies import StrategyCache

CASINO = RULE_SETS["shoe-h17"]
SIXTEEN = Cell("hard", 16, 10)


@pytest.fixture(scope="module")
def strategies(solved_folder):
    return StrategyCache(solved_folder)


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
@pytest.mark.parametrize("section", ["", *SECTIONS])
def test_the_chart_itself_is_all_right_in_any_letters(strategies, rules, section):
    chart = strategies.get(rules).chart
    cells = fill_in(strategies, rules, section).cells
    typed = {cell: f" {chart.code(cell).swapcase()} " for cell in cells}
    filling = fill_in(strategies, rules, section, typed)
    assert filling.faults == {}
    assert filling.marked.right == len(cells)
    assert {cell.section for cell in cells} == ({section} if section else set(SECTIONS))


def test_an_empty_chart_is_not_marked_until_it_is_handed_in(strategies):
    assert fill_in(strategies, CASINO).marked is None
    handed_in = fill_in(strategies, CASINO, typed={}).marked
    assert (handed_in.right, handed_in.blank) == (0, len(handed_in.marks))


def test_everything_that_cannot_be_read_is_told_and_nothing_is_marked(strategies):
    typed = {SIXTEEN: "x", Cell("hard", 5, 2): "P", Cell("pair", 8, 1): "rp", Cell("soft", 18, 2): "DsS"}
    filling = fill_in(strategies, CASINO, typed=typed)
    assert filling.marked is None
    assert set(filling.faults) == {SIXTEEN, Cell("hard", 5, 2), Cell("soft", 18, 2)}
    assert filling.faults[SIXTEEN] == "'x' is no answer for 16 v 10; use one of H, S, D, Ds, Rh, Rs"
    assert filling.typed == typed


def test_cells_of_another_section_are_left_aside(strategies):
    filling = fill_in(strategies, CASINO, "soft", {SIXTEEN: "nonsense"})
    assert filling.faults == {}
    assert filling.marked.blank == len(filling.cells)


def test_marks_are_those_of_the_sheet(strategies):
    sheet = sheet_of(strategies.get(CASINO))
    typed = {cell: "s" for cell in sheet.cells if cell.section == "hard"}
    marked = fill_in(strategies, CASINO, typed=typed).marked
    assert marked == mark_chart(sheet, dict.fromkeys(typed, "S"))
    assert marked.wrong


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_the_codes_are_those_that_the_rules_can_have(strategies, rules):
    codes = fill_in(strategies, rules).codes
    expected = {"H", "S", "D", "Ds", "P"} | ({"Rh", "Rs", "Rp"} if rules.surrender == "late" else set())
    assert set(codes) == expected
    assert list(codes) == [code for code in CODES if code in expected]
    assert {"P", "Rp"}.isdisjoint(fill_in(strategies, rules, "hard").codes)


def test_a_split_is_no_answer_where_nothing_may_be_split(strategies):
    """Nor does it make surrender look free there: a hard 14 against a ten is hit, and giving it up costs."""
    sheet = sheet_of(strategies.get(CASINO))
    for name in ("P", "Rp"):
        costs = sheet.costs[[cell.section != "pair" for cell in sheet.cells], CODES.index(name)]
        assert (costs != costs).all()
    place = sheet.index[Cell("hard", 14, 10)]
    assert sheet.costs[place, CODES.index("Rh")] > 0
    assert sheet.stake[place] >= sheet.costs[place, CODES.index("Rh")]


def test_a_game_without_pairs_has_none_to_fill_in(strategies):
    rules = Rules(max_split_hands=1)
    assert fill_in(strategies, rules, "pair").cells == ()
    assert fill_in(strategies, rules, "pair").codes == ()
    assert Cell("hard", 4, 2) in fill_in(strategies, rules).cells
