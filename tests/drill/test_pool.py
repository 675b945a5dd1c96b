from collections import Counter, defaultdict
from functools import cache
from itertools import combinations_with_replacement
from math import sqrt
from random import Random

import numpy as np
import pytest

from tests.drill.by_hand import RANKS, deals, hands_by_hitting, may_split, points, rank_of, shape_of, shares_of
from tests.drill.games import GAMES, WITH_SURRENDER
from trainer.drill.grade import judge
from trainer.drill.plan import Mode, Plan
from trainer.drill.pool import Candidate, NothingToDealError, Pool, cell_of_candidate, first_hands, pool_for
from trainer.drill.situation import Situation
from trainer.engine.cards import Card, label_of
from trainer.engine.chart import Cell
from trainer.engine.rules import Rules

MIXED, MULTI_CARD, CLOSE_CALLS = Plan(), Plan(mode=Mode.MULTI_CARD), Plan(mode=Mode.CLOSE_CALLS)
SURRENDER = Plan(mode=Mode.FOCUS, focus="surrender")
# Rows of two-card hands; soft 12 and hard 4 come only where the pair may not be split, hard 20 not where tens are.
ROWS = {"hard": range(5, 20), "soft": range(13, 21)}


def faces_of(candidate):
    return [card.face for card in candidate.hand().cards]


def shape(rules, candidate):
    return shape_of(rules, faces_of(candidate), label_of(candidate.upcard))


def weights_of(pool):
    return dict(zip(pool.candidates, np.diff(pool.running, prepend=0.0).tolist(), strict=True))


def by_key(pool, key):
    """The pool's weights summed by a key of the candidate."""
    sums = defaultdict(float)
    for candidate, weight in weights_of(pool).items():
        sums[key(candidate)] += weight
    return sums


def judged(strategy, candidate):
    return judge(strategy, Situation(strategy.rules, candidate.hand(), Card(label_of(candidate.upcard))))


@cache
def dealt(rules):
    """Exact shares of first hands by shape and ranks."""
    return shares_of(((shape_of(rules, first + second, upcard), tuple(sorted(map(rank_of, first + second)))), ways)
                     for first, second, upcard, ways in deals(rules))


def hand_key(rules, candidate):
    return shape(rules, candidate), tuple(sorted(map(rank_of, faces_of(candidate))))


def assert_same_weights(found, expected):
    assert found.keys() == expected.keys()
    assert max(abs(found[key] - float(share)) for key, share in expected.items()) < 1e-12


@pytest.mark.parametrize("name", GAMES)
def test_all_hands_weigh_what_a_real_shoe_deals(name, strategy_of):
    rules = GAMES[name]
    pool = pool_for(strategy_of(rules), MIXED)
    assert_same_weights(by_key(pool, lambda candidate: hand_key(rules, candidate)), dealt(rules))


def test_a_peek_makes_hands_against_an_ace_rarer_and_early_surrender_does_not(strategy_of):
    def share_of_aces(rules):
        return by_key(pool_for(strategy_of(rules), MIXED), lambda candidate: candidate.upcard)[1]

    peek, early, no_hole_card = (share_of_aces(rules) for rules in (
        Rules(), Rules(surrender="early"), Rules(hole_card="enhc")))
    assert 0.05 < peek < 0.06
    assert early == pytest.approx(no_hole_card, abs=1e-12)
    assert 0.075 < early < 0.078


@pytest.mark.parametrize("name", ["squarescores", "live-casino", "two decks, late surrender"])
def test_kings_are_a_pair_and_king_and_queen_a_hard_20_in_exact_proportion(name, strategy_of):
    rules = GAMES[name]
    found = by_key(pool_for(strategy_of(rules), MIXED), lambda candidate: hand_key(rules, candidate))
    copies = 4 * rules.decks
    for upcard in range(1, 10):
        pair, unlike = (found[(*kind, upcard), (10, 10)] for kind in (("pair", 10), ("hard", 20)))
        assert pair / unlike == pytest.approx((copies - 1) / (3 * copies), abs=1e-12)
    pair, unlike = (found[(*kind, 10), (10, 10)] for kind in (("pair", 10), ("hard", 20)))
    # A ten up takes one of its own face away: three faces are whole.
    alike = 3 * copies * (copies - 1) + (copies - 1) * (copies - 2)
    other = 3 * copies * 2 * copies + 2 * 3 * copies * (copies - 1)
    assert pair / unlike == pytest.approx(alike / other, abs=1e-12)


@pytest.mark.parametrize("name", ["classic", "nothing split"])
def test_tens_that_may_not_be_split_are_hard_20_whatever_their_faces(name, strategy_of):
    rules = GAMES[name]
    tens = [candidate for candidate in pool_for(strategy_of(rules), MIXED).candidates
            if candidate.composition[9] == 2]
    assert len(tens) == 10
    assert {cell_of_candidate(strategy_of(rules), candidate).row_label for candidate in tens} == {"20"}


