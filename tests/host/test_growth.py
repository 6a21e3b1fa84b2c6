"""A turn, its pages, a digest and a screen of status cost the same in a small club and in a larger one.

What is counted, in the host's database and in the memory of its pages: statements, the rows they return, the steps that SQLite
takes for them; also calls of Python functions, and the names in folders that are listed. Time is not: `benchmarks/growth.py`
measures it.
"""

from __future__ import annotations

import itertools
import os
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Self
from unittest.mock import patch

import pytest
import sqlalchemy as sql
from attrs import evolve
from sqlalchemy.engine import Engine

from tests.host.large_club import fill, player, turn_mails
from tests.host.sites import SECRET
from tests.host.year.players import TIME, host
from tkid.club.digest import DigestBook
from tkid.club.members import Member
from tkid.club.site import Club
from tkid.host import page_facts, publisher
from tkid.host.chores import send_due_digests
from tkid.host.published_folder import PublishedFolder, Watch, note_all_changed
from tkid.host.service import Host
from tkid.host.status import describe_status

SMALL, LARGE = 4, 16
KINDS = 1
SCREEN = 3
MOST_MORE = 1.02
"""How many times as many calls the larger club may take: a cache may be full in it, and not in the other."""
NOW = TIME + timedelta(days=1)


class _Cursor(sqlite3.Cursor):
    """Counts the statements that it runs, and the rows that it returns."""

    counts: ClassVar[Counter[str]] = Counter()

    def execute(self, *arguments: Any) -> Self:
        self.counts["statements"] += 1
        return super().execute(*arguments)

    def executemany(self, statement: str, values: Iterable[Any]) -> Self:
        for each in values:
            self.execute(statement, each)
        return self

    def __next__(self) -> Any:
        row = super().__next__()
        self.counts["rows"] += 1
        return row

    def fetchone(self) -> Any:
        row = super().fetchone()
        self.counts["rows"] += row is not None
        return row

    def fetchmany(self, size: int | None = None) -> list[Any]:
        rows = super().fetchmany(size or self.arraysize)
        self.counts["rows"] += len(rows)
        return rows

    def fetchall(self) -> list[Any]:
        rows = super().fetchall()
        self.counts["rows"] += len(rows)
        return rows


class _Connection(sqlite3.Connection):
    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self.set_progress_handler(partial(_Cursor.counts.update, ("steps",)), 1)

    def cursor(self, factory: Any = None) -> Any:
        del factory
        return super().cursor(_Cursor)


def _use_counting_connection(*event: Any) -> None:
    event[-1]["factory"] = _Connection


@contextmanager
def counting_host(folder: Path, others: int) -> Iterator[Host]:
    """A host with a game, `game-1000`, and so many games of other people, half of them over."""
    folder.mkdir()
    sql.event.listen(Engine, "do_connect", _use_counting_connection)
    try:
        with host(folder) as running:
            running.watch = Watch(pages=True)
            numbers = [*range(others), 1000]
            fill(
                running.store, numbers, [[player(4 * number + seat) for seat in range(4)] for number in numbers], KINDS
            )
            yield running
    finally:
        sql.event.remove(Engine, "do_connect", _use_counting_connection)


def count(work: Callable[[], object]) -> Counter[str]:
    """What some work takes."""
    counts = _Cursor.counts
    counts.clear()

    def list_folder(read: Callable[[Any], Iterable[Any]], folder: Any) -> list[Any]:
        names = list(read(folder))
        counts["names"] += len(names)
        return names

    def call(_: object, event: str, __: object) -> None:
        counts["calls"] += event == "call"

    sys.setprofile(call)
    try:
        with (
            patch("os.listdir", partial(list_folder, os.listdir)),
            patch("os.scandir", partial(list_folder, os.scandir)),
        ):
            work()
    finally:
        sys.setprofile(None)
    return Counter(counts)


def turn(running: Host) -> None:
    (mail,) = turn_mails(running, ["game-1000"])
    running.store.keep_mail(mail, NOW)
    running.work_on_all(NOW)


def count_turn(running: Host, _: Path) -> Counter[str]:
    turn(running)
    return count(lambda: turn(running))


def count_turn_with_pages(running: Host, folder: Path) -> Counter[str]:
    """Other members have a name at the club that no game shows."""
    with running.store.begin_transaction() as transaction:
        for each in transaction.documents.list_values(Member)[::2]:
            transaction.documents.store_document(evolve(each, name=f"{each.name} the Great").document)
    target = PublishedFolder(folder / "www", "owner-word")
    pages = publisher.Publisher(target, folder / "pages.db", SECRET, Club("The club", "https://club.example"))
    clock = itertools.count()
    pages.clock = lambda: next(clock)
    pages.run_chore(running.store, NOW, 1e6)
    pages.clock = lambda: 0.0
    turn(running)
    pages.run_chore(running.store, NOW, 1e6)

    def work() -> None:
        for day in (0, 1):
            turn(running)
            assert pages.run_chore(running.store, NOW + timedelta(days=day), 1e6) > 0
            assert pages.run_chore(running.store, NOW + timedelta(days=day), 1e6) == 0

    return count(work)


def count_turn_while_games_are_left(running: Host, folder: Path) -> Counter[str]:
    """After a restore, all games are looked at again, in as many rounds as it takes. Each round first has what changed."""
    pages = publisher.Publisher(
        PublishedFolder(folder / "www", "owner-word"), folder / "pages.db", SECRET, Club("The club")
    )
    clock = itertools.count()
    pages.clock = lambda: next(clock)
    with running.store.begin_transaction() as transaction:
        note_all_changed(transaction.documents)
    pages.run_chore(running.store, NOW, 1)
    turn(running)
    pages.run_chore(running.store, NOW, 1)

    def work() -> None:
        turn(running)
        assert pages.run_chore(running.store, NOW, 1) > 0

    return count(work)


def count_digest(running: Host, _: Path) -> Counter[str]:
    def work() -> None:
        with running.store.begin_transaction() as transaction:
            book = DigestBook(player(4000).address, 7)
            transaction.documents.store_document(evolve(book.document, due=NOW))
        assert send_due_digests(running, NOW) == 1

    work()
    return count(work)


def count_status(running: Host, _: Path) -> Counter[str]:
    def work() -> None:
        shown = describe_status(running.store, NOW, SCREEN)
        assert len(shown["games"]) == min(SCREEN, shown["playing"])

    work()
    counts = count(work)
    del (
        counts["steps"],
        counts["calls"],
    )  # the database counts and sorts all games, and some games are longer than others
    return counts


@pytest.mark.parametrize(
    "measure", [count_turn, count_turn_with_pages, count_turn_while_games_are_left, count_digest, count_status]
)
def test_costs_do_not_grow_with_the_club(
    measure: Callable[[Host, Path], Counter[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publisher, "MANY_GAMES", 0, raising=False)
    monkeypatch.setattr(page_facts, "connect", partial(sqlite3.connect, factory=_Connection))
    monkeypatch.setattr(page_facts, "SOME", 2)
    found = []
    for games in (SMALL, LARGE):
        with counting_host(tmp_path / str(games), games) as running:
            found.append(measure(running, tmp_path / str(games)))
    small, large = found
    assert large.pop("calls", 0) <= MOST_MORE * small.pop("calls", 0)
    assert large == small
