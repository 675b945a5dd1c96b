"""Mistakes by the page: the right ones, in order, and as cheap at the end of the list as at its start."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise, product
from operator import itemgetter
from random import Random

import pytest
from sqlalchemy import event, insert, text

from trainer.drill.situation import CATEGORIES
from trainer.engine.presets import RULE_SETS
from trainer.storage import mistakes
from trainer.storage.database import db
from trainer.storage.mistakes import COSTLIEST, NEWEST, MistakeQuery, list_missed_and_slow, list_mistakes, place_of
from trainer.storage.models import Decision, PracticeSession
from trainer.storage.recount import counted_books, replace_books
from trainer.storage.transaction import transaction
from trainer.storage.users import ensure_rule_set, ensure_user

NOW = datetime(2031, 3, 4, 12, tzinfo=UTC)
KEYS = ("hall-of-thoth", "openseat", "squarescores")
HANDS = {"hard": ("Ts6h", "9d"), "soft": ("As7h", "3d"), "pair": ("8s8h", "Td"), "insurance": ("9sKh", "Ad")}
MOVES_OF = {"insurance": ["insure", "decline"], "pair": ["stand", "hit", "split"]}
FILTERS = [
    {}, {"category": "soft"}, {"upcard_rank": 9}, {"strategy_hash": RULE_SETS["squarescores"].strategy_hash},
    {"category": "pair", "upcard_rank": 10}, {"category": "insurance"},
    {"category": "hard", "upcard_rank": 9, "strategy_hash": RULE_SETS["hall-of-thoth"].strategy_hash},
    {"row": ("hard", 13)}, {"row": ("soft", 13), "upcard_rank": 3},
    {"move": "hit"}, {"since": NOW + timedelta(seconds=60)}, {"before": NOW + timedelta(seconds=150)},
    {"since": NOW + timedelta(seconds=60), "before": NOW + timedelta(seconds=150), "move": "stand"},
    {"move": "split"}, {"move": "decline", "since": NOW + timedelta(seconds=100)}, {"category": "pair", "move": "hit"},
]
# What nothing passes: such cells were never asked, or not with such a move, or nothing was stored in those days.
NOTHING = [
    {"category": "insurance", "upcard_rank": 5}, {"row": ("soft", 19)}, {"category": "soft", "row": ("hard", 13)},
    {"category": "hard", "move": "insure"}, {"category": "insurance", "move": "hit"},
    {"row": ("soft", 13), "move": "split"}, {"strategy_hash": "none"}, {"move": "surrender"},
    {"category": "pair", "upcard_rank": 9, "move": "surrender"},
    {"since": NOW + timedelta(days=1)}, {"before": NOW - timedelta(days=1), "category": "soft"},
]
ORDERS = (NEWEST, COSTLIEST)
# No filter passes so few.
WALKED = -1
ONLY_SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


def fill(count, visitors=("a" * 32, "b" * 32)):
    """Decisions of several users in turn, costs full of ties, and tallies; what was stored, with the users' ids."""
    random, rows = Random(9), []
    with transaction(writes=True) as connection:
        users = [ensure_user(connection, visitor, NOW).id for visitor in visitors]
        rule_sets = {key: ensure_rule_set(connection, RULE_SETS[key]) for key in KEYS}
        start = insert(PracticeSession).returning(PracticeSession.id)
        sittings = [connection.execute(start.values(user_id=user, started_at=NOW, last_at=NOW)).scalar_one()
                    for user in users]
        for number in range(count):
            turn, category, key = number % len(users), random.choice(CATEGORIES), random.choice(KEYS)
            cards, upcard = HANDS[category]
            is_right, is_hinted = random.random() < 0.3, random.random() < 0.1
            rows.append({
                "id": number + 1, "token": f"{number:022d}", "user_id": users[turn], "session_id": sittings[turn],
                "rule_set_id": rule_sets[key], "plan": "", "position": 0, "mode": "mixed", "cards": cards,
                "upcard": upcard, "tens_left": 8 if category == "insurance" else None,
                "cards_left": 30 if category == "insurance" else None, "category": category,
                "upcard_rank": {"9d": 9, "3d": 3, "Td": 10, "Ad": 1}[upcard], "legal": "stand,hit",
                "row": random.choice([12, 13]), "chosen": random.choice(MOVES_OF.get(category, ["stand", "hit"])),
                "chart_move": "hit", "exact_move": "hit", "evs": '{"stand": 0, "hit": 0.1}',
                "ev_cost": random.choice([0.0, 0.1, 0.25, 1 / 3, 1e-12]), "grading": "chart", "is_right": is_right,
                "is_hinted": is_hinted, "is_mistake": not is_right and not is_hinted,
                "is_slow": random.random() < 0.1, "time_ms": random.choice([None, 2_000, 9_000]),
                # Numbers are no order in time: what was imported is older than what was there.
                "day": NOW.date(), "created_at": NOW + timedelta(seconds=random.randrange(count) // 2 * 2),
            })
        connection.execute(insert(Decision), rows)
        for user in users:
            replace_books(connection, user, counted_books(connection, user))
    hashes = {number: RULE_SETS[key].strategy_hash for key, number in rule_sets.items()}
    return users, [row | {"strategy_hash": hashes[row["rule_set_id"]]} for row in rows]


def expected(rows, user, order, filters):
    kept = [row for row in rows if row["user_id"] == user and row["is_mistake"]
            and all(_is_wanted(row, name, value) for name, value in filters.items())]
    by = itemgetter("created_at", "id") if order == NEWEST else itemgetter("ev_cost", "created_at", "id")
    return [row["id"] for row in sorted(kept, key=by, reverse=True)]


def _is_wanted(row, name, value):
    if name == "row":
        return (row["category"], row["row"]) == value
    if name in ("since", "before"):
        return (row["created_at"] >= value) == (name == "since")
    return row[{"move": "chosen"}.get(name, name)] == value


def list_all(user, order, filters, limit):
    """All mistakes, page by page."""
    found, after = [], None
    while True:
        with transaction() as connection:
            page = list_mistakes(connection, user, MistakeQuery(order, after=after, **filters), limit)
        found += [row.id for row in page]
        if len(page) < limit:
            return found
        after = place_of(page[-1])


@pytest.mark.usefixtures("database")
def test_pages_make_up_the_whole_list():
    users, rows = fill(240)
    for user, order, filters in product(users, ORDERS, FILTERS):
        wanted = expected(rows, user, order, filters)
        assert wanted
        assert list_all(user, order, filters, 7) == wanted
        with transaction() as connection:
            assert [row.id for row in list_mistakes(connection, user, MistakeQuery(order, **filters), 500)] == wanted
    for user, order, filters in product(users, ORDERS, NOTHING):
        assert list_all(user, order, filters, 7) == expected(rows, user, order, filters) == []


@pytest.mark.usefixtures("database")
def test_the_list_is_the_same_whether_it_is_walked_or_looked_up(monkeypatch):
    users, rows = fill(240)
    for few, order, filters in product([WALKED, 0, 10], ORDERS, FILTERS):
        monkeypatch.setattr(mistakes, "_FEW", few)
        assert list_all(users[0], order, filters, 7) == expected(rows, users[0], order, filters)


@pytest.mark.usefixtures("database")
def test_a_row_comes_back_as_it_was_stored():
    users, rows = fill(40)
    stored = {row["id"]: row for row in rows}
    with transaction() as connection:
        for row in list_mistakes(connection, users[0], MistakeQuery(), 100):
            wanted = stored[row.id]
            assert (row.token, row.chosen, row.ev_cost, row.mode) == (
                wanted["token"], wanted["chosen"], wanted["ev_cost"], wanted["mode"])
            assert (row.situation.cards_text, row.situation.category) == (wanted["cards"], wanted["category"])
            assert row.created_at == wanted["created_at"]
            assert row.seconds == (None if wanted["time_ms"] is None else wanted["time_ms"] / 1000)


@pytest.mark.usefixtures("database")
def test_the_missed_and_slow_of_a_session():
    users, rows = fill(80)
    own = [row for row in rows if row["user_id"] == users[0] and (row["is_mistake"] or row["is_slow"])]
    with transaction() as connection:
        found = list_missed_and_slow(connection, own[0]["session_id"], 200)
    assert sorted(row.id for row in found) == sorted(row["id"] for row in own)
    costs = [row.ev_cost for row in found]
    assert costs == sorted(costs, reverse=True)


def plans_of(user, query):
    """How SQLite means to find what passes a query, statement by statement."""
    asked = []

    def note(_connection, _cursor, statement, parameters, *_):
        asked.append((statement, parameters))

    event.listen(db.engine, "before_cursor_execute", note)
    try:
        with transaction() as connection:
            list_mistakes(connection, user, query, 26)
    finally:
        event.remove(db.engine, "before_cursor_execute", note)
    with transaction() as connection:
        return [[row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)]
                for statement, parameters in asked if "FROM decisions" in statement]


