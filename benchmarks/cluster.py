"""Two Dask workers against one process: `python -m benchmarks.cluster`, on a machine with two cores or more.

`tkid check` reads the same games, each of them another one, in one process and on a cluster that has been started for it. The
clock says how much faster that is, if nothing else runs. The processor time says it on a busy machine too: two cores can't do the
work of one process faster than `bound` times if command, scheduler and workers share them, and two workers not faster than
`workers` times if the others have cores of their own. What scheduler and workers use while they wait is measured, and left out.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter, sleep

import psutil
from attrs import frozen

from tests.ports import free_port, wait_for_port
from tests.shared.strategies import record_of
from tkid.record.play.writer import write_record

WORKERS = 2
SETTLED, WATCHED = 15.0, 20.0
"""Seconds until a cluster is at rest, and in which its processor time at rest is measured."""


def write_archive(file: Path, games: int) -> None:
    """Write different random games, if the file hasn't as many already."""
    if file.exists() and len(file.read_bytes().splitlines()) == games:
        return
    with file.open("w", encoding="utf-8") as lines:
        for seed in range(games):
            record = write_record(record_of(Random(seed), 2, 1))
            lines.write(json.dumps({"file": f"{seed}.tkid", "record": record}) + "\n")


def count_seconds(process: psutil.Process) -> float:
    """Return the processor time of a process and its children."""
    times = [each.cpu_times() for each in (process, *process.children(recursive=True))]
    return float(sum(each.user + each.system for each in times))


@contextmanager
def start(module: str, *options: str) -> Iterator[psutil.Process]:
    """Run a program of Dask, until the block ends."""
    command = [sys.executable, "-m", f"distributed.cli.{module}", *options, "--no-dashboard"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as started:
        yield psutil.Process(started.pid)
        started.terminate()


@frozen
class Run:
    """What a command printed, and its seconds by the clock and of the processor."""

    printed: str
    clock: float
    used: float


def run(archive: Path, *options: str) -> Run:
    """Check all games with a new process."""
    before, began = getrusage(RUSAGE_CHILDREN), perf_counter()
    done = subprocess.run(
        [Path(sys.executable).with_name("tkid"), "check", archive, *options], stdout=subprocess.PIPE, check=True
    )
    clock, after = perf_counter() - began, getrusage(RUSAGE_CHILDREN)
    return Run(done.stdout.decode(), clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def measure(archive: Path, address: str, processes: Sequence[psutil.Process]) -> None:
    """Compare one process with a cluster, whose scheduler is the first of its processes."""
    sleep(SETTLED)
    first = list(map(count_seconds, processes))
    sleep(WATCHED)
    resting = [(now - then) / WATCHED for then, now in zip(first, map(count_seconds, processes), strict=True)]
    alone = run(archive, "--jobs", "1")
    print(f"one process: {alone.clock:.1f} s, {alone.used:.2f} s of the processor")
    before = list(map(count_seconds, processes))
    shared = run(archive, "--on", f"dask://{address}")
    after = map(count_seconds, processes)
    used = [now - then - rest * shared.clock for then, now, rest in zip(before, after, resting, strict=True)]
    assert shared.printed == alone.printed
    total = shared.used + sum(used)
    print(
        f"{WORKERS} workers: {shared.clock:.1f} s; command {shared.used:.2f} s, scheduler {used[0]:.2f} s, workers {used[1:]}"
    )
    print(
        f"clock {alone.clock / shared.clock:.2f}, bound {alone.used / total * 2:.2f}, workers {alone.used / max(used[1:]):.2f}"
    )


def main() -> None:
    """Write the games, start the cluster, and measure as often as asked."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=200_000)
    options.add_argument("--runs", type=int, default=3)
    chosen = options.parse_args()
    archive = Path(f".build/cluster-{chosen.games}.jsonl")
    write_archive(archive, chosen.games)
    port = str(free_port())
    address = f"127.0.0.1:{port}"
    with ExitStack() as stack:
        found = [stack.enter_context(start("dask_scheduler", "--host", "127.0.0.1", "--port", port))]
        wait_for_port(int(port))
        options_of_worker = (f"tcp://{address}", "--nthreads", "1", "--no-nanny", "--local-directory", ".build/dask")
        found += [stack.enter_context(start("dask_worker", *options_of_worker)) for _ in range(WORKERS)]
        for _ in range(chosen.runs):
            measure(archive, address, found)


if __name__ == "__main__":
    main()
