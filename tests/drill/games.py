"""The rule sets on which the drill is tested: those that ship, and some that differ from them where dealing does."""

from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules

GAMES = {
    **RULE_SETS,
    "two decks, late surrender": Rules(decks=2, surrender="late", split_by="rank"),
    "eight decks, early surrender": Rules(decks=8, surrender="early", dealer_hits_soft_17=True),
    "one deck, early surrender": Rules(decks=1, surrender="early", split_by="rank"),
    "no hole card, surrender": Rules(hole_card="enhc", surrender="early"),
    "original bets only": Rules(decks=2, hole_card="obo", double_cards="any"),
    "nothing split": Rules(decks=1, max_split_hands=1, blackjack_pays="6:5"),
}
WITH_SURRENDER = [name for name, rules in GAMES.items() if rules.surrender != "none"]
