"""A host among real mail servers: whole games between people with mail programs, by IMAP and SMTP, and by LMTP."""

from __future__ import annotations

import imaplib
import os
import smtplib
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from random import Random
from statistics import median
from threading import Event, Thread
from typing import Any

import pytest
from attrs import define, field

from tests.host.servers import MISSING, PASSWORD, Servers, installed, servers
from tests.host.year.players import HOST, NAMES, address, examples, game, reply
from tests.mail.mails import body, parsed
from tests.ports import free_port
from tkid.host.imap import READ_FOLDER, ImapInbox
from tkid.host.lmtp import LmtpServer
from tkid.host.service import Host
from tkid.host.settings import ImapSettings, LmtpSettings, SmtpSettings
from tkid.host.smtp import SmtpSender
from tkid.host.store.store import Store
from tkid.host.store.transaction import read_message_id
from tkid.host.transports import RefusedForGoodError, TransportError, Wakeup
from tkid.mail.envelope import make_bounce_address, read_report
from tkid.record.format.new_game import new_record
from tkid.record.format.reader import read_record
from tkid.record.play.replay import replay

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not installed() and not os.environ.get("TKID_REAL_SERVERS"), reason=MISSING),
]

PLAYERS = NAMES[:2]
BOXES = (*map(address, PLAYERS), HOST)
SEED = 20261121
STUCK = 60.0
"""Seconds without any mail after which a game is taken to hang."""


@pytest.fixture
def mail_servers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Servers]:
    """Running servers, whose certificates are trusted."""
    with servers(BOXES, *getattr(request, "param", ())) as at:
        monkeypatch.setenv("SSL_CERT_FILE", str(at.authority))
        yield at


def imap_settings(at: Servers, **changes: Any) -> ImapSettings:
    usual: dict[str, Any] = {"host": "localhost", "port": at.imaps, "user": HOST, "password": PASSWORD}
    return ImapSettings(**usual | changes)


def smtp_settings(at: Servers, **changes: Any) -> SmtpSettings:
    usual: dict[str, Any] = {"host": "localhost", "port": at.smtps, "user": HOST, "password": PASSWORD}
    return SmtpSettings(**usual | changes)


def now() -> datetime:
    return datetime.now(UTC)


# -- people with mail programs --------------------------------------------------------------------------------


@define
class MailProgram:
    """A player's mail program: reads the mailbox by IMAP, sends by SMTP, and quotes what it answers."""

    name: str
    at: Servers
    box: imaplib.IMAP4_SSL = field(init=False)
    sent: int = 0

    def __attrs_post_init__(self) -> None:
        context = ssl.create_default_context(cafile=self.at.authority)
        self.box = imaplib.IMAP4_SSL("localhost", self.at.imaps, ssl_context=context, timeout=STUCK)
        self.box.login(address(self.name), PASSWORD)
        self.box.select()

    def new(self) -> list[EmailMessage]:
        """The letters that were not read yet."""
        self.box.noop()
        found = []
        for number in self.box.search(None, "UNSEEN")[1][0].split():
            data: Any = self.box.fetch(number, "(BODY[])")[1]
            found.append(parsed(data[0][1]))
        return found

    def all(self) -> list[EmailMessage]:
        """Every letter in the mailbox."""
        self.box.noop()
        data: Any = self.box.fetch("1:*", "(BODY[])")[1]
        return [parsed(part[1]) for part in data if isinstance(part, tuple)]

    def answer(self, letter: EmailMessage, order: str) -> None:
        """Answer a letter with an order on top."""
        self.sent += 1
        mail = reply(letter, order, self.name, self.sent).replace(b"\n", b"\r\n")
        with smtplib.SMTP("localhost", self.at.smtp, timeout=STUCK) as client:
            client.starttls(context=ssl.create_default_context(cafile=self.at.authority))
            client.sendmail(address(self.name), [str(letter["Reply-To"].addresses[0].addr_spec)], mail)

    def close(self) -> None:
        self.box.logout()


@contextmanager
def mail_programs(at: Servers) -> Iterator[list[MailProgram]]:
    programs = [MailProgram(name, at) for name in PLAYERS]
    try:
        yield programs
    finally:
        for program in programs:
            program.close()


