"""The head of a picture: who plays, how what is played for would end, and what the last turn did, whatever is played."""

from __future__ import annotations

from functools import lru_cache

from tkid.render.palette import paint
from tkid.render.picture import Style, cut, text, wide

MARGIN = 12
HEADLINE, FORECAST, TOLD = 18, 12.5, 12
FIRST, SECOND, STEP = 24, 44, 17
"""The base lines of the headline and of the line below it, and how far lines are apart."""
PAGE, WIDE = (108, 4), (72, 2)
"""The height of a head and how many lines have room below the headline, in one column and in a picture of two."""
STYLE: Style = {
    ".head": (f"font-size:{HEADLINE}px;font-weight:700", ""),
    ".forecast": (f"font-size:{FORECAST}px", ""),
    ".told": paint(f"font-size:{TOLD}px", fill="dim"),
}


@lru_cache(256)
def head(headline: str, forecast: str, told: str, width: int, most: int) -> str:
    """The headline, and below it the forecast and the last turn, in so many lines at most."""
    room, base = width - 2 * MARGIN, SECOND
    svg = text(MARGIN, FIRST, cut(headline, room, HEADLINE, bold=True), class_="head")
    kept = bool(told)
    for words, size, name in ((forecast, FORECAST, "forecast"), (told, TOLD, "told")):
        for line in balanced(words, room, size, most - kept):
            svg += text(MARGIN, base, line, class_=name)
            base += STEP
            most -= 1
        kept = False
    return svg


def balanced(words: str, room: float, size: float, most: int) -> list[str]:
    """A sentence in as few lines as fit the room, all about as long; beyond `most` lines it is cut."""
    lines = broken(words, room, size) if words else []
    if len(lines) > most:
        return [*lines[: most - 1], cut(" ".join(lines[most - 1 :]), room, size)]
    narrower = room
    while len(closer := broken(words, narrower - 6, size)) == len(lines) > 1:
        lines, narrower = closer, narrower - 6
    return [cut(line, room, size) for line in lines]


def broken(words: str, room: float, size: float) -> list[str]:
    """A text broken between words, into lines that fit the room as far as single words do."""
    lines: list[str] = []
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and wide(longer, size) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
