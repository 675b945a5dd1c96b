"""What moves are worth and where the dealer ends, as bars: the same on every page."""

from collections.abc import Mapping
from dataclasses import dataclass

from trainer.drill.words import signed
from trainer.engine.cards import ACE, TEN
from trainer.engine.rules import Rules
from trainer.engine.solution import is_before_peek

# Bars are drawn in a box of this width.
_BAR_WIDTH = 200.0


@dataclass(frozen=True)
class EvView:
    """One move's bar: ``x`` and ``width`` in the bar's box, from the zero line."""

    label: str
    value: str
    x: float
    width: float
    look: str
    is_best: bool
    is_chosen: bool


@dataclass(frozen=True)
class EndView:
    """One way for the dealer to end: its share in per cent, and where its piece of the bar starts."""

    label: str
    share: str
    x: float
    width: float
    look: str


def ev_bars(
    evs: Mapping[str, float], labels: Mapping[str, str], best: str, chosen: str = ""
) -> tuple[tuple[EvView, ...], float]:
    """The moves' bars, best first, and where their zero line is."""
    low, high = min(0.0, *evs.values()), max(0.0, *evs.values())
    scale = _BAR_WIDTH / max(high - low, 1e-9)
    zero = -low * scale
    bars = []
    for move, ev in sorted(evs.items(), key=lambda pair: -pair[1]):
        is_best = move == best
        width = max(abs(ev) * scale, 0.6)
        look = "bar-best" if is_best else "bar-negative" if ev < 0 else "bar-positive"
        bars.append(EvView(labels[move], signed(ev), round(zero + min(ev, 0.0) * scale, 2), round(width, 2), look,
                           is_best, move == chosen))
    return tuple(bars), round(zero, 2)


def dealer_bar(outcomes: Mapping[str, float]) -> tuple[EndView, ...]:
    """Where the dealer ends, as pieces of one bar."""
    ends, x = [], 0.0
    for name, chance in outcomes.items():
        if chance <= 0:
            continue
        width = _BAR_WIDTH * chance
        ends.append(EndView(name, f"{100 * chance:.1f}%", round(x, 2), round(width, 2), f"end-{name}"))
        x += width
    return tuple(ends)


def condition_of(rules: Rules, card_count: int, upcard: int) -> str:
    """What EVs are given on, in a sentence; empty where there is nothing to be said."""
    if not rules.is_peek:
        return "A dealer’s natural included: nobody has looked yet."
    if is_before_peek(rules, card_count, upcard):
        return "A dealer’s natural included: you decide before the dealer looks."
    if upcard in (ACE, TEN):
        return "Given that the dealer has looked and has no natural."
    return ""