def play(at: Servers, programs: list[MailProgram], over: Callable[[], bool]) -> list[float]:
    """Answer letters until the game is over; the seconds from each answer to the next letter that asks.

    Most answers are Pass, so that the game is short; the others are any turn that the letter offers.
    """
    rng, answered, seconds = Random(SEED), time.monotonic(), []
    while not over():
        for program in programs:
            for letter in program.new():
                offered = examples(letter)
                if offered:
                    seconds.append(time.monotonic() - answered)
                    order = rng.choice(offered) if rng.random() < 0.3 else "Pass"
                    answered = time.monotonic()
                    program.answer(letter, order)
        assert time.monotonic() < answered + STUCK, f"no letter for {STUCK} seconds\n{at.told()}"
        time.sleep(0.01)
    return seconds[1:]


# -- the host -------------------------------------------------------------------------------------------------


@contextmanager
def repeating(work: Callable[[], None], wakeup: Wakeup) -> Iterator[None]:
    """Work that is done again and again in a thread of its own; it waits for news, and stops when told to."""
    stop, failed = Event(), list[Exception]()

    def repeat() -> None:
        try:
            while not stop.is_set():
                work()
        except Exception as error:  # noqa: BLE001 - the test tells it
            failed.append(error)

    thread = Thread(target=repeat)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        wakeup.wake_up()
        thread.join()
    assert failed == []


@contextmanager
def working(host: Host, inbox: ImapInbox | None, sender: SmtpSender, wakeup: Wakeup) -> Iterator[None]:
    """A host that works in a thread of its own."""

    def work() -> None:
        if inbox is not None:
            host.fetch_mails(inbox, now())
        host.work_on_all(now())
        host.send_letters(now())
        (wakeup if inbox is None else inbox).wait_for_news(STUCK)

    try:
        with repeating(work, wakeup):
            yield
    finally:
        sender.close()
        if inbox is not None:
            inbox.close()


def is_over(store: Store) -> bool:
    stored = store.get_game("game")
    return stored is not None and stored.over and store.count_mails()["unsent"] == 0


def verify(store: Store, programs: list[MailProgram], at: Servers) -> int:
    """The record holds, every player has got each letter once, and nothing was put aside; the number of turns."""
    stored = store.get_game("game")
    assert stored is not None
    found = read_record(stored.record.encode())
    assert found.record is not None
    assert replay(found.record).problems == []
    counts = store.count_mails()
    turns = [turn for turn in found.record.turns if not any("nothing to play" in str(note) for note in turn.notes)]
    assert (counts["done"], counts["filed"], counts["quarantined"]) == (len(turns), 0, 0), at.told()
    written: dict[str, list[str]] = {address(program.name): [] for program in programs}
    for letter, to, _ in store.list_letters("game"):
        written[to].append(letter)
    for program in programs:
        expected = sorted(written[address(program.name)])
        end = time.monotonic() + STUCK
        while len(got := sorted(str(mail["Message-ID"]) for mail in program.all())) < len(expected):
            assert time.monotonic() < end, at.told()
        assert got == expected, program.name
        assert any("HOW IT WAS DECIDED" in body(mail) for mail in program.all())
    return len(turns)


def tell(what: str, began: float, turns: int, seconds: list[float]) -> None:
    print(  # noqa: T201 - the figures of the proof
        f"{what}: {turns} turns in {time.monotonic() - began:.1f} s; from an answer to the next letter "
        f"{median(seconds):.2f} s in the middle, {max(seconds):.2f} s at most"
    )


def test_a_game_by_imap_and_smtp(mail_servers: Servers, tmp_path: Path) -> None:
    at, wakeup, began = mail_servers, Wakeup(), time.monotonic()
    store = Store.make_store(f"sqlite:///{tmp_path / 'host.db'}")
    inbox, sender = ImapInbox(imap_settings(at), wakeup), SmtpSender(smtp_settings(at), HOST)
    host = Host(store, HOST, b"s" * 32, sender.send_letter)
    host.open_game("game", game(SEED), now())
    with mail_programs(at) as programs:
        with working(host, inbox, sender, wakeup):
            seconds = play(at, programs, lambda: is_over(store))
        turns = verify(store, programs, at)
    tell("IMAP and SMTP", began, turns, seconds)
    wakeup.close()
    store.close()


