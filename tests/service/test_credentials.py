"""Names and passwords: what they may be, how they are compared, and how long a check takes."""

import re
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.security import check_password_hash

from trainer.service import passwords
from trainer.service.credentials import (
    CredentialError,
    check_new_password,
    fits_code,
    fits_password,
    hash_of_code,
    hash_of_password,
    new_recovery_code,
    username_key,
    username_of,
)
from trainer.service.passwords import AT_ONCE, METHOD, HashingBusyError, hash_password, is_password


@pytest.mark.parametrize(("typed", "shown"), [
    ("Ada", "Ada"), ("  Ada   Lovelace ", "Ada Lovelace"), ("Ada\tLovelace\n", "Ada Lovelace"), ("ab", "ab"),
    ("x" * 32, "x" * 32), ("<script>alert(1)</script>", "<script>alert(1)</script>"), ("=1+1", "=1+1"),
    ("\N{LATIN SMALL LETTER A}\N{COMBINING DIAERESIS}b", "\N{LATIN SMALL LETTER A WITH DIAERESIS}b"),
    ("\N{FULLWIDTH LATIN CAPITAL LETTER A}da", "Ada"),
    ("\N{GREEK SMALL LETTER ALPHA}\N{CJK UNIFIED IDEOGRAPH-4E2D}",) * 2,
])
def test_a_name_is_shown_composed_and_single_spaced(typed, shown):
    assert username_of(typed) == shown


@pytest.mark.parametrize("typed", [
    "", " ", "a", "x" * 33, "a\x00b", "a\N{ZERO WIDTH SPACE}b", "a\N{RIGHT-TO-LEFT OVERRIDE}b", "a\ud800b", "a\x1bb",
    "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 2,
])
def test_a_name_that_cannot_be_is_told_at_its_field(typed):
    with pytest.raises(CredentialError) as caught:
        username_of(typed)
    assert caught.value.field == "username"


@pytest.mark.parametrize("other", ["ada lovelace", "ADA LOVELACE", " Ada  Lovelace",
                                   "\N{FULLWIDTH LATIN CAPITAL LETTER A}da lovelace"])
def test_names_that_look_alike_are_one(other):
    assert username_key(other) == username_key("Ada Lovelace")


@pytest.mark.parametrize("other", ["Ada-Lovelace", "AdaLovelace", "Adá Lovelace"])
def test_other_names_are_others(other):
    assert username_key(other) != username_key("Ada Lovelace")


@given(st.text())
def test_any_text_is_a_name_or_refused_and_its_key_fits_the_column(typed):
    try:
        name = username_of(typed)
    except CredentialError:
        return
    key = username_key(typed)
    assert 2 <= len(name) <= 32
    assert name.isprintable()
    assert len(key) <= 128
    assert username_key(name) == key == username_key(key)
    assert username_of(name) == name


@pytest.mark.parametrize("password", ["x7 bridge", "x" * 7 + "y", "\N{SNOWMAN}" * 4 + "abcd", "q" * 127 + "z", " " * 8])
def test_a_password_may_be_anything_of_8_to_128(password):
    check_new_password(password, "Ada")


@pytest.mark.parametrize(("password", "why"), [
    ("", "8 to 128"), ("x7 brid", "8 to 128"), ("q" * 129, "8 to 128"), ("Password1", "common"), ("12345678", "common"),
    ("ADA LOVELACE", "not your name"),
])
def test_a_password_that_cannot_be_is_told_why(password, why):
    with pytest.raises(CredentialError, match=why) as caught:
        check_new_password(password, "Ada Lovelace")
    assert caught.value.field == "password"


def test_a_password_fits_itself_however_its_accents_are_typed():
    stored = hash_of_password("caf\N{LATIN SMALL LETTER E WITH ACUTE} au lait")
    assert fits_password(stored, "cafe\N{COMBINING ACUTE ACCENT} au lait")
    for other in ("cafe au lait", "CAF\N{LATIN CAPITAL LETTER E WITH ACUTE} AU LAIT", "", "x" * 129, "\ud800" * 9):
        assert not fits_password(stored, other)


def test_what_no_account_has_fits_nothing():
    for password in ("", "0" * 8, "x7 bridge"):
        assert not is_password(None, password)
        assert not fits_password(None, password)


def test_a_hash_is_scrypt_at_full_strength_salted(monkeypatch):
    assert METHOD == "scrypt:65536:8:2"
    monkeypatch.setattr(passwords, "METHOD", METHOD)
    one, other = hash_password("x7 bridge"), hash_password("x7 bridge")
    assert one != other
    assert one.startswith(f"{METHOD}$")
    assert len(one) <= 255
    assert check_password_hash(one, "x7 bridge")


def test_an_unknown_name_costs_the_same_hash(monkeypatch):
    checked = []

    def note(stored, password):
        checked.append(stored.partition("$")[0])
        return check_password_hash(stored, password)

    monkeypatch.setattr(passwords, "check_password_hash", note)
    assert is_password(hash_password("x7 bridge"), "x7 bridge")
    assert not is_password(None, "x7 bridge")
    assert checked == [passwords.METHOD] * 2


def test_only_so_many_are_hashed_at_once_and_the_rest_are_told_to_wait(monkeypatch):
    inside, go = [], Event()

    def hold(*_):
        inside.append(1)
        assert go.wait(20)
        return "hash"

    monkeypatch.setattr(passwords, "generate_password_hash", hold)
    monkeypatch.setattr(passwords, "PATIENCE_SECONDS", 0.05)
    with ThreadPoolExecutor(AT_ONCE + 1) as pool:
        calls = [pool.submit(hash_password, "x7 bridge") for _ in range(AT_ONCE + 1)]
        done, _ = wait(calls, timeout=20, return_when=FIRST_COMPLETED)
        with pytest.raises(HashingBusyError):
            done.pop().result()
        assert len(inside) == AT_ONCE
        go.set()
    assert sum(call.exception() is None for call in calls) == AT_ONCE
    assert hash_password("x7 bridge") == "hash"


def test_a_recovery_code_is_long_and_never_the_same():
    codes = {new_recovery_code() for _ in range(50)}
    assert len(codes) == 50
    assert all(re.fullmatch(r"([0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{5}", code) for code in codes)


def test_a_recovery_code_fits_however_it_is_copied():
    code = new_recovery_code()
    stored = hash_of_code(code)
    for copied in (code, code.lower(), code.replace("-", ""), code.replace("-", " "), f" {code}\n",
                   code.replace("0", "O").replace("1", "l")):
        assert fits_code(stored, copied)
    for other in ("", code[:-1], new_recovery_code(), "\ud800"):
        assert not fits_code(stored, other)
        assert not fits_code(None, other)
