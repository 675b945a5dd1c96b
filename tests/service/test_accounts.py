"""Accounts as use cases: what opens one, what ends a login, and what a wrong guess tells."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.service.people import (
    EVERYTHING,
    GUEST,
    OTHER_GUEST,
    OTHER_PASSWORD,
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
from trainer.service import accounts
from trainer.service.accounts import LOGIN_LIFETIME, CredentialError, WrongCredentialsError
from trainer.service.drill import HandNotFoundError
from trainer.service.preferences import Preferences, load_preferences, save_preferences
from trainer.storage.models import Account, Login, User


def account_of(opened, now=START):
    found = accounts.find_account(opened.login, now)
    assert found is not None
    return found


def make(guest=None, name="Ada", now=START):
    return accounts.register(guest, name, PASSWORD, now)


def outcome(call):
    """What a call gives, or the error that it raises."""
    try:
        return call()
    except (CredentialError, WrongCredentialsError) as error:
        return error


# Registering


def test_a_guest_who_registers_keeps_the_history_under_another_id(service):
    now = two_guests(service)
    own, open_hands = decisions_of(GUEST), open_hands_of(GUEST)
    before = sizes(*EVERYTHING)
    opened = make(GUEST, now=now)
    visitor = account_of(opened, now).visitor
    assert visitor not in (GUEST, OTHER_GUEST)
    assert (decisions_of(visitor), open_hands_of(visitor)) == (own, open_hands)
    assert (decisions_of(GUEST), open_hands_of(GUEST)) == (set(), set())
    assert dict(zip(EVERYTHING, sizes(*EVERYTHING), strict=True)) == dict(zip(EVERYTHING, before, strict=True)) | {
        Account: 1, Login: 1}


def test_the_hand_on_the_table_can_be_answered_after_registering_and_not_by_the_old_cookie(service):
    hand = service.open_hand(GUEST, Plan.from_text("mode=mixed"), 0, START)
    visitor = account_of(make(GUEST)).visitor
    with pytest.raises(HandNotFoundError):
        service.answer(GUEST, hand.token, "stand", Preferences(), START)
    assert service.answer(visitor, hand.token, "stand", Preferences(), START).is_new


@pytest.mark.usefixtures("database")
def test_settings_stay():
    save_preferences(GUEST, Preferences(theme="dark"), START)
    assert load_preferences(account_of(make(GUEST)).visitor).theme == "dark"


@pytest.mark.usefixtures("database")
def test_whoever_has_done_nothing_can_register():
    assert account_of(make(None)).username == "Ada"
    assert account_of(make("c" * 32, "Bo")).username == "Bo"
    assert sizes(User, Account, Login) == [2, 2, 2]


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("name", ["Ada", "ADA", " ada ", "\N{FULLWIDTH LATIN CAPITAL LETTER A}da"])
def test_a_name_is_taken_once_however_it_is_written(name):
    make()
    with pytest.raises(CredentialError, match="taken") as caught:
        accounts.register(GUEST, name, OTHER_PASSWORD, START)
    assert caught.value.field == "username"
    assert sizes(User, Account, Login) == [1, 1, 1]


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize(("name", "password", "field"), [
    ("A", PASSWORD, "username"), ("Ada", "short", "password"), ("Ada Lovelace", "ada lovelace", "password"),
])
def test_what_cannot_be_is_refused_and_nothing_stored(name, password, field):
    with pytest.raises(CredentialError) as caught:
        accounts.register(GUEST, name, password, START)
    assert caught.value.field == field
    assert sizes(*EVERYTHING) == [0] * len(EVERYTHING)


def test_the_same_registration_twice_at_once_is_one_account(service, database):
    now = two_guests(service, 20)
    own = decisions_of(GUEST)
    opened = at_once(database, [lambda: make(GUEST, now=now)] * 4)
    assert {account_of(each, now).username for each in opened} == {"Ada"}
    assert sum(bool(each.recovery_code) for each in opened) == 1
    assert sizes(Account, Login) == [1, 4]
    assert decisions_of(account_of(opened[0], now).visitor) == own


def test_one_name_at_once_by_many_is_one_account_and_the_others_are_told(database):
    calls = [lambda number=number: outcome(lambda: accounts.register(None, "Ada", f"x7 bridge {number}", START))
             for number in range(4)]
    found = at_once(database, calls)
    assert sum(isinstance(each, CredentialError) and each.field == "username" for each in found) == 3
    assert sizes(User, Account, Login) == [1, 1, 1]


def test_one_guest_at_once_under_many_names_is_one_account_with_the_history(service, database):
    now = two_guests(service, 20)
    own = decisions_of(GUEST)
    opened = at_once(database, [lambda name=name: make(GUEST, name, now) for name in ("Ada", "Bo", "Cy")])
    histories = [decisions_of(account_of(each, now).visitor) for each in opened]
    assert sorted(histories, key=len) == [set(), set(), own]


# Logging in and out


@pytest.mark.usefixtures("database")
def test_a_login_opens_the_account_until_it_lapses():
    opened = make()
    again = accounts.log_in(None, "ADA", PASSWORD, START + timedelta(days=1))
    assert opened.login != again.login
    assert accounts.find_account(opened.login, START + LOGIN_LIFETIME) is not None
    assert accounts.find_account(opened.login, START + LOGIN_LIFETIME + timedelta(seconds=1)) is None
    assert accounts.find_account(again.login, START + LOGIN_LIFETIME + timedelta(seconds=1)) is not None
    for other in ("", "nonsense", opened.login[:-1], "\x00", "\ud800"):
        assert accounts.find_account(other, START) is None


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize(("name", "password"), [
    ("Ada", "x7 bridgf"), ("Ada", ""), ("Ada", "q" * 200), ("Bo", PASSWORD), ("", PASSWORD), ("\x00", PASSWORD),
    ("A" * 10_000, PASSWORD),
])
def test_a_wrong_name_and_a_wrong_password_are_refused_alike(name, password):
    make()
    with pytest.raises(WrongCredentialsError) as caught:
        accounts.log_in(GUEST, name, password, START)
    assert str(caught.value) == ""
    assert sizes(Login) == [1]


@pytest.mark.usefixtures("database")
def test_logging_out_ends_one_login_and_everywhere_all():
    first, second = make(), accounts.log_in(None, "Ada", PASSWORD, START)
    stranger = make(None, "Bo")
    assert accounts.count_logins(account_of(first), START) == 2
    accounts.log_out(first.login)
    accounts.log_out(first.login)
    assert accounts.find_account(first.login, START) is None
    account = account_of(second)
    accounts.log_out_everywhere(account)
    assert accounts.find_account(second.login, START) is None
    assert accounts.find_account(stranger.login, START) is not None


@pytest.mark.usefixtures("database")
def test_what_is_stored_opens_nothing():
    opened = make()
    with_digests = [accounts._digest(opened.login), opened.recovery_code]
    assert all(accounts.find_account(each, START) is None for each in with_digests)


# Password and recovery code


@pytest.mark.usefixtures("database")
def test_another_password_ends_every_other_login():
    first, second = make(), accounts.log_in(None, "Ada", PASSWORD, START)
    opened = accounts.change_password(account_of(first), PASSWORD, OTHER_PASSWORD, START)
    assert [accounts.find_account(each.login, START) is not None for each in (first, second, opened)] == [
        False, False, True]
    assert opened.recovery_code == ""
    with pytest.raises(WrongCredentialsError):
        accounts.log_in(None, "Ada", PASSWORD, START)
    assert accounts.log_in(None, "Ada", OTHER_PASSWORD, START)


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize(("old", "new", "field"), [
    ("x7 bridgf", OTHER_PASSWORD, "old"), (PASSWORD, "short", "password"), (PASSWORD, "password1", "password"),
])
def test_a_password_is_not_changed_by_whoever_does_not_know_it_nor_to_a_bad_one(old, new, field):
    opened = make()
    with pytest.raises(CredentialError) as caught:
        accounts.change_password(account_of(opened), old, new, START)
    assert caught.value.field == field
    assert accounts.log_in(None, "Ada", PASSWORD, START)


@pytest.mark.usefixtures("database")
def test_a_recovery_code_works_once_and_brings_another():
    opened = make()
    back = accounts.recover(None, "ada", opened.recovery_code.lower(), OTHER_PASSWORD, START)
    assert accounts.find_account(opened.login, START) is None
    assert account_of(back).username == "Ada"
    assert back.recovery_code not in ("", opened.recovery_code)
    with pytest.raises(WrongCredentialsError):
        accounts.recover(None, "Ada", opened.recovery_code, PASSWORD, START)
    assert accounts.recover(None, "Ada", back.recovery_code, PASSWORD, START).recovery_code


@pytest.mark.usefixtures("database")
def test_a_recovery_that_is_sent_twice_logs_in_by_its_new_password():
    opened = make()
    accounts.recover(None, "Ada", opened.recovery_code, OTHER_PASSWORD, START)
    again = accounts.recover(None, "Ada", opened.recovery_code, OTHER_PASSWORD, START)
    assert (account_of(again).username, again.recovery_code) == ("Ada", "")


@pytest.mark.usefixtures("database")
def test_a_wrong_code_or_name_recovers_nothing():
    opened = make()
    for name, code in (("Ada", "nonsense"), ("Bo", opened.recovery_code), ("", ""), ("\x00", "\x00")):
        with pytest.raises(WrongCredentialsError):
            accounts.recover(GUEST, name, code, OTHER_PASSWORD, START)
    with pytest.raises(CredentialError):
        accounts.recover(GUEST, "Ada", opened.recovery_code, "short", START)
    assert account_of(opened)


@pytest.mark.usefixtures("database")
def test_a_new_recovery_code_replaces_the_old_and_needs_the_password():
    opened = make()
    with pytest.raises(CredentialError):
        accounts.renew_recovery_code(account_of(opened), "x7 bridgf")
    code = accounts.renew_recovery_code(account_of(opened), PASSWORD)
    with pytest.raises(WrongCredentialsError):
        accounts.recover(None, "Ada", opened.recovery_code, OTHER_PASSWORD, START)
    assert accounts.recover(None, "Ada", code, OTHER_PASSWORD, START)


def test_one_code_used_by_two_at_once_sets_one_password(database):
    code = make().recovery_code
    calls = [lambda password=password: outcome(lambda: accounts.recover(None, "Ada", code, password, START))
             for password in (PASSWORD + "!", OTHER_PASSWORD)]
    found = at_once(database, calls)
    assert sum(isinstance(each, WrongCredentialsError) for each in found) == 1
    assert sizes(Login) == [1]


def test_a_login_with_a_password_that_is_changed_in_that_moment_is_ended_or_refused(database):
    for turn in range(6):
        name = f"Ada {turn}"
        account = account_of(make(None, name))
        found = at_once(database, [
            lambda name=name: outcome(lambda: accounts.log_in(None, name, PASSWORD, START)),
            lambda account=account: accounts.change_password(account, PASSWORD, OTHER_PASSWORD, START),
        ])
        old, new = found
        assert isinstance(old, WrongCredentialsError) or accounts.find_account(old.login, START) is None
        assert accounts.find_account(new.login, START) is not None


# Deleting


def test_deleting_an_account_leaves_nothing_of_it_and_all_of_the_others(service):
    now = two_guests(service)
    opened, others = make(GUEST, now=now), decisions_of(OTHER_GUEST)
    with pytest.raises(CredentialError):
        accounts.delete_account(account_of(opened, now), "x7 bridgf")
    visitor = account_of(opened, now).visitor
    accounts.delete_account(account_of(opened, now), PASSWORD)
    assert sizes(Account, Login, User) == [0, 0, 1]
    assert (decisions_of(visitor), open_hands_of(visitor), decisions_of(OTHER_GUEST)) == (set(), set(), others)
    assert make(None, "Ada", now)


@pytest.mark.usefixtures("database")
def test_an_account_that_is_gone_or_changed_is_not_changed_again():
    gone = account_of(make())
    accounts.delete_account(gone, PASSWORD)
    for call in (lambda: accounts.delete_account(gone, PASSWORD), lambda: accounts.renew_recovery_code(gone, PASSWORD),
                 lambda: accounts.change_password(gone, PASSWORD, OTHER_PASSWORD, START)):
        with pytest.raises(CredentialError):
            call()
    accounts.log_out_everywhere(replace(gone, visitor="d" * 32))
    assert users() == []
