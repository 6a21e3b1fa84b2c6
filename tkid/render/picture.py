"""A picture as SVG: parts, headline, colours, letter widths.

A faction has four colours: its piece or card, the text on it, a tint for its leads and current votes, and a stronger one
for settled results. A shape, a letter or a word repeats what a colour says.

A part is a piece of SVG that changes as a whole: a replay keeps only the parts that a turn changed. Colours are in
classes, for light and for dark screens.

What people can point at has a key as its `data-at`: `card/March` in the viewer's hand, `region/MOR`, `follower/MOR/S`,
`supply/S`, `court/0/S` at a seat's court, `space/MOR` on the track, `pile/1` for the top of a seat's discard pile.

Shapes that many places use, such as followers, are drawn once in `Picture.defs` and used from there.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from html import escape
from importlib.resources import files
from typing import Any, Literal
from unicodedata import combining

from attrs import frozen

from tkid.kernel.game import Event
from tkid.render.lines import count_columns

_PALETTE = json.loads(files("tkid.render").joinpath("palette.json").read_text("utf-8"))
ROLES: Mapping[str, tuple[str, str]] = {role: (light, dark) for role, (light, dark) in _PALETTE.items()}
"""Light and dark, by role; the factions of The King is Dead by their place, as in `Board.factions`, Claim's by name."""
LIGHT, DARK = 0, 1


def paint(rest: str = "", **roles: str) -> tuple[str, str]:
    """Write the declarations of a class of SVG as `Style` has them: those that always hold, and those for the dark.

    `fill="sea"`, `stroke="ink"` and `stop_color="land"` name roles; `stroke-width` and the like belong in `rest`,
    as CSS.
    """
    light, dark = (
        [f"{name.replace('_', '-')}:{ROLES[role][scheme]}" for name, role in roles.items()] for scheme in (LIGHT, DARK)
    )
    return ";".join([*light, *filter(None, [rest])]), ";".join(dark)


def write_css_variables(roles: Iterable[str] = ROLES) -> str:
    """Write the roles as variables of CSS, for pages: `var(--sea)`."""
    light, dark = ("".join(f"--{role}:{ROLES[role][side]};" for role in roles) for side in (LIGHT, DARK))
    return f":root{{{light}}}@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}"


WIDTHS: Mapping[str, Mapping[str, float]] = json.loads(files("tkid.render").joinpath("widths.json").read_text("utf-8"))
"""The widths of regular and of bold letters: those of ASCII, and a few more."""
LEAST = 12.9
"""The smallest letters of words: 10 pixels where 480 units are 374 pixels wide, as on a phone."""
SANS = "system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',Helvetica,Arial,sans-serif"
UNMEASURED_WIDTH = 0.78
"""The width of a letter that is not measured, for each column it takes."""
REMEMBERED = 512
"""Cache size for elements and text widths: the pictures of a game share most of them."""
Style = Mapping[str, tuple[str, str]]
"""CSS declarations by selector: those that always hold, and those that differ on dark screens.

A selector may also be a rule such as `@media print`, with whole rules as what always holds.
"""


def read_style(package: str | None, section: str) -> Style:
    """Read a section of the `style.toml` of a package: the roles of each class, and the `rest` of its declarations."""
    rows = tomllib.loads(files(package or "").joinpath("style.toml").read_text("utf-8"))[section]
    return {selector: paint(**row) for selector, row in rows.items()}


def read_css(package: str | None, name: str) -> str:
    """Read a CSS file of a package, without comments and idle spaces."""
    text = re.sub(r"/\*.*\*/", "", files(package or "").joinpath(f"{name}.css").read_text("utf-8")).strip()
    return re.sub(r"(?<=[{};,:])\s+|;?\s+(?=[{}])", "", text)


Layout = Literal["page", "wide", "board", "click", "alone"]
"""What is drawn, and where: `page` is all of it, 480 units wide, under its headline; `wide` the same in two columns, 960
units wide; `board` is `page` without the headline, for pages that have their own; `click` is a `board` that fits a phone too;
`alone` is only the map or the table."""


@frozen
class LastTurn:
    """The turn that led to a position, with the one `before` it as the viewer may know it, None if unknown."""

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
class Low:
    """A lower form of what is above the rows, for phones: its size, and the CSS that brings the parts into it."""

    width: float
    height: float
    css: str


@frozen
class Picture:
    """Drawing of what a seat may know of a position: the title names it, the description says it in words.

    Width and height are in units of 1/480 of the least width at which people read it. Pictures of one game for one
    seat in one layout have the same size, and the same parts in the same order. A picture that shows only a part
    has its upper left corner elsewhere than at 0, 0. `defs` are shapes that the parts use by their ids; they are
    the same for a whole game. In the layout `board`, the rows of the players begin at `rows`, so that a page may
    show them apart from what is above (0: they are not apart), as in `click`, which `low` changes for phones.
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
    low: Low | None = None

    @property
    def size(self) -> str:
        """Its size as attributes of SVG."""
        left, top = self.corner
        return f'viewBox="{left} {top} {self.width} {self.height}" width="{self.width}" height="{self.height}"'


def write_svg_document(picture: Picture, *, dark: bool = True) -> str:
    """Write a picture as an SVG document of its own; without `dark`, it is light everywhere."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {picture.size} role="img" aria-labelledby="title told">'
        f'<title id="title">{escape(picture.title, quote=False)}</title><desc id="told">{escape(picture.description, quote=False)}</desc>'
        f"<style>{write_css(picture.style, dark=dark)}</style>{write_definitions(picture)}\n{write_groups(picture.parts)}\n</svg>\n"
    )


