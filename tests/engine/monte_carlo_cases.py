"""What the Monte Carlo game is held against: whole games, and the hands that each rule touches."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tests.engine.monte_carlo import ChartCodes, Estimate, play
from trainer.engine.advice import ADVICE
from trainer.engine.cards import Card, composition_of
from trainer.engine.chart import ROWS, Chart
from trainer.engine.derivation import derive_chart
from trainer.engine.edge import chart_edge, first_hand_values
from trainer.engine.play import chart_play
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules
from trainer.engine.solution import as_shown, full_table, is_before_peek

GAMES: dict[str, Rules] = RULE_SETS | {
    "no hole card": Rules(hole_card="enhc"),
    "original bets only": Rules(hole_card="obo"),
    "aces re-split": Rules(resplit_aces=True),
    "aces re-split and hit": Rules(resplit_aces=True, hit_split_aces=True),
    "pairs by face": Rules(split_by="rank"),
    "tens split by face": Rules(decks=2, split_by="rank"),
    "early surrender": Rules(surrender="early"),
    "double any number": Rules(double_cards="any", decks=2),
    "surrender without a hole card": Rules(hole_card="enhc", surrender="late"),
    "one deck, six to five": Rules(decks=1, blackjack_pays="6:5", dealer_hits_soft_17=True),
}

HANDS: dict[str, list[tuple[str, str]]] = {
    "hall-of-thoth": [("AA", "6"), ("AA", "A"), ("88", "T"), ("88", "A"), ("56", "T"), ("56", "A"), ("A7", "6"),
                      ("A2", "5"), ("22", "7"), ("44", "5"), ("99", "6"), ("TT", "6"), ("T6", "T")],
    "classic": [("AA", "A"), ("88", "T"), ("88", "6"), ("56", "T"), ("56", "9"), ("77", "2")],
    "live-casino": [("AA", "T"), ("88", "T"), ("56", "T"), ("A6", "5")],
    "squarescores": [("AA", "6"), ("88", "T"), ("77", "8"), ("A8", "6"), ("44", "5"), ("KK", "6"), ("KQ", "6")],
    "shoe-h17": [("88", "A"), ("T6", "T"), ("T7", "A"), ("A8", "6"), ("56", "A")],
    "no hole card": [("88", "T"), ("56", "T"), ("56", "A"), ("AA", "T")],
    "original bets only": [("88", "T"), ("56", "T"), ("56", "A"), ("AA", "A")],
    "aces re-split": [("AA", "6"), ("AA", "T")],
    "aces re-split and hit": [("AA", "6"), ("AA", "T"), ("AA", "A")],
    "pairs by face": [("KK", "K"), ("KQ", "K"), ("88", "6")],
    "tens split by face": [("KK", "6"), ("KK", "K"), ("KK", "Q"), ("KQ", "6"), ("KK", "A")],
    "early surrender": [("T6", "A"), ("T6", "T"), ("88", "T"), ("T4", "A"), ("56", "A")],
    "double any number": [("23", "6"), ("A2", "4"), ("22", "6")],
    "surrender without a hole card": [("T6", "T"), ("88", "A"), ("T5", "A")],
    "one deck, six to five": [("66", "6"), ("A7", "2")],
}


@dataclass(frozen=True)
class Comparison:
    """A sampled mean against the engine's value for the same play."""

    name: str
    expected: float
    estimate: Estimate

    @property
    def z(self) -> float:
        return self.estimate.z(self.expected)

    def __str__(self) -> str:
        return (f"{self.name:44} engine {self.expected:+.6f}  sampled {self.estimate.mean:+.6f} "
                f"+- {self.estimate.standard_error:.6f}  rounds {self.estimate.rounds:>9}  z {self.z:+.2f}")


def compare(game: str, game_rounds: int, hand_rounds: int) -> Iterator[Comparison]:
    """One game as a whole and, hand by hand, what its rules touch, all played by its chart."""
    rules = GAMES[game]
    table = full_table(rules)
    chart = derive_chart(table).chart
    if game == "tens split by face":
        chart = _splitting_tens(chart)
    codes = chart_codes(chart)
    seed = 1000 * (1 + list(GAMES).index(game))
    yield Comparison(f"{game}, whole game", chart_edge(table, chart).edge, play(rules, codes, game_rounds, seed))
    values = {(hand.row, hand.split is not None, hand.is_upcard_face): value
              for hand, value in first_hand_values(table, chart_play(table, chart))}
    for number, (cards, upcard) in enumerate(HANDS.get(game, ()), start=1):
        first, second, up = (Card(face) for face in (*cards, upcard))
        row = table.lattice.rows[composition_of((first, second))]
        alike = first.face == second.face if rules.split_by == "rank" else first.rank == second.rank
        column = up.rank - 1
        is_split = alike and rules.can_split_rank(first.rank)
        is_by_face = is_split and rules.split_by == "rank" and first.rank == 10
        value = values[row, is_split, is_by_face and first.face == up.face]
        if not is_before_peek(rules, 2, up.rank):
            value = as_shown(rules, value, table.natural[row])
        estimate = play(rules, codes, hand_rounds, seed + number, hand=(first.face, second.face), upcard=up.face)
        yield Comparison(f"{game}, {cards} v {upcard}", float(value[column]), estimate)


def _splitting_tens(chart: Chart) -> Chart:
    """A chart that splits tens, which no good one does, so that pairs by face are put to the test."""
    pair = chart.pair.copy()
    pair[9] = "P"
    return Chart(chart.hard.copy(), chart.soft.copy(), pair)


def chart_codes(chart: Chart) -> ChartCodes:
    """A chart as the arrays that the game reads."""
    sections = {}
    for name, size in (("hard", 22), ("soft", 22), ("pair", 11)):
        codes = np.full((size, 11), "", dtype="<U2")
        codes[ROWS[name].start : ROWS[name].stop, 1:] = chart.section(name)
        sections[name] = codes
    return ChartCodes(**sections)


def compare_advice(name: str, rounds: int) -> Comparison:
    """A whole game played by a piece of printed advice."""
    rules = RULE_SETS["hall-of-thoth"]
    chart = ADVICE[name](rules)
    estimate = play(rules, chart_codes(chart), rounds, seed=77 + list(ADVICE).index(name))
    return Comparison(f"advice, {name}", chart_edge(full_table(rules), chart).edge, estimate)
