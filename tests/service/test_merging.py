"""A guest's history folded into an account: once, whole, and counted as if it had been the account's from the start."""

from datetime import timedelta

import pytest
from sqlalchemy import select, update

from tests.service.history import (
    practise,
    recount_memories,
    recount_sittings,
    recount_tallies,
    stored_memories,
    stored_sittings,
    stored_tallies,
)
from tests.service.people import (
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
from tests.service.together import at_once
from trainer.drill.plan import Plan
from trainer.engine.rule_key import rules_for
from trainer.service import accounts
from trainer.service.accounts import find_account
from trainer.service.drill import DecisionRow, HandNotFoundError
from trainer.service.preferences import Preferences, load_preferences, save_preferences
from trainer.service.progress import load_progress, running_sitting
from trainer.service.rule_sets import save_rule_set, saved_rule_sets
from trainer.storage.models import Account, Decision, PracticeSession, Tally, User
from trainer.storage.transaction import transaction
from trainer.storage.users import find_user

MIXED = Plan.from_text("mode=mixed")


def register(guest, now, name="Ada"):
    return find_account(accounts.register(guest, name, PASSWORD, now).login, now).visitor


def log_in(guest, now, name="Ada"):
    return accounts.log_in(guest, name, PASSWORD, now)


def assert_counted():
    assert stored_tallies() == recount_tallies()
    assert stored_sittings() == recount_sittings()
    assert stored_memories() == recount_memories()


@pytest.mark.parametrize("seed", range(3))
def test_everything_of_the_guests_becomes_the_accounts(service, seed):
    now = practise(service, 150, seed)[1] + timedelta(minutes=1)
    both, hands = decisions_of(GUEST) | decisions_of(OTHER_GUEST), open_hands_of(GUEST) | open_hands_of(OTHER_GUEST)
    rows = sizes(Decision, PracticeSession)
    visitor = register(GUEST, now)
    opened = log_in(OTHER_GUEST, now)
    assert opened.has_merged
    assert find_account(opened.login, now).visitor == visitor
    assert (decisions_of(visitor), open_hands_of(visitor)) == (both, hands)
    assert (sizes(Decision, PracticeSession), sizes(User, Account)) == (rows, [1, 1])
    assert_counted()


def test_progress_is_the_sum_of_both(service):
    now = two_guests(service, 120)
    figures = [load_progress(guest, "", "all", now.date()).total.sums for guest in (GUEST, OTHER_GUEST)]
    visitor = register(GUEST, now)
    log_in(OTHER_GUEST, now)
    merged, summed = load_progress(visitor, "", "all", now.date()).total.sums, figures[0] + figures[1]
    assert (merged.decisions, merged.right, merged.hinted, merged.times) == (
        summed.decisions, summed.right, summed.hinted, summed.times)
    assert merged.ev_lost == pytest.approx(summed.ev_lost, abs=1e-9)


def test_answers_after_the_merge_are_counted_on(service):
    now = two_guests(service, 40)
    visitor = register(GUEST, now)
    log_in(OTHER_GUEST, now)
    for _ in range(3):
        now += timedelta(seconds=20)
        hand = service.open_hand(visitor, MIXED, 0, now)
        assert service.answer(visitor, hand.token, "stand" if "stand" in hand.situation.legal else "decline",
                              Preferences(), now).is_new
    assert_counted()


@pytest.mark.usefixtures("database")
def test_settings_and_paces_go_over_where_the_account_has_none():
    def paces(visitor, text):
        with transaction(writes=True) as connection:
            connection.execute(update(User).where(User.visitor == visitor).values(paces=text))

    visitor = register(None, START)
    save_preferences(GUEST, Preferences(theme="dark"), START)
    paces(GUEST, '{"hard": [1], "soft": [2]}')
    log_in(GUEST, START)
    assert load_preferences(visitor).theme == "dark"
    save_preferences(OTHER_GUEST, Preferences(theme="light"), START)
    paces(OTHER_GUEST, '{"hard": [3], "pair": [4]}')
    log_in(OTHER_GUEST, START)
    with transaction() as connection:
        assert find_user(connection, visitor).paces == {"hard": [1], "soft": [2], "pair": [4]}
    assert load_preferences(visitor).theme == "dark"
    assert len(users()) == 1


def test_a_time_zone_told_with_an_answer_is_no_choice_of_the_other_settings(service):
    visitor = register(None, START)
    hand = service.open_hand(visitor, MIXED, 0, START)
    service.answer(visitor, hand.token, hand.situation.legal[0], None, START, "Europe/Berlin")
    save_preferences(GUEST, Preferences(theme="dark"), START)
    log_in(GUEST, START)
    assert load_preferences(visitor) == Preferences(theme="dark", time_zone="Europe/Berlin")


def test_the_sitting_that_runs_goes_on(service):
    now = two_guests(service, 20)
    hand = service.open_hand(GUEST, MIXED, 0, now)
    service.answer(GUEST, hand.token, next(iter(hand.situation.legal)), Preferences(), now)
    sitting = running_sitting(GUEST, now - timedelta(minutes=1))
    visitor = register(None, now)
    log_in(GUEST, now)
    assert running_sitting(visitor, now - timedelta(minutes=1)) == sitting


def test_a_second_login_of_the_same_guest_merges_nothing(service):
    now = two_guests(service, 30)
    visitor = register(GUEST, now)
    assert [log_in(OTHER_GUEST, now).has_merged for _ in range(3)] == [True, False, False]
    assert not log_in(visitor, now).has_merged
    assert not log_in(None, now).has_merged
    assert not log_in("c" * 32, now).has_merged
    assert_counted()


def test_another_account_is_no_guest(service):
    now = two_guests(service, 30)
    first, second = register(GUEST, now), register(OTHER_GUEST, now, "Bo")
    service.open_hand(first, MIXED, 0, now)
    own = [(decisions_of(each), open_hands_of(each)) for each in (first, second)]
    assert not log_in(first, now, "Bo").has_merged
    assert [(decisions_of(each), open_hands_of(each)) for each in (first, second)] == own
    assert sizes(User, Account) == [2, 2]


def test_a_wrong_password_moves_nothing(service):
    now = two_guests(service, 20)
    register(GUEST, now)
    own = decisions_of(OTHER_GUEST)
    with pytest.raises(accounts.WrongCredentialsError):
        accounts.log_in(OTHER_GUEST, "Ada", "x7 bridgf", now)
    assert decisions_of(OTHER_GUEST) == own


def test_a_merge_that_fails_half_way_moves_nothing(service, monkeypatch):
    now = two_guests(service, 30)
    visitor = register(GUEST, now)
    before = stored_tallies(), decisions_of(visitor), decisions_of(OTHER_GUEST), open_hands_of(OTHER_GUEST)

    def fail(*_):
        raise RuntimeError("half-way")

    monkeypatch.setattr("trainer.storage.merging.give_tallies", fail)
    with pytest.raises(RuntimeError):
        log_in(OTHER_GUEST, now)
    assert (stored_tallies(), decisions_of(visitor), decisions_of(OTHER_GUEST), open_hands_of(OTHER_GUEST)) == before


def test_two_logins_of_one_guest_at_once_merge_once(service, database):
    now = two_guests(service, 60)
    both = decisions_of(GUEST) | decisions_of(OTHER_GUEST)
    visitor = register(GUEST, now)
    opened = at_once(database, [lambda: log_in(OTHER_GUEST, now)] * 4)
    assert sorted(each.has_merged for each in opened) == [False, False, False, True]
    assert decisions_of(visitor) == both
    assert sizes(User, Account) == [1, 1]
    assert_counted()


def test_one_guest_at_once_into_two_accounts_is_in_one_of_them(service, database):
    now = two_guests(service, 40)
    own = decisions_of(GUEST)
    visitors = {name: register(None, now, name) for name in ("Ada", "Bo")}
    opened = at_once(database, [lambda name=name: log_in(GUEST, now, name) for name in visitors])
    assert sum(each.has_merged for each in opened) == 1
    assert sorted((decisions_of(visitor) for visitor in visitors.values()), key=len) == [set(), own]
    assert_counted()


def test_two_guests_at_once_into_one_account(service, database):
    now = two_guests(service, 60)
    both = decisions_of(GUEST) | decisions_of(OTHER_GUEST)
    visitor = register(None, now)
    opened = at_once(database, [lambda guest=guest: log_in(guest, now) for guest in (GUEST, OTHER_GUEST)])
    assert all(each.has_merged for each in opened)
    assert decisions_of(visitor) == both
    assert_counted()


def test_an_answer_in_the_moment_of_the_merge_is_the_accounts_or_still_open(service, database):
    visitor = register(None, START)
    for turn in range(8):
        now = START + timedelta(minutes=turn)
        hand = service.open_hand(GUEST, MIXED, 0, now)
        move = next(iter(hand.situation.legal))

        def answer(hand=hand, move=move, now=now):
            try:
                return service.answer(GUEST, hand.token, move, Preferences(), now)
            except HandNotFoundError:
                return None

        answered, _ = at_once(database, [answer, lambda now=now: log_in(GUEST, now)])
        log_in(GUEST, now)  # what was answered before the merge and stored after it
        found = service.look_up(visitor, hand.token, now)
        assert isinstance(found, DecisionRow) == (answered is not None)
        if answered is None:
            assert service.answer(visitor, hand.token, move, Preferences(), now).is_new
    assert sizes(Decision, User) == [8, 1]
    assert_counted()


def test_merging_keeps_the_older_beginning_and_the_later_visit(service):
    now = two_guests(service, 20)
    visitor = register(None, now + timedelta(days=1))
    log_in(GUEST, now + timedelta(days=2))
    with transaction() as connection:
        row = connection.execute(select(User).where(User.visitor == visitor)).one()
    assert row.created_at < now < row.last_seen_at
    assert sizes(Tally)[0] == len(stored_tallies())


def test_the_guests_own_rule_sets_come_along(service):
    now = two_guests(service, 20)
    for guest, key, name in ((GUEST, "decks~2.shuffle~hand", "Cellar"), (GUEST, "decks~4", "Attic"),
                             (OTHER_GUEST, "decks~3.shuffle~hand", "cellar"), (OTHER_GUEST, "decks~4", "Loft"),
                             (OTHER_GUEST, "decks~5", "Garden")):
        save_rule_set(guest, key, name, now)
    visitor = register(GUEST, now)
    log_in(OTHER_GUEST, now)
    kept = {each.name: rules_for(each.key).decks for each in saved_rule_sets(visitor)}
    assert kept == {"Cellar": 2, "cellar 2": 3, "Attic": 4, "Garden": 5}
    assert not saved_rule_sets(OTHER_GUEST)
