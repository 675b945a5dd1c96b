"""The rule set that a page's address chooses, and those that there are to choose from."""

from htmx_flask import request

from trainer.drill.parameters import read_rules
from trainer.engine.presets import TITLES
from trainer.web.wording import rules_title


def chosen_rules() -> str:
    """The key of the rule set in the address, empty where it names none; ``PlanError`` for nonsense."""
    key = request.args.get("rules", "")
    return read_rules(key) if key else ""


def rule_set_options(current: str) -> tuple[tuple[str, str], ...]:
    """Keys and titles of the rule sets that ship, and of the current one where it is another."""
    own = ((current, rules_title(current)),) if current and current not in TITLES else ()
    return (*TITLES.items(), *own)
