"""Many rounds by the chart through the table's own state machine, every shoe fresh."""

from dataclasses import dataclass
from math import sqrt
from random import Random

from trainer.engine.chart import Chart
from trainer.engine.rules import Rules
from trainer.table.event import Event, EventKind
from trainer.table.resident import chart_event
from trainer.table.round import Player, open_round
from trainer.table.shoe import Shoe, full_deck
from trainer.table.step import step
from trainer.table.terms import Terms

BET = 100
# The first cards of a shuffled shoe, more than one box and the dealer take; drawing beyond them is an error.
CARDS = 44


@dataclass(frozen=True)
class Sums:
    """Results of rounds in bets, added up."""

    rounds: int
    total: float
    squares: float

    def __add__(self, other: "Sums") -> "Sums":
        return Sums(self.rounds + other.rounds, self.total + other.total, self.squares + other.squares)

    @property
    def mean(self) -> float:
        return self.total / self.rounds

    @property
    def standard_error(self) -> float:
        return sqrt((self.squares / self.rounds - self.mean**2) / (self.rounds - 1))

    def z(self, expected: float) -> float:
        """How many standard errors the mean lies above the expected value."""
        return (self.mean - expected) / self.standard_error


def simulate(rules: Rules, chart: Chart, rounds: int, seed: int, **terms: bool) -> Sums:
    """One box, one bet a round, insurance declined, everything else by the chart."""
    random, deck = Random(seed), full_deck(rules.decks)
    habits, players = Terms(rules, **terms), (Player("you", 10 * BET),)
    bet = Event(EventKind.BET, 0, amount=BET)
    total = squares = 0
    for _ in range(rounds):
        # A sample in order is what the first steps of a Fisher-Yates shuffle give.
        cards = tuple(random.sample(deck, CARDS))
        round_ = step(open_round(habits, players, (0,), Shoe(cards, CARDS)), bet).round
        while not round_.is_over:
            round_ = step(round_, chart_event(round_, 0, chart)).round
        net = round_.result_of(0)
        total += net
        squares += net * net
    return Sums(rounds, total / BET, squares / BET**2)
