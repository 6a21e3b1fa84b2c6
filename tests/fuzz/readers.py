"""Every reader of a text that comes from outside, with samples to damage. None of them raises anything but its own errors."""

from __future__ import annotations

import gzip
import io
import json
import re
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from attrs import frozen

from tests.cli import POSITION, RECORD
from tkid.cli.archives import Source, find_sources
from tkid.cli.check import check_source
from tkid.club.desk_orders import find_desk_lines
from tkid.club.order_reader import find_orders_to_club as find_club_orders
from tkid.club.order_reader import may_have_orders
from tkid.host.backup import BackupError, read_backup_head
from tkid.host.settings import SettingsError
from tkid.host.settings import read_settings as read_host_settings
from tkid.lsp.open_file import (
    draw_preview,
    find_hover,
    format_file,
    get_next_player,
    list_changes,
    list_completions,
    list_repairs,
    make_outline,
    read_open_file,
)
from tkid.mail.enclosure import KINDS, take_out
from tkid.mail.enclosure import RECORD as ENCLOSED_RECORD
from tkid.mail.envelope import find_topmost, read_report
from tkid.mail.mime import take_in, take_in_partly
from tkid.mail.model import Intake, Refusal
from tkid.mail.order_finder import find_orders, get_order_reader
from tkid.notation.free_text import understand_turn
from tkid.notation.plugin import find_turn_reader
from tkid.notation.positions import PositionError, read_position, write_position
from tkid.record.copies import compare_copies
from tkid.record.draw import read_draw
from tkid.record.format.reader import read_record
from tkid.record.json.objects import JsonError
from tkid.record.json.positions import position_json, read_position_json
from tkid.record.locked_text import CHECKED, HEADING, compute_check, read_deal
from tkid.record.play.replay import Replay
from tkid.record.play.validation import judge_record
from tkid.record.play.writer import write_record
from tkid.rulebook.rulesets import ruleset

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures"
MOST = 20_000
"""Longer samples are left out."""


@frozen
class Reader:
    """A reader: what it does with bytes, and samples."""

    read: Callable[[bytes], object]
    samples: Callable[[], Sequence[bytes]]


