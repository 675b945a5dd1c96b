"""Rule sets in words, the same on every page and on the command line."""

from trainer.drill.words import shown_rank
from trainer.engine.cards import TEN
from trainer.engine.presets import TITLES
from trainer.engine.rule_key import rules_for
from trainer.engine.rules import Rules

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


def rules_title(key: str) -> str:
    """What a rule set is called: its name if it ships, else what sets it apart from the usual game.

    >>> rules_title("decks~2.surrender~late"), rules_title("classic")
    ('Two decks, late surrender', 'Classic')
    """
    if key in TITLES:
        return TITLES[key]
    usual = describe_rules(Rules())
    telling = [phrase for phrase in describe_rules(rules_for(key)) if phrase not in usual]
    title = ", ".join(telling) or "six decks, another shuffle or insurance"
    return f"{title[:1].upper()}{title[1:]}"


def describe_rules(rules: Rules) -> list[str]:
    """A rule set as short phrases, the most telling first."""
    deck = f"{_NUMBERS[rules.decks]} deck{'s' if rules.decks > 1 else ''}".capitalize()
    phrases = [
        deck,
        "dealer hits soft 17" if rules.dealer_hits_soft_17 else "dealer stands on all 17s",
        {"peek": "dealer peeks", "enhc": "no hole card, a natural takes all bets",
         "obo": "no hole card, a natural takes original bets only"}[rules.hole_card],
        f"naturals pay {rules.blackjack_pays.replace(':', ' to ')}",
        _doubling(rules),
        *_splitting(rules),
    ]
    if rules.surrender != "none":
        phrases.append(f"{rules.surrender} surrender")
    return phrases


def _doubling(rules: Rules) -> str:
    if rules.double_on == "none":
        return "no doubling"
    cards = "any number of cards" if rules.double_cards == "any" else "two cards"
    totals = f"any {cards}" if rules.double_on == "any" and rules.double_cards == "two" else cards
    on = "" if rules.double_on == "any" else f" of {rules.double_on.replace('-', ' to ')}"
    soft = "" if rules.double_soft or rules.double_on != "any" else ", hard hands only"
    return f"double on {totals}{on}{soft}"


def _splitting(rules: Rules) -> list[str]:
    if rules.max_split_hands == 1 or len(rules.no_split) == TEN:
        return ["no splitting"]
    pairs = "pairs by rank" if rules.split_by == "rank" else "pairs by value"
    phrases = [f"split {pairs} to {_NUMBERS[rules.max_split_hands]} hands"]
    if rules.no_split:
        phrases.append("no splitting of " + ", ".join(f"{shown_rank(rank)}s" for rank in rules.no_split))
    if rules.double_on != "none":
        phrases.append("double after split" if rules.double_after_split else "no double after split")
    if rules.can_split_rank(1):
        again = "aces re-split" if rules.resplit_aces and rules.max_split_hands > 2 else "aces split once"
        phrases.append(again + (", then played on" if rules.hit_split_aces else ", one card each"))
    return phrases


def bets_given_up(cost: float) -> str:
    """An EV given up, in bets.

    >>> bets_given_up(0.1023), bets_given_up(1.6425)
    ('0.1023 of a bet', '1.6425 bets')
    """
    return f"{cost:.4f} {'bets' if cost > 1 else 'of a bet'}"


def sentence(text: str) -> str:
    """A message as a sentence: a capital first, a full stop last."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"
