"""Taking one's data along, deleting it, and pruning guests who stayed away."""

import csv
import io
import json
from datetime import datetime, timedelta

import pytest
from sqlalchemy import select, update

from tests.service.history import recount_tallies, stored_decisions, stored_tallies
from tests.service.people import (
    EVERYTHING,
    GUEST,
    OTHER_GUEST,
    PASSWORD,
    START,
    decisions_of,
    open_hands_of,
    sizes,
    two_guests,
    users,
)
from trainer.drill.plan import Plan
from trainer.engine.rules import Rules
from trainer.service import accounts, own_data
from trainer.service.import_reading import entries
from trainer.service.own_data import CSV_COLUMNS, export_csv, export_json, prune
from trainer.service.preferences import Preferences, load_preferences, save_preferences
from trainer.service.progress import load_progress
from trainer.storage.models import Account, Decision, Login, PracticeSession, RuleSet, Tally, User
from trainer.storage.transaction import transaction

YEAR = timedelta(days=365)
MIXED = Plan.from_text("mode=mixed")


def exported(visitor, account=None, now=START):
    return json.loads("".join(export_json(visitor, account, now)))


def plain(text):
    return text


# Export


def test_the_export_holds_everything_of_ones_own_and_nothing_of_others(service):
    now = two_guests(service)
    save_preferences(GUEST, Preferences(theme="dark"), now)
    account = accounts.find_account(accounts.register(GUEST, "Ada", PASSWORD, now).login, now)
    found = exported(account.visitor, account, now)
    assert (found["format"], found["version"]) == ("blackjack-trainer", 2)
    assert datetime.fromisoformat(found["exported_at"]) == now
    assert found["account"] == {"username": "Ada", "created_at": now.isoformat()}
    assert found["settings"]["theme"] == "dark"
    assert {each["token"] for each in found["decisions"]} == decisions_of(account.visitor)
    assert {each["token"] for each in found["open_hands"]} == open_hands_of(account.visitor)
    assert {each["sitting"] for each in found["decisions"]} == {each["id"] for each in found["sittings"]}
    assert not decisions_of(OTHER_GUEST) & {each["token"] for each in found["decisions"]}
    text = json.dumps(found)
    assert account.visitor not in text
    assert "scrypt" not in text


def test_a_decision_in_the_export_is_the_stored_one(service):
    two_guests(service, 40)
    shown = {each["token"]: each for visitor in (GUEST, OTHER_GUEST) for each in exported(visitor)["decisions"]}
    rules = exported(GUEST)["rule_sets"] | exported(OTHER_GUEST)["rule_sets"]
    for row, strategy_hash in stored_decisions():
        each = shown.pop(row.token)
        assert (each["cards"], each["upcard"], each["chosen"], each["mode"], each["plan"], each["position"]) == (
            row.cards, row.upcard, row.chosen, row.mode, row.plan, row.position)
        assert (each["ev_cost"], each["evs"], each["time_ms"]) == (row.ev_cost, json.loads(row.evs), row.time_ms)
        assert (each["is_right"], each["is_hinted"], each["is_slow"]) == (row.is_right, row.is_hinted, row.is_slow)
        assert ",".join(each["legal"]) == row.legal
        assert (each["tens_left"], each["cards_left"]) == (row.tens_left, row.cards_left)
        assert datetime.fromisoformat(each["answered_at"]) == row.created_at
        assert each["day"] == row.day.isoformat()
        assert Rules.from_json(json.dumps(rules[each["rules"]])).strategy_hash == strategy_hash
    assert shown == {}


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_it_comes_in_parts_that_make_one_whole(service, monkeypatch, size):
    two_guests(service, 25)
    whole = exported(GUEST)
    monkeypatch.setattr(own_data, "_PART", size)
    assert exported(GUEST) == whole
    rows = list(csv.DictReader(io.StringIO("".join(export_csv(GUEST, plain)))))
    assert [row["token"] for row in rows] == [each["token"] for each in whole["decisions"]]
    assert tuple(rows[0]) == CSV_COLUMNS


def test_answers_given_while_it_is_written_are_left_for_the_next(service, monkeypatch):
    now = two_guests(service, 30)
    monkeypatch.setattr(own_data, "_PART", 3)
    before = decisions_of(GUEST)
    parts = export_json(GUEST, None, now)
    text = next(parts) + next(parts)
    accounts.register(None, "Bo", PASSWORD, now)
    accounts.log_in(OTHER_GUEST, "Bo", PASSWORD, now)
    hand = service.open_hand(GUEST, MIXED, 0, now)
    service.answer(GUEST, hand.token, next(iter(hand.situation.legal)), Preferences(), now)
    found = json.loads(text + "".join(parts))
    assert {each["token"] for each in found["decisions"]} == before


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("visitor", [None, GUEST])
def test_whoever_has_nothing_gets_an_empty_export(visitor):
    found = exported(visitor)
    assert (found["decisions"], found["sittings"], found["open_hands"], found["rule_sets"]) == ([], [], [], {})
    assert "".join(export_csv(visitor, plain)).split() == [",".join(CSV_COLUMNS)]


