"""A small IMAP server that misbehaves as a test wishes: it hangs, hangs up, refuses, or can do little."""

from __future__ import annotations

import re
import socketserver
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Event, Thread

from attrs import define, field

HANG, CUT, NO = "hang", "hang up", "no"
UID = re.compile(r"\d+")


@define(eq=False)
class Mailbox:
    """What a fake server holds, how it behaves, and what it was told.

    `faults` says what happens at a command (its first word, or the second behind UID). `early` and `late` are told
    before it consents to push, and in one breath with that; `pushed` after that.
    """

    mails: dict[int, bytes]
    can: str = "IDLE MOVE"
    faults: dict[str, str] = field(factory=dict)
    early: str = ""
    late: str = ""
    pushed: Sequence[str] = ()
    refused: frozenset[int] = frozenset()
    validity: int = 1
    folders: set[str] = field(factory=lambda: {"INBOX"})
    unwanted: frozenset[str] = frozenset()
    seen: set[int] = field(factory=set)
    moved: list[tuple[int, str]] = field(factory=list)
    told: list[str] = field(factory=list)
    idled: Event = field(factory=Event)
    port: int = 0


@contextmanager
def fake_imap(mailbox: Mailbox) -> Iterator[Mailbox]:
    """The server, listening."""

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True
        block_on_close = False

    class Connection(socketserver.StreamRequestHandler):
        disable_nagle_algorithm = True

        def handle(self) -> None:
            with suppress(OSError, EndOfConnectionError):
                _Talk(self, mailbox).run()

    with Server(("127.0.0.1", 0), Connection) as server:
        mailbox.port = server.server_address[1]
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield mailbox
        finally:
            server.shutdown()
            thread.join()


class EndOfConnectionError(Exception):
    """The server hangs up."""


class _Talk:
    def __init__(self, connection: socketserver.StreamRequestHandler, mailbox: Mailbox) -> None:
        self.read, self.write, self.mailbox = connection.rfile, connection.wfile, mailbox

    def run(self) -> None:
        self.say("* OK ready")
        while line := self.read.readline():
            tag, word, rest = (*line.decode("utf-8").strip().split(" ", 2), "")[:3]
            if word == "UID":
                word, _, rest = rest.partition(" ")
            self.mailbox.told.append(f"{word} {rest}".strip())
            fault = self.mailbox.faults.get(word, "")
            if fault == CUT:
                raise EndOfConnectionError
            if fault == HANG:
                time.sleep(3600)
            if fault == NO:
                self.say(f"{tag} NO not {word.lower()}")
                continue
            getattr(self, word.lower())(tag, rest)

    def say(self, line: str | bytes) -> None:
        self.write.write((line.encode() if isinstance(line, str) else line) + b"\r\n")

    def ok(self, tag: str) -> None:
        self.say(f"{tag} OK done")

    def capability(self, tag: str, _: str) -> None:
        self.say(f"* CAPABILITY IMAP4rev1 {self.mailbox.can}")
        self.ok(tag)

    def login(self, tag: str, _: str) -> None:
        self.ok(tag)

    def authenticate(self, tag: str, _: str) -> None:
        self.say("+ ")
        self.mailbox.told.append(self.read.readline().decode("ascii").strip())
        self.ok(tag)

    def list(self, tag: str, rest: str) -> None:
        folder = rest.rpartition(" ")[2].strip('"')
        if folder in self.mailbox.folders:
            self.say(f'* LIST () "/" "{folder}"')
        self.ok(tag)

    def create(self, tag: str, rest: str) -> None:
        folder = rest.strip('"')
        if folder in self.mailbox.unwanted:
            self.say(f"{tag} NO [CANNOT] not here")
        else:
            self.mailbox.folders.add(folder)
            self.ok(tag)

    def select(self, tag: str, _: str) -> None:
        self.say(f"* {len(self.mailbox.mails)} EXISTS")
        self.say(f"* OK [UIDVALIDITY {self.mailbox.validity}] valid")
        self.say(f"{tag} OK [READ-WRITE] done")

    def search(self, tag: str, rest: str) -> None:
        hidden = self.mailbox.seen if "UNSEEN" in rest else set()
        self.say(f"* SEARCH {' '.join(str(uid) for uid in self.mailbox.mails if uid not in hidden)}".rstrip())
        self.ok(tag)

    def fetch(self, tag: str, rest: str) -> None:
        uid, most = (int(found) for found in UID.findall(rest)[:: len(UID.findall(rest)) - 1])
        if uid in self.mailbox.refused:
            self.say(f"{tag} NO it is damaged")
            return
        if uid in self.mailbox.mails:
            data = self.mailbox.mails[uid][:most]
            said = b"{%d}\r\n%s" % (len(data), data) if data else b'""'
            self.say(b"* 1 FETCH (UID %d BODY[]<0> %s)" % (uid, said))
        self.ok(tag)

    def move(self, tag: str, rest: str) -> None:
        uid, _, folder = rest.partition(" ")
        if self.mailbox.mails.pop(int(uid), None) is not None:
            self.mailbox.moved.append((int(uid), folder.strip('"')))
        self.ok(tag)

    def store(self, tag: str, rest: str) -> None:
        self.mailbox.seen.add(int(rest.partition(" ")[0]))
        self.ok(tag)

    def idle(self, tag: str, _: str) -> None:
        box = self.mailbox
        self.say("".join(f"{line}\r\n" for line in (box.early, "+ idling", box.late) if line).strip())
        box.early = box.late = ""
        box.idled.set()
        for line in box.pushed:
            self.say(line)
        if self.read.readline().strip() != b"DONE":
            raise EndOfConnectionError
        self.ok(tag)

    def logout(self, tag: str, _: str) -> None:
        self.say("* BYE")
        self.ok(tag)
        raise EndOfConnectionError
