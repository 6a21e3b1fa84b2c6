"""A game at a host, and the host's memory of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from itertools import pairwise
from typing import Any, Literal

from attrs import astuple, evolve, field, frozen

from tkid.kernel.game import fill_names
from tkid.mail.game_clock import list_agenda
from tkid.mail.model import CONVERTER, Address, Marker, Stored, StoredText
from tkid.mail.order_finder import OrderReader, get_order_reader
from tkid.mail.plans import Plan, decide_by_plans, summarize_plans
from tkid.mail.plugin import find_mail_plugin
from tkid.mail.timeline import Timeline, find_next_turn, read_timeline
from tkid.orders.order_values import find_order_language
from tkid.record.clock import CLOCK, STARTED, write_time
from tkid.record.clock_notes import BY_RESIGNATION, NOTHING_TO_PLAY, Adjourned, At, Line, Passed
from tkid.record.format import seal
from tkid.record.format.model import BY_MAIL, ENGINE, Header, Record, Turn, find_bot_seats
from tkid.record.format.reader import read_own_record, write_start
from tkid.record.play.replay import Replay, append, replay
from tkid.record.play.views import hide_addresses, hide_secrets, make_public_replay
from tkid.record.play.writer import add_comments, with_note, write_record
from tkid.rulebook import cites

EVERY_TURN = "every turn"
MY_TURNS = "my turns"
BY_LOT = "random"
BY_ITSELF = (NOTHING_TO_PLAY, BY_RESIGNATION)
"""Reasons for a pass that nobody decided on."""
NOBODY_DECIDED = {passed.why for passed in BY_ITSELF}
DIGITS = 10
"""Characters of the digest that names a proposal."""
ProposalKind = Literal["offer", "elsewhere", "held", "waited", "undo", "agree", "mail", "move", "invitation"]
OFFERS: tuple[ProposalKind, ...] = ("offer", "elsewhere", "held")
"""The proposals of the host to a seat, each for one turn."""
BY_PLAYERS: tuple[ProposalKind, ...] = ("undo", "agree")
"""The proposals of a player to the others, at most one of each kind."""
REFUSALS: Mapping[ProposalKind, str] = {
    "undo": "undo no", "agree": "agree no", "move": "address no", "invitation": "decline",
}  # fmt: skip
"""The lines that a `no` stands for; one to any other proposal orders nothing."""
ALWAYS = datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)


@frozen
class Proposal(Stored):
    """Order lines in canonical form that wait for a yes or no.

    The host offers them to a `seat` before the next `turn`: as an `offer`, or about a mail from `elsewhere`. A turn that is `held` came with a
    mail of `since` and is played at `until`, unless its sender stops it; the last one that was played so has `waited`. Or a player on that
    seat asks all others to take back a `turn` (`undo`), or to `agree` on an end or a pause; those who have `agreed` are listed.

    The memory of a game has its proposals. A club stores others as documents, which wait for `people` (those who have `agreed` are listed by their
    places) `until` a day: lines of a `mail` to be confirmed, and a `move` to another address. `about` is the subject of the letter
    that the mail answered, and `name` the name next to its address. `doubt` is the text beside the orders that casts doubt on
    them, "" if the question is whether the mail was its sender's. Lobbies and tournaments know who has an `invitation`.
    """

    KIND = "proposal"
    kind: ProposalKind
    seat: int = -1
    turn: int = 0
    after: str = ""
    lines: tuple[str, ...] = ()
    choice: bool = False
    agreed: tuple[int, ...] = ()
    since: datetime = ALWAYS[0]
    until: datetime = ALWAYS[1]
    people: tuple[Address, ...] = ()
    about: str = ""
    doubt: str = ""
    name: str = ""

    @property
    def id(self) -> str:
        """A short name: another one for another proposal."""
        asked = (self.until.isoformat(), *self.people) if self.people else ()
        named = "\n".join((str(self.turn), self.after, str(self.choice), *self.lines, *asked))
        return sha256(named.encode("utf-8", "replace")).hexdigest()[:DIGITS]

    @property
    def due(self) -> datetime:
        return self.until

    @property
    def missing(self) -> tuple[str, ...]:
        """The people whose answers are missing."""
        return tuple(each for place, each in enumerate(self.people) if place not in self.agreed)

    @cites("mail.offer.yes")
    def pick_lines(self, answer: str) -> tuple[str, ...]:
        """Return the lines that an answer orders: `yes`, `no`, or the number of one of several turns."""
        if answer.isdecimal():
            return self.lines[int(answer) - 1 : int(answer)]
        if answer == "no":
            return (REFUSALS[self.kind],) if self.kind in REFUSALS else ()
        return self.lines if answer and not (self.choice and len(self.lines) > 1) else ()


@frozen
class SeatMemory:
    """The memory of a seat."""

    told: int = 0
    wish: str = field(kw_only=True)
    plans: tuple[Plan, ...] = ()
    last_plan: int = 0
    notes: tuple[str, ...] = ()
    pictures: bool = True


@frozen
class Memory(StoredText):
    """The memory of a game."""

    seats: tuple[SeatMemory, ...]
    asked: str = ""
    done: tuple[str, ...] = ()
    looked: str = ""
    proposals: tuple[Proposal, ...] = ()

    @classmethod
    def make_new(cls, seats: int, wish: str) -> Memory:
        return cls((SeatMemory(wish=wish),) * seats)

    def with_seat(self, seat: int, **changes: Any) -> Memory:
        """Return the memory with other values for a seat, by the names of `SeatMemory`."""
        changed = evolve(self.seats[seat], **changes)
        return evolve(self, seats=(*self.seats[:seat], changed, *self.seats[seat + 1 :]))

    def find_proposal(self, kind: ProposalKind, seat: int | None = None) -> Proposal | None:
        return next((each for each in self.proposals if each.kind == kind and seat in {None, each.seat}), None)

    def list_offers(self, seat: int) -> tuple[Proposal, ...]:
        return tuple(filter(None, (self.find_proposal(kind, seat) for kind in OFFERS)))

    def with_proposal(self, proposal: Proposal) -> Memory:
        """Return the memory with a proposal in the place of one of its kind, and of the same one."""
        seat = None if proposal.kind in BY_PLAYERS else proposal.seat
        others = self.without_proposals(proposal.kind, seat=seat).proposals
        others = tuple(each for each in others if (each.seat, each.id) != (proposal.seat, proposal.id))
        return evolve(self, proposals=(*others, proposal))

    @cites("mail.offer")
    def without_proposals(self, *kinds: ProposalKind, seat: int | None = None) -> Memory:
        """Return the memory without the proposals of some kinds, or only those to a seat."""
        left = (each for each in self.proposals if each.kind not in kinds or seat not in {None, each.seat})
        return evolve(self, proposals=tuple(left))


CONVERTER.register_unstructure_hook(Plan, astuple)
CONVERTER.register_structure_hook(Plan, lambda values, _: Plan(*values))


@cites("post.bot", "post.bot.player", "post.bot.fair")
def choose_bot_turn(known: Replay, seat: int, player: str) -> str:
    """Return a legal turn for a bot's seat, which is to act: the same for the same game. It knows what the seat knows."""
    from tkid.bots.roster import HOUSE, PLAYERS  # noqa: PLC0415 - few games have a bot, and starting up is slower with players

    game = known.record.game
    view = game.view(known.position, seat)
    chosen = PLAYERS.get(player, PLAYERS[BY_LOT])(game)
    turn = HOUSE.choose(game, view) if player == ENGINE else chosen.choose(view, BY_MAIL)
    return fill_names(game.words.write_turn(turn), known.record.names)


