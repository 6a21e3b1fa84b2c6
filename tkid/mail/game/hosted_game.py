"""A game at a host: the record played through, and what is remembered besides; how it goes on by itself. Pure."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise

from attrs import evolve, field, frozen

from tkid.mail.game.bot import turn_of
from tkid.mail.game.clock import agenda
from tkid.mail.game.memory import Held, Memory
from tkid.mail.game.plans import decide, shortly
from tkid.mail.game.timeline import Timeline, next_turn, timeline
from tkid.mail.model import Marker
from tkid.mail.plugin import mail_plugin
from tkid.orders.plugin import order_language
from tkid.record.clock.notes import BY_RESIGNATION, NOTHING_TO_PLAY, Adjourned, At, Line, Passed
from tkid.record.clock.terms import CLOCK, STARTED
from tkid.record.clock.times import write_time
from tkid.record.format.bot_seats import bot_seats
from tkid.record.format.model import Header, Record
from tkid.record.format.reader import read_record
from tkid.record.format.start_text import start_text
from tkid.record.play import chain
from tkid.record.play.amendments import with_comment, with_note
from tkid.record.play.replay import Replay, append, replay
from tkid.record.play.views import disclosed, hide_addresses, seen
from tkid.record.play.writer import write_record
from tkid.rulebook import cites

BY_ITSELF = (NOTHING_TO_PLAY, BY_RESIGNATION)
"""Why a seat passes without anybody having decided so."""


@frozen
class HostedGame:
    """A game at a host; what its record says about time is worked out once, whatever else is remembered of it later.

    A host opens all hands when the game is over. Without a host (`opens` is false), whoever dealt does that.
    """

    replay: Replay
    memory: Memory
    opens: bool = field(default=True, kw_only=True)
    times: list[Timeline] = field(factory=list, eq=False, repr=False, kw_only=True)

    @classmethod
    def new(cls, record: Record) -> HostedGame:
        """A game of which nothing is remembered yet."""
        return cls(replay(record), new_memory(record))

    @classmethod
    def stored(cls, record: str, memory: str) -> HostedGame:
        """A game as a store keeps it. Raises ValueError where that is no game: a store holds what was written."""
        read = read_record(record.encode())
        if read.record is None or read.problems:
            raise ValueError("; ".join(map(str, read.problems)))
        return cls(replay(read.record), Memory.read(memory))

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
    def seats(self) -> range:
        """All seats."""
        return range(len(self.names))

    def others(self, seat: int) -> tuple[int, ...]:
        """All seats but one."""
        return tuple(other for other in self.seats if other != seat)

    @property
    def to_act(self) -> int | None:
        """The seat that is to act, None where the game is over, also without its rules, or adjourned."""
        return None if self.time.over or self.time.adjourned else self.replay.position.to_act

    @property
    def awaited(self) -> int | None:
        """The seat that is to act as soon as the game is not adjourned; None where it is over or nobody plays that seat."""
        seat = self.replay.position.to_act
        return seat if seat is not None and not self.time.over and self.time.seats[seat].plays else None

    @property
    def turn_held(self) -> Held | None:
        """The turn that is played in a while, unless its player stops it; None where none waits, or another turn is next."""
        if self.awaited is None or (held := self.memory.seats[self.awaited].held) is None:
            return None
        marker = next_marker(self.as_told(self.awaited))
        return held if (held.offer.turn, held.offer.after) == (marker.turn, marker.after) else None

    @property
    def turn_id(self) -> str:
        """A name for the next turn and all that came before it."""
        marker = next_marker(self.replay)
        return f"{marker.turn} {marker.after}"

    @property
    def time(self) -> Timeline:
        """What the record says about time."""
        if not self.times:
            self.times.append(timeline(self.replay))
        return self.times[0]

    @property
    def turns(self) -> int:
        """How many turns there are, those that were taken back too."""
        return len(self.replay.record.turns)

    @cites("record.opening")
    def known(self, seat: int) -> Replay:
        """The game as a seat may know it: every hand when it is over."""
        return disclosed(self.public) if self.opened else self.as_told(seat)

    @property
    @cites("mail.private-address")
    def public(self) -> Replay:
        """The game without addresses, which a host keeps to itself; without a host, players need them."""
        return hide_addresses(self.replay) if self.opens else self.replay

    @property
    def opened(self) -> bool:
        """Whether all hands are open: the game is over, and a host keeps it."""
        return self.opens and self.time.over

    def as_told(self, seat: int) -> Replay:
        """The game as a seat was told it while it went on. Keys and markers are made from that, also after the end."""
        return seen(self.public, seat)

    def hashes_before(self, seat: int, turn: int) -> tuple[str, ...]:
        """The hashes before a turn as a seat was told them: the current one, and that of a file with addresses."""
        return tuple(dict.fromkeys(hash_before(known, turn) for known in (self.as_told(seat), seen(self.replay, seat))))

    def address(self, seat: int) -> str:
        """Where a seat is written to: its stand-in's address where it has one, "" for a bot."""
        time = self.time.seats[seat]
        return time.stand_in.address if time.stand_in else self.own_address(seat)

    def own_address(self, seat: int) -> str:
        """Where the player of a seat is written to who sat there at the beginning."""
        return self.time.seats[seat].address or self.record.seats[seat].address

    @property
    def replaced(self) -> tuple[int, ...]:
        """The seats whose player can be written to, but whom somebody else has replaced."""
        addresses = [(seat, self.own_address(seat), self.address(seat)) for seat in self.seats]
        return tuple(seat for seat, own, now in addresses if own and own.casefold() != now.casefold())

    @cites("record.bot")
    def is_bot(self, seat: int) -> bool:
        """Whether a bot plays a seat: it reads no letters, and agrees to everything."""
        stand_in = self.time.seats[seat].stand_in
        return stand_in.bot if stand_in is not None else seat in bot_seats(self.record)

    def player(self, seat: int) -> str:
        """Who plays a seat: its stand-in's name where it has one."""
        stand_in = self.time.seats[seat].stand_in
        return stand_in.name if stand_in else self.names[seat]

    def moment(self, now: datetime) -> datetime:
        """A moment as the record writes it: to the minute, and not before anything in it."""
        now = now.replace(second=0, microsecond=0)
        return max(now, self.time.latest) if self.time.latest else now

    # -- gone on ------------------------------------------------------------------------------------------

    def remembering(self, memory: Memory) -> HostedGame:
        """The same game with something else remembered."""
        return HostedGame(self.replay, memory, opens=self.opens, times=self.times)

    def with_turn(self, text: str, now: datetime, why: Passed | None = None) -> HostedGame:
        """With one more turn, a legal one; `why` it was passed without its player.

        A turn that somebody took, or the clock, ends what was proposed about the one before.
        """
        longer = append(self.replay, text)
        if longer.problems:
            raise ValueError(f"{text}: {longer.problems[0]}")
        memory = self.memory.without_offers()
        memory = memory if why in BY_ITSELF else evolve(memory, proposal=None, agreement=None)
        noted = with_note(longer, At(self.moment(now)), *([why] if why else []))
        return HostedGame(noted, memory, opens=self.opens)

    def with_line(self, line: Line) -> HostedGame:
        """With a line about what happened besides turns."""
        return HostedGame(with_comment(self.replay, line), self.memory, opens=self.opens)


