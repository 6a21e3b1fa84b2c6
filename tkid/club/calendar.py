"""A player's deadlines as a calendar file."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

from tkid.club.values import Deadline
from tkid.mail.game_clock import read_game_clock
from tkid.mail.hosted_game import HostedGame
from tkid.rulebook import cites

if TYPE_CHECKING:
    from icalendar import Timezone

PRODUCT = "-//tkid//club//EN"
SHOWN = timedelta(minutes=30)
"""How long before a deadline its entry begins, so that calendars show it as a block."""
LOOKED_AT = timedelta(hours=1)
"""How often programs are asked to look at the calendar."""


def find_deadline(name: str, game: HostedGame) -> Deadline | None:
    """Return the deadline of the turn that is due in a game, if its clock runs."""
    clock = read_game_clock(game.time, game.time.since) if game.time.since else None
    if clock is None:
        return None
    return Deadline(name, clock.turn, game.record.title or name, clock.since, clock.deadline, clock.end)


@cites("club.pages.calendar")
def calendar_of(deadlines: Iterable[Deadline]) -> str:
    """Write these deadlines as iCalendar. The same deadlines give the same text."""
    from icalendar import Calendar, Event  # noqa: PLC0415 - only who publishes calendars needs it

    book = Calendar()
    book.add("prodid", PRODUCT)
    book.add("version", "2.0")
    book.add("method", "PUBLISH")
    book.add("x-wr-calname", "Your turns")
    book.add("refresh-interval", LOOKED_AT, parameters={"VALUE": "DURATION"})
    for each in sorted(deadlines, key=lambda deadline: (deadline.until, deadline.game)):
        entry = Event()
        named = sha256(f"{each.game}\n{each.turn}".encode()).hexdigest()[:32]
        entry.add("uid", f"{named}@tkid.invalid")
        entry.add("dtstamp", each.since.astimezone(UTC))
        entry.add("dtstart", each.until.astimezone(UTC) - SHOWN)
        entry.add("dtend", each.until.astimezone(UTC))
        entry.add("summary", f"Your turn in {each.name}")
        grace = f" After that you have until {each.end:%d %b %Y, %H:%M} UTC." if each.end > each.until else ""
        entry.add("description", f"Your time ends at {each.until:%d %b %Y, %H:%M} UTC.{grace}")
        if each.page:
            entry.add("url", each.page)
        book.add_component(entry)
    if not book.subcomponents:
        book.add_component(_define_utc())
    return str(book.to_ical(), "utf-8")


def _define_utc() -> Timezone:
    """Define the time zone UTC for a calendar without entries, which may not be empty."""
    from icalendar import Timezone, TimezoneStandard  # noqa: PLC0415 - only who publishes calendars needs it

    zone, standard = Timezone(), TimezoneStandard()
    zone.add("tzid", "Etc/UTC")
    standard.add("dtstart", datetime(1970, 1, 1))  # noqa: DTZ001 - the definition of a zone has none
    standard.add("tzoffsetfrom", timedelta())
    standard.add("tzoffsetto", timedelta())
    standard.add("tzname", "UTC")
    zone.add_component(standard)
    return zone
