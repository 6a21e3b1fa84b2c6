"""Days as people type them: read where they can mean one day only, else refused with what they could mean."""

from __future__ import annotations

import re
from datetime import date

from attrs import frozen

MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
LONGEST_DAY = 30
"""Characters that a day may have to be repeated whole."""
SHORTEST_MONTH = 3
"""Letters of a month's name that have to be written."""

YEAR_FIRST = re.compile(r"(?P<y>[0-9]{4})([-/.])(?P<m>[0-9]{1,2})\2(?P<d>[0-9]{1,2})\.?")
DOTTED = re.compile(r"(?P<d>[0-9]{1,2})\.\s*(?P<m>[0-9]{1,2})\.\s*(?P<y>[0-9]{4})")
EITHER = re.compile(r"(?P<a>[0-9]{1,2})([-/])(?P<b>[0-9]{1,2})\2(?P<y>[0-9]{4})")
DAY_NAMED = re.compile(r"(?P<d>[0-9]{1,2})(?:st|nd|rd|th|\.)?\s*(?P<m>[a-z]+)\.?,?\s*(?P<y>[0-9]{4})")
NAMED_DAY = re.compile(r"(?P<m>[a-z]+)\.?\s*(?P<d>[0-9]{1,2})(?:st|nd|rd|th)?,?\s+(?P<y>[0-9]{4})")
WAYS = "`2026-12-20`, `20 Dec 2026` or `20.12.2026`"


@frozen
class NoDay:
    """A text that is no day, or not surely one: the rule that it breaks, what is wrong, the way out."""

    rule: str
    message: str
    hint: str


def read_day(typed: str) -> date | NoDay:
    """The day that was typed."""
    text = " ".join(typed.casefold().replace(" of ", " ").split()).rstrip(",")
    either = EITHER.fullmatch(text)
    if either:
        return _either(typed, int(either["a"]), int(either["b"]), int(either["y"]))
    numbers = YEAR_FIRST.fullmatch(text) or DOTTED.fullmatch(text)
    if numbers:
        return _day(int(numbers["y"]), int(numbers["m"]), int(numbers["d"])) or _none(typed)
    named = DAY_NAMED.fullmatch(text) or NAMED_DAY.fullmatch(text)
    month = _month(named["m"]) if named else 0
    if named and month:
        return _day(int(named["y"]), month, int(named["d"])) or _none(typed)
    message = f"`{_cut(typed)}` is not a date with a year" if text else "The day is missing"
    return NoDay("post.date.calendar", message, f"Write {WAYS}.")


def day_in_words(day: date) -> str:
    """A day in words that nobody misreads: `20 December 2026`."""
    return f"{day.day} {MONTHS[day.month - 1].capitalize()} {day.year}"


def _either(typed: str, a: int, b: int, year: int) -> date | NoDay:
    """A day whose number may stand before or behind the month's."""
    days = list(dict.fromkeys(filter(None, (_day(year, b, a), _day(year, a, b)))))
    if len(days) == 1:
        return days[0]
    if not days:
        return _none(typed)
    either = " or ".join(day_in_words(day) for day in days)
    written = " or ".join(f"`{day.isoformat()}`" for day in days)
    return NoDay("post.date.ambiguous", f"`{typed}` could mean {either}", f"Write {written}.")


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _month(name: str) -> int:
    """The number of a month by its name or the start of it, 0 for none."""
    fits = [number for number, month in enumerate(MONTHS, 1) if month.startswith(name)]
    return fits[0] if len(fits) == 1 and len(name) >= SHORTEST_MONTH else 0


def _cut(typed: str) -> str:
    return typed if len(typed) <= LONGEST_DAY else f"{typed[:LONGEST_DAY]}…"


def _none(typed: str) -> NoDay:
    return NoDay("post.date.calendar", f"The calendar has no day {_cut(typed)}", f"Write {WAYS}.")
