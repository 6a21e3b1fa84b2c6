"""The clock of a game by mail: what it shows at a moment, and what is due. Pure, computed from the record alone.

All times are UTC and exact to the minute, as a record writes them; a day is 24 hours for which the clock ran. A turn's
clock begins when the turn before was taken. It stands still on the announced days of absence of whoever is to act, and
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
from tkid.mail.game.timeline import Timeline, timeline
from tkid.record.clock.notes import BY_RESIGNATION, OUT_OF_TIME, Passed
from tkid.record.clock.terms import DAY, Bank, Clock, PerTurn
from tkid.rulebook import cites

__all__ = ["Clock", "Due", "Shown", "Timeline", "agenda", "due", "next_moment", "shown", "timeline"]

Then = Literal["pass", "stand-in", "adjourn"]
"""What comes when the time is out: the seat passes, it is offered to somebody else, or the game is adjourned."""
Stage = Literal["running", "grace", "out"]


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
    kind: Literal["reminder", "grace", "pass", "stand-in", "adjourn"]
    seat: int
    turn: int
    note: Passed | None = None


# -- what it shows ----------------------------------------------------------------------------------------


def shown(at: Timeline, now: datetime) -> Shown | None:
    """What the clock shows; None where none runs.

    None runs without terms, where the record does not tell when the turn began, when the game is over or adjourned,
    and for a seat that nobody plays. Raises TypeError for a moment without a time zone.
    """
    seat, since = at.to_act, _running_since(at)
    if at.clock is None or seat is None or since is None:
        return None
    pauses = at.seats[seat].pauses
    time, grace = allotted(at), at.clock.grace
    run = ran(since, now, pauses)
    stage: Stage = "running" if run < time else "grace" if run < time + grace else "out"
    left = time - run if stage == "running" else max(timedelta(), time + grace - run)
    return Shown(
        seat=seat,
        turn=at.turn,
        since=since,
        deadline=when(since, time, pauses),
        end=when(since, time + grace, pauses),
        stage=stage,
        left=left,
        bank=max(0, at.seats[seat].bank - run // DAY) if isinstance(at.clock.time, Bank) else None,
        still_until=still_until(max(since, now), pauses),
        misses=at.seats[seat].misses,
        then=what_then(at),
    )


def _running_since(at: Timeline) -> datetime | None:
    """When the clock of the turn that is due began to run; None where none runs."""
    if at.clock is None or at.to_act is None or at.over or at.adjourned or not at.seats[at.to_act].plays:
        return None
    return at.since


@cites("post.clock.turn", "post.clock.bank")
def allotted(at: Timeline) -> timedelta:
    """For how long the clock may run in the turn that is due, without grace.

    With a bank these are its days and one more: only whole days are taken from it, so that the first 24 hours cost
    nothing, and the time is out when it would have to give a day that it does not have.
    """
    assert at.clock is not None
    assert at.to_act is not None
    match at.clock.time:
        case PerTurn(time):
            return time
        case Bank():
            return (at.seats[at.to_act].bank + 1) * DAY


@cites("post.clock.out", "post.clock.misses", "post.clock.no-pass")
def what_then(at: Timeline) -> Then:
    """What comes when time and grace of the turn that is due are out."""
    assert at.clock is not None
    assert at.to_act is not None
    missed = at.seats[at.to_act].misses + 1
    last = at.clock.misses is not None and missed >= at.clock.misses
    return "pass" if at.passable and not last else at.clock.at_last


# -- what is due ------------------------------------------------------------------------------------------


def agenda(at: Timeline) -> tuple[Due, ...]:
    """All that will be due in this turn if nobody does anything, in the order of time."""
    if at.to_act is None or at.over or at.adjourned:
        return ()
    if not at.seats[at.to_act].plays:
        return (_resigned(at),)
    return tuple(_running(at))


@cites("post.resign")
def _resigned(at: Timeline) -> Due:
    """The pass of a player who has resigned: at once. What cannot be passed adjourns the game."""
    assert at.to_act is not None
    resigned = at.seats[at.to_act].resigned
    assert resigned is not None
    moment = max(resigned, at.since) if at.since else resigned
    if at.passable:
        return Due(f"{_turn(at)} pass", moment, "pass", at.to_act, at.turn, BY_RESIGNATION)
    return Due(f"{_turn(at)} adjourn", moment, "adjourn", at.to_act, at.turn)


@cites("post.clock.remind", "post.clock.grace")
def _running(at: Timeline) -> Iterator[Due]:
    """Reminders, the beginning of the grace, and what comes at the end."""
    since = _running_since(at)
    if at.clock is None or at.to_act is None or since is None:
        return
    pauses, time = at.seats[at.to_act].pauses, allotted(at)
    early = [after for after in at.clock.reminders if after < time]
    for number, after in enumerate(early, 1):
        name = f"{_turn(at)} reminder {number}"
        yield Due(name, when(since, after, pauses), "reminder", at.to_act, at.turn)
    if at.clock.grace:
        yield Due(f"{_turn(at)} grace", when(since, time, pauses), "grace", at.to_act, at.turn)
    then, end = what_then(at), when(since, time + at.clock.grace, pauses)
    yield Due(f"{_turn(at)} {then}", end, then, at.to_act, at.turn, OUT_OF_TIME if then == "pass" else None)


def _turn(at: Timeline) -> str:
    """What names begin with: the turn, and how often its clock has begun to run if that is not once."""
    return f"turn {at.turn} ({at.restarts + 1})" if at.restarts else f"turn {at.turn}"


def due(at: Timeline, now: datetime) -> Due | None:
    """What is due now: the latest on the agenda whose moment has come, as it makes those before it pointless.

    It stays due until the record changes; whoever has done it knows by its name.
    """
    return next((item for item in reversed(agenda(at)) if item.time <= now), None)


def next_moment(at: Timeline, now: datetime) -> datetime | None:
    """The next moment after this one at which anything will be due; None where nothing will. Until then one may sleep."""
    return next((item.time for item in agenda(at) if item.time > now), None)
