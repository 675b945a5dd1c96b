"""Why a move is right, in one or two sentences built from the numbers of this very hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trainer.drill.grade import Judgement
from trainer.drill.situation import DECLINE, Situation
from trainer.drill.words import gerund, percent, shown_rank, signed, upcard_phrase
from trainer.engine.actions import Action
from trainer.engine.cards import ACE, RANKS, TEN, Card, composition_of, full_shoe
from trainer.engine.chart import PREFERENCES
from trainer.engine.decision import countable, dealer_outcomes
from trainer.engine.hands import total_of
from trainer.engine.solution import is_before_peek
from trainer.engine.strategy import Strategy


@dataclass(frozen=True)
class Odds:
    """What one more card does to a hand, and how standing on it ends.

    ``busts``, ``improves`` and ``makes_17``: chances that the next card takes it over 21, to a better
    total, and to a total of 17 or more. ``wins`` and ``ties``: of standing.
    """

    dealer: Mapping[str, float]
    busts: float
    improves: float
    makes_17: float
    wins: float
    ties: float


def odds_of(strategy: Strategy, situation: Situation) -> Odds:
    """The odds behind the sentences, of a hand that is no insurance decision, for the cards in view.

    All are given that the dealer has no natural where the game has looked before the decision.
    """
    hand, upcard = situation.hand, situation.upcard
    if situation.table is None:
        dealer = strategy.solution.dealer_outcomes(hand, upcard)
    else:
        dealer = dealer_outcomes(situation.rules, hand, upcard, _seen(situation),
                                 is_after_peek=is_after_peek(situation))
    totals = [total_of([count + (rank == drawn) for rank, count in zip(RANKS, hand.composition, strict=True)])
              for drawn in RANKS]
    chances = _next_card_chances(situation)

    def share(keeps: list[bool]) -> float:
        return sum(chance for chance, kept in zip(chances, keeps, strict=True) if kept)

    return Odds(
        dealer,
        share([total > 21 for total in totals]),
        share([hand.total < total <= 21 for total in totals]),
        share([17 <= total <= 21 for total in totals]),
        dealer["bust"] + sum(dealer[str(total)] for total in range(17, 22) if total < hand.total),
        dealer.get(str(hand.total), 0.0),
    )


def _next_card_chances(situation: Situation) -> list[float]:
    """Chance of each rank as the next card, ace first."""
    upcard = situation.upcard
    gone = composition_of((*situation.hand.cards, upcard, *_seen(situation)))
    left = [held - out for held, out in zip(full_shoe(situation.rules.decks), gone, strict=True)]
    cards = sum(left)
    natural_with = {ACE: TEN, TEN: ACE}.get(upcard.rank)
    if natural_with is None or not is_after_peek(situation):
        return [count / cards for count in left]
    # The hole card is known not to make a natural, which leaves it more room among the other ranks.
    weights = [count * (1 - (left[natural_with - 1] - (rank == natural_with)) / (cards - 1))
               for rank, count in zip(RANKS, left, strict=True)]
    return [weight / sum(weights) for weight in weights]


def _seen(situation: Situation) -> Sequence[Card]:
    return countable(situation.rules, situation.hand, situation.table.seen) if situation.table else ()


def is_after_peek(situation: Situation) -> bool:
    """Whether the dealer is known to have no natural; at a table early surrender is asked on its own, before."""
    if situation.table is not None:
        return situation.rules.is_peek and DECLINE not in situation.table.moves
    return situation.rules.is_peek and not is_before_peek(
        situation.rules, len(situation.hand.cards), situation.upcard.rank)


def explain(strategy: Strategy, situation: Situation, judgement: Judgement) -> list[str]:
    """One to three sentences for the best move of these cards, and for the tables where they differ."""
    if situation.is_insurance:
        return _explain_insurance(situation, judgement)
    if DECLINE in judgement.evs:
        return [_why_early_surrender(judgement)]
    odds = odds_of(strategy, situation)
    reasons = {
        Action.STAND: _why_stand,
        Action.HIT: _why_hit,
        Action.DOUBLE: _why_double,
        Action.SPLIT: _why_split,
        Action.SURRENDER: _why_surrender,
    }
    sentences = [reasons[Action(judgement.exact)](situation, judgement, odds) + _why_not_surrender(judgement)]
    if judgement.tables_differ:
        sentences.append(_why_tables_differ(strategy, situation, judgement))
    return sentences


def _why_stand(situation: Situation, _judgement: Judgement, odds: Odds) -> str:
    total, up = situation.hand.total, upcard_phrase(situation.upcard)
    if situation.hand.is_soft:
        return (f"Standing on {total} wins {percent(odds.wins)} of the time and ties {percent(odds.ties)} {up}; "
                f"one more card makes it better only {percent(odds.improves)} of the time.")
    if total < 17:
        return (f"The dealer busts {percent(odds.dealer['bust'])} of the time {up}; "
                f"one card busts your {total} {percent(odds.busts)} of the time.")
    return (f"Standing on {total} wins {percent(odds.wins)} of the time and ties {percent(odds.ties)} {up}; "
            f"one more card busts it {percent(odds.busts)} of the time.")


def _why_hit(situation: Situation, judgement: Judgement, odds: Odds) -> str:
    total, up = situation.hand.total, upcard_phrase(situation.upcard)
    bust = percent(odds.dealer["bust"])
    if situation.hand.is_soft:
        ties = f" and ties {percent(odds.ties)}" if odds.ties else ""
        return (f"No single card can bust a soft hand. Standing on {total} wins {percent(odds.wins)} of the time"
                f"{ties} {up}; hitting is better by {_gain(judgement, 'stand')}.")
    if odds.busts == 0:
        reason = f"No card busts {total}, and standing on it wins only when the dealer busts, {bust} of the time {up}."
        return reason + _why_not_double(judgement)
    if total < 17:
        return (f"Standing on {total} wins only when the dealer busts, {bust} of the time {up}. Hitting busts "
                f"{percent(odds.busts)} of the time and still loses less: {signed(judgement.evs['hit'])} "
                f"against {signed(judgement.evs['stand'])}.")
    return (f"Standing on {total} wins {percent(odds.wins)} of the time {up}; hitting, which busts "
            f"{percent(odds.busts)} of the time, is better by {_gain(judgement, 'stand')}.")


def _why_not_double(judgement: Judgement) -> str:
    if "double" not in judgement.evs:
        return ""
    return f" Doubling would stop you after one card, at {signed(judgement.evs['double'])}."


def _why_not_surrender(judgement: Judgement) -> str:
    """Where that is what comes nearest; beside a split it is told already."""
    if judgement.exact == Action.SPLIT or _best_other(judgement)[0] != Action.SURRENDER:
        return ""
    return f" Giving up half the bet would cost {_gain(judgement, Action.SURRENDER)} more."


def _why_double(situation: Situation, judgement: Judgement, odds: Odds) -> str:
    up = upcard_phrase(situation.upcard)
    single = max(("stand", "hit"), key=lambda move: judgement.evs[move])
    bust = percent(odds.dealer["bust"])
    if situation.hand.is_soft:
        return (f"The dealer busts {bust} of the time {up}, and one card cannot bust your hand, so get more money out: "
                f"doubling is worth {signed(judgement.evs['double'])}, {_gain(judgement, single)} more than "
                f"{gerund(single)}.")
    return (f"One card makes {situation.hand.total} into 17 or more {percent(odds.makes_17)} of the time, and the "
            f"dealer busts {bust} of the time {up}: for two bets that is worth {signed(judgement.evs['double'])}, "
            f"against {signed(judgement.evs[single])} for {gerund(single)}.")


def _why_split(situation: Situation, judgement: Judgement, _odds: Odds) -> str:
    hand = situation.hand
    rank = shown_rank(hand.cards[0].rank)
    other, value = _best_other(judgement)
    kind = "soft" if hand.is_soft else "hard"
    return (f"Kept together, {rank}-{rank} is a {kind} {hand.total} worth {signed(value)} at best, by {gerund(other)}. "
            f"Hands that each start from {'an' if rank in ('A', '8') else 'a'} {rank} are worth "
            f"{signed(judgement.evs['split'])} together.")


def _why_surrender(situation: Situation, judgement: Judgement, odds: Odds) -> str:
    other, value = _best_other(judgement)
    return (f"The dealer busts only {percent(odds.dealer['bust'])} of the time {upcard_phrase(situation.upcard)}. "
            f"The best you could play for is {gerund(other)}, at {signed(value)}: giving up half a bet loses less.")


def _why_early_surrender(judgement: Judgement) -> str:
    return (f"Playing on is worth {signed(judgement.evs[DECLINE])} at best, a dealer’s natural included; "
            f"giving up now costs half a bet, {signed(judgement.evs['surrender'])}.")


def _why_tables_differ(strategy: Strategy, situation: Situation, judgement: Judgement) -> str:
    """Never leave a higher EV beside a move that is marked right without saying why."""
    hand, cell = situation.hand, situation.cell
    more = _gain(judgement, judgement.chart)
    if situation.table is not None and situation.table.seen:
        return (f"The chart’s answer is {judgement.chart}. With these cards out, {gerund(judgement.exact)} "
                f"does {more} better.")
    if cell is not None and cell.section == "pair":
        total = f"{'soft' if hand.is_soft else 'hard'} {hand.total}"
        return (f"The chart plays {cell.row_label} like any other {total} here: {judgement.chart}. "
                f"This pair does {more} better by {gerund(judgement.exact)}.")
    cards = "-".join(shown_rank(card.rank) for card in hand.cards)
    which = f"every {cell}"
    if cell is not None and PREFERENCES[strategy.chart.code(cell)][0] != judgement.chart:
        which = f"{cell} with more than two cards"
    return (f"The chart has one answer for {which}: {judgement.chart}. These very cards, {cards}, "
            f"do {more} better by {gerund(judgement.exact)}.")


def _explain_insurance(situation: Situation, judgement: Judgement) -> list[str]:
    unseen = situation.unseen
    assert unseen is not None  # noqa: S101 - the caller looked
    tens = f"{unseen.tens} of the {unseen.cards} cards you cannot see are tens, {percent(unseen.ten_share, 1)}"
    if not situation.hand.is_natural:
        ev = judgement.evs["insure"]
        side = "more" if ev > 0 else "less" if ev < 0 else "just that, and either answer is right"
        return [f"{tens}.", f"Insurance pays 2 to 1, so it gains when that is more than a third; here it is {side}."]
    pays = situation.rules.blackjack_pays.replace(":", " to ")
    average = signed(judgement.evs["decline"])
    return [
        f"{tens}.",
        f"Declining, you are paid {pays} unless the dealer has a natural too: {average} on average, against +1.",
    ]


def _best_other(judgement: Judgement) -> tuple[str, float]:
    return max(((move, ev) for move, ev in judgement.evs.items() if move != judgement.exact), key=lambda pair: pair[1])


def _gain(judgement: Judgement, move: str) -> str:
    gain = judgement.best_ev - judgement.evs[move]
    return f"{gain:.4f}" if gain >= 0.00005 else "less than 0.0001"
