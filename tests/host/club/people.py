"""The people of a simulated club: each reads letters, and writes what somebody like that would write. All by mail."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from email.message import EmailMessage
from email.utils import parseaddr, parsedate_to_datetime
from random import Random
from urllib.parse import unquote

from attrs import define, field

from tests.host.club.habits import ANSWERS, BUTTON, ELSEWHERE, INSTEAD, ON_HOLIDAY, SEALS, chosen
from tests.host.year.players import HOST, examples
from tests.mail.mails import body

REFERENCE = re.compile(r"^Ref (\S+)(?: (\S+))?", re.MULTILINE)
LINK = re.compile(r"<mailto:([^?>]+)\?[^>]*?body=([^>]*)>")
MINE = re.compile(r"^(\S+)  your turn", re.MULTILINE)
PASSING = 0.6
"""How likely somebody passes who may: games are short."""


@define
class Person:
    """Somebody with a mailbox. `busy` is how likely the mailbox is opened when it is looked at, in a step of the club.

    `addresses` are all that this person ever had, and `ordered` the turns that were ordered, each with the letter that was
    answered: its subject, and its time. `keyed` is the last letter with a key, which any order may answer.
    """

    name: str
    address: str
    rng: Random
    busy: float = 0.9
    number: int = 0
    addresses: list[str] = field(init=False)
    ordered: list[tuple[str, datetime]] = field(factory=list)
    digested: bool = False
    """Whether there ever was a time of one mail a day."""
    blocks: bool = False
    """Whether the club may not write now."""
    blocked: bool = False
    """Whether there ever was such a time."""
    keyed: EmailMessage | None = None

    def __attrs_post_init__(self) -> None:
        self.addresses = [self.address]

    # -- answers ------------------------------------------------------------------------------------------

    def answer(self, letter: EmailMessage) -> Iterator[bytes]:
        """What somebody writes who has read a letter; a mail program may answer first."""
        if "+" in str(letter["Reply-To"]):
            self.keyed = letter
        text, to = body(letter), parseaddr(str(letter["To"]))[1]
        if to in self.addresses and text.startswith("Your games write to"):
            self.address = to if REFERENCE.search(text) else self.address
        if self.rng.random() < ON_HOLIDAY:
            yield self.reply(letter, "I am on holiday until Monday.", headers="Auto-Submitted: auto-replied\n")
        button = LINK.search(str(letter["List-Unsubscribe"] or "").replace("\n", "").replace(" ", ""))
        if button and self.rng.random() < BUTTON:
            self._block(button[2])
            yield self.write(unquote(button[2]), unquote(button[1]), sender=to)
            return
        known = len(self.ordered)
        order = self._order(letter, text)
        if order:
            self._block(order)
            if self.rng.random() < ELSEWHERE:  # it is asked about first, so nothing is ordered yet
                to = f"{self.name.lower()}@phone.example"
                del self.ordered[known:]
            yield self.reply(letter, order, sender=to)

    def _order(self, letter: EmailMessage, text: str) -> str:
        """What is answered, "" for nothing."""
        reference = REFERENCE.search(text)
        about = reference[1] if reference else ""
        offered = examples(letter) if about != "digest" else []
        for each in ANSWERS if about != "digest" else ():
            if (not offered or each.in_games) and (found := each.asks.search(text)):
                return self.filled(chosen(each.shares, self.rng.random()), found.groupdict())
        if about == "digest":
            return "\n".join(f"{game.lower()}: Pass" for game in MINE.findall(text))
        return self._turn(letter, offered) if offered else ""

    def _turn(self, letter: EmailMessage, offered: list[str]) -> str:
        """A turn, or what somebody writes who does not feel like it."""
        if other := chosen(INSTEAD, self.rng.random()):
            return self.filled(other, {})
        turn = "Pass" if "Pass" in offered and self.rng.random() < PASSING else self.rng.choice(offered)
        subject = str(letter["Subject"]).partition(":")[0].removeprefix("Re: ")
        self.ordered.append((subject, parsedate_to_datetime(str(letter["Date"]))))
        return turn

    def _block(self, order: str) -> None:
        """Remember whether the club may still write."""
        self.blocks = self.blocks or order == "block"
        self.blocked = self.blocked or self.blocks

    def filled(self, text: str, known: Mapping[str, str]) -> str:
        """A text with what is known in place of the words in braces."""
        return text.format_map({"seal": self.rng.choice(SEALS), "day": "2027-05-01", **known})

    # -- of one's own accord ------------------------------------------------------------------------------

    def begin(self, order: str) -> bytes:
        """What somebody writes without having been asked. Who has blocked the club has to answer an old letter."""
        if self.blocks and self.keyed is not None:
            self.blocks = False
            return self.reply(self.keyed, "unblock")
        self._block(order)
        self.digested = self.digested or order == "digest daily"
        return self.write(order, HOST)

    # -- mails --------------------------------------------------------------------------------------------

    def write(self, text: str, to: str, subject: str = "games", headers: str = "", sender: str = "") -> bytes:
        """A mail with a text."""
        self.number += 1
        return (
            f"From: {self.name} <{sender or self.address}>\nTo: {to}\nSubject: {subject}\n"
            f"Message-ID: <{self.name.lower()}.{self.number}@mail.example>\n{headers}"
            f"MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n{text}\n"
        ).encode()

    def reply(self, letter: EmailMessage, order: str, headers: str = "", sender: str = "") -> bytes:
        """An answer in a mail program's usual form: the order on top, the letter quoted below."""
        quoted = "".join(f"> {line}\n" for line in body(letter).rstrip("\n").split("\n"))
        to, subject = str(letter["Reply-To"] or letter["From"]), f"Re: {str(letter['Subject']).removeprefix('Re: ')}"
        text = f"{order}\n\nOn Saturday tkid wrote:\n{quoted}"
        sender = sender or parseaddr(str(letter["To"]))[1]
        return self.write(text, to, subject, f"In-Reply-To: {letter['Message-ID']}\n{headers}", sender)
