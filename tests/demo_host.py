"""A whole short game between two mailboxes and a host on local Maildirs, shown as the mails pass. Part of `make demo`.

Run as `python tests/demo_host.py FOLDER`; the mails stay there to be read.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from textwrap import indent

from typer.testing import CliRunner

from tkid.cli.app import app

PLAYERS = {"Ann": "ann@example.org", "Bob": "bob@example.org"}
DEAL = "2a" * 32
EXAMPLE = re.compile(r"^  (\S.*)$", re.MULTILINE)
HEADINGS = ("WHAT HAPPENED", "YOUR PLANS", "THE POSITION", "WHAT YOU MAY ANSWER")

Orders = Callable[[list[str]], list[str]]
"""What a player writes to a letter that offers some turns."""


def tkid(*arguments: str) -> str:
    """Run the program; what it says."""
    result = CliRunner().invoke(app, list(arguments))
    if result.exit_code:
        sys.exit(f"tkid {' '.join(arguments)}: {result.output}")
    return result.output


def letters(folder: Path) -> list[tuple[str, EmailMessage]]:
    """The letters that nobody has read yet, each with its reader; they are read now."""
    found = []
    for name, address in PLAYERS.items():
        box = folder / "out" / address
        for file in sorted((box / "new").glob("*")) if box.exists() else ():
            mail = message_from_bytes(file.read_bytes(), policy=default)
            assert isinstance(mail, EmailMessage)
            file.rename(box / "cur" / f"{file.name}:2,S")
            found.append((name, mail))
    return found


def text(mail: EmailMessage) -> str:
    """The text of a letter."""
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def offers(mail: EmailMessage) -> list[str]:
    """The turns that a letter offers, where it asks for one."""
    return EXAMPLE.findall(text(mail).partition("WHAT YOU MAY ANSWER")[2] or text(mail).partition("to copy")[2])


def answer(folder: Path, name: str, mail: EmailMessage, orders: list[str], number: int) -> None:
    """Write an answer as a mail program does, and put it into the host's inbox."""
    quoted = "".join(f"> {line}\n" for line in text(mail).rstrip("\n").split("\n"))
    written = (
        f"From: {name} <{PLAYERS[name]}>\nTo: {mail['Reply-To']}\nSubject: Re: {mail['Subject']}\n"
        f"Message-ID: <demo-{number}@example.org>\nIn-Reply-To: {mail['Message-ID']}\n"
        "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n"
    )
    written += "\n".join([*orders, "", "On Saturday tkid wrote:", quoted])
    (folder / "in" / "new" / f"{number:04}.demo").write_text(written, "utf-8")


# -- the players -------------------------------------------------------------------------------------------


def ann() -> Iterator[Orders]:
    """Ann mistypes a region, puts it right with a word to Bob, and plays on: a card, then a pass, and again."""
    yield lambda turns: [_mistyped(turns[-1])]
    yield lambda turns: [turns[0], "say to Bob: Good luck, and mind the Welsh!"]
    while True:
        yield lambda _: ["Pass"]
        yield lambda turns: [turns[-1]]


def bob() -> Iterator[Orders]:
    """Bob plays a card, then leaves it to standing orders, which hold until somebody has to look again."""
    yield lambda turns: [turns[1]]
    while True:
        yield lambda _: ["Pass", "pass until struggle"]


def _mistyped(turn: str) -> str:
    """A turn with two letters of its last region exchanged."""
    before, _, region = turn.rpartition(" ")
    return f"{before} {region[0]}{region[2]}{region[1]}{region[3:]}"


# -- what is shown -----------------------------------------------------------------------------------------


def shown(mail: EmailMessage, *without: str) -> str:
    """The text of a letter without some of its parts."""
    parts = re.split(f"^(?=(?:{'|'.join(HEADINGS)})$)", text(mail), flags=re.MULTILINE)
    kept = "".join(part for part in parts if not part.startswith(without))
    return kept if kept == text(mail) else f"{kept}[...]\n"


def show(told: str) -> None:
    """Print."""
    sys.stdout.write(told)
    sys.stdout.flush()


def show_mail(name: str, mail: EmailMessage, told: str) -> None:
    """Print a letter, or a part of it."""
    show(f"\n----- a mail to {name}: {mail['Subject']}\n\n{indent(told.strip(), '  | ', lambda _: True)}\n\n")


def interesting(mail: EmailMessage, seen: set[str]) -> str:
    """What is new in a letter that is worth to be shown, "" where the subject will do."""
    body = text(mail)
    if "THE POSITION" not in seen and "WHAT YOU MAY ANSWER" in body:
        seen.add("THE POSITION")
        return body
    for sign in ("id you mean", "says to", "YOUR PLANS", "game is over"):
        if sign in body and sign not in seen:
            seen.add(sign)
            return shown(mail, "THE POSITION", "WHAT YOU MAY ANSWER")
    return ""


def main(folder: Path, *, pictures: bool = True) -> None:
    """Play the game, with pictures in the mails or without, which is quicker."""
    show(tkid("host", "init", str(folder), "--address", "tkid@games.example"))
    if not pictures:
        with (folder / "host.toml").open("a", encoding="utf-8") as settings:
            settings.write("pictures = false\n")
    players = [f"{name} <{address}>" for name, address in PLAYERS.items()]
    show(tkid("host", "new-game", str(folder), *players, "--game", "demo", "--first", "Ann", "--entropy", DEAL))
    minds, number, seen = {"Ann": ann(), "Bob": bob()}, 0, set[str]()
    while waiting := letters(folder):
        for name, mail in waiting:
            told = interesting(mail, seen)
            show_mail(name, mail, told) if told else show(f"to {name:4} {mail['Subject']}\n")
        for name, mail in waiting:
            if turns := offers(mail):
                number += 1
                orders = next(minds[name])(turns)
                show("".join(f"from {name}: {order}\n" for order in orders))
                answer(folder, name, mail, orders, number)
        tkid("host", "once", str(folder))
    record = folder / "demo.tkid"
    tkid("host", "export", str(folder), "demo", "-o", str(record))
    show("\n" + tkid("check", str(record)))
    show(
        f"The mails lie in {folder}: in/cur is what the players wrote, and out/*/cur what they got, as text and HTML,\n"
    )
    show("with a picture, the game file and a board to click. Any mail program that knows Maildirs shows them.\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
