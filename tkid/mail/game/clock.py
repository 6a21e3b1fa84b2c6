"""The clock of a game by mail: what it shows at a moment, and what is due. Pure, computed from the record alone.

All times are UTC and exact to the minute, as a record writes them; a day is 24 hours for which the clock ran. A turn's
clock begins when the turn before was taken. It stands still on the announced days of absence of the next player, and
while the game is adjourned. Time is out when the clock has run for the whole time and the grace: an order that came
before that is in time, so what came earlier is read first. Whoever passes a turn or adjourns a game writes the moment at
which it is done, so that nobody's clock has run before.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Literal

from attrs import frozen

from tkid.mail.game.elapsed import ran, still_until, when
from tkid.mail.game.seat_time import SeatTime
from tkid.mail.game.timeline import Timeline
from tkid.record.clock.notes import BY_RESIGNATION, OUT_OF_TIME, Passed
from tkid.record.clock.terms import DAY, Bank, Clock, PerTurn
from tkid.rulebook import cites

Then = Literal["pass", "stand-in", "adjourn"]
"""What comes when the time is out: the seat passes, it is offered to somebody else, or the game is adjourned."""
Stage = Literal["running", "grace", "out"]
Kind = Literal["reminder", "grace", Then]


@frozen
class Shown:
    """What the clock shows for the seat to act at some moment.

    `deadline` is when the time is out and `end` when the grace is too, as far as is known now: an absence that is
    announced later moves both. `left` is how long the clock may still run until then: before the deadline without
    the grace, after it with it; never below nothing. `bank` is how many days would be left in the bank if the turn
    were taken now, None without a bank. `still_until` is the end of the absence in which the clock stands still now.
    `misses` is how many turns in a row the clock has passed for this seat, `then` what comes at the `end`.
    """

    seat: int
    turn: int
    since: datetime
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
    """Something to be done at some moment, about a turn and its seat.

    `name` stays the same as long as it is the same thing: whoever does it remembers the name, and does it once.
    A `reminder` and `grace` (the time is out, the grace begins) ask for a letter; `pass` for a pass with the note `note`
    on it; `stand-in` for an offer of the seat; `adjourn` for an end of play until somebody resumes it.
    """

    name: str
    time: datetime
    kind: Kind
    seat: int
    turn: int
    note: Passed | None = None


_Step = tuple[str, datetime, Kind, Passed | None]
"""What is due in a turn: its name there, when, its kind, and the note of a pass."""

# -- what it shows ----------------------------------------------------------------------------------------


def shown(timeline: Timeline, now: datetime) -> Shown | None:
    """What the clock shows; None where none runs.

    None runs without terms, where the record does not say when the turn began, when the game is over, adjourned or paused
    by the host, and for a seat that nobody plays. Raises TypeError for a moment without a time zone.
    """
    running = _running(timeline)
    if running is None or timeline.to_act is None:
        return None
    clock, seat, since = running
    pauses, grace, time = timeline.pauses, clock.grace, time_for(timeline, clock, seat)
    run = ran(since, now, pauses)
    stage: Stage = "running" if run < time else "grace" if run < time + grace else "out"
    left = time - run if stage == "running" else max(timedelta(), time + grace - run)
    return Shown(
        seat=timeline.to_act,
        turn=timeline.turn,
        since=since,
        deadline=when(since, time, pauses),
        end=when(since, time + grace, pauses),
        stage=stage,
        left=left,
        bank=max(0, seat.bank - max(timedelta(), run - timeline.extra) // DAY)
        if isinstance(clock.time, Bank)
        else None,
        still_until=still_until(max(since, now), pauses),
        misses=seat.misses,
        then=what_then(clock, seat, passable=timeline.passable),
    )


def _running(timeline: Timeline) -> tuple[Clock, SeatTime, datetime] | None:
    """The clock that runs, the seat to act, and since when it runs for this turn; None where none runs."""
    if timeline.clock is None or timeline.to_act is None or timeline.over or timeline.stopped or not timeline.since:
        return None
    seat = timeline.seats[timeline.to_act]
    return (timeline.clock, seat, timeline.since) if seat.plays else None


@cites("post.clock.turn", "post.clock.bank")
def allotted(clock: Clock, seat: SeatTime) -> timedelta:
    """For how long the clock may run in the next turn, without grace.

    With a bank these are its days and one more: only whole days are taken from it, so that the first 24 hours cost
    nothing, and the time is out when it would have to give a day that it does not have.
    """
    match clock.time:
        case PerTurn(time):
            return time
        case Bank():
            return (seat.bank + 1) * DAY


@cites("post.host.time")
def time_for(timeline: Timeline, clock: Clock, seat: SeatTime) -> timedelta:
    """For how long the clock may run in the turn that is due, without grace: as agreed, or as the host set it."""
    return (allotted(clock, seat) if timeline.given is None else timeline.given) + timeline.extra


@cites("post.clock.out", "post.clock.misses", "post.clock.no-pass")
def what_then(clock: Clock, seat: SeatTime, *, passable: bool) -> Then:
    """What comes when time and grace of the next turn are out; `passable` says that it could be passed."""
    last = clock.misses is not None and seat.misses + 1 >= clock.misses
    return "pass" if passable and not last else clock.at_last


# -- what is due ------------------------------------------------------------------------------------------


def agenda(timeline: Timeline) -> tuple[Due, ...]:
    """All that will be due in this turn if nobody does anything, in the order of time."""
    if timeline.to_act is None or timeline.over or timeline.adjourned:
        return ()
    turn = f"turn {timeline.turn} ({timeline.restarts + 1})" if timeline.restarts else f"turn {timeline.turn}"
    resigned = timeline.seats[timeline.to_act].gone
    steps = [_resigned(timeline, resigned)] if resigned else _steps(timeline)
    return tuple(
        Due(f"{turn} {name}", time, kind, timeline.to_act, timeline.turn, note) for name, time, kind, note in steps
    )


@cites("post.resign")
def _resigned(timeline: Timeline, resigned: datetime) -> _Step:
    """The pass of a player who has resigned: at once. What cannot be passed adjourns the game."""
    moment = max(resigned, timeline.since) if timeline.since else resigned
    return ("pass", moment, "pass", BY_RESIGNATION) if timeline.passable else ("adjourn", moment, "adjourn", None)


@cites("post.clock.remind", "post.clock.grace")
def _steps(timeline: Timeline) -> Iterator[_Step]:
    """Reminders, the beginning of the grace, and what comes at the end: of each deadline that the host set."""
    running = _running(timeline)
    if running is None:
        return
    clock, seat, since = running
    time, pauses = time_for(timeline, clock, seat), timeline.pauses
    for number, after in enumerate((after for after in clock.reminders if after < time), 1):
        yield f"reminder {number}", when(since, after, pauses), "reminder", None
    changed = f" {timeline.given} {timeline.extra}" if timeline.given is not None or timeline.extra else ""
    if clock.grace:
        yield f"grace{changed}", when(since, time, pauses), "grace", None
    then = what_then(clock, seat, passable=timeline.passable)
    yield f"{then}{changed}", when(since, time + clock.grace, pauses), then, OUT_OF_TIME if then == "pass" else None


def due(timeline: Timeline, now: datetime) -> Due | None:
    """What is due now: the latest on the agenda whose moment has come, as it makes those before it pointless.

    It stays due until the record changes; whoever has done it knows by its name.
    """
    return next((item for item in reversed(agenda(timeline)) if item.time <= now), None)


def next_moment(timeline: Timeline, now: datetime) -> datetime | None:
    """The next moment after this one at which anything will be due; None where nothing will. Until then one may sleep."""
    return next((item.time for item in agenda(timeline) if item.time > now), None)
