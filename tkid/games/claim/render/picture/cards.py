"""The cards: faces, backs, small ones, and the emblem, colours and letter of each faction, all at the origin.

The colours differ clearly for colour-blind eyes too.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from attrs import frozen

from tkid.games.claim.rules.deck import DOPPELGANGER, DWARF, GOBLIN, KNIGHT, UNDEAD, Card
from tkid.render.palette import paint
from tkid.render.picture import Style, element, text

ROLE: Mapping[str, str] = {
    GOBLIN: "goblins",
    KNIGHT: "knights",
    DWARF: "dwarves",
    UNDEAD: "undead",
    DOPPELGANGER: "doppelgangers",
}
"""The name of each faction's colours in the palette."""

EMBLEMS: Mapping[str, str] = {
    GOBLIN: (
        "M0 4.5 6 6.5Q10 3 14 6.5L20 4.5 16 12Q15 17.5 10 19 5 17.5 4 12Z"
        "M5.6 9.2 9 11.2 7 13ZM14.4 9.2 11 11.2 13 13ZM7 14.6H13L10 16.6Z"
    ),
    KNIGHT: "M2.5 1.5H17.5V10Q17.5 16 10 19.5 2.5 16 2.5 10ZM8.7 4.2V7.8H5.2V10.4H8.7V16.4H11.3V10.4H14.8V7.8H11.3V4.2Z",
    DWARF: (
        "M10.6.6 19.4 9.4 14.6 14.2 11.4 11 2.9 19.5.5 17.1 9 8.6 5.8 5.4Z"
        "M16.5 8.2 17.2 8.9 14.1 12 13.4 11.3ZM11.8 3.5 11.1 2.8 8 5.9 8.7 6.6Z"
    ),
    UNDEAD: (
        "M10 1C15.4 1 18.5 4.6 18.5 8.8 18.5 11.8 17 13.6 15 14.8V19H5V14.8C3 13.6 1.5 11.8 1.5 8.8 1.5 4.6 4.6 1 10 1Z"
        "M4.3 9a2.3 2.3 0 1 0 4.6 0 2.3 2.3 0 1 0-4.6 0ZM11.1 9a2.3 2.3 0 1 0 4.6 0 2.3 2.3 0 1 0-4.6 0Z"
        "M10 11.6 11.3 14H8.7ZM7.6 16H8.6V19H7.6ZM11.4 16H12.4V19H11.4Z"
    ),
    DOPPELGANGER: (
        "M10 1C4 1 2 4.2 2 8.6 2 14 5.6 19 10 19ZM4.2 7.4H8.4V10H4.2Z"
        "M10 1C16 1 18 4.2 18 8.6 18 14 14.4 19 10 19ZM10 2.6C14.6 2.6 16.4 5 16.4 8.6 16.4 13 13.6 17.4 10 17.4Z"
        "M11.6 7.4H15V10H11.6Z"
    ),
}
"""The emblem of each faction as a path in a square of 20: a head with ears, a shield, a hammer, a skull, two faces."""
CROWN = "M1 4.5 5.5 10 10 1.5 14.5 10 19 4.5 17 17H3Z"
"""The sign of a vote, in the same square."""


@frozen
class Size:
    """The measures of a card: width, height, corners, band, the font sizes, the top and the emblem of its coloured field."""

    key: str
    width: int
    height: int
    corner: float
    band: float
    value: int
    letter: int
    field: float
    emblem: float


TRICK = Size("t", 84, 120, 8, 8, 36, 22, 50, 46)
STAKE = Size("s", 54, 78, 6, 6, 24, 15, 34, 30)
HAND = Size("h", 33, 52, 5, 5, 19, 13, 25, 20)
SMALL = Size("p", 24, 36, 4, 4, 13, 11, 18, 13)
SIZES = (TRICK, STAKE, HAND, SMALL)
"""Cards of the trick, the prize with the deck, cards in the viewer's hand, and in all other hands and follower piles."""
CHIP, CHIP_HEIGHT = 31, 18
LATTICE = 8
"""How far the lines on a back are apart."""

STYLE: Style = {
    ".c-paper": paint("stroke-width:1", fill="card", stroke="coast"),
    ".c-aside": paint("stroke-width:1", fill="panel", stroke="rule"),
    ".c-back": paint("stroke-width:1", fill="back", stroke="coast"),
    ".c-weave": paint("fill:none;stroke-width:.6;stroke-opacity:.6", stroke="on-back"),
    ".c-led": paint("fill:none;stroke-width:3", stroke="ink"),
    ".c-last": paint("fill:none;stroke-width:2.6", stroke="last"),
    ".c-value": ("font-weight:700", ""),
    **{f".c-value-{size.key}": (f"font-size:{size.value}px", "") for size in SIZES},
    **{f".c-letter-{size.key}": (f"font-size:{size.letter}px;text-anchor:end", "") for size in SIZES},
    ".c-chip": ("font-size:12px;font-weight:700;text-anchor:middle", ""),
    ".c-edge": paint("stroke-width:.8", stroke="edge"),
    **{f".c-{letter}": paint(fill=role) for letter, role in ROLE.items()},
    **{f".c-on-{letter}": paint(fill=f"on-{role}") for letter, role in ROLE.items()},
    **{f".c-tint-{letter}": paint(fill=f"tint-{role}") for letter, role in ROLE.items()},
    **{f".c-won-{letter}": paint(fill=f"won-{role}") for letter, role in ROLE.items()},
}


