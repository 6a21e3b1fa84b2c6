"""Markup in text: marks that say what a piece of it is, and pens that turn them into colours, or drop them.

A mark is one character that no printable text holds; it takes no column. Marked pieces do not nest.

The colours are from the 256 of a terminal, which no theme changes, unlike the first sixteen. Each has a contrast of at
least three to one on black and on white. Blue, crimson and gold are the printed colours of three factions, in shades
that differ for colour-blind eyes too. Bold makes single letters heavy enough for a colour. No colour says anything that
letters, signs or words do not say too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from attrs import frozen

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


def marked(mark: str, text: str) -> str:
    """A piece of text within its mark."""
    return f"{mark}{text}{END}"


def faction(place: int) -> str:
    """The mark of a faction, by its place; with more factions than marks, they begin again."""
    return FACTIONS[place % len(FACTIONS)]


def unmarked(text: str) -> str:
    """A text without its marks."""
    return _MARK.sub("", text)


def cells(text: str) -> list[str]:
    """The characters of a text, each with the marks that begin before it or end behind it."""
    return _CELL.findall(text)


@frozen
class Pen:
    """Writes marked text: `codes` has the terminal's code for each mark, such as `1;38;5;32`."""

    codes: Mapping[str, str]

    def __call__(self, text: str) -> str:
        """The text with escape sequences in place of the marks, closed at the end of each line."""
        return _MARKED.sub(self._written, text) if self.codes else unmarked(text)

    def _written(self, piece: re.Match[str]) -> str:
        mark, text = piece.groups()
        return _WITHIN_LINE.sub(rf"\033[{self.codes[mark]}m\g<0>\033[0m", text)


PLAIN = Pen(MappingProxyType({}))
"""Writes no colour."""

_BOLD, _UNDERLINED, _COLOUR = "1", "4", "38;5;"
_BLUE, _CRIMSON, _GOLD, _PURPLE, _PLUM, _RED, _GREY = 32, 161, 136, 93, 126, 160, 244
TERMINAL = Pen(
    MappingProxyType(
        dict.fromkeys((HEADING, DUE, CONTESTED, WINS, PLACE), _BOLD)
        | {WARNING: f"{_BOLD};{_UNDERLINED}", WRONG: f"{_BOLD};{_COLOUR}{_RED}", RULE: f"{_COLOUR}{_GREY}"}
        | {
            mark: f"{_BOLD};{_COLOUR}{hue}"
            for mark, hue in zip(FACTIONS, (_BLUE, _CRIMSON, _GOLD, _PURPLE, _PLUM), strict=True)
        }
    )
)
"""Writes the colours of a terminal."""
