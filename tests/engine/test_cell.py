from itertools import combinations_with_replacement

import pytest

from trainer.engine.actions import Action
from trainer.engine.cards import Card, parse_cards
from trainer.engine.cell import hand_chances, report_cell
from trainer.engine.chart import Cell, cell_of, cells
from trainer.engine.hands import Hand, is_soft, label, total_of
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
        frequencies = [each.frequency for each in report.compositions]
        assert report.cell == cell
        assert report.compositions
        assert frequencies == sorted(frequencies, reverse=True)
        assert sum(frequencies) == pytest.approx(report.frequency)
        assert sum(each.share for each in report.compositions) == pytest.approx(1 if report.met else 0)
        assert [each.share > 0 for each in report.compositions] == [each in report.met for each in report.compositions]


def test_a_cell_has_every_hand_that_the_shoe_can_deal(one_deck):
    for cell in (Cell("hard", 16, 10), Cell("soft", 18, 1), Cell("hard", 20, 8)):
        found = names(report_cell(one_deck, cell).compositions)
        assert len(found) == len(set(found))
        assert set(found) == {label(hand) for hand in every_hand(1) if total_of(hand) == cell.row
                              and is_soft(hand) == (cell.section == "soft")
                              and hand[cell.upcard - 1] + 1 <= (16 if cell.upcard == 10 else 4)}


def every_hand(decks):
    """Hands of two and more cards, counted the slow way."""
    for size in range(2, 12):
        for ranks in combinations_with_replacement(range(1, 11), size):
            hand = tuple(ranks.count(rank) for rank in range(1, 11))
            if sum(ranks) <= 21 and all(used <= decks * (16 if rank == 10 else 4)
                                        for rank, used in enumerate(hand, start=1)):
                yield hand


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
    assert (eights.frequency, eights.share) == (0, 0)
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
    # 88 against a six, which makes no natural; and against a ten with no ace in the hole.
    assert reports[Cell("pair", 8, 6)].frequency == pytest.approx(24 / 312 * 24 / 311 * 23 / 310)
    assert reports[Cell("pair", 8, 10)].frequency == pytest.approx(96 / 312 * 24 / 311 * 23 / 310 * (1 - 24 / 309))


def test_before_the_peek_a_dealers_natural_is_not_taken_off(strategy_of):
    early = strategy_of(Rules(surrender="early"))
    assert report_cell(early, Cell("pair", 8, 10)).frequency == pytest.approx(96 / 312 * 24 / 311 * 23 / 310)


def test_the_frequency_of_a_cell_leaves_out_its_pairs(reports):
    # Hard 5 is 2-3 and nothing else; hard 4 is 2-2, which is decided among the pairs.
    assert reports[Cell("hard", 5, 6)].frequency == pytest.approx(2 * 24 / 312 * 24 / 311 * 24 / 310)
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
    assert sevens not in report.differing


def test_tens_by_face_are_decided_in_both_cells(one_deck):
    # One deck, a six up: two of sixteen tens are dealt, and one in five such hands is of one face.
    two_tens = 4 / 52 * 16 / 51 * 15 / 50
    pair = report_cell(one_deck, Cell("pair", 10, 6))
    assert pair.frequency == pytest.approx(two_tens / 5)
    assert Action.SPLIT in pair.compositions[0].evs
    total = report_cell(one_deck, Cell("hard", 20, 6))
    tens = next(each for each in total.compositions if label(each.composition) == "TT")
    assert not tens.is_after_split_only
    assert Action.SPLIT not in tens.evs
    assert tens.frequency == pytest.approx(two_tens * 4 / 5)
    assert tens.share == pytest.approx(tens.frequency / total.frequency)


def test_tens_of_the_upcards_face_or_another_are_one_hand_of_the_pair(strategy_of):
    # Against a ten of one deck: three pairs of the upcard's own face, six of each of the three others.
    resplit = strategy_of(Rules(decks=1, split_by="rank"))
    (pair,) = report_cell(resplit, Cell("pair", 10, 10)).compositions
    unlike, like = (resplit.solution.evs(Hand.parse("TT"), Card(face))[Action.SPLIT] for face in ("K", "T"))
    assert unlike != like
    assert pair.evs[Action.SPLIT] == pytest.approx((3 * like + 18 * unlike) / 21)


def test_what_the_chart_gives_up_is_a_mean_over_the_hands_that_come_up(reports):
    for cell in (Cell("hard", 12, 4), Cell("hard", 16, 10), Cell("soft", 18, 1)):
        report = reports[cell]
        assert report.differing
        lost = sum(each.frequency * (max(each.evs.values()) - each.evs[each.chart]) for each in report.compositions)
        assert report.ev_cost == pytest.approx(lost / report.frequency)
        assert 0 < report.ev_cost < 0.01
    assert reports[Cell("hard", 20, 6)].ev_cost == 0


def test_only_what_comes_up_can_be_asked_for(common, reports):
    cell = Cell("hard", 16, 10)
    found = report_cell(common, cell, hand_chances(common), only_met=True)
    assert (found.compositions, found.frequency) == (reports[cell].met, reports[cell].frequency)
    assert len(found.compositions) < len(reports[cell].compositions)
