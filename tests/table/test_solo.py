from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from tests.table.scripted import CHIP, event
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules
from trainer.table.errors import BetError, ChipsError, SeatError, StaleEventError, TurnError
from trainer.table.purse import Account, Purse, PurseTerms
from trainer.table.resident import resident_event
from trainer.table.solo import PLAYER, SoloTable, begin_round, sit_down, take
from trainer.table.spec import TABLES, spec_for, table_for
from trainer.table.step import step

HALL = ("scribes", "priests", "pharaoh")


def seated(key="openseat", purse=None, **choice):
    spec = TABLES[key]
    purse = purse or spec.purse.new()
    return sit_down(spec, purse, **choice), purse


def begun(key="openseat", purse=None, seed=1, **choice):
    return begin_round(*seated(key, purse, **choice), Random(seed), now=0)


def finish(table, purse, strategy, seed=1):
    """The player bets the least and stands, the residents play by the chart."""
    random = Random(seed)
    while table.is_playing:
        round_ = table.round
        answer = resident_event(round_, strategy.chart, random)
        if answer is None:
            word = {"betting": "bet", "playing": "stand"}.get(round_.phase, "decline")
            answer = event(round_, word, amount=round_.terms.smallest / CHIP)
        taken = take(table, purse, answer)
        table, purse = taken.table, taken.purse
    return table, purse


@pytest.mark.parametrize(("key", "start", "unit", "smallest", "largest", "chips", "boxes", "residents"), [
    ("openseat", 1_000, "chips", 10, 500, (10, 50, 100, 500), 1, 0),
    ("scribes", 50_000, "debens", 100, 5_000, (100, 500, 1_000, 5_000), 5, 4),
    ("priests", 50_000, "debens", 1_000, 50_000, (1_000, 5_000, 10_000, 50_000), 5, 4),
    ("pharaoh", 50_000, "debens", 10_000, 500_000, (10_000, 50_000, 100_000, 500_000), 5, 4),
    ("classic", 1_000, "chips", 10, 500, (10, 50, 100, 500), 5, 0),
    ("live-casino", 1_000, "chips", 10, 500, (10, 50, 100, 500), 5, 0),
    ("squarescores", 1_000, "chips", 10, 500, (10, 50, 100, 500), 5, 0),
    ("shoe-h17", 1_000, "chips", 10, 500, (10, 50, 100, 500), 5, 0),
])
def test_the_tables(key, start, unit, smallest, largest, chips, boxes, residents):
    spec = TABLES[key]
    assert (spec.purse.start, spec.purse.unit) == (start * CHIP, unit)
    assert (spec.terms.smallest, spec.terms.largest) == (smallest * CHIP, largest * CHIP)
    assert spec.chips == tuple(chip * CHIP for chip in chips)
    assert (spec.most_boxes, spec.most_residents) == (boxes, residents)
    assert spec.terms.rules == RULE_SETS.get(key, RULE_SETS["hall-of-thoth"])
    assert spec.terms.doubles_face_down == (key in ("classic", "live-casino"))
    assert spec.terms.pays_at_once == (key not in HALL)
    assert (spec.terms.clock is not None) == (key in HALL)


def test_the_tables_are_complete():
    assert len(TABLES) == 8
    assert all(spec_for(key) is spec for key, spec in TABLES.items())


def test_any_rule_set_has_a_table():
    rules = Rules(decks=1, surrender="late", blackjack_pays="6:5")
    spec = table_for(rules)
    assert (spec.terms.rules, spec.most_boxes) == (rules, 2)
    assert spec_for("custom", rules) == spec
    for key in ("custom", "", "x" * 1_000):
        with pytest.raises(SeatError) as caught:
            spec_for(key)
        assert len(str(caught.value)) < 300


