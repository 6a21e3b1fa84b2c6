"""A host's loop for tests: in a folder with Maildirs, with a clock that the test sets; and a game that it is disturbed in."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from attrs import define

from tests.host.year.players import HOST, NAMES, TIME, address, examples, game, letters, reply
from tkid.host.log import Log
from tkid.host.loop import Loop
from tkid.host.service import Host
from tkid.host.store.store import Database
from tkid.host.transports import Maildir, Transports

SECONDS = (1, 3, 7, 15)
"""When rounds are tried while something fails: each after the rest of the one before, all within a minute."""
MENDED = 30
SEED = 20261121


@define
class Clock:
    """A clock that stands until it is set."""

    now: datetime = TIME

    def __call__(self) -> datetime:
        return self.now

    def set(self, seconds: float) -> None:
        """So many seconds after the beginning."""
        self.now = TIME + timedelta(seconds=seconds)


@define
class Boxes:
    """Letters go into a Maildir for each address."""

    folder: Path

    def send_letter(self, to: str, mail: bytes) -> None:
        Maildir(self.folder / to).add_mail(mail)

    def close(self) -> None:
        """Nothing is held open."""


def looped(folder: Path, clock: Callable[[], datetime], url: str = "", **changes: Any) -> tuple[Loop, list[Any]]:
    """A loop with Maildirs in a folder, and what it writes into its log; `changes` are attributes of it."""
    url = url or f"sqlite:///{folder / 'host.db'}"
    database = Database.make_at(url)
    if not (folder / "host.db").exists():
        database.create_database()
    lines: list[str] = []
    transports = Transports({"in": lambda: Maildir(folder / "in")}, ("out", lambda: Boxes(folder / "out")))
    usual: dict[str, Any] = {
        "database": database,
        "make": lambda store, send: Host(store, HOST, b"s" * 32, send),
        "transports": transports,
        "log": Log(lines.append, clock),
        "now": clock,
        "wait": lambda _: None,
        "health_file": folder / "status.json",
        "rng": Random(SEED),
    }
    return Loop(**usual | changes), Entries(lines)


class Entries(list[Any]):
    """The lines of a log, read as JSON when they are looked at."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return map(json.loads, list(self.lines))


def never() -> bool:
    """Nobody stops the loop."""
    return False


def begin(loop: Loop) -> None:
    """A game for two begins."""
    store = loop.database.open_store()
    loop.make(store, lambda _, __: None).open_game("game", game(SEED, 2, "second-edition-advanced"), TIME)
    store.close()
    settle(loop)


def settle(loop: Loop) -> None:
    """Rounds until there is nothing left to do."""
    while loop.run_round(never).anything:
        pass


@contextmanager
def no_trouble() -> Iterator[None]:
    """Nothing happens."""
    yield


Trouble = Callable[[int], AbstractContextManager[object]]
"""Something that fails as long as it lasts, at the mail with a number."""


def play(folder: Path, loop: Loop, clock: Clock, trouble: Trouble, most: int = 10) -> list[bool]:
    """Play on, with trouble when each mail comes; whether a round was disturbed by it, for each mail."""
    rng = Random(SEED)
    disturbed: list[bool] = []
    asked = {str(mail["Message-ID"]): (name, mail) for name in NAMES[:2] for mail in letters(folder, name)}
    while asked and len(disturbed) < most:
        name, letter = asked.popitem()[1]
        offered = examples(letter)
        if offered:
            Maildir(folder / "in").add_mail(reply(letter, rng.choice(offered), name, len(disturbed)))
            failed = False
            with trouble(len(disturbed)):
                for seconds in SECONDS:
                    clock.set(seconds)
                    failed = loop.run_round(never).failed or failed
            clock.set(MENDED)
            settle(loop)
            clock.set(0)
            disturbed.append(failed)
        asked |= {str(mail["Message-ID"]): (name, mail) for name in NAMES[:2] for mail in letters(folder, name)}
    return disturbed


def stands(folder: Path, loop: Loop) -> tuple[str, list[list[str]], dict[str, int]]:
    """The record, the letters in every mailbox by Message-ID, and the mails by state."""
    store = loop.database.open_store()
    stored, counts = store.get_game("game"), store.count_mails()
    store.close()
    assert stored is not None
    boxes = [folder / "out" / address(name) for name in NAMES[:2]]
    files = [[file for part in ("new", "cur") for file in (box / part).iterdir()] for box in boxes]
    return stored.record, [sorted(map(_message_id, box)) for box in files], counts


def _message_id(file: Path) -> str:
    lines = file.read_bytes().split(b"\r\n")
    return next(line for line in lines if line.lower().startswith(b"message-id:")).decode()
