"""The lessons: which hands each shows and lets try, and the numbers in its text, all from the visitor's own rules."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from trainer.drill.words import percent, signed
from trainer.engine.actions import Action
from trainer.engine.cards import ACE, RANKS, TEN, Card, label_of
from trainer.engine.chart import UPCARD_ORDER
from trainer.engine.hands import Hand
from trainer.engine.rules import Rules
from trainer.engine.solution import SURRENDER_VALUE, full_shoe_outcomes
from trainer.engine.strategy import Strategy
from trainer.service.appraisal import Appraiser
from trainer.web.learn_view import judged
from trainer.web.rules_view import percent_edge

Hands = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Material:
    """What a lesson is written from: hands as (cards, upcard), to show and to try, and texts by name."""

    shown: Hands
    tried: Hands
    facts: Mapping[str, str]


@dataclass(frozen=True)
class Lesson:
    """A page of /learn; ``template`` is ``learn/<slug>.html``."""

    slug: str
    title: str
    description: str
    gather: Callable[[Strategy, Rules, Appraiser], Material]


def _play(strategy: Strategy, rules: Rules, _: Appraiser) -> Material:
    value = strategy.by_chart
    outcomes = full_shoe_outcomes(rules)
    facts = {
        "naturals": f"{1 / value.naturals:.0f}", "bust_6": percent(outcomes[6]["bust"]),
        "bust_9": percent(outcomes[9]["bust"]), "busts": percent(value.busts), "pushes": percent(value.pushes),
        "edge": percent_edge(value.edge), "bank_edge": percent_edge(-value.edge),
    }
    return Material((), (("T6", "T"), ("65", "6"), ("A7", "9")), facts)


def _soft(strategy: Strategy, rules: Rules, _: Appraiser) -> Material:
    stand = _ev(strategy, rules, "A6", "7", Action.STAND)
    hit = _ev(strategy, rules, "A6", "7", Action.HIT)
    stand_18, hit_18 = (_ev(strategy, rules, "A7", "9", move) for move in (Action.STAND, Action.HIT))
    facts = {"cost_17": f"{hit - stand:.2f}", "cost_18": f"{hit_18 - stand_18:.2f}",
             "better_17": _better(hit, stand), "better_18": _better(hit_18, stand_18)}
    return Material((("A6", "7"), ("A7", "9"), ("A7", "6")), (("A6", "7"), ("A7", "9"), ("A7", "6")), facts)


def _doubling(strategy: Strategy, rules: Rules, _: Appraiser) -> Material:
    bust = percent(full_shoe_outcomes(rules)[6]["bust"])
    hit = _ev(strategy, rules, "65", "6", Action.HIT)
    double = strategy.solution.evs(Hand.parse("65"), Card("6")).get(Action.DOUBLE)
    facts = {"bust_6": bust, "hit": signed(hit), "double": "" if double is None else signed(double),
             "doubles": percent(strategy.by_chart.doubles, 1)}
    return Material((("65", "6"), ("64", "T")), (("65", "6"), ("64", "9"), ("54", "5")), facts)


def _splitting(strategy: Strategy, rules: Rules, _: Appraiser) -> Material:
    tried = tuple((label_of(rank) * 2, upcard) for rank, upcard in ((8, "T"), (ACE, "6"), (9, "7"))
                  if rules.can_split_rank(rank))
    facts = {"splits": percent(strategy.by_chart.splits, 1),
             "always": _always_split(strategy, rules), "never": _never_split(strategy, rules)}
    return Material((("88", "T"), ("99", "7")), tried or (("88", "T"), ("99", "7")), facts)


def _surrender(strategy: Strategy, rules: Rules, appraiser: Appraiser) -> Material:
    evs = dict(strategy.solution.evs(Hand.parse("T6"), Card("T")))
    evs.pop(Action.SURRENDER, None)
    best = max(evs, key=lambda action: evs[action])
    without = appraiser.appraise(replace(rules, surrender="none")).by_chart.edge
    worth = appraiser.appraise(replace(rules, surrender="late")).by_chart.edge - without
    facts = {"best": str(best), "ev": signed(evs[best]), "given_up": signed(SURRENDER_VALUE, 1),
             "worth": signed(100 * worth), "is_worse": "yes" if evs[best] < SURRENDER_VALUE else ""}
    return Material((("T6", "T"), ("T5", "T")), (("T6", "T"), ("T5", "T"), ("T6", "9")), facts)


def _chart(strategy: Strategy, _rules: Rules, _: Appraiser) -> Material:
    return Material((("A7", "3"), ("T2", "4")), (("A7", "3"), ("T2", "4"), ("T6", "T")),
                    {"edge": percent_edge(strategy.by_chart.edge)})


def _ev_lesson(strategy: Strategy, rules: Rules, _: Appraiser) -> Material:
    judgement = judged(strategy, rules, "T6", "T")[1]
    best, worst = max(judgement.evs.values()), min(judgement.evs.values())
    facts = {"best": judgement.exact, "best_ev": signed(best), "lost": f"{-100 * best:.0f}",
             "worst_cost": f"{100 * (best - worst):.0f}", "edge": percent_edge(strategy.by_chart.edge)}
    return Material((("T6", "T"), ("TT", "6")), (("T6", "T"), ("T2", "2"), ("A2", "5")), facts)


def _two_tables(strategy: Strategy, rules: Rules, _: Appraiser) -> Material:
    found = _differing(strategy, rules)
    facts = {"gain": signed(100 * (strategy.exact.edge - strategy.by_chart.edge)), "count": str(len(found)),
             "exact": percent_edge(strategy.exact.edge), "chart": percent_edge(strategy.by_chart.edge)}
    tried = tuple(dict.fromkeys((*found[:3], ("T2", "4"), ("T6", "T"))))
    return Material(found[:2], tried[:3], facts)


LESSONS: tuple[Lesson, ...] = (
    Lesson("play", "How the game is played", "The deal, the moves and their hand signals, the bank, and the game’s "
           "cousins.", _play),
    Lesson("soft-and-hard", "Soft and hard hands", "What an ace does to a hand, and the two traps: soft 17 and "
           "soft 18.", _soft),
    Lesson("doubling", "When to double", "Twice the bet for one card: when that is worth it.", _doubling),
    Lesson("splitting", "When to split", "One hand or two: which pairs to split, and why.", _splitting),
    Lesson("surrender", "Surrender", "When half the bet is more than the hand is worth.", _surrender),
    Lesson("chart", "Reading the chart", "What the letters mean and how to find your hand.", _chart),
    Lesson("ev", "What EV means", "Why the right move loses so often, and what a wrong one costs.", _ev_lesson),
    Lesson("two-tables", "The chart and exact play", "One move for each total, or one for each hand of cards.",
           _two_tables),
)


def _ev(strategy: Strategy, rules: Rules, cards: str, upcard: str, move: Action) -> float:
    return judged(strategy, rules, cards, upcard)[1].evs[str(move)]


def _better(hit: float, stand: float) -> str:
    return "hitting" if hit > stand else "standing"


def _always_split(strategy: Strategy, rules: Rules) -> str:
    return _pairs(rules, lambda rank: all("P" in _code(strategy, rank, upcard).upper() for upcard in RANKS))


def _never_split(strategy: Strategy, rules: Rules) -> str:
    return _pairs(rules, lambda rank: not any("P" in _code(strategy, rank, upcard).upper() for upcard in RANKS))


def _code(strategy: Strategy, rank: int, upcard: int) -> str:
    return str(strategy.chart.pair[rank - 1, upcard - 1])


def _pairs(rules: Rules, is_meant: Callable[[int], bool]) -> str:
    names = {ACE: "aces", TEN: "tens"}
    return ", ".join(names.get(rank, f"{rank}s") for rank in RANKS if rules.can_split_rank(rank) and is_meant(rank))


def _differing(strategy: Strategy, rules: Rules) -> Hands:
    """Two-card hands whose exact move is another than the chart's, those that it matters most for first."""
    found = []
    for low in RANKS:
        for high in range(low, TEN + 1):
            if (low, high) == (ACE, TEN):
                continue
            for upcard in UPCARD_ORDER:
                cards = label_of(high) + label_of(low)
                judgement = judged(strategy, rules, cards, label_of(upcard))[1]
                if judgement.tables_differ:
                    cost = judgement.best_ev - judgement.evs[judgement.chart]
                    found.append((cost, (cards, label_of(upcard))))
    return tuple(hand for _, hand in sorted(found, reverse=True))
