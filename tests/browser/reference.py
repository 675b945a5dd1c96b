"""What the engine says of a hand that is read off the page: worked out anew, not by the code that made the page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trainer.engine.actions import Action, legal_actions
from trainer.engine.cards import Card
from trainer.engine.hands import Hand
from trainer.engine.strategy import Strategy

_FACES = dict(zip(("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen",
                   "king"), "A23456789TJQK", strict=True))
KEYS: Mapping[str, str] = {"hit": "h", "stand": "s", "double": "d", "split": "p", "surrender": "r"}


@dataclass(frozen=True)
class Reference:
    """The legal moves of a hand with their EVs, the chart's move and the best one."""

    evs: Mapping[str, float]
    chart: str
    best: str

    def is_right(self, move: str) -> bool:
        """Graded by the chart; the best move for the very cards counts too."""
        return move in (self.chart, self.best)

    def heading(self, move: str) -> str:
        """What the verdict on a move is to say."""
        if not self.is_right(move):
            return f"{self.chart.capitalize()}, not {move}"
        others = {self.chart, self.best} - {move}
        return f"Right: {move}" + "".join(f" (or {other})" for other in others)

    def ev_rows(self, move: str) -> list[tuple[str, str, bool]]:
        """The table of EVs: best first, four decimals, the chosen move marked."""
        ordered = sorted(self.evs, key=lambda each: -self.evs[each])
        return [(each.capitalize(), signed(self.evs[each]), each == move) for each in ordered]

    @property
    def wrong_moves(self) -> list[str]:
        return [move for move in self.evs if not self.is_right(move)]


def look_up(strategy: Strategy, dealer: str, player: Sequence[str]) -> Reference:
    """Judge the cards by their spoken names, such as ``ten of hearts``."""
    hand, upcard = Hand(tuple(map(card_named, player))), card_named(dealer)
    evs = strategy.solution.evs(hand, upcard)
    legal = legal_actions(strategy.rules, hand.cards)
    assert set(evs) == set(legal)
    chart = strategy.chart.move(hand, upcard, legal)
    best = max(legal, key=lambda action: (evs[action], -list(Action).index(action)))
    return Reference({str(action): ev for action, ev in evs.items()}, str(chart), str(best))


def card_named(name: str) -> Card:
    """The card of a spoken name."""
    face, suit = name.split(" of ")
    return Card(_FACES[face], suit[0])


def signed(value: float) -> str:
    """Four decimals, a sign before all but nought."""
    rounded = f"{abs(value):.4f}"
    if rounded == "0.0000":
        return rounded
    return ("+" if value > 0 else "\N{MINUS SIGN}") + rounded
