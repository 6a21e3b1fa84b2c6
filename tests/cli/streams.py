"""Runs the program's commands with standard streams that are closed, full or no longer read, each in a process and a folder of its own."""

from __future__ import annotations

import gc
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from pkgutil import walk_packages
from threading import Thread
from typing import TextIO

import tkid
from tkid.cli.app import main
from tkid.record.format.turn_rows import reader
from tkid.rulebook.rulesets import rulesets

STREAMS = ("stdin", "stdout", "stderr")
Change = Callable[[], None]


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


def attempt(words: Sequence[str], folder: Path, mode: str) -> tuple[int, str, str]:
    """Run a command in a copy of a folder: its exit code, and what it wrote to standard output and standard error."""
    with tempfile.TemporaryDirectory() as top:
        copy = shutil.copytree(folder, Path(top) / "games")
        files = [(Path(top) / name).open("w+b") for name in ("out", "err")]
        sys.stdout.flush()
        if not (child := os.fork()):
            code = 99
            try:
                os.chdir(copy)
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
        written = [file.read().decode() for file in files]
        for file in files:
            file.close()
    return os.waitstatus_to_exitcode(status), written[0], written[1]


def run_all(folder: Path, commands: Sequence[Sequence[str]], mode: str) -> None:
    """Print what came of each command as a line of JSON. All modules are loaded before the processes divide."""
    for module in walk_packages(tkid.__path__, "tkid."):
        if module.name.split(".")[1] not in {"adapters", "__main__"}:
            import_module(module.name)
    for ruleset in rulesets():
        reader(ruleset.game())
    gc.freeze()  # what is shared stays shared
    for words in commands:
        print(json.dumps([words, *attempt(words, folder, mode)]))  # noqa: T201


if __name__ == "__main__":
    run_all(Path(sys.argv[1]), json.load(sys.stdin), sys.argv[2])
