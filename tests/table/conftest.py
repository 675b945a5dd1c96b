"""Worked-out rule sets, shared by all tests of the table."""

from collections.abc import Callable

import pytest

from trainer.engine.rules import Rules
from trainer.engine.strategy import Strategy, derive


@pytest.fixture(scope="session")
def strategy_of() -> Callable[[Rules], Strategy]:
    """The strategy of a rule set, derived once for all rule sets with the same strategy hash."""
    derived: dict[str, Strategy] = {}

    def strategy_of(rules: Rules) -> Strategy:
        if rules.strategy_hash not in derived:
            derived[rules.strategy_hash] = derive(rules)
        return derived[rules.strategy_hash]

    return strategy_of
