"""Rules and numbers in words, the same on every page and on the command line."""

from trainer.engine.cards import TEN, label_of
from trainer.engine.rules import Rules

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


def shown_rank(rank: int) -> str:
    """A rank as players say it: ``A``, ``2`` to ``10``."""
    return "10" if rank == TEN else label_of(rank)


def signed(value: float, digits: int = 4) -> str:
    """A number with its sign, a true minus included, and no sign on what rounds to zero."""
    text = f"{abs(value):.{digits}f}"
    if float(text) == 0:
        return text
    return ("+" if value > 0 else "\N{MINUS SIGN}") + text


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
