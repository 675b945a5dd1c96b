"""Chips and what they are counted in: integers, tenths of a chip."""

import re

from trainer.table.errors import BetError

CHIP = 10
_WHOLE = re.compile(r"[0-9]{1,9}")


def read_chips(text: object) -> int:
    """Whole chips as people type them, in tenths; ``BetError`` for anything else.

    >>> read_chips(" 500 ")
    5000
    """
    if isinstance(text, str) and _WHOLE.fullmatch(text.strip()):
        return int(text) * CHIP
    if isinstance(text, int) and not isinstance(text, bool) and 0 <= text < 10**9:
        return text * CHIP
    raise BetError(f"{str(text)[:20]!r} is not a whole number of chips")


def shown(amount: int) -> str:
    """An amount in chips, with the half chip or tenth where there is one.

    >>> shown(75), shown(-200), shown(12000), shown(-5)
    ('7.5', '-20', '1,200', '-0.5')
    """
    chips, tenths = divmod(abs(amount), CHIP)
    return ("-" if amount < 0 else "") + f"{chips:,}" + (f".{tenths}" if tenths else "")
