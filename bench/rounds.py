"""A million rounds by the chart through the table's state machine, against the engine's edge, for every rule set."""

import time
from concurrent.futures import ProcessPoolExecutor

from tests.table.simulation import Sums, simulate
from trainer.engine.chart import Chart
from trainer.engine.presets import RULE_SETS
from trainer.engine.strategy import derive

ROUNDS = 1_000_000
_PARTS = 20
_PROCESSES = 2


def run() -> None:
    worst = 0.0
    with ProcessPoolExecutor(_PROCESSES) as pool:
        for number, key in enumerate(RULE_SETS):
            strategy = derive(RULE_SETS[key])
            start = time.perf_counter()
            parts = pool.map(_part, [key] * _PARTS, [strategy.chart] * _PARTS,
                             range(number * _PARTS, (number + 1) * _PARTS))
            sums = sum(parts, Sums(0, 0.0, 0.0))
            rate = sums.rounds / (time.perf_counter() - start)
            edge = strategy.by_chart.edge
            worst = max(worst, abs(sums.z(edge)))
            print(f"{key:14} engine {edge:+.6f}  sampled {sums.mean:+.6f} +- {sums.standard_error:.6f}"
                  f"  rounds {sums.rounds:>9}  z {sums.z(edge):+.2f}  {rate:,.0f} rounds/s", flush=True)
    print(f"Largest |z|: {worst:.2f}")


def _part(key: str, chart: Chart, seed: int) -> Sums:
    rules = RULE_SETS[key]
    # Tables keep some doubles face down; then the dealer draws for busts, too, and nothing else changes.
    return simulate(rules, chart, ROUNDS // _PARTS, seed, doubles_face_down=key in ("classic", "live-casino"))


if __name__ == "__main__":
    run()
