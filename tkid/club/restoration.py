"""What a host remembers after it was restored from a backup: which mails are to be read again, who has been told."""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

from tkid.club import values

KIND, NAME = "host", "restored"
"""The kind and the id of the document."""


@frozen
class Restoration:
    """A host that was restored.

    Attributes:
        copied: When the backup was made.
        restored: When the host was restored from it.
        since: Mails that came since are read again in the mailboxes.
        read: The mailboxes, by name, that were read again.
        complete: Whether all were.
        told: The games whose players were told.
        done: Whether the players of all games were told.
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
        return values.read(text, cls)

    @property
    def text(self) -> str:
        """As a store keeps it."""
        return values.write(self)
