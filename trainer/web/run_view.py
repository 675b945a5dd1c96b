"""A streak or a sprint, in words: before it, while it goes on, and what came of it."""

import math
from dataclasses import dataclass
from datetime import datetime

from trainer.drill.plan import Mode, Plan
from trainer.drill.sprint import points
from trainer.drill.words import shown_face, signed
from trainer.service.drill import DecisionRow
from trainer.service.runs import SPRINT_TIME, Run, Standing, seconds_left
from trainer.web.hand_view import labels_for

_UNITS = {Mode.STREAK: "in a row", Mode.SPRINT: "points"}
_LEADS = {
    Mode.STREAK: "No clock. The calls get closer and closer, and look-alikes come from the start. "
                 "The first mistake ends it.",
    Mode.SPRINT: f"{SPRINT_TIME.seconds} seconds. A right answer scores 100 times the EV by which the best move beats "
                 "the second best; a wrong one takes off 100 times what it costs.",
}


@dataclass(frozen=True)
class RunView:
    """What the templates read.

    ``best`` only where it is better than the newest run, ``seconds_left`` only while a sprint goes on.
    """

    title: str
    lead: str
    is_running: bool
    result: str
    score: str
    unit: str
    best: str
    is_best: bool
    seconds_left: int | None
    mode: str
    rules_key: str


def run_view(plan: Plan, standing: Standing, now: datetime) -> RunView:
    """Where a visitor stands in the kind of run that a plan asks for."""
    run = standing.latest
    left = seconds_left(run, now) if run else None
    best, own = standing.best, run.score if run else 0.0
    is_running = run is not None and not run.is_ended and left != 0.0
    return RunView(
        title="Streak" if plan.mode is Mode.STREAK else "Sprint",
        lead=_LEADS[plan.mode],
        is_running=is_running,
        result=_result(run) if run and not is_running and run.answers else "",
        score=_number(plan.mode, run.score) if run else "",
        unit=_UNITS[plan.mode],
        best=_number(plan.mode, best) if best is not None and best > max(0.0, own) else "",
        is_best=standing.is_best(),
        seconds_left=math.ceil(left) if is_running and left is not None else None,
        mode=str(plan.mode),
        rules_key=plan.rules_key,
    )


@dataclass(frozen=True)
class LastView:
    """One line on the answer before, while a sprint goes on."""

    text: str
    is_right: bool


def last_view(decision: DecisionRow) -> LastView:
    """What the answer before was worth."""
    labels = labels_for(decision.situation)
    cards = "-".join(map(shown_face, decision.situation.hand.cards))
    chosen, expected = labels[decision.chosen].lower(), labels[decision.grade.expected].lower()
    verdict = f"{chosen} is right" if decision.is_right else f"{expected}, not {chosen}"
    scored = signed(points(decision.judgement, decision.grade), 1)
    return LastView(f"{cards} v {shown_face(decision.situation.upcard)}: {verdict}, {scored}", decision.is_right)


def _result(run: Run) -> str:
    mode = Mode(run.mode)
    result = f"{_number(mode, run.score)} {_UNITS[mode]}"
    return result if mode is Mode.STREAK else f"{result}: {run.right} of {run.answers} right"


def _number(mode: Mode, score: float) -> str:
    """``12``, ``34.5``."""
    return f"{score:.{0 if mode is Mode.STREAK else 1}f}".replace("-", "\N{MINUS SIGN}")
