"""The log of a host: one JSON object on each line, with the time, what happened, and what it concerns.

Never what a mail says, a key, a secret or a password: reasons are written without their quotations.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from attrs import frozen

from tkid.host.privacy import opener

QUOTED = re.compile(r"`[^`]*`?")
LONGEST_FACT = 500
Fact = str | int | float | None


@frozen
class Log:
    """Where the lines of a log go, and what time it is."""

    write: Callable[[str], None]
    now: Callable[[], datetime]

    def note(self, event: str, **facts: Fact) -> None:
        """Write down that something happened; facts that are None or "" are left out."""
        facts = {name: fact for name, fact in facts.items() if fact not in {None, ""}}
        stated = {name: fact[:LONGEST_FACT] if isinstance(fact, str) else fact for name, fact in facts.items()}
        entry = {"time": self.now().isoformat(timespec="milliseconds"), "event": event, **stated}
        with suppress(OSError):  # where the disk is full, the log is not what matters
            self.write(json.dumps(entry, ensure_ascii=True))


def to_file(path: Path) -> Callable[[str], None]:
    """Writes lines to the end of a file. It is opened for each, so that it may be moved away."""

    def write(line: str) -> None:
        with open(path, "a", encoding="ascii", opener=opener) as file:
            file.write(f"{line}\n")

    return write


def without_quotes(reason: str) -> str:
    """A reason without what it quotes of a mail."""
    return QUOTED.sub("`…`", reason)
