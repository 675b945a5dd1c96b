"""Playing a drill's hand out: each decision judged, split hands in turn, the dealer, the settlement, the next hand."""

from dataclasses import replace
from datetime import datetime
from random import Random

from trainer.drill.plan import Mode, Plan
from trainer.drill.situation import Situation
from trainer.engine.rule_key import rules_for
from trainer.engine.rules import Rules
from trainer.service.dealing import Dealer
from trainer.service.drill import SITTING_GAP
from trainer.service.keeping import keep
from trainer.service.playing import Judged, Play
from trainer.service.preferences import Preferences
from trainer.service.seat import PLAY_OUT, Seat, is_readable
from trainer.service.seat_keeping import SeatKeeper, TableState, new_decision
from trainer.service.strategies import StrategyCache
from trainer.storage.sittings import count_in_sitting, ensure_sitting
from trainer.storage.tables import PurseRow, find_seat, save_seat
from trainer.storage.transaction import Connection, transaction
from trainer.storage.users import ensure_user
from trainer.table.amount import CHIP
from trainer.table.log import HandLog
from trainer.table.opening import opening_shoe
from trainer.table.round import Player, open_round
from trainer.table.solo import PLAYER, SoloTable
from trainer.table.spec import CUSTOM_KEY, table_for

BET = 10 * CHIP


class PlayOutService(SeatKeeper):
    """The use cases of the mode *play it out*. A plan has a seat of its own, whose key is :func:`seat_key`."""

    def __init__(self, strategies: StrategyCache, random: Random | None = None) -> None:
        super().__init__(strategies, random)
        self._dealer = Dealer(strategies)

    def next_hand(self, visitor: str, plan: Plan, number: int, now: datetime) -> TableState:
        """Deal the hand after hand ``number``; where that has been done already, what became of it.

        ``NothingToDealError`` where the plan's part of the chart has no hands.
        """
        situation = self._dealer.deal(visitor, _opening_plan(plan), 0, now).situation
        key, strategy = seat_key(plan), self._strategies.get(situation.rules)
        with transaction(writes=True) as connection:
            user = ensure_user(connection, visitor, now)
            row = find_seat(connection, user.id, key)
            if row and is_readable(row):
                seat = Seat.from_rows(row, None)
            else:
                seat = Seat(key, _table(plan), table_for(_played(plan)).purse.new(), number=number,
                            version=row.version if row else 0)
            if seat.number == number and not seat.table.is_playing:
                play = Play(self._opened(seat, situation, now), strategy.chart, self._random, _ms(now))
                play.bet([BET])
                play.draw(len(situation.hand.cards) - 2)
                save_seat(connection, user.id, play.seat.to_row(), now)
        return self.look(visitor, key, now)

    def _opened(self, seat: Seat, situation: Situation, now: datetime) -> Seat:
        rules = seat.table.spec.terms.rules
        shoe = opening_shoe(rules, situation.hand.cards, situation.upcard, self._random)
        purse = seat.spec.purse.new()
        opened = open_round(seat.spec.terms, [Player(PLAYER, purse.stack)], [0], shoe, now=_ms(now))
        return replace(seat, table=replace(seat.table, round=opened), purse=purse, log=HandLog(opened), marks=(),
                       number=seat.number + 1, hinted_at=-1)

    def _rules_of(self, key: str) -> Rules:
        return rules_for(plan_of(key).rules_key)

    def _keep(self, connection: Connection, user_id: int, play: Play, preferences: Preferences, now: datetime) -> None:
        plan = plan_of(play.seat.key)
        for judged in play.judged:
            sitting = ensure_sitting(connection, user_id, now, now - SITTING_GAP)
            new = new_decision(connection, user_id, _by_rules_of(plan, judged), plan, str(plan.mode), preferences, now,
                               sitting.id)
            keep(connection, new, preferences.daily_goal)
            count_in_sitting(connection, sitting, new)

    def _purse_of(self, connection: Connection, user_id: int, key: str) -> PurseRow | None:  # noqa: ARG002
        return None  # every hand is bet from a full one


def seat_key(plan: Plan) -> str:
    """The key of a plan's seat."""
    return f"{PLAY_OUT}{plan.to_query()}"


def plan_of(key: str) -> Plan:
    """The inverse of :func:`seat_key`."""
    return Plan.from_text(key.removeprefix(PLAY_OUT))


def _opening_plan(plan: Plan) -> Plan:
    """What chooses the opening hands: the picked part of the chart, else weak spots, reviews and all hands mixed."""
    is_part = bool(plan.focus or plan.rows or plan.upcards)
    return replace(plan, mode=Mode.FOCUS if is_part else Mode.DEFAULT_MIX)


def _table(plan: Plan) -> SoloTable:
    return SoloTable(CUSTOM_KEY, _played(plan), has_clock=False)


def _played(plan: Plan) -> Rules:
    """The plan's rules without insurance: the opening hand is dealt given that the dealer has no natural."""
    return Rules.from_mapping({"insurance": "none", "shuffle": "hand"}, base=rules_for(plan.rules_key))


def _by_rules_of(plan: Plan, judged: Judged) -> Judged:
    """A decision under the rules that the plan names, which have the same moves."""
    return replace(judged, situation=replace(judged.situation, rules=rules_for(plan.rules_key)))


def _ms(now: datetime) -> int:
    return round(now.timestamp() * 1000)
