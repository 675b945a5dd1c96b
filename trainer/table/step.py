"""The state machine: a round and an event in, the next round and what happened out."""

from collections.abc import Callable

from trainer.engine.actions import Action, require_legal
from trainer.table.amount import shown
from trainer.table.course import after_bets, after_early_surrender, after_insurance, next_turn
from trainer.table.draft import Draft
from trainer.table.errors import BetError, ChipsError, LateEventError, StaleEventError, TurnError
from trainer.table.event import Event, EventKind, Step, Told
from trainer.table.moves import insurance_range, legal_moves
from trainer.table.play import MOVES, end_hand, stand
from trainer.table.round import Ending, Line, Phase, Reason, Round


def step(round_: Round, event: Event) -> Step:
    """Apply an event.

    Whoever calls has made sure that the event comes from the box's own player. Where the event is not allowed nothing
    changes and the reason is raised: ``StaleEventError`` for an answer to an earlier question, ``LateEventError``
    past the deadline (let :func:`time_up` run first), ``TurnError`` where the box is not asked that now, ``BetError``,
    ``ChipsError``, or the engine's ``IllegalActionError``.
    """
    _require_current(round_, event)
    draft = Draft(round_, event.at)
    _HANDLERS[event.kind](draft, event)
    return draft.finish()


def time_up(round_: Round, now: int) -> Event | None:
    """The event that the clock makes by ``now``, in milliseconds; ``None`` while there is time."""
    if round_.deadline is None or now <= round_.deadline:
        return None
    return Event(EventKind.TIME_UP, round_.step, at=now)


def _require_current(round_: Round, event: Event) -> None:
    if round_.is_over:
        raise StaleEventError("the round is over")
    if not 0 <= event.box < len(round_.boxes):
        raise TurnError(f"there is no box {event.box + 1} in this round")
    oldest = 0 if event.kind == EventKind.FORFEIT else round_.asked_at
    if not oldest <= event.step <= round_.step:
        raise StaleEventError("that has been answered already; look at the table again")
    is_late = round_.deadline is not None and event.at > round_.deadline
    if is_late and event.kind not in (EventKind.TIME_UP, EventKind.FORFEIT):
        raise LateEventError("the time was up")


def _require_awaited(draft: Draft, box: int, phase: Phase) -> None:
    if draft.phase != phase:
        raise TurnError(f"this is not the time for that: the round is at {draft.phase}")
    if not draft.boxes[box].is_awaited:
        raise StaleEventError(f"box {box + 1} has answered already")


def _bet(draft: Draft, event: Event) -> None:
    _require_awaited(draft, event.box, Phase.BETTING)
    draft.terms.check_bet(event.amount)
    draft.pay(event.box, -event.amount)
    draft.change(event.box, bet=event.amount, is_awaited=False)
    draft.tell(Told.BET, event.box, amount=event.amount)
    after_bets(draft)


def _sit_out(draft: Draft, event: Event) -> None:
    _require_awaited(draft, event.box, Phase.BETTING)
    draft.change(event.box, is_awaited=False)
    draft.tell(Told.SITS_OUT, event.box)
    after_bets(draft)


def _insure(draft: Draft, event: Event) -> None:
    _require_awaited(draft, event.box, Phase.INSURANCE)
    if draft.boxes[event.box].has_natural:
        raise TurnError("a natural is offered even money, not insurance")
    least, most = insurance_range(draft.rules, draft.boxes[event.box].bet)
    is_whole = isinstance(event.amount, int) and not isinstance(event.amount, bool)
    if not is_whole or not least <= event.amount <= most:
        raise BetError(f"insurance of this bet is {shown(least)}" + (f" to {shown(most)}" if least < most else ""))
    draft.pay(event.box, -event.amount)
    draft.change(event.box, insurance=event.amount, is_awaited=False)
    draft.tell(Told.INSURED, event.box, amount=event.amount)
    after_insurance(draft)


def _even_money(draft: Draft, event: Event) -> None:
    _require_awaited(draft, event.box, Phase.INSURANCE)
    if not draft.boxes[event.box].has_natural:
        raise TurnError("even money is offered to a natural only")
    draft.change(event.box, has_even_money=True, is_awaited=False)
    draft.tell(Told.EVEN_MONEY, event.box, amount=draft.boxes[event.box].bet)
    after_insurance(draft)


