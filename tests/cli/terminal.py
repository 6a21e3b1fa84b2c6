"""The program as somebody at a terminal runs it: what it writes, and what a line that is written over and over shows."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

needs_a_terminal = pytest.mark.skipif(
    not hasattr(os, "openpty"), reason="this system has no pseudo-terminals to try it in"
)
AT_ONCE = "from tkid.cli import main; from tkid.cli import printing as p; p.FIRST = p.EACH = 0; main()"
"""The program, which tells how far it is after each step."""


def read(descriptor: int) -> Iterator[bytes]:
    """What is written to a terminal, up to its end, which Linux tells by an error."""
    with suppress(OSError):
        while chunk := os.read(descriptor, 4096):
            yield chunk


def at_a_terminal(*words: str | Path) -> tuple[int, str, str]:
    """Run the program with its errors on a terminal: the exit code, what it wrote, and what the terminal got."""
    reading, writing = os.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80"}
    command = (sys.executable, "-c", AT_ONCE, *map(str, words))
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=writing, env=environment) as running:
        os.close(writing)
        assert running.stdout
        written = running.stdout.read().decode()
        shown = b"".join(read(reading)).decode()
        os.close(reading)
    return running.returncode, written, shown


def printed_at_a_terminal(*words: str | Path) -> tuple[int, str]:
    """Run the program with everything on a terminal: the exit code, and what the terminal got."""
    reading, writing = os.openpty()
    command = (sys.executable, "-c", AT_ONCE, *map(str, words))
    with subprocess.Popen(command, stdout=writing, stderr=writing) as running:
        os.close(writing)
        shown = b"".join(read(reading)).decode()
        os.close(reading)
    return running.returncode, shown
