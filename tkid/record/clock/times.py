"""Moments as a record writes them: `2026-11-21T10:04Z`, in UTC, to the minute."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

from tkid.notation.text import plain

YEARS = range(2000, 3000)
"""The years in which games are played: sums with any time of the clock stay within the calendar."""
TIME = r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T|\s+)[0-9]{2}:[0-9]{2}(?::[0-9]{2})?(?:\s*(?:Z|UTC|[+-][0-9]{2}:[0-9]{2}))?"
"""A moment as it may be typed, for use within patterns that ignore case."""
WAY = "`2026-11-21T10:04Z`"
LAST_HOUR, LAST_MINUTE = 23, 59
_PARTS = re.compile(
    r"(?<![0-9])([0-9]{4})-([0-9]{2})-([0-9]{2})(?:(?:T|\s+)([0-9]{2}):([0-9]{2})(?::([0-9]{2}))?)?(?![0-9])",
    re.IGNORECASE,
)
"""The numbers of a day, and of a time on it."""
_WHOLE = re.compile(TIME, re.IGNORECASE)


def read_time(typed: str) -> datetime | None:
    """The moment that was typed, in UTC, cut to the minute; None where it is none.

    Without a zone it is UTC; another zone is written `+01:00`; a space may stand for the `T`.
    """
    text = plain(typed).strip().upper()
    if not _WHOLE.fullmatch(text):
        return None
    day, clock = text[:10], "".join(text[10:].split()).removeprefix("T")
    try:
        moment = datetime.fromisoformat(f"{day}T{clock.removesuffix('UTC').removesuffix('Z')}")
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return to_minute(moment) if moment.year in YEARS else None


def time_fault(text: str) -> str:
    """Return why a text has no moment although it has one in its form; "" where it has none in that form, or a right one."""
    for match in _PARTS.finditer(plain(text)):
        year, month, day, hour, minute, second = (int(part or 0) for part in match.groups())
        if not _is_day(year or 1, month, day):
            return f"The calendar has no day {match[0][:10]}"
        if year not in YEARS:
            return f"The year {match[1]} is not between {YEARS[0]} and {YEARS[-1]}"
        if hour > LAST_HOUR:
            midnight = ": midnight is 00:00 on the next day" if hour == LAST_HOUR + 1 and not minute else ""
            return f"The hours of a day are 00 to {LAST_HOUR}{midnight}"
        if max(minute, second) > LAST_MINUTE:
            return f"{'Minutes' if minute > LAST_MINUTE else 'Seconds'} go from 00 to {LAST_MINUTE}"
    return ""


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def write_time(moment: datetime) -> str:
    """A moment as it is written: in UTC, cut to the minute. Raises ValueError for one without a zone."""
    return f"{to_minute(moment):%Y-%m-%dT%H:%M}Z"


def to_minute(moment: datetime) -> datetime:
    """A moment in UTC, cut to the minute. Raises ValueError for one without a zone."""
    if moment.tzinfo is None:
        raise ValueError("a moment has a time zone")
    moment = moment.astimezone(UTC)
    return moment - timedelta(seconds=moment.second, microseconds=moment.microsecond)
