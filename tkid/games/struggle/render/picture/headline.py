"""The headline, how the struggle would end, and the last turn as a sentence."""

from __future__ import annotations

from functools import lru_cache

from tkid.games.struggle.render.picture.layout import EDGE
from tkid.render.picture import cut, text, wide

HEADLINE, FORECAST, TOLD = 18, 12.5, 12
"""The sizes of the letters."""
LINE = 17
"""From one line to the next."""


@lru_cache(256)
def head(headline: str, forecast: str, told: str, width: int, lines: int) -> str:
    """All of it in so much width, with the last turn in so many lines at most."""
    room = width - 2 * EDGE
    svg = text(EDGE, 24, cut(headline, room, HEADLINE, bold=True), class_="ink b h")
    y = 44
    if forecast:
        svg += text(EDGE, y, cut(forecast, room, FORECAST), class_="ink", font_size=FORECAST)
        y += LINE
    for line in balanced(told, room, TOLD, lines):
        svg += text(EDGE, y, line, class_="dim", font_size=TOLD)
        y += LINE
    return svg


def balanced(sentence: str, room: float, size: float, most: int) -> tuple[str, ...]:
    """A sentence in as few lines as fit the room, all about as long; what does not fit `most` lines is cut."""
    words = [cut(word, room, size) for word in sentence.split()]
    lines = _filled(words, room, size)
    if len(lines) > most:
        return (*lines[: most - 1], cut(" ".join(lines[most - 1 :]), room, size))
    narrower = wide(sentence, size) / max(1, len(lines))
    while narrower < room and len(_filled(words, narrower, size)) > len(lines):
        narrower += size / 2
    return tuple(_filled(words, min(narrower, room), size))


def _filled(words: list[str], room: float, size: float) -> list[str]:
    """Words in lines that fit the room, each as full as it can be."""
    lines: list[str] = []
    for word in words:
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and wide(longer, size) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
