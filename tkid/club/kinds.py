"""The kinds of documents that a club keeps for its members, and those in which the addresses of people are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from attrs import has

from tkid.club import values
from tkid.club.digest import KIND as DIGEST
from tkid.club.digest import DigestBook
from tkid.club.door.asked import KIND as ASKED
from tkid.club.door.asked import Asked
from tkid.club.members import KIND as MEMBER
from tkid.club.members import Member
from tkid.club.observers import KIND as OBSERVER
from tkid.club.observers import Observers
from tkid.club.results.tournament import KIND as TOURNAMENT
from tkid.club.results.tournament import Tournament
from tkid.club.tables import KIND as TABLE
from tkid.club.tables import Table
from tkid.club.wishes.offers import KIND as SEAT
from tkid.club.wishes.offers import Offers

DOCUMENTS: Mapping[str, type] = MappingProxyType(
    {
        MEMBER: Member,
        TABLE: Table,
        OBSERVER: Observers,
        TOURNAMENT: Tournament,
        ASKED: Asked,
        DIGEST: DigestBook,
        SEAT: Offers,
    }
)
"""The classes of the documents, by kind."""
BY_ADDRESS = (MEMBER, DIGEST)
"""Kinds whose ids are addresses: there is one document for each person."""


def holds_address(of: Any) -> bool:
    """Whether a class of values, or any part of it, has a field for somebody's address."""
    return of is not None and any(each == values.Address for each in _types(of))


def _types(of: Any) -> Iterator[Any]:
    """A type, and the types of all its parts."""
    yield of
    if get_origin(of) is Annotated:
        return
    parts = get_type_hints(of, include_extras=True).values() if has(of) else get_args(of)
    for each in parts:
        yield from _types(each)


HOLDING = tuple(kind for kind, of in DOCUMENTS.items() if holds_address(of) and kind not in BY_ADDRESS)
"""Kinds with the addresses of people in them, besides those that are about one person: a change of address reads them all."""