@pytest.mark.parametrize(("stack", "is_open"), [(99, (0, 0, 0)), (100, (1, 0, 0)), (9_999, (1, 0, 0)),
                                                (10_000, (1, 1, 0)), (99_999, (1, 1, 0)), (100_000, (1, 1, 1))])
def test_a_table_of_the_hall_opens_from_ten_times_its_minimum_and_the_lowest_to_all(stack, is_open):
    assert tuple(TABLES[key].is_open_to(stack * CHIP) for key in HALL) == tuple(map(bool, is_open))
    assert [TABLES[key].opens_from for key in HALL] == [10 * TABLES[key].terms.smallest for key in HALL]


def test_the_three_tables_of_the_hall_share_one_purse():
    assert len({TABLES[key].purse for key in HALL}) == 1
    assert len({TABLES[key].purse.key for key in TABLES}) == len(TABLES) - 2


@pytest.mark.parametrize("choice", [
    {"own": 0}, {"own": 6}, {"own": 2, "residents": 4}, {"residents": 5}, {"residents": -1}, {"place": 1},
    {"residents": 2, "place": 3}, {"place": -1},
])
def test_boxes_that_do_not_fit_are_refused(choice):
    with pytest.raises(SeatError):
        seated("scribes", **choice)


def test_a_table_that_is_not_open_is_refused():
    with pytest.raises(SeatError, match="larger purses"):
        seated("pharaoh", Purse(90_000 * CHIP, 90_000 * CHIP))


@pytest.mark.parametrize(("stack", "refills"), [(0, 1), (95, 1), (99, 1), (100, 0), (105, 0)])
def test_a_stack_that_cannot_cover_the_smallest_bet_is_filled_up_and_counted(stack, refills):
    _, purse = begun(purse=Purse(stack, 20_000))
    assert purse.refills == refills
    assert purse.stack == (1_000 * CHIP if refills else stack)
    assert purse.biggest == 20_000


def test_a_debens_purse_is_filled_up_below_100():
    terms = TABLES["scribes"].purse
    assert Purse(999, 999).refilled(terms) == Purse(50_000 * CHIP, 50_000 * CHIP, 1)
    assert Purse(1_000, 1_000).refilled(terms).refills == 0


def test_a_purse_that_shrank_below_the_tables_smallest_bet_must_go_elsewhere():
    table, _ = seated("priests")
    with pytest.raises(ChipsError, match="larger bets"):
        begin_round(table, Purse(500 * CHIP, 500 * CHIP), Random(1), 0)


@pytest.mark.parametrize("place", [0, 1, 2, 3])
def test_residents_take_the_boxes_beside_the_players_own(place):
    table, _ = begun("scribes", own=2, residents=3, place=place)
    owners = [table.round.player_of(box).name == PLAYER for box in range(5)]
    assert [number for number, own in enumerate(owners) if own] == list(table.own_boxes) == [place, place + 1]
    assert len({table.round.player_of(box).name for box in range(5)}) == 4


def test_the_clock_can_be_switched_off():
    assert begun("scribes")[0].round.deadline == 15_000
    assert begun("scribes", has_clock=False)[0].round.deadline is None


def test_a_round_in_progress_comes_first():
    table, purse = begun("scribes")
    with pytest.raises(TurnError):
        begin_round(table, purse, Random(1), 0)
    other, _ = seated("priests")
    with pytest.raises(TurnError, match="same purse"):
        begin_round(other, purse, Random(1), 0)


def test_nothing_happens_where_no_round_has_begun():
    table, purse = seated()
    with pytest.raises(TurnError):
        take(table, purse, event(begun()[0].round, "bet", amount=10))


