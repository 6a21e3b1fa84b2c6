"""What mails say about the clock and the end of a game, in whole sentences; all times in UTC."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from tkid.mail.game.clock import Shown, Then, shown
from tkid.mail.game.timeline import Timeline
from tkid.notation.dates import day_in_words
from tkid.notation.vocabulary import listed
from tkid.record.clock.terms import DAY, HOUR

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MINUTE = timedelta(minutes=1)
THEN: dict[Then, str] = {
    "pass": "{name} passes",
    "stand-in": "{name}'s seat is offered to somebody else",
    "adjourn": "the game is adjourned",
}


def moment(time: datetime) -> str:
    """A moment: `Tuesday 24 November 2026, 10:04 UTC`."""
    time = time.astimezone(UTC)
    return f"{WEEKDAYS[time.weekday()]} {day_in_words(time.date())}, {time:%H:%M} UTC"


def length(time: timedelta) -> str:
    """A length of time, cut to its two largest units: `2 days`, `1 day 4 hours`, `12 minutes`."""
    days, hours, minutes = time // DAY, time % DAY // HOUR, time % HOUR // MINUTE
    parts = [_counted(count, unit) for count, unit in ((days, "day"), (hours, "hour"), (minutes, "minute"))]
    return " ".join(filter(None, parts[:2] if days else parts[1:])) or "less than a minute"


def _counted(count: int, unit: str) -> str:
    return f"{count} {unit}{'s' * (count != 1)}" if count else ""


def who_wins(names: Sequence[str]) -> str:
    """Who wins: `Ann and Bob win`."""
    return f"{listed(names, 'and')} {'win' if len(names) > 1 else 'wins'}" if names else "nobody wins"


def deadline(clock: Shown) -> str:
    """The time that there is for a turn: `by Tuesday 24 November 2026, 10:04 UTC; 2 days left; bank 12 days`."""
    if clock.stage == "out":
        parts = [f"the time ran out on {moment(clock.end)}"]
    else:
        over = [f"the time ran out on {moment(clock.deadline)}", f"grace until {moment(clock.end)}"]
        parts = [f"by {moment(clock.deadline)}"] if clock.stage == "running" else over
        parts.append(f"{length(clock.left)} left")
    if clock.bank is not None:
        parts.append(f"bank {_counted(clock.bank, 'day') or 'empty'}")
    return "; ".join(parts)


def sentences(timeline: Timeline, now: datetime, names: Sequence[str]) -> list[str]:
    """What a mail says about the clock: the deadline, absences, misses, who does not play any more."""
    seats = list(zip(names, timeline.seats, strict=False))
    text = [f"{name} has resigned." for name, seat in seats if not seat.plays]
    text += [
        f"{name} is played by {'the bot ' if seat.stand_in.bot else ''}{seat.stand_in.name}."
        for name, seat in seats
        if seat.stand_in
    ]
    if timeline.winners:
        won = who_wins([names[seat] for seat in timeline.winners])
        text.append(f"The game is over: {won}, as nobody else plays any more.")
    if timeline.adjourned is not None and not timeline.over:
        text.append(f"The game has been adjourned since {moment(timeline.adjourned)}.")
    clock = shown(timeline, now)
    return text + (_running(clock, names[clock.seat]) if clock else [])


def _running(clock: Shown, name: str) -> list[str]:
    text = [f"Time for turn {clock.turn}, {name}: {deadline(clock)}."]
    if clock.still_until is not None:
        text.append(f"{name} is away: the clock stands still until {moment(clock.still_until)}.")
    misses = f"{name} has missed {_counted(clock.misses, 'turn')} in a row. " if clock.misses else ""
    then = THEN[clock.then].format(name=name)
    if clock.stage != "out":
        out = "the time runs out" if clock.end == clock.deadline else "time and grace run out"
        text.append(f"{misses}If {out}, {then}.")
    elif clock.then != "pass":
        text.append(f"{misses}{then[:1].upper()}{then[1:]}.")
    return text
