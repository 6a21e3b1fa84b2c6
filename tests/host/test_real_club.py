"""A club among real servers, Dovecot, Exim and PostgreSQL: from a stranger's first mail to a rematch, a move and a bounce."""

from __future__ import annotations

import os
import re
import smtplib
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from random import Random
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from attrs import define, evolve, field

from tests.host.servers import MISSING, Servers, installed, servers
from tests.host.store import postgres
from tests.host.test_real_servers import STUCK, MailProgram, imap_settings, now, repeating, smtp_settings
from tests.host.year.players import HOST, address, examples, troubles
from tests.mail.mails import body
from tests.ports import free_port
from tkid.club.lobby import TABLE_KIND, Table
from tkid.host.chores import end_overdue_gatherings
from tkid.host.imap import ImapInbox
from tkid.host.lmtp import LmtpServer
from tkid.host.service import Host
from tkid.host.settings import LmtpSettings
from tkid.host.smtp import SmtpSender
from tkid.host.store.store import Store
from tkid.host.store.transaction import read_message_id
from tkid.host.transports import Wakeup
from tkid.mail.envelope import make_bounce_address
from tkid.mail.game_service import HostedGame
from tkid.mail.model import ClubTerms
from tkid.record.format.reader import read_record
from tkid.record.play.replay import replay

pytestmark = [
    pytest.mark.exhaustive,
    pytest.mark.skipif(
        not (installed() and postgres.tools()) and not os.environ.get("TKID_REAL_SERVERS"),
        reason=f"{MISSING}, or PostgreSQL is not: apt-get install postgresql",
    ),
]
SEED = 20261123
SECRET = b"s" * 32
NAMES = ("Ann", "Bob", "Eve", "owner")
GONE, GONE_PORT = "gone@example.org", free_port()
"""An address that Exim takes, and whose mailbox is gone."""
Wanted = Callable[[EmailMessage], bool]


@define
class Member(MailProgram):
    """Somebody with a mail program, who remembers all letters that came."""

    letters: list[EmailMessage] = field(factory=list)

    def gets(self, wanted: Wanted, what: str) -> EmailMessage:
        """The first letter of a kind that was not answered yet, as soon as it is there; it counts as answered then."""
        end = time.monotonic() + STUCK
        while True:
            self.letters += self.new()
            if found := next(filter(wanted, self.letters), None):
                self.letters.remove(found)
                return found
            seen = [str(each["Subject"]) for each in self.letters]
            assert time.monotonic() < end, f"{self.name} gets no {what}, but {seen}\n{self.at.told()}"
            time.sleep(0.02)

    def write(self, text: str, headers: str = "", to: str = HOST, subject: str = "Hello") -> str:
        """Write a mail; its Message-ID."""
        self.sent += 1
        named = f"<{self.name.lower()}-written-{self.sent}@example.org>"
        mail = (
            f"From: {self.name} <{address(self.name)}>\nTo: {to}\nSubject: {subject}\nMessage-ID: {named}\n{headers}"
            f"MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n{text}\n"
        )
        with smtplib.SMTP("localhost", self.at.smtp, timeout=STUCK) as client:
            client.starttls(context=ssl.create_default_context(cafile=self.at.authority))
            client.sendmail(address(self.name), [to], mail.replace("\n", "\r\n").encode())
        return named


def with_text(*parts: str) -> Wanted:
    """A letter with some words."""
    return lambda letter: all(part in " ".join(body(letter).split()) for part in parts)


def asks(letter: EmailMessage) -> bool:
    """Whether a letter asks for a turn."""
    return bool(examples(letter))


def over(letter: EmailMessage) -> bool:
    """Whether a letter is the last one of a game."""
    return "Game over" in str(letter["Subject"])


