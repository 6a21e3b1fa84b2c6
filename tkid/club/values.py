"""The mailbox of an address, what a host stores about restores and mailboxes, and the deadlines of players."""

from __future__ import annotations

import re
from datetime import datetime

from attrs import field, frozen

from tkid.mail.model import Stored
from tkid.rulebook import cites

CALENDARS, TURNS = "calendars", "turns"
"""The folders of published calendars, and of pages for turns, whose addresses are secret."""

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


@frozen
class Deadline:
    """A deadline of a player.

    `game` and `turn` are what it is of, `name` what the reader calls the game, `since` when the turn began. `until` is when
    its time is out, `end` when the grace is too; `page` is the address of the game's page, "" for none.
    """

    game: str
    turn: int
    name: str
    since: datetime
    until: datetime
    end: datetime
    page: str = ""
