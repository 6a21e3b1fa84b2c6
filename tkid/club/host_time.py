"""Decide whether a host believes its clock, and write the letters about downtime.

A machine has two clocks. One shows the date, and somebody can set it. The other counts the seconds since the machine was
started, and cannot be set. As long as the machine runs, the second clock shows whether the first one jumped.

Several machines may work for one host. Each has its own clocks, so the host compares the clocks of each machine only with
what they showed before.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from attrs import asdict, evolve, frozen

from tkid.club.club_state import write_club_letter
from tkid.club.members import list_games_of_member
from tkid.mail.blocks import Facts, Heading, Paragraph, Samples
from tkid.mail.game_clock import format_length, format_moment
from tkid.mail.hosted_game import HostedGame
from tkid.mail.letter_parts import cite_rule
from tkid.mail.model import Stored
from tkid.mail.order_machine import ClubLetter
from tkid.rulebook import cites

NOTED_EACH = timedelta(minutes=1)
"""Interval at which a host notes that it works."""
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
    machine: str = ""


@frozen
class Absence:
    """A time in which a host did not work: clocks of games stand still from `first` to `last`."""

    first: datetime
    last: datetime


@frozen
class MachineTime:
    """Facts about a machine's clocks. While the host ignores them: when the machine last worked, and the time that they showed."""

    last: datetime
    boot: str
    seconds: float
    stopped: datetime | None = None
    shown: datetime | None = None
    machine: str = ""

    @property
    def believed(self) -> bool:
        return self.stopped is None

    @property
    def worked(self) -> datetime:
        """When the machine last worked, as far as it is believed."""
        return self.stopped or self.last


@frozen
class HostTime(MachineTime, Stored):
    """A host's memory of time, as the machine has it that noted it; `others` are the other machines that work for the host."""

    KIND = "host"
    NAME = "time"
    away: Absence | None = None
    others: tuple[MachineTime, ...] = ()

    def as_machine(self, machine: str) -> HostTime:
        """Return these facts for another machine; a new machine learns when the others worked."""
        if machine == self.machine or not self.machine:
            return evolve(self, machine=machine)
        this = MachineTime(self.last, self.boot, self.seconds, self.stopped, self.shown, self.machine)
        known = {each.machine: each for each in (*self.others, this)}
        own = known.pop(machine, None) or MachineTime(self.last_work, "", 0.0, machine=machine)
        return HostTime(**asdict(own), away=self.away, others=tuple(known.values()))

    @property
    def last_work(self) -> datetime:
        """When any machine last worked."""
        return max(each.worked for each in (self, *self.others))

    def list_doubted(self) -> list[MachineTime]:
        return [each for each in (self, *self.others) if not each.believed]

    def find_time(self, seen: Reading) -> datetime:
        """Return the time. While the clock is not believed: the last believed time, and the seconds counted since."""
        return seen.time if self.believed else self.last + self.count_since(seen)

    def is_recent(self, seen: Reading) -> bool:
        """Return True if this was noted less than a minute ago, and nothing is in doubt."""
        gone = seen.time - self.last
        recent = timedelta() <= gone < NOTED_EACH and timedelta() <= self.count_since(seen) < NOTED_EACH
        return self.believed and recent and seen.boot == self.boot

    def count_since(self, seen: Reading) -> timedelta:
        """Return the time since `last` by the clock that nobody sets; nothing across a start of the machine."""
        return timedelta(seconds=max(0.0, seen.seconds - self.seconds)) if seen.boot == self.boot else timedelta()

    @cites("club.clock-jump")
    def is_plausible(self, seen: Reading) -> bool:
        """Return True if the machine's clock can be right."""
        runs = seen.boot == self.boot
        last = self.last if runs else max((self.last, *(each.worked for each in self.others)))
        ahead = seen.time - last - self.count_since(seen)
        most = JUMP if runs or not self.believed else LONGEST
        return -SLACK <= ahead <= most


def judge_clock(known: HostTime | None, seen: Reading, credited: timedelta) -> HostTime:
    """Return a host's memory after a look at the clocks, when a round begins; `known` is None if it has never worked.

    `credited` is the shortest absence for which the clocks of games stand still.
    """
    if known is None:
        return HostTime(seen.time, seen.boot, seen.seconds, machine=seen.machine)
    known = known.as_machine(seen.machine)
    if known.is_plausible(seen):
        others = tuple(_compare_clocks(known, seen, each) for each in known.others if _is_at_work(each, seen.time))
        return evolve(confirm_time(known, seen, credited), others=others)
    doubted = evolve(known, last=known.last + known.count_since(seen), boot=seen.boot, seconds=seen.seconds)
    return evolve(doubted, stopped=known.stopped or known.last, shown=seen.time)


