"""A game at a host: the record played through, and what is remembered besides; how it goes on by itself. Pure."""

from __future__ import annotations

from datetime import datetime

from attrs import evolve, field, frozen

from tkid.mail.game.clock import agenda
from tkid.mail.game.memory import Memory
from tkid.mail.game.plans import decide, shortly
from tkid.mail.game.timeline import Timeline, timeline
from tkid.mail.model import Marker
from tkid.mail.plugin import mail_plugin
from tkid.orders.plugin import order_language
from tkid.record.clock.notes import BY_RESIGNATION, NOTHING_TO_PLAY, Adjourned, At, Line, Passed
from tkid.record.clock.terms import CLOCK, STARTED
from tkid.record.clock.times import write_time
from tkid.record.format.model import Header, Record
from tkid.record.format.reader import read_record
from tkid.record.format.start_text import start_text
from tkid.record.play import chain
from tkid.record.play.amendments import with_comment, with_note
from tkid.record.play.replay import Replay, append, replay
from tkid.record.play.views import seen
from tkid.record.play.writer import write_record
from tkid.rulebook import cites

BY_ITSELF = (NOTHING_TO_PLAY, BY_RESIGNATION)
"""Why a seat passes without anybody having decided so."""


@frozen
class HostedGame:
    """A game at a host; what its record tells of time is worked out once, whatever else is remembered of it later."""

    replay: Replay
    memory: Memory
    times: list[Timeline] = field(factory=list, eq=False, repr=False, kw_only=True)

    @classmethod
    def new(cls, record: Record) -> HostedGame:
        """A game of which nothing is remembered yet."""
        return cls(replay(record), unremembered(record))

    @classmethod
    def stored(cls, record: str, memory: str) -> HostedGame:
        """A game as a store keeps it. Raises ValueError where that is no game: a store holds what was written."""
        found = read_record(record.encode())
        if found.record is None or found.problems:
            raise ValueError("; ".join(map(str, found.problems)))
        return cls(replay(found.record), Memory.read(memory))

    @property
    def record_text(self) -> str:
        """The record as a store keeps it."""
        return write_record(self.replay.record, self.replay)

    @property
    def memory_text(self) -> str:
        """What is remembered besides, as a store keeps it."""
        return self.memory.text

    @property
    def record(self) -> Record:
        """The record."""
        return self.replay.record

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names."""
        return self.replay.record.names

    @property
    def to_act(self) -> int | None:
        """The seat that is to act, None where the game is over, also by resignation, or adjourned."""
        return None if self.time.over or self.time.adjourned else self.replay.position.to_act

    @property
    def awaited(self) -> int | None:
        """The seat that is to act as soon as the game is not adjourned; None where it is over or nobody plays that seat."""
        seat = self.replay.position.to_act
        return seat if seat is not None and not self.time.over and self.time.seats[seat].plays else None

    @property
    def stand(self) -> str:
        """What names the turn at which the game stands, and all that came before it."""
        stands = due(self.replay)
        return f"{stands.turn} {stands.after}"

    @property
    def time(self) -> Timeline:
        """What the record tells of time."""
        if not self.times:
            self.times.append(timeline(self.replay))
        return self.times[0]

    @property
    def turns(self) -> int:
        """How many turns there are, those that were taken back too."""
        return len(self.replay.record.turns)

    def known(self, seat: int) -> Replay:
        """The game as a seat may know it."""
        return seen(self.replay, seat)

    def address(self, seat: int) -> str:
        """Where a seat is written to: its stand-in's address where it has one, "" for a bot."""
        stand_in = self.time.seats[seat].stand_in
        return stand_in.address if stand_in else self.record.seats[seat].address

    def is_bot(self, seat: int) -> bool:
        """Whether a bot plays a seat: it reads no letters, and agrees to everything."""
        stand_in = self.time.seats[seat].stand_in
        return stand_in is not None and stand_in.bot

    def player(self, seat: int) -> str:
        """Who plays a seat: its stand-in's name where it has one."""
        stand_in = self.time.seats[seat].stand_in
        return stand_in.name if stand_in else self.names[seat]

    def moment(self, now: datetime) -> datetime:
        """A moment as the record writes it: to the minute, and not before anything that it tells of."""
        now = now.replace(second=0, microsecond=0)
        return max(now, self.time.latest) if self.time.latest else now

    # -- gone on ------------------------------------------------------------------------------------------

    def remembering(self, memory: Memory) -> HostedGame:
        """The same game with something else remembered."""
        return HostedGame(self.replay, memory, times=self.times)

    def played(self, text: str, now: datetime, why: Passed | None = None) -> HostedGame:
        """With one more turn, a legal one; `why` it was passed without its player.

        A turn that somebody took, or the clock, ends what was proposed about the one before.
        """
        longer = append(self.replay, text)
        if longer.problems:
            raise ValueError(f"{text}: {longer.problems[0]}")
        memory = self.memory if why in BY_ITSELF else evolve(self.memory, proposal=None)
        return HostedGame(with_note(longer, At(self.moment(now)), *([why] if why else [])), memory)

    def with_line(self, line: Line) -> HostedGame:
        """With a line about what happened besides turns."""
        return HostedGame(with_comment(self.replay, line), self.memory)


