"""A picture of a position: named parts in the order of drawing, and the SVG document made of them.

A part is a piece of SVG that changes as a whole: a replay keeps only the parts that a turn changed. Colours are in
classes, for light and for dark screens. No colour says anything that shapes, letters or words do not say too.

What people can point at has a key as its `data-at`: `card/March` in the viewer's hand, `region/MOR`, `follower/MOR/S`,
`supply/S`, `court/0/S` at a seat's court, `space/MOR` on the track, `pile/1` for the top of a seat's discard pile.

Shapes that come again and again, such as followers, are drawn once in `Picture.defs` and used from there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from html import escape
from typing import Any, Literal
from unicodedata import combining

from attrs import frozen

from tkid.kernel.game import Event
from tkid.render.fonts.widths import WIDTHS
from tkid.render.lines import columns

SANS = "system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',Helvetica,Arial,sans-serif"
WIDE = 0.78
"""The width of a letter that is not measured, for each column it takes."""
REMEMBERED = 8192
"""So many elements and widths of texts are cached: the pictures of a game have most of them in common."""
Style = Mapping[str, tuple[str, str]]
"""CSS declarations by selector: those that always hold, and those that differ on dark screens.

A selector may also be a rule such as `@media print`, with whole rules as what always holds.
"""
Layout = Literal["page", "wide", "board", "alone"]
"""What is drawn, and where: `page` is all of it, 480 units wide, under its headline; `wide` the same in two columns, 960
units wide; `board` is `page` without the headline, for pages that have their own; `alone` is only the map or the table."""


@frozen
class LastTurn:
    """The turn that led to a position: its seat, its moves, and what followed.

    `before` is the position before it, as the viewer may know it; None if that is not known.
    """

    seat: int
    moves: tuple[Any, ...]
    events: tuple[Event, ...] = ()
    before: Any = None


@frozen
class Box:
    """A rectangle, by its edges."""

    left: float
    top: float
    right: float
    bottom: float


@frozen
class Part:
    """A piece of a picture: its name, its SVG, and how far right and down that is moved.

    The same SVG at another place is the same drawing, so places are kept apart from it. Offsets are multiples of 3 units,
    which are whole pixels at a width of 640.
    """

    name: str
    svg: str
    at: tuple[int, int] = (0, 0)


@frozen
class Picture:
    """What a seat may know of a position, drawn: the title names it, the description says it in words.

    Width and height are in units of 1/480 of the least width at which people read it. Pictures of one game for one seat in
    one layout have the same size, and the same parts in the same order. A picture that shows only a part has its upper left
    corner elsewhere than at 0, 0. `defs` are shapes that the parts use by their ids; they are the same for a whole game.
    In the layout `board`, the rows of the players begin at `rows`, so that a page may show them apart from what is above
    (0: they do not stand apart).
    """

    width: int
    height: int
    title: str
    description: str
    style: Style
    parts: tuple[Part, ...]
    corner: tuple[int, int] = (0, 0)
    defs: str = ""
    rows: int = 0

    @property
    def size(self) -> str:
        """Its size as attributes of SVG."""
        left, top = self.corner
        return f'viewBox="{left} {top} {self.width} {self.height}" width="{self.width}" height="{self.height}"'


def document(picture: Picture, *, dark: bool = True) -> str:
    """A picture as an SVG document of its own; without `dark`, it is light everywhere."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {picture.size} role="img" aria-labelledby="title told">'
        f'<title id="title">{escape(picture.title, quote=False)}</title><desc id="told">{escape(picture.description, quote=False)}</desc>'
        f"<style>{css(picture.style, dark=dark)}</style>{definitions(picture)}\n{groups(picture.parts)}\n</svg>\n"
    )


def definitions(picture: Picture) -> str:
    """The shapes that the parts of a picture use."""
    return f"<defs>{picture.defs}</defs>" if picture.defs else ""


def groups(parts: Sequence[Part]) -> str:
    """Parts as groups of SVG, each under its name and at its place."""
    return "\n".join(f'<g data-part="{part.name}"{_moved(part.at)}>{part.svg}</g>' for part in parts)


def _moved(at: tuple[int, int]) -> str:
    """The attribute that moves a group; "" where it stays."""
    return f' transform="translate({at[0]} {at[1]})"' if at != (0, 0) else ""


def css(style: Style, *, dark: bool = True) -> str:
    """A style as CSS; with `dark`, dark screens get the dark colours."""
    always = "".join(f"{selector}{{{declarations}}}" for selector, (declarations, _) in style.items())
    night = "".join(f"{selector}{{{declarations}}}" for selector, (_, declarations) in style.items() if declarations)
    return always + (f"@media screen and (prefers-color-scheme:dark){{{night}}}" if dark and night else "")


@lru_cache(REMEMBERED)
def element(name: str, content: str = "", /, **attributes: object) -> str:
    """An element of SVG around other SVG. `class_` is written as class, `font_size` as font-size; None is left out."""
    start = name + "".join(
        [f' {_name(key)}="{_value(value)}"' for key, value in attributes.items() if value is not None]
    )
    return f"<{start}>{content}</{name}>" if content else f"<{start}/>"


def text(x: float, y: float, words: str, /, **attributes: object) -> str:
    """A line of text at a place."""
    return element("text", escape(words, quote=False), x=x, y=y, **attributes)


@lru_cache(REMEMBERED)
def wide(words: str, size: float = 11, *, bold: bool = False) -> float:
    """The width of a line of text in the widest of the fonts; that of unusual letters is guessed."""
    table = WIDTHS[bold]
    return size * sum([table.get(letter) or WIDE * columns(letter) for letter in words])


def cut(words: str, room: float, size: float = 11, *, bold: bool = False) -> str:
    """A text cut to fit the room, with an ellipsis if anything is missing."""
    if wide(words, size, bold=bold) <= room:
        return words
    kept = words
    while kept and (
        wide(f"{kept}\u2026", size, bold=bold) > room or combining(words[len(kept) : len(kept) + 1] or " ")
    ):
        kept = kept[:-1]
    return f"{kept.rstrip()}\u2026"


@cache
def _name(key: str) -> str:
    """The name of an attribute in SVG."""
    return key.rstrip("_").replace("_", "-")


def _value(value: object) -> str:
    """The value of an attribute, between double quotes."""
    if isinstance(value, float):
        return f"{value:.1f}".removesuffix(".0")
    written = str(value)
    return written if written.isalnum() else escape(written, quote=False).replace('"', "&quot;")
