import re
from dataclasses import replace
from random import Random

import pytest

from tests.drill.by_hand import RANKS, cards_left, dealer_odds, has_looked, next_card, points, rank_of
from tests.drill.games import GAMES
from trainer.drill.explain import explain, odds_of
from trainer.drill.grade import Judgement, judge
from trainer.drill.plan import Mode, Plan
from trainer.drill.pool import first_hands, pool_for
from trainer.drill.situation import Situation, TableCards, UnseenCards
from trainer.engine.cards import Card, label_of
from trainer.engine.chart import PREFERENCES, Cell
from trainer.engine.hands import Hand
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules

MOVES = {"standing": "stand", "hitting": "hit", "doubling": "double", "splitting": "split",
         "surrendering": "surrender"}
P, E, G = r"(\d+%|under 1%)", r"([+−]?\d\.\d{4})", r"(less than 0\.0001|\d\.\d{4})"
N, M = r"(\d+)", rf"({'|'.join(MOVES)})"
# What each number in a sentence is about. A move goes by its name, or by the word beside the number.
CHANCES = {
    rf"[Tt]he dealer busts(?: only)? {P} of the time": "dealer busts",
    rf"only when the dealer busts, {P} of the time": "dealer busts",
    rf"(?:busts your \d+|Hitting busts|which busts|busts it) {P} of the time": "card busts",
    rf"Standing on \d+ wins {P} of the time": "wins",
    rf"ties {P}": "ties",
    rf"makes it better only {P} of the time": "improves",
    rf"17 or more {P} of the time": "makes 17",
}
TOTALS = (
    rf"tanding on {N}", rf"busts your {N}", rf"One card makes {N}", rf"is a (?:soft|hard) {N}", rf"card busts {N}")
EVS = {
    rf"loses less: {E} against": "hit",
    rf"loses less: {E[:-1].replace('(', '', 1)} against {E}": "stand",
    rf"after one card, at {E}": "double",
    rf"(?:is|that is) worth {E},": "double",
    rf"are worth {E} together": "split",
}
NAMED_EVS = (rf"against {E} for {M}", rf"worth {E} at best, by {M}", rf"is {M}, at {E}")
GAINS = {rf"hitting betters by {G}": "stand", rf"is better by {G}": "stand", rf"(?:do|does) {G} better": "chart",
         rf"half the bet would cost {G} more": "surrender"}
NAMED_GAINS = (rf"{G} more than {M}",)
DIFFERING = "The chart "


def situations(rules, strategy, every=40):
    """All first hands, and one multi-card hand in so many."""
    longer = pool_for(strategy, Plan(mode=Mode.MULTI_CARD)).candidates[::every]
    return [Situation(rules, candidate.hand(), Card(label_of(candidate.upcard)))
            for candidate in (*(candidate for candidate, _ in first_hands(strategy)), *longer)]


def explained(rules, strategy, every=40):
    for situation in situations(rules, strategy, every):
        judgement = judge(strategy, situation)
        yield situation, judgement, explain(strategy, situation, judgement)


@pytest.fixture(scope="module")
def told(strategy_of):
    """Situation, judgement and sentences of every first hand and a sample of longer ones, once a rule set."""
    kept = {}

    def told(name):
        if name not in kept:
            kept[name] = list(explained(GAMES[name], strategy_of(GAMES[name])))
        return kept[name]

    return told


def sentences_of(strategy, cards, upcard):
    situation = Situation(strategy.rules, Hand.parse(cards), Card(upcard))
    return explain(strategy, situation, judge(strategy, situation))


def number(text):
    return float(text.replace("−", "-"))


def is_shown(text, value):
    """Whether a number, in the digits in which it is shown, is this one."""
    if text == "under 1%":
        return 0 < value <= 0.005 + 1e-9
    if text == "less than 0.0001":
        return 0 < value < 0.00005 + 1e-9
    if text.endswith("%"):
        return abs(int(text[:-1]) - 100 * value) <= 0.5 + 1e-7
    return abs(number(text) - value) <= 0.00005 + 1e-9


