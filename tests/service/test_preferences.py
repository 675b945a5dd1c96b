"""A user's settings: read back as saved, and never trusted as stored."""

from dataclasses import asdict, fields, replace
from datetime import UTC, datetime

import pytest
from sqlalchemy import func, select, update

from trainer.engine.presets import RULE_SETS
from trainer.service.preferences import MAX_BET_UNIT, Preferences, is_time_zone, load_preferences, save_preferences
from trainer.storage.models import User
from trainer.storage.transaction import transaction

ME, OTHER = "a" * 32, "b" * 32
NOW = datetime(2031, 3, 4, 12, tzinfo=UTC)
CHOSEN = Preferences("classic", "exact", "dark", True, True, True, False, 25, 40, "Asia/Tokyo")


def users():
    with transaction() as connection:
        return connection.execute(select(func.count()).select_from(User)).scalar_one()


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("visitor", [None, ME])
def test_who_has_set_nothing_has_the_defaults_and_is_no_user(visitor):
    assert load_preferences(visitor) == Preferences()
    assert users() == 0


@pytest.mark.usefixtures("database")
def test_settings_are_read_back_as_saved():
    save_preferences(ME, CHOSEN, NOW)
    assert load_preferences(ME) == CHOSEN
    save_preferences(ME, replace(CHOSEN, theme="light"), NOW)
    assert load_preferences(ME) == replace(CHOSEN, theme="light")
    assert load_preferences(OTHER) == Preferences()
    assert users() == 1


@pytest.mark.usefixtures("database")
def test_what_is_stored_and_no_longer_known_falls_back():
    save_preferences(ME, CHOSEN, NOW)
    with transaction(writes=True) as connection:
        connection.execute(update(User).values(settings='{"theme": "pink", "bet_unit": 7, "gone": 1}'))
    assert load_preferences(ME) == Preferences(bet_unit=7)


def test_every_field_has_a_default_that_is_allowed():
    assert Preferences.from_stored(asdict(Preferences())) == Preferences()
    assert Preferences.from_stored(asdict(CHOSEN)) == CHOSEN
    assert {field.name for field in fields(Preferences)} == set(asdict(CHOSEN))


@pytest.mark.parametrize("value", [None, "nonsense", "", 0, -1, 1.5, float("nan"), [], {}, ["classic"], "x" * 10_000,
                                   "\x00", MAX_BET_UNIT + 1, 10**30])
def test_a_value_that_is_not_allowed_falls_back(value):
    for name in (field.name for field in fields(Preferences)):
        assert Preferences.from_stored({name: value}) == Preferences(), name


def test_a_number_is_no_switch_and_a_switch_no_number():
    assert Preferences.from_stored({"shortcuts": 0, "bet_unit": True}) == Preferences()


@pytest.mark.parametrize(("name", "values"), [
    ("rules", list(RULE_SETS)), ("grading", ["chart", "exact"]), ("theme", ["system", "light", "dark"]),
    ("bet_unit", [1, MAX_BET_UNIT]), ("shortcuts", [True, False]), ("time_zone", ["", "UTC", "Pacific/Auckland"]),
])
def test_every_allowed_value_is_kept(name, values):
    for value in values:
        assert getattr(Preferences.from_stored({name: value}), name) == value


@pytest.mark.parametrize("name", ["", "nonsense", "../../etc/passwd", "/etc/passwd", "x" * 10_000, "Europe", "\x00"])
def test_what_is_no_time_zone_is_none(name):
    assert not is_time_zone(name)
