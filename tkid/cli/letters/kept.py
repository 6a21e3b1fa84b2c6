"""A secret number in a file that nobody else may read: the nonce of a draw, the seed of a deal, a key for friends' seeds."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import typer

from tkid.cli.support import fail
from tkid.cli.support.files import read_bytes
from tkid.cli.support.private import tell_protection
from tkid.files import others_read

DECK = "Deck: "
BYTES = 32
"""Bytes of a secret."""


class Kind(NamedTuple):
    """A kind of secret numbers.

    `name` is its word, `suffix` the end of its file's name, `lost` what to do where the file is gone, and `whose` what its owner is
    called there.
    """

    name: str
    suffix: str
    lost: str
    whose: str = "Player"

    @property
    def first(self) -> str:
        """The first line of its file."""
        return f"Tkid-{self.name.capitalize()}: 1"

    def file(self, beside: Path) -> Path:
        """Its file, beside that of a draw, a deal or a game."""
        return beside.with_suffix(self.suffix)

    def keep(self, beside: Path, player: str, secret: bytes) -> None:
        """Write a new file with a player's secret. Raises FileExistsError, OSError."""
        from tkid.cli.support.files import create

        text = f"{self.first}\n{self.whose}: {player}\n{self.name.capitalize()}: {secret.hex()}\n"
        create(self.file(beside), text, private=True)
        tell_protection(self.file(beside))

    def read(self, beside: Path) -> tuple[str, bytes]:
        """Whose secret is kept, and the secret; or the end of the command."""
        file = self.file(beside)
        try:
            text = read_bytes(file).decode()
        except FileNotFoundError:
            fail(f"{file} is missing. It has your {self.name}, and nobody can restore it. {self.lost}")
        except ValueError:
            text = ""
        player, secret = self.parsed(text)
        if not secret:
            fail(f"{file}: this file has no {self.name}.")
        self._check_mode(file)
        return player, secret

    def parsed(self, text: str) -> tuple[str, bytes]:
        """Whose secret a text has, and the secret; both empty where it has none."""
        lines = text.splitlines()
        entries = dict(line.split(": ", 1) for line in lines if ": " in line)
        try:
            player, secret = entries[self.whose], bytes.fromhex(entries[self.name.capitalize()])
        except (KeyError, ValueError):
            return "", b""
        return (player, secret) if lines[:1] == [self.first] and len(secret) == BYTES else ("", b"")

    def deck(self, beside: Path) -> str:
        """For which deck a secret was used, as `use` noted it; "" where it was used for none."""
        lines = read_bytes(self.file(beside)).decode().splitlines()
        return next((line.removeprefix(DECK) for line in lines if line.startswith(DECK)), "")

    def use(self, beside: Path, deck: str) -> None:
        """Note for which deck a secret is used, before anything is unlocked with it. Raises OSError."""
        from tkid.cli.support.files import write_atomically

        if not self.deck(beside):
            text = read_bytes(self.file(beside)).decode()
            write_atomically(self.file(beside), f"{text}{DECK}{deck}\n", private=True)

    def _check_mode(self, file: Path) -> None:
        """Say so where others may read a file."""
        if others_read(file.stat()):
            typer.echo(f"Others can read {file}. To stop that: `chmod 600 {file}`.", err=True)


NONCE = Kind("nonce", ".nonce", "Start a new draw.")
SEED = Kind(
    "seed",
    ".seed",
    "If you have a copy, or a friend who keeps it, put it back. Without it you cannot show your cards to the others.",
)
KEY = Kind("key", ".key", "What is sealed to it stays sealed.", "Name")
