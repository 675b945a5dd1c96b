import numpy as np
import pytest

from trainer.engine.chart import SECTIONS
from trainer.engine.odds import DealerOdds
from trainer.engine.rules import Rules
from trainer.engine.strategy import Strategy, derive

RULES = Rules(decks=1, surrender="late", split_by="rank")
CHARTS = {f"chart_{section}" for section in SECTIONS}


@pytest.fixture(scope="module")
def strategy():
    return derive(RULES)


@pytest.fixture
def arrays(strategy):
    return {name: array.copy() for name, array in strategy.to_arrays().items()}


def errors(arrays, change):
    """What ``from_arrays`` raises, by name of the one array that ``change`` was done to."""
    raised = {}
    for name, array in arrays.items():
        try:
            Strategy.from_arrays(RULES, arrays | {name: change(array)})
        except Exception as error:  # the kind is what is tested
            raised[name] = type(error)
        else:
            raised[name] = None
    return raised


def test_everything_is_saved_as_plain_arrays(arrays):
    assert {name for name, array in arrays.items() if array.dtype.kind == "U"} == CHARTS
    assert {name for name, array in arrays.items() if array.dtype == np.float64} == set(arrays) - CHARTS
    assert set(arrays) >= {"stand", "hit", "double", "split", "weights", "margin_pair", "exact", "by_chart"}


def test_a_saved_strategy_is_small(arrays):
    assert sum(array.nbytes for array in arrays.values()) < 4 * 2**20


def test_arrays_round_trip(strategy, arrays):
    again = Strategy.from_arrays(RULES, arrays)
    assert again.rules == again.solution.rules == RULES
    assert again.chart == strategy.chart
    assert (again.exact, again.by_chart) == (strategy.exact, strategy.by_chart)
    assert again.to_arrays().keys() == arrays.keys()
    for name, array in strategy.to_arrays().items():
        np.testing.assert_array_equal(again.to_arrays()[name], array)


def test_a_rebuilt_strategy_has_plain_floats(arrays):
    again = Strategy.from_arrays(RULES, arrays)
    for value in (again.exact, again.by_chart):
        assert list(value.by_upcard) == list(range(1, 11))
        assert {type(number) for number in (value.edge, value.hands, *value.by_upcard.values())} == {float}
    assert tuple(again.margins) == SECTIONS


def test_a_missing_array_is_a_key_error(arrays):
    for name in arrays:
        fewer = {other: array for other, array in arrays.items() if other != name}
        with pytest.raises(KeyError, match=name):
            Strategy.from_arrays(RULES, fewer)


@pytest.mark.parametrize(
    "change",
    [
        lambda array: array[:-1],
        lambda array: array[..., :-1],
        lambda array: array[:0],
        lambda array: array[None],
        lambda array: array[..., None],
        lambda array: array.ravel()[0].reshape(()),
    ],
    ids=["a row less", "a column less", "no rows", "an axis before", "an axis after", "a scalar"],
)
def test_a_wrong_shape_is_a_value_error(arrays, change):
    assert errors(arrays, change) == dict.fromkeys(arrays, ValueError)


@pytest.mark.parametrize("kind", ["O", "i8", "c16", "S8", "?", "M8[s]"])
def test_a_wrong_kind_is_a_value_error(arrays, kind):
    assert errors(arrays, lambda array: np.zeros(array.shape, dtype=kind)) == dict.fromkeys(arrays, ValueError)


def test_texts_for_numbers_and_unknown_codes_are_value_errors(arrays):
    assert errors(arrays, lambda array: np.full(array.shape, "X")) == dict.fromkeys(arrays, ValueError)


def test_arrays_of_another_shoe_do_not_fit(arrays):
    with pytest.raises(ValueError, match="shape"):
        Strategy.from_arrays(Rules(decks=2), arrays)


def test_what_threads_share_cannot_be_written(strategy, arrays):
    for each in (strategy, Strategy.from_arrays(RULES, arrays)):
        shared = each.to_arrays()
        packed_anew = {"exact", "by_chart"}
        assert [name for name in shared if shared[name].flags.writeable and name not in packed_anew] == []


def test_odds_kept_from_another_rule_set_give_the_same_strategy(strategy):
    odds = DealerOdds((4,) * 9 + (16,), hits_soft_17=False)
    derive(Rules(decks=1), odds)
    again = derive(RULES, odds).to_arrays()
    for name, array in strategy.to_arrays().items():
        np.testing.assert_array_equal(again[name], array)


def test_the_exact_table_is_worth_more_than_the_chart(strategy):
    assert strategy.exact.edge > strategy.by_chart.edge


def codes_of(strategy):
    return {code for section in SECTIONS for code in strategy.chart.section(section).ravel().tolist()}


def test_the_chart_surrenders_only_where_the_rules_do(strategy):
    assert any(code.startswith("R") for code in codes_of(strategy))
    assert strategy.by_chart.surrenders > 0
    plain = derive(Rules(decks=1))
    assert not any(code.startswith("R") for code in codes_of(plain))
    assert plain.by_chart.surrenders == plain.exact.surrenders == 0


def test_weights_are_chances(strategy):
    assert (strategy.weights >= 0).all()
    two_cards = strategy.solution.lattice.sizes == 2
    np.testing.assert_allclose(strategy.weights[two_cards].sum(axis=0), 1.0)
