"""The text of a game file among the lines of a mail: where it begins and ends, and lines that were broken on the way."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import dropwhile

from tkid.record.format.lines import LONGEST_LINE, is_comment
from tkid.record.format.turn_rows import DASHES, HASH, NUMBERED
from tkid.record.plugin import record_plugins

TURNS = "turns"
TITLES = re.compile(r"setup|turns|commitments|nonces|keys|unlocks|seeds|(?:deck|proof) \S.*")
FOLLOWED = re.compile(rf"-- |(?:{DASHES.pattern})\S.*: ")
"""A line about what followed from a turn; other dashes than two may begin a signature."""
NARROW = 60
"""Mail programs break lines no earlier than here: a shorter line ends where it ends."""
HEADER = re.compile(r"(?:x-[^\s:]+|tkid-\w+|ruleset|game|seat|ruling|seal|position)\s*:", re.IGNORECASE)
ROW = re.compile("|".join([r"\S.* {2,}\S", *(plugin.row for plugin in record_plugins())]), re.IGNORECASE)
"""A line of a set-up or of a draw: a label and a value, most with several spaces between them."""


def begun(lines: Sequence[str], begins: str) -> list[str]:
    """The lines from the first of a game file on; none where it does not begin."""
    return list(dropwhile(lambda line: not begins_so(line, begins), lines))


def begins_so(line: str, begins: str) -> bool:
    """Whether a line is the first of a game file."""
    return line.strip().lower().startswith(f"{begins}:")


def game_lines(lines: Sequence[str], *, attached: bool) -> list[str]:
    """The lines of a game file, those in one that a mail program broke in two.

    Where the file is not attached, but stands in the text of a mail, what the sender wrote below it is left out.
    """
    kept: list[str] = []
    above, in_turns = "", False
    for line, next_one in zip(lines, _following(lines), strict=True):
        if not attached and (line.rstrip() == "--" or (not line.strip() and not _belongs(next_one, in_turns=in_turns))):
            break
        if not line.strip():
            kept.append(line)
        elif _belongs(line, in_turns=in_turns):
            in_turns = in_turns or _title(line) == TURNS
            kept.append(line)
        elif _goes_on(above, line) and len(kept[-1]) + len(line) < LONGEST_LINE:
            kept[-1] = f"{kept[-1].rstrip()} {line.strip()}"
        elif in_turns and not attached:
            break
        else:
            kept.append(line)
        above = line
    return kept if attached else [*kept, ""]


def _following(lines: Sequence[str]) -> Iterator[str]:
    """For each line the next one after it that is not empty."""
    following, backwards = "", list[str]()
    for line in reversed(lines):
        backwards.append(following)
        following = line if line.strip() else following
    return reversed(backwards)


def _belongs(line: str, *, in_turns: bool) -> bool:
    """Whether a line looks like one of a game file: of its turns, or of what stands before them."""
    if FOLLOWED.match(line) or is_comment(line) or NUMBERED.match(line) or TITLES.fullmatch(_title(line)):
        return True
    return not in_turns and bool(HEADER.match(line) or ROW.match(line))


def _title(line: str) -> str:
    return line.strip().rstrip(":").lower()


def _goes_on(above: str, line: str) -> bool:
    """Whether a line that looks like none of a game file is the rest of the one above, which was too long."""
    if not above.strip() or HASH.search(above):
        return False
    return len(above.rstrip()) + 1 + len(line.split(maxsplit=1)[0]) > NARROW
