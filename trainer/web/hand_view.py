"""What the drill page shows of a hand: plain values, worked out before any template sees them."""

from collections.abc import Mapping
from dataclasses import dataclass

from trainer.drill.situation import Situation
from trainer.drill.words import card_name, shown_face, shown_rank
from trainer.engine.cards import Card
from trainer.engine.chart import MEANINGS, UPCARD_ORDER, Cell, asked_rows
from trainer.engine.hands import Hand
from trainer.engine.rule_key import key_of
from trainer.engine.strategy import Strategy
from trainer.service.drill import DecisionRow, QuestionRow
from trainer.web.rule_address import cell_url
from trainer.web.wording import describe_rules

KEYS: Mapping[str, str] = {
    "hit": "h", "stand": "s", "double": "d", "split": "p", "surrender": "r", "insure": "i", "decline": "n",
}
LABELS: Mapping[str, str] = {
    "hit": "Hit", "stand": "Stand", "double": "Double", "split": "Split", "surrender": "Surrender",
    "insure": "Insurance", "decline": "No insurance",
}
_EVEN_MONEY_LABELS = {"insure": "Even money", "decline": "Decline"}
# Moves keep their order and place on every hand.
_BUTTON_ORDER = ("hit", "stand", "double", "split", "surrender", "insure", "decline")
_CATEGORIES = {"hard": "Hard hand", "soft": "Soft hand", "pair": "Pair", "insurance": "Insurance"}


@dataclass(frozen=True)
class CardView:
    """A card as it is drawn; ``suit`` names a symbol of the sprite."""

    face: str
    suit: str
    name: str


@dataclass(frozen=True)
class MoveView:
    """A move that may be chosen."""

    action: str
    label: str
    key: str
    is_chosen: bool = False


@dataclass(frozen=True)
class ChartCellView:
    """One cell of a chart row; ``look`` is the class of its colour."""

    upcard: str
    code: str
    meaning: str
    look: str
    is_here: bool


@dataclass(frozen=True)
class ChartRowView:
    """The row of the chart that decides a hand, and the page of its cell; no address where the chart shows no such row.

    A pair that cannot be split any more may be a total that no first hand has.
    """

    title: str
    label: str
    cells: tuple[ChartCellView, ...]
    url: str


@dataclass(frozen=True)
class HandView:
    """The cards on the felt and what belongs to them, before and after the answer.

    ``label`` says why the hand was dealt, where it is more than chance.
    """

    token: str
    label: str
    dealer: CardView
    has_hole_card: bool
    cards: tuple[CardView, ...]
    total: str
    kind: str
    category: str
    asked: str
    rules_line: str
    unseen: str
    moves: tuple[MoveView, ...]
    hint: ChartRowView | None
    spoken: str


def hand_view(question: QuestionRow | DecisionRow, strategy: Strategy, chosen: str = "") -> HandView:
    """The felt of an open or an answered hand; an open one holds nothing of the answer but a hint asked for."""
    situation = question.situation
    hand, upcard = situation.hand, situation.upcard
    total = " / ".join(map(str, hand.totals)) if not hand.is_natural else "21"
    kind = "natural" if hand.is_natural else "soft" if hand.is_soft else ""
    labels, legal = labels_for(situation), situation.legal
    moves = tuple(MoveView(move, labels[move], KEYS[move], move == chosen) for move in _BUTTON_ORDER if move in legal)
    is_hint_shown = isinstance(question, QuestionRow) and question.is_hinted
    unseen = situation.unseen
    return HandView(
        token=question.token,
        label=question.kind.capitalize(),
        dealer=drawn_card(upcard),
        has_hole_card=situation.rules.is_peek,
        cards=tuple(map(drawn_card, hand.cards)),
        total=total,
        kind=kind,
        category=_CATEGORIES[situation.category],
        asked=_asked(situation),
        rules_line=_rules_line(situation),
        unseen=f"{unseen.tens} tens in {unseen.cards} unseen cards" if unseen else "",
        moves=moves,
        hint=chart_row_view(situation, strategy) if is_hint_shown else None,
        spoken=f"Dealer shows {card_name(upcard)}. You have {', '.join(map(card_name, hand.cards))}: {_named(hand)}.",
    )


def chart_row_view(situation: Situation, strategy: Strategy) -> ChartRowView | None:
    """The chart row of a hand with its cell marked; none for insurance."""
    cell = situation.cell
    if cell is None:
        return None
    titles = {"hard": f"hard {cell.row}", "soft": f"soft {cell.row}", "pair": "pairs"}
    cells = []
    for upcard in UPCARD_ORDER:
        code = strategy.chart.code(Cell(cell.section, cell.row, upcard))
        cells.append(ChartCellView(shown_rank(upcard), code, MEANINGS[code], look_of(code), upcard == cell.upcard))
    url = cell_url(key_of(situation.rules), cell) if cell.row in asked_rows(situation.rules, cell.section) else ""
    return ChartRowView(f"Chart, {titles[cell.section]}", cell.row_label, tuple(cells), url)


def labels_for(situation: Situation) -> Mapping[str, str]:
    """What the moves are called on a hand: insurance of a natural is even money."""
    if not situation.is_insurance:
        return dict(LABELS) | {"decline": "Play on"}  # where early surrender is a question of its own
    return dict(LABELS) | (_EVEN_MONEY_LABELS if situation.hand.is_natural else {})


def look_of(code: str) -> str:
    """The class of a chart code's colour: one a first move."""
    return f"code-{code[0].lower()}"


def drawn_card(card: Card) -> CardView:
    """A card as the templates draw it."""
    return CardView(shown_face(card), card.suit or "s", card_name(card))


def _asked(situation: Situation) -> str:
    if situation.is_insurance:
        return "Take even money?" if situation.hand.is_natural else "Take insurance?"
    return f"{_CATEGORIES[situation.category]}: what is the best move?"


def _named(hand: Hand) -> str:
    """``a natural``, ``soft 18``, ``hard 16``."""
    return "a natural" if hand.is_natural else f"{'soft' if hand.is_soft else 'hard'} {hand.total}"


def _rules_line(situation: Situation) -> str:
    """What a player must know of the rules to answer."""
    rules = situation.rules
    told = describe_rules(rules)[:1] if situation.is_insurance else describe_rules(rules)[:2]
    if situation.is_insurance:
        return f"{told[0]}, part of them dealt"
    if not rules.is_peek:
        told.append("no hole card")
    if rules.double_on in ("9-11", "10-11"):
        told.append(f"double {rules.double_on.replace('-', ' to ')}")
    if rules.double_on == "none":
        told.append("no doubling")
    elif rules.max_split_hands > 1:
        told.append("double after split" if rules.double_after_split else "no double after split")
    if rules.surrender != "none":
        told.append(f"{rules.surrender} surrender")
    return " · ".join(told)
