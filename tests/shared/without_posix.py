"""A pytest plugin: what only POSIX has is missing, and Windows' own ways are there, as far as another system can play them.

`pytest -p tests.shared.without_posix --basetemp=DIR tests/cli` runs tests so. What was imported before the plugin, as the
standard library, keeps what it has. `os.name` stays: `pathlib` would make paths that no other system has.
"""

from __future__ import annotations

import errno
import fcntl
import multiprocessing
import os
import signal
import sys
from pathlib import Path
from types import ModuleType

MODULES = ("fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty")
FUNCTIONS = (
    *("chown", "fchmod", "fchown", "fork", "fwalk", "getegid", "geteuid", "getgid", "getpgid", "getuid", "killpg"),
    *("lchown", "mkfifo", "setsid", "setuid", "statvfs", "sync", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK"),
)
SIGNALS = ("SIGALRM", "SIGCHLD", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGUSR1", "SIGUSR2", "alarm", "pause", "setitimer")
LK_NBLCK, LK_UNLCK = 2, 0


def _locking(descriptor: int, mode: int, _: int) -> None:
    """Lock or unlock a file, as `msvcrt.locking` does."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_UN if mode == LK_UNLCK else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES)) from None


def _replace(source: str | Path, target: str | Path) -> None:
    """Replace a file, unless this process has it open: what Windows refuses."""
    opened = Path("/proc/self/fd")
    if opened.is_dir():
        place = os.path.realpath(target)
        if any(os.path.realpath(each) == place for each in opened.iterdir()):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(target))
    os.rename(source, target)  # noqa: PTH104 - Path.rename would come back here


def take_away() -> None:
    """Take away what only POSIX has."""
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment] # so an import fails
    for module, names in ((os, FUNCTIONS), (signal, SIGNALS)):
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    windows = ModuleType("msvcrt")
    windows.__dict__.update(locking=_locking, LK_NBLCK=LK_NBLCK, LK_UNLCK=LK_UNLCK)
    sys.modules["msvcrt"] = windows
    os.replace = _replace  # type: ignore[assignment]
    multiprocessing.set_start_method("spawn")  # the only way that Windows has


def pytest_configure() -> None:
    """Take it away once pytest and its plugins are there."""
    take_away()
