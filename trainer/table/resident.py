"""Residents: players who stand in for other people at a solo table and play every hand by the chart."""

from random import Random

from trainer.engine.actions import Action
from trainer.engine.chart import Chart
from trainer.engine.hands import Hand
from trainer.table.event import Event, EventKind
from trainer.table.moves import legal_moves, moves_before_peek
from trainer.table.round import Phase, Round

NAMES = ("Ahmose", "Meryt", "Khufu", "Nofret")
# How many of the table's smallest bet a resident puts out, each as likely as another.
_BETS = (1, 1, 2, 2, 3, 5)


def chart_event(round_: Round, box: int, chart: Chart, now: int = 0) -> Event:
    """What the chart answers for an awaited box once bets are made; it never insures."""
    hand = Hand(round_.asked_hand(box).cards)
    if round_.active is not None:
        move = chart.move(hand, round_.upcard, legal_moves(round_))
        return Event(EventKind.MOVE, round_.step, box, action=move, at=now)
    if round_.phase == Phase.EARLY_SURRENDER:
        move = chart.move(hand, round_.upcard, moves_before_peek(round_, box))
        if move == Action.SURRENDER:
            return Event(EventKind.MOVE, round_.step, box, action=move, at=now)
    return Event(EventKind.DECLINE, round_.step, box, at=now)


def resident_event(round_: Round, chart: Chart, random: Random, now: int = 0) -> Event | None:
    """The next resident's answer; ``None`` where none is awaited, or someone else is on turn."""
    for box in round_.awaited:
        player = round_.player_of(box)
        if not player.is_resident:
            continue
        if round_.phase != Phase.BETTING:
            return chart_event(round_, box, chart, now)
        terms = round_.terms
        bet = min(terms.smallest * random.choice(_BETS), terms.largest)
        bet = min(bet, player.stack // terms.bet_step * terms.bet_step)
        if bet < terms.smallest:
            return Event(EventKind.SIT_OUT, round_.step, box, at=now)
        return Event(EventKind.BET, round_.step, box, amount=bet, at=now)
    return None
