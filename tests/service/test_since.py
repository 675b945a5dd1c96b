"""What became of mistakes since, and how many reviews are due."""

from datetime import timedelta

import pytest
from sqlalchemy import event

from tests.service.history import START, VISITORS, practise, stored_decisions
from trainer.drill.memory import is_due
from trainer.drill.mistake_filter import MistakeFilter
from trainer.drill.plan import Mode, Plan
from trainer.engine.presets import RULE_SETS
from trainer.service.mistakes import NEWEST, page_of_mistakes, query_of
from trainer.service.overview import count_reviews
from trainer.service.preferences import Preferences
from trainer.storage.database import db
from trainer.storage.memories import memories_of
from trainer.storage.transaction import transaction
from trainer.storage.users import find_user

ME, OTHER = VISITORS
HASH = RULE_SETS["hall-of-thoth"].strategy_hash
EVERYTHING = query_of(MistakeFilter(), "", NEWEST)
SIXTEEN, EIGHTEEN = (Plan(mode=Mode.FOCUS, rows=(row,), upcards=("T",)) for row in ("h16", "s18"))


def play(service, plan, minute, *, right, visitor=ME, hinted=False):
    """Answer a hand so many minutes after the start; the decision's id."""
    now = START + timedelta(minutes=minute)
    question = service.open_hand(visitor, plan, 0, now)
    if hinted:
        service.hint(visitor, question.token, now)
    judgement = service.judge(question.situation)
    worst = min(judgement.evs, key=judgement.evs.get)
    return service.answer(visitor, question.token, judgement.chart if right else worst, Preferences(), now).decision.id


def right_since(visitor=ME):
    return set(page_of_mistakes(visitor, EVERYTHING).right_since)


def test_a_right_answer_makes_every_earlier_mistake_on_its_cell_good(service):
    first, second = (play(service, SIXTEEN, minute, right=False) for minute in (0, 1))
    other = play(service, EIGHTEEN, 2, right=False)
    assert right_since() == set()
    play(service, SIXTEEN, 3, right=True)
    assert right_since() == {first, second}
    play(service, EIGHTEEN, 4, right=True)
    assert right_since() == {first, second, other}


def test_a_mistake_after_it_undoes_that_and_an_answer_before_counts_for_nothing(service):
    play(service, SIXTEEN, 0, right=True)
    first = play(service, SIXTEEN, 1, right=False)
    assert right_since() == set()
    play(service, SIXTEEN, 2, right=True)
    assert right_since() == {first}
    second = play(service, SIXTEEN, 3, right=False)
    assert right_since() == set()
    play(service, SIXTEEN, 4, right=True)
    assert right_since() == {first, second}


def test_an_answer_with_the_chart_in_view_makes_nothing_good(service):
    play(service, SIXTEEN, 0, right=False)
    play(service, SIXTEEN, 1, right=True, hinted=True)
    assert right_since() == set()


def test_what_others_answer_and_other_charts_make_nothing_good(service):
    mine = play(service, SIXTEEN, 0, right=False)
    play(service, SIXTEEN, 1, right=True, visitor=OTHER)
    play(service, Plan("squarescores", Mode.FOCUS, rows=("h16",), upcards=("T",)), 2, right=True)
    assert right_since() == set()
    play(service, Plan("openseat", Mode.FOCUS, rows=("h16",), upcards=("T",)), 3, right=True)
    assert right_since() == {mine}
    assert right_since("c" * 32) == set()


def expected_right_since(user_id):
    """Mistakes whose cell's last answer, of those that count, is later and right; by the whole history."""
    last, mistakes = {}, []
    for row, strategy_hash in stored_decisions():
        if row.user_id == user_id and row.category != "insurance" and not row.is_hinted:
            last[strategy_hash, row.category, row.row, row.upcard_rank] = row
            if not row.is_right:
                mistakes.append((row.id, (strategy_hash, row.category, row.row, row.upcard_rank)))
    return {key for key, cell in mistakes if last[cell].is_right}


def test_it_is_what_the_history_says(service):
    practise(service, 250, seed=41)
    with transaction() as connection:
        me = find_user(connection, ME).id
    found, query = set(), EVERYTHING
    while query:
        page = page_of_mistakes(ME, query)
        assert page.right_since <= {each.id for each in page.mistakes}
        found |= page.right_since
        query = query_of(MistakeFilter(), "", NEWEST, after=page.next_after) if page.next_after else None
    assert found == expected_right_since(me)
    assert len(found) > 3


def test_a_page_asks_once_however_many_mistakes_it_lists(service):
    counts = []
    for number in range(3):
        play(service, SIXTEEN, 2 * number, right=False)
        play(service, EIGHTEEN, 2 * number + 1, right=False)
        asked = []
        listener = ("after_cursor_execute", lambda *arguments, asked=asked: asked.append(arguments[2]))
        event.listen(db.engine, *listener)
        page_of_mistakes(ME, EVERYTHING)
        event.remove(db.engine, *listener)
        counts.append(len([text for text in asked if "cell_memories" in text]))
    assert counts == [1, 1, 1]


@pytest.mark.parametrize("days", [0, 2, 400])
def test_reviews_are_counted_by_chart(service, days):
    _, now = practise(service, 120, seed=22)
    later = now + timedelta(days=days)
    with transaction() as connection:
        me = find_user(connection, ME).id
        memories = {rules.strategy_hash: memories_of(connection, me, rules.strategy_hash)
                    for rules in RULE_SETS.values()}
    for strategy_hash, own in memories.items():
        assert count_reviews(ME, strategy_hash, later) == sum(is_due(each, later) for each in own.values())
    assert count_reviews(None, HASH, later) == count_reviews("c" * 32, HASH, later) == 0
