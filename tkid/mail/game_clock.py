"""The clock of a game by mail: its readings and deadlines, as values and in words.

All times are UTC and exact to the minute, as a record writes them; a day is 24 hours for which the clock ran. A turn's
clock begins when the turn before was taken. It stands still on the announced days of absence of the next player, and
while the game is adjourned. Time is out when the clock has run for the whole time and the grace. An order that came
before that is in time, so earlier mails are read first. A pass or an adjournment is written with the
moment at which it is done, so that nobody's clock has run before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Literal

from attrs import frozen

from tkid.mail.timeline import Timeline, compute_allotted, find_moment_after, find_pause_end, measure_running_time
from tkid.notation.names import list_names
from tkid.notation.text import capitalize_text, count_noun, count_noun_in_words
from tkid.orders.days import write_day
from tkid.record.clock import DAY, HOUR, WEEKDAYS, Bank, Clock, PerTurn
from tkid.record.clock_notes import BY_RESIGNATION, OUT_OF_TIME, Passed
from tkid.rulebook import cites

Then = Literal["pass", "stand-in", "adjourn"]
"""The event when the time is out: the seat passes, it is offered to somebody else, or the game is adjourned."""
Stage = Literal["running", "grace", "out"]
Kind = Literal["reminder", "grace", Then]


@frozen
class RunningClock:
    """The state of the clock for the seat to act at some moment; it runs for `time` and the grace."""

    seat: int
    turn: int
    since: datetime
    time: timedelta
    deadline: datetime
    end: datetime
    stage: Stage
    left: timedelta
    bank: int | None
    still_until: datetime | None
    misses: int
    then: Then


@frozen
class Due:
    """An event that is due at some moment, about a turn and its seat.

    `name` stays the same as long as it is the same event, so that the host can remember it and handle it once.
    A `reminder` and `grace` (the time is out, the grace begins) ask for a letter; `pass` for a pass with the note
    `note` on it; `stand-in` for an offer of the seat; `adjourn` for an end of play until somebody resumes it.
    """

    name: str
    time: datetime
    kind: Kind
    seat: int
    note: Passed | None = None


_Step = tuple[str, datetime, Kind, Passed | None]
"""A due event of a turn: its name, moment, kind, and the note of a pass."""


@cites("post.host.time", "post.clock.out", "post.clock.misses", "post.clock.no-pass")
def read_game_clock(timeline: Timeline, now: datetime) -> RunningClock | None:
    """Return the state of the clock; None if none runs.

    None runs without terms, if the record doesn't say when the turn began, when the game is over, adjourned or paused
    by the host, and for a seat without a player. Raises TypeError for a moment without a time zone.
    """
    clock, since, to_act = timeline.clock, timeline.since, timeline.to_act
    if clock is None or since is None or to_act is None or timeline.over or timeline.stopped:
        return None
    seat, pauses, grace = timeline.seats[to_act], timeline.pauses, clock.grace
    if not seat.plays:
        return None
    agreed = compute_allotted(clock, seat) if timeline.given is None else timeline.given
    time, run = agreed + timeline.extra, measure_running_time(since, now, pauses)
    stage: Stage = "running" if run < time else "grace" if run < time + grace else "out"
    spent = max(timedelta(), run - timeline.extra) // DAY
    is_last_miss = clock.misses is not None and seat.misses + 1 >= clock.misses
    return RunningClock(
        seat=to_act,
        turn=timeline.turn,
        since=since,
        time=time,
        deadline=find_moment_after(since, time, pauses),
        end=find_moment_after(since, time + grace, pauses),
        stage=stage,
        left=time - run if stage == "running" else max(timedelta(), time + grace - run),
        bank=max(0, seat.bank - spent) if isinstance(clock.time, Bank) else None,
        still_until=find_pause_end(max(since, now), pauses),
        misses=seat.misses,
        then="pass" if timeline.passable and not is_last_miss else clock.at_last,
    )


def list_agenda(timeline: Timeline) -> tuple[Due, ...]:
    if timeline.to_act is None or timeline.over or timeline.adjourned:
        return ()
    turn = f"turn {timeline.turn} ({timeline.restarts + 1})" if timeline.restarts else f"turn {timeline.turn}"
    resigned = timeline.seats[timeline.to_act].gone
    steps = [_pass_resigned(timeline, resigned)] if resigned else _list_deadline_events(timeline)
    return tuple(Due(f"{turn} {name}", time, kind, timeline.to_act, note) for name, time, kind, note in steps)


@cites("post.resign")
def _pass_resigned(timeline: Timeline, resigned: datetime) -> _Step:
    """Pass at once for a player who has resigned. If the turn cannot be passed, adjourn the game."""
    moment = max(resigned, timeline.since) if timeline.since else resigned
    return ("pass", moment, "pass", BY_RESIGNATION) if timeline.passable else ("adjourn", moment, "adjourn", None)


@cites("post.clock.remind", "post.clock.grace")
def _list_deadline_events(timeline: Timeline) -> Iterator[_Step]:
    """List the reminders, the beginning of the grace, and the end: of each deadline that the host set."""
    running = read_game_clock(timeline, timeline.since) if timeline.since else None
    if running is None or timeline.clock is None:
        return
    for number, after in enumerate((after for after in timeline.clock.reminders if after < running.time), 1):
        yield f"reminder {number}", find_moment_after(running.since, after, timeline.pauses), "reminder", None
    changed = f" {timeline.given} {timeline.extra}" if timeline.given is not None or timeline.extra else ""
    if timeline.clock.grace:
        yield f"grace{changed}", running.deadline, "grace", None
    note = OUT_OF_TIME if running.then == "pass" else None
    yield f"{running.then}{changed}", running.end, running.then, note


def find_due(timeline: Timeline, now: datetime) -> Due | None:
    """Return the latest event whose moment has come, until the record changes; those before it are pointless."""
    return next((item for item in reversed(list_agenda(timeline)) if item.time <= now), None)


def find_next_moment(timeline: Timeline, now: datetime) -> datetime | None:
    """Return the next moment after this one at which an event is due, or None. The host can sleep until then."""
    return next((item.time for item in list_agenda(timeline) if item.time > now), None)


MINUTE = timedelta(minutes=1)
SOON = timedelta(hours=48)
"""Less time than this is also said in hours."""


def format_day(time: datetime) -> str:
    """Format a day: `Friday 27 November`."""
    time = time.astimezone(UTC)
    return f"{WEEKDAYS[time.weekday()]} {write_day(time.date()).rpartition(' ')[0]}"


def format_moment(time: datetime, *, year: bool = True) -> str:
    """Format a moment: `Tuesday 24 November 2026, 10:04 UTC`."""
    time = time.astimezone(UTC)
    date = f"{WEEKDAYS[time.weekday()]} {write_day(time.date())}" if year else format_day(time)
    return f"{date}, {time:%H:%M} UTC"


def format_length(time: timedelta) -> str:
    """Format a length of time, cut to its two largest units: `2 days`, `1 day 4 hours`, `12 minutes`."""
    days, hours, minutes = time // DAY, time % DAY // HOUR, time % HOUR // MINUTE
    units = ((days, "day"), (hours, "hour"), (minutes, "minute"))
    parts = [count_noun(count, unit) if count else "" for count, unit in units]
    return " ".join(filter(None, parts[:2] if days else parts[1:])) or "less than a minute"


def describe_deadline(clock: RunningClock) -> str:
    """Describe the time for a turn: `by Tuesday 24 November 2026, 10:04 UTC; 2 days left; bank 12 days`."""
    if clock.stage == "out":
        parts = [f"the time ran out on {format_moment(clock.end)}"]
    else:
        over = [f"the time ran out on {format_moment(clock.deadline)}", f"grace until {format_moment(clock.end)}"]
        parts = [f"by {format_moment(clock.deadline)}"] if clock.stage == "running" else over
        parts.append(f"{format_length(clock.left)} left")
    if clock.bank is not None:
        parts.append(f"bank {count_noun(clock.bank, 'day') if clock.bank else 'empty'}")
    return "; ".join(parts)


def format_time_left(time: timedelta) -> str:
    """Format the time that is left: in hours if it is short, else in days."""
    if time < SOON:
        return format_length(time) if time < HOUR else count_noun(time // HOUR, "hour")
    return count_noun_in_words(time // DAY, "day")


def format_span(time: timedelta) -> str:
    """Format a time of whole hours: `two days`, `36 hours`."""
    return count_noun_in_words(time // DAY, "day") if not time % DAY else count_noun_in_words(time // HOUR, "hour")


def describe_own_deadline(timeline: Timeline, now: datetime) -> str:
    """Tell the next player the deadline and its consequence; "" if no clock runs."""
    clock = read_game_clock(timeline, now)
    if clock is None or timeline.clock is None:
        return ""
    then = OWN_THEN[clock.then]
    if clock.stage == "out":
        return f"Your time ran out on {format_moment(clock.end)}. {capitalize_text(then)}."
    if clock.stage == "grace":
        return f"Your time ran out on {format_moment(clock.deadline)}. You have grace until {format_moment(clock.end)}; then {then}."
    hours = f" ({clock.left // HOUR} hours left)" if HOUR <= clock.left < SOON else ""
    text = f"Answer by {format_moment(clock.deadline)}{hours}. After that "
    grace = f"you have {format_span(timeline.clock.grace)} of grace; then " if timeline.clock.grace else ""
    text += f"{grace}{then}."
    if clock.bank is not None:
        text += f" Your bank has {count_noun_in_words(clock.bank, 'day')}."
    if clock.still_until is not None:
        moment, pauses = max(clock.since, now), timeline.seats[clock.seat].pauses
        is_away = find_pause_end(moment, pauses) is not None and not describe_pause(timeline, now)
        text += f"{' You are away: your' if is_away else ' Your'} clock is stopped until {format_moment(clock.still_until)}."
    return text + (f" You have missed {count_noun_in_words(clock.misses, 'turn')} in a row." if clock.misses else "")


OWN_THEN: dict[Then, str] = {
    "pass": "the host passes for you",
    "stand-in": "the host offers your seat to somebody else",
    "adjourn": "the game is adjourned",
}


def describe_other_deadline(timeline: Timeline, now: datetime, name: str) -> str:
    """Tell another player the deadline; "" if no clock runs."""
    clock = read_game_clock(timeline, now)
    if clock is None:
        return ""
    if clock.stage == "running":
        return f"{name} has until {format_moment(clock.deadline)}. You don't have to do anything now."
    return f"{name}'s time is up; grace ends on {format_moment(clock.end)}." if clock.stage == "grace" else ""


def describe_terms(clock: Clock) -> str:
    match clock.time:
        case PerTurn(time):
            parts = [f"{format_span(time)} a turn"]
        case Bank(days, turns):
            every = count_noun_in_words(turns, "turn")
            parts = [f"{count_noun_in_words(days, 'day')} for every {every}, days left over are kept"]
    parts.append(f"{format_span(clock.grace)} of grace" if clock.grace else "no grace")
    parts += [f"a reminder after {list_names(map(format_span, clock.reminders), 'and')}"] if clock.reminders else []
    parts += [f"no clock on {list_names([f'{WEEKDAYS[day]}s' for day in clock.off], 'and')}"] if clock.off else []
    last = OWN_THEN[clock.at_last]
    then = "the host passes for you"
    if clock.misses == 1:
        then = last
    elif clock.misses is not None:
        then += f"; after {count_noun_in_words(clock.misses, 'missed turn')} in a row {last}"
    absence = count_noun_in_words(clock.away, "day")
    away = f"You can be away for {absence} in all." if clock.away else "Nobody can stop the clock."
    return f"{capitalize_text(', '.join(parts))}. If your time runs out, {then}. {away}"


def describe_people(timeline: Timeline, names: Sequence[str]) -> list[str]:
    seats = list(zip(names, timeline.seats, strict=False))
    texts = [f"{name} has resigned." for name, seat in seats if not seat.plays]
    for name, who in ((name, seat.stand_in) for name, seat in seats if seat.stand_in):
        texts.append(f"{'The bot ' if who.bot else ''}{who.name} plays for {name}.")
    return texts


@cites("post.pause", "post.host.pause")
def describe_pause(timeline: Timeline, now: datetime) -> list[str]:
    """Say that a game is paused; [] if it is not."""
    pause = timeline.paused
    if pause is None or timeline.over:
        return []
    if pause.until is None:
        reason = f": {pause.reason.removesuffix('.')}" if pause.reason else ""
        return [f"The host has paused the game since {format_moment(pause.time)}{reason}. You may still send turns."]
    until = datetime.combine(pause.until, time(), UTC)
    return [f"The game is paused by agreement. No clock runs until {format_moment(until)}."] if now < until else []
