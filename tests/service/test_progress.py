"""What the tallies say, against the answers counted again; sessions and mistakes by the page."""

from collections import defaultdict
from datetime import UTC, date, datetime, timedelta
from itertools import product
from statistics import median_low

import pytest
from sqlalchemy import event, select

from tests.service.history import START, VISITORS, Count, practise, stored_decisions
from trainer.drill.mistake_filter import MistakeFilter
from trainer.drill.situation import CATEGORIES
from trainer.engine.presets import RULE_SETS
from trainer.service import mistakes
from trainer.service.drill import SITTING_GAP
from trainer.service.mistakes import COSTLIEST, NEWEST, page_of_cells, page_of_mistakes
from trainer.service.progress import (
    PERIODS,
    finish_sitting,
    load_progress,
    running_sitting,
    strategy_hash_of,
    summarise,
)
from trainer.storage.database import db
from trainer.storage.mistakes import MistakeQuery
from trainer.storage.models import User
from trainer.storage.transaction import transaction

ME, OTHER = VISITORS
LONG_AGO = datetime(2000, 1, 1, tzinfo=START.tzinfo)


def user_ids():
    with transaction() as connection:
        return {user.visitor: user.id for user in connection.execute(select(User))}


def assert_sums(sums, rows):
    count = Count()
    for row in rows:
        count.add(row)
    assert (sums.decisions, sums.right, sums.hinted) == (count.decisions, count.right, count.hinted)
    assert (sums.ev_lost, sums.ev_cost) == pytest.approx((count.ev_lost, count.ev_cost), abs=1e-9)
    assert sums.times == dict(count.times)
    if count.decisions:
        assert sums.accuracy == count.right / count.decisions
        assert sums.ev_lost_per_100 == pytest.approx(100 * count.ev_lost / count.decisions)
    else:
        assert (sums.accuracy, sums.ev_lost_per_100) == (None, None)


def test_progress_and_sessions_are_a_recount(service):
    _, now = practise(service, 120, seed=2)
    decisions, ids, today = stored_decisions(), user_ids(), now.date()
    for visitor in VISITORS:
        own = [(row, strategy_hash) for row, strategy_hash in decisions if row.user_id == ids[visitor]]
        for period, days in PERIODS.items():
            since = today - timedelta(days=days - 1) if days else date.min
            for key in ("", *RULE_SETS):
                found = load_progress(visitor, key, period, today)
                rows = [row for row, strategy_hash in own
                        if row.day >= since and (not key or strategy_hash == RULE_SETS[key].strategy_hash)]
                assert [line.category for line in found.lines] == list(CATEGORIES)
                for line in found.lines:
                    assert_sums(line.sums, [row for row in rows if row.category == line.category])
                assert_sums(found.total.sums, [row for row in rows if row.category != "insurance"])
                assert set(found.practised) == {strategy_hash for _, strategy_hash in own}
    assert_summaries(decisions, ids)


def assert_summaries(decisions, ids):
    sittings = {row.session_id: row.user_id for row, _ in decisions}
    visitors = {number: visitor for visitor, number in ids.items()}
    for sitting_id, user_id in sittings.items():
        rows = [row for row, _ in decisions if row.session_id == sitting_id]
        summary = summarise(visitors[user_id], sitting_id)
        assert summary.sitting.hands == len(rows)
        assert [line.category for line in summary.lines] == [
            each for each in CATEGORIES if each in {row.category for row in rows}]
        for line in summary.lines:
            assert_sums(line.sums, [row for row in rows if row.category == line.category])
        wanted = [row for row in rows if row.is_mistake or row.is_slow]
        assert {each.token for each in summary.to_practise} == {row.token for row in wanted}
        costs = [each.ev_cost for each in summary.to_practise]
        assert costs == sorted(costs, reverse=True)
        assert summarise(OTHER if visitors[user_id] == ME else ME, sitting_id) is None


def test_the_median_is_within_a_bucket(service):
    practise(service, 40, seed=3)
    ids = user_ids()
    for visitor in VISITORS:
        found = load_progress(visitor, "", "all", START.date())
        for line in found.lines:
            times = [row.time_ms / 1000 for row, _ in stored_decisions()
                     if row.user_id == ids[visitor] and row.category == line.category and row.time_ms is not None]
            if times:
                assert line.median_seconds == pytest.approx(median_low(times), rel=0.05)
            else:
                assert line.median_seconds is None


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("visitor", [None, "", ME])
def test_nobody_has_made_no_progress(visitor):
    found = load_progress(visitor, "", "all", START.date())
    assert [line.sums.decisions for line in (*found.lines, found.total)] == [0] * 5
    assert list(found.practised) == []
    assert not page_of_mistakes(visitor, MistakeQuery()).mistakes
    assert running_sitting(visitor, LONG_AGO) is None
    assert summarise(visitor or "", 1) is None


