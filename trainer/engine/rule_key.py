"""Rule sets by name: the key that an address, a setting or a plan of practice holds.

A rule set that ships has a short key of its own. Any other is written out by what sets it apart from the defaults, in
characters that an address takes as they are: ``decks~2.double_on~10-11``.
"""

from collections.abc import Mapping
from functools import lru_cache

from trainer.engine.cards import label_of
from trainer.engine.errors import Fault, RulesError
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules, text_of

MAX_KEY_LENGTH = 400
_BETWEEN_FIELDS, _AFTER_NAME = ".", "~"
_KEY_BY_HASH: Mapping[str, str] = {rules.rule_set_hash: key for key, rules in RULE_SETS.items()}


@lru_cache(maxsize=256)
def rules_for(key: str) -> Rules:
    """The rule set that a key names, that of a shipped one or one written out.

    ``RulesError`` with every fault where there is no such rule set.

    >>> rules_for("decks~2.no_split~4-5-T").no_split
    (4, 5, 10)
    """
    if key in RULE_SETS:
        return RULE_SETS[key]
    if _AFTER_NAME not in key or len(key) > MAX_KEY_LENGTH:
        allowed = f"one of {', '.join(RULE_SETS)}, or fields such as decks~2.surrender~late"
        raise RulesError([Fault("rules", key[:60], allowed)])
    pairs = [part.partition(_AFTER_NAME) for part in key.split(_BETWEEN_FIELDS)]
    values = {name: _read(name, text) for name, _, text in pairs}
    if len(values) < len(pairs):
        raise RulesError([Fault("rules", key[:60], "each field once")])
    return Rules.from_mapping(values)


def key_of(rules: Rules) -> str:
    """The one key of a rule set: equal for games that play alike; :func:`rules_for` reads it back.

    >>> key_of(Rules(decks=2, double_on="10-11")), key_of(Rules(shuffle="hand"))
    ('decks~2.double_on~10-11.double_soft~no.shuffle~hand', 'openseat')
    """
    if rules.rule_set_hash in _KEY_BY_HASH:
        return _KEY_BY_HASH[rules.rule_set_hash]
    own, usual = rules.normalised().to_dict(), Rules().to_dict()
    return _BETWEEN_FIELDS.join(
        f"{name}{_AFTER_NAME}{_write(name, value)}" for name, value in own.items() if value != usual[name])


def canonical_key(key: str) -> str:
    """The one key of the rule set that ``key`` names; shipped keys stay as they are. ``RulesError`` like rules_for."""
    return key if key in RULE_SETS else key_of(rules_for(key))


def is_key(text: str) -> bool:
    """Whether there is a rule set of that key."""
    try:
        rules_for(text)
    except RulesError:
        return False
    return True


def _write(name: str, value: object) -> str:
    if name == "no_split" and isinstance(value, tuple):
        return "-".join(map(label_of, value)) or "none"
    return text_of(value).replace(":", "to")


def _read(name: str, text: str) -> str:
    if name == "no_split":
        return text.replace("-", ",")
    return text.replace("to", ":") if name == "blackjack_pays" else text
