"""The engine against the brute-force reference: tiny shoes, exact fractions, every kind of rule."""

from fractions import Fraction

import numpy as np
import pytest

from tests.engine import brute_force
from tests.engine.brute_force import CASES, Cards, Case, Finished
from trainer.engine.dealer import FINAL_TOTALS
from trainer.engine.hands import label
from trainer.engine.lattice import all_hands
from trainer.engine.odds import DealerOdds
from trainer.engine.player import Table, after_peek, best_moves, double_mask
from trainer.engine.solution import exact_hit
from trainer.engine.split import SplitResult, add_up, play_pairs

CLOSE = 1e-12


def name_of(case: Case) -> str:
    return f"{label(case.hand)}-v-{case.upcard}-of-{''.join(map(str, case.shoe))}-to-{case.max_hands}"


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_the_engine_gives_what_playing_every_card_out_gives(case):
    rules, shoe, hand, upcard, max_hands = case
    assert not brute_force.can_run_out(*case)
    table = table_of(case)
    row = table.lattice.rows[hand]
    moves = {"stand": table.stand[row, 0], "hit": exact_hit(table)[row, 0], "double": table.double[row, 0]}
    played_out = {
        "stand": brute_force.stand(rules, shoe, hand, upcard),
        "hit": brute_force.hit(rules, shoe, hand, upcard),
        "double": brute_force.double(rules, shoe, hand, upcard),
    }
    if max_hands > 1:
        rank = hand.index(2) + 1
        moves["split"] = split_of(table, rank).value[0]
        played_out["split"] = brute_force.split(rules, shoe, rank, upcard, max_hands)
    shown = {move: as_shown(table, row, value) for move, value in moves.items()}
    assert shown == pytest.approx({move: float(value) for move, value in played_out.items()}, abs=CLOSE, rel=0)


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_the_dealer_ends_as_playing_every_card_out_gives(case):
    rules, shoe, hand, upcard, _ = case
    table = table_of(case)
    totals, natural = table.odds.totals(np.array([hand]))[0, 0], table.odds.naturals(np.array([hand]))[0, 0]
    engine = {**dict(zip(FINAL_TOTALS, totals, strict=True)), "natural": natural, "bust": 1.0 - totals.sum() - natural}
    played_out = brute_force.dealer(rules, shoe, hand, upcard)
    assert engine == pytest.approx({end: float(chance) for end, chance in played_out.items()}, abs=CLOSE, rel=0)


@pytest.mark.parametrize("case", [case for case in CASES if case.max_hands > 1], ids=name_of)
def test_hands_doubles_busts_and_pushes_of_a_split_number_what_playing_every_card_out_gives(case):
    rank = case.hand.index(2) + 1
    result = split_of(table_of(case), rank)
    engine = [result.hands[0], result.doubles[0], result.busts[0], result.pushes[0]]
    played_out = [float(count) for count in CountedSplit(case, rank).value()]
    assert engine == pytest.approx(played_out, abs=CLOSE, rel=0)


def test_the_cases_cover_every_rank_and_rule():
    splits = [case for case in CASES if case.max_hands > 1]
    assert {case.hand.index(2) + 1 for case in splits} == set(brute_force.RANKS)
    assert {case.max_hands for case in splits} == {2, 3, 4}
    for case_set in (splits, [case for case in CASES if case.max_hands == 1]):
        assert {case.rules.hole_card for case in case_set} == {"peek", "enhc", "obo"}
        assert {case.rules.dealer_hits_soft_17 for case in case_set} == {True, False}
        assert {case.rules.double_cards for case in case_set} == {"two", "any"}


def table_of(case: Case) -> Table:
    """All hands of the tiny shoe against the one upcard."""
    odds = DealerOdds(case.shoe, case.rules.dealer_hits_soft_17, case.upcard)
    return Table(case.rules, all_hands().restricted_to(case.shoe), odds)


def split_of(table: Table, rank: int) -> SplitResult:
    """Splitting, every hand played as the unsplit hand of the same cards would be."""
    doubles = double_mask(table.rules, table.lattice, is_split=True)
    moves = best_moves(table, table.hit(doubles & (table.lattice.sizes > 2)), doubles)
    return add_up(table, play_pairs(table, [rank], moves, with_counts=True)[rank])


def as_shown(table: Table, row: int, value: float) -> float:
    """Given no natural where the dealer peeks."""
    return float(after_peek(np.array(value), table.natural[row, 0])) if table.rules.is_peek else float(value)


class CountedSplit(brute_force._Split):
    """The same split, worth not what its finished hands win but how many hands, doubles, busts and pushes they are."""

    def __init__(self, case: Case, rank: int) -> None:
        super().__init__(brute_force._table(case.rules, case.shoe, case.upcard), rank, case.max_hands)

    def next_hand(self, pile: Cards, hole: int | None, finished: Finished, waiting: int, more: int) -> np.ndarray:
        if waiting:
            return super().next_hand(pile, hole, finished, waiting, more)
        totals = [total for total, _ in finished]
        counts = [len(finished), sum(stake == 2 for _, stake in finished), sum(total > 21 for total in totals)]
        ends = {} if min(totals) > 21 else self.table.dealer_finishes(pile, self.table.dealer_hand(hole))
        pushes = sum((chance * totals.count(end) for end, chance in ends.items()), Fraction(0))
        return np.array([*map(Fraction, counts), pushes], dtype=object)
