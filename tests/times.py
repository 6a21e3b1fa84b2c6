"""How long each part of `make test` takes, on the clock and on the processor.

`date +%s > FILE` begins the notes, `python -m tests.times FILE NAME COMMAND …` runs a part and adds its times, and
`python -m tests.times FILE` shows them all.
"""

from __future__ import annotations

import os
import sys
import time
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from zlib import crc32

from attrs import Factory, define

LONG = 0.1
"""Seconds of the processor from which a test counts as long."""


def note(file: Path, name: str, clock: float, processor: float) -> None:
    """Add a line to a file, at once, because parts run beside each other.

    Args:
        file: Where the times are kept.
        name: The part.
        clock: Seconds from its start to its end.
        processor: Seconds for which the processor was busy with it and with what it started.
    """
    with file.open("a", encoding="utf-8") as notes:
        notes.write(f"{name}\t{clock:.1f}\t{processor:.1f}\n")


@define
class Stopwatch:
    """Measures how long the processor is busy with this process and with programs that it started and that have ended."""

    began: float = 0.0
    browser_began: float = 0.0

    def lap(self) -> float:
        """Begin again, and give the seconds since this was done last."""
        before, self.began = self.began, sum(os.times()[:4])
        return self.began - before

    def lap_browser(self, group: int) -> float:
        """Give the seconds of a browser since this was done last: it is a group of processes that go on running."""
        before, self.browser_began = self.browser_began, count_seconds(group)
        return max(0.0, self.browser_began - before)  # a process that ends can take its seconds with it


def count_seconds(group: int) -> float:
    """Return how long the processor was busy with the processes of a group that run."""
    ticks = 0
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            _, _, rest = file.read_text("utf-8", "replace").rpartition(")")
            _, _, of_group, *fields = rest.split()
            ticks += sum(map(int, fields[8:12])) if int(of_group) == group else 0
    return ticks / os.sysconf("SC_CLK_TCK")


@define
class Folders:
    """Adds up what the tests of each folder cost."""

    clock: defaultdict[str, float] = Factory(lambda: defaultdict(float))
    processor: defaultdict[str, float] = Factory(lambda: defaultdict(float))

    def add(self, test: str, clock: float, processor: float) -> None:
        """Add the seconds of a test, which is named by its file."""
        folder = "/".join(test.partition("::")[0].split("/")[:-1][:2])
        self.clock[folder] += clock
        self.processor[folder] += processor

    def note(self, file: Path) -> None:
        """Add a line for each folder to a file, the costliest first, indented because they are what "tests" consists of."""
        for folder, processor in sorted(self.processor.items(), key=lambda row: -row[1]):
            note(file, f"  {folder}", self.clock[folder], processor)


@define
class Costs:
    """What one case of each test keeps the processor busy for, on average: the tests that take long are listed in a file.

    Attributes:
        seconds: Seconds for each case that ran, by test; the cases of a parametrized test have one name.
    """

    seconds: defaultdict[str, list[float]] = Factory(lambda: defaultdict(list))

    def add(self, test: str, processor: float) -> None:
        self.seconds[drop_parameters(test)].append(processor)

    def update(self, file: Path) -> None:
        """Replace the lines of the tests that ran, and keep those of the others."""
        averages = {name: sum(cases) / len(cases) for name, cases in self.seconds.items()}
        long = {name: average for name, average in averages.items() if average >= LONG}
        others = {name: cost for name, cost in read_costs(file).items() if name not in averages}
        file.write_text("".join(f"{cost:.1f} {name}\n" for name, cost in sorted((others | long).items())), "utf-8")


def read_costs(file: Path) -> dict[str, float]:
    """Return the seconds for one case of each test that takes long, by its name."""
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return {name: float(cost) for cost, _, name in (line.partition(" ") for line in lines)}


def drop_parameters(test: str) -> str:
    """Return the name of a test without the parameters of its case."""
    return test.partition("[")[0]


def deal(seconds: Mapping[str, float], parts: int) -> list[set[str]]:
    """Deal tests into parts that take about as long: the longest first, each to the part that is the shortest so far.

    Args:
        seconds: How long each test takes, by its name.
        parts: How many parts to make.

    Returns:
        The names of the tests in each part. Tests of one file are spread over the parts.
    """
    dealt: list[set[str]] = [set() for _ in range(parts)]
    lengths = [0.0] * parts
    for name in sorted(seconds, key=lambda name: (-seconds[name], crc32(name.encode()))):
        shortest = lengths.index(min(lengths))
        dealt[shortest].add(name)
        lengths[shortest] += seconds[name]
    return dealt


def run(file: Path, name: str, command: list[str]) -> int:
    """Run a part, note its times, and give its exit code."""
    began = time.monotonic()
    pid = os.posix_spawnp(command[0], command, os.environ)
    _, status, usage = os.wait4(pid, 0)
    note(file, name, time.monotonic() - began, usage.ru_utime + usage.ru_stime)
    return os.waitstatus_to_exitcode(status)


def table(notes: str, now: float) -> str:
    """Show the notes as a table, with sums. Tests run two at a time; the clock of a folder is the sum over its tests.

    Args:
        notes: When the run began, in seconds since 1970, and a line for each part; lines of the same part are added up.
        now: When it ended.
    """
    began, *lines = notes.splitlines()
    parts: dict[str, list[float]] = {}
    for line in lines:
        name, *times = line.split("\t")
        parts[name] = [sum(pair) for pair in zip(parts.get(name, (0.0, 0.0)), map(float, times), strict=True)]
    folders = [(name, times) for name, times in parts.items() if name.startswith(" ")]
    rows = [(name, times) for name, times in parts.items() if not name.startswith(" ")]
    rows = [*rows, ("all", [now - float(began), sum(times[1] for _, times in rows)]), *folders]
    head = f"{'seconds':24}{'clock':>10}{'processor':>12}"
    return "\n".join([head, *(f"{name:24}{clock:10.1f}{processor:12.1f}" for name, (clock, processor) in rows)])


def main(file: str, *part: str) -> int:
    """Run a part, or show what was noted."""
    if part:
        name, *command = part
        return run(Path(file), name, command)
    print(table(Path(file).read_text("utf-8"), time.time()))  # noqa: T201 - make shows it
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
