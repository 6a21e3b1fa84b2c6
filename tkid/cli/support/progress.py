"""How far a command has come that takes its time: a line on a terminal, written over and over, and nothing in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic

from attrs import define

FIRST, EACH, SECOND = 1.0, 0.2, 1.0
"""Seconds before the first line, between two, and between two that count seconds."""
CLEAR = "\r\033[K"
STOPPED, UNWRITTEN = "Stopped.", "Stopped. Nothing was written."
"""What is said to who presses Ctrl-C, unless there is more to say."""


@define
class Progress:
    """How far a command has come: `1,200 games checked`, or with a `total` `1,200 of 5,000 games checked`."""

    what: str
    total: int | None
    at_terminal: bool
    count: int = 0
    _due: float = 0.0
    _shown: bool = False

    def step(self) -> None:
        """One more is done."""
        self.count += 1
        if self.at_terminal and (now := monotonic()) >= self._due:
            of_all = "" if self.total is None else f" of {self.total:,}"
            _write(f"{CLEAR}{self.count:,}{of_all} {self.what}")
            self._due, self._shown = now + EACH, True

    def clear(self) -> None:
        """Take the line away, before something else is printed."""
        if self._shown:
            _write(CLEAR)
            self._shown = False


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


@contextmanager
def told_if_stopped(stopped: str) -> Iterator[None]:
    """Say what did not happen, if somebody presses Ctrl-C; the program then ends as it does for every Ctrl-C."""
    try:
        yield
    except KeyboardInterrupt:
        from tkid.render.lines import printable

        _write(f"\n{printable(stopped)}\n")
        raise


@contextmanager
def progress(what: str, total: int | None = None, *, wanted: bool = True, stopped: str = STOPPED) -> Iterator[Progress]:
    """Tell on a terminal how far a command has come, where it takes more than a second.

    Args:
        what: what is counted, with the verb: `games checked`.
        total: how much there is to do, None where that is not known.
        wanted: false where the results are printed on the terminal as they come.
        stopped: what is said if somebody presses Ctrl-C.
    """
    shown = Progress(what, total, wanted and sys.stderr.isatty(), due=monotonic() + FIRST)
    with told_if_stopped(stopped):
        try:
            yield shown
        finally:
            shown.clear()


@contextmanager
def waiting(what: str, stopped: str = STOPPED) -> Iterator[None]:
    """Tell on a terminal what a command waits for, and for how many seconds by now, where it takes more than a second.

    Args:
        what: what it waits for: `Drawing`.
        stopped: what is said if somebody presses Ctrl-C.
    """
    with told_if_stopped(stopped):
        if sys.stderr.isatty():
            with _ticking(what):
                yield
        else:
            yield


@contextmanager
def _ticking(what: str) -> Iterator[None]:
    """A line that counts the seconds, beside what is done."""
    began, done = monotonic(), Event()

    def tell() -> None:
        due = FIRST
        while not done.wait(due):
            due = SECOND
            _write(f"{CLEAR}{what} ... {monotonic() - began:.0f} s")

    teller = Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()
        if monotonic() - began >= FIRST:
            _write(CLEAR)
