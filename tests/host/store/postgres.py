"""A PostgreSQL server of a test's own, on loopback, run by an ordinary user, gone when the test ends."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path

from attrs import define

from tests.ports import free_port
from tests.shared.session import SHARED
from tkid.host.store.connection import connect_database

USER = "postgres"
"""Whom the server is run by where the test is run by root, whom it refuses."""


def tools() -> Path | None:
    """Where the server's programs are; None where it is not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb")) or [
        Path(path) for path in [shutil.which("initdb")] if path
    ]
    return found[-1].parent if found else None


@define
class Postgres:
    """A server with an empty database: its address as SQLAlchemy writes it; it can be stopped and started again."""

    url: str
    run: Callable[..., None]
    start_with: tuple[str, ...]
    data: Path

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        self.run(*self.start_with)

    def stop(self) -> None:
        """Stop the server as if the machine had gone down."""
        self.run(self.start_with[0], "-D", str(self.data), "-m", "immediate", "-w", "stop")


NUMBERS = count(1)


@cache
def _shared_server() -> Postgres:
    return SHARED.enter_context(stoppable())


@contextmanager
def server() -> Iterator[str]:
    """An empty database on a server that all tests share; its address as SQLAlchemy writes it."""
    at, name = _shared_server(), f"test{next(NUMBERS)}"
    _ask(at, f"CREATE DATABASE {name}")
    try:
        yield at.url.removesuffix("/postgres") + f"/{name}"
    finally:
        _ask(at, f"DROP DATABASE {name} WITH (FORCE)")


def _ask(at: Postgres, statement: str) -> None:
    engine = connect_database(at.url)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql(statement)
    engine.dispose()


@cache
def _new_cluster() -> Path:
    """The files of a server that has never run."""
    folder = Path(SHARED.enter_context(tempfile.TemporaryDirectory(prefix="tkid-pg-")))
    if os.geteuid() == 0:
        shutil.chown(folder, USER, USER)
    programs = tools()
    assert programs is not None
    command = [str(programs / "initdb"), "-D", str(folder / "data"), "-U", "tkid", "--auth=trust", "--no-sync"]
    subprocess.run([*_as_user(), *command], check=True, capture_output=True, cwd=folder)
    return folder / "data"


def _as_user() -> list[str]:
    return ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"] if os.geteuid() == 0 else []


@contextmanager
def stoppable() -> Iterator[Postgres]:
    """A running server that the test may stop and start again; it runs when the test ends."""
    programs = tools()
    assert programs is not None
    with tempfile.TemporaryDirectory(prefix="tkid-pg-") as name:
        folder = Path(name)
        if os.geteuid() == 0:
            shutil.chown(folder, USER, USER)
        port = free_port()
        data = folder / "data"

        def run(*command: str) -> None:
            subprocess.run([*_as_user(), *command], check=True, capture_output=True, cwd=folder)

        run("cp", "-a", str(_new_cluster()), str(data))
        options = (
            f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=40 -c fsync=off"
        )
        start = (str(programs / "pg_ctl"), "-D", str(data), "-o", options, "-l", str(folder / "log"), "-w", "start")
        at = Postgres(f"postgresql://tkid@127.0.0.1:{port}/postgres", run, start, data)
        at.start()
        try:
            yield at
        finally:
            at.stop()
