"""Values that the club stores as JSON text, among them its restores and mailboxes."""

from __future__ import annotations

import json
import re
from datetime import datetime
from typing import Annotated, ClassVar, Self, TypeVar

from attrs import field, frozen
from cattrs import Converter

from tkid.mail.order_machine import Document
from tkid.rulebook import cites

S = TypeVar("S", bound="Stored")
Address = Annotated[str, "address"]
"""Somebody's address in a document: a change of address finds it by this type."""
CALENDARS, TURNS = "calendars", "turns"
"""The folders of published calendars, and of pages for turns, whose addresses are secret."""

_STORED = Converter(detailed_validation=False, omit_if_default=True)
_STORED.register_unstructure_hook(datetime, datetime.isoformat)
_STORED.register_structure_hook(datetime, lambda text, _: datetime.fromisoformat(text))


class StoredText:
    """A value that is stored as text (JSON). Missing parts have their defaults."""

    __slots__ = ()

    @classmethod
    def read_text(cls, text: str) -> Self:
        """Read a stored value. Raises ValueError, KeyError or TypeError for a text that this program didn't write."""
        return _STORED.structure(json.loads(text), cls)

    @property
    def text(self) -> str:
        return json.dumps(_STORED.unstructure(self), ensure_ascii=False, separators=(",", ":"))


class Stored(StoredText):
    """A value that is a document of the club. Its class has the kind, and the id if there is only one, or the field with it."""

    __slots__ = ()
    KIND: ClassVar[str]
    NAME: ClassVar[str] = ""
    NAMED: ClassVar[str] = "NAME"

    @property
    def id(self) -> str:
        return str(getattr(self, self.NAMED))

    @property
    def due(self) -> datetime | None:
        """The next moment to look at it."""
        return None

    @property
    def document(self) -> Document:
        return Document(self.KIND, self.id, self.text, self.due)


PLUS = re.compile(r"\+|[%=]2b")
"""A plus in an address, as mail programs spell it."""
GMAIL = ("gmail.com", "googlemail.com")
"""The names of a provider that ignores the dots in an address."""


@cites("club.person")
def get_mailbox(address: str) -> str:
    """Return the mailbox of an address, in lower case: without what is behind a plus, and at Gmail without dots."""
    local, at, domain = address.lower().rstrip(".").rpartition("@")
    name = PLUS.split(local.strip('"'), maxsplit=1)[0] or local
    if domain in GMAIL:
        name, domain = name.replace(".", ""), GMAIL[0]
    return f"{name}{at}{domain}"


@frozen
class Restoration(Stored):
    """A host that was `restored` from a backup, which was made when it was `copied`.

    Mails that came `since` are read again: in the mailboxes `read`, by name, that was done, in all if `complete`; those that
    are `awaited` were in use. The players of running games up to the last one `told` know of it, those of all when it is `done`.
    """

    KIND = "host"
    NAME = "restored"
    copied: datetime
    restored: datetime
    since: datetime
    read: tuple[str, ...] = ()
    awaited: tuple[str, ...] = ()
    complete: bool = False
    told: tuple[str, ...] = ()
    done: bool = False


@frozen
class Mailboxes(Stored):
    """When each mailbox was last looked at by a machine that works for the host."""

    KIND = "host"
    NAME = "mailboxes"
    seen: dict[str, datetime] = field(factory=dict)
