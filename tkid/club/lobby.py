"""A game that gathers players: its places, and who takes them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal

from attrs import evolve, frozen

from tkid.mail.model import Address, Stored
from tkid.mail.plugin import with_clock
from tkid.notation.names import list_names
from tkid.notation.text import fold_name
from tkid.record.format.model import BY_MAIL, BotSeat, Record, add_bots
from tkid.record.format.new_game import new_record, new_record_at
from tkid.record.format.seal import compute_seal
from tkid.rulebook import cites
from tkid.rulebook.rulesets import Ruleset, ruleset

TABLE_KIND = "table"
OPEN_FOR = timedelta(days=7)
"""How long an invitation, or a game that looks for players, is open where its maker does not say."""
MOST_OPEN = 90
"""Days that it is open at most."""
REMEMBERED = timedelta(days=30)
"""How long the host can still say what became of it."""
BOT_NAMES = "Merlin", "Morgan", "Nimue", "Gawain", "Viviane", "Kay"
"""What players that are programs are called; there are enough for a table at which everybody has one of these names."""


@frozen
class Place:
    """A seat taken or offered: name, address in lower case, words for the deal; `invited` by somebody else."""

    name: str
    address: Address
    accepted: bool = False
    words: str = ""
    invited: bool = False


@frozen
class Table(Stored):
    """A game that gathers players.

    `name` is the name that the game will have. `places` are taken or offered, in turn order, and `size` is how many there are in
    all; the rest is open to everybody. `maker` is the address of the member who asked for it, at `made`. `until` is when it ends
    without a game. `entropy` is the host's half of the deal, in hex digits: its seal is in every invitation, and nobody
    sees it before the game is over. `clock` and `rulings` are the terms. `after` is the game that it is a rematch of.
    `state` is what became of it, and `why` says why it ended. `bots` are the players that are programs; they sit last. A
    game that does not begin with a deal begins in a `position`, which is that after some turn of a game (`origin`).
    """

    KIND = TABLE_KIND
    NAMED = "name"
    name: str
    ruleset: str
    places: tuple[Place, ...]
    size: int
    maker: Address
    made: datetime
    until: datetime
    entropy: str
    clock: str = ""
    rulings: tuple[str, ...] = ()
    after: str = ""
    state: Literal["open", "begun", "ended"] = "open"
    why: str = ""
    bots: tuple[str, ...] = ()
    position: str = ""
    origin: str = ""

    @property
    def due(self) -> datetime:
        """Its end, or the moment to forget it."""
        return self.until if self.state == "open" else self.until + REMEMBERED

    @property
    def entry(self) -> Ruleset:
        return ruleset(self.ruleset)

    @property
    def seal(self) -> str:
        return compute_seal(bytes.fromhex(self.entropy)).hex()

    @property
    def free(self) -> int:
        """The number of seats that are open to everybody."""
        return self.size - len(self.places) - len(self.bots)

    @property
    def missing(self) -> tuple[Place, ...]:
        """The invited players who have not accepted."""
        return tuple(place for place in self.places if not place.accepted)

    @property
    def waits_for(self) -> str:
        """The players it waits for: the invited ones, and the number of others. At least one is missing."""
        names = [place.name for place in self.missing]
        more = [f"{self.free} more {'player' if self.free == 1 else 'players'}"] if self.free else []
        return list_names([*names, *more], "and")

    @property
    def is_complete(self) -> bool:
        return not self.free and not self.missing

    def place(self, address: str) -> Place | None:
        return next((place for place in self.places if place.address == address), None)

    def list_other_places(self, address: str) -> tuple[Place, ...]:
        return tuple(place for place in self.places if place.address != address)

    def with_place(self, place: Place) -> Table:
        """With a seat in place of that of the same address, or with one more."""
        if self.place(place.address) is None:
            return evolve(self, places=(*self.places, place))
        return evolve(self, places=tuple(place if old.address == place.address else old for old in self.places))

    def end_gathering(self, why: str, state: Literal["begun", "ended"] = "ended") -> Table:
        """Return the table closed to players. It forgets the host's half of the deal: a game that began has it."""
        return evolve(self, state=state, why=why, entropy="")

    @cites("club.begin", "club.words")
    def record(self, names: Sequence[str] = ()) -> Record:
        """Return the game, dealt from both halves or in its position; `names` fill the free seats. Raises NewGameError."""
        words = [f"{place.name}={place.words}" for place in self.places if place.words]
        people = [*(f"{place.name} <{place.address}>" for place in self.places), *names]
        taken = {fold_name(player.partition("<")[0].strip()) for player in people}
        called = [name for name in BOT_NAMES if fold_name(name) not in taken][: len(self.bots)]
        players = [*people, *called]
        if self.position:
            record = new_record_at(self.position, self.ruleset, players, self.name, self.rulings)
        else:
            entropy = bytes.fromhex(self.entropy)
            record = new_record(self.ruleset, players, entropy, title=self.name, rulings=self.rulings, words=words)
        seats = range(len(people), len(players))
        bots = {seat: BotSeat(bot, BY_MAIL) for seat, bot in zip(seats, self.bots, strict=True)}
        return with_clock(add_bots(record, bots), self.clock)
