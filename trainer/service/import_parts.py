"""One part of an import: judged decisions, ready to be stored under tokens of their own."""

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime

from trainer.engine.rules import Rules
from trainer.service.import_file import Head
from trainer.service.import_judging import JudgedLine
from trainer.storage.decisions import NewDecision, owners_of
from trainer.storage.goals import Day
from trainer.storage.importing import Part
from trainer.storage.sittings import sittings_begun
from trainer.storage.transaction import Connection
from trainer.storage.users import ensure_rule_set

# A token that somebody else has is replaced; by so many in a row at most.
_TOKENS_TRIED = 4


def derived_token(user_id: int, token: str) -> str:
    """The token that a user has in place of one that is somebody else's: always the same.

    >>> derived_token(1, "A" * 22) == derived_token(1, "A" * 22) != derived_token(2, "A" * 22)
    True
    """
    digest = hashlib.sha256(f"{user_id} {token}".encode()).digest()
    return base64.urlsafe_b64encode(digest[:16])[:22].decode()


def new_tokens(connection: Connection, user_id: int, tokens: Iterable[str]) -> dict[str, str]:
    """Those tokens of a file that the user has no decision for yet, with the token that each is to have."""
    chains = {token: _chain(user_id, token) for token in tokens}
    owners = owners_of(connection, {each for chain in chains.values() for each in chain})
    found = {}
    for token, chain in chains.items():
        if user_id not in map(owners.get, chain):
            found[token] = next((each for each in chain if each not in owners), chain[-1])
    return found


def _chain(user_id: int, token: str) -> Sequence[str]:
    chain = [token]
    while len(chain) < _TOKENS_TRIED:
        chain.append(derived_token(user_id, chain[-1]))
    return chain


def prepare(connection: Connection, user_id: int, judged: Sequence[JudgedLine], head: Head) -> Part:
    """What is new of judged decisions, ready to be stored; the user must be locked."""
    by_token: dict[str, JudgedLine] = {}
    for each in judged:
        by_token.setdefault(each.line.decision.token, each)
    tokens = new_tokens(connection, user_id, by_token)
    fresh = [by_token[token] for token in tokens]
    named = {each.line.decision.sitting for each in fresh} - {None}
    read = {str(key): head.sittings[str(key)] for key in named}
    begun = {key: (datetime.fromisoformat(text), is_ended) for key, (text, is_ended) in read.items()}
    sittings = sittings_begun(connection, user_id, dict(begun.values()))
    ids = {key: sittings[moment].id for key, (moment, _) in begun.items()}
    # In one order, so that two imports never wait for each other.
    played = sorted({each.situation.rules for each in fresh}, key=lambda rules: rules.rule_set_hash)
    rule_sets = {rules: ensure_rule_set(connection, rules) for rules in played}
    news = [(_new(each, user_id, tokens, ids, rule_sets), each.situation.rules.strategy_hash) for each in fresh]
    return Part(news, list(sittings.values()), _goal_days(fresh, head))


def _new(
    judged: JudgedLine, user_id: int, tokens: Mapping[str, str], sittings: Mapping[str, int],
    rule_sets: Mapping[Rules, int],
) -> NewDecision:
    found = judged.line.decision
    return NewDecision(
        token=tokens[found.token], user_id=user_id,
        session_id=None if found.sitting is None else sittings[str(found.sitting)],
        rule_set_id=rule_sets[judged.situation.rules], plan=found.plan, position=found.position, mode=found.mode,
        kind=found.kind, situation=judged.situation, judgement=judged.judgement, grade=judged.grade,
        grading=found.grading, is_hinted=found.is_hinted, is_slow=found.is_slow,
        seconds=None if found.time_ms is None else found.time_ms / 1000, day=found.day, created_at=found.answered_at,
    )


def _goal_days(fresh: Iterable[JudgedLine], head: Head) -> list[Day]:
    """The new hands of days with a goal: the last of the day, as many as counted, since it was set in the day."""
    found: dict[date, list[int]] = {}
    for each in fresh:
        day = each.line.decision.day
        goal, hands, of_day = head.goal_days.get(day.isoformat(), (0, 0, 0))
        if goal and each.line.of_day >= of_day - hands:
            found.setdefault(day, [goal, 0])[1] += 1
    return [Day(day, goal, hands) for day, (goal, hands) in found.items()]
