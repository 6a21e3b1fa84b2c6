"""Old keys: a key is good for the turn it was made for, whatever a marker or a header of the mail claims."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from email.message import EmailMessage
from itertools import count
from pathlib import Path

import pytest
from attrs import define, evolve, field, frozen

from tests.host.year.players import HOST, NAMES, TIME, address, host, letters
from tests.mail.mails import write_marker
from tests.shared.tables import sample
from tkid.host.service import Host
from tkid.mail.marker import read_id
from tkid.mail.model import Marker
from tkid.orders.order_kinds import KINDS
from tkid.record.format.new_game import new_record

ORDERS = {
    "plan": "if Bob plays Negotiate: Pass",
    "say": "say to all: hello",
    "away": "away 2029-12-20 to 2029-12-27",
    "zone": "time zone +02:00",
    "cancel": "cancel all",
    "undo": "undo no",
    "agree": "agree draw",
    "pause": "pause until 2029-12-20",
    "notify": "notify my turns",
    "draft": "draft Pass",
    "resign": "resign",
    "status": "status",
    "legal": "legal",
    "rules": "rules summon",
    "why": "why",
    "history": "history",
    "help": "help",
    "standing": "pass always",
    "turn": "Pass",
}
"""An order of each kind, which changes something in the game below if its kind changes anything."""
DAYS = count(1)


@frozen
class Forged:
    """How a mail claims to answer a later letter: by a marker line, or by a header."""

    typed: str = ""
    headers: str = ""


@define
class Table:
    """A game at a host in which Ann is to act: the letters to each player, by the turn that they are about."""

    folder: Path
    at: Host
    turns: dict[str, dict[int, EmailMessage]] = field(factory=dict)
    read: dict[str, list[EmailMessage]] = field(factory=dict)

    def fetch(self) -> None:
        """Read what came for the players."""
        for name in NAMES[:2]:
            new = letters(self.folder, name)
            self.read.setdefault(name, []).extend(new)
            self.turns.setdefault(name, {}).update({turn_of(letter): letter for letter in new})

    def mail(self, name: str, letter: EmailMessage, text: str, headers: str = "", to: str = "") -> tuple[str, int]:
        """Send a mail with a letter's key, on a day of its own: why it was filed, and how many letters others got."""
        number = next(DAYS)
        now = TIME + timedelta(days=number)
        data = (
            f"From: {name} <{address(name)}>\nTo: {to or letter['Reply-To']}\nMessage-ID: <{number}@example.org>\n"
            f"{headers}\n{text}\n"
        ).encode()
        before = self.letters_to_others(name)
        self.at.store.keep_mail(data, now)
        (waiting,) = self.at.store.list_waiting()
        self.at.work_on_all(now)
        (done,) = self.at.store.list_finished([waiting.number])
        return done.reason, self.letters_to_others(name) - before

    def letters_to_others(self, name: str) -> int:
        """How many letters were written to everybody else."""
        with closing(sqlite3.connect(self.folder / "host.db")) as database:
            return int(
                database.execute("SELECT count(*) FROM outgoing WHERE address != ?", [address(name)]).fetchone()[0]
            )

    def state(self) -> tuple[str, object]:
        """The record, and what is remembered besides."""
        stored = self.at.store.get_game("game")
        assert stored is not None
        return stored.record, json.loads(stored.memory)

    def play(self, *steps: tuple[str, str]) -> None:
        """Send orders, each in answer to the last letter of its sender."""
        for name, order in steps:
            reason, _ = self.mail(name, self.read[name][-1], order)
            assert reason == "", (name, order, reason)
            self.at.send_letters(datetime.fromisoformat("2030-01-01T00:00:00+00:00"))
            self.fetch()


def marker_of(letter: EmailMessage) -> Marker:
    """The turn that a letter asks for, and the hash before it."""
    marker = read_id(str(letter["Message-ID"]))
    assert marker is not None
    return marker


def turn_of(letter: EmailMessage) -> int:
    """The turn for which a letter's key was made."""
    return marker_of(letter).turn


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """Ann has a plan that waits, Bob asks for his last turn to be taken back, and Ann is to act."""
    folder = tmp_path_factory.mktemp("host")
    with host(folder) as at:
        yield opened(folder, at)


