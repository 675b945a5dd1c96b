"""How accuracy and cost have moved: sums over days, weeks or months, in order."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from trainer.service.progress import PERIODS, strategy_hash_of
from trainer.storage.tallies import Sums, strategies_of, sums_by_day
from trainer.storage.transaction import transaction
from trainer.storage.users import find_user

# So far back single days are looked at; whoever began earlier sees months over all time.
_DAYS_BACK = 92
# So many single days are shown, more are put together by weeks.
_MOST_DAYS = 31


@dataclass(frozen=True)
class Point:
    """Sums over some days, the last one included."""

    first: date
    last: date
    sums: Sums


def load_trend(visitor: str | None, rules_key: str, period: str, category: str, today: date) -> Sequence[Point]:
    """The points of a period of :data:`~trainer.service.progress.PERIODS`, oldest first; where no answers are, none.

    ``category`` is one of them, or empty for all but insurance. All time is shown by days or weeks where it began
    no longer than three months ago, else by months.
    """
    days = PERIODS[period]
    with transaction() as connection:
        user = find_user(connection, visitor) if visitor else None
        if user is None:
            return []
        wanted = [strategy_hash_of(rules_key)] if rules_key else strategies_of(connection, user.id)
        rows = sums_by_day(connection, user.id, wanted, today - timedelta(days=days - 1) if days else None)
        is_monthly = not days and bool(rows) and (today - rows[0][0]).days > _DAYS_BACK
        if not days and not is_monthly:
            rows = sums_by_day(connection, user.id, wanted, today - timedelta(days=_DAYS_BACK + 31))
    by_day: dict[date, Sums] = {}
    for day, name, sums in rows:
        if name == category or (not category and name != "insurance"):
            by_day[day] = by_day.get(day, Sums()) + sums
    if is_monthly:
        return [Point(day, _month_end(day), sums) for day, sums in by_day.items() if sums.decisions]
    return _by_days_or_weeks(by_day)


def _by_days_or_weeks(by_day: dict[date, Sums]) -> list[Point]:
    kept = {day: sums for day, sums in by_day.items() if sums.decisions}
    if not kept:
        return []
    if (max(kept) - min(kept)).days < _MOST_DAYS:
        return [Point(day, day, kept[day]) for day in sorted(kept)]
    weeks: dict[date, Sums] = {}
    for day in sorted(kept):
        monday = day - timedelta(days=day.weekday())
        weeks[monday] = weeks.get(monday, Sums()) + kept[day]
    return [Point(monday, monday + timedelta(days=6), sums) for monday, sums in weeks.items()]


def _month_end(first: date) -> date:
    return (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
