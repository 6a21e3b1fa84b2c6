"""What a transport is: an inbox with mails, a sender of letters, or a listener to whom mails are brought."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Protocol

from attrs import frozen

Keep = Callable[[bytes], object]
"""Keeps the bytes of a mail on disk before it returns; raises whatever it likes where it cannot."""
Send = Callable[[str, bytes], None]
"""Sends a mail to an address; raises OSError where that cannot be done now, RefusedForGoodError where it never can."""


class Transport(Protocol):
    """Something that is open; a listener, for example, to which mails are brought until it is closed."""

    def close(self) -> None:
        """Let go of it."""


class Inbox(Transport, Protocol):
    """Where mails come from."""

    def arrived(self, but: frozenset[str] = frozenset()) -> Iterable[tuple[str, bytes]]:
        """The mails that were not fetched yet, as (name, bytes), without those of some names."""

    def fetched(self, name: str) -> None:
        """A mail is kept elsewhere now."""

    def again(self, since: datetime) -> Iterable[tuple[datetime, bytes]]:
        """The mails that came since a time and were fetched, oldest first: when each came, and its bytes."""

    def wait(self, seconds: float) -> None:
        """Wait until there is news, or for so long at most."""


class Sender(Transport, Protocol):
    """Where letters go out."""

    def send(self, address: str, mail: bytes) -> None:
        """Send a letter. Raises OSError where that cannot be done now."""


@frozen
class Transports:
    """How mails come and go, each with a name for people; each is made when it is needed, and anew after a failure.

    Making one raises OSError or ValueError where that cannot be done.
    """

    inboxes: Mapping[str, Callable[[], Inbox]]
    sender: tuple[str, Callable[[], Sender]]
    listener: tuple[str, Callable[[Keep], Transport]] | None = None
