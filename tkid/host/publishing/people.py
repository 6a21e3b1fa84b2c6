"""Who is who on the pages of a club: names, pseudonyms, the names of files. Addresses are known here and go no further."""

from __future__ import annotations

import re
from base64 import b32encode
from collections.abc import Iterable, Mapping
from hashlib import sha256
from hmac import new as hmac
from unicodedata import normalize

from attrs import field, frozen

from tkid.club.display_names import display_name, number_names
from tkid.club.members import Member
from tkid.club.pages.public import Cast
from tkid.club.values import mailbox
from tkid.mail.game.hosted_game import HostedGame
from tkid.record.clock.notes import stand_ins
from tkid.rulebook import cites

SHORT, LONG = 6, 12
"""Characters of a word that tells files apart, and of one that stands for a name."""
PLAIN = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
MOST = 48
"""Characters of a file's name."""
SOMEBODY = "Somebody"


@frozen
class Person:
    """A person: the name on pages, the page, and whether the person stays anonymous."""

    name: str
    page: str
    anonymous: bool = False


@frozen
class Roster:
    """Who plays a game, as its record has it: address and name of each seat, and of all who ever stood in; and its title."""

    seats: tuple[tuple[str, str], ...]
    stand_ins: tuple[tuple[str, str], ...] = ()
    title: str = ""

    @classmethod
    def of(cls, game: HostedGame) -> Roster:
        """Who plays a game."""
        people = tuple((line.address, line.name) for line in stand_ins(game.record) if not line.bot)
        return cls(
            tuple((seat.address, seat.name) for seat in game.record.seats),
            tuple(dict.fromkeys(people)),
            game.record.title,
        )


@frozen
class People:
    """The people of a club.

    `members` are by mailbox, of former addresses too. `pages` are the files' names of those without a
    pseudonym, by address; they stay the same.
    """

    secret: bytes
    members: Mapping[str, Member]
    pages: dict[str, str] = field(factory=dict)

    @classmethod
    def of(cls, secret: bytes, members: Iterable[Member], pages: Mapping[str, str]) -> People:
        """The people, by the documents of the members."""
        by_address: dict[str, Member] = {}
        for member in members:
            for address in map(mailbox, (*member.former, member.address)):
                if member.anonymous or address not in by_address:
                    by_address[address] = member
        return cls(secret, by_address, dict(pages))

    def home(self, address: str) -> str:
        """The mailbox that a person is known by here, whatever address a game has."""
        member = self.members.get(mailbox(address))
        return mailbox(member.address if member else address)

    def person(self, address: str, name: str) -> Person:
        """Who has an address; `name` is the person's name in a game."""
        home = self.home(address)
        member = self.members.get(home)
        if member is not None and member.anonymous:
            shown = display_name(name, member) or f"{SOMEBODY} {self.word('pseudonym', home, SHORT)}"
            return Person(shown, f"guest-{self.word('guest', home, LONG)}", anonymous=True)
        shown = (member.name if member else "") or name
        if not home:
            return Person(shown, "")
        if home not in self.pages:
            plain = slug_of(shown) or "player"
            taken = set(self.pages.values())
            self.pages[home] = plain if plain not in taken else f"{plain}-{self.word('player', home, SHORT)}"
        return Person(shown, self.pages[home])

    def word(self, purpose: str, of: str, length: int) -> str:
        """A word that stands for something, and that only this host can work out."""
        digest = hmac(self.secret, f"tkid page 1\n{purpose}\n{of}".encode(), sha256).digest()
        return b32encode(digest).decode()[:length].lower()

    @cites("club.pages.anonymous")
    def hidden_in(self, *texts: str, also: Iterable[str] = ()) -> frozenset[str]:
        """The names of people who stay anonymous, `also` of others, that are in some texts, wholly or in part."""
        names = {member.name for member in self.members.values() if member.anonymous} | set(also)
        names.discard("")
        if not names or not any(Cast((), frozenset(names)).names_hidden(text) for text in texts):
            return frozenset()
        return frozenset(n for n in names if any(Cast((), frozenset({n})).names_hidden(text) for text in texts))

    def cast(self, game: str, roster: Roster) -> tuple[Cast, tuple[Person, ...]]:
        """The names of a game as they are published, and the people at its seats.

        A game whose name or title names somebody who stays anonymous is a copy too, although the person does not play it.
        """
        seats = [(self.person(address, name), name) for address, name in roster.seats]
        stand_ins = [(self.person(address, name), name) for address, name in roster.stand_ins]
        hidden = {name for person, name in (*seats, *stand_ins) if person.anonymous}
        hidden |= self.hidden_in(game, roster.title)
        hidden |= {
            member.name
            for address, _ in (*roster.seats, *roster.stand_ins)
            if (member := self.members.get(mailbox(address))) and member.anonymous
        }
        names = number_names([person.name if person.anonymous else name for person, name in seats])
        shown = {name: person.name for person, name in stand_ins if person.anonymous}
        people = (person for person, _ in seats)
        return Cast(names, frozenset(filter(None, hidden)), shown), tuple(people)

    def slug(self, game: str, cast: Cast) -> str:
        """The name of a game's files: neutral where somebody in it stays anonymous, as a game's name may name players."""
        if cast.is_copy:
            return f"game-{self.word('game', game, LONG)}"
        plain = slug_of(game)
        return plain if plain == game else f"{plain or 'game'}-{self.word('game', game, SHORT)}"


def slug_of(text: str) -> str:
    """A text as the name of a file: small letters, digits and hyphens; "" where nothing is left of it."""
    letters = normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    slug = "-".join(re.findall(r"[a-z0-9]+", letters))[:MOST].strip("-")
    return slug if PLAIN.fullmatch(slug) and slug not in {"index", "404"} else ""
