"""One round of a host's work in a process of its own that kills itself at the n-th step that writes.

A step is a call that changes a file, a directory or the database: opening for writing, flushing to disk, renaming
(before it and after it), a statement that is not a reading, a commit.
"""

from __future__ import annotations

import os
import pathlib
import signal
from collections.abc import Callable
from typing import Any

import sqlalchemy
from sqlalchemy.engine import Engine

from tests.host.year.players import host, work


class Steps:
    """Counts steps, and kills the process at the last."""

    def __init__(self, last: int) -> None:
        self.count, self.last = 0, last

    def step(self) -> None:
        """One more."""
        self.count += 1
        if self.count == self.last:
            os.kill(os.getpid(), signal.SIGKILL)

    def around(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """A call with a step before it and one after it."""

        def stepped(*args: Any, **kwargs: Any) -> Any:
            self.step()
            result = call(*args, **kwargs)
            self.step()
            return result

        return stepped

    def statement(self, *event: Any) -> None:
        """Before a statement: a step, unless it only reads."""
        if not str(event[2]).lstrip().upper().startswith(("SELECT", "PRAGMA", "BEGIN")):
            self.step()


def work_until(folder: pathlib.Path, last: int) -> None:
    """Do a round, and die at the step; done in a process that is there for nothing else."""
    with host(folder) as at:
        count_steps(Steps(last))
        work(at, folder)


def call_until(call: Callable[..., object], arguments: tuple[Any, ...], last: int) -> None:
    """Call something, and die at the step; done in a process that is there for nothing else."""
    count_steps(Steps(last))
    call(*arguments)


def count_steps(steps: Steps) -> None:
    """From now on count steps, and die at the last."""
    opening = pathlib.Path.open

    def open_path(path: pathlib.Path, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        if "w" in mode:
            steps.step()
        return opening(path, mode, *args, **kwargs)

    sqlalchemy.event.listen(Engine, "before_cursor_execute", steps.statement)
    sqlalchemy.event.listen(Engine, "commit", lambda _: steps.step())
    pathlib.Path.open = open_path  # type: ignore[method-assign,assignment]
    for name in ("rename", "replace", "unlink"):
        setattr(pathlib.Path, name, steps.around(getattr(pathlib.Path, name)))
    os.fsync = steps.around(os.fsync)
