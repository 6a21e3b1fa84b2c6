"""Letters from hand to hand, for tests: files of random games, the letters of their owners, and mails made by hand."""

from __future__ import annotations

import re
import zipfile
from email.message import EmailMessage
from email.policy import SMTP
from io import BytesIO
from pathlib import Path
from random import Random

from tests.cli import said, tkid
from tests.shared.lines import Line, random_line
from tkid.kernel.game import fill_names
from tkid.record.play.replay import replay
from tkid.record.play.views import hide_secrets
from tkid.record.play.writer import write_record
from tkid.rulebook.rulesets import ruleset

AT = "2026-11-21T10:00:00+00:00"
HASH = re.compile(r" #[0-9a-f]{6}$", re.MULTILINE)
ADDRESSES = {"Ann": "ann@example.org", "Bob": "bob@example.org", "Cal": "cal@example.org", "Dee": "dee@example.org"}


def turns_of(line: Line) -> list[str]:
    """The turns of a game as they are typed."""
    return [fill_names(line.game.words.write_turn(step.moves), line.names) for step in line.steps]


def addressed(text: str) -> str:
    """A record with addresses, without hashes that no longer fit."""
    return re.sub(
        r"^Seat: (\w+)$", lambda seat: f"{seat[0]} <{ADDRESSES[seat[1]]}>", HASH.sub("", text), flags=re.MULTILINE
    )


def files_of(line: Line, folder: Path, turns: int = 0) -> dict[str, Path]:
    """A file of the game for each player, after so many turns."""
    whole = replay(line.cut(turns).record())
    found = {}
    folder.mkdir(exist_ok=True)
    for seat, name in enumerate(line.names):
        known = hide_secrets(whole, seat)
        found[name] = folder / f"{name}.tkid"
        found[name].write_text(addressed(write_record(known.record, known)), "utf-8")
        said("fmt", found[name])
    return found


def letter(file: Path, *options: str) -> Path:
    """The letter that a file's owner writes, without a picture, which takes longer than all the rest."""
    mail = file.with_suffix(".eml")
    result = tkid("letter", "write", file, "-o", mail, "--at", AT, "--no-pictures", *options)
    assert result.exit_code == 0, result.output
    return mail


def line_of(code: str, seed: int, players: int = 2) -> Line:
    """A random game."""
    return random_line(ruleset(code), Random(seed), players, 0.5)


LINE = line_of("second-edition", 1)
TURNS = turns_of(LINE)
NAMES = [LINE.names[step.before.to_act or 0] for step in LINE.steps]


def sides(two: tuple[Path, Path]) -> tuple[Path, Path]:
    """The files of whoever plays turn 5, and of the other."""
    mover = next(file for file in two if file.stem == NAMES[4])
    return mover, next(file for file in two if file != mover)


def refused(file: Path, mail: Path, rule: str, *options: str) -> str:
    """What is said of a letter that is not taken in, which changes nothing."""
    before = {path: path.read_bytes() for path in file.parent.iterdir() if path.is_file()}
    result = tkid("letter", "read", file, mail, *options)
    assert (result.exit_code, result.stdout) == (1, ""), result.output
    assert f"[{rule}]" in result.stderr
    assert {path: path.read_bytes() for path in file.parent.iterdir() if path.is_file()} == before
    return result.stderr


def both(folder: Path) -> tuple[Path, Path]:
    """Ann's and Bob's files of one game after four turns."""
    files = files_of(LINE, folder, 4)
    return files["Ann"], files["Bob"]


def mail_with(*parts: tuple[str, bytes | str], sender: str = "Bob <bob@example.org>") -> bytes:
    """A mail with attachments: name and content."""
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"], message["Subject"] = sender, "Ann <ann@example.org>", "hello"
    message.set_content("Here you are.")
    for name, content in parts:
        if isinstance(content, str):
            message.add_attachment(content, filename=name)
        else:
            message.add_attachment(content, maintype="application", subtype="octet-stream", filename=name)
    return message.as_bytes()


def zipped(text: str) -> bytes:
    """An archive with the file."""
    data = BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("game.tkid", text)
    return data.getvalue()
