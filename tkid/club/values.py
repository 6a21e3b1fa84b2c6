"""Club values as JSON text, and its memory after a restore."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Annotated, Any, Self, TypeVar

from attrs import frozen
from cattrs import Converter

from tkid.rulebook import cites

T = TypeVar("T")
Address = Annotated[str, "address"]
"""Somebody's address in a document: a change of address finds it by this type."""

_STORED = Converter(detailed_validation=False, omit_if_default=True)
_STORED.register_unstructure_hook(datetime, datetime.isoformat)
_STORED.register_structure_hook(datetime, lambda text, _: datetime.fromisoformat(text))


def write_stored_value(value: Any) -> str:
    """Write a value as a store keeps it. Missing parts have their defaults."""
    return json.dumps(_STORED.unstructure(value), ensure_ascii=False, separators=(",", ":"))


def read_stored_value(text: str, of: type[T]) -> T:
    """Read a stored value. Raises ValueError, KeyError or TypeError for a text that this program didn't write."""
    return _STORED.structure(json.loads(text), of)


class Stored:
    """A value that a store keeps as text."""

    __slots__ = ()

    @classmethod
    def read(cls, text: str) -> Self:
        """The value as it was kept. Raises ValueError, KeyError or TypeError where that was not written here."""
        return read_stored_value(text, cls)

    @property
    def text(self) -> str:
        """The value as a store keeps it."""
        return write_stored_value(self)


@cites("club.person")
def get_mailbox(address: str) -> str:
    """Return the mailbox of an address, in lower case: without what is behind a plus."""
    local, at, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0] or local}{at}{domain}"


KIND, NAME = "host", "restored"
"""The kind and the id of the document."""


@frozen
class Restoration:
    """A host that was `restored` from a backup, which was made when it was `copied`.

    Mails that came `since` are read again: in the mailboxes `read`, by name, that was done, in all if `complete`.
    The players of the games `told` know of it, those of all games when it is `done`.
    """

    copied: datetime
    restored: datetime
    since: datetime
    read: tuple[str, ...] = ()
    complete: bool = False
    told: tuple[str, ...] = ()
    done: bool = False

    @classmethod
    def read_text(cls, text: str) -> Restoration:
        """As a store keeps it. Raises ValueError, KeyError or TypeError where that was not written here."""
        return read_stored_value(text, cls)

    @property
    def text(self) -> str:
        return write_stored_value(self)
