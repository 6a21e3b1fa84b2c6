"""Runs the program's commands with standard streams that are closed, full or no longer read, each in a process and a folder of its own."""

from __future__ import annotations

import gc
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from pkgutil import walk_packages
from threading import Thread
from typing import TextIO

from attrs import define
from typer.testing import CliRunner

import tkid
from tkid.cli.app import app, main
from tkid.notation.plugin import find_turn_reader
from tkid.rulebook.rulesets import rulesets

STREAMS = ("stdin", "stdout", "stderr")
Change = Callable[[], None]
Outcome = tuple[int, str, str]
"""What came of a command: its exit code, and what it wrote to standard output and standard error."""


def close(*descriptors: int) -> Change:
    """Close standard streams."""

    def change() -> None:
        for descriptor in descriptors:
            os.close(descriptor)

    return change


def fill(descriptor: int) -> Change:
    """Put a device in a stream's place to which nothing can be written."""
    return lambda: _replace(descriptor, os.open("/dev/full", os.O_WRONLY))


def break_pipe() -> None:
    """Put a pipe in the place of standard output that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    _replace(1, writing)


def _replace(descriptor: int, by: int) -> None:
    os.dup2(by, descriptor)
    os.close(by)


MODES: Mapping[str, Change] = {
    "usual": close(),
    "no stdin": close(0),
    "no stdout": close(1),
    "no stderr": close(2),
    "none": close(0, 1, 2),
    "full stdout": fill(1),
    "full stderr": fill(2),
    "broken stdout": break_pipe,
}


def _stream(descriptor: int) -> TextIO | None:
    """A standard stream as Python opens it at its start: None where it is closed."""
    try:
        os.fstat(descriptor)
    except OSError:
        return None
    return TextIOWrapper(os.fdopen(descriptor, "wb" if descriptor else "rb", closefd=False), "utf-8")


def stop_host() -> None:
    """Stop this process once the host that runs in it can be stopped."""
    while signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGTERM)


def _run(words: Sequence[str], change: Change) -> int:
    """Run the program in this process, as Python starts and ends it; return the exit code."""
    change()
    for descriptor, name in enumerate(STREAMS):
        setattr(sys, name, _stream(descriptor))
    sys.argv = ["tkid", *words]
    try:
        main()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    except BaseException:  # noqa: BLE001 - Python would print it and return 1
        traceback.print_exc()
        code = 1
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            code = 120  # as Python does where a stream can't be flushed at its end
    return code


def run(words: Sequence[str], folder: Path, mode: str) -> Outcome:
    """Run a command in a folder, in a child of this process."""
    files = [tempfile.TemporaryFile() for _ in ("out", "err")]  # noqa: SIM115 - closed below
    sys.stdout.flush()
    if not (child := os.fork()):
        code = 99
        try:
            os.chdir(folder)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            for descriptor, file in enumerate(files, 1):
                os.dup2(file.fileno(), descriptor)
            os.closerange(3, 256)
            if words[:2] == ["host", "run"]:
                Thread(target=stop_host, daemon=True).start()
            code = _run(words, MODES[mode])
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    for file in files:
        file.seek(0)
    out, err = (file.read().decode() for file in files)
    for file in files:
        file.close()
    return os.waitstatus_to_exitcode(status), out, err


def run_in_copy(words: Sequence[str], folder: Path, mode: str) -> Outcome:
    """Run a command in a copy of a folder."""
    with tempfile.TemporaryDirectory() as top:
        return run(words, shutil.copytree(folder, Path(top) / "games"), mode)


def load(*left_out: str) -> None:
    """Load all modules but those of some rooms, so that the processes share them."""
    for module in walk_packages(tkid.__path__, "tkid."):
        if module.name.split(".")[1] not in {"adapters", "__main__", *left_out}:
            import_module(module.name)


def serve() -> None:
    """Run each command that a line of standard input asks for, and print what came of it as a line of JSON."""
    for line in sys.stdin:
        words, folder, mode, copied = json.loads(line)
        outcome = (run_in_copy if copied else run)(words, Path(folder), mode)
        print(json.dumps([words, mode, *outcome]), flush=True)  # noqa: T201


@define
class Program:
    """The program in a process that has loaded it once; each command runs in a child of that process."""

    process: subprocess.Popen[str]

    def run(self, words: Sequence[str], folder: Path, mode: str) -> Outcome:
        """Run a command in a folder."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps([words, str(folder), mode, False]) + "\n")
        self.process.stdin.flush()
        _, _, code, out, err = json.loads(self.process.stdout.readline())
        return code, out, err


@contextmanager
def program() -> Iterator[Program]:
    """Start the program without hosts and editors."""
    command = [sys.executable, "-m", "tests.cli.streams", "host", "lsp"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Program(process)


if __name__ == "__main__":
    load(*sys.argv[1:])
    for ruleset in rulesets():
        find_turn_reader(ruleset.game())
    CliRunner().invoke(app, ["rulesets"])  # what every command loads when it runs
    gc.freeze()  # what is shared stays shared
    serve()