LMTP_PORT = free_port()


@pytest.mark.parametrize("mail_servers", [(HOST, LMTP_PORT)], indirect=True, ids=["exim to the host"])
def test_a_game_by_lmtp_and_smtp(mail_servers: Servers, tmp_path: Path) -> None:
    at, wakeup, began = mail_servers, Wakeup(), time.monotonic()
    store = Store.make_store(f"sqlite:///{tmp_path / 'host.db'}")

    def keep(raw: bytes) -> None:
        store.keep_mail(raw, now())
        wakeup.wake_up()

    listener = LmtpServer(LmtpSettings("127.0.0.1", LMTP_PORT, HOST), keep)
    sender = SmtpSender(smtp_settings(at, port=at.smtp, tls="starttls"), HOST)
    host = Host(store, HOST, b"s" * 32, sender.send_letter)
    host.open_game("game", game(SEED + 1), now())
    with mail_programs(at) as programs:
        with working(host, None, sender, wakeup):
            seconds = play(at, programs, lambda: is_over(store))
        turns = verify(store, programs, at)
    listener.close()
    wakeup.close()
    tell("LMTP and SMTP", began, turns, seconds)
    store.close()


GONE, GONE_PORT = "gone@example.org", free_port()


@pytest.mark.parametrize("mail_servers", [(GONE, GONE_PORT)], indirect=True, ids=["exim to a mailbox that is gone"])
def test_a_bounce_comes_to_the_address_of_its_letter(mail_servers: Servers, tmp_path: Path) -> None:
    """Exim takes a letter, finds that its mailbox is gone, and writes to the envelope's sender."""
    at, secret = mail_servers, b"s" * 32
    listener = LmtpServer(LmtpSettings("127.0.0.1", GONE_PORT, "another@example.org"), lambda _: None)
    store = Store.make_store(f"sqlite:///{tmp_path / 'host.db'}")
    settings = smtp_settings(at, port=at.smtp, tls="starttls")
    sender = SmtpSender(settings, HOST, lambda mail: make_bounce_address(secret, HOST, read_message_id(mail)))
    inbox = ImapInbox(imap_settings(at))
    host = Host(store, HOST, secret, sender.send_letter)
    players = [f"Ann <{address('Ann')}>", f"Gone <{GONE}>"]
    host.open_game("game", new_record("second-edition", players, b"7" * 32), now())
    assert host.send_letters(now()) == 2
    begin = time.monotonic()
    while not (fetched := list(inbox.list_arrived())):
        assert time.monotonic() < begin + STUCK
        time.sleep(0.2)
    ((_, raw),) = fetched
    bounce = read_report(raw)
    assert bounce is not None
    assert [each.is_ours(secret) for each in bounce.addresses] == [True]
    assert (bounce.addresses[0].letter, GONE) in [(sent[0], sent[1]) for sent in store.list_letters("game")]
    host.fetch_mails(inbox, now())
    host.work_on_all(now())
    with store.begin_transaction() as transaction:
        assert transaction.find_letter(bounce.addresses[0].letter) is None, "it came back"
    for part in (inbox, sender, listener, store):
        part.close()


# -- the carriers one by one ----------------------------------------------------------------------------------


def put(at: Servers, mail: bytes, to: str = HOST) -> None:
    """Send a mail to a mailbox."""
    with smtplib.SMTP("localhost", at.smtp, timeout=STUCK) as client:
        client.sendmail("ann@example.org", [to], mail)


def look(inbox: ImapInbox, wanted: int = 1) -> list[tuple[str, bytes]]:
    """The mails in an inbox, as soon as there are as many as wanted."""
    end = time.monotonic() + STUCK
    while len(found := list(inbox.list_arrived())) < wanted:
        assert time.monotonic() < end
        inbox.wait_for_news(1)
    return found


@contextmanager
def opened(inbox: ImapInbox) -> Iterator[ImapInbox]:
    try:
        yield inbox
    finally:
        inbox.close()


MAIL = b"From: ann@example.org\r\nSubject: a mail\r\n\r\n.dots\r\n..at the beginning\r\n"


