"""Sums by category and by day, read month by month where that is quicker, against the answers counted one by one."""

from collections import defaultdict
from datetime import date, timedelta
from itertools import product

from tests.service.history import START, VISITORS, Count, practise, stored_decisions
from trainer.drill.situation import CATEGORIES
from trainer.storage.progress import category_sums, count_hands, strategies_of, sums_by_day
from trainer.storage.transaction import transaction
from trainer.storage.users import find_user


def counted(answers, key):
    """Sums of answers by what ``key`` says of them."""
    found = defaultdict(Count)
    for row in answers:
        found[key(row)].add(row)
    return {name: count.shown() for name, count in found.items()}


def shown(sums, *, times):
    lost, cost = round(sums.ev_lost, 9), round(sums.ev_cost, 9)
    return sums.decisions, sums.right, sums.hinted, lost, cost, *([sums.times] if times else [])


def test_sums_from_any_day_on_are_those_of_the_answers(service):
    _, now = practise(service, 140, seed=51)
    with transaction() as connection:
        me = find_user(connection, VISITORS[0]).id
    own = [(row, strategy_hash) for row, strategy_hash in stored_decisions() if row.user_id == me]
    first, last = START.date() - timedelta(days=40), now.date() + timedelta(days=40)
    assert (last - first).days > 200
    with transaction() as connection:
        strategies = strategies_of(connection, me)
        assert strategies == sorted({strategy_hash for _, strategy_hash in own})
        assert count_hands(connection, me) == len(own)
        for number, wanted in product(range((last - first).days), (strategies, strategies[:1])):
            since = first + timedelta(days=number)
            rows = [row for row, strategy_hash in own if row.day >= since and strategy_hash in wanted]
            found = category_sums(connection, me, wanted, since)
            assert {name: shown(sums, times=True) for name, sums in found.items()} == counted(
                rows, lambda row: row.category)
            for categories in (CATEGORIES, ("soft", "pair")):
                days = sums_by_day(connection, me, wanted, categories, since)
                assert [day for day, _ in days] == sorted(day for day, _ in days)
                assert {day: shown(sums, times=False) for day, sums in days} == {
                    day: each[:-1] for day, each in counted(
                        [row for row in rows if row.category in categories], lambda row: row.day).items()}


def test_sums_over_all_time_are_those_of_the_answers(service):
    practise(service, 60, seed=52)
    with transaction() as connection:
        for visitor in VISITORS:
            me = find_user(connection, visitor).id
            rows = [row for row, _ in stored_decisions() if row.user_id == me]
            wanted = strategies_of(connection, me)
            found = category_sums(connection, me, wanted, None)
            assert {name: shown(sums, times=True) for name, sums in found.items()} == counted(
                rows, lambda row: row.category)
            months = sums_by_day(connection, me, wanted, CATEGORIES, None)
            assert {month: shown(sums, times=False) for month, sums in months} == {
                month: each[:-1] for month, each in counted(rows, lambda row: row.day.replace(day=1)).items()}
            assert all(type(month) is date for month, _ in months)
