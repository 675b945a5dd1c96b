"""The large run of the Monte Carlo game: whole games, and fixed hands to a standard error under 0.002."""

from itertools import chain

from tests.engine.monte_carlo_cases import GAMES, compare, compare_advice
from trainer.engine.advice import ADVICE


def run() -> None:
    worst = 0.0
    games = chain.from_iterable(compare(game, game_rounds=10_000_000, hand_rounds=3_000_000) for game in GAMES)
    for comparison in chain(games, (compare_advice(name, 10_000_000) for name in ADVICE)):
        print(comparison, flush=True)
        worst = max(worst, abs(comparison.z))
    print(f"Largest |z|: {worst:.2f}")


if __name__ == "__main__":
    run()