def test_every_text_of_the_csv_is_guarded(service):
    two_guests(service, 20)
    seen = []

    def guard(text):
        seen.append(text)
        return f"[{text}]"

    rows = list(csv.DictReader(io.StringIO("".join(export_csv(GUEST, guard)))))
    assert {row["token"] for row in rows} == {f"[{token}]" for token in decisions_of(GUEST)}
    assert {row["ev_cost"][:1] for row in rows} <= set("0123456789")
    assert len(seen) >= 8 * len(rows)


# Deletion


def test_a_deleted_history_is_gone_and_the_rest_is_not(service):
    now = two_guests(service)
    save_preferences(GUEST, Preferences(theme="dark"), now)
    others = decisions_of(OTHER_GUEST)
    own_data.delete_history(GUEST)
    assert (decisions_of(GUEST), open_hands_of(GUEST)) == (set(), set())
    assert exported(GUEST)["paces"] == {}
    assert load_progress(GUEST, "", "all", now.date()).practised == []
    assert load_preferences(GUEST).theme == "dark"
    assert decisions_of(OTHER_GUEST) == others
    assert stored_tallies() == recount_tallies()
    own_data.delete_history(GUEST)
    own_data.delete_history("c" * 32)
    own_data.delete_history(None)
    hand = service.open_hand(GUEST, MIXED, 0, now)
    assert service.answer(GUEST, hand.token, next(iter(hand.situation.legal)), Preferences(), now).is_new
    assert stored_tallies() == recount_tallies()


# Guests who stayed away


def seen(visitor, when):
    with transaction(writes=True) as connection:
        connection.execute(update(User).where(User.visitor == visitor).values(last_seen_at=when))


def test_only_guests_who_stayed_away_are_pruned(service):
    now = two_guests(service)
    others = decisions_of(OTHER_GUEST)
    seen(GUEST, now - YEAR)
    seen(OTHER_GUEST, now - YEAR + timedelta(seconds=1))
    assert prune(now, YEAR - timedelta(seconds=1)) == (1, 0)
    assert [visitor for _, visitor in users()] == [OTHER_GUEST]
    assert sizes(Decision) == [len(others)]
    assert sizes(RuleSet) != [0]
    assert stored_tallies() == recount_tallies()


def test_accounts_stay_however_long_they_are_not_used(service):
    now = two_guests(service, 20)
    opened = accounts.register(GUEST, "Ada", PASSWORD, now)
    account = accounts.find_account(opened.login, now)
    assert prune(now + 10 * YEAR, YEAR) == (1, 1)
    assert [visitor for _, visitor in users()] == [account.visitor]
    assert sizes(Account, Login) == [1, 0]


@pytest.mark.usefixtures("database")
def test_many_are_pruned_a_few_at_a_time(monkeypatch):
    for number in range(7):
        save_preferences(f"{number:032}", Preferences(), START)
    monkeypatch.setattr(own_data, "_IDLE_AT_A_TIME", 2)
    assert prune(START + 2 * YEAR, YEAR) == (7, 0)
    assert sizes(*EVERYTHING) == [0] * len(EVERYTHING)
    assert prune(START + 2 * YEAR, YEAR) == (0, 0)
    assert sizes(PracticeSession, Tally) == [0, 0]


def test_decisions_at_tables_are_told_apart_and_read_by_an_import(service):
    two_guests(service, 30)
    with transaction(writes=True) as connection:
        at_table = connection.execute(select(Decision).where(Decision.category != "insurance").limit(1)).one()
        connection.execute(update(Decision).where(Decision.id == at_table.id).values(seen="5h6d", mode="table"))
        visitor = connection.execute(select(User.visitor).where(User.id == at_table.user_id)).scalar_one()
    found = exported(visitor)
    assert [(each["token"], each["seen"]) for each in found["table_decisions"]] == [(at_table.token, "5h6d")]
    assert at_table.token not in {each["token"] for each in found["decisions"]}
    assert len(found["decisions"]) + 1 == len(decisions_of(visitor))
    rows = list(csv.DictReader(io.StringIO("".join(export_csv(visitor, plain)))))
    assert {row["token"] for row in rows} == decisions_of(visitor)
    names = {name for name, _, _ in entries(io.BytesIO(json.dumps(found).encode()))}
    assert {"decisions", "table_decisions"} <= names
