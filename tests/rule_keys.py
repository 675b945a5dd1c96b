"""Rule sets that the strategy pages are tested on: those that ship, and some that are built."""

from trainer.engine.presets import RULE_SETS

BUILT = ("decks~2.dealer_hits_soft_17~yes.surrender~early", "decks~1.double_on~10-11.double_cards~any",
         "decks~4.hole_card~obo.no_split~A-T.surrender~early")
KEYS = (*RULE_SETS, *BUILT)
