"""Mails without readable text at a host: each is told exactly what is wrong with it, or read where it can be."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.host.small_club import club, text_of
from tests.host.test_lost_keys import lost, words
from tests.host.test_offers import Table, begun
from tests.host.year.players import address
from tests.mail.mails import body
from tests.shared.tables import each_row
from tkid.mail import mime

NUMBERS = count(1)
BASE64 = "Content-Transfer-Encoding: base64\n\nMIAGCSqGSIb3DQEHA6CAMIACAQAxggFf\n"


def mixed(*parts: str, kind: str = "mixed") -> str:
    """A mail of several parts."""
    return f'Content-Type: multipart/{kind}; boundary="b"\n\n' + "".join(f"--b\n{part}\n" for part in parts) + "--b--\n"


PHOTO = 'Content-Type: image/jpeg; name="a.jpg"\n' + BASE64
PGP = "-----BEGIN PGP MESSAGE-----\n\nhQEMA0t6kIMl\n=abcd\n-----END PGP MESSAGE-----\n"
FILE = "tkid-record: 1\nseat: Ann\nseat: Bob\n\n1. Ann: Pass\n"

TOLD = {
    "S/MIME, encrypted": (
        f"Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m\n{BASE64}",
        mime.ENCRYPTED,
    ),
    "S/MIME, no type": (f'Content-Type: application/x-pkcs7-mime; name="smime.p7m"\n{BASE64}', mime.ENCRYPTED),
    "S/MIME, opaque": (
        f"Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m\n{BASE64}",
        mime.OPAQUE,
    ),
    "S/MIME as a file": (
        mixed(f'Content-Type: application/octet-stream; name="smime.p7m"\n{BASE64}'),
        mime.ENCRYPTED,
    ),
    "PGP in the text": (f"Content-Type: text/plain\n\n{PGP}", mime.PGP),
    "PGP below words": (f"Content-Type: text/plain\n\nHello!\n\n{PGP}", mime.PGP),
    "PGP/MIME": (
        mixed(
            "Content-Type: application/pgp-encrypted\n\nVersion: 1\n",
            f"Content-Type: application/octet-stream\n\n{PGP}",
            kind="encrypted",
        ),
        mime.PGP,
    ),
    "PGP/MIME that Exchange broke": (
        mixed(
            "Content-Type: application/pgp-encrypted\n\nVersion: 1\n",
            f'Content-Type: application/octet-stream; name="encrypted.asc"\n\n{PGP}',
        ),
        mime.PGP,
    ),
    "PGP as a file": (mixed(f'Content-Type: application/octet-stream; name="message.asc"\n\n{PGP}'), mime.PGP),
    "winmail.dat": (mixed(f'Content-Type: application/ms-tnef; name="winmail.dat"\n{BASE64}'), mime.PACKED),
    "winmail.dat, alone": (f"Content-Type: application/vnd.ms-tnef\n{BASE64}", mime.PACKED),
    "winmail.dat, empty text": (
        mixed(
            "Content-Type: text/plain\n\n\n", f'Content-Type: application/octet-stream; name="winmail.dat"\n{BASE64}'
        ),
        mime.PACKED,
    ),
    "a calendar entry": (
        "Content-Type: text/calendar; method=REPLY\n\nBEGIN:VCALENDAR\nEND:VCALENDAR\n",
        mime.CALENDAR,
    ),
    "a picture": (PHOTO, "It has no text, only a picture, and the host opens no attachments."),
    "a picture, empty text": (
        mixed("Content-Type: text/plain\n\n \n", PHOTO),
        "It has no text, only a picture, and the host opens no attachments.",
    ),
    "a picture in HTML": (
        mixed('Content-Type: text/html\n\n<p><img src="cid:a"></p>\n', PHOTO, kind="related"),
        "It has no text, only a picture, and the host opens no attachments.",
    ),
    "a sound": (
        f"Content-Type: audio/mpeg\n{BASE64}",
        "It has no text, only a sound, and the host opens no attachments.",
    ),
    "a document": (
        mixed(f'Content-Type: application/pdf; name="turn.pdf"\n{BASE64}'),
        "It has no text, only an attachment (`application/pdf`), and the host opens no attachments.",
    ),
    "a rich text": (
        "Content-Type: text/rtf\n\n{Pass}\n",
        "It has no text, only an attachment (`text/rtf`), and the host opens no attachments.",
    ),
    "another mail": (mixed("Content-Type: message/rfc822\n\nFrom: a@b.example\nSubject: x\n\nPass\n"), mime.MAIL),
    "another mail, alone": ("Content-Type: message/rfc822\n\nFrom: a@b.example\nSubject: x\n\nPass\n", mime.MAIL),
    "a game file": (
        mixed(f'Content-Type: text/plain; name="game.tkid"\nContent-Disposition: attachment\n\n{FILE}'),
        mime.GAME_FILE,
    ),
    "a game file by another name": (
        mixed(f'Content-Type: text/plain; name="a.txt"\nContent-Disposition: attachment\n\n{FILE}'),
        mime.GAME_FILE,
    ),
    "two texts attached": (
        mixed(
            *[
                f'Content-Type: text/plain; name="{name}.txt"\nContent-Disposition: attachment\n\nPass\n'
                for name in "ab"
            ]
        ),
        mime.SEVERAL,
    ),
    "nothing": ("Content-Type: text/plain\n\n\n", mime.EMPTY),
    "nothing, in HTML": ("Content-Type: text/html\n\n<html><body><br></body></html>\n", mime.EMPTY),
    "no parts": (mixed(), mime.EMPTY),
}
READ = {
    "Markdown": "Content-Type: text/markdown; charset=utf-8\n\nstatus\n",
    "Markdown, attached": 'Content-Type: text/x-markdown; name="a.md"\nContent-Disposition: attachment\n\nstatus\n',
    "enriched": "Content-Type: text/enriched\n\n<bold>status</bold>\n\n<color><param>red</param>Best wishes</color>\n",
    "another kind of text": "Content-Type: text/x-whatever\n\nstatus\n",
    "marked as an attachment": "Content-Type: text/plain\nContent-Disposition: attachment\n\nstatus\n",
    "marked with a name": 'Content-Type: text/plain; name="ATT00001.txt"\nContent-Disposition: inline; filename="ATT00001.txt"\n\nstatus\n',
    "attached alone": mixed('Content-Type: text/plain; name="a.txt"\nContent-Disposition: attachment\n\nstatus\n'),
    "attached beside a picture": mixed(
        PHOTO, 'Content-Type: text/plain; name="a.txt"\nContent-Disposition: attachment\n\nstatus\n'
    ),
    "HTML, attached": mixed(
        'Content-Type: text/html; name="a.html"\nContent-Disposition: attachment\n\n<p>status</p>\n'
    ),
    "Markdown beside empty text": mixed(
        "Content-Type: text/plain\n\n\n", "Content-Type: text/markdown\n\nstatus\n", kind="alternative"
    ),
}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A table of its own."""
    with begun(tmp_path) as found:
        yield found


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A table for mails that change nothing."""
    with begun(tmp_path_factory.mktemp("host")) as found:
        yield found


def keyed(table: Table, text: str) -> bytes:
    """A reply whose key is in its address alone; `text` begins with the headers about its parts."""
    return (
        f"From: {table.name} <{address(table.name)}>\nTo: {table.letter['Reply-To']}\nSubject: Re: hello\n"
        f"Message-ID: <n{next(NUMBERS)}@example.org>\nMIME-Version: 1.0\n{text}"
    ).encode()


@each_row("what", list(TOLD))
def test_what_cannot_be_read_is_told(shared: Table, what: str) -> None:
    shared.days += 1
    text, reason = TOLD[what]
    (answer,) = shared.take(keyed(shared, text))
    assert body(answer).startswith("Nothing has been played: your mail has no text that can be read.")
    assert reason in words(answer)
    assert "it is not an order" not in words(answer), "nothing of it is repeated"
    assert "YOUR ANSWER" in words(answer), "it says how to answer"
    assert shared.turns == []


@each_row("what", list(READ))
def test_what_can_be_read_is_read(shared: Table, what: str) -> None:
    shared.days += 1
    (answer,) = shared.take(keyed(shared, READ[what]))
    assert "no text that can be read" not in words(answer)
    assert "You wrote: `status`" in words(answer)


def test_text_beside_attachments_is_read_alone(table: Table) -> None:
    """What is attached is no order where the mail has words of its own."""
    text = mixed(
        "Content-Type: text/plain\n\nSee the file\n",
        'Content-Type: text/plain; name="a.txt"\nContent-Disposition: attachment\n\nPass\n',
    )
    (answer,) = table.take(keyed(table, text))
    assert table.turns == []
    assert "See the file" in words(answer)


def test_a_mail_that_lost_its_key_too_is_told(table: Table) -> None:
    data = lost(table.letter, "", table.name).replace(
        b"text/plain; charset=utf-8", b"application/ms-tnef; name=winmail.dat"
    )
    (answer,) = table.take(data)
    assert mime.PACKED in words(answer)
    assert "YOUR ANSWER" in words(answer)


@pytest.mark.parametrize("known", [False, True])
def test_the_club_says_so_too(tmp_path_factory: pytest.TempPathFactory, known: bool) -> None:  # noqa: FBT001 - a row
    with club(tmp_path_factory.mktemp("club")) as at:
        if known:
            at.replies(at.key("Ann"), "Ann", "games")
        (answer,) = at.asks("Ann", PGP)
        assert body(answer).startswith("Nothing has been done: your mail has no text that can be read.")
        assert mime.PGP in text_of(answer)
        assert "Ref door" in body(answer)
