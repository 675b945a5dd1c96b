"""Rule sets that nobody ships, beside those that do, and how the numbers of a page are written."""

from trainer.engine.presets import RULE_SETS
from trainer.engine.rule_key import key_of, rules_for
from trainer.engine.rules import Rules

MINUS = "\N{MINUS SIGN}"
# As their keys have them: what has no effect is put to one fixed value there.
BUILT = {key_of(rules): rules_for(key_of(rules)) for rules in (
    Rules(decks=2, dealer_hits_soft_17=True, surrender="late", double_on="10-11", resplit_aces=True),
    Rules(decks=1, hole_card="enhc", max_split_hands=1, blackjack_pays="6:5", double_cards="any"),
    Rules(decks=8, hole_card="obo", surrender="early", no_split=(4, 10), hit_split_aces=True, double_soft=False),
)}
ALL = {**RULE_SETS, **BUILT}


def number(text: str) -> float:
    """A number as pages write it, with a true minus and perhaps a per cent sign."""
    return float(text.removesuffix("%").replace(MINUS, "-").replace(",", ""))


def close(text: str, value: float, digits: int) -> bool:
    """Whether a text is a value rounded to so many digits, its sign included."""
    shown = number(text)
    has_sign = text[0] in f"+{MINUS}"
    return abs(shown - value) <= 0.5000001 * 10**-digits and has_sign == (round(value, digits) != 0)
