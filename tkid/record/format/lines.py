"""From the bytes of a file to the lines of a record, or to what makes it no text of a record at all."""

from __future__ import annotations

import re

from tkid.files import MAX_GAME_FILE
from tkid.kernel.problems import Kind, Problem
from tkid.notation.text import plain
from tkid.record.format.foreign import find_foreign
from tkid.record.format.model import FORMAT

LONGEST_LINE = 4000
MOST_LINES = 100_000
MOST_FAULTS = 1000
"""After as many problems in one part of a file, the rest of the part is not read."""
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
ASCII_CONTROL = bytes(set(range(0x20)) - {0x09, 0x0A} | {0x7F})
"""The same within ASCII, where it is quicker to leave characters out than to look for them."""
FIRST = re.compile(r"tkid-record\s*:\s*(.*)", re.IGNORECASE)
RECORD = "tkid-record"
GREETING = 40
"""Lines that may stand above a game file, as in a mail that was saved."""


def split(text: str) -> list[str]:
    """The lines of a text: ended as on any system, and by nothing else."""
    return _unix(text).split("\n")


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def is_comment(line: str) -> bool:
    """Whether a line is a comment."""
    return line.startswith("# ") or line.rstrip() == "#"


def lines_of(data: bytes) -> tuple[list[str], tuple[Problem, ...]]:
    """The lines of a file; problems where it is no text of a record. What stands above a record is a comment."""
    if foreign := find_foreign(data):
        return [], (_file("record.first-line", f"This is {foreign.what}, not a game file", hint=foreign.hint),)
    if len(data) > MAX_GAME_FILE:
        return [], (_file("record.size", f"The file is too large. A game file has at most {MAX_GAME_FILE} bytes"),)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = split(data[: error.start].decode("utf-8-sig", "replace"))
        message = f"Byte 0x{data[error.start]:02x} is not UTF-8"
        return [], (_file("record.encoding", message, len(before), len(before[-1]) + 1, "Save the file as UTF-8."),)
    text = _unix(text)
    lines = text.split("\n")
    if too_large := _too_large(lines):
        return [], (too_large,)
    strange = _strange(text)
    if strange:
        number, col = text.count("\n", 0, strange.start()) + 1, strange.start() - text.rfind("\n", 0, strange.start())
        message = f"There is a control character here (0x{ord(strange[0]):02x})"
        return [], (_file("record.encoding", message, number, col, "Is this a text file?"),)
    return _begun(_commented(lines, text))


def _too_large(lines: list[str]) -> Problem | None:
    """Return the problem with a file of too many lines, or of a line that is too long."""
    if len(lines) > MOST_LINES:
        message = f"The file has {len(lines)} lines. A game file has at most {MOST_LINES}"
        return _file("record.size", message, MOST_LINES + 1)
    longest = max(map(len, lines))
    if longest <= LONGEST_LINE:
        return None
    message = f"This line has {longest} characters. A line has at most {LONGEST_LINE}"
    hint = "If it belongs in a game file, break it into several lines."
    number = next(number for number, line in enumerate(lines, 1) if len(line) == longest)
    return _file("record.size", message, number, LONGEST_LINE + 1, hint)


def _commented(lines: list[str], text: str) -> list[str]:
    """The lines, those above the first of a record as comments."""
    if text[: len(RECORD)].lower() == RECORD:
        return lines
    at = next((at for at, line in enumerate(lines[: GREETING + 1]) if FIRST.fullmatch(plain(line).strip())), 0)
    above = (line if is_comment(line) or not line.strip() else f"# {line.strip()}" for line in lines[:at])
    return [*above, *lines[at:]]


def _strange(text: str) -> re.Match[str] | None:
    """The first control character of a text."""
    if text.isascii() and len(text.encode().translate(None, ASCII_CONTROL)) == len(text):
        return None
    return CONTROL.search(text)


def _begun(lines: list[str]) -> tuple[list[str], tuple[Problem, ...]]:
    """The lines, if they begin as those of a record."""
    first = next((number for number, line in enumerate(lines) if line.strip() and not is_comment(line)), None)
    found = plain(lines[first]).strip() if first is not None else ""
    begins = FIRST.fullmatch(found)
    if begins and begins[1] == FORMAT:
        return (lines, ()) if (second := _second(lines, (first or 0) + 1)) is None else ([], (second,))
    hint = f"The first line has to be `Tkid-Record: {FORMAT}`."
    if begins and begins[1].isdecimal():
        message, hint = (
            f"This game file has format {begins[1][:9]}, which this program does not know",
            f"It knows format {FORMAT}.",
        )
    elif found:
        message = f"This is not a game file: it begins with `{found[:40]}`"
    elif any(line.strip() for line in lines):
        message = "There are only comments here"
    else:
        message = "The file is empty"
    return [], (_file("record.first-line", message, (first or 0) + 1, 1, hint),)


def _second(lines: list[str], after: int) -> Problem | None:
    """The problem with a second game in a file."""
    for number, line in enumerate(lines[after:], after + 1):
        if line[: len(RECORD)].lower() == RECORD and FIRST.fullmatch(plain(line).strip()):
            hint = "A game file has one game. Cut the file before this line, and save each game in a file of its own."
            return _file("record.first-line", "A second game begins here", number, 1, hint)
    return None


def _file(rule_id: str, message: str, line: int = 1, col: int = 1, hint: str = "") -> Problem:
    return Problem(Kind.FILE, rule_id, message, line, col, 1, hint)
