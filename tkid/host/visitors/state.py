"""What orders to the club can look up, out of a host's database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from attrs import define, field

from tkid.club.door.visit import Kept
from tkid.club.members import KIND as MEMBER
from tkid.club.members import Member
from tkid.club.observers import observed_by
from tkid.club.tables import KIND as TABLE
from tkid.club.tables import Table
from tkid.host.store.transaction import Transaction
from tkid.mail.game.hosted_game import HostedGame
from tkid.rulebook import cites


@define
class StoredState:
    """A `ClubState` within a transaction. Games that were read are remembered until something changes them."""

    transaction: Transaction
    now: datetime
    _games: dict[str, list[tuple[str, HostedGame]]] = field(factory=dict)

    def forget(self) -> None:
        """Look up anew what may have changed."""
        self._games.clear()

    def member(self, address: str) -> Member:
        """The member with an address; one of whom nothing is known where the club keeps nothing."""
        text = self.document(MEMBER, address.lower())
        return Member.read(text) if text else Member.new(address)

    @cites("club.observe.known")
    def is_known(self, address: str) -> bool:
        """Whether somebody is a member, plays here, or observes a game."""
        if self.document(MEMBER, address) is not None or any(observed_by(address, self)):
            return True
        return any(game.address(seat).lower() == address for _, game in self.games(address) for seat in game.seats)

    @cites("club.stranger")
    def is_confirmed(self, address: str) -> bool:
        """Return True if somebody has answered a letter of this host: as a member, as an observer, or with a turn."""
        if self.document(MEMBER, address) is not None or any(observed_by(address, self)):
            return True
        return any(
            game.address(turn.seat).lower() == address and not turn.notes
            for _, game in self.games(address)
            for turn in game.replay.record.turns
        )

    def table(self, name: str) -> Table | None:
        """The game that gathers players under a name, also for a while after that."""
        text = self.document(TABLE, name)
        return Table.read(text) if text else None

    def tables(self) -> Sequence[Table]:
        """All games that gather players, and those that did so not long ago."""
        return [Table.read(each.data) for each in self.transaction.documents.every(TABLE)]

    def games(self, address: str) -> Sequence[tuple[str, HostedGame]]:
        """The hosted games in which somebody has or had a seat, by name."""
        if address not in self._games:
            rows = self.transaction.players.games_of(address)
            self._games[address] = [(name, HostedGame.stored(record, memory)) for name, record, memory in rows]
        return self._games[address]

    def game(self, name: str) -> HostedGame | None:
        """A hosted game."""
        stored = self.transaction.game(name)
        return HostedGame.stored(stored.record, stored.memory) if stored else None

    def running(self) -> Sequence[str]:
        """The names of the hosted games that go on."""
        return self.transaction.running()

    def is_taken(self, name: str) -> bool:
        """Whether a game has a name, or one that gathers players."""
        return self.transaction.players.is_taken(name) or self.document(TABLE, name) is not None

    def counted(self, address: str, what: str) -> int:
        """Count one more of something for an address today: how many by now."""
        return self.transaction.counted(address, self.now.date().isoformat(), what)

    def document(self, kind: str, name: str) -> str | None:
        """The text of a document of any kind."""
        return self.transaction.documents.text(kind, name)

    def documents(self, kind: str) -> Sequence[Kept]:
        """All documents of a kind, by id."""
        return [Kept(each.kind, each.id, each.data, each.due) for each in self.transaction.documents.every(kind)]
