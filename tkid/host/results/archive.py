"""The results of a host's games. They are made from the records; a copy is kept beside the digest of its record, for speed alone."""

from __future__ import annotations

from base64 import b32encode
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from hmac import new as hmac

from attrs import field, frozen

from tkid.club import values
from tkid.club.display_names import display_name
from tkid.club.members import KIND as MEMBER
from tkid.club.members import Member
from tkid.club.results.result import Player, Result, result_of
from tkid.club.values import mailbox
from tkid.host.store.documents import Document
from tkid.host.store.store import Store
from tkid.host.store.transaction import StoredGame, Transaction
from tkid.mail.game.hosted_game import HostedGame
from tkid.rulebook import cites

KIND = "result"
"""The kind of the copies. Their id is the name of the game."""
FORM = "result 2"
"""What the digests of copies begin with: copies of another form are made again."""
FEW = 50
"""Up to so many copies are looked up one by one."""
ID_LENGTH = 12
"""Characters of a player's id."""


@frozen
class Copy:
    """A result as it was made from a record with this digest. Its players' ids are addresses, so it stays in the database."""

    digest: str
    result: Result

    @classmethod
    def of(cls, game: StoredGame, digest: str) -> Copy | None:
        """The result of a game, None where it goes on."""
        hosted = HostedGame.stored(game.record, game.memory)
        seats = zip(hosted.record.seats, hosted.time.seats, strict=True)
        players = tuple(Player((time.address or seat.address).lower(), seat.name) for seat, time in seats)
        result = result_of(hosted.replay, game.id, players)
        return None if result is None else cls(digest, result)


@frozen
class Who:
    """Who is who: ids without addresses, the names that members have at the club, and their pseudonyms."""

    secret: bytes
    members: Mapping[str, Member] = field(factory=dict)

    @classmethod
    def of(cls, transaction: Transaction, secret: bytes) -> Who:
        """The members of a host, by the mailboxes of all addresses that they have had: an anonymous one first."""
        members = [Member.read(document.data) for document in transaction.documents.every(MEMBER)]
        members.sort(key=lambda each: each.anonymous)
        return cls(secret, {mailbox(address): each for each in members for address in (*each.former, each.address)})

    @cites("club.names", "club.person")
    def player(self, kept: Player) -> Player:
        """A player as everybody may know them; in a copy, the id is the address.

        Somebody who becomes anonymous gets another id too, so that nobody finds the name in an older list.
        """
        member = self.members.get(mailbox(kept.id))
        address = mailbox(member.address if member else kept.id)
        name = display_name(kept.name, member) if member else kept.name
        named = address or f"name {kept.name.casefold()}"
        purpose = "tkid guest 1" if member and member.anonymous else "tkid player 1"
        drawn = hmac(self.secret, f"{purpose}\n{named}".encode(), sha256).digest()
        return Player(b32encode(drawn).decode()[:ID_LENGTH].lower(), name, member.shown if member else "")


def results(store: Store, secret: bytes) -> list[Result]:
    """The results of all games of a host that are over, by name of the game; those that were not known are kept."""
    games = store.games()
    with store.writing() as transaction:
        return list(results_of(transaction, secret, games).values())


def results_of(transaction: Transaction, secret: bytes, games: Iterable[StoredGame]) -> Mapping[str, Result]:
    """The results of those of some games that are over, by name of the game."""
    over = [game for game in games if game.over]
    known = _known(transaction, over)
    player = cache((Who.of(transaction, secret) if over else Who(secret)).player)
    made = {}
    for game in over:
        digest = sha256(f"{FORM}\n{game.record}".encode()).hexdigest()
        copy = values.read(known[game.id], Copy) if game.id in known else None
        if copy is None or copy.digest != digest:
            copy = Copy.of(game, digest)
            if copy is None:
                continue
            transaction.documents.put(Document(KIND, game.id, values.write(copy)))
        made[game.id] = copy.result.played_by(tuple(map(player, copy.result.players)))
    return made


def _known(transaction: Transaction, games: Sequence[StoredGame]) -> Mapping[str, str]:
    """The texts of the copies, one by one where they are few."""
    if len(games) > FEW:
        return {document.id: document.data for document in transaction.documents.every(KIND)}
    found = (transaction.documents.get(KIND, game.id) for game in games)
    return {document.id: document.data for document in found if document is not None}
