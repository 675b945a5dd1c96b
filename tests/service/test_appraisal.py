"""What rule sets are worth: the engine's own numbers, in a short line, kept within bounds, and never in the way."""

import threading
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from trainer.engine.advice import ADVICE
from trainer.engine.edge import chart_edge
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules
from trainer.engine.solution import full_table
from trainer.engine.spread import spread_by_chart
from trainer.engine.strategy import derive
from trainer.service import appraisal, strategies
from trainer.service.appraisal import SPLIT_ROUNDS, Appraiser
from trainer.service.strategies import SolverBusyError, StrategyCache

PATIENCE_SECONDS = 20
BUILT = [
    Rules(decks=1, max_split_hands=1), Rules(decks=2, hole_card="enhc", surrender="early", double_cards="any"),
    Rules(decks=8, dealer_hits_soft_17=True, no_split=(4, 10), blackjack_pays="6:5", hit_split_aces=True),
]


@pytest.fixture
def appraiser(solved):
    return Appraiser(solved)


def small(number):
    """Cheap games, each with a strategy of its own."""
    return Rules(decks=1, max_split_hands=1, no_split=(), double_on=("any", "9-11", "10-11", "none")[number % 4],
                 surrender=("none", "late", "early")[number // 4 % 3],
                 blackjack_pays=("3:2", "6:5", "7:5", "1:1", "2:1")[number // 12 % 5])


@pytest.mark.parametrize("rules", [*RULE_SETS.values(), *BUILT], ids=str)
def test_an_appraisal_is_what_deriving_gives(appraiser, rules):
    found, strategy = appraiser.appraise(rules), derive(rules)
    assert found.chart == strategy.chart
    assert found.exact.edge == pytest.approx(strategy.exact.edge, abs=1e-13)
    assert found.by_chart.edge == pytest.approx(strategy.by_chart.edge, abs=1e-13)
    assert found.by_chart.by_upcard == pytest.approx(strategy.by_chart.by_upcard, abs=1e-13)
    assert appraiser.appraise(rules) is found


@pytest.mark.parametrize("rules", [RULE_SETS["shoe-h17"], BUILT[1]], ids=str)
def test_advice_is_priced_as_the_engine_prices_it(appraiser, rules):
    table = full_table(rules)
    assert {name: value.edge for name, value in appraiser.price_advice(rules).items()} == pytest.approx(
        {name: chart_edge(table, build(rules)).edge for name, build in ADVICE.items()}, abs=1e-13)


def test_swings_are_the_same_each_time(appraiser, solved):
    rules = RULE_SETS["squarescores"]
    first, second = appraiser.swings(rules), Appraiser(solved).swings(rules)
    assert first.spread == second.spread
    assert [path.mean for path in first.systems.values()] == [path.mean for path in second.systems.values()]
    known, table = appraiser.appraise(rules), full_table(rules)
    again = spread_by_chart(table, known.chart, known.by_chart.edge, Random(rules.strategy_hash), SPLIT_ROUNDS)
    assert first.spread.standard_deviation == pytest.approx(again.standard_deviation, abs=1e-12)


def test_what_is_kept_is_bounded_and_pushes_no_strategy_out(tmp_path, monkeypatch):
    monkeypatch.setattr(appraisal, "_MOST_KEPT", 5)
    cache = StrategyCache(tmp_path, in_memory=2)
    practised = cache.get(Rules(decks=1))
    appraiser = Appraiser(cache)
    files = set(tmp_path.iterdir())
    for number in range(12):
        appraiser.appraise(small(number))
    assert len(appraiser._kept) == 5
    assert [appraiser.is_appraised(small(number)) for number in (6, 7, 11)] == [False, True, True]
    assert cache.get(Rules(decks=1)) is practised
    assert set(tmp_path.iterdir()) == files


def test_what_ships_is_kept_on_disk(tmp_path):
    Appraiser(StrategyCache(tmp_path)).appraise(RULE_SETS["squarescores"])
    assert len(list(tmp_path.iterdir())) == 1


def test_only_a_few_may_wait_and_known_strategies_wait_for_no_one(tmp_path, monkeypatch):
    cache = StrategyCache(tmp_path, wait_seconds=PATIENCE_SECONDS)
    practised = cache.get(Rules(decks=1))
    appraiser = Appraiser(cache)
    known = appraiser.appraise(small(0))
    working, release = threading.Event(), threading.Event()
    derive_chart = appraisal.derive_chart

    def slow(table):
        working.set()
        assert release.wait(PATIENCE_SECONDS)
        return derive_chart(table)

    monkeypatch.setattr(appraisal, "derive_chart", slow)
    with ThreadPoolExecutor(8) as pool:
        busy = pool.submit(appraiser.appraise, small(1))
        try:
            assert working.wait(PATIENCE_SECONDS)
            rest = [pool.submit(appraiser.appraise, small(number)) for number in range(2, 8)]
            refused = [each for each in rest if isinstance(_outcome_now(each), SolverBusyError)]
            assert len(refused) == len(rest) - (strategies._MOST_VISITORS - 1)
            assert cache.get(Rules(decks=1)) is practised
            assert appraiser.appraise(small(0)) is known
        finally:
            release.set()
        assert all(each.result().chart == derive(small(number)).chart
                   for number, each in enumerate([busy, *rest], start=1) if each not in refused)
    assert appraiser.appraise(small(3)).chart == derive(small(3)).chart


def _outcome_now(future):
    """The error of a call that is refused at once; nothing for one that waits."""
    try:
        return future.exception(timeout=0.5)
    except TimeoutError:
        return None


def test_a_table_shares_its_odds_with_the_next(tmp_path):
    cache = StrategyCache(tmp_path)
    with cache.table(small(0)) as first:
        pass
    with cache.table(small(1)) as second:
        assert second.odds is first.odds
    with cache.table(BUILT[1]) as third:
        assert third.odds is not first.odds


def test_a_failure_gives_the_place_in_the_line_back(tmp_path):
    cache = StrategyCache(tmp_path, wait_seconds=0.01)
    for _ in range(10):
        with pytest.raises(ZeroDivisionError), cache.table(small(0)):
            raise ZeroDivisionError
    with cache.table(small(0)) as table:
        assert table.rules.strategy_hash == small(0).strategy_hash
