"""How long the engine takes, in seconds and as multiples of a matrix product timed in the same run."""

import resource
import subprocess
import sys
import time

from threadpoolctl import threadpool_limits

from bench.timing import YARDSTICK, median_seconds, yardstick_seconds
from trainer.engine.cards import parse_cards, parse_upcard
from trainer.engine.decision import decide
from trainer.engine.derivation import derive_chart
from trainer.engine.hands import Hand
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules
from trainer.engine.solution import full_table, solve
from trainer.engine.strategy import derive

_COLD = """
import sys, time
from threadpoolctl import threadpool_limits
from trainer.engine.presets import RULE_SETS
from trainer.engine.solution import solve
with threadpool_limits(1):
    start = time.perf_counter()
    solve(RULE_SETS[sys.argv[1]])
    print(time.perf_counter() - start)
"""

_DEPLETED = (("hard", "T6", "T"), ("low pair", "22", "7"), ("eights", "88", "T"))


def run() -> None:
    yardstick = yardstick_seconds()
    print(f"Yardstick: {YARDSTICK}: {yardstick:.3f} s")
    print(f"{'rule set':14} {'cold':>8} {'warm':>8} {'warm/y':>7} {'aim':>5} {'chart':>8} {'chart/y':>7} {'aim':>5}"
          f" {'memory':>8} {'lookup':>9}")
    with threadpool_limits(1):
        for key, rules in RULE_SETS.items():
            _print_rule_set(key, rules, yardstick)
        print(f"Peak memory of this process so far: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
        _print_depleted()
    _print_command()


def _print_rule_set(key: str, rules: Rules, yardstick: float) -> None:
    """Solves and chart derivations each start without any dealer odds kept from before."""
    cold = float(subprocess.run([sys.executable, "-c", _COLD, key], capture_output=True, text=True, check=True).stdout)
    solved = median_seconds(lambda: solve(rules), 7)
    chart = median_seconds(lambda: derive_chart(full_table(rules)), 7)
    strategy = derive(rules)
    memory = sum(array.nbytes for array in strategy.to_arrays().values()) / 2**20
    hand, upcard = Hand.parse("A7"), parse_upcard("6")
    start = time.perf_counter()
    for _ in range(2000):
        strategy.solution.evs(hand, upcard)
    lookup = (time.perf_counter() - start) / 2000
    print(f"{key:14} {cold:7.3f}s {solved:7.3f}s {solved / yardstick:7.2f} {0.35:5.2f} {chart:7.3f}s"
          f" {chart / yardstick:7.2f} {0.6:5.2f} {memory:5.1f} MB {lookup * 1e6:6.1f} us")


def _print_depleted() -> None:
    seen = parse_cards("5 5 T T A 9 2 7 7 K Q J 3 4 8 6 6 A")
    for name, cards, up in _DEPLETED:
        for rules_key in ("hall-of-thoth", "squarescores"):
            rules = RULE_SETS[rules_key]
            seconds = median_seconds(lambda r=rules, c=cards, u=up: decide(r, Hand.parse(c), parse_upcard(u), seen), 15)
            print(f"One decision from a depleted shoe, {rules_key}, {name} ({cards} v {up}): {seconds * 1000:.1f} ms")


def _print_command() -> None:
    for name in ("first", "second"):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "flask", "strategy", "ev", "A7", "6"], capture_output=True, check=True)
        print(f"flask strategy ev A7 6, {name} run: {time.perf_counter() - start:.2f} s")


if __name__ == "__main__":
    run()
