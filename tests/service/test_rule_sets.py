"""A visitor's own rule sets: one name for one game, nobody else's business, and nothing lost with them."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from sqlalchemy import func, select

from tests.service.history import START, stored_tallies
from trainer.drill.plan import Plan
from trainer.engine.errors import RulesError
from trainer.engine.presets import RULE_SETS, TITLES
from trainer.engine.rule_key import key_of, rules_for
from trainer.engine.rules import Rules
from trainer.service.preferences import Preferences
from trainer.service.rule_sets import (
    MOST_LETTERS,
    MOST_SAVED,
    NoSuchRuleSetError,
    SavingError,
    delete_rule_set,
    keys_of_strategies,
    rename_rule_set,
    save_rule_set,
    saved_rule_sets,
)
from trainer.storage.models import SavedRules, User
from trainer.storage.transaction import transaction

ME, OTHER = "a" * 32, "b" * 32
TWO, ONE = "decks~2.shuffle~20", "decks~1.surrender~late.shuffle~hand"

pytestmark = pytest.mark.usefixtures("database")


def save(name="My table", key=TWO, visitor=ME):
    return save_rule_set(visitor, key, name, START)


def names(visitor=ME):
    return [each.name for each in saved_rule_sets(visitor)]


def size(model):
    with transaction() as connection:
        return connection.execute(select(func.count()).select_from(model)).scalar_one()


def test_nobody_has_none():
    assert saved_rule_sets(None) == saved_rule_sets(ME) == ()


def test_what_is_saved_is_read_back():
    assert save() == "My table"
    found, = saved_rule_sets(ME)
    assert (found.name, found.key, found.strategy_hash) == ("My table", TWO, Rules(decks=2).strategy_hash)
    assert saved_rule_sets(OTHER) == ()


def test_they_are_listed_by_name_whatever_its_case():
    for name, decks in (("b", 2), ("C", 3), ("A", 4), ("ä", 5)):
        save(name, f"decks~{decks}")
    assert names() == ["A", "b", "C", "ä"]


def test_a_key_is_kept_as_the_one_key_of_its_rules():
    save(key="surrender~late.shuffle~300.decks~1")
    assert [each.key for each in saved_rule_sets(ME)] == [ONE]


@pytest.mark.parametrize(("given", "kept"), [
    ("  My \t table\n", "My table"), ("Ｗｉｄｅ", "Wide"), ("e\u0301clair", "éclair"),
    ("x" * MOST_LETTERS, "x" * MOST_LETTERS), ("ẞ" * MOST_LETTERS, "ẞ" * MOST_LETTERS),
    ("ΐ" * MOST_LETTERS, "ΐ" * MOST_LETTERS), ("🂡 aces", "🂡 aces"),
    ("<b>'; DROP TABLE users;--", "<b>'; DROP TABLE users;--"),
])
def test_a_name_is_normalised(given, kept):
    assert save(given) == kept
    assert names() == [kept]


@pytest.mark.parametrize(("name", "said"), [
    ("", "Give it a name."), (" \t\n", "Give it a name."), ("x" * 61, "up to 60"), ("x" * 100_000, "up to 60"),
    ("a\x00b", "can be seen"), ("a\u200bb", "can be seen"), ("\ud800", "can be seen"), ("a\u202eb", "can be seen"),
    ("Classic", "ships"), ("hall  OF thoth", "ships"),
])
def test_a_name_that_cannot_be_is_refused(name, said):
    with pytest.raises(SavingError, match=said):
        save(name)
    assert (size(SavedRules), size(User)) == (0, 0)


@pytest.mark.parametrize("key", RULE_SETS)
def test_what_ships_is_in_the_list_already(key):
    with pytest.raises(SavingError, match=TITLES[key].partition("(")[0]):
        save(key=key)
    assert size(SavedRules) == 0


def test_what_is_no_rule_set_is_none():
    with pytest.raises(RulesError):
        save(key="decks~9")


def test_a_name_is_one_users_once_and_anothers_too():
    save()
    for name in ("My table", "MY  TABLE", "ｍｙ table"):
        with pytest.raises(SavingError, match="another rule set of that name, My table"):
            save(name, ONE)
    save(visitor=OTHER)
    assert names() == names(OTHER) == ["My table"]


def test_rules_have_one_name_for_one_user():
    save()
    with pytest.raises(SavingError, match="already, as My table"):
        save("Another name")
    with pytest.raises(SavingError, match="already, as My table"):
        save("Another name", "shuffle~20.decks~2")
    save("With a fresh shoe", "decks~2.shuffle~hand")
    assert len(names()) == 2


def test_there_is_room_for_so_many_and_no_more():
    shuffles = [f"decks~4.shuffle~{number}" for number in range(1, MOST_SAVED + 2)]
    for number, key in enumerate(shuffles[:MOST_SAVED]):
        save(str(number), key)
    with pytest.raises(SavingError, match=f"You have {MOST_SAVED}"):
        save("one too many", shuffles[MOST_SAVED])
    save("another's", shuffles[MOST_SAVED], OTHER)
    delete_rule_set(ME, saved_rule_sets(ME)[0].id)
    save("room again", shuffles[MOST_SAVED])
    assert len(names()) == MOST_SAVED


def test_a_name_is_changed():
    save()
    save("Other", ONE)
    mine = next(each for each in saved_rule_sets(ME) if each.key == TWO)
    assert rename_rule_set(ME, mine.id, " my TABLE ") == "my TABLE"
    with pytest.raises(SavingError, match="another rule set of that name"):
        rename_rule_set(ME, mine.id, "OTHER")
    with pytest.raises(SavingError, match="Give it a name"):
        rename_rule_set(ME, mine.id, " ")
    assert names() == ["my TABLE", "Other"]
    assert [each.key for each in saved_rule_sets(ME)] == [TWO, ONE]


@pytest.mark.parametrize("visitor", [None, OTHER, "", "nobody"])
def test_a_stranger_renames_and_deletes_nothing(visitor):
    save()
    save("Theirs", ONE, OTHER)
    mine, = saved_rule_sets(ME)
    for use in (lambda: rename_rule_set(visitor, mine.id, "Stolen"), lambda: delete_rule_set(visitor, mine.id)):
        with pytest.raises(NoSuchRuleSetError):
            use()
    assert (names(), names(OTHER)) == (["My table"], ["Theirs"])


@pytest.mark.parametrize("saved_id", [0, -1, 999, 2**63, 10**30])
def test_what_is_not_there_is_not_found(saved_id):
    save()
    for use in (lambda: rename_rule_set(ME, saved_id, "x"), lambda: delete_rule_set(ME, saved_id)):
        with pytest.raises(NoSuchRuleSetError):
            use()


def test_deleting_takes_no_history_with_it(service):
    save()
    question = service.open_hand(ME, Plan(TWO), 0, START)
    service.answer(ME, question.token, "stand", Preferences(), START + timedelta(seconds=2))
    decision, tallies = service.look_up(ME, question.token, START), stored_tallies()
    mine, = saved_rule_sets(ME)
    assert delete_rule_set(ME, mine.id) == "My table"
    assert names() == []
    assert (service.look_up(ME, question.token, START), stored_tallies()) == (decision, tallies)
    assert keys_of_strategies([Rules(decks=2).strategy_hash]) == {Rules(decks=2).strategy_hash: TWO}
    with pytest.raises(NoSuchRuleSetError):
        delete_rule_set(ME, mine.id)
    save()
    assert names() == ["My table"]


def test_a_strategy_is_found_by_the_first_rules_that_had_it():
    save("late", "decks~2.insurance~none.shuffle~20")
    save("later", TWO)
    strategy = Rules(decks=2).strategy_hash
    assert keys_of_strategies([strategy, "0" * 16]) == {strategy: "decks~2.insurance~none.shuffle~20"}
    assert keys_of_strategies([]) == {}


def test_two_at_once_save_one(database):
    start = Barrier(6)

    def run(number):
        with database.app_context():
            start.wait()
            try:
                return save_rule_set(ME, TWO if number % 2 else ONE, "Same", START)
            except SavingError as error:
                return error

    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(run, range(6)))
    assert found.count("Same") == 1
    assert names() == ["Same"]


def test_every_rule_survives_being_kept():
    rules = Rules.from_mapping({
        "decks": 3, "dealer_hits_soft_17": True, "hole_card": "obo", "blackjack_pays": "7:5", "double_on": "9-11",
        "double_cards": "any", "max_split_hands": 3, "no_split": "4,10", "resplit_aces": True, "hit_split_aces": True,
        "surrender": "early", "insurance": "up-to-half", "shuffle": "20-30",
    })
    save(key=key_of(rules))
    found, = saved_rule_sets(ME)
    assert rules_for(found.key) == rules.normalised()
