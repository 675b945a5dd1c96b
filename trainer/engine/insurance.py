"""Insurance and even money, from every card the player can see."""

from collections.abc import Sequence
from fractions import Fraction

from trainer.engine.cards import ACE, TEN, Card, composition_of, full_shoe
from trainer.engine.errors import ImpossibleHandError
from trainer.engine.rules import Rules

BREAK_EVEN_SHARE = Fraction(1, 3)


def is_insurance_offered(rules: Rules, upcard: int) -> bool:
    """With an ace up, where the rules have insurance at all."""
    return rules.insurance != "none" and upcard == ACE


def ten_share(rules: Rules, seen: Sequence[Card]) -> float:
    """Chance that the hole card is a ten, given all the ``seen`` cards, the upcard and the hand among them."""
    left = [held - gone for held, gone in zip(full_shoe(rules.decks), composition_of(seen), strict=True)]
    if min(left) < 0 or not sum(left):
        raise ImpossibleHandError(f"the shoe does not hold all of the {len(seen)} cards seen")
    return left[TEN - 1] / sum(left)


def insurance_ev(rules: Rules, seen: Sequence[Card]) -> float:
    """EV of insurance, per unit of the insurance bet; it pays 2 to 1 on a ten in the hole.

    >>> round(insurance_ev(Rules(), [Card("A")]), 6)
    -0.073955
    """
    return 3.0 * ten_share(rules, seen) - 1.0


def even_money_evs(rules: Rules, seen: Sequence[Card]) -> tuple[float, float]:
    """EV of taking even money on a natural, and of declining it, before the dealer looks.

    Even money is insurance of the whole hand: one bet won whatever the dealer has.
    """
    return 1.0, float(rules.blackjack_payout) * (1.0 - ten_share(rules, seen))
