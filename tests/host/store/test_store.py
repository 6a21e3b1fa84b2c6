"""The store: what is asked of the database for a mail, and that it finds everything by an index, however full it is."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlalchemy as sql
from attrs import evolve
from sqlalchemy.engine import Engine

from tests.host.test_bounces import bounce, key_of
from tests.host.year.players import NAMES, TIME, address, examples, game, host, letters, reply, troubles
from tkid.host.service import MAX_TRIES, Host
from tkid.host.store.schema import LONGEST_DELAY
from tkid.host.store.store import Store
from tkid.host.store.transaction import StoredGame
from tkid.host.transports import RefusedForGoodError
from tkid.mail import mime
from tkid.record.format.model import Header

MOST_STATEMENTS = 14
"""For a mail that is carried out together with others: ten, what a savepoint takes, and one for what its players wish."""
DAY = timedelta(days=1)


FEW = {"SCAN CONSTANT ROW", "SCAN queues"}
"""What may be searched as a whole: one row, and the keys and the sender that a mail names."""


@contextmanager
def statements() -> Iterator[list[tuple[str, Any]]]:
    """What is asked of the database meanwhile, with the parameters."""
    seen: list[tuple[str, Any]] = []

    def note(*event: object) -> None:
        seen.append((str(event[2]), event[3]))

    sql.event.listen(Engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        sql.event.remove(Engine, "before_cursor_execute", note)


def open_games(at: Host, folder: Path, count: int) -> list[tuple[str, str, bytes]]:
    """Open games; for each its name, who is asked, and the answer."""
    mails = []
    for number in range(count):
        at.open_game(f"game-{number}", game(number), TIME)
        at.send_letters(TIME)
        found = [(name, mail) for name in NAMES[:2] for mail in letters(folder, name) if examples(mail)]
        ((name, letter),) = found
        mails.append((f"game-{number}", name, reply(letter, Random(number).choice(examples(letter)), name, number)))
    return mails


@pytest.mark.slow
def test_a_mail_asks_for_few_things_however_many_games_there_are(tmp_path: Path) -> None:
    counts = []
    for stored in (0, 300):
        folder = tmp_path / str(stored)
        folder.mkdir()
        with host(folder) as at:
            mails = open_games(at, folder, 10)
            with at.store.begin_transaction() as writing:
                kept = at.store.get_game("game-0")
                assert kept is not None
                for number in range(stored):
                    writing.add_game(StoredGame(f"stored-{number}", kept.record, kept.memory, TIME + DAY))
            at.store.take_mails([mail for _, _, mail in mails], TIME)
            with statements() as seen:
                at.work_on_all(TIME)
            assert at.store.count_mails()["done"] == 10
            counts.append(len(seen))
    assert counts[0] == counts[1]
    assert counts[0] <= 10 * MOST_STATEMENTS
    print(f"{counts[0] / 10} statements for each of ten mails")  # noqa: T201 - the figure


def test_everything_is_found_by_an_index(tmp_path: Path) -> None:
    """A whole day of a host: turns, mistakes, reports, clocks, letters that go out and that do not."""
    with host(tmp_path) as at, statements() as seen:
        at.owner = "owner@games.example"
        clocked = game(5)
        at.open_game("clocked", evolve(clocked, headers=(*clocked.headers, Header("X-Clock", "1 day a turn"))), TIME)
        at.send_letters(TIME)
        (name, letter), *_ = [(n, mail) for n in NAMES[:2] for mail in letters(tmp_path, n) if examples(mail)]
        for number, order in enumerate(("Psas", "Psas", "status", "Pass")):
            at.store.keep_mail(reply(letter, order, name, number), TIME)
        at.store.keep_mail(bounce(str(letter["Message-ID"]), address(name), key=key_of(letter)), TIME)
        at.store.keep_mail(b"no mail", TIME)
        at.work_on_all(TIME)
        sending = at.send

        def failing(to: str, _: bytes) -> None:
            raise (OSError if to == address(NAMES[0]) else RefusedForGoodError)("no")

        at.send = failing
        at.send_letters(TIME)
        at.send = sending
        at.run_clocks(TIME + 5 * DAY)
        at.send_letters(TIME + 5 * DAY)
    database = sqlite3.connect(tmp_path / "host.db")
    asked = {text: values for text, values in seen if text.split()[0] in {"SELECT", "UPDATE", "DELETE", "INSERT"}}
    assert {text.split()[0] for text in asked} == {"SELECT", "UPDATE", "DELETE", "INSERT"}
    for text, values in asked.items():
        one = values[0] if isinstance(values, list) else values
        plan = [str(row[3]) for row in database.execute(f"EXPLAIN QUERY PLAN {text}", one)]
        assert not [step for step in plan if step.startswith("SCAN") and step not in FEW], (text, plan)
    database.close()


def test_the_check_finds_a_search_without_an_index(tmp_path: Path) -> None:
    """That the test above can fail."""
    Store.make_store(f"sqlite:///{tmp_path / 'host.db'}").close()
    with sqlite3.connect(tmp_path / "host.db") as database:
        plan = [row[3] for row in database.execute("EXPLAIN QUERY PLAN SELECT id FROM outgoing WHERE address = 'a'")]
    assert plan == ["SCAN outgoing"]


def test_mails_that_are_done_together_are_put_aside_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with host(tmp_path) as at:
        mails = open_games(at, tmp_path, 4)

        def take_in(data: bytes) -> object:
            if data == mails[1][2]:
                raise KeyError("a defect")
            return mime.take_in(data)

        monkeypatch.setattr("tkid.host.mails.take_in", take_in)
        at.store.take_mails([mail for _, _, mail in mails], TIME)
        at.work_on_all(TIME)
        assert at.store.count_mails() | {"unsent": 0} == {
            "new": 0,
            "done": 3,
            "filed": 0,
            "quarantined": 1,
            "unsent": 0,
        }
        assert troubles(at.store) == [(2, "quarantined", "KeyError: 'a defect'")]


def test_who_died_together_is_tried_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mail over which the process dies takes none with it, whatever was carried out together with it."""
    with host(tmp_path) as at:
        mails = open_games(at, tmp_path, 5)

        def take_in(data: bytes) -> object:
            if data == mails[2][2]:
                raise KeyboardInterrupt
            return mime.take_in(data)

        monkeypatch.setattr("tkid.host.mails.take_in", take_in)
        at.store.take_mails([mail for _, _, mail in mails], TIME)
        rounds = 0
        while at.store.list_waiting():
            rounds += 1
            try:
                at.work_on_all(TIME)
            except KeyboardInterrupt:
                continue
        assert rounds == MAX_TRIES + 1
        assert at.store.count_mails() | {"unsent": 0} == {
            "new": 0,
            "done": 4,
            "filed": 0,
            "quarantined": 1,
            "unsent": 0,
        }


