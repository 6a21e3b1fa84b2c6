"""Lines of plain text: how wide they are, how they are wrapped; and what happened, in sentences. For every family."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from tkid.kernel.game import Event
from tkid.render.marks import HEADING, RULE, marked, unmarked

WIDTH = 78
"""No line is longer: a mail may quote it and it still stays on its line."""


def event_lines(events: Iterable[Event], names: Sequence[str], width: int = WIDTH) -> list[str]:
    """Each event as a sentence with its rule id, wrapped; continued lines are indented."""
    return [unmarked(line) for line in marked_events(events, names, width)]


def marked_events(events: Iterable[Event], names: Sequence[str], width: int = WIDTH) -> list[str]:
    """The same lines with the rule ids marked."""
    told = (f"{event.read(names)} {ruled(event.rule)}" for event in events)
    return [line for each in told for line in sentence(each, width)]


def happened(events: Iterable[Event], names: Sequence[str]) -> list[str]:
    """Events below their heading, marked."""
    return [marked(HEADING, "WHAT HAPPENED"), *(f"  {line}" for line in marked_events(events, names, WIDTH - 2))]


def ruled(rule: str) -> str:
    """A rule's id in brackets, marked."""
    return marked(RULE, f"[{rule}]")


def printable(text: str) -> str:
    """A text in which a question mark stands for each character that cannot be printed: no terminal obeys it, no mark is in it."""
    return text if text.isprintable() else "".join(c if c.isprintable() else "?" for c in text)


def columns(text: str) -> int:
    """How many columns a text takes in a terminal: wide characters two, combining ones and marks none."""
    text = text if text.isascii() else unmarked(text)
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.category(c) in {"Mn", "Me", "Cf"} else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


def padded(text: str, width: int) -> str:
    """A text with blanks behind it up to a width."""
    return text + " " * (width - columns(text))


def wrapped(pieces: Iterable[str], width: int = WIDTH, *, first: str = "", hang: int = 0, join: str = " ") -> list[str]:
    """Pieces joined to lines of at most a width; the first begins with `first`, the others with `hang` blanks."""
    lines, end, empty = [first], columns(first), True
    for piece in pieces:
        gap, room = "" if empty else join, columns(piece)
        end += len(gap) + room
        if end > width and not empty:
            lines[-1] = lines[-1].rstrip()
            lines.append(" " * hang + piece)
            end = hang + room
        else:
            lines[-1] += gap + piece
        empty = False
    return lines


def sentence(text: str, width: int = WIDTH) -> list[str]:
    """A sentence wrapped between its words, continued lines indented."""
    return wrapped(text.split(" "), width, hang=4) if columns(text) > width else [text]