def write_definitions(picture: Picture) -> str:
    return f"<defs>{picture.defs}</defs>" if picture.defs else ""


def write_groups(parts: Sequence[Part]) -> str:
    """Write parts as groups of SVG, each under its name and at its place."""
    return "\n".join(f'<g data-part="{part.name}"{_write_transform(part.at)}>{part.svg}</g>' for part in parts)


def _write_transform(at: tuple[int, int]) -> str:
    return f' transform="translate({at[0]} {at[1]})"' if at != (0, 0) else ""


def write_css(style: Style, *, dark: bool = True) -> str:
    """Write a style as CSS; with `dark`, dark screens get the dark colours."""
    always = "".join(f"{selector}{{{declarations}}}" for selector, (declarations, _) in style.items())
    night = "".join(f"{selector}{{{declarations}}}" for selector, (_, declarations) in style.items() if declarations)
    return always + (f"@media screen and (prefers-color-scheme:dark){{{night}}}" if dark and night else "")


@lru_cache(REMEMBERED)
def write_element(name: str, content: str = "", /, **attributes: object) -> str:
    """Write an element of SVG around other SVG: `class_` as class, `font_size` as font-size; None is left out."""
    start = name
    for key, value in attributes.items():
        if value is not None:
            start += f' {_format_attribute_name(key)}="{_format_attribute_value(value)}"'
    return f"<{start}>{content}</{name}>" if content else f"<{start}/>"


def write_text_element(x: float, y: float, words: str, /, **attributes: object) -> str:
    return write_element("text", escape(words, quote=False), x=x, y=y, **attributes)


@lru_cache(REMEMBERED)
def measure_text(words: str, size: float = LEAST, *, bold: bool = False) -> float:
    """Return the width of a line of text in the widest of the fonts; that of unusual letters is guessed."""
    table = WIDTHS["bold" if bold else "regular"]
    return size * sum([table.get(letter) or UNMEASURED_WIDTH * count_columns(letter) for letter in words])


def truncate_to_room(words: str, room: float, size: float = LEAST, *, bold: bool = False) -> str:
    """Cut a text to fit the room, with an ellipsis if anything is missing."""
    if measure_text(words, size, bold=bold) <= room:
        return words
    kept = words
    while kept and (
        measure_text(f"{kept}\u2026", size, bold=bold) > room or combining(words[len(kept) : len(kept) + 1] or " ")
    ):
        kept = kept[:-1]
    return f"{kept.rstrip()}\u2026"


@cache
def _format_attribute_name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _format_attribute_value(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.1f}".removesuffix(".0")
    written = str(value)
    return written if written.isalnum() else escape(written, quote=False).replace('"', "&quot;")


EDGE = 12
HEADLINE, FORECAST, TOLD = 18, LEAST, LEAST
"""The sizes of the letters."""
FIRST, LINE, HEADLINE_LINE, AFTER = 24, 17, 22, 20
"""The first base line, from one line to the next, the same of a headline, and from it to what is below."""
FOOT = 8
"""The room below the last base line."""
PAGE, WIDE = 120, 87
"""The heights of a head in one column, and in a picture of two."""
STYLE: Style = {
    ".head": paint(f"font-size:{HEADLINE}px;font-weight:700", fill="ink"),
    ".forecast": paint(f"font-size:{FORECAST}px", fill="ink"),
    ".told": paint(f"font-size:{TOLD}px", fill="dim"),
}


@lru_cache(256)
def draw_head(headline: str, forecast: str, told: str, width: int, height: int) -> str:
    """Draw headline (two lines if it is long), forecast and, in the rest of the room, the last turn."""
    room, svg, y = width - 2 * EDGE, "", FIRST - HEADLINE_LINE
    for line in balance_lines(headline, room, HEADLINE, 2, bold=True):
        y += HEADLINE_LINE
        svg += write_text_element(EDGE, y, line, class_="head")
    y += AFTER
    for words, size, kept in ((forecast, FORECAST, bool(told)), (told, TOLD, False)):
        most = (height - FOOT - y) // LINE + 1 - kept
        for line in balance_lines(_keep_clauses(words, room, size, most), room, size, most):
            svg += write_text_element(EDGE, y, line, class_="forecast" if words is forecast else "told")
            y += LINE
    return svg


def _keep_clauses(words: str, room: float, size: float, most: int) -> str:
    """Return as many of a sentence's first clauses as fit the lines, but at least one."""
    while len(fill_lines(words.split(), room, size)) > most and "; " in words:
        words = f"{words.rpartition('; ')[0]}."
    return words


@lru_cache(256)
def balance_lines(told: str, room: float, size: float, most: int, *, bold: bool = False) -> tuple[str, ...]:
    """Wrap a sentence to as few lines as fit the room, all about as long; cut what does not fit `most` lines."""
    if most < 1:
        return ()
    words = [truncate_to_room(word, room, size, bold=bold) for word in told.split()]
    lines = fill_lines(words, room, size, bold=bold)
    if len(lines) > most:
        return (*lines[: most - 1], truncate_to_room(" ".join(lines[most - 1 :]), room, size, bold=bold))
    narrower = measure_text(told, size, bold=bold) / max(1, len(lines))
    while narrower < room and len(fill_lines(words, narrower, size, bold=bold)) > len(lines):
        narrower += size / 2
    return tuple(fill_lines(words, min(narrower, room), size, bold=bold))


def fill_lines(words: list[str], room: float, size: float, *, bold: bool = False) -> list[str]:
    """Wrap words to lines that fit the room, each as full as it can be."""
    lines: list[str] = []
    for word in words:
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and measure_text(longer, size, bold=bold) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