def numbers_in(sentence):
    """Every number that is told as a percentage or with decimals."""
    return re.findall(r"under 1%|\d+%|(?:less than |[+−])?\d+\.\d+", sentence)


def facts_in(sentence, judgement):
    """Every (text, quantity, value) told, chances without a value."""
    for pattern, quantity in CHANCES.items():
        yield from ((text, quantity, None) for text in re.findall(pattern, sentence))
    for pattern, move in EVS.items():
        yield from ((text, move, judgement.evs[move]) for text in re.findall(pattern, sentence))
    for pattern in NAMED_EVS:
        for found in re.findall(pattern, sentence):
            text, word = sorted(found, key=lambda part: part in MOVES)
            yield text, word, judgement.evs[MOVES[word]]
    for pattern, move in GAINS.items():
        other = judgement.chart if move == "chart" else move
        yield from ((text, "gain", judgement.best_ev - judgement.evs[other]) for text in re.findall(pattern, sentence))
    for pattern in NAMED_GAINS:
        yield from ((text, "gain", judgement.best_ev - judgement.evs[MOVES[word]])
                    for text, word in re.findall(pattern, sentence))


def chances_by_hand(situation):
    """The chances that sentences tell, counted from the cards that are left."""
    rules, faces = situation.rules, [card.face for card in situation.hand.cards]
    upcard, ranks = rank_of(situation.upcard.face), list(map(rank_of, faces))
    seen = [card.face for card in situation.table.seen] if situation.table else []
    looked = rules.is_peek if situation.table else has_looked(rules, len(faces), upcard)
    left = cards_left(rules, [*faces, *seen], situation.upcard.face)
    total, cards = points(ranks)[0], next_card(left, upcard, looked=looked)
    dealer = dealer_odds(rules, left, upcard, looked=looked)
    after = {rank: points([*ranks, rank])[0] for rank in RANKS}
    return {
        "dealer busts": dealer["bust"],
        "wins": dealer["bust"] + sum(dealer[str(worse)] for worse in range(17, min(total, 22))),
        "ties": dealer[str(total)],
        "card busts": float(sum(cards[rank] for rank in RANKS if after[rank] > 21)),
        "improves": float(sum(cards[rank] for rank in RANKS if total < after[rank] <= 21)),
        "makes 17": float(sum(cards[rank] for rank in RANKS if 17 <= after[rank] <= 21)),
    }


def where(situation):
    return f"{situation.hand} v {situation.upcard}"


@pytest.mark.parametrize("name", GAMES)
def test_every_hand_gets_sentences_that_begin_and_end_as_such(name, told):
    for _, judgement, sentences in told(name):
        assert len(sentences) == 1 + judgement.tables_differ
        for sentence in sentences:
            assert re.fullmatch(r"[A-Z].{30,}\.", sentence)
            assert not re.search(r"nan|inf|None|Action|  ", sentence)
            assert not re.search(r"\ba (?:8|11|18|A|ace)\b|\ban (?:10|[2-79])\b", sentence)


@pytest.mark.parametrize("name", GAMES)
def test_every_number_is_one_that_is_known_and_every_ev_is_right(name, told):
    for situation, judgement, sentences in told(name):
        for sentence in sentences:
            facts = list(facts_in(sentence, judgement))
            assert sorted(text for text, _, _ in facts) == sorted(numbers_in(sentence)), sentence
            wrong = [(text, what, value) for text, what, value in facts if value is not None
                     and not is_shown(text, value)]
            assert wrong == [], where(situation)
            assert {int(total) for pattern in TOTALS for total in re.findall(pattern, sentence)} <= {
                situation.hand.total}


