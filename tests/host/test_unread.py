"""Nobody with a valid key is ignored in silence: what can be read is read, what cannot gets one answer a day and reason."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from attrs import define, evolve

from tests.host.year.players import HOST, NAMES, TIME, address, game, host, letters, reply
from tests.mail.mails import body, parsed, write_marker
from tests.shared.tables import each_row
from tkid.host.service import Host
from tkid.host.transports import Maildir
from tkid.mail.game_service import HostedGame
from tkid.mail.marker import read_id

SMALL = 1 << 19
"""The largest mail where that is tried: one that is really too large takes long to write."""
PHOTO = base64.encodebytes(bytes(range(250)) * 6000).decode()


@define
class Asked:
    """A host that waits for the first turn: its folder, itself, who is asked, and the letter."""

    folder: Path
    at: Host
    name: str
    letter: EmailMessage
    mails: int = 0

    @property
    def key(self) -> str:
        """The key of the letter."""
        return str(self.letter["Reply-To"]).partition("+")[2].partition("@")[0]

    @property
    def turns(self) -> int:
        """How many turns the game has."""
        stored = self.at.store.get_game("game")
        assert stored is not None
        return len(HostedGame.read_stored(stored.record, stored.memory).record.turns)

    def reply(self, order: str = "status") -> bytes:
        """An answer to the letter, each with an id of its own."""
        self.mails += 1
        return reply(self.letter, order, self.name, self.mails)

    def takes(self, data: bytes, day: int = 0) -> tuple[str, dict[str, list[EmailMessage]]]:
        """Take in a mail: why it was filed, and the letters that anybody got, by address."""
        now = TIME + timedelta(days=day)
        assert self.at.store.keep_mail(data, now)
        (waiting,) = self.at.store.list_waiting()
        self.at.work_on_all(now)
        self.at.send_letters(now)
        (mail,) = self.at.store.list_finished([waiting.number])
        got: dict[str, list[EmailMessage]] = {}
        for box in sorted((self.folder / "out").iterdir()):
            folder = Maildir(box)
            for file, letter in folder.list_arrived():
                got.setdefault(box.name, []).append(parsed(letter))
                folder.mark_fetched(file)
        return mail.reason, got


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    """One host for mails that change nothing, each on a day of its own."""
    yield from opened(tmp_path_factory.mktemp("host"))


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[Asked]:
    yield from opened(tmp_path)


def opened(folder: Path) -> Iterator[Asked]:
    with host(folder) as at:
        at.open_game("game", game(5), TIME)
        at.send_letters(TIME)
        found = ((name, mail) for name in NAMES[:2] for mail in letters(folder, name))
        name, letter = next(each for each in found if str(each[1]["Message-ID"]).startswith("<tkid.turn."))
        yield Asked(folder, at, name, letter)


DAYS = iter(range(1, 1000))


def with_photo(mail: bytes, *, first: bool) -> bytes:
    """A mail with a photograph of 1.5 MB, before or behind the text."""
    head, _, text = mail.partition(b"\n\n")
    head = head.replace(b"Content-Type: text/plain; charset=utf-8", b'Content-Type: multipart/mixed; boundary="b"')
    parts = [
        b"Content-Type: text/plain; charset=utf-8\n\n" + text,
        b'Content-Type: image/jpeg; name="a.jpg"\nContent-Transfer-Encoding: base64\n\n' + PHOTO.encode(),
    ]
    return head + b"\n\n" + b"".join(b"--b\n" + part + b"\n" for part in (parts[::-1] if first else parts)) + b"--b--\n"


def sender(value: str, mail: bytes, name: str) -> bytes:
    """A mail with another From line."""
    return mail.replace(f"From: {name} <{address(name)}>".encode(), f"From: {value}".encode(), 1)


READ: dict[str, Callable[[bytes, str], bytes]] = {
    "a photograph behind the text": lambda mail, _: with_photo(mail, first=False),
    "a photograph before the text": lambda mail, _: with_photo(mail, first=True),
    "a quotation of 30,000 lines": lambda mail, _: mail + b"> What I wrote then\n" * 30_000,
    "a quotation of 2 MB": lambda mail, _: mail + b"> What I wrote then, which was long\n" * 60_000,
    "a raw UTF-8 name": lambda mail, name: sender(f"Zoë Müller <{address(name)}>", mail, name),
    "a name with a comma": lambda mail, name: sender(f"Smith, {name} <{address(name)}>", mail, name),
    "the address as the name": lambda mail, name: sender(f"{address(name)} <{address(name)}>", mail, name),
    "a trailing comma": lambda mail, name: sender(f"{name} <{address(name)}>,", mail, name),
    "a header line without a colon": lambda mail, _: mail.replace(b"Subject:", b"This is not a header\nSubject:", 1),
    "70 kB of headers before": lambda mail, _: b"Received: from a by b; a day\n" * 2500 + mail,
    "70 kB of headers behind": lambda mail, _: mail.replace(b"\n\n", b"\nX-Long: " + b"x" * 70_000 + b"\n\n", 1),
    "300 headers": lambda mail, _: b"X-A: b\n" * 300 + mail,
}


@each_row("what", list(READ))
def test_what_can_be_read_is_read(shared: Asked, what: str) -> None:
    reason, got = shared.takes(READ[what](shared.reply(), shared.name), next(DAYS))
    assert reason == ""
    assert list(got) == [address(shared.name)]


MARKERS = {
    "whole": "{marker}",
    "quoted": "> {marker}",
    "broken": "{left}\n{right}",
    "broken and quoted": "> {left}\n> {right}",
    "quoted, then broken": "> {left}\n{right}",
    "quoted twice, then broken": "> > {left}\n> {right}",
    "indented": "    {left}\n    {right}",
    "with a bar": "| {left}\n| {right}",
    "in an address": "> Reply-To: tkid <tkid+{key}@games.example>",
    "in a link": "[Write a turn](mailto:tkid+{key}@games.example?subject=x)",
    "in a reference": "> Ref winter 1 0a1b2c {key}",
}


@each_row("how", list(MARKERS))
def test_a_key_is_found_in_a_marker_that_was_broken(shared: Asked, how: str) -> None:
    """Where the address has lost its plus; wherever a mail program breaks the line."""
    asks = read_id(str(shared.letter["Message-ID"]))
    assert asks is not None
    marker = write_marker(evolve(asks, key=shared.key))
    breaks = [at for at, c in enumerate(marker) if c == " "][6:] if "left" in MARKERS[how] else [0]
    for at in breaks:
        shown = MARKERS[how].format(marker=marker, left=marker[:at], right=marker[at + 1 :], key=shared.key)
        shared.mails += 1
        data = f"From: {address(shared.name)}\nTo: {HOST}\nMessage-ID: <m{shared.mails}@example.org>\n\nstatus\n\n{shown}\n"
        reason, got = shared.takes(data.encode(), next(DAYS))
        assert (reason, list(got)) == ("", [address(shared.name)]), shown


SPELLED = (
    *('To: "tkid+{key}"@games.example', "To: tkid%2B{key}@games.example", "To: tkid%2b{key}%40games.example"),
    *("To: TKID+{upper}@GAMES.EXAMPLE", "To: tkid+{key}(the host)@games.example", "To: tkid+{key} @games.example"),
    *(
        'To: "tkid\\+{key}" @games.example',
        "To: <mailto:tkid%2B{key}@games.example>",
        "To: hosts: tkid+{key}@games.example;",
    ),
    *("To: hosts:\n a@example.org,\n tkid+{key}@games.example;", 'To: "tkid+{key}@games.example" <tkid@games.example>'),
    *(
        "To: =?utf-8?q?tkid=2B{key}=40games=2Eexample?= <tkid@games.example>",
        "To: tkid+{key}=games.example@relay.example",
    ),
    *(f"{name}: tkid+{{key}}@games.example" for name in ("Cc", "Bcc", "Resent-To", "Resent-Cc", "Resent-Bcc")),
    *(f"To: tkid@games.example\n{name}: <tkid+{{key}}@games.example>" for name in ("Delivered-To", "X-Original-To")),
    *(
        f"{name}: tkid+{{key}}@games.example"
        for name in ("Envelope-To", "X-Envelope-To", "X-Forwarded-To", "X-Rcpt-To")
    ),
    *("Original-Recipient: rfc822;tkid+{key}@games.example", "X-Apparently-To: tkid+{key}@games.example"),
    *(
        "Subject: Re: Ref winter 1 0a1b2c {key}",
        "Subject: tkid+{key}@games.example",
        "Cc: ann+aaaaaaaaaaaa@a.org, tkid+{key}@g.example",
    ),
)


@each_row("header", SPELLED)
def test_a_key_is_found_however_its_address_is_spelled(shared: Asked, header: str) -> None:
    shared.mails += 1
    head = header.format(key=shared.key, upper=shared.key.upper())
    data = f"From: {address(shared.name)}\n{head}\nMessage-ID: <m{shared.mails}@example.org>\n\nstatus\n"
    reason, got = shared.takes(data.encode(), next(DAYS))
    assert (reason, list(got)) == ("", [address(shared.name)])


@pytest.fixture
def small_mails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only small mails are taken in."""
    monkeypatch.setattr("tkid.mail.envelope.MOST_BYTES", SMALL)


