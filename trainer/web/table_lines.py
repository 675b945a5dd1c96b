"""What a sitting at a table came to: decisions and luck told apart, as figures and as two lines."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from trainer.service.tables import RoundRow, TableState
from trainer.table.amount import shown
from trainer.web.table_felt import signed_chips
from trainer.web.trend_view import HEIGHT, WIDTH, LineChart

_MARGIN = 6


@dataclass(frozen=True)
class Figures:
    """Running figures, and the lines once there are two rounds; ``rounds`` says which are drawn."""

    figures: tuple[tuple[str, str], ...]
    charts: tuple[LineChart, ...]
    rounds: str


def figures_view(state: TableState) -> Figures:
    """Of this sitting, the biggest stack and refills of all times."""
    account, purse, edge = state.seat.table.account, state.seat.purse, state.edge
    figures = (
        ("hands", str(account.hands)),
        ("result", signed_chips(account.result)),
        ("expected", signed_chips(account.expected(edge))),
        ("EV given up", shown(round(account.ev_given_up))),
        ("luck", signed_chips(account.luck(edge))),
        ("biggest stack ever", shown(purse.biggest)),
        ("refills", str(purse.refills)),
    )
    rounds = state.rounds
    drawn = f"last {len(rounds)} rounds" if len(rounds) > 1 else ""
    return Figures(figures, _lines(rounds, edge) if drawn else (), drawn)


def _lines(rounds: Sequence[RoundRow], edge: float) -> tuple[LineChart, ...]:
    """Both lines run up from nothing, in chips; luck is the result less what was to be expected of such play."""
    given_up = [0.0, *accumulate(row.ev_given_up for row in rounds)]
    luck = [0.0, *accumulate(row.result - row.wagered * edge + row.ev_given_up for row in rounds)]
    return (_line("Decisions: EV given up so far", given_up, lambda amount: shown(round(amount))),
            _line("Luck: result less expectation so far", luck, signed_chips))


def _line(title: str, values: Sequence[float], text: Callable[[float], str]) -> LineChart:
    top, bottom = max(values), min(values)
    span = (top - bottom) or 1.0
    step = (WIDTH - 2 * _MARGIN) / (len(values) - 1)
    dots = tuple((round(_MARGIN + step * place, 1), round(_MARGIN + (HEIGHT - 2 * _MARGIN) * (top - value) / span, 1))
                 for place, value in enumerate(values))
    return LineChart(title, " ".join(f"{x},{y}" for x, y in dots), dots, text(top), text(bottom))
