"""The head of a picture: who plays, how what is played for would end, and what the last turn did, whatever is played."""

from __future__ import annotations

from functools import lru_cache

from tkid.render.palette import paint
from tkid.render.picture import Style, cut, text, wide

EDGE = 12
HEADLINE, FORECAST, TOLD = 18, 12.5, 12
"""The sizes of the letters."""
FIRST, LINE, HEADLINE_LINE, AFTER = 24, 17, 22, 20
"""The first base line, from one line to the next, the same of a headline, and from it to what is below."""
FOOT = 8
"""The room below the last base line."""
PAGE, WIDE = 108, 87
"""The heights of a head in one column, and in a picture of two."""
STYLE: Style = {
    ".head": paint(f"font-size:{HEADLINE}px;font-weight:700", fill="ink"),
    ".forecast": paint(f"font-size:{FORECAST}px", fill="ink"),
    ".told": paint(f"font-size:{TOLD}px", fill="dim"),
}


@lru_cache(256)
def head(headline: str, forecast: str, told: str, width: int, height: int) -> str:
    """All of it in so much room; a headline that is too long has two lines, and the last turn has what is left."""
    room, svg, y = width - 2 * EDGE, "", FIRST - HEADLINE_LINE
    for line in balanced(headline, room, HEADLINE, 2, bold=True):
        y += HEADLINE_LINE
        svg += text(EDGE, y, line, class_="head")
    y += AFTER
    for words, size, kept in ((forecast, FORECAST, bool(told)), (told, TOLD, False)):
        most = (height - FOOT - y) // LINE + 1 - kept
        for line in balanced(_clauses(words, room, size, most), room, size, most):
            svg += text(EDGE, y, line, class_="forecast" if words is forecast else "told")
            y += LINE
    return svg


def _clauses(words: str, room: float, size: float, most: int) -> str:
    """As many of a sentence's clauses, from the first on, as fit so many lines; the first one in any case."""
    while len(filled(words.split(), room, size)) > most and "; " in words:
        words = f"{words.rpartition('; ')[0]}."
    return words


@lru_cache(256)
def balanced(told: str, room: float, size: float, most: int, *, bold: bool = False) -> tuple[str, ...]:
    """A sentence in as few lines as fit the room, all about as long; what does not fit `most` lines is cut."""
    if most < 1:
        return ()
    words = [cut(word, room, size, bold=bold) for word in told.split()]
    lines = filled(words, room, size, bold=bold)
    if len(lines) > most:
        return (*lines[: most - 1], cut(" ".join(lines[most - 1 :]), room, size, bold=bold))
    narrower = wide(told, size, bold=bold) / max(1, len(lines))
    while narrower < room and len(filled(words, narrower, size, bold=bold)) > len(lines):
        narrower += size / 2
    return tuple(filled(words, min(narrower, room), size, bold=bold))


def filled(words: list[str], room: float, size: float, *, bold: bool = False) -> list[str]:
    """Words in lines that fit the room, each as full as it can be."""
    lines: list[str] = []
    for word in words:
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and wide(longer, size, bold=bold) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
