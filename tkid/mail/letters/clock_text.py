"""What mails say about the clock and the end of a game, in whole sentences; all times in UTC."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta

from tkid.mail.game.clock import Shown, Then, shown
from tkid.mail.game.timeline import Timeline
from tkid.notation.dates import day_in_words
from tkid.notation.numbers import counted, counted_in_words
from tkid.notation.vocabulary import listed
from tkid.record.clock.terms import DAY, HOUR, Bank, Clock, PerTurn
from tkid.rulebook import cites

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MINUTE = timedelta(minutes=1)
THEN: dict[Then, str] = {
    "pass": "{name} passes",
    "stand-in": "{name}'s seat is offered to somebody else",
    "adjourn": "the game is adjourned",
}
SOON = timedelta(hours=48)
"""Less time than this is also said in hours."""


def day(time: datetime) -> str:
    """A day: `Friday 27 November`."""
    time = time.astimezone(UTC)
    return f"{WEEKDAYS[time.weekday()]} {day_in_words(time.date()).rpartition(' ')[0]}"


def moment(time: datetime, *, year: bool = True) -> str:
    """A moment: `Tuesday 24 November 2026, 10:04 UTC`."""
    time = time.astimezone(UTC)
    date = f"{WEEKDAYS[time.weekday()]} {day_in_words(time.date())}" if year else day(time)
    return f"{date}, {time:%H:%M} UTC"


def length(time: timedelta) -> str:
    """A length of time, cut to its two largest units: `2 days`, `1 day 4 hours`, `12 minutes`."""
    days, hours, minutes = time // DAY, time % DAY // HOUR, time % HOUR // MINUTE
    parts = [
        counted(count, unit) if count else "" for count, unit in ((days, "day"), (hours, "hour"), (minutes, "minute"))
    ]
    return " ".join(filter(None, parts[:2] if days else parts[1:])) or "less than a minute"


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
        parts.append(f"bank {counted(clock.bank, 'day') if clock.bank else 'empty'}")
    return "; ".join(parts)


# -- in letters -------------------------------------------------------------------------------------------


def misses(count: int) -> str:
    """Turns that the host passed: `one missed turn`, `three missed turns`."""
    return counted_in_words(count, "missed turn")


def left(time: timedelta) -> str:
    """How much time is left: in hours where that is not much, else in days."""
    if time < SOON:
        return length(time) if time < HOUR else counted(time // HOUR, "hour")
    return counted_in_words(time // DAY, "day")


def span(time: timedelta) -> str:
    """A time of whole hours: `two days`, `36 hours`."""
    return counted_in_words(time // DAY, "day") if not time % DAY else counted_in_words(time // HOUR, "hour")


def until(timeline: Timeline, now: datetime, *, weekday: bool = True) -> str:
    """Until when there is time for the next turn: `until Friday 27 November`; "" where no clock runs."""
    clock = shown(timeline, now)
    if clock is None or clock.stage == "out":
        return ""
    date = day(clock.deadline if clock.stage == "running" else clock.end)
    return f"until {date if weekday else date.partition(' ')[2]}"


def own_deadline(timeline: Timeline, now: datetime) -> str:
    """By when the next player has to answer, and what happens then, to that player; "" where no clock runs."""
    clock = shown(timeline, now)
    if clock is None or timeline.clock is None:
        return ""
    then = OWN_THEN[clock.then]
    if clock.stage == "out":
        return f"Your time ran out on {moment(clock.end)}. {then[:1].upper()}{then[1:]}."
    if clock.stage == "grace":
        return f"Your time ran out on {moment(clock.deadline)}. You have grace until {moment(clock.end)}; then {then}."
    hours = f" ({clock.left // HOUR} hours left)" if HOUR <= clock.left < SOON else ""
    text = f"Answer by {moment(clock.deadline)}{hours}. After that "
    text += f"you have {span(timeline.clock.grace)} of grace; then {then}." if timeline.clock.grace else f"{then}."
    if clock.bank is not None:
        text += f" Your bank has {counted_in_words(clock.bank, 'day')}."
    if clock.still_until is not None:
        why = " Your" if paused(timeline, now) else " You are away: your"
        text += f"{why} clock is stopped until {moment(clock.still_until)}."
    return text + (f" You have missed {counted_in_words(clock.misses, 'turn')} in a row." if clock.misses else "")


OWN_THEN: dict[Then, str] = {
    "pass": "the host passes for you",
    "stand-in": "the host offers your seat to somebody else",
    "adjourn": "the game is adjourned",
}


def other_deadline(timeline: Timeline, now: datetime, name: str) -> str:
    """By when somebody else has to answer; "" where no clock runs."""
    clock = shown(timeline, now)
    if clock is None:
        return ""
    if clock.stage == "running":
        return f"{name} has until {moment(clock.deadline)}. You need not do anything now."
    return f"{name}'s time is up; grace ends on {moment(clock.end)}." if clock.stage == "grace" else ""


def terms(clock: Clock) -> str:
    """What was agreed about time, in sentences."""
    match clock.time:
        case PerTurn(time):
            parts = [f"{span(time)} a turn"]
        case Bank(days, turns):
            parts = [
                f"{counted_in_words(days, 'day')} for every {counted_in_words(turns, 'turn')}, days left over are kept"
            ]
    parts.append(f"{span(clock.grace)} of grace" if clock.grace else "no grace")
    parts += [f"a reminder after {listed(map(span, clock.reminders), 'and')}"] if clock.reminders else []
    last = LAST[clock.at_last]
    then = "the host passes for you"
    if clock.misses == 1:
        then = last
    elif clock.misses is not None:
        then += f"; after {misses(clock.misses)} in a row {last}"
    away = (
        f"You can be away for {counted_in_words(clock.away, 'day')} in all."
        if clock.away
        else "Nobody can stop the clock."
    )
    joined = ", ".join(parts)
    return f"{joined[:1].upper()}{joined[1:]}. If your time runs out, {then}. {away}"


LAST = {"adjourn": "the game is adjourned", "stand-in": "the host offers your seat to somebody else"}


def people(timeline: Timeline, names: Sequence[str]) -> list[str]:
    """Who has resigned, and who plays for somebody else."""
    seats = list(zip(names, timeline.seats, strict=False))
    gone = [f"{name} has resigned." for name, seat in seats if not seat.plays]
    return gone + [
        f"{'The bot ' if seat.stand_in.bot else ''}{seat.stand_in.name} plays for {name}."
        for name, seat in seats
        if seat.stand_in
    ]


@cites("post.pause", "post.host.pause")
def paused(timeline: Timeline, now: datetime) -> list[str]:
    """That a game is paused, in a sentence; [] where it is not."""
    pause = timeline.paused
    if pause is None or timeline.over:
        return []
    if pause.until is None:
        reason = f": {pause.reason.removesuffix('.')}" if pause.reason else ""
        return [f"The host has paused the game since {moment(pause.time)}{reason}. You may still send turns."]
    until = datetime.combine(pause.until, time(), UTC)
    return [f"The game is paused by agreement. No clock runs until {moment(until)}."] if now < until else []


# -- at the terminal and for whoever runs a host ----------------------------------------------------------


def sentences(timeline: Timeline, now: datetime, names: Sequence[str]) -> list[str]:
    """What a mail says about the clock: the deadline, absences, misses, who does not play any more."""
    seats = list(zip(names, timeline.seats, strict=False))
    text = [f"{name} has resigned." for name, seat in seats if not seat.plays]
    text += [
        f"{name} is played by {'the bot ' if seat.stand_in.bot else ''}{seat.stand_in.name}."
        for name, seat in seats
        if seat.stand_in
    ]
    if timeline.ended:
        text.append(f"The game is over since {moment(timeline.ended.time)}.")
    elif timeline.winners:
        won = who_wins([names[seat] for seat in timeline.winners])
        text.append(f"The game is over: {won}, because nobody else is left.")
    if timeline.adjourned is not None and not timeline.over:
        text.append(f"The game has been adjourned since {moment(timeline.adjourned)}.")
    text += paused(timeline, now)
    clock = shown(timeline, now)
    is_paused = bool(paused(timeline, now))
    return text + (_running(clock, names[clock.seat], is_paused=is_paused) if clock else [])


def _running(clock: Shown, name: str, *, is_paused: bool) -> list[str]:
    text = [f"Time for turn {clock.turn}, {name}: {deadline(clock)}."]
    if clock.still_until is not None:
        away = "The" if is_paused else f"{name} is away: the"
        text.append(f"{away} clock is stopped until {moment(clock.still_until)}.")
    misses = f"{name} has missed {counted(clock.misses, 'turn')} in a row. " if clock.misses else ""
    then = THEN[clock.then].format(name=name)
    if clock.stage != "out":
        out = "the time runs out" if clock.end == clock.deadline else "time and grace run out"
        text.append(f"{misses}If {out}, {then}.")
    elif clock.then != "pass":
        text.append(f"{misses}{then[:1].upper()}{then[1:]}.")
    return text
