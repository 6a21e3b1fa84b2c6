"""Carries out mails at a host in a process of its own that may take so much time and memory, and no more.

`python -m tests.host.attacks.attacked FOLDER` keeps and carries out each mail of FOLDER/attacks at the host in FOLDER, and tells on
standard output, for each: its name; how it ended, why, and whether its bytes are kept; how many functions were called, seconds of
processor time while they were counted (about twice what the mail takes else), the most memory that the process ever had in MB,
and how many letters were written. The kernel ends the process that hangs or takes too much memory: the mail named last is the
one that was too much.
"""

from __future__ import annotations

import json
import resource
import signal
import sys
from cProfile import Profile
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from shutil import copyfile

import sqlalchemy as sql

from tests.host.year.players import DATABASE, TIME, host
from tkid.host.service import Host
from tkid.host.store.schema import incoming

ASKED = "asked.db"
"""The database of the host that has asked for a turn, in the folder."""
MOST_CALLS = 5_000_000
"""Function calls that a mail may cost: about two seconds, and the same number on a slow machine and on a busy one."""
HANGS = 30.0
"""Seconds of processor time after which a mail hangs, as in a regular expression, where nothing is called."""
MOST_BYTES = 300 << 20


def main(folder: Path) -> None:
    """Carry out the mails, in the order of their names, each at the host as it was before all of them."""
    copyfile(folder / ASKED, folder / DATABASE)
    with host(folder) as at:
        at.work_on_all(TIME)
        for mail in sorted(folder.glob("warm-*.eml")):
            at.store.keep_mail(mail.read_bytes(), TIME)
            at.work_on_all(TIME)
    before = (folder / DATABASE).read_bytes()
    now = TIME + timedelta(days=1)
    _limit()
    for file in sorted((folder / "attacks").iterdir()):
        (folder / DATABASE).write_bytes(before)
        tell({"begins": file.name})
        with host(folder) as at:
            tell({"ends": file.name, **carried_out(at, file.read_bytes(), now)})


def carried_out(at: Host, mail: bytes, now: datetime) -> dict[str, object]:
    """Carry out one mail: how it ended, and what it cost."""
    letters, begin, counted = len(at.store.list_letters("game")), _seconds(), Profile()
    signal.setitimer(signal.ITIMER_PROF, HANGS)
    counted.enable()
    at.store.keep_mail(mail, now)
    at.work_on_all(now)
    counted.disable()
    signal.setitimer(signal.ITIMER_PROF, 0)
    used = {
        "calls": sum(each.callcount for each in counted.getstats()),
        "seconds": _seconds() - begin,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10,
        "letters": len(at.store.list_letters("game")) - letters,
    }
    with at.store.engine.connect() as database:
        of_mail = sql.select(incoming.c.state, incoming.c.reason, incoming.c.raw, incoming.c.dropped)
        row = database.execute(of_mail.where(incoming.c.digest == sha256(mail).hexdigest())).one()
    return {"state": row.state, "reason": row.reason, "kept": row.dropped is not None or row.raw == mail, **used}


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