@pytest.mark.parametrize("tls", ["implicit", "starttls", "none"])
def test_a_mail_is_fetched_until_it_is_kept(mail_servers: Servers, tls: str) -> None:
    port = mail_servers.imaps if tls == "implicit" else mail_servers.imap
    settings = imap_settings(mail_servers, port=port, tls=tls)
    put(mail_servers, MAIL)
    with opened(ImapInbox(settings)) as inbox:
        ((name, raw),) = look(inbox)
        assert raw.endswith(MAIL)
        assert [name] == [each for each, _ in inbox.list_arrived()], "nobody said that it was kept"
    with opened(ImapInbox(settings)) as another:
        assert [(name, raw)] == list(another.list_arrived())
        another.mark_fetched(name)
        another.mark_fetched(name)
        assert list(another.list_arrived()) == []
    with opened(ImapInbox(imap_settings(mail_servers, folder=READ_FOLDER))) as read:
        assert [each for _, each in read.list_arrived()] == [raw]


def test_mails_that_were_fetched_are_read_again(mail_servers: Servers) -> None:
    """Where the server moved them, and where they were only marked as seen; the inbox goes on as before."""
    since = now() - timedelta(days=1)
    with opened(ImapInbox(imap_settings(mail_servers))) as inbox:
        for number in range(3):
            put(mail_servers, MAIL + b"%d" % number)
            ((name, _),) = look(inbox)
            inbox.mark_fetched(name)
        moved = list(inbox.list_again(since))
        assert [raw.strip()[-1:] for _, raw in moved][-3:] == [b"0", b"1", b"2"]
        assert all(since < came < now() + timedelta(minutes=1) for came, _ in moved)
        assert list(inbox.list_again(now() + timedelta(days=3))) == []
        put(mail_servers, MAIL + b"3")
        ((name, _),) = look(inbox)
        inbox._read_folder = None  # noqa: SLF001 - as at a server that moves nothing
        inbox.mark_fetched(name)
        assert [raw.strip()[-1:] for _, raw in inbox.list_again(since)] == [b"3"]
        assert list(inbox.list_arrived()) == []


def test_news_is_pushed(mail_servers: Servers) -> None:
    latencies = []
    with opened(ImapInbox(imap_settings(mail_servers))) as inbox:
        for number in range(5):
            assert list(inbox.list_arrived()) == []
            sent: list[float] = []

            def send(sent: list[float] = sent, number: int = number) -> None:
                time.sleep(0.3)
                put(mail_servers, MAIL + b"%d" % number)
                sent.append(time.monotonic())

            sending = Thread(target=send)
            sending.start()
            found: list[tuple[str, bytes]] = []
            while not found:
                inbox.wait_for_news(STUCK)
                found = list(inbox.list_arrived())
            sending.join()
            latencies.append(time.monotonic() - sent[0])
            inbox.mark_fetched(found[0][0])
    assert max(latencies) < STUCK, "nothing was pushed: waiting ended because the time was over"
    print(f"pushed {', '.join(f'{each:.2f}' for each in latencies)} s after it was sent")  # noqa: T201


def test_a_mail_that_came_before_the_waiting_began(mail_servers: Servers) -> None:
    """Also one that the server tells of before it consents to push, or right behind that."""
    with (
        opened(ImapInbox(imap_settings(mail_servers))) as inbox,
        opened(ImapInbox(imap_settings(mail_servers))) as other,
    ):
        assert list(inbox.list_arrived()) == []
        for number in range(5):
            put(mail_servers, MAIL + b"%d" % number)
            look(other, number + 1)
            began = time.monotonic()
            while len(list(inbox.list_arrived())) <= number:
                inbox.wait_for_news(STUCK)
            assert time.monotonic() < began + STUCK