UNREAD: dict[str, Callable[[bytes], bytes]] = {
    "mail.too-large": lambda mail: mail + b"x" * SMALL,
    "mail.parts": lambda mail: mail.replace(b"text/plain", b"multipart/mixed; boundary=b", 1) + b"--b\n\nx\n" * 300,
    "mail.from": lambda mail: b"From: eve@evil.example\n" + mail,
}


@pytest.mark.usefixtures("small_mails")
@each_row("rule", list(UNREAD))
def test_what_cannot_be_read_gets_one_answer_a_day(shared: Asked, rule: str) -> None:
    """To the player whose key it is, and to nobody else; a copy gets none."""
    for _ in range(2):
        day, first = next(DAYS), UNREAD[rule](shared.reply("Pass"))
        reason, got = shared.takes(first, day)
        assert f"[{rule}]" in reason
        assert list(got) == [address(shared.name)]
        (letter,) = got[address(shared.name)]
        text = " ".join(body(letter).split())
        assert f"The full rule, {rule}: https://" in text
        assert "could not be read" in text
        assert shared.takes(UNREAD[rule](shared.reply("Pass")), day)[1] == {}
        assert shared.takes(b"X-Copy: 1\n" + first, next(DAYS))[1] == {}, "a copy"
    assert shared.turns == 0


