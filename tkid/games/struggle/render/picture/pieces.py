"""The pieces: followers, houses, coins and marks, each with a shape or a letter as well as its colour.

What stands in many places is drawn once, around the origin, in the definitions of a picture, and used by its id:
`piece-S`, `ghost-S`, `house-S` and `coin-S` by the letter of a faction, and `crack` for the coin of an unstable region.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import cos, pi, sin
from types import MappingProxyType

from tkid.games.struggle.rules.board import UNSTABLE, Board
from tkid.render.palette import paint
from tkid.render.picture import Style, element, text

SIDES = ((4, 0.25, 10.96), (6, 0.0, 9.2), (4, 0.0, 9.4), (8, 0.125, 9.0))
"""The shape of each faction's followers: its sides, how far it is turned (in sides), and its radius."""
RING = 11.5
"""The radius of the ring around a follower that came."""
COIN = 17.0
"""The radius of a coin as it is defined."""
NUMBER = 8
"""The radius of the ring around the number of a struggle."""
FACTIONS = range(4)

STYLE: Style = {
    **{f".f{f}": paint(fill=f"piece{f}") for f in FACTIONS},
    **{f".l{f}": paint("font-weight:700", fill=f"on{f}") for f in FACTIONS},
    **{f".edge{f}": paint("fill:none;stroke-width:1.5", stroke=f"on{f}") for f in FACTIONS},
    ".piece": paint("stroke-width:1;stroke-linejoin:round", stroke="edge"),
    ".lost": paint(fill="lost"),
    ".crack": paint("fill:none;stroke-width:2.4;stroke-linejoin:round", stroke="on-lost"),
    ".came": paint("fill:none;stroke-width:2", stroke="last"),
    ".ghost": paint("fill:none;stroke-width:1.2;stroke-dasharray:2.6 2", stroke="last"),
    ".last": paint(fill="last"),
    ".gone": paint("fill:none;stroke-width:1.2;stroke-dasharray:2.6 2", stroke="dim"),
    ".token": paint("stroke-width:1.2", fill="card", stroke="ink"),
    ".ring": paint("stroke-width:1", fill="card", stroke="coast"),
    ".solid": paint("stroke-width:1", fill="ink", stroke="ink"),
    ".on-solid": paint(fill="paper"),
    ".ink": paint(fill="ink"),
    ".b": ("font-weight:700", ""),
}


def defs(board: Board) -> str:
    """The shapes that pictures of a board use by their ids."""
    return "".join(shapes(board).values())


@cache
def shapes(board: Board) -> Mapping[str, str]:
    """The definitions by their ids."""
    drawn = {"crack": _crack()}
    for faction in range(len(board.factions)):
        drawn |= _of_faction(board, faction)
    return MappingProxyType({name: element("g", svg, id=name) for name, svg in drawn.items()})


def follower(board: Board, faction: int, x: float, y: float, *, key: str = "") -> str:
    """A follower around a point, with a key to be clicked by."""
    return _use(f"piece-{board.factions[faction].letter}", x, y, key)


def ghost(board: Board, faction: int, x: float, y: float) -> str:
    """The outline of a follower that left."""
    return _use(f"ghost-{board.factions[faction].letter}", x, y)


def came(x: float, y: float, radius: float = RING) -> str:
    """The ring around a follower or a coin that came."""
    return element("circle", cx=x, cy=y, r=radius, class_="came")


def house(board: Board, faction: int, x: float, y: float) -> str:
    """A faction's home behind a name: a house on its base line."""
    return _use(f"house-{board.factions[faction].letter}", x, y)


def coin(board: Board, kind: int, x: float, y: float, radius: float = COIN) -> str:
    """A control disc with its faction's shape and letter, or an instability disc with a crack."""
    name = "crack" if kind == UNSTABLE else f"coin-{board.factions[kind].letter}"
    if radius == COIN:
        return _use(name, x, y)
    return f'<use href="#{name}" transform="translate({x:g} {y:g}) scale({radius / COIN:.3f})"/>'


def slot(x: float, y: float, radius: float) -> str:
    """A free place for a disc, or a disc that is used up: a dashed circle."""
    return element("circle", cx=x, cy=y, r=radius, class_="gone")


def token(board: Board, x: float, y: float, radius: float = 6.5) -> str:
    """A negotiation disc, with the first letter of its printed name."""
    letter = board.terms.negotiation[0].upper()
    return element("circle", cx=x, cy=y, r=radius, class_="token") + _letter(x, y, letter, "b ink", 1.16 * radius)


def number(x: float, y: float, place: int, *, state: str) -> str:
    """The number of a struggle: `contested` on solid ink, `resolved` without a ring, or `open`."""
    if state == "resolved":
        return _letter(x, y, str(place), "ink", 10.2)
    solid = state == "contested"
    ring = element("circle", cx=x, cy=y, r=NUMBER, class_="solid" if solid else "ring")
    return ring + _letter(x, y, str(place), "b on-solid" if solid else "b ink", 10.2)


def _use(name: str, x: float, y: float, key: str = "") -> str:
    """A defined shape at a point."""
    data_at = f' data-at="{key}"' if key else ""
    return f'<use href="#{name}" x="{_tenths(x)}" y="{_tenths(y)}"{data_at}/>'


def _tenths(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def _of_faction(board: Board, faction: int) -> dict[str, str]:
    """A faction's follower, the ghost of one, its house and its coin."""
    letter, (sides, turn, radius) = board.factions[faction].letter, SIDES[faction % len(SIDES)]
    shape, look = polygon(sides, turn, radius), f"piece f{faction}"
    on, house_ = f"l{faction}", "M-7-5.5L0-12L7-5.5V2H-7Z"
    disc = element("circle", r=COIN, class_=look) + element(
        "path", d=polygon(sides, turn, 0.72 * COIN), class_=f"edge{faction}"
    )
    return {
        f"piece-{letter}": element("path", d=shape, class_=look) + _letter(0, 0, letter, on, 10),
        f"ghost-{letter}": element("path", d=shape, class_="ghost") + _letter(0, 0, letter, "b last", 9.5),
        f"house-{letter}": element("path", d=house_, class_=look) + _letter(0, -2.9, letter, on, 8.5),
        f"coin-{letter}": disc + _letter(0, 0, letter, on, 11.9),
    }


def _crack() -> str:
    """The coin of an unstable region."""
    line = element("path", d="M-4.3-16.5l7.1 10.5-9.4 6.8 10.2 7.1-3.7 8.5", class_="crack")
    return element("circle", r=COIN, class_="piece lost") + line


def _letter(x: float, y: float, letter: str, class_: str, size: float) -> str:
    return text(x, y + 0.36 * size, letter, class_=class_, font_size=size, text_anchor="middle")


@cache
def polygon(sides: int, turn: float, radius: float) -> str:
    """A regular polygon around the origin; with a turn of 0, one corner is on top."""
    corners = [
        (radius * sin(2 * pi * (n / sides + turn / 2)), -radius * cos(2 * pi * (n / sides + turn / 2)))
        for n in range(sides)
    ]
    return "M" + "L".join(f"{_tenths(a)} {_tenths(b)}" for a, b in corners) + "Z"
