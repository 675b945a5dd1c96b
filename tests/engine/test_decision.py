"""One decision from any shoe: the solved table's numbers, results that add up, cards that were seen."""

from dataclasses import replace
from functools import cache
from itertools import product

import pytest

from tests.engine import brute_force
from trainer.engine.actions import Action
from trainer.engine.cards import Card, composition_of, full_shoe, parse_cards
from trainer.engine.decision import Decision, decide
from trainer.engine.errors import ImpossibleHandError
from trainer.engine.hands import Hand
from trainer.engine.rules import Rules

CLOSE = 1e-12
GAMES = {
    "default": Rules(),
    "one deck": Rules(decks=1, dealer_hits_soft_17=True, double_cards="any"),
    "no hole card": Rules(decks=2, hole_card="enhc", resplit_aces=True),
    "original bets only": Rules(decks=4, hole_card="obo", surrender="late", hit_split_aces=True),
    "early surrender": Rules(decks=2, surrender="early"),
    "late surrender": Rules(dealer_hits_soft_17=True, surrender="late", double_on="9-11"),
    "split by rank": Rules(decks=2, split_by="rank", double_after_split=False),
}
HANDS = ("T6", "A7", "65", "88", "AA", "KK", "KQ", "AK", "A52", "777")
UPCARDS = ("A", "6", "K")
BETS = {"lose 2": -2.0, "lose 1": -1.0, "push": 0.0, "win 1": 1.0, "win 2": 2.0, "lose half": -0.5}


@cache
def ask(rules: Rules, cards: str, upcard: str, seen: str = "", hands: int = 1) -> Decision:
    return decide(rules, Hand.parse(cards), Card(upcard), parse_cards(seen), hands=hands)


@pytest.mark.parametrize("name", GAMES)
def test_a_decision_from_a_full_shoe_is_the_solved_tables(name, strategy_of):
    solution = strategy_of(GAMES[name]).solution
    for cards, upcard in product(HANDS, UPCARDS):
        expected = solution.evs(Hand.parse(cards), Card(upcard))
        decision = ask(GAMES[name], cards, upcard)
        assert list(decision.evs) == list(expected), f"{cards} v {upcard}"
        assert decision.evs == pytest.approx(dict(expected), abs=CLOSE, rel=0), f"{cards} v {upcard}"
        assert decision.best == max(expected, key=lambda action: expected[action])


@pytest.mark.parametrize("name", GAMES)
def test_results_are_certain_together_and_their_mean_is_the_ev(name):
    bets = BETS | {"natural": float(GAMES[name].blackjack_payout)}
    for cards, upcard in product(HANDS, UPCARDS):
        decision = ask(GAMES[name], cards, upcard)
        assert decision.results.keys() == decision.evs.keys() - {Action.SPLIT}
        for action, chances in decision.results.items():
            assert min(chances.values()) >= -CLOSE, f"{cards} v {upcard} {action}"
            assert sum(chances.values()) == pytest.approx(1.0, abs=CLOSE)
            mean = sum(chance * bets[result] for result, chance in chances.items())
            assert mean == pytest.approx(decision.evs[action], abs=CLOSE), f"{cards} v {upcard} {action}"


@pytest.mark.parametrize("name", GAMES)
def test_the_dealers_ends_are_certain_together_and_show_a_natural_only_before_a_peek(name):
    for cards, upcard in product(HANDS, UPCARDS):
        decision = ask(GAMES[name], cards, upcard)
        assert sum(decision.dealer.values()) == pytest.approx(1.0, abs=CLOSE)
        assert min(decision.dealer.values()) >= 0.0
        is_hidden = decision.is_after_peek or upcard == "6"
        assert (decision.dealer["natural"] == 0.0) == is_hidden, f"{cards} v {upcard}"


def test_early_surrender_is_decided_before_the_peek_and_on_two_cards_only():
    early = GAMES["early surrender"]
    after_peek = {(cards, upcard): ask(early, cards, upcard).is_after_peek
                  for cards, upcard in product(("T6", "A52"), UPCARDS)}
    assert after_peek == {("T6", "A"): False, ("T6", "6"): True, ("T6", "K"): False,
                          ("A52", "A"): True, ("A52", "6"): True, ("A52", "K"): True}