@pytest.mark.parametrize("name", GAMES)
def test_a_candidate_knows_its_cell(name, strategy_of):
    rules, strategy = GAMES[name], strategy_of(GAMES[name])
    for candidate in (*pool_for(strategy, MIXED).candidates, *pool_for(strategy, MULTI_CARD).candidates[::20]):
        assert cell_of_candidate(strategy, candidate) == Cell(*shape(rules, candidate))


def cells_of_focus(rules, focus):
    splittable = [rank for rank in RANKS if may_split(rules, 2 * label_of(rank))]
    if focus == "pair":
        rows = splittable
    elif focus == "soft":
        rows = [*ROWS["soft"], *([12] if 1 not in splittable else [])]
    else:
        rows = [*ROWS["hard"], 20]
    return {(focus, row, upcard) for row in rows for upcard in RANKS}


@pytest.mark.parametrize(("name", "focus"), [
    (name, focus) for name, rules in GAMES.items() for focus in ("hard", "soft", "pair")
    if focus != "pair" or rules.max_split_hands > 1
])
def test_cells_of_a_focus_weigh_the_same(name, focus, strategy_of):
    rules = GAMES[name]
    expected = cells_of_focus(rules, focus)
    found = by_key(pool_for(strategy_of(rules), Plan(mode=Mode.FOCUS, focus=focus)), lambda each: shape(rules, each))
    assert_same_weights(found, dict.fromkeys(expected, 1 / len(expected)))


def test_pairs_need_rules_that_split(strategy_of):
    with pytest.raises(NothingToDealError):
        pool_for(strategy_of(GAMES["nothing split"]), Plan(mode=Mode.FOCUS, focus="pair"))


@pytest.mark.parametrize("name", ["hall-of-thoth", "classic", "squarescores", "one deck, early surrender"])
def test_hands_of_a_focus_cell_come_by_their_frequency(name, strategy_of):
    rules = GAMES[name]
    found = by_key(pool_for(strategy_of(rules), Plan(mode=Mode.FOCUS, focus="hard")),
                   lambda candidate: hand_key(rules, candidate))
    by_cell = defaultdict(float)
    for (cell, _), share in dealt(rules).items():
        by_cell[cell] += float(share)
    cells = len(cells_of_focus(rules, "hard"))
    compared = {key: float(share) / by_cell[key[0]] / cells for key, share in dealt(rules).items()
                if key[0][0] == "hard" and key[0][1] > 4}
    assert_same_weights({key: found[key] for key in compared}, compared)


@pytest.mark.parametrize("name", ["hall-of-thoth", "openseat", "shoe-h17", "eight decks, early surrender"])
def test_a_hard_20_has_three_cards_where_tens_are_split(name, strategy_of):
    pool = pool_for(strategy_of(GAMES[name]), Plan(mode=Mode.FOCUS, rows=("h20",)))
    found = {tuple(sorted(map(rank_of, faces_of(candidate)))) for candidate in pool.candidates}
    assert found == {ranks for ranks in combinations_with_replacement(RANKS, 3) if points(ranks) == (20, False)}


@pytest.mark.parametrize(("row", "rules"), [
    ("h4", Rules()), ("s12", Rules()), ("pT", GAMES["classic"]), ("p4", GAMES["classic"]),
    ("pA", GAMES["nothing split"]),
])
def test_a_row_that_the_rules_do_not_have_is_refused(row, rules, strategy_of):
    with pytest.raises(NothingToDealError):
        pool_for(strategy_of(rules), Plan(mode=Mode.FOCUS, rows=(row,)))


@pytest.mark.parametrize(("row", "ranks"), [("h4", {(2, 2)}), ("s12", {(1, 1)}), ("h20", {(10, 10)})])
def test_pairs_that_may_not_be_split_fill_the_row_of_their_total(row, ranks, strategy_of):
    pool = pool_for(strategy_of(GAMES["nothing split"]), Plan(mode=Mode.FOCUS, rows=(row,)))
    assert {tuple(map(rank_of, faces_of(candidate))) for candidate in pool.candidates} == ranks


def test_rows_and_upcards_pick_cells_together(strategy_of):
    plan = Plan(mode=Mode.FOCUS, rows=("h16", "p8", "s18"), upcards=("9", "T"))
    found = by_key(pool_for(strategy_of(Rules()), plan), lambda candidate: shape(Rules(), candidate))
    cells = [(*row, upcard) for row in (("hard", 16), ("pair", 8), ("soft", 18)) for upcard in (9, 10)]
    assert_same_weights(found, dict.fromkeys(cells, 1 / 6))


@pytest.mark.parametrize("name", [name for name in GAMES if name not in WITH_SURRENDER])
def test_surrender_is_drilled_only_where_the_rules_have_it(name, strategy_of):
    with pytest.raises(NothingToDealError):
        pool_for(strategy_of(GAMES[name]), SURRENDER)


@pytest.mark.parametrize("name", WITH_SURRENDER)
def test_a_surrender_drill_has_both_answers(name, strategy_of):
    strategy = strategy_of(GAMES[name])
    found = by_key(pool_for(strategy, SURRENDER), lambda each: judged(strategy, each).exact == "surrender")
    assert min(found[True], found[False]) > 0.1


