"""The page on playing from hand to hand: its commands print what stands there, and its texts hash as it says.

`python -m tests.docs.test_hand_to_hand` writes into the page what is printed; read it before it is kept.
"""

import re
import secrets
from collections.abc import Iterator
from contextlib import chdir
from hashlib import sha256
from pathlib import Path
from shlex import split
from shutil import copy
from tempfile import TemporaryDirectory
from unittest.mock import patch

from typer.testing import CliRunner

from tkid.cli.app import app
from tkid.record.draw import check_draw
from tkid.record.format.reader import read_record

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "hand-to-hand.md"
ILLEGAL = ROOT / "fixtures" / "illegal"
COMMAND = re.compile(r"^(ann|bob)\$ (tkid .*(?:\n  --.*)*)\n((?:(?!(?:ann|bob)\$ |```).*\n)*)", re.MULTILINE)
NONCES = (
    "5d1c7f0f2f0b1d8f4e3c9a5b6a7788990a1b2c3d4e5f60718293a4b5c6d7e8f9",
    "c0ffee00a1b2c3d4e5f60718293a4b5c6d7e8f9012345678abcdef9876543210",
)


def in_order(page: str) -> list[re.Match[str]]:
    """The commands of the page in the order in which people would type them: the draw first."""
    found = list(COMMAND.finditer(page))
    return sorted(found, key=lambda command: "letter new" not in command[2])


def printed(page: str, folder: Path) -> Iterator[tuple[re.Match[str], str]]:
    """Each command with what it prints. Mails reach the other player at once."""
    nonces = iter(map(bytes.fromhex, NONCES))
    for name in ("ann", "bob"):
        (folder / name).mkdir()
    with patch.object(secrets, "token_bytes", lambda _: next(nonces)):
        for command in in_order(page):
            with chdir(folder / command[1]):
                result = CliRunner().invoke(app, split(command[2].replace("\\\n", ""))[1:])
            yield command, result.output
            for mail in (folder / command[1]).glob("*.eml"):
                copy(mail, folder / ("bob" if command[1] == "ann" else "ann"))


def test_the_commands_print_what_the_page_says(tmp_path: Path) -> None:
    page = PAGE.read_text("utf-8")
    assert len(in_order(page)) == 9
    for command, output in printed(page, tmp_path):
        assert command[3] == output, command[2]
    assert (tmp_path / "ann" / "winter.draw").read_text("utf-8") == block(page)
    record = read_record((tmp_path / "bob" / "winter.tkid").read_bytes()).record
    assert record is not None
    assert check_draw(record) == []


def block(page: str) -> str:
    """The draw on the page."""
    found = re.search(r"^```draw\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


def test_commitments_and_entropy_are_what_the_page_says(tmp_path: Path) -> None:
    page = PAGE.read_text("utf-8")
    terms, commitments, nonces = block(page).split("\n\n")
    rows = dict(row.split() for row in nonces.splitlines()[1:])
    for row in commitments.splitlines()[1:]:
        name, commitment = row.split()
        assert sha256(f"{terms}\n\nNonces\n{name} {rows[name]}\n".encode()).hexdigest() == commitment
    together = "".join(f"{name} {nonce}\n" for name, nonce in rows.items())
    entropy = sha256(f"{terms}\n\nNonces\n{together}".encode()).hexdigest()
    list(printed(page, tmp_path))
    assert f"Seal: entropy:{entropy}\n" in (tmp_path / "ann" / "winter.tkid").read_text("utf-8")


def test_the_diagnoses_are_those_of_the_fixtures() -> None:
    page = PAGE.read_text("utf-8")
    for rule in ("record.compare.past", "record.compare.fork"):
        assert f"```text\n{(ILLEGAL / rule / 'expected.txt').read_text('utf-8')}```\n" in page


def write() -> None:
    """Write into the page what is printed."""
    page = PAGE.read_text("utf-8")
    for rule in ("record.compare.past", "record.compare.fork"):
        page = page.replace(f"<<{rule}>>\n", (ILLEGAL / rule / "expected.txt").read_text("utf-8"))
    with TemporaryDirectory() as folder:
        for command, output in sorted(printed(page, Path(folder)), key=lambda found: -found[0].start()):
            page = f"{page[: command.start(3)]}{output}{page[command.end(3) :]}"
        page = page.replace("<<draw>>\n", (Path(folder) / "ann" / "winter.draw").read_text("utf-8"))
    PAGE.write_text(page, "utf-8")


if __name__ == "__main__":
    write()