@pytest.mark.parametrize(("cards", "upcard"), [("T6", "T"), ("97", "A"), ("A7", "9")])
@pytest.mark.parametrize("hole_card", ["peek", "enhc", "obo"])
def test_seen_cards_count_as_they_do_card_by_card(hole_card, cards, upcard):
    seen = parse_cards("22233445 TTTT 9 8")
    rules = Rules(decks=1, hole_card=hole_card)
    hand, up = composition_of(parse_cards(cards)), Card(upcard).rank
    shoe = brute_force.minus(full_shoe(1), composition_of(seen))
    decision = decide(rules, Hand.parse(cards), Card(upcard), seen)
    for move in (brute_force.stand, brute_force.hit, brute_force.double):
        expected = float(move(rules, shoe, hand, up))
        assert decision.evs[Action(move.__name__)] == pytest.approx(expected, abs=CLOSE)


def test_seen_cards_can_change_the_best_move():
    # Sixteen against a ten: with small cards gone a hit more often busts, with tens gone it more often helps.
    assert ask(Rules(decks=1), "T6", "T").best == Action.HIT
    assert ask(Rules(decks=1), "T6", "T", "22334455").best == Action.STAND
    assert ask(Rules(decks=1), "T6", "T", "22334455 TTTTTTTTTT").best == Action.HIT


def test_the_order_of_seen_cards_does_not_matter():
    assert ask(Rules(), "88", "T", "A2345").evs == ask(Rules(), "88", "T", "54A32").evs


def test_kings_that_pair_by_rank_are_fewer_where_one_is_up():
    by_rank = Rules(decks=1, split_by="rank", max_split_hands=4)
    against_king, against_queen = ask(by_rank, "KK", "K"), ask(by_rank, "KK", "Q")
    for move in (Action.STAND, Action.HIT, Action.DOUBLE):
        assert against_king.evs[move] == against_queen.evs[move]
    # Re-splitting tens is a loss against a ten, so the more kings are left, the worse.
    assert against_king.evs[Action.SPLIT] > against_queen.evs[Action.SPLIT] + 1e-4


def test_kings_seen_elsewhere_leave_fewer_to_pair():
    by_rank = Rules(decks=1, split_by="rank")
    assert ask(by_rank, "KK", "6", "KK").evs[Action.SPLIT] != ask(by_rank, "KK", "6", "QQ").evs[Action.SPLIT]
    by_value = Rules(decks=1)
    assert ask(by_value, "KK", "6", "KK").evs == ask(by_value, "KK", "6", "QQ").evs


def test_one_king_up_does_not_matter_where_tens_split_to_two_hands():
    two_hands = Rules(decks=1, split_by="rank", max_split_hands=2)
    assert ask(two_hands, "KK", "K").evs == ask(two_hands, "KK", "Q").evs


@pytest.mark.parametrize(("cards", "upcard", "seen", "decks", "message"), [
    ("T6T", "6", "", 6, "is bust: it totals 26"),
    ("8", "6", "", 6, "is one card"),
    ("88", "8", "88", 1, "holds 4 cards of rank 8, and 5 are named"),
    ("TT", "T", "T" * 14, 1, "holds 16 cards of rank T, and 17 are named"),
    ("T6", "T", "22223333444455557777", 1, "only 29 cards would be left"),
    ("8s8s", "6", "", 1, "holds 1 of 8s, and 2 are named"),
    ("8s8h", "6", "8s8s", 2, "hold 2 of 8s, and 3 are named"),
])
def test_cards_that_cannot_be_are_an_error_that_says_why(cards, upcard, seen, decks, message):
    with pytest.raises(ImpossibleHandError, match=message):
        ask(Rules(decks=decks), cards, upcard, seen)


def test_the_fewest_cards_that_may_be_left_are_30():
    decision = ask(Rules(decks=1), "T6", "T", "2222333344445555777")
    assert decision.best == Action.STAND


def test_a_suited_card_may_be_named_once_a_deck():
    assert ask(Rules(decks=2), "8s8s", "6").evs == ask(Rules(decks=2), "88", "6").evs


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("upcard", UPCARDS)
def test_a_hit_on_twenty_busts_unless_an_ace_comes(name, upcard):
    """Every other card busts; where the dealer looks, hand and bust go with there being no natural."""
    rules, hand = GAMES[name], parse_cards("983")
    decision = decide(rules, Hand(hand), Card(upcard))
    left = brute_force.minus(full_shoe(rules.decks), composition_of((*hand, Card(upcard))))
    completes = {"A": 10, "K": 1}.get(upcard)
    busts = played = 0.0
    for drawn, hole in product(range(1, 11), repeat=2):
        ways = left[drawn - 1] * (left[hole - 1] - (drawn == hole))
        if rules.is_peek and hole == completes:
            continue
        played += ways
        busts += ways * (drawn > 1)
    assert decision.busts[Action.HIT] == pytest.approx(busts / played, abs=CLOSE)


