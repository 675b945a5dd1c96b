"""Figures as texts, the same on every page."""

from urllib.parse import urlencode

NOTHING = "\N{EN DASH}"


def percent_text(share: float | None) -> str:
    """A share with one decimal, never rounded up to all or down to nothing."""
    if share is None:
        return NOTHING
    if 0 < share < 1:
        share = min(max(share, 0.0005), 0.9994)
    return f"{100 * share:.1f}%"


def seconds_text(seconds: float | None) -> str:
    """A time to answer."""
    return NOTHING if seconds is None else f"{seconds:.1f} s"


def query_url(path: str, **parameters: str) -> str:
    """A path with those parameters that are not empty."""
    query = urlencode({name: value for name, value in parameters.items() if value})
    return f"{path}?{query}" if query else path
