"""What a mail costs: the statements and commits with which a host keeps a mail and plays its turn."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlalchemy as sql
from sqlalchemy.engine import Engine

from tests.host.store.databases import BOTH, needs_postgres
from tests.host.store.postgres import server
from tests.host.year.players import NAMES, TIME, examples, game, host, letters, reply
from tkid.host.service import MAX_TRIES, Host
from tkid.host.store.connection import NO_ANSWER
from tkid.host.store.schema import DONE

NO_QUESTION = frozenset({"BEGIN", "PRAGMA", "COMMIT"})
"""Commands to SQLite that are not counted: PostgreSQL's driver sends its own unseen."""
MOST = {"keep": 2, "work": 11}
"""Statements that a turn's mail may cost: to be kept, and to be carried out."""
MOST_WAITS = {"keep": 2, "work": 7}
"""How many of them need an answer, and wait for a server."""
CLAIMS = {"sqlite": 0, "postgresql": 1}
"""The question that PostgreSQL is asked besides: whether another worker lives that is at the mail. SQLite asks the system."""
MOST_COMMITS = 3
"""The mail is kept; its try is counted, which waits for no disk; it is done."""


MOST_TRIPS = {"keep": 3, "work": 9, "send": 6}
"""How often PostgreSQL is waited for: until a turn's mail is kept, carried out, and its two letters are sent."""
WAITED = re.compile(r"\tF\t\d+\t(?:Sync|Query)\b")
"""What libpq sends, as its trace shows it, before it waits for an answer."""


@pytest.fixture(params=BOTH)
def running(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Host]:
    if request.param == "sqlite":
        with host(tmp_path) as made:
            yield made
    else:
        with server() as url, host(tmp_path, url) as made:
            yield made


@contextmanager
def counted() -> Iterator[Counter[str]]:
    """The statements and commits of all databases, by their first words."""
    counts: Counter[str] = Counter()

    def count(*event: Any) -> None:
        *_, statement, _, context, _ = event
        word = statement.split()[0]
        counts[word] += 1
        counts["unanswered"] += word not in NO_QUESTION and context.execution_options.keys() >= NO_ANSWER.keys()

    def commit(_: object) -> None:
        counts["commits"] += 1

    sql.event.listen(Engine, "before_cursor_execute", count)
    sql.event.listen(Engine, "commit", commit)
    try:
        yield counts
    finally:
        sql.event.remove(Engine, "before_cursor_execute", count)
        sql.event.remove(Engine, "commit", commit)


def statements(counts: Counter[str]) -> int:
    return sum(times for word, times in counts.items() if word not in {*NO_QUESTION, "commits", "unanswered"})


def waits(counts: Counter[str]) -> int:
    return statements(counts) - counts["unanswered"]


def test_what_a_turn_by_mail_costs(running: Host, tmp_path: Path) -> None:
    running.open_game("game-1", game(1), TIME)
    running.send_letters(TIME)
    ((name, asked),) = [(name, mail) for name in NAMES for mail in letters(tmp_path, name) if examples(mail)]
    mail = reply(asked, Random(1).choice(examples(asked)), name)
    with counted() as kept:
        assert running.store.keep_mail(mail, TIME)
    with counted() as worked:
        running.work_on_all(TIME)
    assert running.store.count_mails()["done"] == 1
    claims = CLAIMS[running.store.engine.dialect.name]
    assert {"keep": statements(kept), "work": statements(worked) - claims} == MOST
    assert {"keep": waits(kept), "work": waits(worked) - claims} == MOST_WAITS
    assert kept["commits"] + worked["commits"] == MOST_COMMITS
    assert not kept["SAVEPOINT"] + worked["SAVEPOINT"]


@needs_postgres
@pytest.mark.slow
def test_how_often_a_turn_waits_for_a_server(tmp_path: Path) -> None:
    """On a server elsewhere each wait takes as long as the network does."""
    with (tmp_path / "trace").open("w+b") as trace, server() as url:

        def follow(connection: Any, _: object) -> None:
            connection.pgconn.trace(trace.fileno())

        def count_waits(work: Callable[[], object]) -> int:
            trace.truncate(0)
            trace.seek(0)
            work()
            trace.seek(0)
            return len(WAITED.findall(trace.read().decode("latin-1")))

        sql.event.listen(Engine, "connect", follow)
        try:
            with host(tmp_path, url) as running:
                running.open_game("game-1", game(1), TIME)
                running.send_letters(TIME)
                ((name, asked),) = [
                    (name, mail) for name in NAMES for mail in letters(tmp_path, name) if examples(mail)
                ]
                mail = reply(asked, Random(1).choice(examples(asked)), name)
                found = {
                    "keep": count_waits(lambda: running.store.keep_mail(mail, TIME)),
                    "work": count_waits(lambda: running.work_on_all(TIME)),
                    "send": count_waits(lambda: running.send_letters(TIME)),
                }
                assert running.store.count_letters().sent == 4
        finally:
            sql.event.remove(Engine, "connect", follow)
    assert found == MOST_TRIPS


def test_a_mail_that_another_worker_has_costs_no_more_than_its_claim(running: Host, tmp_path: Path) -> None:
    del tmp_path
    assert running.store.keep_mail(b"From: ann@example.org\n\nHello\n", TIME)
    (waiting,) = running.store.list_waiting()
    with running.store.begin_attempt([waiting.number]) as transaction, counted() as counts:
        assert transaction is not None
        with running.store.begin_attempt([waiting.number]) as other:
            assert other is None
    assert statements(counts) == CLAIMS[running.store.engine.dialect.name]


@needs_postgres
@pytest.mark.slow
def test_a_worker_takes_the_first_mail_that_is_free(tmp_path: Path) -> None:
    """It asks once, however many mails are done or with other workers."""
    with server() as url, host(tmp_path, url) as running:
        store = running.store
        store.take_mails([f"From: {name}@example.org\n\nHello\n".encode() for name in NAMES], TIME)
        numbers = [mail.number for mail in store.list_waiting()]
        assert len(numbers) > 2
        with store.begin_transaction() as transaction:
            transaction.finish_mail(numbers[0], DONE)
        with ExitStack() as stack:
            for number in numbers[1:]:
                with counted() as counts:
                    assert stack.enter_context(store.begin_attempt(numbers)) is not None
                assert store.trying == number
                assert statements(counts) == CLAIMS["postgresql"] + 1
            with counted() as counts, store.begin_attempt(numbers) as transaction:
                assert transaction is None
            assert statements(counts) == CLAIMS["postgresql"]


def test_workers_that_see_a_mail_at_once_count_one_try(running: Host, tmp_path: Path) -> None:
    """However many they are, none takes it for a mail over which the program died."""
    del tmp_path
    assert running.store.keep_mail(b"From: ann@example.org\n\nHello\n", TIME)
    (waiting,) = running.store.list_waiting()
    with ExitStack() as stack:
        begun = [stack.enter_context(running.store.begin_attempt([waiting.number])) for _ in range(MAX_TRIES + 1)]
        assert [each is not None for each in begun] == [True] + [False] * MAX_TRIES
        assert [mail.tries for mail in running.store.list_waiting()] == [1]
    running.work_on_all(TIME)
    assert running.store.count_mails()["quarantined"] == 0
