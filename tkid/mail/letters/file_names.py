"""What files in letters are called: a name that every system can save."""

from __future__ import annotations

import re

from tkid.mail.marker import short_title
from tkid.record.format.model import Record

LONGEST = 40
DEVICES = re.compile(r"con|prn|aux|nul|com\d|lpt\d", re.IGNORECASE)
"""The names of devices on Windows, which no file may have there, with any ending."""


def file_stem(record: Record) -> str:
    """What the files of a game are called: its name in plain letters, `game` where nothing is left of it."""
    stem = "-".join(re.findall(r"[A-Za-z0-9]+", short_title(record.title, LONGEST)))[:LONGEST] or "game"
    return f"game-{stem}" if DEVICES.fullmatch(stem) else stem
