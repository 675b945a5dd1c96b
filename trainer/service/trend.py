"""How accuracy and cost have moved: sums over days, weeks or months, in order."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from trainer.drill.situation import CATEGORIES
from trainer.service.progress import PERIODS, strategy_hash_of
from trainer.storage.progress import strategies_of, sums_by_day
from trainer.storage.sums import Sums
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

    ``category`` is one of them, or empty for all but insurance. All time is shown by days or weeks where these began
    no longer than three months ago, else by months.
    """
    days, categories = PERIODS[period], [category] if category else [name for name in CATEGORIES if name != "insurance"]
    with transaction() as connection:
        user = find_user(connection, visitor) if visitor else None
        if user is None:
            return []
        wanted = [strategy_hash_of(rules_key)] if rules_key else strategies_of(connection, user.id)
        since = today - timedelta(days=days - 1) if days else None
        found = sums_by_day(connection, user.id, wanted, categories, since)
        is_monthly = not days and bool(found) and (today - found[0][0]).days > _DAYS_BACK
        if not days and not is_monthly:
            found = sums_by_day(connection, user.id, wanted, categories, today - timedelta(days=_DAYS_BACK + 31))
    answered = [(day, sums) for day, sums in found if sums.decisions]
    if is_monthly:
        return [Point(first, _month_end(first), sums) for first, sums in answered]
    return _by_days_or_weeks(answered)


def _by_days_or_weeks(answered: Sequence[tuple[date, Sums]]) -> list[Point]:
    if not answered or (answered[-1][0] - answered[0][0]).days < _MOST_DAYS:
        return [Point(day, day, sums) for day, sums in answered]
    weeks: dict[date, Sums] = {}
    for day, sums in answered:
        monday = day - timedelta(days=day.weekday())
        weeks[monday] = weeks.get(monday, Sums()) + sums
    return [Point(monday, monday + timedelta(days=6), sums) for monday, sums in weeks.items()]


def _month_end(first: date) -> date:
    return (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
