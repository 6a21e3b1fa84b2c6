"""Members of a club, their settings, pseudonyms and games."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from hmac import new as hmac
from importlib.resources import files
from itertools import chain, count
from typing import Literal

from attrs import evolve, frozen

from tkid.club.values import get_mailbox
from tkid.mail.game_clock import RunningClock, read_game_clock
from tkid.mail.hosted_game import HostedGame
from tkid.mail.marker import draw_word
from tkid.mail.model import Address, Stored
from tkid.rulebook import cites

MEMBER_KIND = "member"
FORMER = "moved"
"""The kind of documents that say which address a former one became. Their id is the former address."""
DAILY: Literal["daily"] = "daily"
SECRET_LENGTH = 26
"""Characters of the secret word in the address of a calendar: 130 bits."""
GUEST = "Guest"
"""Beginning of every pseudonym, and of no name that a person may choose."""
_NAMES: Mapping[str, list[str]] = tomllib.loads(files(__package__).joinpath("names.toml").read_text("utf-8"))
BIRDS, GAME_NAMES = tuple(_NAMES["birds"]), tuple(_NAMES["games"])
"""Names that the host gives to people who stay anonymous, and to games."""


@frozen
class Member(Stored):
    """A member of the club.

    `address` is the address, in lower case. `name` is the name that was agreed when the member came, "" where none was.
    `blocked` says that the member wants no invitations and no letters of the club; games that are being played go on.

    `anonymous` says that pages and results show the `pseudonym` in place of the name. A pseudonym is drawn once and kept.

    `digest` is DAILY for one mail a day with all games, "" for single mails.
    `secret` is the word in the address of the member's calendar, "" before one is asked for. With `calendar` turn mails
    carry the deadline as a calendar file.

    `former` are the addresses that the member had before.
    """

    KIND = MEMBER_KIND
    NAMED = "address"
    address: Address
    name: str = ""
    blocked: bool = False
    anonymous: bool = False
    pseudonym: str = ""
    digest: Literal["", "daily"] = ""
    secret: str = ""
    calendar: bool = False
    former: tuple[Address, ...] = ()

    @classmethod
    def make_new(cls, address: str, name: str = "") -> Member:
        return cls(address.lower(), name)

    @property
    def shown(self) -> str:
        return self.pseudonym if self.anonymous else self.name

    @cites("club.anonymous")
    def hide(self, secret: bytes, others: Collection[str]) -> Member:
        """Return the member as one who wants to be anonymous, with a pseudonym that none of the others has."""
        return evolve(self, anonymous=True, pseudonym=self.pseudonym or make_pseudonym(secret, self.address, others))

    @cites("club.calendar")
    def add_calendar(self, secret: bytes) -> Member:
        """Return the member with a calendar at a secret address, whose word is drawn once."""
        drawn = draw_word(secret, f"tkid member 1\ncalendar\n{self.address}", SECRET_LENGTH)
        return evolve(self, calendar=True, secret=self.secret or drawn)


def index_members(members: Collection[Member]) -> dict[str, Member]:
    """Return the members by the mailboxes of all their addresses: an anonymous one first, then who has the address now."""
    found = [(address, each) for each in members for address in each.former]
    found += [(each.address, each) for each in members]
    found.sort(key=lambda pair: pair[1].anonymous)
    return {get_mailbox(address): each for address, each in found}


def make_pseudonym(secret: bytes, address: str, others: Collection[str]) -> str:
    """Return a name that none of the others has, the same for the same address; only the secret tells whose it is."""
    taken = {name.casefold() for name in others}
    number = hmac(secret, f"tkid member 1\npseudonym\n{address.lower()}".encode(), sha256).digest()
    first = int.from_bytes(number) % len(BIRDS)
    birds = (f"{GUEST} {bird}" for bird in (*BIRDS[first:], *BIRDS[:first]))
    numbered = (f"{GUEST} {BIRDS[first]} {number}" for number in count(2))  # if every bird is taken
    return next(name for name in chain(birds, numbered) if name.casefold() not in taken)


@cites("club.anonymous")
def is_pseudonym(name: str) -> bool:
    """Return True if a name reads like a pseudonym: no person may play under one."""
    return name.casefold().split()[:1] == [GUEST.casefold()]


def explain_pseudonym(name: str) -> str:
    """Refuse a name that reads like a pseudonym, in a sentence with the rule; return "" for any other name."""
    if not is_pseudonym(name):
        return ""
    return f"`{name}` reads like the pseudonym of somebody who is anonymous [club.anonymous]"


NEVER = datetime.max.replace(tzinfo=UTC)


@frozen
class MemberGame:
    """A game in which a member has a seat; `clock` is that of the next player, None where none runs."""

    id: str
    game: HostedGame
    seat: int
    clock: RunningClock | None = None

    @property
    def mine(self) -> bool:
        """True if the member is to act; an adjourned game continues by that."""
        return self.game.awaited == self.seat

    @property
    def over(self) -> bool:
        return self.game.time.over

    @property
    def end(self) -> datetime | None:
        """The end of the time, or of the grace if the time is out already; None if no clock runs."""
        if self.clock is None:
            return None
        return self.clock.deadline if self.clock.stage == "running" else self.clock.end

    @property
    def order(self) -> tuple[bool, bool, datetime, str]:
        """Sort key of games: those that wait for the member, those that are played, the nearest deadline, the name."""
        return self.over, not self.mine, self.end or NEVER, self.id.casefold()


def find_member_seats(game: HostedGame, address: str) -> tuple[int, ...]:
    """Return the seats that a person plays: their own, unless it has a stand-in, and those that they play as a stand-in."""
    return tuple(seat for seat in game.seats if game.find_address(seat).lower() == address.lower())


def list_games_of_member(games: Iterable[tuple[str, HostedGame]], address: str, now: datetime) -> list[MemberGame]:
    """Return the games that a member plays: first those that wait for the member, the nearest deadline first; ended ones last."""
    played = [
        MemberGame(name, game, seat, read_game_clock(game.time, now))
        for name, game in games
        for seat in find_member_seats(game, address)
        if game.time.seats[seat].plays
    ]
    return sorted(played, key=lambda each: each.order)
