"""Progress over time and on the chart, against the history counted again; the daily goal."""

from collections import defaultdict
from datetime import date, timedelta
from itertools import pairwise, product

import pytest

from tests.drill.standings import kept_in
from tests.service.history import START, VISITORS, Count, practise, stored_decisions
from trainer.drill.mastery import cost_of_play
from trainer.drill.memory import is_due
from trainer.drill.plan import Plan
from trainer.drill.situation import CATEGORIES
from trainer.engine.chart import Cell
from trainer.engine.presets import RULE_SETS
from trainer.service.dealing import load_practice
from trainer.service.overview import GoalStanding, Overview, load_goal, load_overview
from trainer.service.preferences import Preferences
from trainer.service.progress import PERIODS
from trainer.service.trend import load_trend
from trainer.storage.goals import count_for_goal
from trainer.storage.memories import memories_of
from trainer.storage.transaction import transaction
from trainer.storage.users import ensure_user, find_user

ME = VISITORS[0]
RULES = RULE_SETS["hall-of-thoth"]
TODAY = date(2031, 3, 14)


def user_id():
    with transaction() as connection:
        return find_user(connection, ME).id


def own():
    me = user_id()
    return [(row, strategy_hash) for row, strategy_hash in stored_decisions() if row.user_id == me]


def test_points_add_up_to_the_answers_of_their_days(service):
    _, now = practise(service, 160, seed=31)
    answers, today = own(), now.date()
    for period, category, key in product(PERIODS, ("", *CATEGORIES), ("", "squarescores")):
        points = load_trend(ME, key, period, category, today)
        since = today - timedelta(days=PERIODS[period] - 1) if PERIODS[period] else date.min
        kept = [row for row, strategy_hash in answers if row.day >= since and not row.is_hinted
                and (row.category == category or (not category and row.category != "insurance"))
                and (not key or strategy_hash == RULE_SETS[key].strategy_hash)]
        assert sum(point.sums.decisions for point in points) == len(kept)
        for point in points:
            inside = [row for row in kept if point.first <= row.day <= point.last]
            assert point.sums.decisions == len(inside) > 0
            assert point.sums.right == sum(row.is_right for row in inside)
            lost = sum(row.ev_cost for row in inside if not row.is_right)
            assert point.sums.ev_lost == pytest.approx(lost, abs=1e-9)
        assert [point.first for point in points] == sorted(point.first for point in points)
        assert all(before.last < after.first for before, after in pairwise(points))


@pytest.mark.parametrize(("weeks", "days_of_a_point"), [(3, 1), (8, 7), (40, 28)])
def test_the_longer_the_time_the_more_days_make_a_point(service, weeks, days_of_a_point):
    for week in range(weeks):
        practise_once(service, START + timedelta(weeks=week))
    points = load_trend(ME, "", "all", "", (START + timedelta(weeks=weeks)).date())
    assert {(point.last - point.first).days + 1 >= days_of_a_point for point in points} == {True}
    assert len(points) <= 31


def practise_once(service, now):
    question = service.open_hand(ME, Plan(), 0, now)
    service.answer(ME, question.token, service.judge(question.situation).chart, Preferences(), now)


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("visitor", [None, "", ME])
def test_nobody_has_no_standing(solved, visitor):
    assert load_overview(visitor, solved.get(RULES), START) == Overview()
    assert load_trend(visitor, "", "all", "", TODAY) == []


def test_a_standing_is_what_the_history_says(service, solved):
    _, now = practise(service, 200, seed=33)
    strategy = solved.get(RULES)
    found = load_overview(ME, strategy, now)
    counts = defaultdict(Count)
    answers = []
    for row, strategy_hash in own():
        if strategy_hash == RULES.strategy_hash and row.category != "insurance" and not row.is_hinted:
            cell = Cell(row.category, row.row, row.upcard_rank)
            counts[cell].add(row)
            answers.append((row.created_at, cell, row.is_right))
    shown = {cell: (sums.decisions, sums.right, round(sums.ev_lost, 9)) for cell, sums in found.records.items()}
    assert shown == {cell: (each.decisions, each.right, round(each.ev_lost, 9)) for cell, each in counts.items()}
    with transaction() as connection:
        memories = memories_of(connection, user_id(), RULES.strategy_hash)
        practice = load_practice(connection, user_id(), strategy)
    assert found.due == sum(is_due(memory, now) for memory in memories.values())
    assert found.cost == cost_of_play(practice, now)
    assert found.cost.low < found.cost.per_100 < found.cost.high
    assert found.kept.asked <= kept_in(answers).asked  # a hint in between shows the answer anew
    assert {cell for cell, each in found.mastery.items() if each.mastery is not None} == set(memories)


@pytest.mark.usefixtures("database")
def test_a_goal_stands_by_what_it_was_on_each_day():
    with transaction(writes=True) as connection:
        me = ensure_user(connection, ME, START).id
        for ago, goal, hands in ((1, 3, 3), (2, 1, 1), (3, 2, 5), (4, 9, 8), (5, 1, 1), (0, 2, 1)):
            for _ in range(hands):
                count_for_goal(connection, me, TODAY - timedelta(days=ago), goal)
    assert load_goal(ME, 2, TODAY) == GoalStanding(2, 1, 3)
    assert load_goal(ME, 1, TODAY) == GoalStanding(1, 1, 4)
    assert load_goal(ME, 0, TODAY) is None
    assert load_goal("b" * 32, 5, TODAY) == GoalStanding(5, 0, 0)
    assert load_goal(ME, 5, TODAY + timedelta(days=2)) == GoalStanding(5, 0, 0)
