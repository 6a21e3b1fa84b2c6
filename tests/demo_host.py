"""A whole short game between two mailboxes and a host on local Maildirs, shown as the mails pass. Part of `make demo`.

Run as `python tests/demo_host.py FOLDER`; the mails stay there to be read.
"""

from __future__ import annotations

import re
import subprocess
import sys
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from random import Random

PLAYERS = {"Ann": "ann@example.org", "Bob": "bob@example.org"}
SEED = 20
EXAMPLE = re.compile(r"^  (\S.*)$", re.MULTILINE)


def tkid(*arguments: str) -> str:
    """Run the program."""
    return subprocess.run(["tkid", *arguments], check=True, capture_output=True, text=True).stdout


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


def answer(folder: Path, name: str, mail: EmailMessage, order: str, number: int) -> None:
    """Write an answer as a mail program does, and put it into the host's inbox."""
    quoted = "".join(f"> {line}\n" for line in text(mail).rstrip("\n").split("\n"))
    written = (
        f"From: {name} <{PLAYERS[name]}>\nTo: {mail['Reply-To']}\nSubject: Re: {mail['Subject']}\n"
        f"Message-ID: <demo-{number}@example.org>\nIn-Reply-To: {mail['Message-ID']}\n"
        f"MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n{order}\n\nOn Saturday tkid wrote:\n{quoted}"
    )
    (folder / "in" / "new" / f"{number:04}.demo").write_text(written, "utf-8")


def main(folder: Path) -> None:
    """Play the game."""
    rng = Random(SEED)
    show(tkid("host", "init", str(folder), "--address", "tkid@games.example"))
    players = [f"{name} <{address}>" for name, address in PLAYERS.items()]
    show(tkid("host", "new-game", str(folder), *players, "--game", "demo", "--entropy", "2a" * 32))
    number, shown = 0, 0
    while waiting := letters(folder):
        for name, mail in waiting:
            if shown < 2:
                show(f"--- a mail to {name} ---\n{mail['Subject']}\n\n{text(mail)}")
                shown += 1
            else:
                show(f"to {name:4} {mail['Subject']}\n")
        offered = [(n, m, EXAMPLE.findall(text(m).partition("WHAT YOU MAY ANSWER")[2])) for n, m in waiting]
        for name, mail, turns in offered:
            if turns:
                number += 1
                order = turns[0] if rng.random() < 0.6 else rng.choice(turns)
                show(f"from {name}: {order}\n")
                answer(folder, name, mail, order, number)
        tkid("host", "once", str(folder))
    show(f"--- the last mail ---\n{text(mail)}")
    record = folder / "demo.tkid"
    tkid("host", "export", str(folder), "demo", "-o", str(record))
    show(tkid("check", str(record)))
    show(f"All mails are in {folder}: in/cur what the players wrote, out/*/cur what they got.\n")


def show(told: str) -> None:
    """Print."""
    sys.stdout.write(told)
    sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