@frozen
class HostedGame:
    """A game: a host keeps plans and wishes, and opens all hands at the end; one that is not hosted has only its record."""

    replay: Replay
    memory: Memory
    is_hosted: bool = field(default=True, kw_only=True)
    times: list[Timeline] = field(factory=list, eq=False, repr=False, kw_only=True)

    @classmethod
    def make_new(cls, record: Record) -> HostedGame:
        return cls(replay(record), make_memory(record))

    @classmethod
    def read_stored(cls, record: str, memory: str) -> HostedGame:
        """Read a game out of a store. Raises ValueError if the store does not hold its own format."""
        return cls(replay(read_own_record(record)), Memory.read_text(memory))

    @property
    def record_text(self) -> str:
        return write_record(self.replay.record, self.replay)

    @property
    def memory_text(self) -> str:
        return self.memory.text

    @property
    def record(self) -> Record:
        return self.replay.record

    @property
    def names(self) -> tuple[str, ...]:
        return self.replay.record.names

    @property
    def seats(self) -> range:
        return range(len(self.names))

    def list_others(self, seat: int) -> tuple[int, ...]:
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
    def turn_held(self) -> Proposal | None:
        """The turn that is played in a while, unless its player stops it; None where none waits, or another turn is next."""
        if self.awaited is None or (held := self.memory.find_proposal("held", self.awaited)) is None:
            return None
        marker = make_next_marker(self.view_as_told(self.awaited))
        return held if (held.turn, held.after) == (marker.turn, marker.after) else None

    @property
    def turn_id(self) -> str:
        """A name for the next turn and all that came before it."""
        marker = make_next_marker(self.replay)
        return f"{marker.turn} {marker.after}"

    @property
    def time(self) -> Timeline:
        if not self.times:
            self.times.append(read_timeline(self.replay))
        return self.times[0]

    @property
    def turns(self) -> int:
        """Number of turns, including those that were taken back."""
        return len(self.replay.record.turns)

    @cites("record.opening")
    def view_as(self, seat: int) -> Replay:
        """Return the game as a seat may know it: every hand when it is over."""
        return make_public_replay(self.public) if self.opened else self.view_as_told(seat)

    @property
    @cites("mail.private-address")
    def public(self) -> Replay:
        """The game without addresses, which a host keeps to itself; without a host, players need them."""
        return hide_addresses(self.replay) if self.is_hosted else self.replay

    @property
    def opened(self) -> bool:
        """True if all hands are open: the game is over, and a host keeps it."""
        return self.is_hosted and self.time.over

    def view_as_told(self, seat: int) -> Replay:
        """Return the game as a seat saw it while it lasted. Keys and markers are made from that, also after the end."""
        return hide_secrets(self.public, seat)

    def find_hashes_before(self, seat: int, turn: int) -> tuple[str, ...]:
        """Return the hashes before a turn that a seat has seen: the current one, and that of a file with addresses."""
        views = (self.view_as_told(seat), hide_secrets(self.replay, seat))
        return tuple(dict.fromkeys(find_hash_before(known, turn) for known in views))

    def find_address(self, seat: int) -> str:
        """Return the address for letters to a seat: its stand-in's if it has one, "" for a bot."""
        time = self.time.seats[seat]
        return time.stand_in.address if time.stand_in else self.find_own_address(seat)

    def find_own_address(self, seat: int) -> str:
        return self.time.seats[seat].address or self.record.seats[seat].address

    @property
    def replaced(self) -> tuple[int, ...]:
        """The seats whose player can be written to, but whom somebody else has replaced."""
        addresses = [(seat, self.find_own_address(seat), self.find_address(seat)) for seat in self.seats]
        return tuple(seat for seat, own, now in addresses if own and own.casefold() != now.casefold())

    @cites("record.bot")
    def is_bot(self, seat: int) -> bool:
        """Return True if a bot plays a seat: it reads no letters, and agrees to everything."""
        stand_in = self.time.seats[seat].stand_in
        return stand_in.bot if stand_in is not None else seat in find_bot_seats(self.record)

    def find_player(self, seat: int) -> str:
        """Return the name of the person or program on a seat: its stand-in's if it has one."""
        stand_in = self.time.seats[seat].stand_in
        return stand_in.name if stand_in else self.names[seat]

    def find_reader(self, seat: int | None = None) -> OrderReader:
        """Return the reader and writer of orders in this game: those of a seat, if one is given."""
        return get_order_reader(self.record.game, self.names, seat)

    def round_moment(self, now: datetime) -> datetime:
        """Return a moment as the record writes it: to the minute, and not before anything in it."""
        now = now.replace(second=0, microsecond=0)
        return max(now, self.time.latest) if self.time.latest else now

    def with_memory(self, memory: Memory) -> HostedGame:
        return HostedGame(self.replay, memory, is_hosted=self.is_hosted, times=self.times)

    def with_seat_memory(self, seat: int, **changes: Any) -> HostedGame:
        """Return the game with other values in the memory of a seat, by the names of `SeatMemory`."""
        return self.with_memory(self.memory.with_seat(seat, **changes))

    def with_turn(self, text: str, now: datetime, why: Passed | None = None) -> HostedGame:
        """Add a legal turn; `why` it was passed. If a player or the clock took it, proposals on the last turn end."""
        longer = append(self.replay, text)
        if longer.problems:
            raise ValueError(f"{text}: {longer.problems[0]}")
        memory = self.memory.without_proposals(*OFFERS, *(() if why in BY_ITSELF else BY_PLAYERS))
        noted = with_note(longer, At(self.round_moment(now)), *([why] if why else []))
        return HostedGame(noted, memory, is_hosted=self.is_hosted)

    def with_line(self, line: Line) -> HostedGame:
        return HostedGame(add_comments(self.replay, line), self.memory, is_hosted=self.is_hosted)


