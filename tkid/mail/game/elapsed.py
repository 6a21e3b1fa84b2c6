"""How long a clock has run between two moments, and when it has run so long: with pauses in which it stands still."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from attrs import frozen


@frozen
class Pause:
    """A time in which a clock stands still, from `start` on and before `end`."""

    start: datetime
    end: datetime


Pauses = Sequence[Pause]
"""Pauses in the order of time, none of them overlapping another."""


def joined(pauses: Iterable[Pause]) -> tuple[Pause, ...]:
    """The same times without overlaps, in order."""
    whole: list[Pause] = []
    for pause in sorted(pauses, key=lambda pause: (pause.start, pause.end)):
        if whole and pause.start <= whole[-1].end:
            whole[-1] = Pause(whole[-1].start, max(whole[-1].end, pause.end))
        else:
            whole.append(pause)
    return tuple(whole)


def ran(start: datetime, now: datetime, pauses: Pauses = ()) -> timedelta:
    """How long a clock that was started has run by now: nothing before it was started, and nothing in pauses."""
    still = (min(now, pause.end) - max(start, pause.start) for pause in pauses)
    stood = sum((time for time in still if time > timedelta()), timedelta())
    return max(timedelta(), now - start - stood)


def when(start: datetime, time: timedelta, pauses: Pauses = ()) -> datetime:
    """The first moment at which a clock that was started has run for some time."""
    now, left = start, time
    if not left:
        return start
    for pause in pauses:
        if pause.end <= now:
            continue
        if now + left <= pause.start:
            break
        left -= max(timedelta(), pause.start - now)
        now = pause.end
    return now + left


def still_until(now: datetime, pauses: Pauses) -> datetime | None:
    """The end of the pause in which a moment lies, and of those that follow at once; None where the clock runs."""
    end = None
    for pause in pauses:
        if pause.start <= (end or now) < pause.end:
            end = pause.end
    return end
