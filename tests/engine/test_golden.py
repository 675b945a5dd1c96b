"""Every number of the golden tables in tests/data, printed by another program."""

import csv
from math import isnan
from pathlib import Path

import pytest

from trainer.engine.actions import Action
from trainer.engine.cards import RANKS, Card, label_of
from trainer.engine.hands import Hand
from trainer.engine.rules import Rules
from trainer.engine.solution import Solution

DATA = Path(__file__).parent.parent / "data"
GOLDEN = {
    "6d_s17_das_spl4.csv": Rules(),
    "6d_h17_das_spl4_ls.csv": Rules(dealer_hits_soft_17=True, surrender="late"),
    "6d_s17_d9to11_nodas_spl2_no4_5_10.csv": Rules(
        double_on="9-11", double_after_split=False, max_split_hands=2, no_split=(4, 5, 10)),
    "1d_s17_das_spl2.csv": Rules(decks=1, max_split_hands=2),
}
TOLERANCE = 1e-9


@pytest.mark.parametrize("name", GOLDEN)
def test_every_hand_is_worth_what_the_golden_table_says(name, strategy_of):
    solution = strategy_of(GOLDEN[name]).solution
    rows = [row for row in read(name) if row["hand"] != "overall"]
    assert (len(rows), sum(len(row["hand"]) == 2 for row in rows)) == (1000, 550)
    errors = {}
    for row in rows:
        engine, golden = evs_of(solution, row), golden_evs(row)
        assert engine.keys() == golden.keys(), f"{row['hand']} v {row['upcard']}: other moves"
        errors |= {f"{row['hand']} v {row['upcard']} {move}: {engine[move]!r}, not {ev!r}": abs(engine[move] - ev)
                   for move, ev in golden.items()}
    assert_small(errors)


@pytest.mark.parametrize("name", GOLDEN)
def test_the_whole_game_is_worth_what_the_golden_table_says(name, strategy_of):
    exact = strategy_of(GOLDEN[name]).exact
    engine = {label_of(rank): exact.by_upcard[rank] for rank in RANKS} | {"all": exact.edge}
    golden = {row["upcard"]: float(row["stand"]) for row in read(name) if row["hand"] == "overall"}
    assert len(golden) == 11
    assert engine.keys() == golden.keys()
    assert_small({f"v {upcard}: {engine[upcard]!r}, not {value!r}": abs(engine[upcard] - value)
                  for upcard, value in golden.items()})


def read(name: str) -> list[dict[str, str]]:
    """The rows below the comments."""
    lines = (DATA / name).read_text(encoding="ascii").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def golden_evs(row: dict[str, str]) -> dict[Action, float]:
    """The moves that mean something: of a natural none but standing."""
    moves = (Action.STAND,) if row["hand"] == "AT" else (Action.STAND, Action.HIT, Action.DOUBLE, Action.SPLIT)
    return {move: float(row[move]) for move in moves if row[move]}


def evs_of(solution: Solution, row: dict[str, str]) -> dict[Action, float]:
    """The legal moves but surrender, and hitting a 21, which the golden tables have as a number to check."""
    hand, upcard = Hand.parse(row["hand"]), Card(row["upcard"])
    evs = dict(solution.evs(hand, upcard))
    if hand.total == 21 and not hand.is_natural:
        evs[Action.HIT] = float(solution.hit[solution.row(hand, upcard), upcard.rank - 1])
    evs.pop(Action.SURRENDER, None)
    return evs


def assert_small(errors: dict[str, float]) -> None:
    """No error above the tolerance, or a report of how many are and of the worst."""
    wrong = {text: error for text, error in errors.items() if not error <= TOLERANCE}
    worst = max(wrong, key=lambda text: float("inf") if isnan(wrong[text]) else wrong[text], default=None)
    assert not wrong, f"{len(wrong)} of {len(errors)} values differ, the worst: {worst}"