def make_memory(record: Record) -> Memory:
    return Memory.make_new(len(record.seats), find_order_language(record.game).level)


def make_next_marker(known: Replay) -> Marker:
    """Return the marker of the next turn: its number, and the hash of all that came before."""
    return Marker(find_next_turn(known), seal.shorten_hash(known.value), known.record.title)


def find_hash_before(known: Replay, turn: int) -> str:
    """Return the hash before a turn that was played, or before the next one; "" if there is no such turn."""
    if turn == find_next_turn(known):
        return seal.shorten_hash(known.value)
    for before, moment in pairwise(known.moments):
        if moment.turn is not None and moment.turn.number == turn:
            return before.hash or seal.shorten_hash(seal.compute_first_hash(write_start(known.record)))
    return ""


def find_last_taken(game: HostedGame) -> tuple[Turn, ...]:
    """Return the last turn that stands and that a player or the clock took, and the forced passes after it."""
    standing = [turn for turn in game.record.turns if not turn.undone]
    for back, turn in enumerate(reversed(standing), 1):
        if NOBODY_DECIDED.isdisjoint(turn.notes):
            return tuple(standing[-back:])
    return ()


def start_clock(record: Record, now: datetime) -> Record:
    """Return a record with its clock started now, if it has a clock that has not begun."""
    names = {header.name.casefold() for header in record.headers}
    if CLOCK.casefold() not in names or STARTED.casefold() in names:
        return record
    header = Header(STARTED, write_time(now.replace(second=0, microsecond=0)))
    return evolve(record, headers=(*record.headers, header))


