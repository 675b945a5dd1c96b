"""Worked-out rule sets, shared by all tests of a run."""

from collections.abc import Callable
from functools import cache

import pytest

from trainer.engine.cards import full_shoe
from trainer.engine.odds import DealerOdds
from trainer.engine.player import Table
from trainer.engine.rules import Rules
from trainer.engine.solution import full_table
from trainer.engine.strategy import Strategy, derive


@pytest.fixture(scope="session")
def odds_of() -> Callable[[Rules], DealerOdds]:
    """The dealer's odds for a rule set's full shoe, shared by all rule sets with as many decks and the same dealer."""
    kept = cache(lambda decks, hits_soft_17: DealerOdds(full_shoe(decks), hits_soft_17))
    return lambda rules: kept(rules.decks, rules.dealer_hits_soft_17)


@pytest.fixture(scope="session")
def table_of(odds_of: Callable[[Rules], DealerOdds]) -> Callable[[Rules], Table]:
    """The full-shoe table of a rule set."""
    return lambda rules: full_table(rules, odds_of(rules))


@pytest.fixture(scope="session")
def strategy_of(odds_of: Callable[[Rules], DealerOdds]) -> Callable[[Rules], Strategy]:
    """The strategy of a rule set, derived once for all rule sets with the same strategy hash."""
    derived: dict[str, Strategy] = {}

    def strategy_of(rules: Rules) -> Strategy:
        if rules.strategy_hash not in derived:
            derived[rules.strategy_hash] = derive(rules, odds_of(rules))
        return derived[rules.strategy_hash]

    return strategy_of