def new_memory(record: Record) -> Memory:
    """What is remembered of a game that begins: everybody wishes to hear what is decided."""
    return Memory.new(len(record.seats), order_language(record.game).level)


def next_marker(known: Replay) -> Marker:
    """The marker of the next turn: its number, and the hash of all that came before."""
    return Marker(next_turn(known), chain.shown(known.value), known.record.title)


def hash_before(known: Replay, turn: int) -> str:
    """The hash before a turn that has been played, or the next one; "" where there is no such turn."""
    if turn == next_turn(known):
        return chain.shown(known.value)
    for before, moment in pairwise(known.moments):
        if moment.turn is not None and moment.turn.number == turn:
            return before.hash or chain.shown(chain.first(start_text(known.record)))
    return ""


def start_clock(record: Record, now: datetime) -> Record:
    """A record whose clock begins now, where it has one that has not begun."""
    names = {header.name.casefold() for header in record.headers}
    if CLOCK.casefold() not in names or STARTED.casefold() in names:
        return record
    header = Header(STARTED, write_time(now.replace(second=0, microsecond=0)))
    return evolve(record, headers=(*record.headers, header))


# -- by itself --------------------------------------------------------------------------------------------


def go_on(game: HostedGame, now: datetime) -> HostedGame:
    """The game gone on as far as nobody has to be asked.

    Seats pass that have no card left or whose player has resigned, bots play, and plans are carried out that apply.
    """
    while (seat := game.to_act) is not None:
        after = _without_player(game, seat, now) or _as_planned(game, seat, now)
        if after is None:
            return game
        if after.turns == game.turns:
            return after
        game = after
    return game


@cites("post.pass.empty", "post.bot", "post.bot.fair", "post.resign")
def _without_player(game: HostedGame, seat: int, now: datetime) -> HostedGame | None:
    """The game after a turn that needs nobody; None where the player is asked."""
    plugin = mail_plugin(game.record.game)
    alone = plugin.by_itself(game.record.game, game.replay.position)
    if alone is not None:
        text, why = alone
        return game.with_turn(text, now, why)
    if game.is_bot(seat):
        return game.with_turn(turn_of(game.known(seat), seat, _player_of(game, seat)), now)
    if game.time.seats[seat].plays:
        return None
    (item,) = agenda(game.time)
    if item.kind == "pass":
        return game.with_turn(plugin.passing, now, item.note)
    return game.with_line(Adjourned(game.moment(now)))


def _player_of(game: HostedGame, seat: int) -> str:
    """The player that chooses the turns of a bot's seat, "" for one by lot."""
    stand_in = game.time.seats[seat].stand_in
    return stand_in.player if stand_in is not None else bot_seats(game.record)[seat].player


def _as_planned(game: HostedGame, seat: int, now: datetime) -> HostedGame | None:
    """The game after a look at a player's plans, with the turn that one of them plays; None where there is nothing to see.

    They are looked at once in a turn, and again when one was given.
    """
    mine = game.memory.seats[seat]
    if not mine.plans or game.memory.looked == game.turn_id:
        return None
    decision, turn = decide(game.known(seat), seat, mine.plans), next_turn(game.replay)
    notes = (*mine.notes, *(f"Turn {turn}: {note}" for note in shortly(decision.notes)))
    memory = evolve(game.memory.with_seat(seat, plans=decision.plans, notes=notes), looked=game.turn_id)
    after = game.remembering(memory)
    return after.with_turn(decision.turn, now) if decision.kind == "play" else after