@pytest.mark.slow
def test_delays_grow_and_end_growing(tmp_path: Path) -> None:
    with host(tmp_path) as at:
        at.open_game("game", game(5), TIME)

        def broken(*_: object) -> None:
            raise OSError("not now")

        at.send = broken
        now, tried, waits = TIME, 0, []
        while tried < 60:
            before = now
            while not troubles(at.store) or _tries(tmp_path) == tried:
                now += timedelta(minutes=1) if tried < 7 else LONGEST_DELAY
                at.send_letters(now)
            tried = _tries(tmp_path)
            waits.append(now - before)
        assert waits[1:5] == [timedelta(minutes=2**n) for n in range(4)]
        assert waits[-1] == LONGEST_DELAY


def _tries(folder: Path) -> int:
    with sqlite3.connect(folder / "host.db") as database:
        (tries,) = database.execute("SELECT max(tries) FROM outgoing").fetchone()
    return int(tries)


def test_what_was_kept_is_known_again(tmp_path: Path) -> None:
    store = Store.make_store(f"sqlite:///{tmp_path / 'host.db'}")
    assert store.take_mails([b"one", b"two", b"one"], TIME) == [True, True, False]
    assert store.take_mails([b"two", b"three"], TIME) == [False, True]
    assert not store.keep_mail(b"three", TIME)
    assert len(store.list_waiting()) == 3
    store.close()
