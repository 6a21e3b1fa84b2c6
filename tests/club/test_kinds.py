"""Documents with addresses in them: a change of address knows all of their kinds, and those that are added."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from inspect import getmembers, isclass
from pkgutil import walk_packages

from attrs import fields, frozen, has

import tkid.club
from tests.shared.tables import each_row
from tkid.club.host_time import HostTime
from tkid.club.member_orders import BY_ADDRESS, DOCUMENTS, HOLDING, has_address
from tkid.club.results import Result
from tkid.club.values import Mailboxes, Restoration
from tkid.mail.hosted_game import Memory
from tkid.mail.model import Address

WITHOUT = {Mailboxes, Restoration, HostTime, Result, Memory}
"""What a host remembers of itself; results keep the address of the record, and former addresses lead on from there."""
NAMED_LIKE = {"address", "maker", "closed", "addresses"}
"""Names of fields that are addresses."""


def classes() -> Iterator[type]:
    """All values of the club, and what a game remembers."""
    for name in (*(module.name for module in walk_packages(tkid.club.__path__, "tkid.club.")), "tkid.mail.hosted_game"):
        for _, each in getmembers(import_module(name), isclass):
            if has(each) and each.__module__ == name:
                yield each


def test_every_document_has_its_kind() -> None:
    """A value with a text to keep is a document: who adds one names its kind in the table."""
    kept = {
        each for each in classes() if isinstance(getattr(each, "text", None), property) and hasattr(each, "read_text")
    }
    assert len(kept) > 5
    assert kept - WITHOUT == set(DOCUMENTS)


def test_addresses_have_their_type() -> None:
    """A field of a document that is named like an address is one, so that the kind counts as one with addresses."""
    parts = {part for of in DOCUMENTS for part in _parts(of)}
    assert len(parts) > len(DOCUMENTS)
    named = {(part, each.name, each.type) for part in parts for each in fields(part) if each.name in NAMED_LIKE}
    assert len(named) > 5
    assert {(part, name) for part, name, of in named if "address" not in str(of).lower()} == set()


def _parts(of: type) -> Iterator[type]:
    """A class, and the classes of the same module that its fields name."""
    yield of
    for each in fields(of):
        for other in classes():
            if other is not of and other.__module__ == of.__module__ and other.__name__ in str(each.type):
                yield from _parts(other)


@frozen
class Inner:
    """Somebody."""

    who: Address


@frozen
class Nested:
    """Some people by name, deep inside."""

    people: dict[str, tuple[Inner | None, ...]]


@frozen
class Plain:
    """Nobody."""

    name: str = ""
    numbers: tuple[int, ...] = ()


@each_row(("of", "holds"), [(Inner, True), (Nested, True), (Plain, False)])
def test_an_address_is_found_however_deep(of: type, holds: bool) -> None:  # noqa: FBT001 - a row of a table
    """A kind is one with addresses if any part of it has one."""
    assert has_address(of) is holds


def test_the_kinds_that_a_change_of_address_reads() -> None:
    """All with addresses, but those that are named by one."""
    assert {*HOLDING, *(of.KIND for of in BY_ADDRESS)} == {of.KIND for of in DOCUMENTS if has_address(of)}
    assert {"table", "observer", "tournament", "proposal"} <= set(HOLDING)
