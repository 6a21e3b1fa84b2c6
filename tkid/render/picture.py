"""A picture of a position: named parts in the order of drawing, and the SVG document made of them. For every family.

A part is a piece of SVG that changes as a whole, so that a replay keeps only the parts which a turn changed. What
people may point at carries a `data-at` that names it (see `AT`). Colours stand in classes: a document has the
light ones, and the dark ones for screens that are set so. No colour tells anything alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any
from unicodedata import combining
from xml.sax.saxutils import escape

from attrs import frozen

from tkid.kernel.game import Event
from tkid.render.lines import columns

AT: Mapping[str, str] = {
    "card": "a card in the viewer's hand: `card/March`",
    "region": "a region: `region/MOR`",
    "follower": "a follower in a region: `follower/MOR/S`",
    "supply": "a follower in the supply: `supply/S`",
    "court": "a follower at a seat's court: `court/0/S`",
    "space": "a region card on the track: `space/MOR`",
    "pile": "the top card of a seat's discard pile: `pile/1`",
}
"""What may be pointed at in a picture, by the first word of its `data-at`."""

SANS = "system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',Helvetica,Arial,sans-serif"
NARROW, BROAD = " .,:;'|!ijlItfr()[]-/\u00b7", "mwMW@%\u2192\u2026"
QUOTES = {'"': "&quot;"}
REMEMBERED = 8192
"""So many elements, and widths of texts, are remembered: the pictures of a game have most of them in common."""
Style = Mapping[str, tuple[str, str]]
"""Declarations of CSS by selector: what always holds and the light colours, and what differs on dark screens."""


@frozen
class Last:
    """The turn before a position: whose it was, the moves that it was made of, and what followed.

    `before` is the position before it, as whoever looks may know it; None where that is not known.
    """

    seat: int
    moves: tuple[Any, ...]
    events: tuple[Event, ...] = ()
    before: Any = None


@frozen
class Part:
    """A piece of a picture: its name, and its SVG."""

    name: str
    svg: str


@frozen
class Picture:
    """What a seat may know of a position, drawn: `title` names it, `told` says it in words.

    Width and height are in units of 1/480 of the width at which it is meant to be read at least. Pictures of the
    same game for the same seat have the same size and the same parts in the same order.
    """

    width: int
    height: int
    title: str
    told: str
    style: Style
    parts: tuple[Part, ...]


def document(picture: Picture, *, dark: bool = True) -> str:
    """A picture as an SVG document of its own; without `dark`, it is light everywhere."""
    size = f'viewBox="0 0 {picture.width} {picture.height}" width="{picture.width}" height="{picture.height}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="title told">'
        f'<title id="title">{escape(picture.title)}</title><desc id="told">{escape(picture.told)}</desc>'
        f"<style>{css(picture.style, dark=dark)}</style>\n{drawn(picture.parts)}\n</svg>\n"
    )


def drawn(parts: Sequence[Part]) -> str:
    """Parts as groups of SVG, each under its name."""
    return "\n".join(f'<g data-part="{part.name}">{part.svg}</g>' for part in parts)


def css(style: Style, *, dark: bool = True) -> str:
    """A style as CSS; with `dark`, screens that are set so get the dark colours."""
    light = "".join(f"{selector}{{{usual}}}" for selector, (usual, _) in style.items())
    night = "".join(f"{selector}{{{other}}}" for selector, (_, other) in style.items() if other)
    return light + (f"@media screen and (prefers-color-scheme:dark){{{night}}}" if dark and night else "")


@lru_cache(REMEMBERED)
def element(name: str, content: str = "", /, **attributes: object) -> str:
    """An element of SVG; `content` is SVG already. `class_` is written as class, `font_size` as font-size."""
    written = "".join([f' {_named(key)}="{_value(value)}"' for key, value in attributes.items() if value is not None])
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def text(x: float, y: float, words: str, /, **attributes: object) -> str:
    """A line of text at a place."""
    return element("text", escape(words), x=x, y=y, **attributes)


@lru_cache(REMEMBERED)
def wide(words: str, size: float = 11, *, bold: bool = False) -> float:
    """How wide a line of text is at most, about, in the widest of the fonts that are asked for."""
    narrow = sum(map(words.count, NARROW))
    broad = sum(map(words.count, BROAD)) + columns(words) - len(words)
    usual = 0.64 * (len(words) - narrow - broad) + 0.12 * sum(map(str.isupper, words))
    return size * (1.1 if bold else 1.0) * (usual + 0.36 * narrow + 0.95 * broad)


def cut(words: str, room: float, size: float = 11, *, bold: bool = False) -> str:
    """A text that is not wider than so much, with an ellipsis where it is cut."""
    if wide(words, size, bold=bold) <= room:
        return words
    kept = words
    while kept and (
        wide(f"{kept}\u2026", size, bold=bold) > room or combining(words[len(kept) : len(kept) + 1] or " ")
    ):
        kept = kept[:-1]
    return f"{kept.rstrip()}\u2026"


@cache
def _named(key: str) -> str:
    """The name of an attribute as SVG writes it."""
    return key.rstrip("_").replace("_", "-")


def _value(value: object) -> str:
    """The value of an attribute, between double quotes."""
    if isinstance(value, float):
        return f"{value:.1f}".removesuffix(".0")
    written = str(value)
    return written if written.isalnum() else escape(written, QUOTES)
