"""Long practice made up at random, and everything that is summed up, counted again from the single answers."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Row, select

from tests.service.kept import made_once
from trainer.drill.memory import Memory, recall_of, remember
from trainer.drill.plan import Plan
from trainer.drill.pool import NothingToDealError
from trainer.drill.timing import bucket_of, from_text
from trainer.engine.chart import Cell
from trainer.service.drill import Answer, DrillService, QuestionRow
from trainer.service.preferences import Preferences
from trainer.storage.models import CellMemory, Decision, PracticeSession, RuleSet, Tally
from trainer.storage.transaction import transaction

START = datetime(2031, 1, 15, 21, 30, tzinfo=UTC)
VISITORS = ("a" * 32, "b" * 32)
ZONES = ("", "Pacific/Auckland", "America/Los_Angeles")
PLANS = ("mode=mixed", "mode=focus&focus=soft", "mode=focus&focus=pair", "mode=insurance", "mode=multi-card",
         "mode=close-calls", "mode=mistakes")
RULES = ("hall-of-thoth", "openseat", "squarescores", "shoe-h17", "classic")
ALL_DAYS = date(1, 1, 1)


def practise(service: DrillService, answers: int, seed: int = 1) -> tuple[list[Answer], datetime]:
    """Answers of two visitors over months, by all modes; some hinted, some twice, some hands skipped."""
    found, now = made_once(("practise", answers, seed), lambda: _practise(service, answers, seed))
    return list(found), now


def _practise(service: DrillService, answers: int, seed: int) -> tuple[list[Answer], datetime]:
    random, now, found = Random(seed), START, []
    while len(found) < answers:
        now += timedelta(seconds=random.choice([10, 300, 2_500, 90_000, 400_000]))
        visitor = random.choice(VISITORS)
        plan = Plan.from_text(f"rules={random.choice(RULES)}&{random.choice(PLANS)}&seed={random.random()}")
        try:
            question = service.open_hand(visitor, plan, 0, now)
        except NothingToDealError:
            continue
        now += timedelta(microseconds=random.randrange(300_000, 90_000_000))
        if random.random() < 0.05:
            service.skip(visitor, question.token, now)
            continue
        found.append(answer_at_random(service, question, now, random))
    return found, now


def answer_at_random(service: DrillService, question: QuestionRow, now: datetime, random: Random) -> Answer:
    """Mostly right, sometimes with the chart in view, sometimes sent twice."""
    preferences = Preferences(grading=random.choice(["chart", "exact"]), time_zone=random.choice(ZONES))
    judgement = service.judge(question.situation)
    move = judgement.exact if random.random() < 0.6 else random.choice(list(judgement.evs))
    if random.random() < 0.1:
        service.hint(question.visitor, question.token, now)
    first = service.answer(question.visitor, question.token, move, preferences, now)
    assert first.is_new
    if random.random() < 0.1:
        other = random.choice(list(judgement.evs))
        again = service.answer(question.visitor, question.token, other, preferences, now + timedelta(seconds=1))
        assert (again.is_new, again.decision) == (False, first.decision)
    return first


@dataclass
class Count:
    """Sums, by the plainest means."""

    decisions: int = 0
    right: int = 0
    hinted: int = 0
    ev_lost: float = 0.0
    ev_cost: float = 0.0
    times: dict[int, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, row: Row[Any]) -> None:
        if row.is_hinted:
            self.hinted += 1
            return
        self.decisions += 1
        self.right += row.is_right
        self.ev_lost += 0 if row.is_right else row.ev_cost
        self.ev_cost += row.ev_cost
        if row.time_ms is not None:
            self.times[bucket_of(row.time_ms / 1000)] += 1

    def shown(self) -> tuple[object, ...]:
        """Comparable: sums of floats to nine digits, since they depend on the order."""
        lost, cost = round(self.ev_lost, 9), round(self.ev_cost, 9)
        return self.decisions, self.right, self.hinted, lost, cost, dict(self.times)


def stored_decisions() -> Sequence[tuple[Row[Any], str]]:
    """All answers with the hash of their strategy, oldest first."""
    with transaction() as connection:
        rows = connection.execute(select(Decision, RuleSet.strategy_hash).join(
            RuleSet, RuleSet.id == Decision.rule_set_id).order_by(Decision.id))
        return [(row, row.strategy_hash) for row in rows]


def recount_tallies() -> dict[tuple[object, ...], tuple[object, ...]]:
    """What the tallies must be."""
    counts: dict[tuple[object, ...], Count] = defaultdict(Count)
    for row, strategy_hash in stored_decisions():
        for scope, cell, mode, day in (
            (0, (row.row, row.upcard_rank), row.mode, row.day), (1, (row.row, row.upcard_rank), "", ALL_DAYS),
            (2, (0, 0), "", row.day), (4, (0, 0), "", row.day.replace(day=1)), (3, (0, 0), "", ALL_DAYS),
        ):
            counts[row.user_id, scope, strategy_hash, row.category, *cell, mode, day].add(row)
    return {key: count.shown() for key, count in counts.items()}


def stored_tallies() -> dict[tuple[object, ...], tuple[object, ...]]:
    """What they are."""
    with transaction() as connection:
        rows = connection.execute(select(Tally)).all()
    return {
        (row.user_id, row.scope, row.strategy_hash, row.category, row.row, row.upcard_rank, row.mode, row.day): (
            row.decisions, row.right, row.hinted, round(row.ev_lost, 9), round(row.ev_cost, 9), from_text(row.times))
        for row in rows
    }


def recount_memories() -> dict[tuple[object, ...], Memory]:
    """What every answer in turn makes of the memory of its cell, by user, chart and cell."""
    found: dict[tuple[object, ...], Memory] = {}
    for row, strategy_hash in sorted(stored_decisions(), key=lambda each: (each[0].created_at, each[0].id)):
        if row.category != "insurance":
            key = row.user_id, strategy_hash, Cell(row.category, row.row, row.upcard_rank)
            recall = recall_of(is_right=row.is_right, is_slow=row.is_slow, is_hinted=row.is_hinted)
            memory = remember(found.get(key), recall, row.created_at)
            found |= {key: memory} if memory else {}
    return found


def stored_memories() -> dict[tuple[object, ...], Memory]:
    """What they are."""
    with transaction() as connection:
        rows = connection.execute(select(CellMemory)).all()
    names = [each.name for each in fields(Memory)]
    return {(row.user_id, row.strategy_hash, Cell(row.category, row.row, row.upcard_rank)):
            Memory(*(getattr(row, name) for name in names)) for row in rows}


def recount_sittings() -> dict[int, tuple[object, ...]]:
    """Hands, right, hinted, streak, EV lost and times of every practice session; at tables there is none."""
    found: dict[int, list[Row[Any]]] = defaultdict(list)
    for row, _ in stored_decisions():
        if row.mode != "table":
            found[row.session_id].append(row)
    return {key: (len(rows), *sum_up(rows)) for key, rows in found.items()}


def sum_up(rows: Sequence[Row[Any]]) -> tuple[object, ...]:
    count, streak = Count(), 0
    for row in rows:
        count.add(row)
        if not row.is_hinted:
            streak = streak + 1 if row.is_right else 0
    return count.right, count.hinted, streak, round(count.ev_lost, 9), dict(count.times)


def stored_sittings() -> dict[int, tuple[object, ...]]:
    with transaction() as connection:
        rows = connection.execute(select(PracticeSession)).all()
    return {row.id: (row.hands, row.right, row.hinted, row.streak, round(row.ev_lost, 9), from_text(row.times))
            for row in rows}


def local_day(moment: datetime, zone: str) -> date:
    return moment.astimezone(ZoneInfo(zone) if zone else UTC).date()