def opened(folder: Path, at: Host) -> Table:
    made = Table(folder, at)
    listed = [f"{name} <{address(name)}>" for name in NAMES[:2]]
    at.open_game("game", new_record("second-edition", listed, bytes(32), title="winter", first="1"), TIME)
    at.send_letters(TIME)
    made.fetch()
    made.play(*[("Ann", "Pass"), ("Bob", "Pass")] * 2, ("Ann", ORDERS["plan"]), ("Bob", "undo?"))
    return made


def forgeries(letter: EmailMessage) -> dict[str, Forged]:
    """Every way to claim that a later letter is answered; the marker has the right hash."""
    bare = write_marker(marker_of(letter))
    return {
        "nothing": Forged(),
        "a typed marker": Forged(bare),
        "a quoted marker": Forged(f"> {bare}"),
        "In-Reply-To": Forged(headers=f"In-Reply-To: {letter['Message-ID']}\n"),
        "References": Forged(headers=f"References: {letter['Message-ID']}\n"),
        "all of it": Forged(bare, f"In-Reply-To: {letter['Message-ID']}\nReferences: {letter['Message-ID']}\n"),
    }


def key_of(letter: EmailMessage) -> str:
    return str(letter["Reply-To"]).partition("+")[2].partition("@")[0]


def test_there_is_an_order_of_each_kind() -> None:
    assert list(ORDERS) == [kind.name for kind in KINDS]


@pytest.mark.slow
@pytest.mark.parametrize(
    "way", sample(["all of it", "a quoted marker", "a typed marker", "In-Reply-To", "References", "nothing"], 6)
)
def test_an_old_key_changes_nothing(table: Table, way: str) -> None:
    """Every kind of order, with every older key of Ann's, behind every forged marker or header."""
    current = table.read["Ann"][-1]
    before, failed, sent = table.state(), [], 0
    older = [letter for turn, letter in table.turns["Ann"].items() if turn < turn_of(current)]
    assert len(older) >= 3
    forged = forgeries(current)[way]
    for letter in older:
        for kind in KINDS:
            reason, others = table.mail("Ann", letter, f"{ORDERS[kind.name]}\n\n{forged.typed}", forged.headers)
            sent += 1
            if reason or others or table.state() != before:
                failed.append((turn_of(letter), kind.name, reason, others))
                assert table.state() == before, failed
    assert failed == []
    assert sent == len(older) * len(KINDS)


def test_an_old_key_in_the_marker_line_changes_nothing(table: Table) -> None:
    """Where the key is not in the address, but in a marker that names the turn of now."""
    current, before = table.read["Ann"][-1], table.state()
    for turn, letter in table.turns["Ann"].items():
        if turn < turn_of(current):
            typed = write_marker(evolve(marker_of(current), key=key_of(letter)))
            for kind in KINDS:
                reason, others = table.mail("Ann", letter, f"{ORDERS[kind.name]}\n\n{typed}", to=HOST)
                assert (reason, others, table.state()) == ("", 0, before), (turn, kind.name)


def test_the_key_of_now_does_all_that(tmp_path: Path, table: Table) -> None:
    """That the tests above can fail: with the last letter's key each order that changes anything does so."""
    for kind in KINDS:
        folder = tmp_path / kind.name
        folder.mkdir()
        with (
            closing(sqlite3.connect(table.folder / "host.db")) as of,
            closing(sqlite3.connect(folder / "host.db")) as to,
        ):
            of.backup(to)
        with host(folder) as at:
            copy = Table(folder, at)
            before = copy.state()
            order = "if Bob plays Assemble: Pass" if kind.name == "plan" else ORDERS[kind.name]
            reason, others = copy.mail("Ann", table.read["Ann"][-1], order)
            changed = bool(others) or copy.state() != before
            assert (reason, changed) == ("", kind.answers != "any"), kind.name


def test_a_key_of_an_undone_turn_is_old(tmp_path: Path) -> None:
    """When turns are taken back, a player may be asked for a turn of the same number, after the same hash, again."""
    with host(tmp_path) as at:
        table = opened(tmp_path, at)
        table.play(("Ann", "cancel all"))
        before_undo = dict(table.turns["Ann"])
        table.play(("Ann", "undo yes"), ("Bob", "undo?"), ("Ann", "undo yes"))
        again = table.read["Ann"][-1]
        asked = before_undo[turn_of(again)]
        assert key_of(asked) != key_of(again)
        before = table.state()
        for kind in KINDS:
            reason, others = table.mail("Ann", asked, ORDERS[kind.name])
            assert (reason, others, table.state()) == ("", 0, before), kind.name
        table.play(("Ann", "Pass"))
        assert table.state() != before
