"""Players made of code, who read the letters of a host in their Maildirs and answer by mail; and a host for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.message import EmailMessage
from functools import cache, lru_cache, partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter

import sqlalchemy as sql

from tests.mail.mails import body, parsed
from tkid.host.log import make_file
from tkid.host.service import Host
from tkid.host.store.schema import QUARANTINED, TO_BE_SENT, outgoing
from tkid.host.store.store import Store
from tkid.host.transports import Maildir
from tkid.record.format.model import Record
from tkid.record.format.new_game import new_record

TIME = datetime(2026, 11, 21, 10, tzinfo=UTC)
HOST = "tkid@games.example"
DATABASE = "host.db"
NAMES = ("Ann", "Bob", "Cal", "Dee")
EXAMPLE = re.compile(r"^    (\S.*)$", re.MULTILINE)


def address(name: str) -> str:
    """Where a player is written to."""
    return f"{name.lower()}@example.org"


def game(seed: int, players: int = 2, code: str = "second-edition") -> Record:
    """A game for players with addresses."""
    listed = [f"{name} <{address(name)}>" for name in NAMES[:players]]
    return new_record(code, listed, Random(seed).randbytes(32), title=f"game-{seed}")


@cache
def empty_database() -> bytes:
    """A database in which nothing is, made once for all hosts of the tests."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / DATABASE
        Store.make_store(f"sqlite:///{file}").close()
        return file.read_bytes()


@contextmanager
def host(folder: Path, url: str = "") -> Iterator[Host]:
    """A host in a folder, with its letters in Maildirs under out/."""
    if not url and not (folder / DATABASE).exists():
        make_file(folder / DATABASE)
        (folder / DATABASE).write_bytes(empty_database())
    store = Store.make_store(url or f"sqlite:///{folder / DATABASE}")

    def send(to: str, mail: bytes) -> None:
        Maildir(folder / "out" / to).add_mail(mail)

    try:
        yield Host(store, HOST, b"s" * 32, send, draw=partial(bytes, 32))
    finally:
        store.close()


def unsent(store: Store) -> list[tuple[int, bytes]]:
    """The letters that did not go out: number and bytes."""
    query = sql.select(outgoing.c.id, outgoing.c.mail).where(TO_BE_SENT).order_by(outgoing.c.id)
    with store.engine.connect() as connection:
        return [(number, bytes(mail)) for number, mail in connection.execute(query)]


@lru_cache(maxsize=1000)
def letter(data: bytes) -> EmailMessage:
    """A letter, read once however often it is looked at; nobody changes it."""
    return parsed(data)


def troubles(store: Store) -> list[tuple[int, str, str]]:
    """Mails put aside, letters that failed, games whose clock could not be looked at: number or tries, what, why."""
    mails = [(number, QUARANTINED, reason) for number, reason in store.list_put_aside()]
    failed = [(letter.number, letter.address, letter.error) for letter in store.list_unsent() if letter.tries]
    return [*mails, *failed, *((tries, game, error) for game, tries, error in store.list_stuck_games())]


def letters(folder: Path, name: str) -> list[EmailMessage]:
    """The letters that a player has got and not read yet, in the order of their turns."""
    box = Maildir(folder / "out" / address(name))
    found = [(letter(data), file) for file, data in box.list_arrived()]
    for _, file in found:
        box.mark_fetched(file)
    return sorted((mail for mail, _ in found), key=lambda mail: str(mail["Date"]))


def reply(letter: EmailMessage, order: str, name: str, number: int = 0, headers: str = "") -> bytes:
    """An answer to a letter in a mail program's usual form: the order on top, the letter quoted below."""
    quoted = "".join(f"> {line}\n" for line in body(letter).rstrip("\n").split("\n"))
    head = (
        f"From: {name} <{address(name)}>\nTo: {letter['Reply-To']}\nSubject: Re: {letter['Subject']}\n"
        f"Message-ID: <{name.lower()}-{number}@example.org>\nIn-Reply-To: {letter['Message-ID']}\n{headers}"
        "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
    )
    return f"{head}\n{order}\n\nOn Saturday tkid wrote:\n{quoted}".encode()


def examples(letter: EmailMessage) -> list[str]:
    """The turns that a letter offers."""
    answer = body(letter).partition("YOUR ANSWER")[2]
    return [*(["Pass"] if "`Pass`" in answer else []), *EXAMPLE.findall(answer.partition("\nRef ")[0])]


def work(at: Host, folder: Path) -> None:
    """One round of the host's work."""
    at.fetch_mails(Maildir(folder / "in"), TIME)
    at.work_on_all(TIME)
    at.send_letters(TIME)


def play(folder: Path, at: Host, rng: Random, timed: list[float] | None = None, passing: float = 0.0) -> int:
    """Play on until nobody is asked any more; how many mails were written.

    `timed` takes the seconds of each round. A game is the shorter, the likelier a pass, which is `passing` at least.
    """
    number = 0
    asked = {str(mail["Message-ID"]): (name, mail) for name in NAMES for mail in letters(folder, name)}
    while asked:
        name, letter = asked.popitem()[1]
        offered = examples(letter)
        if offered:
            number += 1
            order = "Pass" if passing and "Pass" in offered and rng.random() < passing else rng.choice(offered)
            Maildir(folder / "in").add_mail(reply(letter, order, name, number))
            begin = perf_counter()
            work(at, folder)
            if timed is not None:
                timed.append(perf_counter() - begin)
        asked |= {str(mail["Message-ID"]): (name, mail) for name in NAMES for mail in letters(folder, name)}
    return number