@contextmanager
def working(host: Host, inbox: ImapInbox, wakeup: Wakeup) -> Iterator[None]:
    """A host that works in a thread of its own, until it is told to stop."""

    def work() -> None:
        host.fetch_mails(inbox, now())
        host.work_on_all(now())
        host.run_clocks(now())
        end_overdue_gatherings(host, now())
        host.send_letters(now())
        inbox.wait_for_news(STUCK)

    with repeating(work, wakeup):
        yield


@contextmanager
def club(at: Servers, url: str) -> Iterator[tuple[Store, list[tuple[str, str]]]]:
    """A club that welcomes everybody, with an owner; its database, and to whom each letter went, with its name."""
    wakeup, rng = Wakeup(), Random(SEED)
    store = Store.make_store(url)
    sender = SmtpSender(smtp_settings(at), HOST, lambda mail: make_bounce_address(SECRET, HOST, read_message_id(mail)))
    inbox = ImapInbox(imap_settings(at), wakeup)
    sent: list[tuple[str, str]] = []

    def send(to: str, mail: bytes) -> None:
        sent.append((to, read_message_id(mail)))
        sender.send_letter(to, mail)

    host = Host(store, HOST, SECRET, send, address("owner"), draw=lambda: rng.randbytes(32))
    host.pictures = False
    host.club = evolve(ClubTerms(), welcome="everybody")
    try:
        with working(host, inbox, wakeup):
            yield store, sent
    finally:
        for part in (inbox, sender, wakeup, store):
            part.close()


def hosted(store: Store, name: str) -> HostedGame:
    """A game as the host has it."""
    stored = store.get_game(name)
    assert stored is not None, name
    return HostedGame.read_stored(stored.record, stored.memory)


def until(true: Callable[[], bool], what: str) -> None:
    """Wait until something is so."""
    end = time.monotonic() + STUCK
    while not true():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def begun(ann: Member, bob: Member) -> None:
    """Ann, a stranger, asks for a game, and confirms it; Bob accepts."""
    ann.write("new game second-edition with Bob <bob@example.org>, called spring")
    ann.answer(ann.gets(with_text("eply `yes`"), "question"), "yes")
    ann.gets(with_text("spring"), "news of the invitation")
    invitation = bob.gets(with_text("Reply `accept` or `decline`"), "invitation")
    bob.answer(invitation, "accept\nwords: seven swans on a cold loch")


def played(players: list[Member]) -> dict[str, EmailMessage]:
    """The game is played by whoever is asked, mostly by passing; the last letter of each player."""
    rng, last, answered = Random(SEED), dict[str, EmailMessage](), time.monotonic()
    while len(last) < len(players):
        for player in players:
            player.letters += player.new()
            for letter in [each for each in player.letters if asks(each) or over(each)]:
                player.letters.remove(letter)
                if over(letter):
                    assert player.name not in last, "one last letter"
                    last[player.name] = letter
                else:
                    offered = examples(letter)
                    player.answer(letter, "Pass" if "Pass" in offered and rng.random() < 0.95 else rng.choice(offered))
                answered = time.monotonic()
        assert time.monotonic() < answered + STUCK, "nobody is asked"
        time.sleep(0.01)
    return last


def proven(last: dict[str, EmailMessage]) -> None:
    """Each last letter has the whole record, which is right, with Bob's words in the seal."""
    for name, letter in last.items():
        (file,) = [part for part in letter.walk() if str(part.get_filename() or "").endswith(".tkid")]
        content = file.get_payload(decode=True)
        assert isinstance(content, bytes)
        record = read_record(content).record
        assert record is not None, name
        assert replay(record).problems == [], name
        assert b"seven swans on a cold loch" in content, name


def moved(ann: Member, eve: Member, store: Store, letter: EmailMessage) -> None:
    """Ann moves to Eve's address, and confirms that from both."""
    ann.answer(letter, f"address {address('Eve')}")
    for each in (ann, eve):
        each.answer(each.gets(with_text("`yes`", "to this mail and to the one at"), "question about the move"), "yes")
    until(lambda: address("Eve") in {hosted(store, "spring-2").find_address(seat) for seat in (0, 1)}, "nothing moved")