@ONLY_SQLITE
@pytest.mark.parametrize("analysed", [False, True])
@pytest.mark.parametrize("few", [WALKED, 1_000])
def test_what_few_pass_is_looked_up_and_the_rest_walked_in_order(database, monkeypatch, analysed, few):
    assert database
    monkeypatch.setattr(mistakes, "_FEW", few)
    users, _ = fill(600)
    if analysed:
        with transaction(writes=True) as connection:
            connection.execute(text("ANALYZE"))
    for order, filters, after in product(ORDERS, FILTERS, [None, (0.25, NOW + timedelta(seconds=100), 300)]):
        plans = plans_of(users[0], MistakeQuery(order, after=after, **filters))
        assert not any(step.startswith("SCAN decisions") for plan in plans for step in plan), (filters, plans)
        # The page itself is read by its ids.
        reads = [[step for step in plan if "decisions" in step and "PRIMARY KEY" not in step] for plan in plans]
        assert all("INDEX ix_mistakes_" in step for plan in reads for step in plan), (filters, plans)
        *_, (found, *others) = reads
        if few != WALKED and set(filters) - {"since", "before"}:
            assert "ix_mistakes_places" in found, (filters, plans)
        elif few != WALKED and {"since", "before"} & set(filters):
            assert "ix_mistakes_newest" in found, (filters, plans)
        else:
            assert f"ix_mistakes_{order}" in found, (filters, plans)
            assert others == [found] * len(others), (filters, plans)
            assert not any(step == found and "TEMP B-TREE" in then for step, then in pairwise(plans[-1])), plans


