"""Decisions of a file, judged anew.

What the moves of a drill's hand are worth follows from its cards. At a table it hung on the round: on hands that were
split, on the order in which cards were seen. There the file is believed within what such a hand can win or lose, and
all else that is said of the decision follows from that.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from trainer.drill.grade import Grade, Judgement, grade, judge
from trainer.drill.situation import DECLINE, INSURE, Situation
from trainer.engine.actions import Action, legal_actions
from trainer.engine.chart import Chart
from trainer.engine.errors import EngineError, IllegalActionError
from trainer.engine.rules import Rules
from trainer.engine.solution import SURRENDER_VALUE
from trainer.engine.strategy import Strategy
from trainer.service.import_decisions import AtTable
from trainer.service.import_file import Head, Line
from trainer.service.import_hands import cannot_be_asked, read_situation
from trainer.service.import_reading import ImportFaultError
from trainer.table.judgement import best_answer, early_answer

Judge = Callable[[Rules], Strategy]

# EVs are sums of thousands of products.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class JudgedLine:
    """A decision of a file with what the engine says of it."""

    line: Line
    situation: Situation
    judgement: Judgement
    grade: Grade


def judge_lines(lines: Iterable[Line], head: Head, strategy_of: Judge) -> list[JudgedLine]:
    """Check and judge decisions; ``ImportFaultError`` where a hand cannot be, or its move is not allowed."""
    return [_judged(line, rules_of(head.rule_sets[line.decision.rules]), strategy_of) for line in lines]


@lru_cache(maxsize=512)
def rules_of(text: str) -> Rules:
    """The rule set of its JSON, one object each."""
    return Rules.from_json(text)


def _judged(line: Line, rules: Rules, strategy_of: Judge) -> JudgedLine:
    found, situation = line.decision, read_situation(line, rules)
    try:
        strategy = strategy_of(rules)
        if situation.table is None or found.at_table is None:
            judgement = judge(strategy, situation)
        else:
            judgement = _judge_at_table(line, situation, found.at_table, strategy.chart)
    except EngineError as error:
        raise cannot_be_asked(line, "cards", error) from None
    try:
        graded = grade(judgement, found.chosen, found.grading)
    except IllegalActionError as error:
        raise ImportFaultError(f"{line.place}.chosen", f"cannot be: {ascii(str(error))[1:200]}.") from None
    if found.at_table and _may_be_part(situation, found.chosen):
        graded = replace(graded, ev_cost=_cost_of_part(line, found.at_table, judgement, graded))
    return JudgedLine(line, situation, judgement, graded)


def _judge_at_table(line: Line, situation: Situation, at_table: AtTable, chart: Chart) -> Judgement:
    evs = {word: at_table.evs[word] for word in at_table.legal}
    limits = _limits(situation)
    for word, ev in evs.items():
        least, most = limits[word]
        if not least - _ROUNDING <= ev <= most + _ROUNDING:
            raise ImportFaultError(f"{line.place}.evs", f"of {word} must be from {least} to {most}.")
    return Judgement(evs, _chart_answer(situation, at_table, chart), best_answer(evs))


def _limits(situation: Situation) -> Mapping[str, tuple[float, float]]:
    """The least and the most, in original bets, that each answer at a table can be worth."""
    rules = situation.rules
    hands = rules.split_hand_limit(situation.hand.cards[0].rank)
    split = float(hands * (2 if rules.double_after_split else 1))
    most = {Action.STAND: 1.0, Action.HIT: 1.0, Action.DOUBLE: 2.0, Action.SPLIT: split, DECLINE: max(split, 2.0)}
    return {**{str(word): (-ev, ev) for word, ev in most.items()},
            str(Action.SURRENDER): (SURRENDER_VALUE, SURRENDER_VALUE)}


def _chart_answer(situation: Situation, at_table: AtTable, chart: Chart) -> str:
    """The chart's move of those open; whether it gives a hand up early may hang on chips for a second bet as well."""
    hand, upcard = situation.hand, situation.upcard
    if DECLINE not in at_table.legal:
        return str(chart.move(hand, upcard, tuple(map(Action, at_table.legal))))
    possible = [early_answer(chart, hand, upcard, legal_actions(situation.rules, hand.cards, spare_bets=spare))
                for spare in (None, 0)]
    return at_table.chart_move if at_table.chart_move in possible else possible[0]


def _may_be_part(situation: Situation, chosen: str) -> bool:
    """Whether insurance at a table may have been for less than half the bet, by an amount that nothing tells."""
    return (situation.is_insurance and chosen == INSURE and not situation.hand.is_natural
            and situation.rules.insurance == "up-to-half")


def _cost_of_part(line: Line, at_table: AtTable, judgement: Judgement, graded: Grade) -> float:
    """What insuring a part gave up, as the file has it: no more than insurance is worth, and nothing only if right."""
    most, cost = abs(judgement.evs[INSURE] - judgement.evs[DECLINE]), at_table.ev_cost
    if not 0 <= cost <= most + _ROUNDING or (cost == 0 and not graded.is_right):
        raise ImportFaultError(f"{line.place}.ev_cost", f"cannot be what insurance worth up to {most} gave up.")
    return min(cost, most)