def unanswered(bob: Member) -> str:
    """Bob's program says that he is away; the name of its mail."""
    return bob.write("I am away until Monday.", "Auto-Submitted: auto-replied\n", subject="Out of office")


def unsubscribed(bob: Member, eve: Member, store: Store, letter: EmailMessage) -> None:
    """Eve is invited, and presses the button of her mail program, which sends a mail."""
    bob.answer(letter, f"new game digest with {address('Eve')}, called moor")
    invitation = eve.gets(with_text("Reply `accept` or `decline`"), "invitation")
    (link,) = re.findall(r"<(mailto:[^>]+)>", str(invitation["List-Unsubscribe"]))
    fields = parse_qs(urlsplit(link).query)
    eve.write(fields["body"][0], to=unquote(urlsplit(link).path), subject=fields["subject"][0])
    until(lambda: not waits_for(store, "moor", address("Eve")), "the invitation is still open")


def waits_for(store: Store, name: str, whom: str) -> bool:
    """Whether a game that gathers players waits for somebody."""
    with store.begin_transaction() as transaction:
        found = transaction.documents.get_document(TABLE_KIND, name)
    assert found is not None, name
    table = Table.read_text(found.data)
    return table.state == "open" and whom in [place.address for place in table.places]


def ordered(owner: Member, store: Store) -> None:
    """The owner orders something of the desk, and confirms it, as nobody vouches for the mail."""
    owner.write("pause spring-2: a holiday", subject="desk")
    owner.answer(owner.gets(with_text("pause spring-2"), "question"), "yes")
    until(lambda: hosted(store, "spring-2").time.paused is not None, "the game goes on")
    owner.gets(with_text("spring-2: paused"), "answer of the desk")


def returned(bob: Member, store: Store, sent: list[tuple[str, str]], letter: EmailMessage) -> None:
    """Bob invites somebody whose mailbox is gone: Exim takes the letter, and it comes back to the address of its own."""
    bob.gets(with_text("a holiday"), "news of the pause")
    bob.answer(letter, f"new game digest with {GONE}, called loch")
    bob.gets(with_text("loch"), "news of the invitation")

    def is_back() -> bool:
        written = [name for to, name in sent if to == GONE]
        with store.begin_transaction() as transaction:
            return bool(written) and all(transaction.find_letter(name) is None for name in written)

    until(is_back, "the letter does not come back")


def test_a_club_by_imap_and_smtp_on_postgresql(monkeypatch: pytest.MonkeyPatch) -> None:
    print(f"seed {SEED}")  # noqa: T201 - shown with a failure
    listener = LmtpServer(LmtpSettings("127.0.0.1", GONE_PORT, "another@example.org"), lambda _: None)
    with servers([*map(address, NAMES), HOST], GONE, GONE_PORT) as at, postgres.server() as url:
        monkeypatch.setenv("SSL_CERT_FILE", str(at.authority))
        ann, bob, eve, owner = members = [Member(name, at) for name in NAMES]
        with club(at, url) as (store, sent):
            begun(ann, bob)
            last = played([ann, bob])
            proven(last)
            ann.answer(last["Ann"], "rematch")
            bob.answer(bob.gets(with_text("Reply `accept` or `decline`"), "rematch"), "accept")
            until(lambda: store.get_game("spring-2") is not None, "no rematch began")
            moved(ann, eve, store, last["Ann"])
            away = unanswered(bob)
            unsubscribed(bob, eve, store, last["Bob"])
            ordered(owner, store)
            returned(bob, store, sent, last["Bob"])
            assert troubles(store) == []
        for member in members:
            letters = member.all()
            names = [str(each["Message-ID"]) for each in letters]
            assert len(names) == len(set(names)), f"{member.name} got a letter twice"
            answered = [str(each["In-Reply-To"]) for each in letters]
            assert away not in answered, "automatic mail is never answered"
            member.close()
    listener.close()
