"""A player's chips from round to round, and what has come of them."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class PurseTerms:
    """How chips are handed out: ``start`` to begin with, and again where fewer than ``refill_below`` are left.

    Tables with the same ``key`` share one purse; ``unit`` is what its chips are called. Amounts in tenths.
    """

    key: str
    unit: str
    start: int
    refill_below: int

    def new(self) -> "Purse":
        """A purse that nobody has played from."""
        return Purse(self.start, self.start)


@dataclass(frozen=True)
class Purse:
    """``stack`` now, not counting what is staked; the ``biggest`` it ever was; how often it was refilled.

    ``table``: the key of the table where a round is being played from it, ``None`` between rounds.
    """

    stack: int
    biggest: int
    refills: int = 0
    table: str | None = None

    def refilled(self, terms: PurseTerms) -> "Purse":
        """Made up to the start again, and counted, where too few chips are left; as it is otherwise."""
        if self.stack >= terms.refill_below:
            return self
        return replace(self, stack=terms.start, refills=self.refills + 1).with_stack(terms.start)

    def with_stack(self, stack: int) -> "Purse":
        """The purse after chips came or went."""
        return replace(self, stack=stack, biggest=max(self.biggest, stack))


@dataclass(frozen=True)
class Account:
    """What a player's hands have come to, in tenths; refills are no winnings.

    ``hands`` dealt (one a box), their original bets ``wagered``, the ``result``, and ``ev_given_up``: the sum of what
    the decisions cost.
    """

    hands: int = 0
    wagered: int = 0
    result: int = 0
    ev_given_up: float = 0.0

    def with_decision(self, cost: float) -> "Account":
        """With one decision more, which gave up ``cost`` tenths."""
        return replace(self, ev_given_up=self.ev_given_up + cost)

    def with_hands(self, hands: int, wagered: int, result: int) -> "Account":
        """With a settled round more."""
        return replace(self, hands=self.hands + hands, wagered=self.wagered + wagered, result=self.result + result)

    def expected(self, edge: float) -> float:
        """What hands played like this win on average.

        ``edge`` is that of the rule set by exact play, in bets. It is the edge from a full shoe, so with a cut card
        this is an estimate, some hundredths of a per cent of the bets too high.
        """
        return self.wagered * edge - self.ev_given_up

    def luck(self, edge: float) -> float:
        """The rest of the result: the cards' part, on average nothing."""
        return self.result - self.expected(edge)
