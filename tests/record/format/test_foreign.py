"""Files that are not game files are named for what they are, and a game file may have a greeting above it."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.cli import RECORD, complaint, record_in, said, tkid
from tests.shared.tables import each_row
from tkid.record.format.model import GREETING
from tkid.record.format.reader import read_record

GREETED = f"Hi Łukasz,\n\nhere is the game. It's your turn: have fun!\n# really\n\n{RECORD}"
MAILED = f"Return-Path: <ann@example.org>\nFrom: Ann <ann@example.org>\nSubject: winter\n\nHi\n\n{RECORD}"


def zipped() -> bytes:
    """An archive with a game file."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("game.tkid", RECORD)
    return data.getvalue()


def tarred() -> bytes:
    """The same on tape."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        member = tarfile.TarInfo("game.tkid")
        member.size = len(RECORD.encode())
        archive.addfile(member, io.BytesIO(RECORD.encode()))
    return data.getvalue()


FILES = [
    ("turn-4.html", b"<!DOCTYPE html>\n<html><body>x</body></html>", "a web page (HTML)"),
    ("page.html", b"\xef\xbb\xbf\n <HTML>", "a web page (HTML)"),
    ("board.svg", b'<?xml version="1.0"?><svg></svg>', "a picture (SVG)"),
    ("board.png", b"\x89PNG\r\n\x1a\n\0\0", "a picture (PNG)"),
    ("photo.jpg", b"\xff\xd8\xff\xe0\0\x10JFIF", "a picture (JPEG)"),
    ("game.gif", b"GIF89a\0", "a picture (GIF)"),
    ("rules.pdf", b"%PDF-1.7\n%\xe2\xe3", "a PDF"),
    ("winter.seed", b"Tkid-Seed: 1\nPlayer: Ann\nSeed: 00\n", "a seed"),
    ("winter.nonce", b"Tkid-Nonce: 1\nPlayer: Ann\nNonce: 00\n", "a nonce"),
    ("eve.key", b"Tkid-Key: 1\n", "a key for sealed seeds"),
    ("winter.escrow", b"Tkid-Escrow: 1\n", "a sealed seed"),
    ("winter.deal", b"# mine\nTkid-Deal: 1\n", "a deal"),
    ("winter.draw", b"tkid-draw : 1\n", "a draw"),
    ("from-bob.eml", MAILED.encode(), "a mail"),
    ("box", b"From bob@example.org Sat Nov 21 10:00:00 2026\nFrom: bob@example.org\n\nhi\n", "a mail"),
    ("games.bin", zipped(), "an archive (zip)"),
    ("games.tar.bin", tarred(), "an archive (tar)"),
    ("game.tkid.gz", gzip.compress(RECORD.encode()), "a packed file (gzip)"),
    ("mail.msg", b"\xd0\xcf\x11\xe0\xa1\xb1", "a file of Outlook's own (.msg)"),
    ("host.db", b"SQLite format 3\0", "a database, perhaps of a host"),
    ("games.json", b'{"record": "Tkid-Record: 1"}\n', "JSON"),
    ("line.txt", b"second-edition; MOR SSW; supply 2S 1E; to play 1\n", "a position in one line"),
    ("quoted.txt", "".join(f"> {line}\n" for line in RECORD.splitlines()).encode(), "a quotation of a game file"),
]
READERS = [
    *(("show",), ("legal",), ("play",), ("suggest",), ("annotate",), ("me",), ("undo",), ("resign", "--yes")),
    *(("check",), ("fmt",), ("replay",), ("verify",), ("result",), ("why",), ("why-not",), ("view",), ("open", "--hand", "Ann=Pass")),
    *(("letter", "write"), ("mail", "write"), ("render", "-o", "new.svg")),
]  # fmt: skip
"""Commands that read a game file, each with what it needs besides."""


def names(file: Path, what: str, command: tuple[str, ...]) -> None:
    """Check that a command says what a file is."""
    turn = ("Pass",) if command[0] in {"play", "why-not"} else ()
    result = tkid(*command, file, *turn)
    assert result.exit_code == 2, (command, result.output)
    assert f"This is {what}, not a game file" in result.output, (command, result.output)
    assert "[record.first-line]" in result.output


@each_row("name, data, what", FILES)
def test_what_a_file_is(tmp_path: Path, name: str, data: bytes, what: str) -> None:
    folder = tmp_path / f"{name} here"
    folder.mkdir()
    file = folder / name
    file.write_bytes(data)
    names(file, what, ("check",))
    for command in (("letter", "read", record_in(folder), file), ("letter", "new", file)):
        told = tkid(*command)
        if what not in {"a mail", "a deal", "a draw"}:  # which these commands read
            assert told.exit_code in {1, 2}
            assert what in told.output, (command, told.output)
    assert file.read_bytes() == data
    assert (folder / "game.tkid").read_text("utf-8") == RECORD


@each_row("command", READERS)
def test_every_reader_names_what_a_file_is(tmp_path: Path, command: tuple[str, ...]) -> None:
    for name, data, what in (FILES[0], FILES[7], FILES[13]):
        (tmp_path / name).write_bytes(data)
        names(tmp_path / name, what, command)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_greeting_above_a_game_file_is_a_comment(tmp_path: Path, end: str) -> None:
    file = tmp_path / "greeted.tkid"
    file.write_bytes(GREETED.replace("\n", end).encode())
    assert said("check", file) == f"{file}: all right, 5 turns, Łukasz to play\n"
    assert said("show", file) == said("show", record_in(tmp_path))
    assert said("letter", "read", tmp_path / "game.tkid", file).startswith(f"{file}: Your file has all of this already")
    said("play", file, "Pass")
    text = file.read_text("utf-8")
    assert text.startswith("# Hi Łukasz,\n# here is the game. It's your turn: have fun!\n# really\nTkid-Record: 1\n")
    assert "\n6. Łukasz Pass #" in text
    assert said("fmt", file) == f"{file}: nothing to change\n"


def test_a_greeted_file_is_read_whatever_its_name(tmp_path: Path) -> None:
    file = tmp_path / "greeted.txt"
    file.write_text(GREETED, "utf-8")
    assert "has all of this already" in said("letter", "read", record_in(tmp_path), file)


def test_a_long_text_that_quotes_a_game_file_is_no_greeting() -> None:
    long = "word\n" * (GREETING + 1) + RECORD
    assert read_record(long.encode()).record is None
    assert read_record(("word\n" * GREETING + RECORD).encode()).record is not None


@pytest.mark.parametrize("command", ["check", "fmt", "show"])
def test_two_games_in_one_file(tmp_path: Path, command: str) -> None:
    file = record_in(tmp_path, RECORD + RECORD)
    told = tkid(command, file).output
    assert f"{file}:{RECORD.count(chr(10)) + 1}:1: A second game begins here [record.first-line]" in told
    assert "save each game in a file of its own" in told
    assert file.read_text("utf-8") == RECORD + RECORD


def test_an_archive_cannot_be_tidied(tmp_path: Path) -> None:
    file = tmp_path / "games.zip"
    data = zipped()
    file.write_bytes(data)
    assert "Unpack it, and use the game file in it" in complaint("fmt", file, code=2)
    assert file.read_bytes() == data
