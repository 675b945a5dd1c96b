"""One part of an import: hands checked and judged by the engine, then stored under tokens of their own."""

import base64
import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache

from trainer.drill.grade import Grade, Judgement, grade, judge
from trainer.drill.situation import Situation, UnseenCards
from trainer.engine.errors import EngineError, IllegalActionError
from trainer.engine.rules import Rules
from trainer.engine.strategy import Strategy
from trainer.service.import_file import Head, Line
from trainer.service.import_reading import ImportFaultError
from trainer.storage.decisions import NewDecision, owners_of
from trainer.storage.goals import Day
from trainer.storage.importing import Part
from trainer.storage.sittings import sittings_begun
from trainer.storage.transaction import Connection
from trainer.storage.users import ensure_rule_set

# A token that somebody else has is replaced; by so many in a row at most.
_TOKENS_TRIED = 4

Judge = Callable[[Rules], Strategy]


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
    found = line.decision
    try:
        if (found.tens_left is None) != (found.cards_left is None):
            raise ImportFaultError(f"{line.place}.tens_left", "and cards_left are given together or not at all.")
        unseen = None
        if found.tens_left is not None and found.cards_left is not None:
            unseen = UnseenCards(found.tens_left, found.cards_left)
        situation = Situation.from_text(rules, found.cards, found.upcard, unseen)
        _check_dealt(situation)
        judgement = judge(strategy_of(rules), situation)
    except EngineError as error:
        raise ImportFaultError(f"{line.place}.cards", f"cannot be asked: {ascii(str(error))[1:200]}.") from None
    try:
        return JudgedLine(line, situation, judgement, grade(judgement, found.chosen, found.grading))
    except IllegalActionError as error:
        raise ImportFaultError(f"{line.place}.chosen", f"cannot be: {ascii(str(error))[1:200]}.") from None


def _check_dealt(situation: Situation) -> None:
    """Whether a shoe of these rules can have dealt these very cards; ``EngineError`` where it cannot."""
    cards, decks = (*situation.hand.cards, situation.upcard), situation.rules.decks
    counts: dict[object, int] = defaultdict(int)
    for card in cards:
        # Four of a face in each deck, and one of a face and a suit.
        counts[card.face] += 1
        counts[card.face, card.suit] += card.suit is not None
        if counts[card.face] > 4 * decks or counts[card.face, card.suit] > decks:
            raise EngineError(f"{situation.cards_text} against {situation.upcard} is more than {decks} decks hold")
    if situation.is_insurance and situation.rules.insurance == "none":
        raise EngineError("there is no insurance under these rules")


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