@cache
def defs() -> str:
    """The emblems, the sign of a vote and the backs, which all else uses."""
    emblems = "".join(_symbol(f"emblem-{letter}", path) for letter, path in EMBLEMS.items())
    return emblems + _symbol("crown", CROWN) + "".join(_back(size) for size in (STAKE, HAND, SMALL))


def _symbol(name: str, path: str) -> str:
    return element("symbol", element("path", d=path, fill_rule="evenodd"), id=name, viewBox="0 0 20 20")


def _back(size: Size) -> str:
    """A card face down, with its lattice."""
    inset = size.corner - 1
    wide, high = size.width - 2 * inset, size.height - 2 * inset
    falling = _lines(wide, high, inset)
    rising = falling + element("g", falling, transform=f"translate({size.width} 0) scale(-1 1)")
    return element("g", box("c-back", 0, 0, size.width, size.height, rx=size.corner) + rising, id=f"back-{size.key}")


def _lines(wide: float, high: float, inset: float) -> str:
    """Parallel lines at 45 degrees within a rectangle."""
    path = ""
    for start in range(-int(high // LATTICE) * LATTICE, int(wide), LATTICE):
        x, y = max(0, start), max(0, -start)
        length = min(wide - x, high - y)
        path += f"M{inset + x:g} {inset + y:g}l{length:g} {length:g}"
    return element("path", d=path, class_="c-weave")


def back(size: Size, x: float, y: float) -> str:
    """A card face down, at its place."""
    return element("use", href=f"#back-{size.key}", x=x, y=y)


def emblem(letter: str, x: float, y: float, side: float) -> str:
    """The emblem of a faction, to go on its colour."""
    return element("use", href=f"#emblem-{letter}", x=x, y=y, width=side, height=side, class_=f"c-on-{letter}")


def crown(x: float, y: float, side: float) -> str:
    """The sign of a vote."""
    return element("use", href="#crown", x=x, y=y, width=side, height=side)


@cache
def face(card: Card, size: Size, *, aside: bool = False) -> str:
    """A card face up: a band, value and letter, the emblem on the colour; `aside` if it may not be played."""
    letter, value, corner = card[0], card[1:], size.corner
    inset, side = corner / 2 + 0.5, size.emblem
    wide, high = size.width - 2 * inset, size.height - size.field - inset
    base = size.field - (size.field - size.band - 0.75 * size.value) / 2
    return (
        box("c-aside" if aside else "c-paper", 0, 0, size.width, size.height, rx=corner)
        + element("path", d=_band(size), class_=f"c-{letter} c-edge")
        + text(inset, base, value, class_=f"c-value c-value-{size.key}")
        + text(size.width - inset, base, letter, class_=f"c-value c-letter-{size.key}")
        + box(f"c-{letter}", inset, size.field, wide, high, rx=corner - 2)
        + emblem(letter, (size.width - side) / 2, size.field + (high - side) / 2, side)
    )


def _band(size: Size) -> str:
    """The upper edge of a card."""
    return (
        f"M0 {size.band:g}V{size.corner:g}q0-{size.corner:g} {size.corner:g}-{size.corner:g}"
        f"h{size.width - 2 * size.corner:g}q{size.corner:g} 0 {size.corner:g} {size.corner:g}V{size.band:g}Z"
    )


@cache
def chip(letter: str) -> str:
    """A faction in short: emblem and letter on the colour."""
    return (
        box(f"c-{letter} c-edge", 0, 0, CHIP, CHIP_HEIGHT, rx=4)
        + emblem(letter, 3, 2, 14)
        + text(23.5, 13.4, letter, class_=f"c-chip c-on-{letter}")
    )


@cache
def crest(letter: str, side: float) -> str:
    """The emblem of a faction on its colour."""
    return box(f"c-{letter} c-edge", 0, 0, side, side, rx=4) + emblem(letter, side / 6, side / 6, side * 2 / 3)


def outline(kind: str, size: Size, x: float, y: float, gap: float = 0) -> str:
    """A line around a card at a place, so far outside it."""
    return box(kind, x - gap, y - gap, size.width + 2 * gap, size.height + 2 * gap, rx=size.corner + gap)


def box(classes: str, x: float, y: float, width: float, height: float, *, rx: float) -> str:
    """A rectangle with rounded corners."""
    return element("rect", class_=classes, x=x, y=y, width=width, height=height, rx=rx)


def placed(svg: str, x: float, y: float, key: str = "") -> str:
    """A drawing moved from the origin to its place, with a key to be clicked by."""
    data_at = f' data-at="{key}"' if key else ""
    return f'<g transform="translate({round(x, 1):g} {round(y, 1):g})"{data_at}>{svg}</g>'
