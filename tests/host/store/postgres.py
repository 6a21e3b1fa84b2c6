"""A PostgreSQL server of a test's own, on loopback, run by an ordinary user, gone when the test ends."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import define

from tests.ports import free_port

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


@contextmanager
def server() -> Iterator[str]:
    """A running server with an empty database; its address as SQLAlchemy writes it."""
    with stoppable() as at:
        yield at.url


@contextmanager
def stoppable() -> Iterator[Postgres]:
    """A running server that the test may stop and start again; it runs when the test ends."""
    programs = tools()
    assert programs is not None
    with tempfile.TemporaryDirectory(prefix="tkid-pg-") as name:
        folder = Path(name)
        if os.geteuid() == 0:
            shutil.chown(folder, USER, USER)
        as_user = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"] if os.geteuid() == 0 else []
        port = free_port()
        data = folder / "data"

        def run(*command: str) -> None:
            subprocess.run([*as_user, *command], check=True, capture_output=True, cwd=folder)

        run(str(programs / "initdb"), "-D", str(data), "-U", "tkid", "--auth=trust", "--no-sync")
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
