import pytest

from trainer.engine.actions import Action
from trainer.engine.cards import parse_cards
from trainer.engine.cell import report_cell
from trainer.engine.chart import Cell, cell_of, cells
from trainer.engine.hands import Hand, label, total_of
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules


@pytest.fixture(scope="module")
def common(strategy_of):
    return strategy_of(Rules())


@pytest.fixture(scope="module")
def by_rank(strategy_of):
    return strategy_of(RULE_SETS["classic"])


@pytest.fixture(scope="module")
def one_deck(strategy_of):
    return strategy_of(RULE_SETS["squarescores"])


@pytest.fixture(scope="module")
def reports(common):
    return {cell: report_cell(common, cell) for cell in cells()}


def names(reports):
    return [label(report.composition) for report in reports]


def test_every_cell_has_hands_whose_shares_add_up(reports):
    assert len(reports) == 360
    for cell, report in reports.items():
        shares = [each.share for each in report.compositions]
        assert report.cell == cell
        assert sum(shares) == pytest.approx(1)
        assert shares == sorted(shares, reverse=True)
        assert min(shares) > 0


def test_a_cell_holds_hands_of_its_total_only(reports):
    for cell, report in reports.items():
        for each in report.compositions:
            hand = Hand.from_composition(each.composition)
            if cell.section == "pair":
                assert each.composition == tuple(2 * (rank == cell.row) for rank in range(1, 11))
            else:
                assert (total_of(each.composition), hand.is_soft) == (cell.row, cell.section == "soft")


def test_a_cell_tells_its_code_and_margin(common, reports):
    for cell, report in reports.items():
        assert report.code == common.chart.code(cell)
        assert report.margin >= 0
    assert reports[Cell("hard", 16, 10)].code == "H"
    assert reports[Cell("hard", 16, 10)].margin < 0.01 < reports[Cell("hard", 20, 10)].margin


def test_a_pair_is_in_its_own_cell_first_and_in_its_total_after_a_split(reports):
    eights = next(each for each in reports[Cell("hard", 16, 10)].compositions if label(each.composition) == "88")
    assert eights.is_after_split_only
    assert Action.SPLIT not in eights.evs
    assert not eights.differs
    (own,) = reports[Cell("pair", 8, 10)].compositions
    assert (own.exact, own.chart, own.is_after_split_only, own.share) == (Action.SPLIT, Action.SPLIT, False, 1.0)


def test_only_pairs_come_after_a_split_only(reports):
    for cell, report in reports.items():
        pairs = [label(each.composition) for each in report.compositions if each.is_after_split_only]
        if cell.section == "hard":
            assert pairs == [2 * "A23456789T"[cell.row // 2 - 1]] * (cell.row % 2 == 0)
        else:
            assert pairs == ["AA"] * (cell.section == "soft" and cell.row == 12)


def test_evs_are_the_solutions(common, reports):
    for cell in (Cell("hard", 12, 4), Cell("soft", 18, 9), Cell("pair", 9, 7)):
        for each in reports[cell].compositions:
            if not each.is_after_split_only:
                upcard = parse_cards("A23456789T")[cell.upcard - 1]
                assert each.evs == common.solution.evs(Hand.from_composition(each.composition), upcard)


def test_exact_is_the_best_move_and_chart_the_charts(common, reports):
    for cell in (Cell("hard", 16, 10), Cell("hard", 12, 3), Cell("soft", 18, 1), Cell("hard", 10, 10)):
        upcard = parse_cards("A23456789T")[cell.upcard - 1]
        for each in reports[cell].compositions:
            assert each.evs[each.exact] == max(each.evs.values())
            hand = Hand.from_composition(each.composition)
            assert each.chart == common.chart.move(hand, upcard, tuple(each.evs))
            assert cell_of(hand, upcard, tuple(each.evs)) == cell


@pytest.mark.parametrize(
    ("cell", "differing", "agreeing"),
    [
        (Cell("hard", 12, 4), {"2T"}, {"39", "48", "57"}),
        (Cell("hard", 12, 3), set(), {"2T", "39", "48", "57", "345"}),
        (Cell("hard", 16, 10), {"24T", "A5T", "457", "556", "4444"}, {"6T", "79", "88", "33T", "466"}),
    ],
)
def test_where_exact_play_differs(reports, cell, differing, agreeing):
    found = set(names(reports[cell].differing))
    assert differing <= found
    assert agreeing <= set(names(reports[cell].compositions)) - found


def test_a_clear_cell_has_no_differing_hand(reports):
    assert reports[Cell("hard", 20, 6)].differing == ()


def test_the_frequency_of_a_pair_is_the_chance_of_being_dealt_it(reports):
    # 88 against a six, which makes no natural; and against a ten, given that there is no ace in the hole.
    assert reports[Cell("pair", 8, 6)].frequency == pytest.approx(24 / 311 * 23 / 310)
    no_natural = (1 - 24 / 309) / (1 - 24 / 311)
    assert reports[Cell("pair", 8, 10)].frequency == pytest.approx(24 / 311 * 23 / 310 * no_natural)


def test_the_frequency_of_a_cell_leaves_out_its_pairs(reports):
    # Hard 5 is 2-3 and nothing else; hard 4 is 2-2, which is decided among the pairs.
    assert reports[Cell("hard", 5, 6)].frequency == pytest.approx(2 * 24 / 311 * 24 / 310)
    assert reports[Cell("hard", 4, 6)].frequency == 0


def test_a_pair_that_may_not_be_split_is_decided_by_its_total(by_rank):
    report = report_cell(by_rank, Cell("pair", 4, 6))
    assert (report.compositions, report.frequency) == ((), 0)
    fours = next(each for each in report_cell(by_rank, Cell("hard", 8, 6)).compositions
                 if label(each.composition) == "44")
    assert not fours.is_after_split_only
    assert set(fours.evs) == {Action.STAND, Action.HIT}


def test_a_move_that_a_hand_only_meets_after_a_split_is_no_difference(one_deck):
    # One deck: two sevens gone make 7-7 stand against a ten where every other 14 hits.
    report = report_cell(one_deck, Cell("hard", 14, 10))
    sevens = next(each for each in report.compositions if label(each.composition) == "77")
    assert (sevens.exact, sevens.chart, sevens.is_after_split_only) == (Action.STAND, Action.HIT, True)
    assert not sevens.differs
    assert sevens not in report.differing


def test_tens_by_face_are_decided_in_both_cells(one_deck):
    # One deck, a six up: two of sixteen tens are dealt, and one in five such hands is of one face.
    two_tens = 16 / 51 * 15 / 50
    pair = report_cell(one_deck, Cell("pair", 10, 6))
    assert pair.frequency == pytest.approx(two_tens / 5)
    assert Action.SPLIT in pair.compositions[0].evs
    total = report_cell(one_deck, Cell("hard", 20, 6))
    tens = next(each for each in total.compositions if label(each.composition) == "TT")
    assert not tens.is_after_split_only
    assert Action.SPLIT not in tens.evs
    others = sum(each.share for each in total.compositions if each is not tens)
    assert total.frequency == pytest.approx(two_tens * 4 / 5 + two_tens * others / tens.share)
