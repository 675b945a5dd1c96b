"""The game counted by hand, to check the drill's numbers against.

It shares nothing with the engine but the ``Rules`` object: cards are faces, ``A23456789TJQK``, ranks are 1 to 10,
and every chance is counted from the cards that are left. A *shape* is (section, row, upcard rank).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random

from trainer.engine.rules import Rules

FACES = "A23456789TJQK"
RANKS = range(1, 11)
Shape = tuple[str, int, int]
CodeOf = Callable[[str, int, int], str]


def rank_of(face: str) -> int:
    return min(FACES.index(face) + 1, 10)


def points(ranks: Iterable[int]) -> tuple[int, bool]:
    """The total, and whether an ace counts as 11 in it."""
    ranks = list(ranks)
    low = sum(ranks)
    return (low + 10, True) if 1 in ranks and low <= 11 else (low, False)


def may_split(rules: Rules, faces: Sequence[str]) -> bool:
    if len(faces) != 2 or rules.max_split_hands == 1:
        return False
    first, second = faces
    alike = first == second if rules.split_by == "rank" else rank_of(first) == rank_of(second)
    return alike and rank_of(first) not in rules.no_split


def may_double(rules: Rules, faces: Sequence[str]) -> bool:
    total, is_soft = points(map(rank_of, faces))
    lowest, highest = {"any": (2, 20), "9-11": (9, 11), "10-11": (10, 11), "none": (99, 0)}[rules.double_on]
    right_count = len(faces) == 2 or rules.double_cards == "any"
    return right_count and lowest <= total <= highest and (rules.double_soft or not is_soft)


def shape_of(rules: Rules, faces: Sequence[str], upcard: str) -> Shape:
    """Where a hand of less than 21 belongs on the chart."""
    if may_split(rules, faces):
        return "pair", rank_of(faces[0]), rank_of(upcard)
    total, is_soft = points(map(rank_of, faces))
    return "soft" if is_soft else "hard", total, rank_of(upcard)


def has_looked(rules: Rules, cards: int, upcard: int) -> bool:
    """Whether the dealer is known to have no natural when a hand of so many cards is decided."""
    comes_first = rules.surrender == "early" and cards == 2 and upcard in (1, 10)
    return rules.hole_card == "peek" and not comes_first


def deals(rules: Rules) -> Iterator[tuple[str, str, str, int]]:
    """Two cards in order, the upcard, and in how many ways they come with a hole card that leaves a decision."""
    for first in FACES:
        for second in FACES:
            ranks = [rank_of(first), rank_of(second)]
            if points(ranks)[0] == 21:
                continue
            for upcard in FACES:
                ways, out = 1, Counter()
                for face in (first, second, upcard):
                    ways *= 4 * rules.decks - out[face]
                    out[face] += 1
                left = rules.decks * 52 - 3
                up = rank_of(upcard)
                if has_looked(rules, 2, up) and up in (1, 10):
                    out_ranks = Counter([*ranks, up])
                    left -= 16 * rules.decks - out_ranks[10] if up == 1 else 4 * rules.decks - out_ranks[1]
                if ways > 0:
                    yield first, second, upcard, ways * left


def shares_of(counted: Iterable[tuple[object, int]]) -> dict[object, Fraction]:
    """Counts by key, as parts of their sum."""
    sums: dict[object, int] = defaultdict(int)
    for key, ways in counted:
        sums[key] += ways
    total = sum(sums.values())
    return {key: Fraction(ways, total) for key, ways in sums.items()}


def cards_left(rules: Rules, faces: Iterable[str], upcard: str) -> dict[int, int]:
    """How many of each rank nobody has seen, the hole card among them."""
    left = {rank: 4 * rules.decks * (4 if rank == 10 else 1) for rank in RANKS}
    for face in (*faces, upcard):
        left[rank_of(face)] -= 1
    return left


def makes_natural(upcard: int, hole: int) -> bool:
    return sorted((upcard, hole)) == [1, 10]


def next_card(left: Mapping[int, int], upcard: int, *, looked: bool) -> dict[int, Fraction]:
    """Chance of each rank as the player's next card, counted over every hole card that may lie there."""
    return _normal({
        rank: sum(count * (left[rank] - (hole == rank)) for hole, count in left.items()
                  if not (looked and makes_natural(upcard, hole)))
        for rank in RANKS
    })


def dealer_odds(rules: Rules, left: Mapping[int, int], upcard: int, *, looked: bool) -> dict[str, float]:
    """The dealer's chances: ``bust``, ``17`` to ``21``, ``natural``."""
    odds: dict[str, float] = defaultdict(float)
    hands: dict[tuple[int, ...], float] = {(): 1.0}
    while hands:
        longer: dict[tuple[int, ...], float] = defaultdict(float)
        for drawn, chance in hands.items():
            rest = {rank: count - drawn.count(rank) for rank, count in left.items()}
            if not drawn and looked:
                rest = {rank: 0 if makes_natural(upcard, rank) else count for rank, count in rest.items()}
            for rank, count in rest.items():
                if count:
                    longer[tuple(sorted((*drawn, rank)))] += chance * count / sum(rest.values())
        hands = {}
        for drawn, chance in longer.items():
            end = _dealer_end(rules, (upcard, *drawn))
            if end:
                odds[end] += chance
            else:
                hands[drawn] = chance
    return odds


def _dealer_end(rules: Rules, ranks: Sequence[int]) -> str:
    """How the dealer's hand ended; empty where another card is drawn."""
    total, is_soft = points(ranks)
    if total > 21:
        return "bust"
    if len(ranks) == 2 and total == 21:
        return "natural"
    if total < 17 or (total == 17 and is_soft and rules.dealer_hits_soft_17):
        return ""
    return str(total)


def chart_move(rules: Rules, code_of: CodeOf, faces: Sequence[str], upcard: str) -> str:
    """``H``, ``S``, ``D``, ``P`` or ``R``: what a chart does with a hand of less than 21."""
    code = code_of(*shape_of(rules, faces, upcard))
    if code[0] == "R" and not (rules.surrender != "none" and len(faces) == 2):
        return code[1].upper()
    if code[0] == "D" and not may_double(rules, faces):
        return code[1:].upper() or "H"
    return code[0]


def is_hit_all_along(rules: Rules, code_of: CodeOf, faces: Sequence[str], upcard: str) -> bool:
    """Whether the chart hits the hand at every step that led to these cards, in this order."""
    return all(points(map(rank_of, faces[:count]))[0] < 21 and chart_move(rules, code_of, faces[:count], upcard) == "H"
               for count in range(2, len(faces)))


def hands_by_hitting(rules: Rules, code_of: CodeOf, rounds: int, random: Random) -> Iterator[list[tuple[Shape, int]]]:
    """Deal rounds and hit as the chart says: of each, the hands of three and more cards that had to be decided.

    Each as its shape and number of cards; rounds that a peek ends are left out.
    """
    shoe = [face for face in FACES for _ in range(4 * rules.decks)]
    for _ in range(rounds):
        upcard, hole, *cards = random.sample(shoe, 24)
        if rules.hole_card == "peek" and makes_natural(rank_of(upcard), rank_of(hole)):
            continue
        count, found = 2, []
        while points(map(rank_of, cards[:count]))[0] < 21:
            if count > 2:
                found.append((shape_of(rules, cards[:count], upcard), count))
            if chart_move(rules, code_of, cards[:count], upcard) != "H":
                break
            count += 1
        yield found


def _normal(weights: Mapping[int, int]) -> dict[int, Fraction]:
    total = sum(weights.values())
    return {key: Fraction(weight, total) for key, weight in weights.items()}
