"""One cell of a chart, looked into for a visitor."""

from dataclasses import dataclass

from trainer.engine.cell import CellReport, report_cell
from trainer.engine.chart import Cell
from trainer.engine.rules import Rules
from trainer.engine.strategy import Strategy
from trainer.service.strategies import StrategyCache
from trainer.storage.cells import cell_sums
from trainer.storage.sums import Sums
from trainer.storage.transaction import transaction
from trainer.storage.users import find_user

__all__ = ["CellLook", "Sums", "look_into"]


@dataclass(frozen=True)
class CellLook:
    """A cell, the strategy that it belongs to, and what the visitor has made of it so far."""

    strategy: Strategy
    report: CellReport
    record: Sums


def look_into(strategies: StrategyCache, visitor: str | None, rules: Rules, cell: Cell) -> CellLook:
    """Everything about one cell; the record is the visitor's own, on every rule set with the same strategy."""
    strategy = strategies.get(rules)
    return CellLook(strategy, report_cell(strategy, cell), _record(visitor, rules.strategy_hash, cell))


def _record(visitor: str | None, strategy_hash: str, cell: Cell) -> Sums:
    if visitor is None:
        return Sums()
    with transaction() as connection:
        user = find_user(connection, visitor)
        return cell_sums(connection, user.id, strategy_hash, cell) if user else Sums()
