"""Text that is safe in a cell of a spreadsheet."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_cell(text: str) -> str:
    """A text as a cell: what a spreadsheet would run as a formula begins with an apostrophe instead.

    Numbers are not texts: write them as they are.

    >>> csv_cell("=1+1"), csv_cell("A7")
    ("'=1+1", 'A7')
    """
    return f"'{text}" if text.startswith(_FORMULA) else text
