"""A guest's tables come to an account: chips are the account's, nothing else is lost, and nothing counts twice."""

import pytest
from sqlalchemy import func, select, update

from tests.service.stacked import START, Guest, Stacked
from trainer.drill.plan import Plan
from trainer.service import accounts
from trainer.service.accounts import find_account
from trainer.service.playout import PlayOutService, seat_key
from trainer.service.preferences import Preferences
from trainer.service.seat_keeping import Asked
from trainer.storage.models import Decision, User
from trainer.storage.table_models import TablePurse, TableRound, TableSeat
from trainer.storage.transaction import transaction

HERE, OTHER_DEVICE, PASSWORD = "a" * 32, "b" * 32, "x7 bridge"
LOST, WON = "T T 6 9", "T 6 T T 9"


@pytest.fixture
def sit(tables, dice):
    return lambda visitor, key="openseat": Guest(tables, dice, visitor, key).sit()


def register(guest=OTHER_DEVICE):
    """An account made of what was played on another device; its visitor."""
    return find_account(accounts.register(guest, "Ada", PASSWORD, START).login, START).visitor


def log_in():
    return accounts.log_in(HERE, "Ada", PASSWORD, START)


def rounds():
    with transaction() as connection:
        return connection.execute(select(TableRound.key, TableRound.number, TableRound.result).order_by(
            TableRound.key, TableRound.number)).all()


def size(model):
    with transaction() as connection:
        return connection.execute(select(func.count()).select_from(model)).scalar_one()


def purse():
    with transaction() as connection:
        row = connection.execute(select(TablePurse)).one()
        return row.stack // 10, row.biggest // 10, row.refills


def test_what_only_the_guest_has_goes_over_whole_and_the_round_goes_on(sit, tables, dice):
    guest = sit(HERE).bet(50, cards=LOST).say("stand").bet(20, cards="T 6 2 T T")
    account = register(None)
    log_in()
    mine = Guest(tables, dice, account).look()
    assert mine.state.view == guest.state.view
    assert mine.say("stand").stack in (930, 970)
    assert [number for _, number, _ in rounds()] == [1, 2]


def test_the_accounts_chips_stay_with_the_best_of_both(sit, tables, dice):
    sit(OTHER_DEVICE).bet(300, cards=WON).say("stand").bet(100, cards=LOST).say("stand")
    account = register()
    sit(HERE).bet(500, cards=WON).say("stand").bet(500, cards=LOST).say("stand").bet(10, cards=LOST).say("stand")
    with transaction(writes=True) as connection:
        connection.execute(update(TablePurse).values(refills=2))
    log_in()
    assert purse() == (1_200, 1_500, 4)
    assert [(number, result // 10) for _, number, result in rounds()] == [
        (-2, 500), (-1, -500), (0, -10), (1, 300), (2, -100)]
    assert (size(User), size(Decision), size(TableSeat)) == (1, 5, 1)
    mine = Guest(tables, dice, account).look()
    assert mine.seat.table.account.hands == 2
    assert mine.bet(100, cards=LOST).say("stand").stack == 1_100
    assert len(mine.state.rounds) == 3


def test_a_second_login_adds_nothing(sit):
    sit(OTHER_DEVICE).bet(100, cards=LOST).say("stand")
    register()
    sit(HERE).bet(500, cards=WON).say("stand")
    log_in()
    before = purse(), rounds()
    assert not log_in().has_merged
    assert (purse(), rounds()) == before


def test_a_round_in_progress_ends_where_the_account_has_chips_and_its_decisions_stay(sit, tables, dice):
    sit(OTHER_DEVICE, "scribes").bet(500, cards=LOST).say("stand")
    account = register()
    guest = sit(HERE, "priests").bet(5_000, cards="2 6 3 T 2 2").say("hit")
    assert tables.rounds_in_play(HERE) == ["priests"]
    log_in()
    assert purse()[0] == 49_500
    assert size(Decision) == 2
    mine = Guest(tables, dice, account, "priests").look()
    assert (mine.seat.table.round, mine.seat.marks, mine.seat.number) == (None, (), guest.seat.number)
    assert tables.rounds_in_play(account) == []
    assert mine.bet(1_000, cards=LOST).say("stand").stack == 48_500
    assert [(key, number) for key, number, _ in rounds()] == [("priests", 2), ("scribes", 1)]


def test_the_accounts_own_round_in_progress_goes_on(sit, tables, dice):
    other = sit(OTHER_DEVICE).bet(100, cards=LOST)
    account = register()
    sit(HERE).bet(500, cards=WON)
    log_in()
    mine = Guest(tables, dice, account).look()
    assert mine.state.view == other.state.view
    assert mine.say("stand").stack == 900


def test_a_hand_that_is_played_out_goes_on(database, solved):
    assert database
    playout, plan = PlayOutService(solved, Stacked()), Plan.from_text("mode=play-it-out&rows=p8&upcards=6")

    def begin(visitor):
        step = playout.open_hand(visitor, plan, START).view.step
        return playout.answer(visitor, seat_key(plan), Asked(1, step), 0, "split", None, Preferences(), START)

    begin(OTHER_DEVICE)
    account = register()
    mine = begin(HERE)
    log_in()
    assert playout.open_hand(account, plan, START).view == mine.view
    assert (size(TableSeat), size(Decision)) == (1, 2)
