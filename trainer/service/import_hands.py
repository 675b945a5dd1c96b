"""Cards and moves of a file's decisions: whether a shoe of the rules can deal them, and a table offer them."""

from collections import defaultdict
from collections.abc import Iterable

from trainer.drill.explain import is_after_peek
from trainer.drill.situation import Situation, TableCards, UnseenCards
from trainer.engine.cards import ACE, TEN, Card, composition_of, full_shoe, parse_cards
from trainer.engine.errors import EngineError
from trainer.engine.rules import Rules
from trainer.service.import_decisions import AtTable
from trainer.service.import_file import Line
from trainer.service.import_reading import ImportFaultError
from trainer.table.moves import possible_answers


def read_situation(line: Line, rules: Rules) -> Situation:
    """What was asked in a decision; ``ImportFaultError`` where that cannot have been."""
    found = line.decision
    if (found.tens_left is None) != (found.cards_left is None):
        raise ImportFaultError(f"{line.place}.tens_left", "and cards_left are given together or not at all.")
    unseen = None
    if found.tens_left is not None and found.cards_left is not None:
        unseen = UnseenCards(found.tens_left, found.cards_left)
    try:
        situation = Situation.from_text(rules, found.cards, found.upcard, unseen)
        _check_dealt(rules, (*situation.hand.cards, situation.upcard))
        if situation.is_insurance and rules.insurance == "none":
            raise EngineError("there is no insurance under these rules")
    except EngineError as error:
        raise cannot_be_asked(line, "cards", error) from None
    return situation if found.section == "decisions" else _with_table(line, situation, found.at_table)


def cannot_be_asked(line: Line, name: str, error: EngineError) -> ImportFaultError:
    """What to raise of a hand."""
    return ImportFaultError(f"{line.place}.{name}", f"cannot be asked: {ascii(str(error))[1:200]}.")


def _with_table(line: Line, situation: Situation, at_table: AtTable | None) -> Situation:
    assert at_table is not None  # noqa: S101 - it stood in the list of those that have one
    moves = tuple(at_table.legal)
    if moves not in possible_answers(situation.rules, situation.hand.cards, situation.upcard):
        raise ImportFaultError(f"{line.place}.legal", "are not the moves of such a hand at any table.")
    try:
        asked = Situation(situation.rules, situation.hand, situation.upcard,
                          table=TableCards(parse_cards(at_table.seen or ""), moves))
        _check_seen(asked)
    except EngineError as error:
        raise cannot_be_asked(line, "seen", error) from None
    return asked


def _check_seen(situation: Situation) -> None:
    """The cards seen must be in the shoe beside the hand, and leave one that may be the dealer's next."""
    assert situation.table is not None  # noqa: S101 - the caller made it
    cards = (*situation.hand.cards, situation.upcard, *situation.table.seen)
    _check_dealt(situation.rules, cards)
    left = [held - gone for held, gone in zip(full_shoe(situation.rules.decks), composition_of(cards), strict=True)]
    natural_with = {ACE: TEN, TEN: ACE}.get(situation.upcard.rank) if is_after_peek(situation) else None
    if sum(left) == (left[natural_with - 1] if natural_with else 0):
        raise EngineError("no card is left that the dealer can have or draw next")


def _check_dealt(rules: Rules, cards: Iterable[Card]) -> None:
    """Whether a shoe of these rules can have dealt these very cards; ``EngineError`` where it cannot."""
    counts: dict[object, int] = defaultdict(int)
    for card in cards:
        # Four of a face in each deck, and one of a face and a suit.
        counts[card.face] += 1
        counts[card.face, card.suit] += card.suit is not None
        if counts[card.face] > 4 * rules.decks or counts[card.face, card.suit] > rules.decks:
            raise EngineError(f"that is more of {card} than {rules.decks} decks hold")