@pytest.mark.parametrize(("key", "choice"), [
    ("openseat", {}), ("scribes", {"residents": 4, "place": 2}), ("classic", {"own": 5}), ("squarescores", {"own": 3}),
])
def test_rounds_follow_each_other_and_the_books_balance(key, choice, strategy_of):
    table, purse = seated(key, **choice)
    strategy = strategy_of(TABLES[key].terms.rules)
    start, refilled, shuffles = purse.stack, 0, Counter()
    for seed in range(25):
        before = purse
        table, purse = begin_round(table, purse, Random(seed), now=0)
        refilled += purse.stack - before.stack
        shuffles[table.shuffled] += 1
        assert purse.table == key
        table, purse = finish(table, purse, strategy, seed)
        assert purse.table is None
        assert purse.stack == start + refilled + table.account.result
        assert SoloTable.from_json(table.to_json()) == table
    assert table.account.hands == 25 * table.own
    assert table.account.wagered == 25 * table.own * TABLES[key].terms.smallest
    assert purse.biggest >= max(purse.stack, start)
    assert table.last_bets == (TABLES[key].terms.smallest,) * table.own
    has_cut_card = TABLES[key].terms.rules.cut_range is not None
    assert (shuffles[False] > 0) == has_cut_card


def test_the_purse_follows_the_stack_at_every_step():
    table, purse = begun()
    taken = take(table, purse, event(table.round, "bet", amount=100))
    assert taken.purse.stack == taken.table.round.players[0].stack
    assert taken.purse.stack <= 900 * CHIP or taken.table.round.is_over
    assert taken.happenings


def test_a_refused_event_leaves_table_and_purse():
    table, purse = begun()
    with pytest.raises(BetError):
        take(table, purse, event(table.round, "bet", amount=5))
    over = take(table, purse, event(table.round, "sit out"))
    assert over.table.account == Account()
    with pytest.raises(StaleEventError):
        take(over.table, over.purse, event(table.round, "sit out", box=0))


def test_a_custom_table_keeps_its_rules():
    rules = Rules(decks=2, surrender="late")
    spec = table_for(rules)
    table = sit_down(spec, spec.purse.new(), own=2)
    assert SoloTable.from_json(table.to_json()).spec == spec
    assert begin_round(table, spec.purse.new(), Random(1), 0)[0].round.terms.rules == rules


def test_residents_bet_what_the_table_takes_and_never_wait(strategy_of):
    strategy = strategy_of(Rules())
    for seed in range(40):
        table, _ = begun("scribes", residents=4, place=4, seed=seed)
        round_, random = table.round, Random(seed)
        for _ in range(4):
            round_ = step(round_, resident_event(round_, strategy.chart, random)).round
        assert resident_event(round_, strategy.chart, random) is None
        assert round_.awaited == (4,)
        for box in round_.boxes[:4]:
            round_.terms.check_bet(box.bet)


def test_a_resident_without_the_chips_sits_out_and_is_filled_up_for_the_next_round(strategy_of):
    table, _ = begun("scribes", residents=1)
    poor = replace(table.round, players=(table.round.players[0], replace(table.round.players[1], stack=500)))
    answer = resident_event(poor, strategy_of(Rules()).chart, Random(1))
    assert (answer.kind, answer.box) == ("sit out", 1)
    table, purse = seated("scribes", residents=1, place=1)
    table = replace(table, residents=(500,))
    table, purse = begin_round(table, purse, Random(1), 0)
    assert table.round.players[1].stack == 50_000 * CHIP


def test_luck_is_what_the_result_is_beyond_expectation():
    account = Account().with_hands(2, 2_000, 300).with_decision(12.5).with_decision(7.5)
    assert account == Account(2, 2_000, 300, 20.0)
    assert account.expected(-0.004) == pytest.approx(-28)
    assert account.luck(-0.004) == pytest.approx(328)
    assert account.expected(-0.004) + account.luck(-0.004) == account.result


def test_the_biggest_stack_is_kept():
    purse = PurseTerms("x", "chips", 100, 10).new()
    assert purse.with_stack(250).with_stack(40).biggest == 250
    assert purse.with_stack(5).refilled(PurseTerms("x", "chips", 100, 10)) == Purse(100, 100, 1)
