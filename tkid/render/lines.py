"""Lines of text: width, wrapping, colour marks.

A mark is one character that no printable text holds; it takes no column. Marked pieces do not nest.

The colours are from the 256 of a terminal, which no theme changes, unlike the first sixteen. Each has a contrast of at
least three to one on black and on white. Blue, crimson and gold are the printed colours of three factions, in shades
that differ for colour-blind eyes too. Bold makes single letters heavy enough for a colour. Letters, signs or words repeat
what a colour says.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

HEADING, DUE, CONTESTED, WINS, WARNING, RULE, PLACE, WRONG = map(chr, range(0xE000, 0xE008))
"""A heading; the next player; the contested region; a winner; a warning; a rule's id; a place in a file; a mistake."""
FACTIONS = tuple(map(chr, range(0xE010, 0xE015)))
"""A piece about a faction, by its place among the factions."""
END = "\ue0ff"
"""The end of a marked piece."""
MARKS = "\ue000-\ue0ff"

_MARK = re.compile(f"[{MARKS}]")
_MARKED = re.compile(f"([{MARKS}])([^{MARKS}]*){END}")
_CELL = re.compile(f"[{MARKS}]?[^{MARKS}]{END}?")
_WITHIN_LINE = re.compile(r"\S(?:.*\S)?")


def mark_text(mark: str, text: str) -> str:
    return f"{mark}{text}{END}"


def get_faction_mark(place: int) -> str:
    """Return the mark of a faction, by its place; with more factions than marks, they begin again."""
    return FACTIONS[place % len(FACTIONS)]


def strip_marks(text: str) -> str:
    return _MARK.sub("", text)


def split_cells(text: str) -> list[str]:
    """Split a text into characters, each with the marks that begin before it or end after it."""
    return _CELL.findall(text)


class Pen(NamedTuple):
    """Writes marked text: `codes` has the terminal's code for each mark, such as `1;38;5;32`."""

    codes: Mapping[str, str]

    def __call__(self, text: str) -> str:
        """Replace the marks in a text by escape sequences, closed at the end of each line."""
        return _MARKED.sub(self._write_piece, text) if self.codes else strip_marks(text)

    def _write_piece(self, piece: re.Match[str]) -> str:
        mark, text = piece.groups()
        return _WITHIN_LINE.sub(rf"\033[{self.codes[mark]}m\g<0>\033[0m", text)


PLAIN = Pen({})
"""Writes no colour."""

_BOLD, _UNDERLINED, _COLOUR = "1", "4", "38;5;"
_BLUE, _CRIMSON, _GOLD, _PURPLE, _PLUM, _RED, _GREY = 32, 161, 136, 93, 126, 160, 244
TERMINAL = Pen(
    dict.fromkeys((HEADING, DUE, CONTESTED, WINS, PLACE), _BOLD)
    | {WARNING: f"{_BOLD};{_UNDERLINED}", WRONG: f"{_BOLD};{_COLOUR}{_RED}", RULE: f"{_COLOUR}{_GREY}"}
    | {
        mark: f"{_BOLD};{_COLOUR}{hue}"
        for mark, hue in zip(FACTIONS, (_BLUE, _CRIMSON, _GOLD, _PURPLE, _PLUM), strict=True)
    }
)
"""Writes the colours of a terminal."""


COMMAND = re.compile(r"(?<![^ ]):(?=:)|#(?=#\[)")
"""The first sign of a command at the start of a line, or behind a blank."""
WIDTH = 78
"""The longest line: quoted in a mail it still fits on one."""


def mark_events(told: Iterable[tuple[str, str]], width: int = WIDTH) -> list[str]:
    """Return what happened as sentences with the marked ids of their rules, wrapped."""
    return [line for text, rule in told for line in wrap_sentence(f"{text} {mark_rule_id(rule)}", width)]


def event_block(told: Iterable[tuple[str, str]]) -> list[str]:
    return [mark_text(HEADING, "WHAT HAPPENED"), *(f"  {line}" for line in mark_events(told, WIDTH - 2))]


def mark_rule_id(rule: str) -> str:
    return mark_text(RULE, f"[{rule}]")


def make_printable(text: str) -> str:
    """Replace white space by a blank, and what is otherwise unprintable, such as marks and commands, by `?`."""
    return text if text.isprintable() else "".join(c if c.isprintable() else " " if c.isspace() else "?" for c in text)


def log_text(text: str) -> str:
    """Make a text printable, and no command to GitHub, which reads commands in the log of a workflow."""
    return COMMAND.sub("?", make_printable(text))


def count_columns(text: str) -> int:
    """Count the columns of a text in a terminal: wide characters take two, combining ones and marks none."""
    text = text if text.isascii() else strip_marks(text)
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.category(c) in {"Mn", "Me", "Cf"} else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


def fill_with_blanks(text: str, width: int) -> str:
    return text + " " * (width - count_columns(text))


def wrap_pieces(
    pieces: Iterable[str], width: int = WIDTH, *, first: str = "", hang: int = 0, join: str = " "
) -> list[str]:
    """Join pieces to lines of at most a width; the first begins with `first`, the others with `hang` blanks."""
    lines, end, gap = [first], count_columns(first), ""
    for piece in pieces:
        room = count_columns(piece)
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
    """Write an indented label of a given width, and pieces with commas after it, wrapped."""
    listed = [*(f"{piece}," for piece in pieces[:-1]), *pieces[-1:]]
    return wrap_pieces(listed, first=f"     {label:<{room}}", hang=5 + room)


def wrap_sentence(text: str, width: int = WIDTH) -> list[str]:
    """Wrap a sentence between words, with continued lines indented."""
    return wrap_pieces(text.split(" "), width, hang=4) if count_columns(text) > width else [text]