def test_a_large_mail_is_not_fetched_whole(mail_servers: Servers) -> None:
    from tkid.mail.envelope import MOST_BYTES  # noqa: PLC0415
    from tkid.mail.mime import take_in  # noqa: PLC0415
    from tkid.mail.model import Refusal  # noqa: PLC0415

    put(mail_servers, MAIL + b"x" * 70 + b"\r\n" + (b"y" * 70 + b"\r\n") * (MOST_BYTES // 60))
    with opened(ImapInbox(imap_settings(mail_servers))) as inbox:
        ((name, raw),) = look(inbox)
        inbox.mark_fetched(name)
        assert list(inbox.list_arrived()) == []
    assert len(raw) == MOST_BYTES + 1
    refused = take_in(raw)
    assert isinstance(refused, Refusal)
    assert refused.rule == "mail.too-large"


def test_what_servers_refuse(mail_servers: Servers, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = ImapInbox(imap_settings(mail_servers, password="wrong"))  # noqa: S106
    with pytest.raises(TransportError, match="refuses the user or the password"):
        list(wrong.list_arrived())
    sender = SmtpSender(smtp_settings(mail_servers, password="wrong"), HOST)  # noqa: S106
    with pytest.raises(TransportError, match="refuses the user or the password: 535") as refused:
        sender.send_letter("ann@example.org", MAIL)
    assert not isinstance(refused.value, RefusedForGoodError), "whoever runs the host can mend a password"
    sender = SmtpSender(smtp_settings(mail_servers), HOST)
    with pytest.raises(RefusedForGoodError, match=r"nobody@example.org: .* 550 nobody has this address"):
        sender.send_letter("nobody@example.org", MAIL)
    sender.send_letter("ann@example.org", MAIL)
    sender.close()
    folder = ImapInbox(imap_settings(mail_servers, folder="not there"))
    with pytest.raises(TransportError, match=r"the server refuses: .*Mailbox doesn't exist"):
        list(folder.list_arrived())
    monkeypatch.delenv("SSL_CERT_FILE")
    for port, tls in ((mail_servers.imaps, "implicit"), (mail_servers.imap, "starttls")):
        with pytest.raises(TransportError, match="certificate cannot be verified"):
            list(ImapInbox(imap_settings(mail_servers, port=port, tls=tls)).list_arrived())
    for port, tls in ((mail_servers.smtps, "implicit"), (mail_servers.smtp, "starttls")):
        with pytest.raises(TransportError, match="certificate cannot be verified"):
            SmtpSender(smtp_settings(mail_servers, port=port, tls=tls), HOST).send_letter("ann@example.org", MAIL)


# -- the program itself ---------------------------------------------------------------------------------------


def tkid(*arguments: str) -> list[str]:
    """The program as a command."""
    return [sys.executable, "-c", "from tkid.cli import main; main()", *arguments]


@pytest.mark.exhaustive
def test_the_program_by_imap_and_smtp(mail_servers: Servers, tmp_path: Path) -> None:
    """`tkid host run`, set up by its settings alone, and stopped as a system stops its services."""
    at, folder, began = mail_servers, tmp_path / "games", time.monotonic()
    password = tmp_path / "password"
    password.touch(mode=0o600)
    password.write_text(f"{PASSWORD}\n", "utf-8")
    subprocess.run(tkid("host", "init", str(folder), "--address", HOST), check=True)
    with (folder / "host.toml").open("a", encoding="utf-8") as settings:
        settings.write("pictures = false\n")  # drawing takes longer than the servers do
        for section, port in (("imap", at.imaps), ("smtp", at.smtps)):
            settings.write(f'\n[{section}]\nhost = "localhost"\nport = {port}\nuser = "{HOST}"\n')
            settings.write(
                f'password-file = "{password}"\n' if section == "imap" else 'password-env = "SMTP_PASSWORD"\n'
            )
    environment = {**os.environ, "SMTP_PASSWORD": PASSWORD}
    players = [f"{name} <{address(name)}>" for name in PLAYERS]
    made = tkid("host", "new-game", str(folder), *players, "--game", "game", "--entropy", "2a" * 32)
    subprocess.run(made, check=True, env=environment)
    store = Store.make_store(f"sqlite:///{folder / 'host.db'}")
    host = subprocess.Popen(tkid("host", "run", str(folder)), env=environment)
    try:
        with mail_programs(at) as programs:
            seconds = play(at, programs, lambda: is_over(store))
            turns = verify(store, programs, at)
    finally:
        host.terminate()
        code = host.wait(STUCK)
    assert code == 0, "it stops when it is told to"
    tell("tkid host run", began, turns, seconds)
    store.close()