def files(pattern: str, most: int = 40) -> list[bytes]:
    """The files of some fixtures, as many as are needed."""
    found = sorted(FIXTURES.glob(pattern))
    chosen = found[:: max(1, len(found) // most)]
    return [data for data in (file.read_bytes() for file in chosen) if len(data) <= MOST]


@cache
def games() -> list[bytes]:
    return [RECORD.encode(), *files("games/**/*.tkid"), *files("illegal/**/*.tkid"), *crashes("*.tkid")]


def crashes(pattern: str) -> list[bytes]:
    """What made a reader fail once."""
    return [file.read_bytes() for file in sorted((FIXTURES / "crashes").glob(pattern))]


def text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape").encode("utf-8", "replace").decode()


# -- game files -------------------------------------------------------------------------------------------


def check_record(data: bytes) -> None:
    """Check a file in every form."""
    for form in ("text", "json", "github", "sarif"):
        found = check_source(Source("x.tkid", data), form, every=True)
        assert not found.error, found.error


def write_again(data: bytes) -> None:
    """Write a right file again; that is right too."""
    problems, replay = judge_record(read_record(data))
    if replay is not None and not problems:
        written = write_record(replay.record, replay).encode()
        assert not judge_record(read_record(written))[0]


@cache
def mine() -> Replay:
    problems, replay = judge_record(read_record(RECORD.encode()))
    assert replay is not None
    assert not problems
    return replay


def edit(data: bytes) -> None:
    """Open a file in an editor and ask for everything there is."""
    reading = read_open_file("x.tkid", text(data))
    assert not any(problem.message.startswith("tkid failed") for problem in reading.problems)
    last = len(reading.lines)
    for line in {1, last // 2 or 1, last}:
        column = len(reading.lines[line - 1])
        find_hover(reading, line, column // 2)
        list_completions(reading, line, column, get_next_player)
        draw_preview(reading, line, get_next_player)
    list(make_outline(reading))
    list(list_repairs(reading, 1, last))
    tidy = format_file(reading)
    if tidy is not None:
        list(list_changes(reading, tidy))


# -- mails ------------------------------------------------------------------------------------------------


@cache
def orders() -> Any:
    return get_order_reader(ruleset("second-edition").game(), ("Ann", "Łukasz"), 1)


def read_mail(data: bytes) -> None:
    """Take in a mail and find its orders: those of a game, of the club, and of the owner."""
    for mail in (take_in(data), take_in_partly(data)):
        if isinstance(mail, Intake):
            find_orders(mail, orders())
            find_club_orders(mail)
            may_have_orders(mail)
            find_desk_lines(mail, ("winter",))
        if isinstance(mail, Refusal):
            assert "cannot be read (" not in str(mail), mail
    read_report(data)
    find_topmost(data)


def read_letter(data: bytes) -> None:
    """Take the game file out of a letter, and compare it."""
    for begins in KINDS:
        found = take_out(data, begins=begins)
        if isinstance(found, Refusal):
            assert "cannot be read (" not in str(found), found
        elif begins == ENCLOSED_RECORD:
            compare_copies(mine(), found.text)
            compare_copies(mine(), found.text, 0, agree=True)


# -- deals ------------------------------------------------------------------------------------------------


def with_checks(data: bytes) -> bytes:
    """A deal in which the check of each line fits, as somebody has it who crafts one."""
    whole = text(data)
    lines, heading = whole.split("\n"), ""
    first = next((at for at, line in enumerate(lines) if HEADING.fullmatch(line.strip())), len(lines))
    read = read_deal("\n".join(lines[:first]).encode())
    if read.content is None:
        return data
    for at in range(first, len(lines)):
        match, checked = HEADING.fullmatch(lines[at].strip()), CHECKED.fullmatch(lines[at].strip())
        if match:
            heading = match[1].capitalize() if match[1] else f"{match[2].capitalize()} {' '.join(match[3].split())}"
        elif checked:
            row = " ".join(checked["text"].split())
            lines[at] = f"{row} #{compute_check(read.content.terms, heading, row)}"
    return "\n".join(lines).encode()


def read_locked(data: bytes) -> None:
    for each in (data, with_checks(data)):
        read_deal(each)


@cache
def deals() -> list[bytes]:
    """Deals without most of the rows of their proofs, which take long to read, and whole ones."""
    whole = [file.read_bytes() for file in sorted((FIXTURES / "deals").glob("*.deal"))]
    short = [re.sub(rb"(?m)^([3-9]|\d\d) \S+ \w+ #\w+\n", b"", each) for each in whole]
    return [*(each for each in short if len(each) < MOST * 2), *crashes("*.deal")]


DRAW = (
    b"Tkid-Draw: 1\nRuleset: second-edition\nGame: winter\nSeat: Ann <ann@example.org>\nSeat: Bob\n\nCommitments\n"
    b"Ann " + b"ab" * 32 + b"\nBob " + b"cd" * 32 + b"\n\nNonces\nAnn " + b"ef" * 32 + b"\n"
)


# -- positions, orders, turns -----------------------------------------------------------------------------


@cache
def positions() -> list[bytes]:
    every = "\n".join(file.read_text("utf-8") for file in sorted((FIXTURES / "positions").glob("*.txt")))
    lines = [line.partition("\t")[0] for line in every.split("\n")]
    return [POSITION.encode(), *(line.encode() for line in lines[::7] if line), *crashes("*.position")]


def read_line(data: bytes) -> None:
    """Read a position in one line, and ask for what is legal in it."""
    try:
        game, position = read_position(text(data))
    except PositionError:
        return
    again, same = read_position(write_position(game, position))
    assert (again, same) == (game, position)
    next(iter(game.legal(position)), None)


@cache
def position_objects() -> list[bytes]:
    read = (read_position(text(line)) for line in positions()[::4])
    return [*(json.dumps(position_json(*each)).encode() for each in read), *crashes("*.json")]


def read_object(data: bytes) -> None:
    """Read a position as JSON."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return
    try:
        read_position_json(value)
    except JsonError:
        return


def read_order(data: bytes) -> None:
    for line in text(data).split("\n"):
        orders().read_line(line)


def read_turn(data: bytes) -> None:
    """Read a line as a turn of each ruleset."""
    for code in ("second-edition-advanced", "first-edition", "manual", "claim"):
        find_turn_reader(ruleset(code).game(), ("Ann", "Bob")).read_turn(text(data).replace("\n", " "))


def understand_text(data: bytes) -> None:
    replay = mine()
    understand_turn(replay.record.game, replay.record.names, replay.position, text(data))


TURNS = (
    b"Manoeuvre S Moray <> E Devon; summon W Gwynedd",
    b"Assemble S Moray, W Devon, E Essex; summon W Gwynedd",
    "Negotiate Moray ↔ Devon, disc Devon; summon E Essex".encode(),
    b"Pass",
    b"Plot S",
    b"two English to Devon with English Support, take a Scot from Moray",
    b"Outmanoeuvre S Lancaster <> WW Gwynedd; summon S Northumbria",
    b"Goblin 3",
    b"copy Bob's Attack: SS Moray > Strathclyde",
)
ORDERS = (
    *TURNS,
    b"if Bob passes: Pass; else stop",
    b"pass until Essex is contested",
    b"say Hello! How are you?",
    b"away until 2026-12-24",
    b"undo 3",
    b"vacation 2 weeks",
    b"ask who wins a tie?",
)


# -- files of a host, archives ----------------------------------------------------------------------------

SETTINGS = b"""\
address = "tkid@games.example"
owner = "owner@games.example"
pause = 20
pictures = false
rules-url = "https://rules.example/"
[imap]
host = "localhost"
port = 143
user = "tkid"
tls = "none"
password-file = "password"
[smtp]
host = "localhost"
user = "tkid"
password-env = "PASSWORD"
[club]
welcome = "anybody"
bots = "greedy"
[pages]
folder = "www"
address = "https://club.example"
[keep]
mails = "90 days"
"""


def read_settings(data: bytes) -> None:
    try:
        read_host_settings(Path("games"), text(data))
    except SettingsError:
        return


def in_file(suffix: str, read: Callable[[str], object]) -> Callable[[bytes], None]:
    """A reader of bytes in a file with a suffix."""

    def run(data: bytes) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / f"x{suffix}"
            file.write_bytes(data)
            read(str(file))

    return run


def read_archive(name: str) -> None:
    for source in find_sources([name]):
        assert source.error or isinstance(source.data, bytes)


def read_backup(name: str) -> None:
    try:
        read_backup_head(Path(name))
    except BackupError:
        return


def zips() -> list[bytes]:
    found = []
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", method) as archive:
            archive.writestr("a.tkid", RECORD)
            archive.writestr("b/c.tkid", RECORD)
        found.append(packed.getvalue())
    return found


def tars() -> list[bytes]:
    found = []
    for mode in ("w", "w:gz", "w:bz2", "w:xz"):
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode=mode, format=tarfile.PAX_FORMAT) as archive:
            for name in ("a.tkid", "ü" * 120 + ".tkid"):
                entry = tarfile.TarInfo(name)
                entry.size = len(RECORD.encode())
                archive.addfile(entry, io.BytesIO(RECORD.encode()))
        found.append(packed.getvalue())
    return found


def backups() -> list[bytes]:
    lines = [
        {"tkid-backup": 1},
        {"table": "games", "columns": ["id", "text"]},
        [1, ["YQ=="]],
        {"rows": 1, "sha256": ""},
    ]
    return [gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode())]


LINES = (json.dumps({"record": RECORD, "file": "a.tkid"}) + "\n" + json.dumps(RECORD) + "\n").encode()


READERS: Mapping[str, Reader] = {
    "record": Reader(check_record, games),
    "written again": Reader(write_again, games),
    "editor": Reader(edit, games),
    "mail": Reader(read_mail, lambda: [*files("mail/*.eml", 60), *crashes("*.eml")]),
    "letter": Reader(read_letter, lambda: [*files("mail/*.eml", 20), *games()[:12]]),
    "deal": Reader(read_locked, deals),
    "draw": Reader(read_draw, lambda: [DRAW]),
    "position": Reader(read_line, positions),
    "position as JSON": Reader(read_object, position_objects),
    "order": Reader(read_order, lambda: [*ORDERS, *crashes("*.order")]),
    "turn": Reader(read_turn, lambda: TURNS),
    "free text": Reader(understand_text, lambda: TURNS),
    "settings": Reader(read_settings, lambda: [SETTINGS, *crashes("*.toml")]),
    "zip": Reader(in_file(".zip", read_archive), zips),
    "tar": Reader(in_file(".tar.gz", read_archive), tars),
    "jsonl": Reader(in_file(".jsonl", read_archive), lambda: [LINES]),
    "backup": Reader(in_file(".backup", read_backup), backups),
}
