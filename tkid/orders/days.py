"""Days and time zones as people write them."""

from __future__ import annotations

import re
from datetime import date, timedelta
from zoneinfo import available_timezones

from tkid.kernel.problems import Kind, Problem
from tkid.notation.text import make_plain

MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
MAX_DAY_LENGTH = 30
"""Maximum number of characters of a day that is repeated whole."""
MIN_MONTH_LENGTH = 3
"""Minimum number of letters of a month's name."""

YEAR_FIRST = re.compile(r"(?P<y>[0-9]{4})([-/.])(?P<m>[0-9]{1,2})\2(?P<d>[0-9]{1,2})\.?")
DOTTED = re.compile(r"(?P<d>[0-9]{1,2})\.\s*(?P<m>[0-9]{1,2})\.\s*(?P<y>[0-9]{4})")
EITHER = re.compile(r"(?P<a>[0-9]{1,2})([-/])(?P<b>[0-9]{1,2})\2(?P<y>[0-9]{4})")
DAY_NAMED = re.compile(r"(?P<d>[0-9]{1,2})(?:st|nd|rd|th|\.)?\s*(?P<m>[a-z]+)\.?,?\s*(?P<y>[0-9]{4})")
NAMED_DAY = re.compile(r"(?P<m>[a-z]+)\.?\s*(?P<d>[0-9]{1,2})(?:st|nd|rd|th)?,?\s+(?P<y>[0-9]{4})")
OFFSET = re.compile(r"(?:UTC|GMT)?(?P<sign>[+-])(?P<hours>[0-9]{1,2})(?::?(?P<minutes>00|15|30|45))?")
FURTHEST = timedelta(hours=14)
"""How far a time zone may be ahead of UTC, or behind."""
WAYS = "`2026-12-20`, `20 Dec 2026` or `20.12.2026`"


def read_day(typed: str) -> date | Problem:
    """Read a day; return the problem, which has no place yet, of a text that is no day, or not surely one."""
    text = " ".join(typed.casefold().replace(" of ", " ").split()).rstrip(",")
    either = EITHER.fullmatch(text)
    if either:
        return _read_ambiguous_day(typed, int(either["a"]), int(either["b"]), int(either["y"]))
    numbers = YEAR_FIRST.fullmatch(text) or DOTTED.fullmatch(text)
    if numbers:
        return _make_day(int(numbers["y"]), int(numbers["m"]), int(numbers["d"])) or _report_missing_day(typed)
    named = DAY_NAMED.fullmatch(text) or NAMED_DAY.fullmatch(text)
    month = _find_month(named["m"]) if named else 0
    if named and month:
        return _make_day(int(named["y"]), month, int(named["d"])) or _report_missing_day(typed)
    message = f"`{_shorten_day(typed)}` is not a date with a year" if text else "The day is missing"
    return _refuse_day(message)


def read_offset(typed: str) -> timedelta | None:
    """Read how far a time zone is ahead of UTC, such as `+02:00` or `UTC-5`; None if the text says something else."""
    text = "".join(make_plain(typed).upper().split())
    if text in {"UTC", "GMT", "Z"}:
        return timedelta()
    match = OFFSET.fullmatch(text)
    ahead = timedelta(hours=int(match["hours"]), minutes=int(match["minutes"] or 0)) if match else FURTHEST * 2
    return None if match is None or ahead > FURTHEST else -ahead if match["sign"] == "-" else ahead


def write_offset(ahead: timedelta) -> str:
    minutes = abs(ahead) // timedelta(minutes=1)
    return f"{'-' if ahead < timedelta() else '+'}{minutes // 60:02}:{minutes % 60:02}"


def find_zone_name(typed: str) -> str:
    """Find a zone of the time zone database by its name or its city, such as `Europe/Berlin` or `Berlin`; "" if it has none."""
    wanted = "_".join(typed.casefold().split())
    zones = sorted(available_timezones())
    whole = [zone for zone in zones if zone.casefold() == wanted]
    return next(iter(whole or [zone for zone in zones if zone.casefold().endswith(f"/{wanted}")]), "")


def write_day(day: date) -> str:
    """Return a day in words that nobody misreads: `20 December 2026`."""
    return f"{day.day} {MONTHS[day.month - 1].capitalize()} {day.year}"


def _read_ambiguous_day(typed: str, a: int, b: int, year: int) -> date | Problem:
    """Read a day whose number may stand before or behind the month's."""
    days = list(dict.fromkeys(filter(None, (_make_day(year, b, a), _make_day(year, a, b)))))
    if len(days) == 1:
        return days[0]
    if not days:
        return _report_missing_day(typed)
    either = " or ".join(write_day(day) for day in days)
    written = " or ".join(f"`{day.isoformat()}`" for day in days)
    return _refuse_day(f"`{typed}` could mean {either}", written, "post.date.ambiguous")


def _make_day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _find_month(name: str) -> int:
    """Return the number of a month by its name or the start of it, 0 for none."""
    fits = [number for number, month in enumerate(MONTHS, 1) if month.startswith(name)]
    return fits[0] if len(fits) == 1 and len(name) >= MIN_MONTH_LENGTH else 0


def _shorten_day(typed: str) -> str:
    return typed if len(typed) <= MAX_DAY_LENGTH else f"{typed[:MAX_DAY_LENGTH]}…"


def _report_missing_day(typed: str) -> Problem:
    return _refuse_day(f"The calendar has no day {_shorten_day(typed)}")


def _refuse_day(message: str, ways: str = WAYS, rule: str = "post.date.calendar") -> Problem:
    return Problem(Kind.SYNTAX, rule, message, hint=f"Write {ways}.")
