"""Run every benchmark, or those named: ``python -m bench engine``."""

import sys
from importlib import import_module

NAMES = ("engine", "drill", "strategy_pages", "strategies", "monte_carlo", "rounds", "tables", "data", "learners")

for name in sys.argv[1:] or NAMES:
    print(f"== {name}")
    import_module(f"bench.{name}").run()
