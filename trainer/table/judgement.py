"""What each answer to a round is worth, for the cards in view: for the hint before and the verdict after."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from trainer.engine.actions import Action
from trainer.engine.cards import TEN, Card
from trainer.engine.chart import Chart
from trainer.engine.decision import Decision, countable, decide
from trainer.engine.hands import Hand
from trainer.engine.insurance import insurance_evs
from trainer.engine.rules import Rules
from trainer.table.errors import TurnError
from trainer.table.event import Event, EventKind
from trainer.table.moves import answers, legal_moves, moves_before_peek
from trainer.table.round import Phase, Round, may_hide_natural
from trainer.table.view import unseen_counts

INSURE, EVEN_MONEY, DECLINE = str(EventKind.INSURE), str(EventKind.EVEN_MONEY), str(EventKind.DECLINE)


@dataclass(frozen=True)
class Judgement:
    """What can be said before a box answers.

    ``evs``: every open answer's EV in original bets, by the word that :func:`trainer.table.moves.answers` has for it;
    insurance for half the bet. ``chart`` and ``exact``: the chart's answer and the best for the cards in view;
    insurance has no chart, both are the better answer. ``is_estimate``: so few cards are unseen that some seen ones
    were put back.
    """

    evs: Mapping[str, float]
    chart: str
    exact: str
    is_estimate: bool = False

    @property
    def best_ev(self) -> float:
        return self.evs[self.exact]

    def cost(self, answer: str, part: float = 1.0) -> float:
        """What an answer gives up, in original bets, never below 0; ``part``: insured, of the half bet that may be."""
        return max(self.best_ev - self.evs[answer] * (part if answer == INSURE else 1.0), 0.0)


def judge(round_: Round, box: int, chart: Chart) -> Judgement:
    """Work out every answer that is open to a box, which must be awaited and past betting: ``TurnError`` else.

    The EVs are exact for the cards in view: those on the table, and where there is a cut card all since the shuffle;
    cards that lie face down are not seen. They are given that the dealer has no natural once the dealer has looked.
    Of a hand after a split they are of this hand alone, as :func:`trainer.engine.decision.decide` says: its sisters'
    cards are seen, and what the sisters are worth is the same for every move. Chips for a second bet later on are
    taken to be there. ``chart``: the chart of the round's rules.
    """
    if box not in round_.awaited or round_.phase == Phase.BETTING:
        raise TurnError(f"box {box + 1} has no decision to make now")
    if round_.phase == Phase.INSURANCE:
        return _judge_insurance(round_, box)
    if round_.phase == Phase.EARLY_SURRENDER:
        return _judge_early_surrender(round_, box, chart)
    legal = legal_moves(round_)
    rules = round_.terms.rules
    if rules.is_peek and may_hide_natural(round_.upcard) and rules.surrender == "early":
        rules = replace(rules, surrender="none")  # the dealer has looked, and it is too late
    decision, is_estimate = _decide(round_, rules, box)
    evs = {str(action): decision.evs[action] for action in legal}
    move = chart.move(decision.hand, round_.upcard, legal)
    return Judgement(evs, str(move), best_answer(evs), is_estimate)


def answer_of(event: Event) -> str:
    """The word for an event's answer."""
    return str(event.action) if event.kind == EventKind.MOVE else str(event.kind)


def ev_cost(round_: Round, judgement: Judgement, event: Event) -> float:
    """What an event gives up, in original bets, by the judgement of the box in ``round_`` before it."""
    return judgement.cost(answer_of(event), 2 * event.amount / round_.boxes[event.box].bet)


def best_answer(evs: Mapping[str, float]) -> str:
    """The answer with the highest EV: of equal moves the first in their order, and of others declining.

    A bet that is worth nothing is not made, and nothing is given up for nothing.
    """
    return max(sorted(evs, key=lambda word: word != DECLINE), key=lambda word: evs[word])


def early_answer(chart: Chart, hand: Hand, upcard: Card, legal: Sequence[Action]) -> str:
    """Whether the chart gives a hand up before the dealer looks; ``legal`` as for its first move."""
    return str(Action.SURRENDER) if chart.move(hand, upcard, legal) == Action.SURRENDER else DECLINE


def _judge_insurance(round_: Round, box: int) -> Judgement:
    unseen, is_natural = unseen_counts(round_), round_.boxes[box].has_natural
    worth = insurance_evs(round_.terms.rules, unseen[TEN - 1], sum(unseen), is_natural=is_natural)
    words, open_ = (EVEN_MONEY if is_natural else INSURE, DECLINE), answers(round_, box)
    evs = {word: ev for word, ev in zip(words, worth, strict=True) if word in open_}
    best = best_answer(evs)
    return Judgement(evs, best, best)


def _judge_early_surrender(round_: Round, box: int, chart: Chart) -> Judgement:
    """Half the bet against the best move, both before the dealer looks."""
    decision, is_estimate = _decide(round_, round_.terms.rules, box)
    legal = moves_before_peek(round_, box)
    play_on = max(decision.evs[action] for action in legal if action != Action.SURRENDER)
    evs = {str(Action.SURRENDER): decision.evs[Action.SURRENDER], DECLINE: play_on}
    return Judgement(evs, early_answer(chart, decision.hand, round_.upcard, legal), best_answer(evs), is_estimate)


def _decide(round_: Round, rules: Rules, box: int) -> tuple[Decision, bool]:
    """The engine's decision of the active or first hand of a box, and whether it is an estimate."""
    hand = Hand(round_.asked_hand(box).cards)
    others = _others(round_, box)
    kept = countable(rules, hand, others)
    decision = decide(rules, hand, round_.upcard, kept, hands=len(round_.boxes[box].hands))
    return decision, len(kept) < len(others)


def _others(round_: Round, box: int) -> list[Card]:
    """The cards seen beside the hand and the upcard, those of earlier rounds first."""
    seen, asked = list(round_.shoe.seen_before(round_.dealt)), round_.asked_hand(box)
    for hand in (hand for other in round_.boxes for hand in other.hands):
        if hand is not asked:
            seen += hand.visible
    return seen
