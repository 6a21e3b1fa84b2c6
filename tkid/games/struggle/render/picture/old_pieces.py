"""The pieces as they were, for the small pictures of the rules until they move."""

from __future__ import annotations

from functools import cache
from math import cos, hypot, pi, sin

from tkid.games.struggle.rules.board import UNSTABLE, Board
from tkid.render.picture import element, text

PITCH = 19
"""From one follower to the next."""
SIDES = ((4, 0.25, 9.9), (6, 0.0, 9.0), (4, 0.0, 10.6), (8, 0.125, 9.2))
"""The shape of each faction's followers: its sides, how far it is turned (in sides), and its radius."""

STYLE = {
    ".f0": ("fill:#0072b2", ""),
    ".f1": ("fill:#d55e00", ""),
    ".f2": ("fill:#f0e442", ""),
    ".f3": ("fill:#222", ""),
    ".l0,.l3": ("fill:#fff", ""),
    ".l1,.l2": ("fill:#000", ""),
    ".piece": ("stroke:#111;stroke-width:1", "stroke:#fff"),
    ".l0,.l1,.l2,.l3,.b": ("font-weight:700", ""),
    ".edge0,.edge3": ("stroke:#fff", ""),
    ".edge1,.edge2": ("stroke:#000", ""),
    ".lost": ("fill:#4a4a4a", "fill:#777"),
    ".on-lost": ("fill:#fff;stroke:#fff", ""),
    ".gone": ("fill:none;stroke:#111;stroke-width:1.2;stroke-dasharray:2.5 2", "stroke:#eee"),
    ".ink": ("fill:#111", "fill:#eee"),
    ".badge": ("fill:#111;stroke:#fff;stroke-width:1", "fill:#fff;stroke:#111"),
    ".on-badge": ("fill:none;stroke:#fff;stroke-width:1.8", "stroke:#111"),
    ".token": ("fill:#fff;stroke:#111;stroke-width:1.2", "fill:#222;stroke:#eee"),
}


def follower(board: Board, faction: int, x: float, y: float, *, key: str = "", gone: bool = False) -> str:
    """A follower around a point, with a key to be clicked by; one that is `gone` is an outline."""
    shape = _follower(faction, board.factions[faction].letter, gone=gone)
    data_at = f' data-at="{key}"' if key else ""
    return f'<g transform="translate({x:.1f} {y:.1f})"{data_at}>{shape}</g>'


@cache
def _follower(faction: int, letter: str, *, gone: bool) -> str:
    """A follower around the origin."""
    sides, turn, radius = SIDES[faction % len(SIDES)]
    shape = element("path", d=_polygon(0, 0, sides, turn, radius), class_="gone" if gone else f"piece f{faction}")
    return shape + _letter(0, 0, letter, "b ink" if gone else f"l{faction}", 10.5)


def added(x: float, y: float) -> str:
    """The mark of a follower that came in the last turn: a plus."""
    return element("circle", cx=x, cy=y, r=4.6, class_="badge") + element(
        "path", d=f"M{x - 2.6:.1f} {y:.1f}h5.2M{x:.1f} {y - 2.6:.1f}v5.2", class_="on-badge"
    )


def disc(board: Board, kind: int, x: float, y: float, radius: float = 21) -> str:
    """A control disc with its faction's shape and letter, or an instability disc with a crack."""
    if kind == UNSTABLE:
        r = radius
        crack = (
            f"M{x - 0.2 * r:.1f} {y - 0.8 * r:.1f}l{0.3 * r:.1f} {0.5 * r:.1f}l{-0.4 * r:.1f} {0.3 * r:.1f}"
            f"l{0.5 * r:.1f} {0.35 * r:.1f}l{-0.2 * r:.1f} {0.45 * r:.1f}"
        )
        return element("circle", cx=x, cy=y, r=radius, class_="piece lost") + element(
            "path", d=crack, class_="on-lost", fill="none", stroke_width=max(1.2, radius / 9)
        )
    sides, turn, _ = SIDES[kind % len(SIDES)]
    ring = element("circle", cx=x, cy=y, r=radius, class_=f"piece f{kind}")
    inner = element(
        "path", d=_polygon(x, y, sides, turn, 0.82 * radius), fill="none", class_=f"edge{kind}", stroke_width=1.3
    )
    return ring + inner + _letter(x, y, board.factions[kind].letter, f"l{kind}", 0.86 * radius)


def token(board: Board, x: float, y: float, radius: float = 6.5) -> str:
    """A negotiation disc, with the first letter of its printed name."""
    letter = board.terms.negotiation[0].upper()
    return element("circle", cx=x, cy=y, r=radius, class_="token") + _letter(x, y, letter, "b ink", 1.35 * radius)


def home(board: Board, faction: int, x: float, y: float) -> str:
    """A faction's home: a house with its letter."""
    house = f"M{x - 7:.1f} {y - 1:.1f}L{x:.1f} {y - 8:.1f}L{x + 7:.1f} {y - 1:.1f}V{y + 6:.1f}H{x - 7:.1f}Z"
    return element("path", d=house, class_=f"piece f{faction}") + _letter(
        x, y + 1.2, board.factions[faction].letter, f"l{faction}", 8.5
    )


def tip(origin: tuple[float, float], end: tuple[float, float], size: float = 8) -> str:
    """The head of an arrow from one point to another."""
    (a, b), (x, y) = origin, end
    length = max(hypot(x - a, y - b), 0.1)
    u, v = size * (x - a) / length, size * (y - b) / length
    corners = f"M{x + u / 2:.1f} {y + v / 2:.1f}L{x - u / 2 - v / 2:.1f} {y - v / 2 + u / 2:.1f}"
    return element("path", d=f"{corners}L{x - u / 2 + v / 2:.1f} {y - v / 2 - u / 2:.1f}Z", class_="tip")


def _letter(x: float, y: float, letter: str, class_: str, size: float) -> str:
    return text(x, y + 0.36 * size, letter, class_=class_, font_size=size, text_anchor="middle")


def _polygon(x: float, y: float, sides: int, turn: float, radius: float) -> str:
    """A regular polygon; with a turn of 0, one corner is on top."""
    corners = [
        (x + radius * sin(2 * pi * (n / sides + turn / 2)), y - radius * cos(2 * pi * (n / sides + turn / 2)))
        for n in range(sides)
    ]
    return "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in corners) + "Z"
