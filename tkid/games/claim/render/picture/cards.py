"""The cards: faces, backs, small ones for piles, and the emblem, colour and letter of each faction, all at the origin.

The colours differ clearly for colour-blind eyes too.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from attrs import frozen

from tkid.games.claim.rules.deck import DOPPELGANGER, DWARF, GOBLIN, KNIGHT, UNDEAD, Card
from tkid.render.picture import Style, element, text

COLOURS: Mapping[str, tuple[str, str]] = {
    GOBLIN: ("#4daf7c", "#111"),
    KNIGHT: ("#0072b2", "#fff"),
    DWARF: ("#d55e00", "#111"),
    UNDEAD: ("#bfa5d6", "#111"),
    DOPPELGANGER: ("#f0e442", "#111"),
}
"""The colour of each faction, and of the emblem on it."""

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
"""The emblem of each faction as a path in a square of 20: a head with ears, a shield, a hammer, a skull, two rings."""


@frozen
class Size:
    """The measures of a card: width, height, the top of its coloured field, the font sizes, the side of its emblem."""

    key: str
    width: float
    height: float
    field: float
    value: int
    letter: int
    emblem: float


TABLE = Size("t", 56, 80, 32, 28, 18, 36)
HAND = Size("h", 33, 50, 22, 20, 13, 20)
PILE = Size("p", 25, 36, 17, 14, 11, 14)
"""Cards on the table, in the viewer's hand, and in piles and other hands."""
MINI_WIDTH, MINI_HEIGHT = 13, 18
CHIP_WIDTH, CHIP_HEIGHT = 32, 18

STYLE: Style = {
    ".c-paper": ("fill:#fffdf8;stroke:#8b8a84;stroke-width:.8", "fill:#2c333b;stroke:#77828d"),
    ".c-aside": ("fill:#e4e2da;stroke:#8b8a84;stroke-width:.8", "fill:#1d2228;stroke:#5c666f"),
    ".c-back": ("fill:#5b6673;stroke:#2f3740;stroke-width:.8", "fill:#46515d;stroke:#8d99a5"),
    ".c-weave": ("fill:none;stroke:#c3ccd5;stroke-width:1", ""),
    ".c-last": ("fill:none;stroke:#16191d;stroke-width:2.2", "stroke:#fff"),
    ".c-value": ("fill:#16191d;font-weight:700", "fill:#f3f5f7"),
    **{f".c-value-{size.key}": (f"font-size:{size.value}px", "") for size in (TABLE, HAND, PILE)},
    **{f".c-letter-{size.key}": (f"font-size:{size.letter}px;text-anchor:end", "") for size in (TABLE, HAND, PILE)},
    ".c-mini": ("font-size:12px;font-weight:700;text-anchor:middle", ""),
    ".c-edge": ("stroke:#16191d;stroke-opacity:.35;stroke-width:.7", "stroke:#fff"),
    **{f".c-{letter}": (f"fill:{colour}", "") for letter, (colour, _) in COLOURS.items()},
    **{f".c-on-{letter}": (f"fill:{ink}", "") for letter, (_, ink) in COLOURS.items()},
}


@cache
def emblems() -> str:
    """The emblems, defined for all that is drawn after them."""
    shapes = "".join(
        element("symbol", element("path", d=path, fill_rule="evenodd"), id=f"claim-{letter}", viewBox="0 0 20 20")
        for letter, path in EMBLEMS.items()
    )
    return element("defs", shapes)


def emblem(letter: str, x: float, y: float, side: float) -> str:
    """The emblem of a faction, to go on its colour."""
    return element("use", href=f"#claim-{letter}", x=x, y=y, width=side, height=side, class_=f"c-on-{letter}")


@cache
def face(card: Card, size: Size, *, aside: bool = False) -> str:
    """A card face up: value and letter on paper, the emblem on the colour; `aside` if it may not be played."""
    letter, value = card[0], card[1:]
    inset, side = size.width / 11, size.emblem
    wide, high = size.width - 2 * inset, size.height - size.field - inset
    return (
        box("c-aside" if aside else "c-paper", 0, 0, size.width, size.height, rx=size.width / 9)
        + text(inset, size.field - inset, value, class_=f"c-value c-value-{size.key}")
        + text(size.width - inset, size.field - inset, letter, class_=f"c-value c-letter-{size.key}")
        + box(f"c-{letter}", inset, size.field, wide, high, rx=size.width / 16)
        + emblem(letter, (size.width - side) / 2, size.field + (high - side) / 2, side)
    )


@cache
def back(size: Size) -> str:
    """A card face down."""
    inset, step = size.width / 8, size.width / 5
    tall = step * 1.4
    figure = f"M{size.width / 2:g} {size.height / 2 - tall:g}l{step:g} {tall:g} -{step:g} {tall:g} -{step:g} -{tall:g}Z"
    return (
        box("c-back", 0, 0, size.width, size.height, rx=size.width / 9)
        + box("c-weave", inset, inset, size.width - 2 * inset, size.height - 2 * inset, rx=size.width / 16)
        + element("path", d=figure, class_="c-weave")
    )


@cache
def mini(card: Card) -> str:
    """A card of a pile that shows its faction: its value on the colour."""
    return box(f"c-{card[0]} c-edge", 0, 0, MINI_WIDTH, MINI_HEIGHT, rx=2.5) + text(
        MINI_WIDTH / 2, MINI_HEIGHT - 4.6, card[1:], class_=f"c-mini c-on-{card[0]}"
    )


@cache
def chip(letter: str) -> str:
    """A faction in short: emblem and letter on the colour."""
    return (
        box(f"c-{letter} c-edge", 0, 0, CHIP_WIDTH, CHIP_HEIGHT, rx=4)
        + emblem(letter, 3, 2, 14)
        + text(24.5, 13.4, letter, class_=f"c-mini c-on-{letter}")
    )


def ring(x: float, y: float, width: float, height: float, gap: float = 2.5) -> str:
    """A frame around the card that was played last."""
    return box("c-last", x - gap, y - gap, width + 2 * gap, height + 2 * gap, rx=width / 9 + gap)


def box(classes: str, x: float, y: float, width: float, height: float, *, rx: float) -> str:
    """A rectangle with rounded corners."""
    return element("rect", class_=classes, x=x, y=y, width=width, height=height, rx=rx)


def placed(svg: str, x: float, y: float, key: str = "") -> str:
    """A drawing moved from the origin to its place, with a key to be clicked by."""
    data_at = f' data-at="{key}"' if key else ""
    return f'<g transform="translate({round(x, 1):g} {round(y, 1):g})"{data_at}>{svg}</g>'
