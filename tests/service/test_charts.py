"""A visitor's record on a chart cell, against the answers counted again."""

from collections import defaultdict

import pytest
from sqlalchemy import select

from tests.service.history import VISITORS, Count, practise, stored_decisions
from trainer.engine.chart import Cell
from trainer.engine.presets import RULE_SETS
from trainer.service.charts import Sums, look_into
from trainer.storage.models import User
from trainer.storage.transaction import transaction


def test_the_record_of_every_cell_is_a_recount(service, solved):
    practise(service, 150, seed=5)
    with transaction() as connection:
        ids = {user.visitor: user.id for user in connection.execute(select(User))}
    counts = defaultdict(Count)
    for row, strategy_hash in stored_decisions():
        if row.category != "insurance":
            counts[row.user_id, strategy_hash, Cell(row.category, row.row, row.upcard_rank)].add(row)
    assert len(counts) > 60
    cells = {cell for *_, cell in counts}
    for visitor in VISITORS:
        for rules in RULE_SETS.values():
            for cell in list(cells)[::4]:
                expected = counts.get((ids[visitor], rules.strategy_hash, cell), Count())
                record = look_into(solved, visitor, rules, cell).record
                assert (record.decisions, record.right, record.hinted) == (
                    expected.decisions, expected.right, expected.hinted)
                assert (record.ev_lost, record.ev_cost) == pytest.approx((expected.ev_lost, expected.ev_cost))
                assert record.times == dict(expected.times)


@pytest.mark.usefixtures("service")
@pytest.mark.parametrize("visitor", [None, "c" * 32])
def test_who_has_answered_nothing_has_no_record(solved, visitor):
    look = look_into(solved, visitor, RULE_SETS["classic"], Cell("hard", 16, 10))
    assert look.record == Sums()
    assert look.report.code == look.strategy.chart.code(Cell("hard", 16, 10))
