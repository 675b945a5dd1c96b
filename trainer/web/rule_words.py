"""Every rule field and each of its values in words, for tables, forms and lists of changes."""

from collections.abc import Mapping

from trainer.drill.words import shown_rank
from trainer.engine.cards import RANKS
from trainer.engine.rules import FIELDS, text_of

LABELS: Mapping[str, str] = {
    "decks": "Decks",
    "dealer_hits_soft_17": "Dealer on soft 17",
    "hole_card": "Dealer’s hole card",
    "blackjack_pays": "A natural pays",
    "double_on": "Double on",
    "double_soft": "Double soft hands",
    "double_cards": "Double with",
    "double_after_split": "Double after a split",
    "max_split_hands": "Split to",
    "split_by": "Pairs go by",
    "no_split": "Never split",
    "resplit_aces": "Split aces again",
    "hit_split_aces": "Split aces",
    "surrender": "Surrender",
    "insurance": "Insurance",
    "shuffle": "Shuffle",
}
GROUPS: Mapping[str, tuple[str, ...]] = {
    "The shoe and the dealer": ("decks", "dealer_hits_soft_17", "hole_card", "blackjack_pays"),
    "Doubling": ("double_on", "double_soft", "double_cards", "double_after_split"),
    "Splitting": ("max_split_hands", "split_by", "resplit_aces", "hit_split_aces", "no_split"),
    "The rest": ("surrender", "insurance", "shuffle"),
}
HINTS: Mapping[str, str] = {
    "shuffle": "A number of cards left, such as 78, a range such as 60-75, or “hand” for a fresh shoe every hand.",
}
_VALUES: Mapping[str, Mapping[str, str]] = {
    "dealer_hits_soft_17": {"no": "stands", "yes": "hits"},
    "hole_card": {
        "peek": "yes, and peeks", "enhc": "none, a natural takes all bets", "obo": "none, a natural takes one bet",
    },
    "double_on": {"any": "any total", "9-11": "9 to 11", "10-11": "10 and 11", "none": "nothing"},
    "double_cards": {"two": "two cards", "any": "any number of cards"},
    "max_split_hands": {"1": "no splitting", "2": "2 hands", "3": "3 hands", "4": "4 hands"},
    "split_by": {"value": "value (K-10)", "rank": "rank (K-K)"},
    "hit_split_aces": {"no": "one card each", "yes": "played on"},
    "insurance": {"none": "none", "half": "half the bet", "up-to-half": "up to half the bet"},
}
# What a change of one rule is called where it stands alone.
_CHANGES: Mapping[tuple[str, str], str] = {
    ("dealer_hits_soft_17", "no"): "Dealer stands on soft 17",
    ("dealer_hits_soft_17", "yes"): "Dealer hits soft 17",
    ("hole_card", "peek"): "Dealer has a hole card and peeks",
    ("hole_card", "enhc"): "No hole card, a natural takes all bets",
    ("double_on", "any"): "Double on any total",
    ("double_on", "9-11"): "Double on 9 to 11 only",
    ("double_on", "10-11"): "Double on 10 and 11 only",
    ("double_soft", "no"): "No doubling of soft hands",
    ("double_soft", "yes"): "Soft hands may be doubled",
    ("double_cards", "two"): "Double on two cards only",
    ("double_cards", "any"): "Double on any number of cards",
    ("double_after_split", "no"): "No double after a split",
    ("double_after_split", "yes"): "Double after a split",
    ("max_split_hands", "1"): "No splitting at all",
    ("max_split_hands", "2"): "Split once, to two hands",
    ("max_split_hands", "4"): "Split again, to four hands",
    ("resplit_aces", "no"): "Aces split once",
    ("resplit_aces", "yes"): "Split aces again",
    ("hit_split_aces", "no"): "Split aces get one card",
    ("hit_split_aces", "yes"): "Split aces are played on",
    ("surrender", "none"): "No surrender",
    ("surrender", "late"): "Late surrender",
    ("surrender", "early"): "Early surrender",
    ("decks", "1"): "One deck",
    ("decks", "2"): "Two decks",
    ("decks", "6"): "Six decks",
    ("decks", "8"): "Eight decks",
}


def value_words(field: str, value: object) -> str:
    """A field's value as a table or a select shows it.

    >>> value_words("max_split_hands", 4), value_words("no_split", (4, 5, 10)), value_words("blackjack_pays", "3:2")
    ('4 hands', '4s, 5s, 10s', '3 to 2')
    """
    if isinstance(value, tuple):
        return ", ".join(f"{shown_rank(rank)}s" for rank in value) or "none"
    text = text_of(value)
    if field == "blackjack_pays":
        return text.replace(":", " to ")
    if field == "shuffle":
        return "every hand" if text == "hand" else f"at {text.replace('-', ' to ')} cards left"
    return _VALUES.get(field, {}).get(text, text)


def choices_of(field: str) -> tuple[tuple[str, str], ...]:
    """The values that a select or boxes offer, with their words; none for free text."""
    if field == "no_split":
        return tuple((shown_rank(rank), shown_rank(rank)) for rank in RANKS)
    return tuple((value, value_words(field, value)) for value in FIELDS[field].choices)


def change_words(field: str, value: object) -> str:
    """What one changed rule is called.

    >>> change_words("dealer_hits_soft_17", True), change_words("blackjack_pays", "6:5")
    ('Dealer hits soft 17', 'A natural pays 6 to 5')
    """
    return _CHANGES.get((field, text_of(value))) or f"{LABELS[field]} {value_words(field, value)}"
