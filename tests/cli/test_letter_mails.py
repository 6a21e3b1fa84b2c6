"""How a letter from hand to hand comes: what mail programs make of it, and what nobody has to read."""

from __future__ import annotations

import textwrap
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

import pytest

from tests.cli import said, tkid
from tests.cli.letters import ADDRESSES, NAMES, TURNS, both, letter, mail_with, refused, sides, zipped


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """Ann's and Bob's files of one game after four turns."""
    return both(tmp_path)


def test_ways_in_which_mails_carry_the_file(two: tuple[Path, Path]) -> None:
    mover, other = sides(two)
    said("play", mover, TURNS[4])
    text = mover.read_text("utf-8")
    before = other.read_bytes()
    inline = f"From: {ADDRESSES[NAMES[4]]}\r\n\r\nHello,\r\n\r\n{text}\r\nYours, me\r\n-- \r\nme\r\n"
    html = "".join(f"<div>{row or '<br>'}</div>" for row in f"Hi!\n\n{text}".replace("<", "&lt;").split("\n"))
    soft = "".join(
        f"{row[:60]} \r\n {row[60:].lstrip()}\r\n" if len(row) > 70 and row[60] == " " else f"{row}\r\n"
        for row in text.split("\n")
    )
    ways = {
        "base64 as octets": mail_with(("game.tkid", text.encode())),
        "as text": mail_with(("game.txt", text)),
        "under an odd name": mail_with(("../../etc/passwd.tkid", text.encode())),
        "beside others": mail_with(
            ("photo.jpg", b"\xff\xd8\xff"), ("game.tkid", text.encode()), ("game.tkid", text.encode())
        ),
        "in the text": inline.encode(),
        "flowed": f"From: {ADDRESSES[NAMES[4]]}\r\nContent-Type: text/plain; charset=utf-8; format=flowed\r\n\r\n{soft}".encode(),
        "in HTML": f"From: a@b.c\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{html}".encode(),
        "a file": text.encode(),
        "a file with a mark": b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode(),
        "in an mbox": b"From bob Sat Nov 21 10:00:00 2026\n" + inline.encode(),
        "forwarded as a whole": forwarded(letter(mover).read_bytes()),
        "wrapped": f"From: {ADDRESSES[NAMES[4]]}\r\n\r\nHello,\r\n\r\n{wrapped(text, 72)}\r\nYours".encode(),
        "wrapped, attached": mail_with(("game.txt", wrapped(text, 64))),
        "signed at once": f"From: a@b.c\r\n\r\n{text}Ann,\r\nwho will win\r\n".encode(),
        "an empty line after each": f"From: a@b.c\r\n\r\nHi\r\n{text.replace(chr(10), chr(10) * 2)}\r\n\r\nAnn".encode(),
    }
    for name, data in ways.items():
        other.write_bytes(before)
        mail = other.with_name("way.eml")
        mail.write_bytes(data)
        result = tkid("letter", "read", other, mail)
        assert (result.exit_code, result.stderr) == (0, ""), name
        assert other.read_text("utf-8") == text, name
    other.write_bytes(before)
    assert tkid("letter", "read", other, "-", stdin=inline.encode()).exit_code == 0


def forwarded(mail: bytes) -> bytes:
    """A mail that has another as its attachment."""
    message = EmailMessage(policy=SMTP)
    message["From"] = "bob@example.org"
    message.set_content("See there.")
    message.add_attachment(message_from_bytes(mail, policy=SMTP))
    return message.as_bytes()


def wrapped(text: str, width: int) -> str:
    """A text with its lines broken in two, as some mail programs do."""
    rows = [
        textwrap.wrap(row, width, break_long_words=False, break_on_hyphens=False) or [""] for row in text.split("\n")
    ]
    assert any(len(row) > 1 for row in rows)
    return "\n".join(line for row in rows for line in row)


def test_what_is_said_of_mails_without_the_file(two: tuple[Path, Path]) -> None:
    _, other = two
    text = other.read_text("utf-8")
    begin = "From: a@b.c\n\nHello\n\n"
    for data, says in (
        (begin + text[text.index("Turns") :], "may be turns in it, but the lines before them are missing"),
        (begin + "5. Ann Pass\n", "may be turns in it, but the lines before them are missing"),
        (begin + "".join(f"> {row}\n" for row in text.split("\n")), "a quotation, but quotations are not read"),
        (begin, "no attachment and no text that begins with `Tkid-Record: 1`. Ask for the whole game file"),
        (mail_with(("game.zip", zipped(text))), "Such files are not opened: game.zip."),
        (mail_with(*[(f"{n}.jpg", bytes([n])) for n in range(5)]), "0.jpg, 1.jpg, 2.jpg and 2 more."),
        (mail_with(("mail.eml", b"From: a@b.c\n\n")), "Such files are not opened: mail.eml."),
    ):
        mail = other.with_name("mail.eml")
        mail.write_bytes(data if isinstance(data, bytes) else data.encode())
        told = refused(other, mail, "mail.letter.enclosed")
        assert says in told
        assert "Ask for the whole game file as an attachment [" in told


