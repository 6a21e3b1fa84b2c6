"""A host that publishes and tells a webhook, in a process of its own that kills itself at the n-th step that writes.

Besides the steps of every host these are: a file of the pages that is made, half written, renamed or removed; and a
webhook, before it is sent and when it has arrived.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import IO, Any, Self

from tests.host.killed import Steps, count_steps
from tests.host.looped import Clock, looped, settle
from tests.host.year.players import HOST
from tkid.club.site import Club
from tkid.host import webhooks
from tkid.host.loop import Loop
from tkid.host.published_folder import PublishedFolder, Watch
from tkid.host.publisher import HOOKS, Publisher
from tkid.host.service import Host
from tkid.host.store.leases import PAGES
from tkid.host.store.store import Store
from tkid.host.transports import Send
from tkid.host.webhooks import Hooks, Target

SECRET, KEY = b"s" * 32, b"sixteen bytes or more"
CLUB = Club("The Monday club", "https://club.example/")


@contextmanager
def publishing(folder: Path, clock: Clock, url: str) -> Iterator[Loop]:
    """A host's loop with pages in www/, and with webhooks to an address."""
    publisher = Publisher(PublishedFolder(folder / "www", "owner-word"), folder / "pages.db", SECRET, CLUB)
    hooks = Hooks(SECRET, CLUB, target=lambda: Target(url, KEY), send=webhooks.send_webhook, patience=20.0)

    def make(store: Store, send: Send) -> Host:
        return Host(store, HOST, SECRET, send, watch=Watch(pages=True, hooks=True), draw=partial(bytes, 32))

    chores: dict[str, Callable[[Host, datetime], int]] = {
        PAGES: lambda host, now: publisher.run_chore(host.store, now, 60.0),
        HOOKS: lambda host, now: hooks.run_chore(host.store, now),
    }
    loop, _ = looped(folder, clock, make=make, chores=chores)
    try:
        yield loop
    finally:
        loop.close()


def publish_until(folder: Path, seconds: float, url: str, last: int) -> None:
    """Do rounds at some time until nothing is left to do, and die at the step."""
    clock = Clock()
    clock.set(seconds)
    count_publishing(steps := Steps(last))
    with publishing(folder, clock, url) as loop:
        count_steps(steps)
        settle(loop)


def publish_and_die(folder: Path) -> None:
    """Do rounds, and die when the first page is published."""

    def dies(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    PublishedFolder.write_file = dies  # type: ignore[method-assign,assignment]
    with publishing(folder, Clock(), "http://127.0.0.1:1/") as loop:
        settle(loop)


def count_publishing(steps: Steps) -> None:
    """From now on count the steps of publishing and telling too."""
    opened = os.fdopen

    def fdopen(descriptor: int, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        file = opened(descriptor, mode, *args, **kwargs)
        return HalfWritten(file, steps) if mode == "wb" else file

    os.fdopen = fdopen  # type: ignore[assignment]
    for name in ("rename", "unlink", "mkdir"):
        setattr(os, name, steps.around(getattr(os, name)))
    webhooks.send_webhook = steps.around(webhooks.send_webhook)


class HalfWritten:
    """A file that is written in two halves, with a step between them."""

    def __init__(self, file: IO[bytes], steps: Steps) -> None:
        self._file, self._steps = file, steps

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def write(self, content: bytes) -> int:
        """Write the first half, and then the other."""
        half = len(content) // 2
        self._file.write(content[:half])
        self._file.flush()
        self._steps.step()
        return half + self._file.write(content[half:])
