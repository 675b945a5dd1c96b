"""Accuracy and EV lost over time, as lines and as a table of the same numbers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from trainer.service.progress import Sums
from trainer.service.trend import Point
from trainer.web.figures import percent_text

WIDTH, HEIGHT = 600, 120
_MARGIN = 6


@dataclass(frozen=True)
class LineChart:
    """One line: ``points`` is an SVG point list in a box of 600 by 120, ``dots`` its places; bounds as texts."""

    title: str
    points: str
    dots: tuple[tuple[float, float], ...]
    top: str
    bottom: str


@dataclass(frozen=True)
class TrendView:
    """The lines, the days from their begin to their end, and their numbers."""

    charts: tuple[LineChart, ...]
    days: str
    rows: tuple[tuple[str, int, str, str], ...]


def trend_view(points: Sequence[Point]) -> TrendView | None:
    """Both lines; none without points."""
    if not points:
        return None
    return TrendView(
        (_line("Right", points, lambda sums: 100 * (sums.accuracy or 0.0), "%", least_top=100.0, most_top=100.0),
         _line("EV lost per 100", points, lambda sums: sums.ev_lost_per_100 or 0.0, "", least_top=0.01)),
        _days(points[0].first, points[-1].last),
        tuple((_days(point.first, point.last), point.sums.decisions, percent_text(point.sums.accuracy),
               f"{point.sums.ev_lost_per_100 or 0.0:.2f}") for point in reversed(points)),
    )


def _line(
    title: str, points: Sequence[Point], value: Callable[[Sums], float], unit: str, *,
    least_top: float, most_top: float = float("inf"),
) -> LineChart:
    """A line from the lowest to the highest value; cost begins at 0, accuracy ends at 100."""
    values = [value(point.sums) for point in points]
    top = min(max(*values, least_top), most_top) if len(values) > 1 else max(values[0], least_top)
    bottom = min(values) if unit else 0.0
    bottom = bottom if bottom < top else top - 1.0
    span = max((points[-1].first - points[0].first).days, 1)
    dots = tuple((round(_MARGIN + (WIDTH - 2 * _MARGIN) * (point.first - points[0].first).days / span, 1),
                  round(_MARGIN + (HEIGHT - 2 * _MARGIN) * (top - each) / (top - bottom), 1))
                 for point, each in zip(points, values, strict=True))
    digits = 0 if unit else 2
    return LineChart(title, " ".join(f"{x},{y}" for x, y in dots), dots,
                     f"{top:.{digits}f}{unit}", f"{bottom:.{digits}f}{unit}")


def _days(first: date, last: date) -> str:
    return _day(first) if first == last else f"{_day(first)} to {_day(last)}"


def _day(day: date) -> str:
    return f"{day.day} {day:%b %Y}"
