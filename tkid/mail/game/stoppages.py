"""When the clocks of a whole game stand still, and what the host changed about the current turn. Pure."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

from attrs import define, evolve, field

from tkid.mail.game.elapsed import Pause, Pauses, joined
from tkid.record.clock.interventions import Deadline, Extended, Paused, StoodStill
from tkid.rulebook import cites


@define
class Stoppages:
    """Pauses of all clocks, and the time for the current turn, as far as a record was gone through.

    `still` are the times in which no clock ran. `paused` is the latest pause that nobody resumed; `since` is when it
    began. `given` is the time that the host set for the current turn, None where it set none, and `ignored` the
    pauses that this deadline takes into account already. `extra` is what the host added for that turn.
    """

    still: tuple[Pause, ...] = ()
    paused: Paused | None = None
    given: timedelta | None = None
    extra: timedelta = timedelta()
    ignored: frozenset[Pause] = frozenset()
    since: datetime | None = field(default=None)

    def of(self, absences: Pauses, now: datetime | None = None) -> tuple[Pause, ...]:
        """The times in which the clock of the next turn stands still, without overlaps.

        A pause that has no end lasts until `now`; without it, it is left out: no clock runs before it is resumed.
        """
        open_end = [Pause(self.since, now)] if self.since and now and self.since < now else []
        return joined(pause for pause in (*absences, *self.still, *open_end) if pause not in self.ignored)

    def next_turn(self) -> None:
        """Another turn is due: what the host changed counted for the one before."""
        self.given, self.extra, self.ignored = None, timedelta(), frozenset()

    @cites("post.pause", "post.host.pause")
    def pause(self, line: Paused) -> None:
        """No clock runs from now on; an earlier pause ends."""
        self.resume(line.time)
        self.paused = line
        if line.until is None:
            self.since = line.time
        else:
            self.still += (Pause(line.time, datetime.combine(line.until, time(), UTC)),)

    def resume(self, moment: datetime) -> None:
        """Clocks run again."""
        if self.since is not None and self.since < moment:
            self.still += (Pause(self.since, moment),)
        self.paused, self.since = None, None
        self.still, self.ignored = _cut(self.still, moment), frozenset(_cut(tuple(self.ignored), moment))

    @cites("post.host.still")
    def stood_still(self, line: StoodStill) -> None:
        """No clock ran for a while."""
        if line.first < line.last:
            self.still += (Pause(line.first, line.last),)

    @cites("post.host.time")
    def extend(self, line: Extended) -> None:
        """The next player has more time."""
        self.extra += line.by

    @cites("post.host.time")
    def set_deadline(self, line: Deadline, start: datetime, absences: Pauses) -> None:
        """The time of the next player is out at some moment; only what stops the clock later moves it."""
        self.given, self.extra = max(timedelta(), line.until - start), timedelta()
        self.ignored = frozenset((*self.still, *absences))
        if self.since is not None and self.since < line.time:
            before = Pause(self.since, line.time)
            self.still, self.ignored, self.since = (*self.still, before), self.ignored | {before}, line.time


def _cut(pauses: tuple[Pause, ...], moment: datetime) -> tuple[Pause, ...]:
    """The pauses as they were where clocks run again from a moment on."""
    return tuple(evolve(pause, end=min(pause.end, moment)) for pause in pauses if pause.start < moment)
