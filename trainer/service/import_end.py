"""The end of an import: streaks and sprints, saved rule sets, settings and paces."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from operator import attrgetter

from trainer.drill.plan import Mode
from trainer.drill.sprint import SPRINT_TIME, points
from trainer.engine.presets import TITLES
from trainer.engine.rule_key import key_of
from trainer.service.import_file import Head
from trainer.service.import_judging import rules_of
from trainer.service.rule_sets import MOST_SAVED
from trainer.storage.decisions import DecisionRow, run_decisions
from trainer.storage.runs import Run, add_runs, all_runs
from trainer.storage.saved_rules import add_saved, list_saved, numbered
from trainer.storage.transaction import Connection
from trainer.storage.users import UserRow, ensure_rule_set, mark_seen, save_settings


def finish(connection: Connection, visitor: str, user: UserRow, head: Head, now: datetime) -> None:
    """Store what follows the decisions of a file, as far as the user does not have it; the user must be locked."""
    _add_runs(connection, user.id, head)
    _add_saved(connection, visitor, user.id, head)
    settings = dict(head.settings) | user.settings
    if settings != user.settings:
        save_settings(connection, user.id, settings)
    mark_seen(connection, user.id, now, dict(head.paces) | user.paces)


def _add_runs(connection: Connection, user_id: int, head: Head) -> None:
    own = all_runs(connection, user_id)
    known = {(run.mode, run.strategy_hash, run.started_at) for run in own}
    read = {(mode, strategy, datetime.fromisoformat(text)): is_ended for mode, strategy, text, is_ended in head.runs}
    new = [Run(0, *kind, is_ended=is_ended, answers=0, right=0, score=0.0)
           for kind, is_ended in read.items() if kind not in known]
    if new:
        counted = count_runs([*own, *new], run_decisions(connection, user_id))
        add_runs(connection, user_id, [run for run in counted if run.id == 0])


def count_runs(runs: Sequence[Run], decisions: Iterable[tuple[DecisionRow, str]]) -> list[Run]:
    """Runs with answers, right ones and score counted again from decisions with their strategy hashes, oldest first.

    A decision belongs to the run of its kind that began last before it, a sprint's to nothing after the minute.
    """
    by_kind: dict[tuple[str, str], list[Run]] = defaultdict(list)
    for run in sorted(runs, key=attrgetter("started_at")):
        by_kind[run.mode, run.strategy_hash].append(replace(run, answers=0, right=0, score=0.0))
    for decision, strategy_hash in decisions:
        of_kind = by_kind.get((decision.mode, strategy_hash), [])
        place = bisect_right(of_kind, decision.created_at, key=attrgetter("started_at")) - 1
        if place >= 0:
            of_kind[place] = _with(of_kind[place], decision)
    return [run for of_kind in by_kind.values() for run in of_kind]


def _with(run: Run, decision: DecisionRow) -> Run:
    counted = replace(run, answers=run.answers + 1, right=run.right + decision.is_right)
    if run.mode != Mode.SPRINT:
        return replace(counted, score=run.score + decision.is_right, is_ended=run.is_ended or not decision.is_right)
    if decision.created_at > run.started_at + SPRINT_TIME:
        return run
    return replace(counted, score=run.score + points(decision.judgement, decision.grade))


def _add_saved(connection: Connection, visitor: str, user_id: int, head: Head) -> None:
    """Rule sets that the user has keep their name, equal names get a number; those beyond the limit stay behind."""
    own = list_saved(connection, visitor)
    hashes, names = {row.rule_set_hash for row in own}, {row.name_key for row in own}
    for name, name_key, rules_name, saved_at in head.saved_rules:
        rules = rules_of(head.rule_sets[rules_name])
        if rules.rule_set_hash in hashes or key_of(rules) in TITLES or len(hashes) >= MOST_SAVED:
            continue
        kept, key = next(each for each in numbered(name, name_key) if each[1] not in names)
        hashes.add(rules.rule_set_hash)
        names.add(key)
        add_saved(connection, user_id, ensure_rule_set(connection, rules), kept, key, datetime.fromisoformat(saved_at))