@pytest.mark.parametrize("name", WITH_SURRENDER)
def test_a_surrender_drill_holds_every_hand_to_be_surrendered(name, strategy_of):
    strategy = strategy_of(GAMES[name])
    drilled = set(pool_for(strategy, SURRENDER).candidates)
    left_out = [f"{'-'.join(faces_of(candidate))} v {label_of(candidate.upcard)}"
                for candidate, _ in first_hands(strategy)
                if candidate not in drilled and judged(strategy, candidate).exact == "surrender"]
    assert left_out == []


@pytest.mark.parametrize("name", WITH_SURRENDER)
def test_a_surrender_drill_has_no_hand_that_nobody_would_surrender(name, strategy_of):
    strategy = strategy_of(GAMES[name])
    for candidate in pool_for(strategy, SURRENDER).candidates:
        evs = judged(strategy, candidate).evs
        assert max(ev for move, ev in evs.items() if move != "surrender") < -0.4


@pytest.mark.parametrize("name", GAMES)
def test_close_calls_are_all_first_hands_within_5_hundredths_by_frequency(name, strategy_of):
    rules, strategy = GAMES[name], strategy_of(GAMES[name])
    mixed = weights_of(pool_for(strategy, MIXED))
    close = {candidate: weight for candidate, weight in mixed.items() if judged(strategy, candidate).gap < 0.05}
    total = sum(close.values())
    assert len(close) > 40
    assert_same_weights(weights_of(pool_for(strategy, CLOSE_CALLS)),
                        {candidate: weight / total for candidate, weight in close.items()})
    assert {shape(rules, candidate)[0] for candidate in close} == {"hard", "soft", "pair"} - (
        {"pair"} if rules.max_split_hands == 1 else set())


@pytest.mark.parametrize("name", GAMES)
def test_multi_card_hands_have_three_cards_or_more_and_are_never_21(name, strategy_of):
    for candidate in pool_for(strategy_of(GAMES[name]), MULTI_CARD).candidates:
        assert sum(candidate.composition) >= 3
        assert points(rank for rank in RANKS for _ in range(candidate.composition[rank - 1]))[0] <= 20


class Visits:
    """How often kinds of multi-card hands were met in dealt rounds, and how far the shares can be trusted."""

    def __init__(self, rounds):
        self.rounds, self.met = 0, Counter()
        self.squares, self.products, self.all_squares = Counter(), Counter(), 0
        for found in rounds:
            self.rounds += 1
            kinds = Counter(kind for (section, row, upcard), cards in found for kind in (
                ("shape", section, row, upcard), ("total", section, row), ("cards", cards), ("upcard", upcard)))
            self.met.update(kinds)
            self.all_squares += len(found) ** 2
            for kind, count in kinds.items():
                self.squares[kind] += count**2
                self.products[kind] += count * len(found)
        self.all = sum(count for kind, count in self.met.items() if kind[0] == "upcard")

    def z(self, kind, share):
        """How many standard errors the share of a kind among all hands met lies above the expected one."""
        spread = self.squares[kind] - 2 * share * self.products[kind] + share**2 * self.all_squares
        return (self.met[kind] - share * self.all) / sqrt(spread)


@pytest.mark.parametrize("name", ["hall-of-thoth", "squarescores", "shoe-h17", "original bets only"])
def test_multi_card_hands_come_as_the_charts_hits_lead_to_them(name, strategy_of):
    rules, strategy = GAMES[name], strategy_of(GAMES[name])
    expected = defaultdict(float)
    for candidate, weight in weights_of(pool_for(strategy, MULTI_CARD)).items():
        section, row, upcard = shape(rules, candidate)
        for kind in (("shape", section, row, upcard), ("total", section, row),
                     ("cards", sum(candidate.composition)), ("upcard", upcard)):
            expected[kind] += weight
    visits = Visits(hands_by_hitting(rules, cache(lambda *cell: strategy.chart.code(Cell(*cell))), 30_000, Random(2)))
    assert visits.met.keys() <= expected.keys()
    scores = {kind: visits.z(kind, share) for kind, share in expected.items() if share * visits.all > 25}
    assert len(scores) > 90
    assert max(map(abs, scores.values())) < 4


def test_nothing_to_deal_is_refused():
    for candidates, weights in (([], []), ([Candidate((0,) * 10, 1)], [0.0])):
        with pytest.raises(NothingToDealError):
            Pool.of(candidates, weights)


def test_a_number_below_one_picks_by_weight():
    one, other, never = (Candidate((0,) * 10, upcard) for upcard in (1, 2, 3))
    pool = Pool.of([one, never, other], [3.0, 0.0, 1.0])
    assert [pool.pick(chance) for chance in (0.0, 0.7499, 0.75, 0.9999999999999999)] == [one, one, other, other]


def test_a_pool_is_worked_out_once(strategy_of):
    strategy = strategy_of(Rules())
    assert pool_for(strategy, MIXED) is pool_for(strategy, Plan(seed="7"))
    assert pool_for(strategy, MIXED) is not pool_for(strategy, CLOSE_CALLS)
