"""Lines of text: how wide they are, how they wrap, and events as sentences."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from tkid.kernel.game import Event
from tkid.render.markup import HEADING, RULE, marked, unmarked

COMMAND = re.compile(r"(?<![^ ]):(?=:)|#(?=#\[)")
"""The first sign of a command at the start of a line, or behind a blank."""
WIDTH = 78
"""The longest line: quoted in a mail it still fits on one."""


def event_lines(events: Iterable[Event], names: Sequence[str], width: int = WIDTH) -> list[str]:
    """Each event as a sentence with its rule's id, wrapped."""
    return [unmarked(line) for line in marked_events(events, names, width)]


def marked_events(events: Iterable[Event], names: Sequence[str], width: int = WIDTH) -> list[str]:
    """The same lines with the ids marked."""
    return [line for event in events for line in sentence(f"{event.read(names)} {ruled(event.rule)}", width)]


def event_block(events: Iterable[Event], names: Sequence[str]) -> list[str]:
    """Events below a heading, marked."""
    return [marked(HEADING, "WHAT HAPPENED"), *(f"  {line}" for line in marked_events(events, names, WIDTH - 2))]


def ruled(rule: str) -> str:
    """A rule's id in brackets, marked."""
    return marked(RULE, f"[{rule}]")


def printable(text: str) -> str:
    """A text in printable characters: a blank for other white space, `?` for the rest. So it holds no mark and no command to a terminal."""
    return text if text.isprintable() else "".join(c if c.isprintable() else " " if c.isspace() else "?" for c in text)


def log_text(text: str) -> str:
    """A text in printable characters that is no command to GitHub, which reads commands in the log of a workflow."""
    return COMMAND.sub("?", printable(text))


def columns(text: str) -> int:
    """The columns that a text takes in a terminal: wide characters two, combining ones and marks none."""
    text = text if text.isascii() else unmarked(text)
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.category(c) in {"Mn", "Me", "Cf"} else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


def padded(text: str, width: int) -> str:
    """A text filled up with blanks to a width."""
    return text + " " * (width - columns(text))


def wrapped(pieces: Iterable[str], width: int = WIDTH, *, first: str = "", hang: int = 0, join: str = " ") -> list[str]:
    """Pieces joined to lines of at most a width; the first begins with `first`, the others with `hang` blanks."""
    lines, end, gap = [first], columns(first), ""
    for piece in pieces:
        room = columns(piece)
        end += len(gap) + room
        if end > width and gap:
            lines[-1] = lines[-1].rstrip()
            lines.append(" " * hang + piece)
            end = hang + room
        else:
            lines[-1] += gap + piece
        gap = join
    return lines


def comma_separated(pieces: Sequence[str], label: str, room: int) -> list[str]:
    """A label in so much room, indented, and pieces with commas behind it, wrapped."""
    listed = [*(f"{piece}," for piece in pieces[:-1]), *pieces[-1:]]
    return wrapped(listed, first=f"     {label:<{room}}", hang=5 + room)


def sentence(text: str, width: int = WIDTH) -> list[str]:
    """A sentence wrapped between words, with continued lines indented."""
    return wrapped(text.split(" "), width, hang=4) if columns(text) > width else [text]