def test_pages_of_mistakes_are_everything_in_order_once(service, monkeypatch):
    monkeypatch.setattr(mistakes, "PAGE_SIZE", 2)
    practise(service, 100, seed=4)
    own = [row for row, _ in stored_decisions() if row.user_id == user_ids()[ME] and row.is_mistake]
    assert len(own) > 6
    for order, by in ((NEWEST, lambda row: row.id), (COSTLIEST, lambda row: (row.ev_cost, row.created_at, row.id))):
        found, query = [], MistakeQuery(order)
        while True:
            page = page_of_mistakes(ME, query)
            found += [each.id for each in page.mistakes]
            if page.next_after is None:
                break
            assert len(page.mistakes) == 2
            query = MistakeQuery(order, after=page.next_after)
        assert found == [row.id for row in sorted(own, key=by, reverse=True)]


def test_a_session_ends_when_told_or_after_a_pause(service):
    _, now = practise(service, 10, seed=5)
    last = max((row for row, _ in stored_decisions()), key=lambda row: row.id)
    visitor = next(each for each, number in user_ids().items() if number == last.user_id)
    running = running_sitting(visitor, now - SITTING_GAP)
    assert running.id == last.session_id
    assert running_sitting(visitor, now + timedelta(seconds=1)) is None
    assert finish_sitting(visitor, now - SITTING_GAP) == running.id
    assert finish_sitting(visitor, now - SITTING_GAP) is None
    assert running_sitting(visitor, now - SITTING_GAP) is None
    assert summarise(visitor, running.id).sitting.is_ended


def test_a_rule_set_is_told_by_the_hash_of_its_strategy():
    assert strategy_hash_of("") == ""
    assert strategy_hash_of("openseat") == strategy_hash_of("hall-of-thoth")
    assert strategy_hash_of("classic") == RULE_SETS["classic"].strategy_hash


def test_progress_never_reads_the_history(service):
    practise(service, 30, seed=6)
    statements = []

    def note(_connection, _cursor, statement, *_):
        statements.append(statement)

    event.listen(db.engine, "before_cursor_execute", note)
    try:
        load_progress(ME, "", "90", START.date())
        load_progress(ME, "classic", "all", START.date())
        running_sitting(ME, LONG_AGO)
    finally:
        event.remove(db.engine, "before_cursor_execute", note)
    assert len(statements) >= 4
    assert [statement for statement in statements if "FROM decisions" in statement] == []


def test_cells_with_mistakes_are_counted_as_the_history_has_them(service, monkeypatch):
    monkeypatch.setattr(mistakes, "PAGE_SIZE", 4)
    practise(service, 150, seed=8)
    counted, me = defaultdict(Count), user_ids()[ME]
    for row, strategy_hash in stored_decisions():
        if row.user_id == me:
            counted[strategy_hash, row.category, row.row, row.upcard_rank].add(row)
    rows, upcards = {"h16": ("hard", 16), "": None}, {"T": 10, "": None}
    for wanted, key in product((
        MistakeFilter(), MistakeFilter(category="pair"), MistakeFilter(row="h16"), MistakeFilter(upcard="T"),
        MistakeFilter(category="soft", row="h16"), MistakeFilter(category="insurance"),
    ), ("", "openseat")):
        expected = {
            place: (count.decisions, count.decisions - count.right, round(count.ev_lost, 9))
            for place, count in counted.items()
            if count.decisions > count.right and wanted.category in ("", place[1])
            and rows[wanted.row] in (None, place[1:3]) and upcards[wanted.upcard] in (None, place[3])
            and (not key or place[0] == strategy_hash_of(key))
        }
        found = all_cells(wanted, key)
        assert {(each.strategy_hash, each.category, each.row, each.upcard_rank): (
            each.sums.decisions, each.mistakes, round(each.sums.ev_lost, 9)) for each in found} == expected
        assert len(found) == len(expected)
        costs = [each.sums.ev_lost for each in found]
        assert costs == sorted(costs, reverse=True)


def all_cells(wanted, key):
    """Every cell with mistakes, page by page."""
    found, page = [], 0
    while True:
        some = page_of_cells(ME, wanted, strategy_hash_of(key), page)
        found += some.cells
        assert all(some.rules[each.strategy_hash].strategy_hash == each.strategy_hash for each in some.cells)
        if not some.has_more:
            return found
        assert len(some.cells) == 4
        page += 1


@pytest.mark.parametrize(("zone", "since", "before"), [
    ("", datetime(2031, 1, 31, tzinfo=UTC), datetime(2031, 2, 2, tzinfo=UTC)),
    ("Asia/Tokyo", datetime(2031, 1, 30, 15, tzinfo=UTC), datetime(2031, 2, 1, 15, tzinfo=UTC)),
])
def test_days_are_those_of_the_users_clock(zone, since, before):
    query = mistakes.query_of(MistakeFilter(since="2031-01-31", until="2031-02-01"), "", NEWEST, zone)
    assert (query.since, query.before) == (since, before)


def test_there_is_no_day_after_the_last():
    query = mistakes.query_of(MistakeFilter(since="0001-01-01", until="9999-12-31"), "", NEWEST, "Asia/Tokyo")
    assert query.before is None
