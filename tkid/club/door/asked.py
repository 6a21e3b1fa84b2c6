"""What a mail asked for that is done only after its sender has said yes. Kept as a document until then."""

from __future__ import annotations

from datetime import datetime, timedelta
from hashlib import sha256

from attrs import frozen

from tkid.club.values import Address, Stored
from tkid.rulebook import cites

KIND = "asked"
"""The kind of its documents, and the first word of what a letter is about that asks."""
WAITS = timedelta(days=7)
DIGITS = 12


@frozen
class Asked(Stored):
    """The lines of a mail that wait for a `yes` from an address."""

    address: Address
    lines: tuple[str, ...]
    until: datetime

    @classmethod
    @cites("club.vouched")
    def by(cls, address: str, lines: tuple[str, ...], now: datetime) -> Asked:
        """What somebody asks for now."""
        return cls(address, lines, now + WAITS)

    @property
    def id(self) -> str:
        """A short name: another one for other lines, or another time."""
        named = "\n".join((self.address, self.until.isoformat(), *self.lines))
        return sha256(named.encode("utf-8", "replace")).hexdigest()[:DIGITS]
