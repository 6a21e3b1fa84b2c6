"""Carries out mails at a host in a process of its own that may take so much time and memory, and no more.

`python -m tests.host.attacks.attacked FOLDER` keeps and carries out each mail of FOLDER/attacks at the host in FOLDER, and tells on
standard output, for each: its name, seconds of processor time, the most memory that the process ever had, and the letters
that were written. The kernel ends the process at the limit: the mail named last is the one that was too much.
"""

from __future__ import annotations

import json
import resource
import signal
import sys
from datetime import timedelta
from pathlib import Path

from tests.host.year.players import TIME, host

MOST_SECONDS = 2.0
MOST_BYTES = 300 << 20


def main(folder: Path) -> None:
    """Carry out the mails, in the order of their names."""
    with host(folder) as at:
        at.work(TIME)
        warm = (folder / "warm.eml").read_bytes()
        at.store.keep(warm, TIME)
        at.work(TIME)
        _limit()
        for file in sorted((folder / "attacks").iterdir()):
            now = TIME + timedelta(days=int(file.name))  # each on a day of its own, so that none is one too many
            tell({"begins": file.name})
            letters = len(at.store.letters("game"))
            begin = _seconds()
            signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
            at.store.keep(file.read_bytes(), now)
            at.work(now)
            signal.setitimer(signal.ITIMER_PROF, 0)
            took = _seconds() - begin
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
            tell({"ends": file.name, "s": took, "MB": peak, "letters": len(at.store.letters("game")) - letters})


def tell(what: dict[str, object]) -> None:
    """Say something to whoever has started the process."""
    print(json.dumps(what), flush=True)  # noqa: T201 - that is how it is told


def _limit() -> None:
    """From now on take so much memory more at most; and let the timer end the process."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    most = pages * resource.getpagesize() + MOST_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)


def _seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main(Path(sys.argv[1]))