def steps_of(user, query):
    """How much work SQLite has with a page, in steps of its machine, and how many rows it gives."""
    steps = []
    with transaction() as connection:
        raw = connection.connection.dbapi_connection
        raw.set_progress_handler(lambda: steps.append(1), 10)
        try:
            found = list_mistakes(connection, user, query, 26)
        finally:
            raw.set_progress_handler(None, 0)
    return len(steps), len(found)


@ONLY_SQLITE
@pytest.mark.parametrize("order", ORDERS)
def test_a_page_deep_in_the_list_costs_as_much_as_the_first(database, order):
    assert database
    users, rows = fill(4_000, ("a" * 32,))
    places = {row["id"]: (row["ev_cost"], row["created_at"], row["id"]) for row in rows}
    wanted = expected(rows, users[0], order, {})
    first, _ = steps_of(users[0], MistakeQuery(order))
    deep, shown = steps_of(users[0], MistakeQuery(order, after=places[wanted[-40]]))
    assert shown == 26
    assert deep <= 1.5 * first


@ONLY_SQLITE
def test_another_users_mistakes_cost_nothing(database):
    assert database
    users, _ = fill(2_000, ("a" * 32, *["b" * 32] * 19))
    small, _ = steps_of(users[0], MistakeQuery(NEWEST, upcard_rank=5))
    with transaction(writes=True) as connection:
        connection.execute(text("DELETE FROM decisions WHERE user_id != :user"), {"user": users[0]})
    alone, _ = steps_of(users[0], MistakeQuery(NEWEST, upcard_rank=5))
    assert small <= alone + 5
