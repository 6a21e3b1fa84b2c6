"""The story that `make demo` tells: a game in a file, a mistake, a game by mail with a host and two players, its end and why.

Run as `python -m tests.demo FOLDER`. Every line behind a `$` is run just as it is shown, in the folder; everything stays
there to be looked at. Between the shown commands the players write their mails.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import chdir
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from random import Random

from attrs import define, field
from typer.testing import CliRunner

from tkid.cli.app import app
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, append, replay

PLAYERS = {"Ann": "ann@example.org", "Bob": "bob@example.org"}
MISTAKE = "Outmanoeuvre S Moray <> WW Gwynedd; summon E Essex"
LOOSELY = "manoeuvre S moray and W gwynedd, summon E essex"
"""A turn that every deal allows: these three regions begin with two followers of their own faction."""
SUPPORT = re.compile(r"^(\w+) Support (\w)\2 (\w+); summon (\w) (\w+)$")
SOMEBODY = {"S": "a scot", "W": "a welshman", "E": "an englishman"}
MAP = re.compile(r"^ *\+--", re.MULTILINE)
LISTED = re.compile(r"^ {4}(\S.*; .*)$", re.MULTILINE)
"""A whole turn, as `tkid legal` lists them."""
PLACES = {
    "board.svg": "the position as a picture",
    "replay.html": "the whole game, to step through in a browser",
    "winter.tkid": "the same game as text",
    "games/out": "every mail to the players, in Maildirs: any mail program shows them",
    "games/in": "every mail that they wrote",
}
"""What the story leaves behind, by its place in the folder."""
WIDTH = 80
"""Columns of a mail that are shown: its own 76 and a margin."""


@define
class Demo:
    """What is shown, in a folder; with pictures in the mails or without, which is quicker."""

    folder: Path
    pictures: bool = True
    commands: list[tuple[str, int]] = field(factory=list)
    mails: int = 0
    unanswered: dict[str, EmailMessage] = field(factory=dict)

    # -- what is shown ------------------------------------------------------------------------------------

    def tell(self, text: str) -> None:
        """Print a paragraph of the story."""
        show(f"\n# {text}")

    def run(self, command: str) -> None:
        """Print a command, and run it as it is printed."""
        show(f"$ {command}")
        places = {"XDG_CONFIG_HOME": str(self.folder.resolve() / "settings"), "NO_COLOR": "1"}
        done = subprocess.run(  # noqa: S602 - a shell runs what is shown, as it does for whoever copies it
            command,
            shell=True,
            cwd=self.folder,
            env={**os.environ, **places},
            text=True,
            capture_output=True,
            check=False,
        )
        self.commands.append((command, done.returncode))
        show(f"{done.stdout}{done.stderr}".rstrip("\n"))

    def show_mail(self, name: str, mail: EmailMessage, lines: int) -> None:
        """Print how a mail begins, above its map."""
        show(f"To {name}: {mail['Subject']}")
        above = MAP.split(text(mail))[0]
        shown = [line for line in above.split("\n") if line.strip() and not line.startswith("---")]
        show("\n".join(f"| {line}"[:WIDTH] for line in shown[:lines]))

    # -- mails --------------------------------------------------------------------------------------------

    def letters(self) -> dict[str, EmailMessage]:
        """The newest letter to each player that nobody has read yet; all are read now."""
        newest: dict[str, EmailMessage] = {}
        for name, address in PLAYERS.items():
            box = self.folder / "games" / "out" / address
            for file in sorted((box / "new").glob("*"), key=lambda file: file.stat().st_mtime_ns):
                mail = message_from_bytes(file.read_bytes(), policy=default)
                assert isinstance(mail, EmailMessage)
                newest[name] = mail
                file.rename(box / "cur" / f"{file.name}:2,S")
        return newest

    def reply(self, name: str, mail: EmailMessage, line: str) -> str:
        """Write an answer as a mail program does; the name of its file."""
        self.mails += 1
        quoted = "".join(f"> {each}\n" for each in text(mail).rstrip("\n").split("\n"))
        file = f"{name.lower()}-{self.mails}.eml"
        (self.folder / file).write_text(
            f"From: {name} <{PLAYERS[name]}>\nTo: {mail['Reply-To']}\nSubject: Re: {mail['Subject']}\n"
            f"Message-ID: <demo-{self.mails}@example.org>\nIn-Reply-To: {mail['Message-ID']}\n"
            "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n"
            f"{line}\n\nOn Saturday tkid wrote:\n{quoted}",
            "utf-8",
        )
        return file

    def quietly(self, *arguments: str) -> str:
        """Run tkid without showing it; what it prints."""
        with chdir(self.folder):
            result = CliRunner().invoke(app, list(arguments))
        if result.exit_code:
            sys.exit(f"tkid {' '.join(arguments)}: {result.output}")
        return result.stdout

    def game(self) -> Replay:
        """The game at the host."""
        self.quietly("host", "export", "games", "winter", "-o", "winter.tkid")
        record = read_record((self.folder / "winter.tkid").read_bytes()).record
        assert record is not None
        return replay(record)

    # -- the story ----------------------------------------------------------------------------------------

    def whole(self) -> None:
        """Tell all of it."""
        self.in_a_file()
        self.by_mail()
        self.to_the_end()
        self.where_to_look()

    def in_a_file(self) -> None:
        """A game in a text file, and a mistake."""
        self.tell("A game is a text file. Deal one for two, and look at it:")
        self.run("tkid new game.tkid Ann Bob --first Ann | head -1")
        self.run("tkid show game.tkid | head -19")
        self.tell("A mistake changes nothing, and you read why:")
        self.run(f'tkid play game.tkid "{MISTAKE}"')
        self.tell("You need not write turns as tkid does. It asks what you mean, unless you add --yes:")
        self.run(f'tkid play game.tkid "{LOOSELY}" --yes')

    def by_mail(self) -> None:
        """A host and two players: the first turns."""
        self.tell("A host plays with people who have nothing but a mail program:")
        self.run("tkid host init games --address tkid@games.example | head -1")
        self.draw_pictures(wanted=self.pictures)
        ann, bob = (f'"{name} <{address}>"' for name, address in PLAYERS.items())
        self.run(f"tkid host new-game games {ann} \\\n    {bob} --game winter --first Ann")
        mail = self.letters()["Ann"]
        self.show_mail("Ann", mail, 4)
        self.game()
        turn = next(turn for turn in LISTED.findall(self.quietly("legal", "winter.tkid")) if SUPPORT.match(turn))
        self.tell("Ann replies in her own words:")
        answer = self.sent("Ann", mail, in_words(turn))["Ann"]
        self.show_mail("Ann", answer, 7)
        self.tell("Ann confirms it:")
        answers = self.sent("Ann", answer, "yes")
        self.show_mail("Ann", answers["Ann"], 3)
        self.show_mail("Bob", answers["Bob"], 4)
        self.unanswered = answers

    def draw_pictures(self, *, wanted: bool) -> None:
        """Let mails have pictures from now on, or not."""
        file = self.folder / "games" / "host.toml"
        settings = file.read_text("utf-8").partition("pictures = ")[0]
        file.write_text(f"{settings}pictures = {str(wanted).lower()}\n", "utf-8")

    def sent(self, name: str, mail: EmailMessage, line: str) -> dict[str, EmailMessage]:
        """Show how an answer comes to the host; the letters that follow."""
        file = self.reply(name, mail, line)
        show(f"{name}: {line}")
        self.run(f"cp {file} games/in/new")
        self.run("tkid host once games")
        return self.letters()

    def to_the_end(self) -> None:
        """The players play on, which is not shown, to the end and why."""
        waiting, rng, game = self.unanswered, Random(1), self.game()
        last = dict(waiting)
        while game.position.to_act is not None:
            name = game.record.names[game.position.to_act]
            turns = LISTED.findall(self.quietly("legal", "winter.tkid"))
            line = rng.choice(turns) if turns and rng.random() < 0.3 else "Pass"
            ends = append(game, line).position.to_act is None
            self.draw_pictures(
                wanted=self.pictures and ends
            )  # most of these mails nobody looks at, and drawing is slow
            file = self.reply(name, last[name], line)
            (self.folder / file).rename(self.folder / "games" / "in" / "new" / file)
            self.quietly("host", "once", "games")
            last |= self.letters()
            game = self.game()
        self.tell(f"{len(game.record.turns)} turns later the game is over:")
        for name, mail in last.items():
            self.show_mail(name, mail, 3)
        self.run("tkid host export games winter -o winter.tkid")
        self.run("tkid why winter.tkid | tail -5")

    def where_to_look(self) -> None:
        """Pictures, the replay, the mails."""
        self.tell("Where to look:")
        self.run("tkid render game.tkid -o board.svg")
        self.run("tkid render winter.tkid -o replay.html")
        show(f"\nIn {self.folder} are")
        show("\n".join(f"  {place:12} {what}" for place, what in PLACES.items()))


def show(lines: str) -> None:
    """Print lines, if there are any."""
    if lines:
        sys.stdout.write(f"{lines}\n")
        sys.stdout.flush()


def text(mail: EmailMessage) -> str:
    """The text of a letter."""
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def in_words(turn: str) -> str:
    """A turn of Support as people say it."""
    found = SUPPORT.match(turn)
    assert found
    faction, _, region, summoned, where = found.groups()
    return f"{faction.lower()} support, 2 to {region}, summon {SOMEBODY[summoned]} from {where}"


def main() -> None:
    """Tell the story in the folder that the command line names."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["XDG_CONFIG_HOME"] = str(folder.resolve() / "settings")
    program = Path(sys.executable).parent / "tkid"
    show(f"What stands behind a $ can be copied into an empty folder; tkid is {os.path.relpath(program)}.")
    Demo(folder).whole()


if __name__ == "__main__":
    main()