def assert_chances_are_counted(told_hands, sample, seed=1):
    """Draw so many of the hands and count every chance that their sentences tell."""
    quantities = set()
    for situation, judgement, sentences in Random(seed).sample(told_hands, sample):
        by_hand = chances_by_hand(situation)
        for sentence in sentences:
            for text, quantity, value in facts_in(sentence, judgement):
                if value is None:
                    quantities.add(quantity)
                    assert is_shown(text, by_hand[quantity]), f"{where(situation)}: {sentence} ({by_hand[quantity]})"
    return quantities


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_chance_that_is_told_is_the_one_counted_by_hand(name, told):
    assert assert_chances_are_counted(told(name), 150) == {
        "dealer busts", "card busts", "wins", "ties", "improves", "makes 17"}


@pytest.mark.parametrize("name", [name for name in GAMES if name not in RULE_SETS and "early" not in name])
def test_chances_hold_in_other_games_too(name, told):
    assert len(assert_chances_are_counted(told(name), 60)) >= 5


@pytest.mark.parametrize("name", ["eight decks, early surrender", "one deck, early surrender"])
def test_before_the_dealer_looks_chances_are_not_given_that_there_is_no_natural(name, told):
    first = [each for each in told(name) if len(each[0].hand.cards) == 2 and each[0].upcard.rank in (1, 10)]
    assert_chances_are_counted(first, 30)


@pytest.mark.parametrize("name", ["eight decks, early surrender", "one deck, early surrender"])
def test_early_surrender_changes_no_chance_once_the_dealer_has_looked(name, told):
    later = [each for each in told(name) if len(each[0].hand.cards) > 2 or each[0].upcard.rank not in (1, 10)]
    assert_chances_are_counted(later, 50)


@pytest.mark.parametrize("key", ["hall-of-thoth", "classic", "shoe-h17"])
def test_odds_of_any_hand_are_counted_right_told_or_not(key, strategy_of):
    rules, strategy = RULE_SETS[key], strategy_of(RULE_SETS[key])
    for situation in Random(2).sample(situations(rules, strategy), 40):
        odds, by_hand = odds_of(strategy, situation), chances_by_hand(situation)
        found = {"dealer busts": odds.dealer["bust"], "wins": odds.wins, "ties": odds.ties, "card busts": odds.busts,
                 "improves": odds.improves, "makes 17": odds.makes_17}
        assert found == pytest.approx(by_hand, abs=1e-10)


@pytest.mark.parametrize("name", ["hall-of-thoth", "classic", "one deck, early surrender"])
def test_odds_at_a_table_are_counted_with_the_other_cards_out(name, strategy_of):
    rules, strategy, random = GAMES[name], strategy_of(GAMES[name]), Random(3)
    for situation in random.sample(situations(rules, strategy), 25):
        shoe = [Card(face) for face in "A23456789TJQK" for _ in range(4 * rules.decks)]
        for card in (*situation.hand.cards, situation.upcard):
            shoe.remove(Card(card.face))
        seen = tuple(random.sample(shoe, random.randrange(12)))
        at_table = replace(situation, table=TableCards(seen, ("stand", "hit")))
        odds, by_hand = odds_of(strategy, at_table), chances_by_hand(at_table)
        found = {"dealer busts": odds.dealer["bust"], "wins": odds.wins, "ties": odds.ties, "card busts": odds.busts,
                 "improves": odds.improves, "makes 17": odds.makes_17}
        assert found == pytest.approx(by_hand, abs=1e-10), where(at_table)


def test_at_a_table_the_sentences_are_of_the_cards_in_view(strategy_of):
    strategy = strategy_of(Rules())
    situation = Situation(strategy.rules, Hand.parse("T6"), Card("T"))
    seen = tuple(map(Card, "5555444332"))
    at_table = replace(situation, table=TableCards(seen, ("stand", "hit", "double")))
    judgement = Judgement({"stand": -0.53, "hit": -0.55, "double": -1.0}, "hit", "stand")
    first, second = explain(strategy, at_table, judgement)
    assert first != explain(strategy, situation, judgement)[0]
    assert second == "The chart’s answer is hit. With these cards out, standing does 0.0200 better."


