"""Judging a decision: what every move is worth, what the tables say, whether the choice was right."""

from collections.abc import Mapping
from dataclasses import dataclass

from trainer.drill.situation import DECLINE, INSURE, Situation
from trainer.engine.actions import Action
from trainer.engine.errors import IllegalActionError
from trainer.engine.insurance import insurance_evs
from trainer.engine.strategy import Strategy

GRADINGS = ("chart", "exact")


@dataclass(frozen=True)
class Judgement:
    """What can be said of a situation before anyone chose.

    ``evs``: every legal move's EV in original bets; ``chart`` and ``exact``: the move of
    either table. An insurance decision has no chart of its own: both are the better answer.
    """

    evs: Mapping[str, float]
    chart: str
    exact: str

    @property
    def tables_differ(self) -> bool:
        """Whether these very cards are played otherwise than their cell."""
        return self.chart != self.exact

    @property
    def best_ev(self) -> float:
        return self.evs[self.exact]

    @property
    def gap(self) -> float:
        """By how much the best move beats the second best; 0 where there is only one."""
        ordered = sorted(self.evs.values(), reverse=True)
        return ordered[0] - ordered[1] if len(ordered) > 1 else 0.0


@dataclass(frozen=True)
class Grade:
    """A choice judged: ``expected`` is the move that the grading table wants, ``ev_cost`` never negative."""

    chosen: str
    expected: str
    is_right: bool
    ev_cost: float


def judge(strategy: Strategy, situation: Situation) -> Judgement:
    """Work out every legal move of a situation; ``strategy`` must be that of the situation's rules."""
    if situation.unseen is not None:
        return _judge_insurance(situation)
    evs = strategy.solution.evs(situation.hand, situation.upcard)
    exact = max(evs, key=lambda action: evs[action])
    chart = strategy.chart.move(situation.hand, situation.upcard, tuple(evs))
    return Judgement({str(action): ev for action, ev in evs.items()}, str(chart), str(exact))


def grade(judgement: Judgement, chosen: str, by: str = "chart") -> Grade:
    """Mark a choice by the chart or by exact play.

    By the chart, where the exact best move of these very cards is another, either is right. A choice that gives up
    nothing is right by any table.
    ``IllegalActionError`` where the move is not one of the legal ones, ``ValueError`` for another way of grading.
    """
    if by not in GRADINGS:
        raise ValueError(f"hands are graded by {' or '.join(GRADINGS)}, not {by!r}")
    if chosen not in judgement.evs:
        raise IllegalActionError(f"{chosen[:40]!r} is not allowed on this hand; "
                                 f"the moves are {', '.join(judgement.evs)}")
    expected = judgement.exact if by == "exact" else judgement.chart
    cost = max(judgement.best_ev - judgement.evs[chosen], 0.0)
    return Grade(chosen, expected, cost == 0.0 or (by == "chart" and chosen == judgement.chart), cost)


def _judge_insurance(situation: Situation) -> Judgement:
    unseen = situation.unseen
    assert unseen is not None  # noqa: S101 - the caller looked
    worth = insurance_evs(situation.rules, unseen.tens, unseen.cards, is_natural=situation.hand.is_natural)
    evs = dict(zip((INSURE, DECLINE), worth, strict=True))
    # Of equals declining is the answer: a bet that is worth nothing is not made.
    best = INSURE if evs[INSURE] > evs[DECLINE] else DECLINE
    return Judgement(evs, best, best)


def is_action(move: str) -> bool:
    """Whether a move is one of the game's, not an answer to insurance."""
    return move in set(Action)