@pytest.mark.parametrize("name", GAMES)
def test_a_bust_is_a_part_of_what_is_lost(name):
    for cards, upcard in product(HANDS, UPCARDS):
        decision = ask(GAMES[name], cards, upcard)
        assert decision.busts.keys() == decision.results.keys()
        for action, chance in decision.busts.items():
            lost = sum(decision.results[action].get(name, 0.0) for name in ("lose 1", "lose 2"))
            assert 0.0 <= chance <= lost + CLOSE, f"{cards} v {upcard} {action}"
            assert chance == 0.0 or action not in (Action.STAND, Action.SURRENDER)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(("cards", "sisters"), [("83", "8"), ("8T", "8 3 T"), ("625", "6"), ("T6", "T")])
def test_a_hand_after_a_split_is_worth_what_a_first_hand_is_with_its_sisters_seen(name, cards, sisters):
    rules = GAMES[name]
    for upcard in UPCARDS:
        first, after = ask(rules, cards, upcard, sisters), ask(rules, cards, upcard, sisters, hands=2)
        if first.is_after_peek != after.is_after_peek:  # early surrender is decided before the peek, this after it
            first = ask(replace(rules, surrender="none"), cards, upcard, sisters)
        assert after.is_after_peek == rules.is_peek
        assert after.evs[Action.STAND] == pytest.approx(first.evs[Action.STAND], abs=CLOSE)
        assert Action.SURRENDER not in after.evs
        assert (Action.DOUBLE in after.evs) == (Action.DOUBLE in first.evs and rules.double_after_split)
        if rules.double_after_split or rules.double_cards == "two":
            shared = {action: ev for action, ev in first.evs.items() if action in after.evs}
            assert after.evs == pytest.approx(shared, abs=CLOSE)


def test_no_later_double_counts_for_a_hit_after_a_split_without_doubles():
    any_cards = Rules(double_cards="any")
    none_after = replace(any_cards, double_after_split=False)
    plain = Rules()
    assert ask(none_after, "23", "6", "2", hands=2).evs[Action.HIT] == ask(plain, "23", "6", "2").evs[Action.HIT]
    assert ask(any_cards, "23", "6", "2", hands=2).evs[Action.HIT] == ask(any_cards, "23", "6", "2").evs[Action.HIT]
    assert ask(any_cards, "23", "6", "2").evs[Action.HIT] > ask(plain, "23", "6", "2").evs[Action.HIT]


@pytest.mark.parametrize("hands", [2, 3, 4])
def test_a_re_split_may_make_as_many_hands_as_there_is_room_for(hands):
    sisters = "8 8 8"[: 2 * hands - 3]
    decision = ask(Rules(), "88", "T", sisters, hands)
    if hands == 4:
        assert Action.SPLIT not in decision.evs
    else:
        alone = ask(Rules(max_split_hands=5 - hands), "88", "T", sisters)
        assert decision.evs[Action.SPLIT] == pytest.approx(alone.evs[Action.SPLIT], abs=CLOSE)


def test_split_aces_may_not_be_played_on():
    assert list(ask(Rules(), "AT", "6", "A", hands=2).evs) == [Action.STAND]
    assert list(ask(Rules(resplit_aces=True), "AA", "6", "A", hands=2).evs) == [Action.STAND, Action.SPLIT]
    hit = ask(Rules(hit_split_aces=True), "A5", "6", "A", hands=2)
    assert list(hit.evs) == [Action.STAND, Action.HIT, Action.DOUBLE]


def test_an_ace_and_a_ten_after_a_split_are_21_and_no_natural():
    enhc = Rules(hole_card="enhc", blackjack_pays="2:1")
    after, natural = ask(enhc, "TA", "9", "T", hands=2), ask(enhc, "TA", "9", "T")
    assert natural.evs[Action.STAND] == 2
    assert 0.8 < after.evs[Action.STAND] < 1
