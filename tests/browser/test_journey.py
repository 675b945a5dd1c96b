"""A long practice by keyboard alone, every verdict and number held against the engine."""

from itertools import cycle

from playwright.sync_api import expect

from tests.browser.drill_page import DrillPage, Seen
from tests.browser.reference import KEYS, Reference, look_up
from trainer.engine.presets import RULE_SETS
from trainer.engine.strategy import Strategy, derive


def test_x(drill: DrillPage) -> None:
    strategy = derive(RULE_SETS["shoe-h17"])
    used = set()
    import time
    t=time.time()
    seen = drill.open("rules=shoe-h17&mode=mixed&seed=a")
    for i in range(50):
        ref = look_up(strategy, seen.dealer, seen.player)
        move = ref.wrong_moves[i % len(ref.wrong_moves)] if i % 3 == 2 else ref.best
        drill.press(KEYS[move])
        v = drill.wait_for_verdict()
        assert v.heading == ref.heading(move)
        assert list(v.evs) == ref.ev_rows(move)
        drill.press("Space")
        seen = drill.wait_for_question()
        used.add(move)
    print(used, time.time()-t)
