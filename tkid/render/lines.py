"""Lines of plain text: how wide they are, how they are wrapped; and what happened, in sentences. For every family."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from tkid.kernel.game import Event

WIDTH = 78
"""No line is longer: a mail may quote it and it still stays on its line."""


def event_lines(events: Iterable[Event], names: Sequence[str], width: int = WIDTH) -> list[str]:
    """Each event as a sentence with its rule id, wrapped; continued lines are indented."""
    return [line for event in events for line in sentence(f"{event.read(names)} [{event.rule}]", width)]


def columns(text: str) -> int:
    """How many columns a text takes in a terminal: wide characters two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.category(c) in {"Mn", "Me", "Cf"} else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


def wrapped(pieces: Iterable[str], width: int = WIDTH, *, first: str = "", hang: int = 0, join: str = " ") -> list[str]:
    """Pieces joined to lines of at most a width; the first begins with `first`, the others with `hang` blanks."""
    lines, empty = [first], True
    for piece in pieces:
        longer = lines[-1] + ("" if empty else join) + piece
        if not empty and columns(longer) > width:
            lines[-1] = lines[-1].rstrip()
            longer = " " * hang + piece
            lines.append(longer)
        lines[-1], empty = longer, False
    return lines


def sentence(text: str, width: int = WIDTH) -> list[str]:
    """A sentence wrapped between its words, continued lines indented."""
    return wrapped(text.split(" "), width, hang=4)
