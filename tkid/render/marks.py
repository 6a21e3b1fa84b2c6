"""What a piece of text is, marked where it is written; and pens, which make colours of the marks, or nothing.

A mark is one character that no printable text holds; it takes no column. Marked pieces do not stand within each other.

The colours are of the 256 that every terminal of today has and no theme changes, unlike the first sixteen. Each has a
contrast of three to one or more on black and on white alike. Blue, crimson and gold are the printed colours of three
factions, in a choice of shades that stay apart for eyes which lack red, green or blue; purple and plum go on from
there. Bold makes single letters heavy enough for a colour. No colour says what letters, signs or words do not say too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from attrs import frozen

HEADING, DUE, CONTESTED, WINS, WARNING, RULE, PLACE, WRONG = map(chr, range(0xE000, 0xE008))
"""A heading; who has to act; the contested region; a winner; what to beware of; a rule's id; a place in a file; a mistake."""
FACTIONS = tuple(map(chr, range(0xE010, 0xE015)))
"""What belongs to a faction, by its place among the factions."""
END = "\ue0ff"
"""Where a marked piece ends."""
MARKS = "\ue000-\ue0ff"

_MARK = re.compile(f"[{MARKS}]")
_MARKED = re.compile(f"([{MARKS}])([^{MARKS}]*){END}")
_CELL = re.compile(f"[{MARKS}]?[^{MARKS}]{END}?")
_WITHIN_LINE = re.compile(r"\S(?:.*\S)?")


def marked(mark: str, text: str) -> str:
    """A piece of text with what it is."""
    return f"{mark}{text}{END}"


def faction(place: int) -> str:
    """The mark of a faction, by its place; where there are more than marks, they begin again."""
    return FACTIONS[place % len(FACTIONS)]


def unmarked(text: str) -> str:
    """A text without its marks."""
    return _MARK.sub("", text)


def cells(text: str) -> list[str]:
    """The characters of a text, each with the mark that begins before it and the one that ends behind it."""
    return _CELL.findall(text)


@frozen
class Pen:
    """Writes marked text: `codes` are what a terminal is told for each mark, as in `1;38;5;32`."""

    codes: Mapping[str, str]

    def __call__(self, text: str) -> str:
        """The text with escape sequences in place of the marks; none goes on over the end of a line."""
        return _MARKED.sub(self._written, text) if self.codes else unmarked(text)

    def _written(self, found: re.Match[str]) -> str:
        mark, text = found.groups()
        return _WITHIN_LINE.sub(rf"\033[{self.codes[mark]}m\g<0>\033[0m", text)


PLAIN = Pen(MappingProxyType({}))
"""Writes no colour."""

_BOLD, _UNDERLINED, _COLOUR = "1", "4", "38;5;"
_BLUE, _CRIMSON, _GOLD, _PURPLE, _PLUM, _RED, _GREY = 32, 161, 136, 93, 126, 160, 244
TERMINAL = Pen(
    MappingProxyType(
        dict.fromkeys((HEADING, DUE, CONTESTED, WINS, PLACE), _BOLD)
        | {WARNING: f"{_BOLD};{_UNDERLINED}", WRONG: f"{_BOLD};{_COLOUR}{_RED}", RULE: f"{_COLOUR}{_GREY}"}
        | {faction(at): f"{_BOLD};{_COLOUR}{of}" for at, of in enumerate((_BLUE, _CRIMSON, _GOLD, _PURPLE, _PLUM))}
    )
)
"""Writes the colours of a terminal."""
