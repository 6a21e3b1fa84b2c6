"""Ports on loopback for the servers of a test."""

from __future__ import annotations

import asyncio
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import uvicorn

LOWEST, HIGHEST = 10_000, 32_000
"""Above what only root may have, and below what systems give to connections that go out."""
APART = 100
"""Ports between two processes that follow each other: tests run in several at once."""
_first = LOWEST + os.getpid() * APART % (HIGHEST - LOWEST)
_untried = chain(range(_first, HIGHEST), range(LOWEST, _first))


def free_port() -> int:
    """A port on which nobody listens. It is given once only: a server may take its time before it listens."""
    for port in _untried:
        with socket.socket() as free:
            try:
                free.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")


@contextmanager
def serving(server: uvicorn.Server) -> Iterator[None]:
    """A server of pages that runs beside the test, until the block ends."""
    thread = Thread(target=lambda: asyncio.run(_serve(server)))
    thread.start()
    try:
        while not server.started:
            thread.join(0.05)
        yield
    finally:
        server.should_exit = True
        thread.join()


async def _serve(server: uvicorn.Server) -> None:
    await server.serve()
    for connection in list(server.server_state.connections):  # a browser may hold one for longer than a server waits
        connection.transport.abort()
    await asyncio.sleep(0)


def wait_for_port(port: int, seconds: float = 60) -> None:
    """Wait until somebody listens on a port. Raises AssertionError if nobody does so in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)
    raise AssertionError(f"nobody listens on port {port}")
