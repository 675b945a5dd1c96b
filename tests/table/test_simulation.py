"""The table deals and pays the game that the engine prices: sampled rounds by the chart against the exact edge."""

import pytest

from tests.table.simulation import simulate
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules

# What a table may also be, beyond what ships: rules that settle or ask in other ways.
OTHERS = {
    "original bets only": Rules(hole_card="obo"),
    "early surrender": Rules(surrender="early"),
    "aces re-split and hit": Rules(decks=2, resplit_aces=True, hit_split_aces=True, double_cards="any"),
    "no hole card, surrender": Rules(hole_card="enhc", surrender="late", blackjack_pays="6:5"),
}


@pytest.mark.parametrize("name", [*RULE_SETS, *OTHERS])
def test_sampled_rounds_agree_with_the_charts_edge(name, strategy_of):
    rules = (RULE_SETS | OTHERS)[name]
    strategy = strategy_of(rules)
    rounds = 20_000 if name in RULE_SETS else 8_000
    sums = simulate(rules, strategy.chart, rounds, seed=7)
    assert abs(sums.z(strategy.by_chart.edge)) < 4, f"{sums.mean} for {strategy.by_chart.edge}"
    assert 1 < sums.standard_error * rounds**0.5 < 1.4


def test_when_things_are_paid_changes_no_result(strategy_of):
    rules = RULE_SETS["live-casino"]
    chart = strategy_of(rules).chart
    runs = [simulate(rules, chart, 2_000, 3, pays_at_once=at_once, doubles_face_down=down).total
            for at_once, down in ((True, False), (False, False))]
    assert runs[0] == runs[1]
