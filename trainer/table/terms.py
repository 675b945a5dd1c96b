"""What a round is played for and under: the rules of the game and the habits of the table."""

from dataclasses import dataclass

from trainer.engine.rules import Rules
from trainer.table.amount import CHIP, shown
from trainer.table.errors import BetError


@dataclass(frozen=True)
class Clock:
    """How long a question stays open: bets, insurance (and early surrender), a move."""

    bet_seconds: int = 15
    insurance_seconds: int = 8
    move_seconds: int = 15


@dataclass(frozen=True)
class Terms:
    """Everything that decides what may happen in a round.

    Bets go from ``smallest`` to ``largest`` in multiples of ``bet_step``, in tenths. ``pays_at_once``: naturals, even
    money and surrenders are paid as soon as they are sure, else with everything at the round's end.
    ``doubles_face_down``: a doubled hand's card is turned at settlement.
    """

    rules: Rules
    smallest: int = 10 * CHIP
    largest: int = 500 * CHIP
    bet_step: int = 10 * CHIP
    pays_at_once: bool = True
    doubles_face_down: bool = False
    clock: Clock | None = None

    def __post_init__(self) -> None:
        if self.bet_step < CHIP or self.bet_step % CHIP or self.smallest < 1 or self.largest < self.smallest:
            limits = f"{self.smallest} to {self.largest} tenths in steps of {self.bet_step}"
            raise BetError(f"bets of {limits} are impossible")

    def check_bet(self, amount: int) -> None:
        """``BetError``, saying what is a bet here, where ``amount`` is none."""
        # An amount may come from outside, so that its type is looked at, too.
        is_whole = isinstance(amount, int) and not isinstance(amount, bool)
        if not is_whole or not self.smallest <= amount <= self.largest or amount % self.bet_step:
            raise BetError(f"bets here are {shown(self.smallest)} to {shown(self.largest)} "
                           f"in steps of {shown(self.bet_step)}")
