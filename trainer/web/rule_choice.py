"""Which rule sets a visitor is offered, and what each is called: the one place that gives a rule set its title."""

from flask import g

from trainer.engine.presets import RULE_SETS, TITLES
from trainer.engine.rule_key import key_of
from trainer.engine.rules import Rules
from trainer.service.rule_sets import SavedRuleSet, saved_rule_sets
from trainer.web import visitor as who
from trainer.web.wording import rules_title


def saved() -> tuple[SavedRuleSet, ...]:
    """The visitor's own rule sets, read once a request."""
    if "saved_rule_sets" not in g:
        g.saved_rule_sets = saved_rule_sets(who.known_visitor())
    return g.saved_rule_sets


def title_of(key: str) -> str:
    """What a rule set is called: the visitor's own name for it, else as everyone calls it."""
    return next((each.name for each in saved() if each.key == key), None) or rules_title(key)


def offered(current: str = "") -> list[tuple[str, str]]:
    """Key and title of every rule set to choose from: those that ship, the visitor's own, and ``current``."""
    choices = dict(TITLES) | {each.key: each.name for each in saved()}
    if current and current not in choices:
        choices[current] = rules_title(current)
    return list(choices.items())


def strategy_title(rules: Rules) -> str:
    """What to call everything that is played by one strategy: all the names that it goes by here."""
    titles = [TITLES[key] for key, each in RULE_SETS.items() if each.strategy_hash == rules.strategy_hash]
    titles += [each.name for each in saved() if each.strategy_hash == rules.strategy_hash]
    return ", ".join(titles) or rules_title(key_of(rules))
