"""A club in a folder: a host with a front door, and people who write mails to it and read what comes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from email.message import EmailMessage
from hashlib import sha256
from itertools import count
from pathlib import Path

from attrs import define, evolve, field

from tests.host.year.players import HOST, TIME, address, host, letters, reply
from tests.mail.mails import body
from tkid.club.lobby import Table
from tkid.host.chores import end_overdue_gatherings, send_due_digests
from tkid.host.service import Host
from tkid.host.store.transaction import StoredGame
from tkid.host.transports import Maildir
from tkid.mail.envelope import Required
from tkid.mail.model import ClubTerms, Welcome

REQUIRED = Required("mx.example", "dmarc")
VOUCHED = "Authentication-Results: mx.example; dmarc=pass header.from=example.org\n"

INVITES = "new game second-edition with Bob <bob@example.org>, called spring"
"""An order that the tests of invitations begin with."""


@define
class Club:
    """A host, its folder, and the time there."""

    folder: Path
    at: Host
    now: datetime = TIME
    numbers: Iterator[int] = field(factory=count)

    def write(self, name: str, text: str, headers: str = "", to: str = HOST) -> None:
        """Put a mail from somebody into the inbox."""
        head = (
            f"{headers}From: {name} <{address(name)}>\nTo: {to}\nSubject: Hello\nMessage-ID: <m{next(self.numbers)}@example.org>\n"
            "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
        )
        Maildir(self.folder / "in").add_mail(f"{head}\n{text}\n".encode())

    def answer(self, letter: EmailMessage, name: str, text: str, headers: str = "") -> None:
        """Put a reply to a letter into the inbox."""
        mail = reply(letter, text, name, 1000 + next(self.numbers))
        Maildir(self.folder / "in").add_mail(headers.encode() + mail)

    def work(self) -> None:
        """One round."""
        self.at.fetch_mails(Maildir(self.folder / "in"), self.now)
        self.at.work_on_all(self.now)
        self.at.run_clocks(self.now)
        end_overdue_gatherings(self.at, self.now)
        send_due_digests(self.at, self.now)
        self.at.send_letters(self.now)

    def mails(self, name: str) -> list[EmailMessage]:
        """What somebody has got since they last looked."""
        return letters(self.folder, name)

    def asks(self, name: str, text: str, headers: str = "") -> list[EmailMessage]:
        """What somebody gets for a mail to the plain address."""
        self.write(name, text, headers)
        self.work()
        return self.mails(name)

    def replies(self, letter: EmailMessage, name: str, text: str, headers: str = "") -> list[EmailMessage]:
        """What somebody gets for a reply."""
        self.answer(letter, name, text, headers)
        self.work()
        return self.mails(name)

    def resigns(self, letter: EmailMessage, name: str, text: str = "resign") -> list[EmailMessage]:
        """What somebody gets who resigns in a reply, and is sure of that."""
        asked = next(mail for mail in self.replies(letter, name, text) if "reply `yes`" in body(mail))
        return self.replies(asked, name, "yes")

    def key(self, name: str) -> EmailMessage:
        """A letter to somebody, with a key, on a host that welcomes everybody."""
        (letter,) = self.asks(name, "Hello! How do I join?")
        return letter

    def tables(self) -> list[Table]:
        """The games that gather players."""
        with self.at.store.begin_transaction() as transaction:
            return [Table.read_text(each.data) for each in transaction.documents.list_documents("table")]

    def games(self) -> list[StoredGame]:
        """The games that have begun."""
        return self.at.store.list_games()


@contextmanager
def club(folder: Path, welcome: Welcome = "everybody", *, required: Required | None = None) -> Iterator[Club]:
    """A club of some terms; the host draws what follows from how often it drew."""
    with host(folder) as at:
        at.club = evolve(ClubTerms(), welcome=welcome)
        at.required = required
        drawn = count()
        at.draw = lambda: sha256(str(next(drawn)).encode()).digest()
        yield Club(folder, at)


def text_of(letter: EmailMessage) -> str:
    """A letter as plain text in one line."""
    return " ".join(body(letter).split())


def invited(at: Club, order: str = INVITES) -> tuple[EmailMessage, EmailMessage]:
    """A letter to Ann with a key, and Bob's invitation to what she asks for."""
    key = at.key("Ann")
    (made,) = at.replies(key, "Ann", order)
    (invitation,) = at.mails("Bob")
    return made, invitation