def _decline(draft: Draft, event: Event) -> None:
    phase = Phase.EARLY_SURRENDER if draft.phase == Phase.EARLY_SURRENDER else Phase.INSURANCE
    _require_awaited(draft, event.box, phase)
    draft.change(event.box, is_awaited=False)
    draft.tell(Told.DECLINED, event.box)
    _go_on(draft)


def _move(draft: Draft, event: Event) -> None:
    if draft.phase == Phase.EARLY_SURRENDER:
        _surrender_early(draft, event)
        return
    if draft.active is None or draft.active[0] != event.box:
        raise TurnError(f"it is not box {event.box + 1}'s turn")
    if event.action is None:
        raise TurnError("a move needs an action")
    legal = legal_moves(draft.before)
    if event.action not in legal and event.action in legal_moves(draft.before, with_chips=False):
        raise ChipsError(f"not enough chips for a second bet, which {event.action} needs")
    require_legal(event.action, legal)
    MOVES[event.action](draft, *draft.active)
    next_turn(draft)


def _surrender_early(draft: Draft, event: Event) -> None:
    _require_awaited(draft, event.box, Phase.EARLY_SURRENDER)
    if event.action != Action.SURRENDER:
        raise TurnError("before the dealer looks, a hand is surrendered or not")
    draft.change(event.box, is_awaited=False)
    end_hand(draft, event.box, 0, Ending.SURRENDERED)
    draft.tell(Told.SURRENDERED, event.box, 0)
    after_early_surrender(draft)


def _forfeit(draft: Draft, event: Event) -> None:
    """Give up a box for good, at any time: what is staked and not settled is lost, the others play on."""
    box = draft.boxes[event.box]
    if draft.phase == Phase.BETTING and box.is_awaited:
        _sit_out(draft, event)
        return
    settled = {line.hand for line in draft.lines if line.box == event.box}
    left = [place for place, hand in enumerate(box.hands)
            if hand.ending != Ending.FORFEITED and place not in settled]
    is_undealt = bool(box.bet) and not box.hands and not settled
    if not left and not is_undealt:
        raise TurnError(f"box {event.box + 1} has nothing left to give up")
    draft.tell(Told.FORFEITED, event.box)
    if is_undealt:
        draft.settle(Line(event.box, 0, box.bet, 0, Reason.FORFEIT))
    for place in left:
        end_hand(draft, event.box, place, Ending.FORFEITED)
    draft.change(event.box, is_awaited=False, has_even_money=False)
    is_on_turn = draft.active is not None and draft.active[0] == event.box
    if is_on_turn or box.is_awaited:
        _go_on(draft)


def _time_up(draft: Draft, event: Event) -> None:
    """Bets not made sit out, offers are declined, a hand stands: the clock never spends chips."""
    if draft.deadline is None or event.at <= draft.deadline:
        raise LateEventError("there is time left")
    draft.tell(Told.TIME_UP)
    if draft.active is not None:
        stand(draft, *draft.active)
    told = Told.SITS_OUT if draft.phase == Phase.BETTING else Told.DECLINED
    for number, box in enumerate(draft.boxes):
        if box.is_awaited:
            draft.change(number, is_awaited=False)
            draft.tell(told, number)
    _go_on(draft)


def _go_on(draft: Draft) -> None:
    """What follows an answer, by the part of the round that it was given in."""
    _FOLLOWING[draft.phase](draft)


_HANDLERS: dict[EventKind, Callable[[Draft, Event], None]] = {
    EventKind.BET: _bet,
    EventKind.SIT_OUT: _sit_out,
    EventKind.INSURE: _insure,
    EventKind.EVEN_MONEY: _even_money,
    EventKind.DECLINE: _decline,
    EventKind.MOVE: _move,
    EventKind.FORFEIT: _forfeit,
    EventKind.TIME_UP: _time_up,
}
_FOLLOWING: dict[Phase, Callable[[Draft], None]] = {
    Phase.BETTING: after_bets,
    Phase.INSURANCE: after_insurance,
    Phase.EARLY_SURRENDER: after_early_surrender,
    Phase.PLAYING: next_turn,
}