def unremembered(record: Record) -> Memory:
    """What is remembered of a game that begins: everybody wishes to be told what is decided."""
    return Memory.new(len(record.seats), order_language(record.game).level)


def due(known: Replay) -> Marker:
    """The turn at which a game stands: its number, and the hash of all that came before."""
    record = known.record
    number = record.turns[-1].number + 1 if record.turns else 1
    return Marker(number, chain.shown(known.value), record.title)


def hash_before(known: Replay, turn: int) -> str:
    """The hash before a turn that has been played, or the one that is due; "" where there is no such turn."""
    at = due(known)
    if turn == at.turn:
        return at.after
    for before, moment in zip(known.moments, known.moments[1:], strict=False):
        if moment.turn is not None and moment.turn.number == turn:
            return before.hash or chain.shown(chain.first(start_text(known.record)))
    return ""


def started(record: Record, now: datetime) -> Record:
    """A record whose clock begins now, where it has one that has not begun."""
    names = {header.name.casefold() for header in record.headers}
    if CLOCK.casefold() not in names or STARTED.casefold() in names:
        return record
    header = Header(STARTED, write_time(now.replace(second=0, microsecond=0)))
    return evolve(record, headers=(*record.headers, header))


# -- by itself --------------------------------------------------------------------------------------------


def gone_on(at: HostedGame, now: datetime) -> HostedGame:
    """The game gone on as far as nobody has to be asked.

    Seats pass that have no card left or whose player has resigned, bots play, and plans are carried out that apply.
    """
    while (seat := at.to_act) is not None:
        after = _without_player(at, seat, now) or _as_planned(at, seat, now)
        if after is None:
            return at
        if after.turns == at.turns:
            return after
        at = after
    return at


@cites("post.pass.empty", "post.bot", "post.resign")
def _without_player(at: HostedGame, seat: int, now: datetime) -> HostedGame | None:
    """The game after a turn that needs nobody; None where the player is asked."""
    family = mail_plugin(at.record.game)
    alone = family.by_itself(at.record.game, at.replay.position)
    if alone is not None:
        text, why = alone
        return at.played(text, now, why)
    if at.is_bot(seat):
        return at.played(family.choose(at.known(seat), seat), now)
    if at.time.seats[seat].plays:
        return None
    (item,) = agenda(at.time)
    if item.kind == "pass":
        return at.played(family.passing, now, item.note)
    return at.with_line(Adjourned(at.moment(now)))


def _as_planned(at: HostedGame, seat: int, now: datetime) -> HostedGame | None:
    """The game after a look at a player's plans, with the turn that one of them plays; None where there is nothing to see.

    They are looked at once in a turn, and again when one was given.
    """
    mine = at.memory.seats[seat]
    if not mine.plans or at.memory.looked == at.stand:
        return None
    decision = decide(at.known(seat), seat, mine.plans)
    turn = due(at.replay).turn
    notes = (*mine.notes, *(f"Turn {turn}: {told}" for told in shortly(decision.notes)))
    memory = evolve(at.memory.with_seat(seat, plans=decision.plans, notes=notes), looked=at.stand)
    after = at.remembering(memory)
    return after.played(decision.turn, now) if decision.kind == "play" else after
