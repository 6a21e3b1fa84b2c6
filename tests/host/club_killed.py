"""A round of a club in a process of its own that kills itself at the n-th step that writes."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from tests.host.killed import Steps, count_steps
from tests.host.small_club import club


def round_until(folder: Path, now: datetime, last: int) -> None:
    """Do a round at some time, and die at the step."""
    with club(folder) as at:
        at.now = now
        count_steps(Steps(last))
        at.work()