def _is_at_work(other: MachineTime, now: datetime) -> bool:
    """Return True if a machine may still be at work; one whose clock is doubted would have noted that it is."""
    return now - other.last < (LONGEST if other.believed else SLACK)


def _compare_clocks(known: HostTime, seen: Reading, other: MachineTime) -> MachineTime:
    """Doubt the clock of a machine that began with a later date than one shows that has run meanwhile."""
    if seen.boot != known.boot or not known.believed or not other.believed or other.last <= seen.time + SLACK:
        return other
    return evolve(other, last=seen.time, stopped=seen.time, shown=other.last)


@cites("club.downtime")
def confirm_time(known: HostTime, seen: Reading, credited: timedelta) -> HostTime:
    """Return a host's memory when the machine's clock is right, with the absence that follows, if it was long enough.

    The other machines have to show that theirs are right too.
    """
    first, away = known.last_work, known.away
    if seen.time - first >= credited:
        away = Absence(min(first, away.first) if away else first, seen.time)
    return HostTime(seen.time, seen.boot, seen.seconds, machine=known.machine, away=away)


ABOUT = "desk"
"""Subject of letters to the owner: a reply to one is an order of the desk."""
CLOCK = "clock"
"""Subject of the letter to players after an absence."""


@cites("club.downtime")
def write_absence_letter(
    address: str, games: Iterable[tuple[str, HostedGame]], away: Absence, now: datetime
) -> ClubLetter | None:
    """Write to a player how long the host was away, and until when there is time in each game now; None if no clock of theirs runs."""
    played = sorted(list_games_of_member(games, address, now), key=lambda each: (each.id, each.seat))
    rows: dict[tuple[str, str], bool] = {}
    for each in played:
        if each.clock is not None and each.end is not None:
            is_mine = each.clock.seat == each.seat
            whose = "your turn" if is_mine else f"{each.game.names[each.clock.seat]}'s turn"
            rows[each.id, f"{whose}, until {format_moment(each.end)}"] = is_mine
    if not rows:
        return None
    first = next(each for each in played if each.clock is not None)
    lead = f"The host was away for {format_length(away.last - away.first)}. No clock ran in that time."
    what_now = "You don't have to do anything now."
    if any(rows.values()):
        what_now = "To play, answer the mail that asked you for your turn."
    body = (
        Paragraph(
            f"This host did not work from {format_moment(away.first)} to {format_moment(away.last)}. That time costs no player "
            "anything: all clocks stopped. Mails that came meanwhile count as in time."
        ),
        Heading("YOUR GAMES NOW"),
        Facts(tuple(rows)),
        Paragraph(what_now),
    )
    to = (first.game.find_address(first.seat), first.game.find_player(first.seat))
    subject = "The host was away: your time was extended"
    return write_club_letter(to, CLOCK, subject, lead, body, now, cite_rule("club.downtime"))


def name_clock(known: MachineTime) -> str:
    return f"The clock of the machine {known.machine}" if known.machine else "The machine's clock"


@cites("club.clock-jump")
def write_clock_doubt(owner: str, known: MachineTime) -> ClubLetter:
    """Write to the owner: the time of the machine's clock, the host's own time, and the consequences."""
    body = (
        Paragraph(
            f"{name_clock(known)} shows {format_moment(known.shown or known.last)}. The host last worked on {format_moment(known.last)}. By its "
            "count of seconds, either the clock is wrong or the host was away for a very long time."
        ),
        Paragraph(
            "Until this is settled, no game's clock runs on this machine: it sends no reminders, and no player misses a turn. "
            f"The host still plays turns that players send, with times that follow {format_moment(known.last)}."
        ),
        Paragraph(
            "If the clock is wrong, set it right: the host continues by itself. If it is right, reply with this line:"
        ),
        Samples(("confirm clock",)),
    )
    lead = "The host ignores a machine's clock. The clocks of games have stopped there."
    return write_club_letter((owner, ""), ABOUT, "[tkid] the clock of the host jumped", lead, body, known.last)
