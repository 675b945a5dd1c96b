from collections import Counter
from datetime import timedelta
from math import sqrt
from random import Random

import pytest

from tests.drill.standings import START, R, W, answered, some_user
from trainer.drill.mix import Kind, Pick, default_mode, due, pick
from trainer.drill.plan import Mode
from trainer.drill.practice import Practice
from trainer.drill.sheet import sheet_of
from trainer.engine.chart import Cell
from trainer.engine.rules import Rules

LATER = START + timedelta(days=90)
DUE, WEAK = Cell("hard", 15, 10), Cell("soft", 17, 2)


@pytest.fixture(scope="module")
def sheet(strategy_of):
    return sheet_of(strategy_of(Rules()))


def picks(practice, mode, now, count=20_000, last=None):
    random = Random(5)
    return [pick(practice, mode, now, random, last) for _ in range(count)]


def assert_shares(kinds, **expected):
    total = sum(kinds.values())
    assert {kind.name for kind in kinds} == {name for name, share in expected.items() if share}
    for name, share in expected.items():
        slack = 4 * sqrt(total * share * (1 - share))
        assert abs(kinds[Kind[name]] - share * total) <= slack


def known(sheet, *, but=()):
    """A user who has all but these cells right, on the first of March."""
    practice = Practice.of(sheet)
    for cell in sheet.cells:
        practice = answered(practice, cell, *([R] * 3 if cell not in but else [R, W]))
    return practice


def test_mixed_is_the_default_for_the_first_fifty_hands():
    assert {default_mode(hands) for hands in range(50)} == {Mode.MIXED}
    assert {default_mode(hands) for hands in (50, 51, 10_000)} == {Mode.DEFAULT_MIX}


def test_the_mix_is_two_fifths_weak_spots_one_fifth_reviews_two_fifths_mixed(sheet):
    practice = some_user(Practice.of(sheet), seed=1)
    assert due(practice, LATER).any()
    assert_shares(Counter(each.kind for each in picks(practice, Mode.DEFAULT_MIX, LATER)),
                  WEAK=0.4, REVIEW=0.2, MIXED=0.4)


def test_what_is_not_there_falls_to_mixed(sheet):
    fresh, all_known = Practice.of(sheet), known(sheet)
    for practice, now, weak, review in (
        (fresh, START, 0.4, 0.0), (all_known, START + timedelta(minutes=1), 0.0, 0.0), (all_known, LATER, 0.0, 0.2),
    ):
        assert_shares(Counter(each.kind for each in picks(practice, Mode.DEFAULT_MIX, now)),
                      WEAK=weak, REVIEW=review, MIXED=1 - weak - review)


def test_every_pick_is_what_it_says(sheet):
    practice = some_user(Practice.of(sheet), seed=2)
    waiting, last = due(practice, LATER), Cell("hard", 16, 10)
    for each in picks(practice, Mode.DEFAULT_MIX, LATER, 5_000, last):
        if each.kind is Kind.MIXED:
            assert each.cell is None
        elif each.kind is Kind.REVIEW:
            assert waiting[sheet.index[each.cell]]
        else:
            assert each.cell != last


def test_reviews_come_by_what_forgetting_them_would_cost(sheet):
    practice = some_user(Practice.of(sheet), seed=3)
    waiting = due(practice, LATER)
    worth = {cell: sheet.frequency[place] * practice.cost[place]
             for place, cell in enumerate(sheet.cells) if waiting[place]}
    met, count = Counter(each.cell for each in picks(practice, Mode.REVIEW, LATER)), 20_000
    for cell, value in worth.items():
        share = value / sum(worth.values())
        if share * count > 20:
            assert abs(met[cell] - share * count) < 4.5 * sqrt(count * share * (1 - share))


def test_review_deals_only_what_is_due_and_ends_with_it(sheet):
    practice = answered(Practice.of(sheet), DUE, R, R)
    assert pick(practice, Mode.REVIEW, START, Random(1)) is None
    now = START + timedelta(days=30)
    assert pick(practice, Mode.REVIEW, now, Random(1), last=DUE) == Pick(Kind.REVIEW, DUE)
    assert due(practice, now).sum() == 1
    assert pick(answered(practice, DUE, R, at=now), Mode.REVIEW, now, Random(1)) is None


def test_weak_spots_alone_deal_weak_spots_while_there_are_any(sheet):
    found = Counter(each.cell for each in picks(known(sheet, but=(WEAK,)), Mode.WEAK_SPOTS, LATER, 500))
    place = sheet.index[WEAK]
    assert set(found) == {WEAK, *(sheet.cells[alike] for alike in sheet.lookalikes[place])}
    assert set(picks(known(sheet), Mode.WEAK_SPOTS, LATER, 50)) == {Pick(Kind.MIXED)}


def test_the_same_dice_pick_the_same(sheet):
    practice = some_user(Practice.of(sheet), seed=4)
    for mode in (Mode.DEFAULT_MIX, Mode.WEAK_SPOTS, Mode.REVIEW):
        assert picks(practice, mode, LATER, 200) == picks(practice, mode, LATER, 200)
