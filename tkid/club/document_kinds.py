"""The kinds of documents that a club keeps, and mails that wait for a yes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from types import MappingProxyType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from attrs import frozen, has

from tkid.club import values
from tkid.club.club_state import SEAT_KIND as SEAT
from tkid.club.club_state import Offers
from tkid.club.digest import DIGEST_KIND as DIGEST
from tkid.club.digest import DigestBook
from tkid.club.lobby import TABLE_KIND as TABLE
from tkid.club.lobby import Table
from tkid.club.members import MEMBER_KIND as MEMBER
from tkid.club.members import Member
from tkid.club.observers import OBSERVER_KIND as OBSERVER
from tkid.club.observers import Observers
from tkid.club.tournament import TOURNAMENT_KIND as TOURNAMENT
from tkid.club.tournament import Tournament
from tkid.club.values import Address, Stored
from tkid.rulebook import cites

ASKED_KIND = "asked"
"""The kind of its documents, and the first word of what a letter is about that asks."""
WAITS = timedelta(days=7)
DIGITS = 12


@frozen
class UnconfirmedMail(Stored):
    """The lines of a mail that wait for a `yes` from an address."""

    address: Address
    lines: tuple[str, ...]
    until: datetime

    @classmethod
    @cites("club.vouched")
    def make_asked(cls, address: str, lines: tuple[str, ...], now: datetime) -> UnconfirmedMail:
        """Return the orders of a mail that wait for a yes."""
        return cls(address, lines, now + WAITS)

    @property
    def id(self) -> str:
        """A short name: another one for other lines, or another time."""
        named = "\n".join((self.address, self.until.isoformat(), *self.lines))
        return sha256(named.encode("utf-8", "replace")).hexdigest()[:DIGITS]


DOCUMENTS: Mapping[str, type] = MappingProxyType(
    {
        MEMBER: Member,
        TABLE: Table,
        OBSERVER: Observers,
        TOURNAMENT: Tournament,
        ASKED_KIND: UnconfirmedMail,
        DIGEST: DigestBook,
        SEAT: Offers,
    }
)
"""The classes of the documents, by kind."""
BY_ADDRESS = (MEMBER, DIGEST)
"""Kinds whose ids are addresses: there is one document for each person."""


def has_address(of: Any) -> bool:
    """Return True if a class of values, or any part of it, has a field for somebody's address."""
    return of is not None and any(each == values.Address for each in _list_types(of))


def _list_types(of: Any) -> Iterator[Any]:
    yield of
    if get_origin(of) is Annotated:
        return
    parts = get_type_hints(of, include_extras=True).values() if has(of) else get_args(of)
    for each in parts:
        yield from _list_types(each)


HOLDING = tuple(kind for kind, of in DOCUMENTS.items() if has_address(of) and kind not in BY_ADDRESS)
"""Kinds with the addresses of people in them, besides those that are about one person: a change of address reads them all."""