def test_more_cards_seen_than_leave_exact_odds_are_put_back(strategy_of):
    rules = GAMES["one deck, early surrender"]
    shoe = [Card(face) for face in "A23456789TJQK" for _ in range(4)]
    for face in "T67":
        shoe.remove(Card(face))
    at_table = Situation(rules, Hand.parse("T6"), Card("7"), table=TableCards(tuple(shoe), ("stand", "hit")))
    assert odds_of(strategy_of(rules), at_table).dealer["bust"] > 0


@pytest.mark.parametrize(("playing_on", "best"), [(-0.5324, "surrender"), (-0.4321, "decline")])
def test_early_surrender_on_its_own_is_told_by_what_playing_on_is_worth(playing_on, best):
    judgement = Judgement({"surrender": -0.5, "decline": playing_on}, best, best)
    situation = Situation(Rules(surrender="early"), Hand.parse("T6"), Card("A"),
                          table=TableCards((), ("surrender", "decline")))
    assert explain(None, situation, judgement) == [
        (f"Playing on is worth −{-playing_on:.4f} at best, a dealer’s natural included; "
         "giving up now costs half a bet, −0.5000.")]


def test_the_numbers_of_the_design_are_told(strategy_of):
    strategy = strategy_of(Rules())
    assert sentences_of(strategy, "T3", "6") == [
        "The dealer busts 42% of the time with a 6 up; one card busts your 13 39% of the time."]
    assert sentences_of(strategy, "A7", "6")[0].endswith("doubling is worth +0.3828, 0.1023 more than standing.")


@pytest.mark.parametrize(("hand", "is_told"), [("T4", True), ("87", True), ("88", False), ("T6", False), ("99", False)])
def test_giving_up_is_weighed_where_it_comes_nearest(hand, is_told, strategy_of):
    first = sentences_of(strategy_of(GAMES["shoe-h17"]), hand, "T")[0]
    assert bool(re.search(r"Giving up half the bet would cost 0\.\d{4} more\.$", first)) == is_told


@pytest.mark.parametrize("name", GAMES)
def test_the_tables_sentence_comes_where_they_differ_and_only_there(name, told):
    for situation, judgement, sentences in told(name):
        speaks = [sentence.startswith(DIFFERING) for sentence in sentences]
        assert speaks == ([False, True] if judgement.chart != judgement.exact else [False]), where(situation)
        assert sum("chart" in sentence for sentence in sentences) == sum(speaks)


def test_the_tables_sentence_names_both_moves_and_the_cards(strategy_of):
    strategy = strategy_of(Rules())
    assert sentences_of(strategy, "T2", "4")[1].startswith(
        "The chart has one answer for every 12 v 4: stand. These very cards, 10-2, do 0.00")
    assert re.fullmatch(r"The chart has one answer for every 16 v 10: hit\. "
                        r"These very cards, 6-5-5, do 0\.\d{4} better by standing\.",
                        sentences_of(strategy, "655", "K")[1])


@pytest.mark.parametrize("name", GAMES)
def test_what_the_chart_is_said_to_answer_for_every_hand_is_what_it_shows(name, told, strategy_of):
    """Its second choice is what it answers once a hand may no more be doubled or surrendered."""
    chart, wrong = strategy_of(GAMES[name]).chart, []
    for situation, judgement, sentences in told(name):
        if "one answer for" in sentences[-1]:
            code = chart.code(situation.cell)
            is_first_choice = str(PREFERENCES[code][0]) == judgement.chart
            is_long = len(situation.hand.cards) > 2
            if ("one answer for every" in sentences[-1]) != is_first_choice or not (is_first_choice or is_long):
                wrong.append(f"{where(situation)}, where the chart shows {code}: {sentences[-1]}")
    assert wrong == []


