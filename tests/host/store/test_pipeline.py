"""Statements that PostgreSQL takes together: nobody waits for them, and a failure of one is a failure of the transaction."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.host.store.databases import needs_postgres
from tests.host.store.postgres import Postgres, stoppable
from tests.host.year.players import TIME, game, host
from tkid.host.service import Host
from tkid.host.store.connection import DatabaseError
from tkid.host.store.schema import DONE
from tkid.host.store.transaction import Outgoing, StoredGame, Transaction

pytestmark = [needs_postgres, pytest.mark.slow]

LONGEST_WAIT = 5000
"""Milliseconds for which a statement waits for a lock."""
TOO_LONG = "x" * 17
"""A state that the database does not take: the transaction fails, but only when it is answered."""


@pytest.fixture
def server() -> Iterator[Postgres]:
    with stoppable() as at:
        yield at


@pytest.fixture
def running(server: Postgres, tmp_path: Path) -> Iterator[Host]:
    with host(tmp_path, f"{server.url}?options=-c%20lock_timeout%3D{LONGEST_WAIT}") as made:
        made.open_game("game-1", game(1), TIME)
        assert made.store.keep_mail(b"From: ann@example.org\n\nHello\n", TIME)
        yield made


def save(transaction: Transaction, record: str) -> None:
    transaction.save_game(StoredGame("game-1", record, "{}"))


def record(running: Host) -> str:
    found = running.store.get_game("game-1")
    assert found is not None
    return found.record


def write(running: Host, what: Callable[[Transaction], None]) -> None:
    with running.store.begin_transaction() as transaction:
        what(transaction)


def goes_on(running: Host) -> bool:
    """Whether the store takes the next transaction."""
    write(running, lambda transaction: save(transaction, "another"))
    return record(running) == "another"


def test_nobody_waits_before_the_commit(running: Host) -> None:
    """A game that another worker holds cannot be saved, and whoever waits for that runs into the limit."""
    with running.store.begin_transaction() as transaction:
        with running.store.begin_transaction() as another:
            assert another.get_game("game-1") is not None
            save(transaction, "changed")
            transaction.finish_mail(1, DONE)
            save(another, "before")
        save(transaction, "at last")
    assert record(running) == "at last"
    assert running.store.count_mails()["done"] == 1


def test_a_failure_is_raised_by_the_commit_and_nothing_is_kept(running: Host) -> None:
    before = record(running)

    def fail(transaction: Transaction) -> None:
        save(transaction, "changed")
        transaction.finish_mail(1, TOO_LONG)
        transaction.post_letters([Outgoing("<1@example.org>", "game-1", "ann@example.org", b"Hello")])

    with pytest.raises(DatabaseError, match="too long"):
        write(running, fail)
    assert record(running) == before
    assert not [each for each in running.store.list_letters("game-1") if each[0] == "<1@example.org>"]
    assert goes_on(running)


def test_a_failure_is_raised_by_the_next_statement(running: Host) -> None:
    before = record(running)
    with running.store.begin_transaction() as transaction:
        save(transaction, "changed")
        transaction.finish_mail(1, TOO_LONG)
        with pytest.raises(DatabaseError, match="too long"):
            transaction.get_game("game-1")
        with pytest.raises(DatabaseError, match="aborted"):
            transaction.get_game("game-1")
    assert record(running) == before
    assert goes_on(running)


def test_what_was_sent_is_read_again_in_the_same_transaction(running: Host) -> None:
    with running.store.begin_transaction() as transaction:
        save(transaction, "changed")
        found = transaction.get_game("game-1")
        assert found is not None
        assert found.record == "changed"


def test_an_error_of_the_program_undoes_what_was_sent(running: Host) -> None:
    before = record(running)

    def fail(transaction: Transaction) -> None:
        save(transaction, "changed")
        transaction.finish_mail(1, TOO_LONG)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write(running, fail)
    assert record(running) == before
    assert goes_on(running)


def test_a_part_that_is_undone_alone_takes_what_was_sent_in_it(running: Host) -> None:
    def part(transaction: Transaction) -> None:
        with transaction.begin_part():
            save(transaction, "not kept")
            raise ZeroDivisionError

    with running.store.begin_transaction() as transaction:
        save(transaction, "kept")
        with pytest.raises(ZeroDivisionError):
            part(transaction)
        transaction.finish_mail(1, DONE)
    assert record(running) == "kept"
    assert running.store.count_mails()["done"] == 1


def test_a_server_that_stops_before_the_commit(
    running: Host, server: Postgres, caplog: pytest.LogCaptureFixture
) -> None:
    before = record(running)

    def stop(transaction: Transaction) -> None:
        save(transaction, "changed")
        server.stop()

    with pytest.raises(DatabaseError):
        write(running, stop)
    server.start()
    with pytest.raises(DatabaseError):  # the other connections find out that they are gone
        record(running)
    assert record(running) == before
    assert goes_on(running)
    assert not [each for each in caplog.records if each.levelno >= logging.WARNING]