def test_a_mail_that_breaks_off_is_told(two: tuple[Path, Path]) -> None:
    mover, other = sides(two)
    said("play", mover, TURNS[4])
    said("play", mover, TURNS[5])
    data = letter(mover, "--me", NAMES[4]).read_bytes()
    cut = other.with_name("cut.eml")
    cut.write_bytes(data[: data.rindex(b"6. ")])
    told = said("letter", "read", other, cut)
    assert ": 1 new turn.\n" in told
    assert "The mail is not complete. The last turns may be missing" in told
    cut.write_bytes(data[: data.rindex(b"4. ")])
    assert "The mail is not complete" in refused(other, cut, "record.compare.stale")
    cut.write_bytes(data[: data.rindex(b"--=_")])
    assert "The mail is not complete" in said("letter", "read", other, cut, "--restore")


def test_hostile_letters(two: tuple[Path, Path]) -> None:
    mover, other = sides(two)
    said("play", mover, TURNS[4])
    text = mover.read_text("utf-8")
    fork = text.replace(TURNS[4], "Pass") if TURNS[4] != "Pass" else text.replace("Turns", "Turns\n# other")
    quoted = "From: a@b.c\n\n" + "".join(f"> {row}\n" for row in text.split("\n"))
    deep = b"".join(b'Content-Type: multipart/mixed; boundary="%d"\n\n--%d\n' % (n, n) for n in range(50))
    bomb = "Tkid-Record: 1\n" + "1. Ann Manoeuvre S Nowhere\n" * 9_000
    cases: dict[str, tuple[bytes, str]] = {
        "an archive": (mail_with(("game.zip", zipped(text))), "mail.letter.enclosed"),
        "an archive that says it is text": (mail_with(("game.tkid", zipped(text))), "mail.letter.enclosed"),
        "two different files": (mail_with(("a.tkid", text), ("b.tkid", fork)), "mail.letter.enclosed"),
        "only quoted": (quoted.encode(), "mail.letter.enclosed"),
        "deep": (b"From: a@b.c\n" + deep, "mail.parts"),
        "many parts": (mail_with(*[("a.txt", "x")] * 250), "mail.parts"),
        "large": (mail_with(("game.tkid", b"\0" * (2 << 20))), "mail.too-large"),
        "a large file": (b"Tkid-Record: 1\n" + b"# x\n" * 400_000, "mail.letter.enclosed"),
        "many lines": (b"Tkid-Record: 1\n" + b"#\n" * 1001, "mail.letter.enclosed"),
        "a slow one": (mail_with(("game.tkid", bomb)), "mail.letter.enclosed"),
        "no mail": (b"Dear Ann!\n", "mail.unreadable"),
        "an archive in place of a mail": (zipped(text), "mail.letter.enclosed"),
        "Outlook's own": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "mail.letter.enclosed"),
        "nothing": (b"From: a@b.c\n\n", "mail.letter.enclosed"),
        "an escape sequence": (
            mail_with(("game.tkid", text.replace("Turns", "# \x1b[31mred\nTurns"))),
            "record.compare.right",
        ),
        "UTF-16": (mail_with(("game.tkid", text.encode("utf-16"))), "mail.letter.enclosed"),
    }
    for name, (data, rule) in cases.items():
        mail = other.with_name("hostile.eml")
        mail.write_bytes(data)
        told = refused(other, mail, rule)
        assert "\x1b" not in told, name
        assert told.rstrip().endswith("."), name
    bidi = other.with_name("bidi.tkid")
    bidi.write_text(text.replace("Game", "X-\u202etxt: 1\nGame").replace("4S", "\u202e4S"), "utf-8")
    assert "\u202e" not in tkid("letter", "read", other, bidi).output


def with_words(mail: Path, words: str) -> Path:
    """A letter with words above it, as its sender adds them in a mail program."""
    raw = mail.read_bytes()
    start = raw.index(b"Content-Type: text/plain")
    body = raw.index(b"\r\n\r\n", start) + 4
    mail.write_bytes(raw[:body] + words.encode() + b"\r\n\r\n" + raw[body:])
    return mail


def test_words_above_a_letter_that_withdraw_its_turn(two: tuple[Path, Path]) -> None:
    mover, other = sides(two)
    said("play", mover, TURNS[4])
    mail, before = with_words(letter(mover), "Oops, wrong file. Please ignore this!"), other.read_bytes()
    result = tkid("letter", "read", other, mail)
    assert result.exit_code == 1
    assert "its sender also wrote `Please ignore this!`" in result.stderr or "`Oops, wrong file.`" in result.stderr
    assert "--agree" in result.stderr
    assert other.read_bytes() == before
    assert tkid("letter", "read", other, mail, "--agree").exit_code == 0
    assert other.read_bytes() != before


@pytest.mark.parametrize("words", ["Hello Bob,\r\n\r\nlovely weather today. Your turn!", "Viele liebe Gruesse!", ""])
def test_other_words_above_a_letter_change_nothing(two: tuple[Path, Path], words: str) -> None:
    mover, other = sides(two)
    said("play", mover, TURNS[4])
    result = tkid("letter", "read", other, with_words(letter(mover), words))
    assert (result.exit_code, result.stderr) == (0, "")
    assert "also wrote" not in result.stdout


def test_unknown_words_above_a_letter_are_shown(two: tuple[Path, Path]) -> None:
    mover, other = sides(two)
    said("play", mover, TURNS[4])
    result = tkid("letter", "read", other, with_words(letter(mover), "This is frumious."))
    assert result.exit_code == 0
    assert "Note: The sender also wrote: This is frumious." in result.stdout