@pytest.mark.parametrize("name", GAMES)
def test_a_pair_said_to_be_played_like_its_total_is(name, told, strategy_of):
    chart = strategy_of(GAMES[name]).chart
    for situation, judgement, sentences in told(name):
        if "like any other" in sentences[-1]:
            hand, legal = situation.hand, [move for move in situation.legal if move != "split"]
            code = chart.code(Cell("soft" if hand.is_soft else "hard", hand.total, situation.upcard.rank))
            assert next(str(move) for move in PREFERENCES[code] if move in legal) == judgement.chart


@pytest.mark.parametrize("name", GAMES)
def test_no_sentence_contradicts_the_numbers(name, told):
    for situation, judgement, (sentence, *_) in told(name):
        evs, best = judgement.evs, judgement.exact
        others = [ev for move, ev in evs.items() if move != best]
        if "still loses less" in sentence:
            assert best == "hit"
            assert evs["stand"] < evs["hit"] < 0, where(situation)
        if "half a bet loses less" in sentence:
            assert best == "surrender"
            assert max(others) < -0.5, where(situation)
        if "wins only when the dealer busts" in sentence:
            assert situation.hand.total < 17
        if "No card busts" in sentence:
            assert situation.hand.total <= 11
        if "busts your" in sentence and ";" in sentence:
            assert best == "stand"
        if "Kept together" in sentence:
            assert situation.category == "pair"
            assert evs["split"] > max(others)
        if "more money out" in sentence or "for two bets" in sentence:
            assert best == "double"
            assert evs["double"] > max(evs["stand"], evs["hit"])
        if "one card cannot bust" in sentence or "No single card can bust" in sentence:
            assert situation.hand.is_soft


@pytest.mark.parametrize("name", ["hall-of-thoth", "classic", "squarescores"])
def test_nothing_is_said_to_be_better_by_nothing(name, strategy_of):
    """Every multi-card hand: the closest ones are long."""
    rules, strategy = GAMES[name], strategy_of(GAMES[name])
    found = [f"{where(situation)}: {sentence}" for situation, _, sentences in explained(rules, strategy, every=1)
             for sentence in sentences if re.search(r"\b0\.0000 (?:better|more)|by 0\.0000", sentence)]
    assert found == []


@pytest.mark.parametrize("name", ["hall-of-thoth", "classic"])
def test_a_tie_is_spoken_of_only_where_there_can_be_one(name, told):
    found = [sentences[0] for situation, _, sentences in told(name)
             if situation.hand.total < 17 and "ties" in sentences[0]]
    assert found == []


def insurance_sentences(cards, tens, left, rules=None):
    situation = Situation(rules or Rules(decks=8), Hand.parse(cards), Card("A"), UnseenCards(tens, left))
    return explain(None, situation, judge(None, situation))


TIE = "just that, and either answer is right"


@pytest.mark.parametrize(("tens", "left", "share"), [(60, 150, "40.0%"), (100, 300, "33.3%"), (101, 300, "33.7%"),
                                                     (41, 160, "25.6%")])
def test_insurance_is_explained_by_the_tens_that_are_left(tens, left, share):
    first, second = insurance_sentences("98", tens, left)
    assert first == f"{tens} of the {left} cards you cannot see are tens, {share}."
    assert second == ("Insurance pays 2 to 1, so it gains when that is more than a third; here it is "
                      f"{'more' if 3 * tens > left else 'less' if 3 * tens < left else TIE}.")


@pytest.mark.parametrize(("pays", "told_as"), [("3:2", "3 to 2"), ("6:5", "6 to 5"), ("1:1", "1 to 1")])
@pytest.mark.parametrize(("tens", "left"), [(60, 150), (100, 300), (41, 160)])
def test_even_money_is_explained_by_what_declining_wins(tens, left, pays, told_as):
    rules = Rules(decks=8, blackjack_pays=pays)
    first, second = insurance_sentences("AK", tens, left, rules)
    assert first.startswith(f"{tens} of the {left} cards")
    average = float(rules.blackjack_payout) * (1 - tens / left)
    assert second == (f"Declining, you are paid {told_as} unless the dealer has a natural too: "
                      f"+{average:.4f} on average, against +1.")
