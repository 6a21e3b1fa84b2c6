"""Processes of a host that kill themselves at the n-th step that writes: after an outage, and at an order for all games."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import sqlalchemy
from sqlalchemy.engine import Engine

from tests.host.killed import Steps
from tests.host.looped import settle
from tests.host.test_downtime import Machine, at_work
from tests.host.year.players import HOST, TIME
from tests.shared.club_lines import read_desk_line
from tkid.club.desk_orders import DeskOrder
from tkid.host.service import Host
from tkid.host.store.store import Store
from tkid.host.transports import Maildir

GAMES = ("glen", "winter", "yule")
AWAY = timedelta(days=10)


def after_outage(folder: Path) -> None:
    """The first rounds after an outage of ten days."""
    machine = Machine(TIME + AWAY, "second")
    loop = at_work(folder, machine)
    try:
        settle(loop)
    finally:
        loop.close()


def paused_by_owner(folder: Path, url: str = "") -> None:
    """The owner pauses all games, and the host sends the letters."""
    store = Store(url or f"sqlite:///{folder / 'host.db'}")
    host = Host(store, HOST, b"s" * 32, lambda to, mail: Maildir(folder / "out" / to).add_mail(mail))
    with store.begin_transaction() as transaction:
        order = read_desk_line("pause all: snow", transaction.filed.list_games())
        assert isinstance(order, DeskOrder)
        host.mails.desk.carry_out(transaction, order, host.mails.desk.make_mail(TIME))
    host.send_letters(TIME)
    store.close()


def killed_at(work: Any, last: int, *arguments: Any) -> None:
    """Do something, and die at the step; done in a process that is there for nothing else."""
    steps = Steps(last)
    sqlalchemy.event.listen(Engine, "before_cursor_execute", steps.statement)
    sqlalchemy.event.listen(Engine, "commit", lambda _: steps.step())
    os.fsync = steps.around(os.fsync)
    work(*arguments)