def play_forced_turns(game: HostedGame, now: datetime) -> HostedGame:
    """Play on until a player has to be asked: forced passes, bots, and plans that apply."""
    while (seat := game.to_act) is not None:
        after = _play_without_player(game, seat, now) or _play_planned(game, seat, now)
        if after is None:
            return game
        if after.turns == game.turns:
            return after
        game = after
    return game


@cites("post.pass.empty", "post.bot", "post.bot.fair", "post.resign")
def _play_without_player(game: HostedGame, seat: int, now: datetime) -> HostedGame | None:
    plugin = find_mail_plugin(game.record.game)
    if alone := plugin.find_forced_turn(game.record.game, game.replay.position):
        return game.with_turn(alone[0], now, alone[1])
    if game.is_bot(seat):
        stand_in = game.time.seats[seat].stand_in
        player = stand_in.player if stand_in is not None else find_bot_seats(game.record)[seat].player
        return game.with_turn(choose_bot_turn(game.view_as(seat), seat, player), now)
    if game.time.seats[seat].plays:
        return None
    (item,) = list_agenda(game.time)
    if item.kind == "pass":
        return game.with_turn(plugin.passing, now, item.note)
    return game.with_line(Adjourned(game.round_moment(now)))


def _play_planned(game: HostedGame, seat: int, now: datetime) -> HostedGame | None:
    """Play the turn that one of a player's plans asks for. Plans are read once a turn, or when one is new."""
    mine = game.memory.seats[seat]
    if not mine.plans or game.memory.looked == game.turn_id:
        return None
    decision, turn = decide_by_plans(game.view_as(seat), seat, mine.plans), find_next_turn(game.replay)
    notes = (*mine.notes, *(f"Turn {turn}: {note}" for note in summarize_plans(decision.notes)))
    memory = evolve(game.memory.with_seat(seat, plans=decision.plans, notes=notes), looked=game.turn_id)
    after = game.with_memory(memory)
    return after.with_turn(decision.turn, now) if decision.kind == "play" else after
