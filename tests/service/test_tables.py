"""Playing at a table as a use case: one order whatever happens at once, nothing lost, every decision kept."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from sqlalchemy import func, select, update

from tests.service.history import recount_tallies, stored_tallies
from tests.service.stacked import CHIP, Guest, Stacked
from trainer.drill.mistake_filter import MistakeFilter
from trainer.engine.errors import EngineError, IllegalActionError
from trainer.engine.rule_key import canonical_key
from trainer.service.mistakes import NEWEST, page_of_mistakes, query_of
from trainer.service.tables import Asked, NotSeatedError, TableService
from trainer.storage.decisions import find_decision
from trainer.storage.models import Decision, User
from trainer.storage.table_models import TablePurse, TableRound, TableSeat
from trainer.storage.transaction import transaction
from trainer.storage.users import find_user
from trainer.table.errors import BetError, ChipsError, SeatError, TurnError
from trainer.table.judgement import judge

ME, OTHER = "a" * 32, "b" * 32


@pytest.fixture
def guest(tables, dice):
    return Guest(tables, dice).sit()


def stored(model):
    with transaction() as connection:
        return connection.execute(select(model).order_by(*model.__table__.primary_key)).all()


def size(model):
    with transaction() as connection:
        return connection.execute(select(func.count()).select_from(model)).scalar_one()


def kept():
    """Everything that a table stores, to be compared."""
    seats = [(row.user_id, row.key, row.version, row.state, row.log, row.marks, row.number)
             for row in stored(TableSeat)]
    purses = [(row.user_id, row.key, row.stack, row.refills, row.table_key) for row in stored(TablePurse)]
    return seats, purses, size(Decision), size(TableRound)


def test_a_round_from_bet_to_settlement(guest):
    guest.bet(50, cards="9 6 7 T T")
    assert (guest.stack, guest.seat.number, guest.state.view.phase) == (950, 1, "playing")
    guest.say("stand")
    assert guest.state.view.phase == "settled"
    assert size(TableRound) == 1
    account = guest.seat.table.account
    assert (account.hands, account.wagered, account.result) == (1, 50 * CHIP, (guest.stack - 1000) * CHIP)
    assert guest.state.rounds[0].result == account.result


def test_a_decision_is_kept_with_its_worth_for_the_cards_in_view(guest, solved):
    guest.bet(10, cards="T 6 2 T")
    before = guest.seat.round
    expected = judge(before, 0, solved.get(before.terms.rules).chart)
    guest.say("hit")
    row, = stored(Decision)
    with transaction() as connection:
        found = find_decision(connection, row.token, ME)
    assert (found.mode, found.chosen, found.is_hinted, found.session_id) == ("table", "hit", False, None)
    assert dict(found.evs) == dict(expected.evs)
    assert (found.chart_move, found.exact_move) == (expected.chart, expected.exact)
    assert found.ev_cost == pytest.approx(expected.cost("hit"))
    assert found.is_right is False
    mark, = guest.seat.marks
    assert (mark.token, mark.cost) == (row.token, pytest.approx(expected.cost("hit") * 10 * CHIP))
    assert guest.seat.table.account.ev_given_up == pytest.approx(mark.cost)


def test_split_hands_are_kept_with_the_sisters_in_view(guest):
    guest.bet(10, cards="8 6 8 T 3 T 9")
    guest.say("split", "hit", "stand")
    rows = stored(Decision)
    assert [(row.cards[::2], row.seen[::2], row.category, row.row) for row in rows] == [
        ("88", "", "pair", 8), ("83", "8", "hard", 11), ("89", "83T", "hard", 17)]


def test_tallies_count_the_table_too(guest):
    for cards, words in (("T 6 2 T", ["stand"]), ("8 6 8 T 3 T 9 5 5", ["split", "stand", "stand"]),
                         ("T A 9 7", ["insure", "stand"])):
        guest.bet(10, cards=cards)
        guest.say(*words)
    assert size(Decision) >= 5
    assert stored_tallies() == recount_tallies()


def test_every_decision_has_its_time_on_the_servers_clock(guest):
    guest.bet(10, cards="2 6 3 T 2 2 2 T")
    guest.wait(4).look().wait(1).say("hit")
    guest.wait(2.5).say("hit")
    guest.wait(3_600).say("stand")
    assert [row.time_ms for row in stored(Decision)] == [5_000, 2_500, 60_000]
    assert stored_tallies() == recount_tallies()


@pytest.mark.parametrize(("verdicts", "kept"), [("decision", [[5_000]]), ("round", [[5_000, 2_500]])])
def test_pace_is_told_by_times_in_which_no_verdict_was_read(tables, guest, verdicts, kept):
    tables.set_options(ME, guest.key, guest.now, is_hinting=False, verdicts=verdicts)
    guest.look().bet(10, cards="3 T 2 T 2 T")
    guest.wait(5).say("hit").wait(2.5).say("hit")
    with transaction() as connection:
        assert list(find_user(connection, ME).paces.values()) == kept


def test_a_slow_answer_is_slow_by_the_users_own_pace(guest):
    for _ in range(20):
        guest.bet(10, cards="T T 9 7").wait(2).say("stand")
    guest.bet(10, cards="T T 9 7").wait(4.5).say("stand")
    assert [row.is_slow for row in stored(Decision)] == [False] * 20 + [True]


def test_every_decision_is_explained_for_the_cards_in_view(guest):
    guest.bet(10, cards="8 6 8 T 3 T 9 T").say("split", "double", "stand")
    reasons = [mark.reasons for mark in guest.seat.marks]
    assert all(reasons)
    assert reasons[0][0].startswith("Kept together, 8-8 is a hard 16")
    assert reasons[1][0].startswith("One card makes 11 into 17 or more")
    assert guest.look().seat.marks[0].reasons == reasons[0]


def test_hinted_decisions_count_for_neither_right_nor_wrong(guest):
    guest.bet(10, cards="T 6 2 T")
    guest.state = guest.service.set_options(ME, "openseat", guest.now, is_hinting=True, verdicts="round")
    assert set(guest.state.hints[0].judgement.evs) == {"stand", "hit", "double"}
    guest.say("hit")
    assert [(row.is_hinted, row.is_mistake) for row in stored(Decision)] == [(True, False)]
    assert stored_tallies() == recount_tallies()


def test_a_hint_that_was_seen_counts_though_it_is_switched_off(guest):
    guest.bet(10, cards="T 6 2 T 2")
    for is_hinting in (True, False):
        guest.state = guest.service.set_options(ME, "openseat", guest.now, is_hinting=is_hinting, verdicts="decision")
    assert guest.state.hints == {}
    guest.say("hit", "stand")
    assert [row.is_hinted for row in stored(Decision)] == [True, False]


def test_mistakes_at_a_table_are_listed(guest):
    guest.bet(10, cards="T 6 2 T")
    guest.say("hit")
    page = page_of_mistakes(ME, query_of(MistakeFilter(), "", "newest"))
    assert [(row.mode, row.chosen, row.situation.off_table.table) for row in page.mistakes] == [("table", "hit", None)]


def test_insurance_and_even_money_are_kept_as_such(guest):
    guest.bet(10, cards="T A 9 7")
    guest.say("insure")
    guest.say("stand")
    guest.bet(10, cards="K A A 7")
    guest.say("even money")
    rows = [row for row in stored(Decision) if row.category == "insurance"]
    assert [(row.chosen, row.is_right, row.tens_left, row.cards_left) for row in rows] == [
        ("insure", False, 95, 309), ("insure", False, 95, 309)]


@pytest.mark.parametrize("amount", [0, -10, 25, 15, 10**10, 510, 1010])
def test_what_is_no_bet_changes_nothing(guest, amount):
    before = kept()
    with pytest.raises((BetError, ChipsError)):
        guest.service.bet(ME, "openseat", guest.asked, [amount * CHIP if amount != 15 else 15], guest.preferences,
                          guest.now)
    assert kept() == before


@pytest.mark.parametrize(("word", "error"), [("split", IllegalActionError), ("insure", TurnError), ("", SeatError),
                                             ("bet", SeatError), ("even money", TurnError)])
def test_what_is_no_answer_changes_nothing(guest, word, error):
    guest.bet(10, cards="T 6 2 T")
    before = kept()
    with pytest.raises(error):
        guest.say(word)
    assert kept() == before


def test_a_second_bet_needs_the_chips(guest):
    guest.bet(500, cards="T T 7 T").say("stand")
    guest.bet(490, cards="6 6 5 T T T")
    before = kept()
    with pytest.raises(ChipsError):
        guest.say("double")
    assert kept() == before


def test_who_plays_has_been_seen(guest):
    guest.wait(3_600).bet(10, cards="T 6 2 T")
    user, = stored(User)
    assert user.last_seen_at == guest.now


def test_somebody_else_has_no_part_in_it(guest, tables):
    guest.bet(10, cards="T 6 2 T")
    before = kept()
    for visitor in (OTHER, None, ""):
        for call in (lambda who: tables.look(who, "openseat", guest.now),
                     lambda who: tables.answer(who, "openseat", guest.asked, 0, "hit", 0, guest.preferences,
                                                guest.now),
                     lambda who: tables.bet(who, "openseat", guest.asked, [100], guest.preferences, guest.now),
                     lambda who: tables.leave(who, "openseat", guest.now)):
            with pytest.raises(NotSeatedError):
                call(visitor)
    assert kept() == before


def test_the_second_of_two_answers_changes_nothing(guest):
    guest.bet(10, cards="2 6 3 T 2 2 2")
    asked = guest.asked
    guest.say("hit", asked=asked)
    before = kept()
    guest.say("hit", asked=asked)
    assert kept() == before
    assert guest.state.view.boxes[0].hands[0].total == 7


def test_the_second_of_two_bets_changes_nothing(guest):
    guest.bet(10, cards="2 6 3 T", asked=Asked(0, 0))
    before = kept()
    guest.bet(20, asked=Asked(0, 0))
    assert kept() == before


def test_a_form_of_an_earlier_round_changes_nothing(guest):
    guest.bet(10, cards="T 6 2 T 9")
    asked = guest.asked
    guest.say("stand")
    guest.bet(10, cards="2 6 3 T")
    before = kept()
    guest.say("stand", asked=asked)
    assert kept() == before


def test_a_server_that_is_started_anew_finds_the_hand(guest, solved):
    guest.bet(10, cards="8 6 8 T 3 T")
    guest.say("split")
    view = guest.state.view
    guest.service = TableService(solved, Stacked(7))
    guest.look()
    assert guest.state.view == view
    guest.say("stand", "stand")
    assert guest.state.view.phase == "settled"
    assert guest.seat.log.replay().round == guest.seat.round


def test_two_at_once_are_one(database, guest, solved):
    guest.bet(10, cards="2 6 3 T 2 2 2")
    asked, barrier = guest.asked, Barrier(4)

    def answer(_):
        with database.app_context():
            barrier.wait()
            state = TableService(solved, Stacked(3)).answer(ME, "openseat", asked, 0, "hit", 0, guest.preferences,
                                                            guest.now)
            return state.view.boxes[0].hands[0].total

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(answer, range(4))) == {7}
    assert size(Decision) == 1
    assert stored_tallies() == recount_tallies()


def test_two_first_bets_at_once_deal_one_round(database, guest, solved):
    barrier = Barrier(4)

    def bet(_):
        with database.app_context():
            dice = Stacked(5)
            dice.lay("2 6 3 T")
            barrier.wait()
            state = TableService(solved, dice).bet(ME, "openseat", Asked(0, 0), [100], guest.preferences, guest.now)
            return state.seat.number, state.seat.purse.stack

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(bet, range(4))) == {(1, 990 * CHIP)}


def test_the_clock_bets_nothing_that_the_player_did_not_bet(tables, dice):
    guest = Guest(tables, dice, key="scribes").sit(residents=2, place=1)
    guest.state = tables.begin(ME, "scribes", guest.seat.number, guest.now)
    assert guest.state.view.phase == "betting"
    guest.wait(16).look()
    assert guest.state.view.phase == "settled"
    assert guest.stack == 50_000
    assert size(TableRound) == 0
    assert size(Decision) == 0


def test_every_clock_run_out_spends_nothing_beyond_the_bet(tables, dice):
    guest = Guest(tables, dice, key="scribes").sit()
    guest.bet(500, cards="8 A 8 9")
    assert guest.state.view.phase == "insurance"
    guest.wait(9).look()
    assert (guest.state.view.phase, guest.stack) == ("playing", 49_500)
    guest.wait(16).look()
    assert guest.state.view.phase == "settled"
    assert guest.stack == 49_500
    assert [mark.is_clocks for mark in guest.seat.marks] == [True, True]
    assert guest.seat.table.account.ev_given_up > 0
    assert size(Decision) == 0


def test_an_answer_after_its_time_comes_too_late(tables, dice):
    guest = Guest(tables, dice, key="scribes").sit()
    guest.bet(500, cards="T 6 2 T")
    guest.wait(16).say("double")
    assert guest.state.view.phase == "settled"
    assert not guest.state.view.boxes[0].hands[0].is_doubled


def test_one_purse_for_the_hall_and_one_round_at_a_time_from_it(tables, dice):
    scribes, priests = (Guest(tables, dice, key=key).sit(has_clock=False) for key in ("scribes", "priests"))
    scribes.bet(500, cards="T 6 2 T")
    with pytest.raises(TurnError, match="another table"):
        priests.bet(1_000)
    scribes.say("stand")
    priests.look().bet(1_000, cards="T 6 2 T")
    assert priests.stack + 1_000 == scribes.stack
    assert size(TablePurse) == 1


def test_two_tables_at_once_do_not_spend_the_same_chips(database, tables, dice, solved):
    guests = [Guest(tables, dice, key=key).sit() for key in ("scribes", "priests")]
    barrier = Barrier(2)

    def bet(guest):
        with database.app_context():
            dice = Stacked(5)
            dice.lay("2 6 3 T")
            barrier.wait()
            try:
                TableService(solved, dice).bet(ME, guest.key, Asked(0, 0), [10_000], guest.preferences, guest.now)
            except TurnError:
                return guest.key
            return ""

    with ThreadPoolExecutor(2) as pool:
        refused = set(pool.map(bet, guests))
    assert "" in refused
    assert len(refused) == 2
    purse, = stored(TablePurse)
    assert (purse.stack, purse.table_key in {"scribes", "priests"} - refused) == (490_000, True)


def test_a_table_that_is_too_dear_lets_nobody_in(tables, dice):
    with pytest.raises(SeatError, match="larger purses"):
        Guest(tables, dice, key="pharaoh").sit()
    assert kept() == ([], [], 0, 0)


def test_several_boxes_and_one_that_sits_out(tables, dice):
    guest = Guest(tables, dice, key="live-casino").sit(own=3)
    with pytest.raises(BetError):
        guest.bet(0, 0, 0)
    guest.bet(10, 0, 20, cards="T T 6 9 8 T")
    assert [len(box.hands) for box in guest.state.view.boxes] == [1, 0, 1]
    guest.say("stand", "stand")
    assert guest.state.rounds[0].hands == 2


def test_any_rule_set_has_a_table_with_a_purse_of_its_own(tables, dice):
    two = Guest(tables, dice, key="decks~2.surrender~late").sit()
    one = Guest(tables, dice, key="decks~1").sit()
    two.bet(10, cards="T T 6 7").say("surrender")
    assert (two.stack, one.look().stack) == (995, 1_000)


def test_a_table_for_the_halls_rules_does_not_touch_the_halls_purse(tables, dice):
    hall, own = (Guest(tables, dice, key=key).sit() for key in ("scribes", "hall-of-thoth"))
    assert (hall.stack, own.stack) == (50_000, 1_000)
    own.bet(10, cards="T T 6 7").say("stand")
    assert (hall.look().stack, own.stack) == (50_000, 990)


def test_getting_up_waits_for_the_end_of_the_round(guest):
    guest.bet(10, cards="T 6 2 T")
    with pytest.raises(TurnError):
        guest.service.leave(ME, "openseat", guest.now)
    guest.say("stand")
    guest.service.leave(ME, "openseat", guest.now)
    with pytest.raises(NotSeatedError):
        guest.look()
    stack = guest.stack
    guest.sit()
    assert (guest.stack, guest.seat.table.account.hands, list(guest.state.rounds)) == (stack, 0, [])
    guest.bet(10, cards="T 6 2 T")
    assert guest.seat.number == 2


def test_a_seat_that_cannot_be_read_any_more_is_taken_anew_with_the_same_purse(guest):
    guest.bet(100, cards="T 6 2 T")
    with transaction(writes=True) as connection:
        connection.execute(update(TableSeat).values(state='{"version":0}'))
    with pytest.raises(NotSeatedError):
        guest.look()
    guest.sit()
    assert (guest.stack, guest.seat.table.is_playing) == (900, False)
    guest.bet(100, cards="T 6 2 T")
    assert guest.stack == 800


def test_nobody_runs_out_of_chips_for_good(guest):
    while guest.seat.purse.refills == 0:
        guest.bet(min(500, int(guest.stack) // 10 * 10) if guest.stack >= 10 else 10, cards="T T 6 T T")
        guest.say("hit")
    assert guest.seat.purse.biggest == 1_000 * CHIP
    assert guest.stack <= 1_000


def test_luck_is_what_decisions_do_not_explain(guest):
    for _ in range(5):
        guest.bet(100, cards="T 6 2 T 9")
        guest.say("hit")
    account, edge = guest.seat.table.account, guest.state.edge
    assert account.result == account.expected(edge) + account.luck(edge)
    assert sum(row.ev_given_up for row in guest.state.rounds) == pytest.approx(account.ev_given_up)
    assert sum(row.result for row in guest.state.rounds) == account.result


def test_no_table_of_that_name(tables, dice):
    with pytest.raises(EngineError):
        Guest(tables, dice, key="nonsense").sit()


def test_early_surrender_that_was_declined_is_found_among_the_mistakes_with_that_move(tables, dice):
    key = canonical_key("decks~6.surrender~early")
    Guest(tables, dice, key=key).sit().bet(10, cards="T T 6 9").say("decline")
    for move, row in (("decline", "h16"), ("surrender", ""), ("insure", ""), ("decline", "h15")):
        query = query_of(MistakeFilter(move=move, row=row), "", NEWEST)
        found = page_of_mistakes("a" * 32, query).mistakes
        assert [each.chosen for each in found] == (["decline"] if row == "h16" else [])
