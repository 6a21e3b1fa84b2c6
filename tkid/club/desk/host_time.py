"""What time it is for a host: whether it believes the machine's clock, and how long it was away. Pure.

A machine has two clocks. One shows the date, and somebody can set it. The other counts the seconds since the machine was
started, and nobody can set it. As long as the machine runs, the second clock shows whether the first one jumped.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from attrs import evolve, frozen

from tkid.club.values import Stored
from tkid.rulebook import cites

NOTED_EACH = timedelta(minutes=1)
"""How often a host notes that it works."""
SLACK = timedelta(hours=1)
"""So far a clock may be set back, or differ from the other one, without a doubt."""
JUMP = timedelta(days=1)
"""A clock that goes forward by more than this, while the other one does not, is not believed."""
LONGEST = timedelta(days=20)
"""A gap of more than this across a start of the machine is not believed: nothing tells a long absence from a wrong clock."""


@frozen
class Reading:
    """A look at a machine's clocks: the date and time, and the seconds since the start of the machine that `boot` names."""

    time: datetime
    boot: str
    seconds: float


@frozen
class Absence:
    """A time in which a host did not work: clocks of games stand still from `first` to `last`."""

    first: datetime
    last: datetime


@frozen
class HostTime(Stored):
    """What a host remembers of time.

    `last` is the last moment at which it worked, as far as it believes, and `boot` and `seconds` are what the machine's
    other clock showed then. While the clock is not believed, `stopped` is since when the clocks of games stand still, and
    `shown` is the time that the machine showed when the doubt began. `away` is an absence that players do not know of yet.
    """

    last: datetime
    boot: str
    seconds: float
    stopped: datetime | None = None
    shown: datetime | None = None
    away: Absence | None = None

    @property
    def believed(self) -> bool:
        """Whether the machine's clock is believed."""
        return self.stopped is None

    def time(self, seen: Reading) -> datetime:
        """What time it is. While the clock is not believed: the last time that was, and the seconds counted since."""
        return seen.time if self.believed else self.last + self.counted(seen)

    def is_recent(self, seen: Reading) -> bool:
        """Whether this was noted less than a minute ago, and nothing is in doubt."""
        gone = seen.time - self.last
        recent = timedelta() <= gone < NOTED_EACH and timedelta() <= self.counted(seen) < NOTED_EACH
        return self.believed and recent and seen.boot == self.boot

    def counted(self, seen: Reading) -> timedelta:
        """The time since `last` by the clock that nobody sets; nothing across a start of the machine."""
        return timedelta(seconds=max(0.0, seen.seconds - self.seconds)) if seen.boot == self.boot else timedelta()

    @cites("club.clock-jump")
    def is_plausible(self, seen: Reading) -> bool:
        """Whether the machine's clock can be right."""
        ahead = seen.time - self.last - self.counted(seen)
        most = JUMP if seen.boot == self.boot or not self.believed else LONGEST
        return -SLACK <= ahead <= most


def judged(known: HostTime | None, seen: Reading, credited: timedelta) -> HostTime:
    """What a host remembers after a look at the clocks, when a round begins.

    Args:
        known: what it remembered before, None for a host that has never worked.
        seen: the clocks now.
        credited: the shortest absence for which the clocks of games stand still.
    """
    if known is None:
        return HostTime(seen.time, seen.boot, seen.seconds)
    if known.is_plausible(seen):
        return confirmed(known, seen, credited)
    doubted = evolve(known, last=known.last + known.counted(seen), boot=seen.boot, seconds=seen.seconds)
    return evolve(doubted, stopped=known.stopped or known.last, shown=seen.time)


@cites("club.downtime")
def confirmed(known: HostTime, seen: Reading, credited: timedelta) -> HostTime:
    """What a host remembers when the machine's clock is right, with the absence that follows, if it was long enough."""
    first, away = known.stopped or known.last, known.away
    if seen.time - first >= credited:
        away = Absence(min(first, away.first) if away else first, seen.time)
    return HostTime(seen.time, seen.boot, seen.seconds, away=away)
