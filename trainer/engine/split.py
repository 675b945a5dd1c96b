"""What splitting is worth, exactly, up to four hands.

After a split every hand is played by one fixed policy. So the orders in which a hand reaches each
final composition are counted once for each pair rank and upcard, and each number of missing pair
cards only changes the chance of an order and the dealer's odds (:mod:`trainer.engine.orders`);
:mod:`trainer.engine.resplit` adds the hands up. Values are unconditional, in original bets.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from trainer.engine.cards import ACE, TEN
from trainer.engine.lattice import BoolArray, FloatArray, IntArray
from trainer.engine.orders import Orders, count_orders, order_chances
from trainer.engine.player import STAND, Table
from trainer.engine.resplit import SplitDeal, gone_limit


@dataclass(frozen=True, eq=False)
class PairPlay:
    """One split pair rank under one policy, ready to be added up.

    ``one`` and ``paired``: ``X(a, 0)`` and ``P(a, 0)`` as (a, measures, upcards). Measures are the value
    and, where asked for, the expected doubles, busts and pushes of one hand.
    """

    rank: int
    row: int
    one: FloatArray
    paired: FloatArray


@dataclass(frozen=True, eq=False)
class SplitResult:
    """Splitting one pair rank against each upcard, arrays (upcards,).

    ``value`` is unconditional. The counts are means per split, over the rounds in which it is
    really played: where the dealer peeks, those without a dealer's natural; ``None`` unless asked for.
    """

    value: FloatArray
    hands: FloatArray
    doubles: FloatArray | None = None
    busts: FloatArray | None = None
    pushes: FloatArray | None = None


def play_pairs(
    table: Table, ranks: Iterable[int], moves: IntArray, *, with_counts: bool = False
) -> Mapping[int, PairPlay]:
    """Play split hands of each rank by ``moves`` (hands, upcards), the policy after a split.

    Aces that the rules let have one card only are not played by ``moves``.
    """
    drafts = [_Draft.of(table, rank, moves) for rank in ranks]
    if not drafts:
        return {}
    # One call for all ranks: the dealer's odds are what takes the time, and they go in blocks.
    table.odds.prepare(np.concatenate([draft.removed[draft.ends] for draft in drafts]))
    return {draft.rank: draft.play(table, with_counts=with_counts) for draft in drafts}


def add_up(table: Table, play: PairPlay, pair_cards: FloatArray | None = None) -> SplitResult:
    """All hands of a split together.

    ``pair_cards`` (upcards,): cards left that make a pair with the two in hand, beside them
    and the upcard; by default all of that rank. Tens that pair by face need it.
    """
    of_rank = np.maximum(table.odds.shoe[play.rank - 1] - 2.0 - (table.upcards == play.rank), 0.0)
    left = of_rank if pair_cards is None else np.maximum(pair_cards, 0.0)
    deal = SplitDeal(left, float(table.odds.shoe.sum() - 3), table.rules.split_hand_limit(play.rank))
    sums = deal.add_up(play.one, play.paired)
    hands = deal.expected_hands()
    natural = table.natural[play.row]
    hands_if_natural = _hands_given_natural(table, play.rank, deal, of_rank)
    value = sums[0]
    if table.rules.loses_only_original_bets:
        value = value + (hands_if_natural - 1.0) * natural
    counts = sums[1:]
    if table.rules.is_peek:
        played = np.maximum(1.0 - natural, np.finfo(float).tiny)
        hands = (hands - hands_if_natural * natural) / played
        counts = counts / played
    return SplitResult(value, hands, *counts)


@dataclass(frozen=True, eq=False)
class _Draft:
    """The orders of one pair rank: for each number of missing pair cards, the hands it ends on.

    ``rows`` (k,): the hands met; ``one`` and ``paired``: orders to them from one pair card and
    from two that stay together; ``removed`` (a, k, 10): the cards off the shoe once a hand is
    complete, the first pair cards and the missing ones included; ``ends`` (a, k): where the hand
    may end and the shoe has those cards, so that dealer odds are needed.
    """

    rank: int
    row: int
    rows: IntArray
    one: Orders
    paired: Orders
    removed: IntArray
    ends: BoolArray

    @classmethod
    def of(cls, table: Table, rank: int, moves: IntArray) -> "_Draft":
        lattice, shoe = table.lattice, table.odds.shoe
        if rank == ACE and not table.rules.hit_split_aces:
            moves = np.full_like(moves, STAND)
        single = lattice.rows[tuple(cards_of(rank, 1).tolist())]
        pair = int(lattice.successors[single, rank - 1])
        one, paired = count_orders(table, (single, pair), moves)
        rows = np.flatnonzero((one.stands + one.lands + one.enters).any(axis=1))
        one, paired = one.at(rows), paired.at(rows)
        gone = np.arange(min(gone_limit(table.rules.split_hand_limit(rank)), int(shoe[rank - 1]) - 2) + 1)
        removed = lattice.compositions[rows] + (gone[:, None, None] + 1) * cards_of(rank, 1)
        ends = np.logical_and((removed <= shoe).all(axis=-1), (one.stands + one.lands).any(axis=1))
        return cls(rank, pair, rows, one, paired, removed, ends)

    def play(self, table: Table, *, with_counts: bool) -> PairPlay:
        odds, shoe = table.odds, table.odds.shoe
        gone = np.arange(len(self.removed))[:, None]
        starts = shoe - (gone + 2) * cards_of(self.rank, 1)
        chance = order_chances(starts, table.lattice.compositions[self.rows] - cards_of(self.rank, 1), table.upcards)
        totals = np.broadcast_to(table.lattice.totals[self.rows], self.ends.shape)[self.ends]
        ended = _Ended(
            chance,
            _spread(odds.stand(self.removed[self.ends], totals), self.ends),
            odds.naturals(self.removed),
            _spread(odds.ties(self.removed[self.ends], totals), self.ends) if with_counts else None,
        )
        one = ended.measure(table, self.one, odds.naturals(shoe - starts))
        # P is X's second draw given: the same orders, less the chance of that draw.
        second = (starts[:, self.rank - 1, None] - (table.upcards == self.rank)) / np.maximum(
            starts.sum(axis=1)[:, None] - 1.0, 1.0)
        given = np.divide(chance, second[:, None], out=np.zeros_like(chance), where=second[:, None] > 0)
        paired = replace(ended, chance=given).measure(
            table, self.paired, odds.naturals(shoe - starts + cards_of(self.rank, 1)))
        return PairPlay(self.rank, self.row, one, paired)


@dataclass(frozen=True, eq=False)
class _Ended:
    """What is known of every end of a hand, (a, k, upcards) each; ``tie`` only for counts."""

    chance: FloatArray
    stand: FloatArray
    natural: FloatArray
    tie: FloatArray | None

    def measure(self, table: Table, orders: Orders, natural_at_start: FloatArray) -> FloatArray:
        """Value and, with ``tie``, doubles, busts and pushes of one hand: (a, measures, upcards).

        What neither stands nor lands from a double is bust, for -1 or -2.
        """
        stands, lands, enters = (counts * self.chance for counts in (orders.stands, orders.lands, orders.enters))
        kept = self.natural if table.rules.loses_only_original_bets else 0.0
        measures = [((stands + 2.0 * lands) * (self.stand + 1.0)).sum(axis=1) - 1.0
                    - (enters * (1.0 - kept)).sum(axis=1)]
        if self.tie is not None:
            played = 1.0 - self.natural if table.rules.is_peek else np.ones_like(self.natural)
            at_start = 1.0 - natural_at_start if table.rules.is_peek else np.ones_like(natural_at_start)
            measures += [
                (enters * played).sum(axis=1),
                at_start - ((stands + lands) * played).sum(axis=1),
                ((stands + lands) * self.tie).sum(axis=1),
            ]
        return np.stack(measures, axis=1)


def cards_of(rank: int, count: int) -> IntArray:
    """The composition of ``count`` cards of one rank."""
    cards = np.zeros(10, dtype=np.int64)
    cards[rank - 1] = count
    return cards


def _hands_given_natural(table: Table, rank: int, deal: SplitDeal, of_rank: FloatArray) -> FloatArray:
    """Expected hands when the hole card makes a natural: one card fewer, perhaps one of the pair's."""
    hole = np.where(table.upcards == ACE, TEN, ACE)
    is_pair_card = np.where(
        hole == rank, np.divide(deal.pair_cards, of_rank, out=np.zeros_like(of_rank), where=of_rank > 0), 0.0)
    without = replace(deal, cards=deal.cards - 1.0)
    with_one = replace(without, pair_cards=np.maximum(deal.pair_cards - 1.0, 0.0))
    return is_pair_card * with_one.expected_hands() + (1.0 - is_pair_card) * without.expected_hands()


def _spread(values: FloatArray, places: BoolArray) -> FloatArray:
    """``values`` put where ``places`` is true, zero elsewhere."""
    spread = np.zeros((*places.shape, values.shape[-1]))
    spread[places] = values
    return spread
