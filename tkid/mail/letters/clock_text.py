"""What mails say of the clock, in sentences that need no further explanation; all times in UTC."""

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


def moment(at: datetime) -> str:
    """A moment: `Tuesday 24 November 2026, 10:04 UTC`."""
    at = at.astimezone(UTC)
    return f"{WEEKDAYS[at.weekday()]} {day_in_words(at.date())}, {at:%H:%M} UTC"


def length(time: timedelta) -> str:
    """A length of time, cut to its two largest units: `2 days`, `1 day 4 hours`, `12 minutes`."""
    days, hours, minutes = time // DAY, time % DAY // HOUR, time % HOUR // MINUTE
    parts = [_counted(count, unit) for count, unit in ((days, "day"), (hours, "hour"), (minutes, "minute"))]
    shown_parts = parts[:2] if days else parts[1:]
    return " ".join(filter(None, shown_parts)) or "less than a minute"


def _counted(count: int, unit: str) -> str:
    return f"{count} {unit}{'s' * (count != 1)}" if count else ""


def deadline(at: Shown) -> str:
    """The time that there is for a turn: `by Tuesday 24 November 2026, 10:04 UTC; 2 days left; bank 12 days`."""
    if at.stage == "running":
        told = [f"by {moment(at.deadline)}", f"{length(at.left)} left"]
    elif at.stage == "grace":
        told = [
            f"the time ran out on {moment(at.deadline)}",
            f"grace until {moment(at.end)}",
            f"{length(at.left)} left",
        ]
    else:
        told = [f"the time ran out on {moment(at.end)}"]
    if at.bank is not None:
        told.append(f"bank {_counted(at.bank, 'day') or 'empty'}")
    return "; ".join(told)


def sentences(at: Timeline, now: datetime, names: Sequence[str]) -> list[str]:
    """What a mail says of the clock, sentence by sentence: the deadline, absences, misses, who does not play any more."""
    told = [f"{names[seat]} has resigned." for seat, each in enumerate(at.seats) if not each.plays]
    told += [
        f"{names[seat]} is played by {'the bot ' if each.stand_in.bot else ''}{each.stand_in.name}."
        for seat, each in enumerate(at.seats)
        if each.stand_in is not None
    ]
    if at.winners:
        won = f"{listed([names[seat] for seat in at.winners], 'and')} {'win' if len(at.winners) > 1 else 'wins'}"
        told.append(f"The game is over: {won}, as nobody else plays any more.")
    if at.adjourned is not None and not at.over:
        told.append(f"The game has been adjourned since {moment(at.adjourned)}.")
    now_shown = shown(at, now)
    return told + (_running(at, now_shown, names[now_shown.seat]) if now_shown else [])


def _running(at: Timeline, clock: Shown, name: str) -> list[str]:
    """The sentences on a clock that runs."""
    told = [f"Time for turn {clock.turn}, {name}: {deadline(clock)}."]
    if clock.still_until is not None:
        told.append(f"{name} is away: the clock stands still until {moment(clock.still_until)}.")
    if clock.stage != "out":
        out = "the time runs out" if clock.end == clock.deadline else "time and grace run out"
        told.append(f"{_misses(clock, name)}If {out}, {THEN[clock.then].format(name=name)}.")
    elif clock.then != "pass" and at.clock is not None:
        told.append(f"{_misses(clock, name)}{_capital(THEN[clock.then].format(name=name))}.")
    return told


def _misses(clock: Shown, name: str) -> str:
    if not clock.misses:
        return ""
    return f"{name} has missed {_counted(clock.misses, 'turn')} in a row. "


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