def test_the_answer_can_be_answered(asked: Asked) -> None:
    _, got = asked.takes(UNREAD["mail.from"](asked.reply("Pass")))
    (letter,) = got[address(asked.name)]
    assert letter["To"].addresses[0].addr_spec == address(asked.name)
    assert asked.takes(reply(letter, "Pass", asked.name, 99))[0] == ""
    assert asked.turns == 1


@pytest.mark.usefixtures("small_mails")
@each_row("rule", list(UNREAD))
def test_without_a_key_or_by_itself_nobody_gets_anything(shared: Asked, rule: str) -> None:
    """Strangers, wrong keys, and programs: no backscatter."""
    key, other = shared.key.encode(), b"abcdefghijkl"
    changes: tuple[Callable[[bytes], bytes], ...] = (
        lambda mail: mail.replace(key, other),
        lambda mail: mail.replace(key, key[:-1]),
        lambda mail: b"Auto-Submitted: auto-replied\n" + mail,
        lambda mail: b"X-Autoreply: yes\n" + mail,
        lambda mail: b"Precedence: auto_reply\n" + mail,
        lambda mail: b"Return-Path: <>\n" + mail,
        lambda mail: b"X-Loop: tkid\n" + mail,
    )
    for change in changes:
        reason, got = shared.takes(change(UNREAD[rule](shared.reply("Pass"))), next(DAYS))
        assert reason
        assert got == {}


@pytest.mark.usefixtures("small_mails")
def test_each_player_is_answered_and_only_so_often(asked: Asked) -> None:
    """However many mails cannot be read, each reason is answered once a day."""
    answers = 0
    for _ in range(4):
        for rule in UNREAD:
            answers += sum(map(len, asked.takes(UNREAD[rule](asked.reply("Pass")))[1].values()))
    assert answers == len(UNREAD)
    assert asked.turns == 0
